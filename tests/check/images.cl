// SPDX-License-Identifier: MIT
// Coordinates that an image does not have; and those that a sampler, or the range of the
// image, makes right.
// BUILD: options="-cl-std=CL3.0"

kernel void plain(read_only image2d_t in, global int *out)
{
    int i = get_global_id(0);
    out[i] = read_imageui(in, (int2)(i, 1)).x; // FAULT: memory plain "invalid read of an image" "at (4, 1) of the image of argument 0 'in', which has 4 x 2 pixels" id=4
}
// RUN: plain global=6 local=2
// ARG: in image 2d R UNSIGNED_INT32 4x2 uint[8] = i + 1
// ARG: out int[6]
// EXPECT: out[0..3] = i + 5

kernel void below(read_only image1d_t in, global int *out)
{
    out[0] = read_imagei(in, -1).x; // FAULT: memory below "invalid read of an image" "at (-1) of the image of argument 0 'in', which has 4 pixels" id=0
    out[1] = read_imagei(in, 3).x;
}
// RUN: below global=1
// ARG: in image 1d R SIGNED_INT32 4 int[4] = i
// ARG: out int[2]
// EXPECT: out[1] = 3

kernel void writes(global int *out, write_only image3d_t volume, int n)
{
    write_imagei(volume, (int4)(1, n, 2, 0), (int4)(5)); // FAULT: memory writes "invalid write to an image" "at (1, 3, 2) of the image of argument 1 'volume', which has 2 x 3 x 4 pixels" id=0
    write_imagei(volume, (int4)(1, n - 1, 3, 0), (int4)(6));
    out[0] = 1;
}
// RUN: writes global=1
// ARG: out int[1]
// ARG: volume image 3d R SIGNED_INT32 2x3x4 int[24] = 0
// ARG: n int = 3
// EXPECT: volume = i == 23 ? 6 : 0

kernel void layers(read_only image2d_array_t in, write_only image1d_array_t out, global int *sum)
{
    sum[0] = read_imagei(in, (int4)(0, 0, 3, 0)).x; // FAULT: memory layers "invalid read of an image" "at (0, 0), layer 3, of the image of argument 0 'in', which has 2 x 2 pixels and 3 layers" id=0
    write_imagei(out, (int2)(1, 2), (int4)(9)); // FAULT: memory layers "invalid write to an image" "at (1), layer 2, of the image of argument 1 'out', which has 2 pixels and 2 layers" id=0
    write_imagei(out, (int2)(1, 1), (int4)(9));
}
// RUN: layers global=1
// ARG: in image 2d_array R SIGNED_INT32 2x2x3 int[12] = i
// ARG: out image 1d_array R SIGNED_INT32 2x2 int[4] = 0
// ARG: sum int[1]
// EXPECT: out = i == 3 ? 9 : 0

int fetch(read_only image1d_buffer_t in, int at)
{
    return read_imagei(in, at).x; // FAULT: memory calls "invalid read of an image" "at (8) of the image of argument 0 'in', which has 8 pixels" id=1
}
kernel void calls(read_only image1d_buffer_t in, global int *out)
{
    out[get_global_id(0)] = fetch(in, 7 + get_global_id(0));
}
// RUN: calls global=2
// ARG: in image 1d_buffer R SIGNED_INT32 8 int[8] = i
// ARG: out int[2]
// EXPECT: out[0] = 7

kernel void both(read_write image2d_t at)
{
    int x = get_global_id(0);
    uint4 v = read_imageui(at, (int2)(x, 0)); // FAULT: memory both "invalid read of an image" "at (2, 0) of the image of argument 0 'at', which has 2 x 1 pixels" id=2
    write_imageui(at, (int2)(x, 0), v + 1); // FAULT: memory both "invalid write to an image" "at (2, 0) of the image of argument 0 'at', which has 2 x 1 pixels" id=2
}
// RUN: both global=3 local=1
// ARG: at image 2d R UNSIGNED_INT8 2x1 uchar[2] = i
// EXPECT: at = i + 1

constant sampler_t none = CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_NONE | CLK_FILTER_NEAREST;
constant sampler_t edge =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

// What lies outside is undefined for one of two samplers that a kernel is given.
kernel void samplers(read_only image2d_t in, sampler_t s, global float *out)
{
    out[0] = read_imagef(in, none, (float2)(3.5f, 2.0f)).x; // FAULT: memory samplers "invalid read of an image" "at (3.5, 2) of the image of argument 0 'in', which has 4 x 2 pixels" id=0
    out[1] = read_imagef(in, s, (int2)(4, 0)).x; // FAULT: memory samplers "invalid read of an image" "at (4, 0) of the image of argument 0 'in', which has 4 x 2 pixels" id=0
    out[2] = read_imagef(in, none, (float2)(NAN, 0.0f)).x; // FAULT: memory samplers "invalid read of an image" "at (nan, 0) of the image of argument 0 'in'" id=0
    out[3] = read_imagef(in, none, (float2)(3.9f, 1.9f)).x;
    out[4] = read_imagef(in, edge, (int2)(-7, 99)).x;
}
// RUN: samplers global=1
// ARG: in image 2d R FLOAT 4x2 float[8] = i
// ARG: s sampler none
// ARG: out float[5]
// EXPECT: out[3..4] = {7, 4}
// RUN: samplers global=1
// ARG: in image 2d R FLOAT 4x2 float[8] = i
// ARG: s sampler edge
// ARG: out float[5]
// EXPECT: out[1] = 3

kernel void normalized(read_only image2d_t in, sampler_t s, global float *out)
{
    out[0] = read_imagef(in, s, (float2)(0.99f, 0.99f)).x;
    out[1] = read_imagef(in, s, (float2)(0.5f, 1.0f)).x; // FAULT: memory normalized "invalid read of an image" "at (0.5, 1), normalized, of the image of argument 0 'in', which has 4 x 2 pixels" id=0
}
// RUN: normalized global=1
// ARG: in image 2d R FLOAT 4x2 float[8] = i
// ARG: s sampler none normalized
// ARG: out float[2]
// EXPECT: out[0] = 7

// Each addressing mode says what lies outside; the layer is the nearest there is.
kernel void outside(read_only image2d_t in, read_only image2d_array_t deep, sampler_t s,
                    global float *out)
{
    int i = get_global_id(0);
    out[i] = read_imagef(in, s, (float2)(i - 100.0f, NAN)).x +
             read_imagef(deep, s, (float4)(-1.0f, i * 9.0f, i * 7.0f, 0.0f)).x;
}
// RUN: outside global=4
// ARG: in image 2d R FLOAT 4x2 float[8] = i
// ARG: deep image 2d_array R FLOAT 2x2x3 float[12] = i
// ARG: s sampler edge
// ARG: out float[4]
// EXPECT: completes
// RUN: outside global=4
// ARG: in image 2d R FLOAT 4x2 float[8] = i
// ARG: deep image 2d_array R FLOAT 2x2x3 float[12] = i
// ARG: s sampler clamp linear
// ARG: out float[4]
// EXPECT: completes
// RUN: outside global=4
// ARG: in image 2d R FLOAT 4x2 float[8] = i
// ARG: deep image 2d_array R FLOAT 2x2x3 float[12] = i
// ARG: s sampler repeat normalized
// ARG: out float[4]
// EXPECT: completes
// RUN: outside global=4
// ARG: in image 2d R FLOAT 4x2 float[8] = i
// ARG: deep image 2d_array R FLOAT 2x2x3 float[12] = i
// ARG: s sampler mirrored linear normalized
// ARG: out float[4]
// EXPECT: completes
