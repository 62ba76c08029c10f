// SPDX-License-Identifier: MIT
// What an OpenCL C program knows before its first line, beside the functions that the
// front end declares by itself: types, constants and macros of the OpenCL C specification
// (OpenCL C 3.0, sections 6.3, 6.4.4, 6.15). Macros that say what the device offers come
// from frontend_macros.c. The built-ins library is compiled with this header, too.
#ifndef __TF_OPENCL_C_BASE_H
#define __TF_OPENCL_C_BASE_H
#pragma clang system_header

// C++ for OpenCL contains a version of OpenCL C, of which it has no macro.
#ifndef __OPENCL_CPP_VERSION__
#define __TF_C_VERSION __OPENCL_C_VERSION__
#elif __OPENCL_CPP_VERSION__ < 202100
#define __TF_C_VERSION 200
#else
#define __TF_C_VERSION 300
#endif

// Switches of the front end's function table. With a generic address space one function
// serves all pointers; without it there is one for each named space.
#ifndef __opencl_c_generic_address_space
#define __opencl_c_named_address_space_builtins 1
#endif
#if defined(cl_khr_subgroups) || defined(cl_intel_subgroups) || \
    defined(__opencl_c_subgroups)
#define __opencl_subgroup_builtins 1
#endif

// Scalars (6.3.1)
typedef unsigned char uchar;
typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
#ifdef __OPENCL_CPP_VERSION__
#define NULL nullptr
#else
#define NULL ((void *)0)
#endif

// Vectors (6.3.2)
#define __TF_VECTOR(type, n) typedef type type##n __attribute__((ext_vector_type(n)))
#define __TF_VECTORS(type) \
    __TF_VECTOR(type, 2);  \
    __TF_VECTOR(type, 3);  \
    __TF_VECTOR(type, 4);  \
    __TF_VECTOR(type, 8);  \
    __TF_VECTOR(type, 16)
__TF_VECTORS(char);
__TF_VECTORS(uchar);
__TF_VECTORS(short);
__TF_VECTORS(ushort);
__TF_VECTORS(int);
__TF_VECTORS(uint);
__TF_VECTORS(long);
__TF_VECTORS(ulong);
__TF_VECTORS(float);
#ifdef cl_khr_fp64
#if __TF_C_VERSION < 120
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#endif
__TF_VECTORS(double);
#endif
#ifdef cl_khr_fp16
#pragma OPENCL EXTENSION cl_khr_fp16 : enable
__TF_VECTORS(half);
#endif
#undef __TF_VECTORS
#undef __TF_VECTOR

