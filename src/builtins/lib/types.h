// SPDX-License-Identifier: MIT
// What every module of the built-ins library starts from: the types and constants that
// programs see, the roots of the work-item functions, and the macros that the generator's
// output and the bodies use.
#ifndef TF_BUILTINS_LIB_TYPES_H
#define TF_BUILTINS_LIB_TYPES_H

#include "builtins/lib/opencl-c-base.h"

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

#define TF_BODY __attribute__((overloadable))
#define TF_PUBLIC __attribute__((overloadable))
#define TF_CONST __attribute__((const))
#define TF_CONVERGENT __attribute__((convergent))
// Before a statement: no body twice in a module, as its own and as the public function's.
// pack_builtins takes the attribute away; the user's program inlines everything.
#define TF_KEEP_CALL [[clang::noinline]]
// Helpers of lib/*.h: no trace of them is left in a module.
#define TF_HELPER static inline __attribute__((always_inline, overloadable))

#define TF_CVT1(type, x) ((type)(x))
#define TF_CVTN(type, x) __builtin_convertvector((x), type)
#define TF_AS(type, x) __builtin_astype((x), type)

// A floating-point constant in type $type, scalar or vector.
#define TF_C(type, value) ((type)(value))

#define TF_INF __builtin_inff()
#define TF_NAN __builtin_nanf("")
// The smallest normal number, by type.
#define TF_NORMAL(type) TF_NORMAL_##type
#define TF_NORMAL_half 0x1p-14h
#define TF_NORMAL_float 0x1p-126f
#define TF_NORMAL_double 0x1p-1022

// Limits of the integer types, by name.
#define TF_MAX(type) TF_MAX_##type
#define TF_MIN(type) TF_MIN_##type
#define TF_MAX_char 0x7f
#define TF_MIN_char (-0x80)
#define TF_MAX_uchar 0xff
#define TF_MIN_uchar 0
#define TF_MAX_short 0x7fff
#define TF_MIN_short (-0x8000)
#define TF_MAX_ushort 0xffff
#define TF_MIN_ushort 0
#define TF_MAX_int 0x7fffffff
#define TF_MIN_int (-0x7fffffff - 1)
#define TF_MAX_uint 0xffffffffu
#define TF_MIN_uint 0u
#define TF_MAX_long 0x7fffffffffffffffl
#define TF_MIN_long (-0x7fffffffffffffffl - 1)
#define TF_MAX_ulong 0xfffffffffffffffful
#define TF_MIN_ulong 0ul

// OpenCL C has no __int128; a bit-precise integer becomes the same machine code.
#define TF_INT128(type) TF_INT128_##type
#define TF_INT128_long _BitInt(128)
#define TF_INT128_ulong unsigned _BitInt(128)

#define local local_memory // a keyword here, a field there
#include "abi/cpu_abi.h"
#undef local

#endif // TF_BUILTINS_LIB_TYPES_H
