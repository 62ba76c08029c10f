// SPDX-License-Identifier: MIT
// A saturating conversion of NaN is 0 (OpenCL C 3.1 section 6.4.3.3), quiet or signed or
// with a payload, in every width and rounding mode; what stands beside it is converted.
// SKIP: unless extension cl_khr_fp16
// RUN: convert global=64
// ARG: nans uint[4] = {0x7fc00000, 0xffc00000, 0x7f800001, 0xffffffff}
// ARG: out long[64] = 7
// EXPECT: out = 0
#pragma OPENCL EXTENSION cl_khr_fp16 : enable

#define EACH(type, x)                                                                    \
    (long)convert_##type##_sat(x) | (long)convert_##type##_sat_rte(x) |                  \
        (long)convert_##type##_sat_rtn(x) | (long)convert_##type##_sat_rtp(x) |          \
        (long)convert_##type##_sat_rtz(x)
#define ALL(x)                                                                           \
    EACH(char, x) | EACH(uchar, x) | EACH(short, x) | EACH(ushort, x) | EACH(int, x) |   \
        EACH(uint, x) | EACH(long, x) | EACH(ulong, x)
#define WIDE(type)                                                                       \
    (convert_##type##4_sat((float4)(1, f, 1e30f, f)).w |                                 \
     convert_##type##4_sat((float4)(1, f, 1e30f, f)).y |                                 \
     convert_##type##8_sat_rtz((double8)(d)).s7 |                                        \
     (convert_##type##2_sat((float2)(f, 3)).y - 3))

kernel void convert(global const uint *nans, global long *out)
{
    const size_t i = get_global_id(0);
    const float f = as_float(nans[i % 4]);
    const double d = as_double((ulong)(nans[i % 4] | 0x7ff00000) << 32 | 1);
    const half h = as_half((ushort)(nans[i % 4] >> 16 | 0x7e00));

    out[i] = ALL(f) | ALL(d) | ALL(h) | WIDE(char) | WIDE(uchar) | WIDE(short) |
             WIDE(ushort) | WIDE(int) | WIDE(uint) | WIDE(long) | WIDE(ulong);
}