// Reinterpretation (6.4.4.2)
#define as_char(x) __builtin_astype((x), char)
#define as_char2(x) __builtin_astype((x), char2)
#define as_char3(x) __builtin_astype((x), char3)
#define as_char4(x) __builtin_astype((x), char4)
#define as_char8(x) __builtin_astype((x), char8)
#define as_char16(x) __builtin_astype((x), char16)
#define as_uchar(x) __builtin_astype((x), uchar)
#define as_uchar2(x) __builtin_astype((x), uchar2)
#define as_uchar3(x) __builtin_astype((x), uchar3)
#define as_uchar4(x) __builtin_astype((x), uchar4)
#define as_uchar8(x) __builtin_astype((x), uchar8)
#define as_uchar16(x) __builtin_astype((x), uchar16)
#define as_short(x) __builtin_astype((x), short)
#define as_short2(x) __builtin_astype((x), short2)
#define as_short3(x) __builtin_astype((x), short3)
#define as_short4(x) __builtin_astype((x), short4)
#define as_short8(x) __builtin_astype((x), short8)
#define as_short16(x) __builtin_astype((x), short16)
#define as_ushort(x) __builtin_astype((x), ushort)
#define as_ushort2(x) __builtin_astype((x), ushort2)
#define as_ushort3(x) __builtin_astype((x), ushort3)
#define as_ushort4(x) __builtin_astype((x), ushort4)
#define as_ushort8(x) __builtin_astype((x), ushort8)
#define as_ushort16(x) __builtin_astype((x), ushort16)
#define as_int(x) __builtin_astype((x), int)
#define as_int2(x) __builtin_astype((x), int2)
#define as_int3(x) __builtin_astype((x), int3)
#define as_int4(x) __builtin_astype((x), int4)
#define as_int8(x) __builtin_astype((x), int8)
#define as_int16(x) __builtin_astype((x), int16)
#define as_uint(x) __builtin_astype((x), uint)
#define as_uint2(x) __builtin_astype((x), uint2)
#define as_uint3(x) __builtin_astype((x), uint3)
#define as_uint4(x) __builtin_astype((x), uint4)
#define as_uint8(x) __builtin_astype((x), uint8)
#define as_uint16(x) __builtin_astype((x), uint16)
#define as_long(x) __builtin_astype((x), long)
#define as_long2(x) __builtin_astype((x), long2)
#define as_long3(x) __builtin_astype((x), long3)
#define as_long4(x) __builtin_astype((x), long4)
#define as_long8(x) __builtin_astype((x), long8)
#define as_long16(x) __builtin_astype((x), long16)
#define as_ulong(x) __builtin_astype((x), ulong)
#define as_ulong2(x) __builtin_astype((x), ulong2)
#define as_ulong3(x) __builtin_astype((x), ulong3)
#define as_ulong4(x) __builtin_astype((x), ulong4)
#define as_ulong8(x) __builtin_astype((x), ulong8)
#define as_ulong16(x) __builtin_astype((x), ulong16)
#define as_float(x) __builtin_astype((x), float)
#define as_float2(x) __builtin_astype((x), float2)
#define as_float3(x) __builtin_astype((x), float3)
#define as_float4(x) __builtin_astype((x), float4)
#define as_float8(x) __builtin_astype((x), float8)
#define as_float16(x) __builtin_astype((x), float16)
#ifdef cl_khr_fp64
#define as_double(x) __builtin_astype((x), double)
#define as_double2(x) __builtin_astype((x), double2)
#define as_double3(x) __builtin_astype((x), double3)
#define as_double4(x) __builtin_astype((x), double4)
#define as_double8(x) __builtin_astype((x), double8)
#define as_double16(x) __builtin_astype((x), double16)
#endif
#ifdef cl_khr_fp16
#define as_half(x) __builtin_astype((x), half)
#define as_half2(x) __builtin_astype((x), half2)
#define as_half3(x) __builtin_astype((x), half3)
#define as_half4(x) __builtin_astype((x), half4)
#define as_half8(x) __builtin_astype((x), half8)
#define as_half16(x) __builtin_astype((x), half16)
#endif
#define as_size_t(x) __builtin_astype((x), size_t)
#define as_ptrdiff_t(x) __builtin_astype((x), ptrdiff_t)
#define as_intptr_t(x) __builtin_astype((x), intptr_t)
#define as_uintptr_t(x) __builtin_astype((x), uintptr_t)

// Limits of integers (6.15.3)
#define CHAR_BIT 8
#define SCHAR_MAX 127
#define SCHAR_MIN (-127 - 1)
#define UCHAR_MAX 255
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define SHRT_MAX 32767
#define SHRT_MIN (-32767 - 1)
#define USHRT_MAX 65535
#define INT_MAX 2147483647
#define INT_MIN (-2147483647 - 1)
#define UINT_MAX 0xffffffffU
#define LONG_MAX 0x7fffffffffffffffL
#define LONG_MIN (-0x7fffffffffffffffL - 1)
#define ULONG_MAX 0xffffffffffffffffUL

