// Coordinates times a number that the kernel is given, of which most gangs' texels lie close together,
// beside the same ones made of loaded numbers, which show nothing of it.
// BUILD: options="-cl-std=CL3.0"
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA UNORM_INT8 100x3 uchar4[300] = i * 5 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d R UNORM_INT8 100x3 uchar[300] = i * 7
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA HALF_FLOAT 97x3 ushort4[291] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA UNORM_INT8 100x3 uchar4[300] = i * 5 + j
// ARG: f float = 0.0099999
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d R UNORM_INT8 100x3 uchar[300] = i * 7
// ARG: f float = 0.0099999
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA HALF_FLOAT 97x3 ushort4[291] = i * 3 + j
// ARG: f float = 0.0099999
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA UNORM_INT8 100x3 uchar4[300] = i * 5 + j
// ARG: f float = 0.0037
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d R UNORM_INT8 100x3 uchar[300] = i * 7
// ARG: f float = 0.0037
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA HALF_FLOAT 97x3 ushort4[291] = i * 3 + j
// ARG: f float = 0.0037
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA UNORM_INT8 100x3 uchar4[300] = i * 5 + j
// ARG: f float = 0.02
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d R UNORM_INT8 100x3 uchar[300] = i * 7
// ARG: f float = 0.02
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA HALF_FLOAT 97x3 ushort4[291] = i * 3 + j
// ARG: f float = 0.02
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA UNORM_INT8 100x3 uchar4[300] = i * 5 + j
// ARG: f float = -0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d R UNORM_INT8 100x3 uchar[300] = i * 7
// ARG: f float = -0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA HALF_FLOAT 97x3 ushort4[291] = i * 3 + j
// ARG: f float = -0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d R FLOAT 100x3 float[300] = i * 3
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RG FLOAT 100x3 float2[300] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA FLOAT 100x3 float4[300] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RG UNORM_INT8 100x3 uchar2[300] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d R FLOAT 100x3 float[300] = i * 3
// ARG: f float = 0.005
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RG FLOAT 100x3 float2[300] = i * 3 + j
// ARG: f float = 0.005
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RGBA FLOAT 100x3 float4[300] = i * 3 + j
// ARG: f float = 0.005
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_texels global=100x3 local=50x1
// ARG: in image 2d RG UNORM_INT8 100x3 uchar2[300] = i * 3 + j
// ARG: f float = 0.005
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_repeats global=100x3 local=50x1
// ARG: in image 2d RGBA UNORM_INT8 100x3 uchar4[300] = i * 5 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_repeats global=100x3 local=50x1
// ARG: in image 2d R UNORM_INT8 100x3 uchar[300] = i * 7
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_repeats global=100x3 local=50x1
// ARG: in image 2d RGBA HALF_FLOAT 97x3 ushort4[291] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_repeats global=100x3 local=50x1
// ARG: in image 2d RGBA UNORM_INT8 100x3 uchar4[300] = i * 5 + j
// ARG: f float = 0.0037
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_repeats global=100x3 local=50x1
// ARG: in image 2d R UNORM_INT8 100x3 uchar[300] = i * 7
// ARG: f float = 0.0037
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_repeats global=100x3 local=50x1
// ARG: in image 2d RGBA HALF_FLOAT 97x3 ushort4[291] = i * 3 + j
// ARG: f float = 0.0037
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_repeats global=100x3 local=50x1
// ARG: in image 2d R FLOAT 100x3 float[300] = i * 3
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_repeats global=100x3 local=50x1
// ARG: in image 2d RG FLOAT 100x3 float2[300] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_repeats global=100x3 local=50x1
// ARG: in image 2d RGBA FLOAT 100x3 float4[300] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_repeats global=100x3 local=50x1
// ARG: in image 2d RG UNORM_INT8 100x3 uchar2[300] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_pixels global=100x3 local=50x1
// ARG: in image 2d RGBA UNORM_INT8 100x3 uchar4[300] = i * 5 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_pixels global=100x3 local=50x1
// ARG: in image 2d R UNORM_INT8 100x3 uchar[300] = i * 7
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_pixels global=100x3 local=50x1
// ARG: in image 2d RGBA HALF_FLOAT 97x3 ushort4[291] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_pixels global=100x3 local=50x1
// ARG: in image 2d RGBA UNORM_INT8 100x3 uchar4[300] = i * 5 + j
// ARG: f float = 0.0037
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_pixels global=100x3 local=50x1
// ARG: in image 2d R UNORM_INT8 100x3 uchar[300] = i * 7
// ARG: f float = 0.0037
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_pixels global=100x3 local=50x1
// ARG: in image 2d RGBA HALF_FLOAT 97x3 ushort4[291] = i * 3 + j
// ARG: f float = 0.0037
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_pixels global=100x3 local=50x1
// ARG: in image 2d R FLOAT 100x3 float[300] = i * 3
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_pixels global=100x3 local=50x1
// ARG: in image 2d RG FLOAT 100x3 float2[300] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_pixels global=100x3 local=50x1
// ARG: in image 2d RGBA FLOAT 100x3 float4[300] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_pixels global=100x3 local=50x1
// ARG: in image 2d RG UNORM_INT8 100x3 uchar2[300] = i * 3 + j
// ARG: f float = 0.01
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_steps global=100x3 local=50x1
// ARG: in image 2d RGBA UNORM_INT8 100x3 uchar4[300] = i * 5 + j
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_steps global=100x3 local=50x1
// ARG: in image 2d R UNORM_INT8 100x3 uchar[300] = i * 7
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_steps global=100x3 local=50x1
// ARG: in image 2d RGBA HALF_FLOAT 97x3 ushort4[291] = i * 3 + j
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_steps global=100x3 local=50x1
// ARG: in image 2d R FLOAT 100x3 float[300] = i * 3
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_steps global=100x3 local=50x1
// ARG: in image 2d RG FLOAT 100x3 float2[300] = i * 3 + j
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_steps global=100x3 local=50x1
// ARG: in image 2d RGBA FLOAT 100x3 float4[300] = i * 3 + j
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_steps global=100x3 local=50x1
// ARG: in image 2d RG UNORM_INT8 100x3 uchar2[300] = i * 3 + j
// ARG: same uint[100] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_elements global=200
// ARG: in float2[420] = i * 3 + j
// ARG: f float = 0.7
// ARG: same uint[200] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_elements global=200
// ARG: in float2[420] = i * 3 + j
// ARG: f float = 1
// ARG: same uint[200] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_elements global=200
// ARG: in float2[420] = i * 3 + j
// ARG: f float = 1.9
// ARG: same uint[200] = i
// ARG: bad uint[1] = 0
// EXPECT: bad = 0
// RUN: near_halves global=200
// ARG: in half[420] = i * 3 % 1000
// ARG: f float = 0.9
// ARG: same uint[200] = i
// ARG: out half[200]
// EXPECT: out where it == 0

