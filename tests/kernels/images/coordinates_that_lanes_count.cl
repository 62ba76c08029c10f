// Coordinates in floating point that lanes count, which are taken to be side by side, beside the
// same ones in a way that shows nothing of it. Rounding puts some of them elsewhere; limits cut
// them off at the edges.
// BUILD: options="-cl-std=CL3.0"
// RUN: nearest global=100x3 local=50x1
// ARG: in image 2d R UNSIGNED_INT32 90x3 uint[270] = i * 7
// ARG: one float = 1
// ARG: c float = 0.5
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: nearest global=100x3 local=50x1
// ARG: in image 2d R UNSIGNED_INT32 90x3 uint[270] = i * 7
// ARG: one float = 1
// ARG: c float = 0.99999994
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: nearest global=100x3 local=50x1
// ARG: in image 2d R UNSIGNED_INT32 90x3 uint[270] = i * 7
// ARG: one float = 1
// ARG: c float = -3.0000002
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: between global=64x4
// ARG: in image 2d RGBA UNORM_INT8 64x4 uchar4[256] = i * 5 + j
// ARG: one float = 1
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: backwards global=64
// ARG: in image 1d RG FLOAT 64 float2[64] = i + j
// ARG: one float = 1
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: apart global=64x2
// ARG: in image 2d R UNORM_INT8 128x4 uchar[512] = i
// ARG: one float = 1
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: index global=64
// ARG: in uint[80] = i * i
// ARG: c float = 7.75
// ARG: out uint[64]
// EXPECT: out = (i + 7) * (i + 7)
// RUN: far global=64
// ARG: in uint[64] = i
// ARG: c float = 16777216
// ARG: out uint[64]
// EXPECT: out = i % 2 == 0 ? i : i % 4 == 1 ? i - 1 : i + 1 > 63 ? 63 : i + 1

constant sampler_t edge =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t border =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP | CLK_FILTER_NEAREST;
constant sampler_t linear =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

kernel void nearest(read_only image2d_t in, float one, float c, global uint *bad)
{
    int x = get_global_id(0), y = get_global_id(1);
    uint4 a = read_imageui(in, edge, (float2)(x + c, y + 0.5f));
    uint4 b = read_imageui(in, edge, (float2)(x * one + c, y * one + 0.5f));
    uint4 d = read_imageui(in, border, (float2)(x + c, y + 0.5f));
    uint4 e = read_imageui(in, border, (float2)(x * one + c, y * one + 0.5f));

    if (any(a != b) || any(d != e))
        *bad = x + 1;
}

kernel void between(read_only image2d_t in, float one, global uint *bad)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    float2 f = convert_float2(at) * one;
    float4 a = read_imagef(in, linear, convert_float2(at) + 0.5f);
    float4 b = read_imagef(in, linear, f + 0.5f);
    float4 d = read_imagef(in, linear, convert_float2(at) + (float2)(0.3f, 1.7f));
    float4 e = read_imagef(in, linear, f + (float2)(0.3f, 1.7f));

    if (any(a != b) || any(d != e))
        *bad = at.x + 1;
}

kernel void backwards(read_only image1d_t in, float one, global uint *bad)
{
    int x = get_global_id(0), w = get_image_width(in);
    float4 a = read_imagef(in, edge, w - x - 0.5f);
    float4 b = read_imagef(in, edge, w - x * one - 0.5f);

    if (any(a != b))
        *bad = x + 1;
}

kernel void apart(read_only image2d_t in, float one, global uint *bad)
{
    int x = get_global_id(0), y = get_global_id(1);
    float4 a = read_imagef(in, edge, (float2)(2.0f * x + 1.0f, 2.0f * y + 1.0f));
    float4 b = read_imagef(in, edge, (float2)(2.0f * one * x + 1.0f, 2.0f * one * y + 1.0f));

    if (any(a != b))
        *bad = x + 1;
}

kernel void index(global const uint *in, float c, global uint *out)
{
    int x = get_global_id(0);

    out[x] = in[(int)(x + c)];
}

// From 2^24 on only even numbers are floats: ties go to multiples of 4.
kernel void far(global const uint *in, float c, global uint *out)
{
    int x = get_global_id(0);

    out[x] = in[min((int)(x + c) - 16777216, 63)];
}
