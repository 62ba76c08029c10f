__constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                              CLK_FILTER_LINEAR;

__kernel void with_image(__read_only image2d_t in, __write_only image2d_t out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    write_imagef(out, (int2)(x, y),
                 read_imagef(in, linear, (float2)(x * 0.7f + 3.3f, y * 0.7f + 2.3f)));
}

__kernel void with_buffer(__global const T *in, __global T *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float u = x * 0.7f + 3.3f - 0.5f, v = y * 0.7f + 2.3f - 0.5f;
    float left = floor(u), top = floor(v), a = u - left, b = v - top;
    int x0 = clamp((int)left, 0, width - 1), x1 = clamp((int)left + 1, 0, width - 1);
    int y0 = clamp((int)top, 0, height - 1), y1 = clamp((int)top + 1, 0, height - 1);
    float4 sum = (1 - a) * (1 - b) * LOAD(in[y0 * width + x0]);
    sum += a * (1 - b) * LOAD(in[y0 * width + x1]);
    sum += (1 - a) * b * LOAD(in[y1 * width + x0]);
    sum += a * b * LOAD(in[y1 * width + x1]);
    out[y * width + x] = STORE(sum);
}