#pragma OPENCL EXTENSION cl_khr_fp16 : enable

constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;
constant sampler_t linear =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_CLAMP | CLK_FILTER_LINEAR;
constant sampler_t round_and_round =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_REPEAT | CLK_FILTER_LINEAR;
constant sampler_t there_and_back =
    CLK_NORMALIZED_COORDS_TRUE | CLK_ADDRESS_MIRRORED_REPEAT | CLK_FILTER_NEAREST;
constant sampler_t pixels =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_LINEAR;

// NaN is as good as NaN.
bool differ(float4 a, float4 b)
{
    return any(as_int4(a) != as_int4(b));
}

kernel void near_texels(read_only image2d_t in, float f, global const uint *same, global uint *bad)
{
    int x = get_global_id(0), y = get_global_id(1), hidden = same[x];
    float2 a = (float2)((x + 0.5f) * f, (y + 0.5f) / 3);
    float2 b = (float2)((hidden + 0.5f) * f, (y + 0.5f) / 3);
    bool wrong = differ(read_imagef(in, nearest, a), read_imagef(in, nearest, b));

    wrong |= differ(read_imagef(in, linear, a), read_imagef(in, linear, b));
    if (wrong)
        *bad = y * 100 + x + 1;
}

kernel void near_repeats(read_only image2d_t in, float f, global const uint *same,
                         global uint *bad)
{
    int x = get_global_id(0), y = get_global_id(1), hidden = same[x];
    float2 a = (float2)((x + 0.5f) * f, (y + 0.5f) / 3);
    float2 b = (float2)((hidden + 0.5f) * f, (y + 0.5f) / 3);
    bool wrong = differ(read_imagef(in, round_and_round, a), read_imagef(in, round_and_round, b));

    wrong |= differ(read_imagef(in, there_and_back, a), read_imagef(in, there_and_back, b));
    if (wrong)
        *bad = y * 100 + x + 1;
}

kernel void near_pixels(read_only image2d_t in, float f, global const uint *same,
                        global uint *bad)
{
    int x = get_global_id(0), y = get_global_id(1), hidden = same[x];
    float2 size = convert_float2(get_image_dim(in));
    float2 a = (float2)((x + 0.5f) * f, (y + 0.5f) / 3) * size;
    float2 b = (float2)((hidden + 0.5f) * f, (y + 0.5f) / 3) * size;

    if (differ(read_imagef(in, pixels, a), read_imagef(in, pixels, b)))
        *bad = y * 100 + x + 1;
}

// Steps below one that the compiler knows.
kernel void near_steps(read_only image2d_t in, global const uint *same, global uint *bad)
{
    int x = get_global_id(0), y = get_global_id(1), hidden = same[x];
    float2 a = (float2)(x * 0.7f + 2.2f, y), b = (float2)(hidden * 0.7f + 2.2f, y);

    if (differ(read_imagef(in, pixels, a), read_imagef(in, pixels, b)))
        *bad = y * 100 + x + 1;
}

kernel void near_elements(global const float2 *in, float f, global const uint *same,
                          global uint *bad)
{
    int x = get_global_id(0), hidden = same[x];
    int i = (int)(x * f) + 20, k = (int)(hidden * f) + 20;

    if (in[i].x != in[k].x || in[i - 20].y != in[k - 20].y || any(in[i + 3] != in[k + 3]))
        *bad = x + 1;
}

kernel void near_halves(global const half *in, float f, global const uint *same, global half *out)
{
    int x = get_global_id(0), hidden = same[x];

    out[x] = in[(int)(x * f) + 20] * 3.0h - in[(int)(hidden * f) + 20] * 3.0h;
}
