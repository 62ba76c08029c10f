// SPDX-License-Identifier: MIT
// Colors as halves: read with a sampler and without, between texels, and written, of every kind.
// SKIP: unless extension cl_khr_fp16
// BUILD: options="-cl-std=CL3.0"
// RUN: plane global=33x3
// ARG: in image 2d RGBA UNORM_INT8 33x3 uchar4[99] = i * 5 + 60 * j
// ARG: s sampler edge
// ARG: to image 2d RGBA HALF_FLOAT 33x3 half4[99]
// ARG: o half4[99]
// EXPECT: to = half(float(in[i]) / 255.0)
// EXPECT: o = half(float(in[i % 33 == 32 ? i : i + 1]) / 255.0)
// RUN: plane global=33x3
// ARG: in image 2d RGBA HALF_FLOAT 33x3 half4[99] = i * 0.25 - j
// ARG: s sampler edge
// ARG: to image 2d RGBA HALF_FLOAT 33x3 half4[99]
// ARG: o half4[99]
// EXPECT: to = in[i]
// EXPECT: o = in[i % 33 == 32 ? i : i + 1]
// RUN: plane global=33x3
// ARG: in image 2d RGBA FLOAT 33x3 float4[99] = i * 1.001 + j * 70000.0
// ARG: s sampler edge
// ARG: to image 2d RGBA FLOAT 33x3 float4[99]
// ARG: o half4[99]
// EXPECT: to = half(in[i])
// EXPECT: o = half(in[i % 33 == 32 ? i : i + 1])
// RUN: between global=20
// ARG: in image 2d R HALF_FLOAT 21x1 half[21] = i * i
// ARG: s sampler edge linear
// ARG: o half[20]
// EXPECT: o = half((in[i] + in[i + 1]) / 2.0)
// RUN: rows global=17x3
// ARG: in image 1d_array RG HALF_FLOAT 17x3 half2[51] = i - j * 0.5
// ARG: s sampler edge
// ARG: to image 1d_array RG HALF_FLOAT 17x3 half2[51]
// EXPECT: to = in[i] * 2
// RUN: lines global=17x3
// ARG: in image 1d_array RG HALF_FLOAT 17x3 half2[51] = i - j * 0.5
// ARG: line image 1d RG HALF_FLOAT 17 half2[17]
// ARG: texels image 1d_buffer RG HALF_FLOAT 17 half2[17]
// EXPECT: line = in[i]
// EXPECT: texels = in[i + 17]
// RUN: planes global=6x5x4
// ARG: in image 2d_array R HALF_FLOAT 6x5x4 half[120] = i
// ARG: s sampler edge
// ARG: to image 2d_array R HALF_FLOAT 6x5x4 half[120]
// EXPECT: to = in[i] * 2
// RUN: volumes global=6x5x4
// ARG: s sampler edge
// ARG: volume image 3d R HALF_FLOAT 6x5x4 half[120] = 0 - i
// ARG: there image 3d R HALF_FLOAT 6x5x4 half[120]
// EXPECT: there = volume[i] * 2
// RUN: in_place global=31
// ARG: at image 1d R SNORM_INT16 31 short[31] = i * 1000 - 15000
// EXPECT: at = int(rint(half(float(i * 1000 - 15000) / 32767.0) * 32767.0))
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

kernel void plane(read_only image2d_t in, sampler_t s, write_only image2d_t to, global half4 *o)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    write_imageh(to, at, read_imageh(in, at));
    o[at.y * get_image_width(in) + at.x] = read_imageh(in, s, convert_float2(at) + (float2)(1.5f, 0.5f));
}

kernel void between(read_only image2d_t in, sampler_t s, global half *o)
{
    int x = get_global_id(0);

    o[x] = read_imageh(in, s, (float2)(x + 1.0f, 0.5f)).x;
}

kernel void rows(read_only image1d_array_t in, sampler_t s, write_only image1d_array_t to)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));
    half4 sum = read_imageh(in, s, at) + read_imageh(in, s, convert_float2(at) + (float2)(0.5f, 0));

    write_imageh(to, at, sum);
}

kernel void lines(read_only image1d_array_t in, write_only image1d_t line, read_write image1d_buffer_t texels)
{
    int2 at = (int2)(get_global_id(0), get_global_id(1));

    if (at.y == 0)
        write_imageh(line, at.x, read_imageh(in, at));
    if (at.y == 1) {
        write_imageh(texels, at.x, read_imageh(in, at));
        write_imageh(texels, at.x, read_imageh(texels, at.x));
    }
}

kernel void planes(read_only image2d_array_t in, sampler_t s, write_only image2d_array_t to)
{
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    float4 point = convert_float4(at) + (float4)(0.5f, 0.5f, 0, 0);

    write_imageh(to, at, read_imageh(in, s, point) * 0.5h + read_imageh(in, s, at) * 0.5h + read_imageh(in, at));
}

kernel void volumes(sampler_t s, read_only image3d_t volume, write_only image3d_t there)
{
    int4 at = (int4)(get_global_id(0), get_global_id(1), get_global_id(2), 0);
    float4 inside = convert_float4(at) + 0.5f;

    write_imageh(there, at, read_imageh(volume, s, inside) * 0.5h + read_imageh(volume, s, at) * 0.5h + read_imageh(volume, at));
}

kernel void in_place(read_write image1d_t at)
{
    int x = get_global_id(0);

    write_imageh(at, x, read_imageh(at, x));
}
