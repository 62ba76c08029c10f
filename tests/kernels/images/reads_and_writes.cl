// Texels come and go through every kind, with literal samplers, samplers as arguments and
// none; what lies outside is the border, or is not written.
// BUILD: options="-cl-std=CL3.0"
// RUN: copy global=6x3
// ARG: in image 2d RGBA UNORM_INT8 6x3 uchar4[18] = i * 5 + j
// ARG: out image 2d BGRA UNORM_INT8 6x3 uchar4[18]
// EXPECT: out = j == 3 ? i * 5 + 3 : i * 5 + 2 - j
// RUN: shifted global=8x2
// ARG: in image 2d R UNSIGNED_INT8 4x2 uchar[8] = i + 1
// ARG: s sampler clamp
// ARG: out uint4[16]
// EXPECT: out[0..3] = {0, 0, 0, 1, 0, 0, 0, 1, 1, 0, 0, 1, 2, 0, 0, 1}
// EXPECT: out[6..7] = {0, 0, 0, 1, 0, 0, 0, 1}
// RUN: shifted global=8x2
// ARG: in image 2d R UNSIGNED_INT8 4x2 uchar[8] = i + 1
// ARG: s sampler edge
// ARG: out uint4[16]
// EXPECT: out[0..3] = {1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 2, 0, 0, 1}
// EXPECT: out[6..7] = {4, 0, 0, 1, 4, 0, 0, 1}
// RUN: between global=4
// ARG: in image 2d R FLOAT 4x1 float[4] = {0, 1, 4, 16}
// ARG: s sampler repeat linear normalized
// ARG: out float[4]
// EXPECT: out = {8, 0.5, 2.5, 10}
// RUN: layers global=3x2
// ARG: in image 1d_array RG SIGNED_INT16 3x2 short2[6] = i * 10 + j - 30
// ARG: out image 1d_array RG SIGNED_INT16 3x2 short2[6]
// EXPECT: out = (i < 3 ? i + 3 : i - 3) * 10 + j - 30
// RUN: volume global=2x2x2
// ARG: in image 3d A HALF_FLOAT 2x2x2 half[8] = i * 0.5
// ARG: out image 2d_array A HALF_FLOAT 2x2x2 half[8]
// EXPECT: out = i * 0.5 + 1
// RUN: threshold global=40
// ARG: at image 1d_buffer R UNORM_INT8 37 uchar[37] = i * 6
// EXPECT: at = i * 6 > 127 ? 255 : 0
// RUN: chosen global=4
// ARG: a image 2d R UNSIGNED_INT32 4x1 uint[4] = i
// ARG: b image 2d R UNSIGNED_INT32 4x1 uint[4] = i + 100
// ARG: out uint[4]
// EXPECT: out = {0, 101, 2, 103}

constant sampler_t nearest =
    CLK_NORMALIZED_COORDS_FALSE | CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;

kernel void copy(read_only image2d_t in, write_only image2d_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imagef(out, at, read_imagef(in, nearest, at));
    write_imagef(out, at + get_image_dim(out), (float4)(1)); // outside
    write_imagef(out, -1 - at, (float4)(1));
}

kernel void shifted(read_only image2d_t in, sampler_t s, global uint4 *out)
{
    int x = get_global_id(0), y = get_global_id(1);

    out[y * get_global_size(0) + x] = read_imageui(in, s, (int2)(x - 2, y));
}

kernel void between(read_only image2d_t in, sampler_t s, global float *out)
{
    int x = get_global_id(0);

    out[x] = read_imagef(in, s, (float2)(x * 0.25f, 0.5f)).x;
}

kernel void layers(read_only image1d_array_t in, write_only image1d_array_t out)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imagei(out, at, read_imagei(in, (int2)(at.x, 1 - at.y)));
    write_imagei(out, (int2)(at.x, (int)get_image_array_size(out) + at.y), (int4)(7));
}

kernel void volume(read_only image3d_t in, write_only image2d_array_t out)
{
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);

    write_imagef(out, at, read_imagef(in, nearest, at) + 1.0f);
}

kernel void threshold(read_write image1d_buffer_t at)
{
    int x = get_global_id(0);

    write_imagef(at, x, (float4)(read_imagef(at, x).x > 0.5f ? 1.0f : 0.0f));
}

// An image as an argument of a function, and another one by a branch.
uint texel(read_only image2d_t in, int x)
{
    return read_imageui(in, nearest, (float2)(x + 0.5f, 0.5f)).x;
}

kernel void chosen(read_only image2d_t a, read_only image2d_t b, global uint *out)
{
    int x = get_global_id(0);

    out[x] = x & 1 ? texel(b, x) : texel(a, x);
}
