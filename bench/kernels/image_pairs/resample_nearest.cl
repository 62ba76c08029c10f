/* T: the element of the buffer, LOAD and STORE: to and from float4. */
__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                               CLK_FILTER_NEAREST;

#define FROM(x, scale, shift) ((x) * (scale) + (shift))

__kernel void with_image(__read_only image2d_t in, __write_only image2d_t out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float2 from = (float2)(FROM(x, 0.7f, 3.0f), FROM(y, 0.7f, 2.0f));
    write_imagef(out, (int2)(x, y), read_imagef(in, nearest, from));
}

__kernel void with_buffer(__global const T *in, __global T *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    int from_x = clamp((int)floor(FROM(x, 0.7f, 3.0f)), 0, width - 1);
    int from_y = clamp((int)floor(FROM(y, 0.7f, 2.0f)), 0, height - 1);
    out[y * width + x] = STORE(LOAD(in[from_y * width + from_x]));
}