// Limits and constants of floating point (6.15.2.1)
#define FLT_DIG 6
#define FLT_MANT_DIG 24
#define FLT_MAX_10_EXP +38
#define FLT_MAX_EXP +128
#define FLT_MIN_10_EXP -37
#define FLT_MIN_EXP -125
#define FLT_RADIX 2
#define FLT_MAX 0x1.fffffep127f
#define FLT_MIN 0x1.0p-126f
#define FLT_EPSILON 0x1.0p-23f
#define FP_ILOGB0 INT_MIN
#define FP_ILOGBNAN INT_MAX
#define MAXFLOAT FLT_MAX
#define HUGE_VALF (__builtin_huge_valf())
#define INFINITY (__builtin_inff())
#define NAN (__builtin_nanf(""))
#define M_E_F 2.71828182845904524f
#define M_LOG2E_F 1.44269504088896341f
#define M_LOG10E_F 0.43429448190325183f
#define M_LN2_F 0.69314718055994531f
#define M_LN10_F 2.30258509299404568f
#define M_PI_F 3.14159265358979324f
#define M_PI_2_F 1.57079632679489662f
#define M_PI_4_F 0.78539816339744831f
#define M_1_PI_F 0.31830988618379067f
#define M_2_PI_F 0.63661977236758134f
#define M_2_SQRTPI_F 1.12837916709551257f
#define M_SQRT2_F 1.41421356237309505f
#define M_SQRT1_2_F 0.70710678118654752f

#ifdef cl_khr_fp64
#define DBL_DIG 15
#define DBL_MANT_DIG 53
#define DBL_MAX_10_EXP +308
#define DBL_MAX_EXP +1024
#define DBL_MIN_10_EXP -307
#define DBL_MIN_EXP -1021
#define DBL_RADIX 2
#define DBL_MAX 0x1.fffffffffffffp1023
#define DBL_MIN 0x1.0p-1022
#define DBL_EPSILON 0x1.0p-52
#define HUGE_VAL (__builtin_huge_val())
#define M_E 2.7182818284590452353602875
#define M_LOG2E 1.4426950408889634073599247
#define M_LOG10E 0.4342944819032518276511289
#define M_LN2 0.6931471805599453094172321
#define M_LN10 2.3025850929940456840179915
#define M_PI 3.1415926535897932384626434
#define M_PI_2 1.5707963267948966192313217
#define M_PI_4 0.7853981633974483096156608
#define M_1_PI 0.3183098861837906715377675
#define M_2_PI 0.6366197723675813430755351
#define M_2_SQRTPI 1.1283791670955125738961589
#define M_SQRT2 1.4142135623730950488016887
#define M_SQRT1_2 0.7071067811865475244008444
#endif

#ifdef cl_khr_fp16
#define HALF_DIG 3
#define HALF_MANT_DIG 11
#define HALF_MAX_10_EXP +4
#define HALF_MAX_EXP +16
#define HALF_MIN_10_EXP -4
#define HALF_MIN_EXP -13
#define HALF_RADIX 2
#define HALF_MAX 0x1.ffcp15h
#define HALF_MIN 0x1.0p-14h
#define HALF_EPSILON 0x1.0p-10h
#define M_E_H 2.718281828459h
#define M_LOG2E_H 1.442695040889h
#define M_LOG10E_H 0.434294481903h
#define M_LN2_H 0.693147180560h
#define M_LN10_H 2.302585092994h
#define M_PI_H 3.141592653590h
#define M_PI_2_H 1.570796326795h
#define M_PI_4_H 0.785398163397h
#define M_1_PI_H 0.318309886184h
#define M_2_PI_H 0.636619772368h
#define M_2_SQRTPI_H 1.128379167096h
#define M_SQRT2_H 1.414213562373h
#define M_SQRT1_2_H 0.707106781187h
#endif

// Synchronization (6.15.8, 6.15.12)
typedef uint cl_mem_fence_flags;
#define CLK_LOCAL_MEM_FENCE 0x1
#define CLK_GLOBAL_MEM_FENCE 0x2
#define CLK_IMAGE_MEM_FENCE 0x4
#if __TF_C_VERSION >= 200
typedef enum memory_order {
    memory_order_relaxed = __ATOMIC_RELAXED,
    memory_order_acquire = __ATOMIC_ACQUIRE,
    memory_order_release = __ATOMIC_RELEASE,
    memory_order_acq_rel = __ATOMIC_ACQ_REL,
    memory_order_seq_cst = __ATOMIC_SEQ_CST
} memory_order;
typedef enum memory_scope {
    memory_scope_work_item = __OPENCL_MEMORY_SCOPE_WORK_ITEM,
    memory_scope_work_group = __OPENCL_MEMORY_SCOPE_WORK_GROUP,
    memory_scope_device = __OPENCL_MEMORY_SCOPE_DEVICE,
    memory_scope_all_svm_devices = __OPENCL_MEMORY_SCOPE_ALL_SVM_DEVICES,
    memory_scope_all_devices = memory_scope_all_svm_devices,
    memory_scope_sub_group = __OPENCL_MEMORY_SCOPE_SUB_GROUP
} memory_scope;
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_FLAG_INIT 0
#endif

