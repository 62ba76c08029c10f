// SPDX-License-Identifier: MIT
// Rounding and saturation for the explicit conversions.
#ifndef TF_BUILTINS_LIB_CONVERT_H
#define TF_BUILTINS_LIB_CONVERT_H

#define TFL_ROUND_rte(x) __builtin_elementwise_rint(x)
#define TFL_ROUND_rtz(x) __builtin_elementwise_trunc(x)
#define TFL_ROUND_rtp(x) __builtin_elementwise_ceil(x)
#define TFL_ROUND_rtn(x) __builtin_elementwise_floor(x)

// The limits of one integer type that another one can hold.
#define TFL_LOW(from, to) \
    ((from)((long)TF_MIN(from) > (long)TF_MIN(to) ? TF_MIN(from) : TF_MIN(to)))
#define TFL_HIGH(from, to) \
    ((from)((ulong)TF_MAX(from) < (ulong)TF_MAX(to) ? TF_MAX(from) : TF_MAX(to)))

// The least number of a real type that is above all of an integer type. Exact in float.
#define TFL_ABOVE(type) TFL_ABOVE_##type
#define TFL_ABOVE_int 0x1p31f
#define TFL_ABOVE_uint 0x1p32f
#define TFL_ABOVE_long 0x1p63f
#define TFL_ABOVE_ulong 0x1p64f

// What a comparison says, as 0 and -1 in ints, of scalars as of vectors.
TF_HELPER int tfl_mask(int is_true)
{
    return -is_true;
}
#define TFL_MASK(ints, longs)           \
    TF_HELPER ints tfl_mask(ints mask)  \
    {                                   \
        return mask;                    \
    }                                   \
    TF_HELPER ints tfl_mask(longs mask) \
    {                                   \
        return TF_CVTN(ints, mask);     \
    }
TFL_MASK(int2, long2)
TFL_MASK(int3, long3)
TFL_MASK(int4, long4)
TFL_MASK(int8, long8)
TFL_MASK(int16, long16)

// Directed roundings of reals to the next shorter type: LLVM's (tools/pack_builtins.c),
// of which the compiler makes code (compiler/codegen/convert/directed.c).
#define TFL_ROUND_TO(mode, to, from) \
    TF_CONST TF_BODY to tfl_round##mode(from x) __asm__("__tf_round" #mode "_" #to);
#define TFL_ROUND_ALL(to, from)  \
    TFL_ROUND_TO(_rtz, to, from) \
    TFL_ROUND_TO(_rtp, to, from) \
    TFL_ROUND_TO(_rtn, to, from)
TFL_ROUND_ALL(half, float)
TFL_ROUND_ALL(half2, float2)
TFL_ROUND_ALL(half3, float3)
TFL_ROUND_ALL(half4, float4)
TFL_ROUND_ALL(half8, float8)
TFL_ROUND_ALL(half16, float16)
TFL_ROUND_ALL(float, double)
TFL_ROUND_ALL(float2, double2)
TFL_ROUND_ALL(float3, double3)
TFL_ROUND_ALL(float4, double4)
TFL_ROUND_ALL(float8, double8)
TFL_ROUND_ALL(float16, double16)

// Directed roundings of integers to reals of `digits` bits. A magnitude of p bits, p >
// digits, loses the lowest p - digits; shifted down by `digits` its first bit stands at
// the first one of those. Without the bits there, less than half gets lost, and rounding
// to nearest rounds down: towards zero, or towards -infinity in two's complement.
#define TFL_KEPT_rtz(x, magnitude, digits) (magnitude & ~(magnitude >> digits))
#define TFL_KEPT_rtn(x, magnitude, digits) (x & ~(magnitude >> digits))
#define TFL_KEPT_rtp(x, magnitude, digits) (-x & ~(magnitude >> digits))

// Then the sign is that of x: -2^31 and -2^63 have no other.
#define TFL_SIGN_rtz(real, type, r, x, most) \
    TF_AS(real, (type)((TF_AS(type, r) & (type)(most)) | ((x) & ~(type)(most))))
#define TFL_SIGN_rtn(real, type, r, x, most) r
#define TFL_SIGN_rtp TFL_SIGN_rtz

#endif // TF_BUILTINS_LIB_CONVERT_H
