/* The sum along a slanted ray through a volume of `width` texels along each axis. */
__constant sampler_t linear = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE |
                              CLK_FILTER_LINEAR;

#define RAY(VALUE)                                                            \
    int x = get_global_id(0), y = get_global_id(1);                           \
    float sum = 0;                                                            \
    for (int z = 0; z < width; z++) {                                         \
        float4 at = (float4)(x + 0.3f * z, y + 0.2f * z, z + 0.25f, 0);       \
        sum += VALUE;                                                         \
    }                                                                         \
    out[y * width + x] = sum

__kernel void with_image(__read_only image3d_t in, __global float *out, int width, int height)
{
    RAY(read_imagef(in, linear, at).x);
}

float texel(__global const T *in, int x, int y, int z, int width)
{
    return LOAD(in[(clamp(z, 0, width - 1) * width + clamp(y, 0, width - 1)) * width +
                   clamp(x, 0, width - 1)]);
}

float filtered(__global const T *in, float4 at, int width)
{
    float4 u = at - 0.5f, whole = floor(u), part = u - whole;
    int x = (int)whole.x, y = (int)whole.y, z = (int)whole.z;
    float a = part.x, b = part.y, c = part.z;
    return (1 - c) * ((1 - b) * ((1 - a) * texel(in, x, y, z, width) + a * texel(in, x + 1, y, z, width)) +
                      b * ((1 - a) * texel(in, x, y + 1, z, width) + a * texel(in, x + 1, y + 1, z, width))) +
           c * ((1 - b) * ((1 - a) * texel(in, x, y, z + 1, width) + a * texel(in, x + 1, y, z + 1, width)) +
                b * ((1 - a) * texel(in, x, y + 1, z + 1, width) + a * texel(in, x + 1, y + 1, z + 1, width)));
}

__kernel void with_buffer(__global const T *in, __global float *out, int width, int height)
{
    RAY(filtered(in, at, width));
}