// Collective functions that the front end does not declare
// (cl_khr_work_group_uniform_arithmetic)
#ifdef cl_khr_work_group_uniform_arithmetic
#define __TF_COLLECTIVE(type, operation)                                                \
    type __attribute__((overloadable, convergent)) work_group_reduce_##operation(type); \
    type __attribute__((overloadable, convergent))                                      \
    work_group_scan_inclusive_##operation(type);                                        \
    type __attribute__((overloadable, convergent))                                      \
    work_group_scan_exclusive_##operation(type)
#define __TF_COLLECTIVES(type)  \
    __TF_COLLECTIVE(type, mul); \
    __TF_COLLECTIVE(type, and); \
    __TF_COLLECTIVE(type, or);  \
    __TF_COLLECTIVE(type, xor)
__TF_COLLECTIVES(int);
__TF_COLLECTIVES(uint);
__TF_COLLECTIVES(long);
__TF_COLLECTIVES(ulong);
__TF_COLLECTIVE(int, logical_and);
__TF_COLLECTIVE(int, logical_or);
__TF_COLLECTIVE(int, logical_xor);
__TF_COLLECTIVE(float, mul);
#ifdef cl_khr_fp64
__TF_COLLECTIVE(double, mul);
#endif
#ifdef cl_khr_fp16
__TF_COLLECTIVE(half, mul);
#endif
#undef __TF_COLLECTIVES
#undef __TF_COLLECTIVE
#endif

// Copies that the front end does not declare (cl_khr_extended_async_copies,
// cl_khr_async_work_group_copy_fence)
#ifdef cl_khr_extended_async_copies
#define __TF_COPIES(to, from)                                                         \
    event_t __attribute__((overloadable, convergent))                                 \
    async_work_group_copy_2D2D(to void *, size_t, const from void *, size_t, size_t,  \
                               size_t, size_t, size_t, size_t, event_t);              \
    event_t __attribute__((overloadable, convergent)) async_work_group_copy_3D3D(     \
        to void *, size_t, const from void *, size_t, size_t, size_t, size_t, size_t, \
        size_t, size_t, size_t, size_t, event_t)
__TF_COPIES(__local, __global);
__TF_COPIES(__global, __local);
#undef __TF_COPIES
#endif
#ifdef cl_khr_async_work_group_copy_fence
void __attribute__((overloadable, convergent))
async_work_group_copy_fence(cl_mem_fence_flags flags);
#endif

// printf (6.15.14)
#if __TF_C_VERSION >= 120
#ifdef __OPENCL_CPP_VERSION__
extern "C"
#endif
    int
    printf(__constant const char *format, ...) __attribute__((format(printf, 1, 2)));
#endif
#undef __TF_C_VERSION

// Kernel hints (6.10)
#define kernel_exec(x, type)                                \
    __kernel __attribute__((work_group_size_hint(x, 1, 1))) \
    __attribute__((vec_type_hint(type)))
#define __kernel_exec(x, type) kernel_exec(x, type)

// Samplers (6.13): a sampler constant is the sum of one of each
#define CLK_NORMALIZED_COORDS_FALSE 0x0
#define CLK_NORMALIZED_COORDS_TRUE 0x1
#define CLK_ADDRESS_NONE 0x0
#define CLK_ADDRESS_CLAMP_TO_EDGE 0x2
#define CLK_ADDRESS_CLAMP 0x4
#define CLK_ADDRESS_REPEAT 0x6
#define CLK_ADDRESS_MIRRORED_REPEAT 0x8
#define CLK_FILTER_NEAREST 0x10
#define CLK_FILTER_LINEAR 0x20

