__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                               CLK_FILTER_NEAREST;

#define EDGES(AT)                                                                           \
    float across = AT(1, -1) + 2 * AT(1, 0) + AT(1, 1) - AT(-1, -1) - 2 * AT(-1, 0) - AT(-1, 1); \
    float down = AT(-1, 1) + 2 * AT(0, 1) + AT(1, 1) - AT(-1, -1) - 2 * AT(0, -1) - AT(1, -1);   \
    float edge = 0.25f * sqrt(across * across + down * down)
#define IN_IMAGE(i, j) read_imagef(in, nearest, (int2)(x + (i), y + (j))).x
#define IN_BUFFER(i, j) \
    LOAD(in[clamp(y + (j), 0, height - 1) * width + clamp(x + (i), 0, width - 1)])

__kernel void with_image(__read_only image2d_t in, __write_only image2d_t out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    EDGES(IN_IMAGE);
    write_imagef(out, (int2)(x, y), (float4)(edge));
}

__kernel void with_buffer(__global const T *in, __global T *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    EDGES(IN_BUFFER);
    out[y * width + x] = STORE(edge);
}
