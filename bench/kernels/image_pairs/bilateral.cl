__constant sampler_t nearest = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                               CLK_FILTER_NEAREST;

float weight(float4 difference, int i, int j)
{
    return native_exp(-0.125f * (i * i + j * j) - 20.0f * dot(difference, difference));
}

__kernel void with_image(__read_only image2d_t in, __write_only image2d_t out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 centre = read_imagef(in, nearest, (int2)(x, y)), sum = 0;
    float total = 0;
    for (int j = -2; j <= 2; j++) {
        for (int i = -2; i <= 2; i++) {
            float4 color = read_imagef(in, nearest, (int2)(x + i, y + j));
            float w = weight(color - centre, i, j);
            sum += w * color;
            total += w;
        }
    }
    write_imagef(out, (int2)(x, y), sum / total);
}

__kernel void with_buffer(__global const T *in, __global T *out, int width, int height)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 centre = LOAD(in[y * width + x]), sum = 0;
    float total = 0;
    for (int j = -2; j <= 2; j++) {
        for (int i = -2; i <= 2; i++) {
            float4 color =
                LOAD(in[clamp(y + j, 0, height - 1) * width + clamp(x + i, 0, width - 1)]);
            float w = weight(color - centre, i, j);
            sum += w * color;
            total += w;
        }
    }
    out[y * width + x] = STORE(sum / total);
}