#ifdef __IMAGE_SUPPORT__
// Image formats (6.15.15.8): the numbers of the host's cl_channel_type and
// cl_channel_order
#define CLK_SNORM_INT8 0x10D0
#define CLK_SNORM_INT16 0x10D1
#define CLK_UNORM_INT8 0x10D2
#define CLK_UNORM_INT16 0x10D3
#define CLK_UNORM_SHORT_565 0x10D4
#define CLK_UNORM_SHORT_555 0x10D5
#define CLK_UNORM_INT_101010 0x10D6
#define CLK_SIGNED_INT8 0x10D7
#define CLK_SIGNED_INT16 0x10D8
#define CLK_SIGNED_INT32 0x10D9
#define CLK_UNSIGNED_INT8 0x10DA
#define CLK_UNSIGNED_INT16 0x10DB
#define CLK_UNSIGNED_INT32 0x10DC
#define CLK_HALF_FLOAT 0x10DD
#define CLK_FLOAT 0x10DE
#define CLK_UNORM_INT24 0x10DF
#define CLK_UNORM_INT_101010_2 0x10E0
#define CLK_R 0x10B0
#define CLK_A 0x10B1
#define CLK_RG 0x10B2
#define CLK_RA 0x10B3
#define CLK_RGB 0x10B4
#define CLK_RGBA 0x10B5
#define CLK_BGRA 0x10B6
#define CLK_ARGB 0x10B7
#define CLK_INTENSITY 0x10B8
#define CLK_LUMINANCE 0x10B9
#define CLK_Rx 0x10BA
#define CLK_RGx 0x10BB
#define CLK_RGBx 0x10BC
#define CLK_DEPTH 0x10BD
#define CLK_DEPTH_STENCIL 0x10BE
#define CLK_sRGB 0x10BF
#define CLK_sRGBx 0x10C0
#define CLK_sRGBA 0x10C1
#define CLK_sBGRA 0x10C2
#define CLK_ABGR 0x10C3
#endif

#ifdef __opencl_c_device_enqueue
// Enqueuing on the device (6.15.18)
#define CLK_SUCCESS 0
#define CLK_OUT_OF_RESOURCES -5
#define CLK_INVALID_ARG_SIZE -51
#define CLK_INVALID_EVENT_WAIT_LIST -57
#define CLK_EVENT_ALLOCATION_FAILURE -100
#define CLK_ENQUEUE_FAILURE -101
#define CLK_INVALID_QUEUE -102
#define CLK_INVALID_NDRANGE -160
#define CLK_DEVICE_QUEUE_FULL -161

#define CL_COMPLETE 0x0
#define CL_RUNNING 0x1
#define CL_SUBMITTED 0x2
#define CL_QUEUED 0x3

#define CLK_ENQUEUE_FLAGS_NO_WAIT 0x0
#define CLK_ENQUEUE_FLAGS_WAIT_KERNEL 0x1
#define CLK_ENQUEUE_FLAGS_WAIT_WORK_GROUP 0x2
typedef int kernel_enqueue_flags_t;

#define CLK_PROFILING_COMMAND_EXEC_TIME 0x1
typedef int clk_profiling_info;

#define CLK_NULL_QUEUE 0
// Clang makes no event of a number.
clk_event_t __attribute__((const)) __clk_null_event(void);
#define CLK_NULL_EVENT __clk_null_event()

#define MAX_WORK_DIM 3
typedef struct {
    unsigned int workDimension;
    size_t globalWorkOffset[MAX_WORK_DIM];
    size_t globalWorkSize[MAX_WORK_DIM];
    size_t localWorkSize[MAX_WORK_DIM];
} ndrange_t;
#endif

// Functions of seldom used extensions, for programs that name one
#ifdef __TF_MORE_FUNCTIONS
#include "opencl-c-more.h"
#endif

#endif // __TF_OPENCL_C_BASE_H
