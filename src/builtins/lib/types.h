// SPDX-License-Identifier: MIT
// What every module of the built-ins library starts from: the OpenCL C types, the roots
// of the work-item functions, and the macros that the generator's output and the bodies
// use. Clang's own opencl-c-base.h is not included: it would cost its parsing time per
// module.
#ifndef TF_BUILTINS_LIB_TYPES_H
#define TF_BUILTINS_LIB_TYPES_H

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL FP_CONTRACT OFF

typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef ulong size_t;

#define TF_VECTORS(type)                                      \
    typedef type type##2 __attribute__((ext_vector_type(2))); \
    typedef type type##3 __attribute__((ext_vector_type(3))); \
    typedef type type##4 __attribute__((ext_vector_type(4))); \
    typedef type type##8 __attribute__((ext_vector_type(8))); \
    typedef type type##16 __attribute__((ext_vector_type(16)));
TF_VECTORS(char)
TF_VECTORS(uchar)
TF_VECTORS(short)
TF_VECTORS(ushort)
TF_VECTORS(int)
TF_VECTORS(uint)
TF_VECTORS(long)
TF_VECTORS(ulong)
TF_VECTORS(half)
TF_VECTORS(float)
TF_VECTORS(double)

// Names and values as the OpenCL C specification has them: they are part of mangled names
// and of the code that applications compile.
typedef uint cl_mem_fence_flags;
#define CLK_LOCAL_MEM_FENCE 0x01
#define CLK_GLOBAL_MEM_FENCE 0x02
#define CLK_IMAGE_MEM_FENCE 0x04
typedef enum memory_scope {
    memory_scope_work_item = __OPENCL_MEMORY_SCOPE_WORK_ITEM,
    memory_scope_work_group = __OPENCL_MEMORY_SCOPE_WORK_GROUP,
    memory_scope_device = __OPENCL_MEMORY_SCOPE_DEVICE,
    memory_scope_all_svm_devices = __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES,
    memory_scope_sub_group = __OPENCL_MEMORY_SCOPE_SUB_GROUP
} memory_scope;
typedef enum memory_order {
    memory_order_relaxed = __ATOMIC_RELAXED,
    memory_order_acquire = __ATOMIC_ACQUIRE,
    memory_order_release = __ATOMIC_RELEASE,
    memory_order_acq_rel = __ATOMIC_ACQ_REL,
    memory_order_seq_cst = __ATOMIC_SEQ_CST
} memory_order;

#define TF_BODY __attribute__((overloadable))
#define TF_PUBLIC __attribute__((overloadable))
#define TF_CONST __attribute__((const))
#define TF_CONVERGENT __attribute__((convergent))
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
#include "devices/cpu/cpu_abi.h"
#undef local

#endif // TF_BUILTINS_LIB_TYPES_H
