__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                               CLK_FILTER_NEAREST;

__kernel void with_image(__read_only image2d_t in, __write_only image2d_t out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            sum += read_imagef(in, nearest, (int2)(x + i, y + j));
    write_imagef(out, (int2)(x, y), sum * (1 / 25.0f));
}

__kernel void with_buffer(__global const T *in, __global T *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 sum = 0;
    for (int j = -2; j <= 2; j++)
        for (int i = -2; i <= 2; i++)
            sum += LOAD(in[clamp(y + j, 0, height - 1) * width + clamp(x + i, 0, width - 1)]);
    out[y * width + x] = STORE(sum * (1 / 25.0f));
}
