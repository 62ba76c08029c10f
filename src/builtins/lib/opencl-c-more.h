// SPDX-License-Identifier: MIT
// Functions that the front end does not declare by itself: of Intel's sub-groups, named
// barriers, bfloat16. Part of opencl-c-base.h for programs that name one
// (compiler/front/more_functions.h).
#ifndef __TF_OPENCL_C_MORE_H
#define __TF_OPENCL_C_MORE_H

// cl_khr_subgroup_named_barrier has no functions of OpenCL C; these are named as other
// compilers call them. The library is compiled with the type, too.
typedef struct __tf_named_barrier {
    uint count, arrived, round;
} named_barrier_t;

#define __TF_F __attribute__((overloadable, convergent))

// Of a scalar, and of vectors of it
#define __TF_EACH(what, type) \
    what(type);               \
    what(type##2);            \
    what(type##3);            \
    what(type##4);            \
    what(type##8);            \
    what(type##16)
#define __TF_SHUFFLES(type)                                     \
    type __TF_F intel_sub_group_shuffle(type, uint);            \
    type __TF_F intel_sub_group_shuffle_xor(type, uint);        \
    type __TF_F intel_sub_group_shuffle_down(type, type, uint); \
    type __TF_F intel_sub_group_shuffle_up(type, type, uint)
#define __TF_BROADCAST(type) type __TF_F intel_sub_group_broadcast(type, uint)
#define __TF_FOLDS(type, operation)                               \
    type __TF_F intel_sub_group_reduce_##operation(type);         \
    type __TF_F intel_sub_group_scan_inclusive_##operation(type); \
    type __TF_F intel_sub_group_scan_exclusive_##operation(type)

// Blocks in memory and images: `n` is the end of the name, `type` of that many elements
#define __TF_BLOCK_OF(space, n, scalar, type)                        \
    type __TF_F intel_sub_group_block_read##n(const space scalar *); \
    void __TF_F intel_sub_group_block_write##n(space scalar *, type)
#ifdef cl_intel_subgroup_local_block_io
#define __TF_BLOCK_OF_LOCAL(n, scalar, type) __TF_BLOCK_OF(__local, n, scalar, type)
#else
#define __TF_BLOCK_OF_LOCAL(n, scalar, type)
#endif
#ifdef __IMAGE_SUPPORT__
#define __TF_BLOCK_OF_IMAGE(n, type)                                      \
    type __TF_F intel_sub_group_block_read##n(read_only image2d_t, int2); \
    void __TF_F intel_sub_group_block_write##n(write_only image2d_t, int2, type)
#else
#define __TF_BLOCK_OF_IMAGE(n, type)
#endif
#if defined(__IMAGE_SUPPORT__) && \
    (defined(__opencl_c_read_write_images) || __OPENCL_C_VERSION__ == 200)
#define __TF_BLOCK_OF_BOTH(n, type)                                        \
    type __TF_F intel_sub_group_block_read##n(read_write image2d_t, int2); \
    void __TF_F intel_sub_group_block_write##n(read_write image2d_t, int2, type)
#else
#define __TF_BLOCK_OF_BOTH(n, type)
#endif
#define __TF_BLOCK(n, scalar, type)           \
    __TF_BLOCK_OF(__global, n, scalar, type); \
    __TF_BLOCK_OF_LOCAL(n, scalar, type);     \
    __TF_BLOCK_OF_IMAGE(n, type);             \
    __TF_BLOCK_OF_BOTH(n, type)
#define __TF_BLOCKS(n, scalar)           \
    __TF_BLOCK(n, scalar, scalar);       \
    __TF_BLOCK(n##2, scalar, scalar##2); \
    __TF_BLOCK(n##4, scalar, scalar##4); \
    __TF_BLOCK(n##8, scalar, scalar##8)

#ifdef cl_khr_subgroup_named_barrier
__local named_barrier_t *__TF_F named_barrier_init(uint sub_group_count);
void __TF_F work_group_named_barrier(__local named_barrier_t *, cl_mem_fence_flags);
#if __OPENCL_C_VERSION__ >= 200
void __TF_F work_group_named_barrier(__local named_barrier_t *, cl_mem_fence_flags,
                                     memory_scope);
#endif
#endif

#ifdef cl_intel_subgroups
__TF_EACH(__TF_SHUFFLES, float);
__TF_EACH(__TF_SHUFFLES, int);
__TF_EACH(__TF_SHUFFLES, uint);
__TF_SHUFFLES(long);
__TF_SHUFFLES(ulong);
#ifdef cl_khr_fp16
__TF_SHUFFLES(half);
#endif
#ifdef cl_khr_fp64
__TF_SHUFFLES(double);
#endif
__TF_BLOCKS(, uint);
__TF_BLOCKS(_ui, uint);
#endif

#ifdef cl_intel_subgroups_short
__TF_EACH(__TF_SHUFFLES, short);
__TF_EACH(__TF_SHUFFLES, ushort);
__TF_EACH(__TF_BROADCAST, short);
__TF_EACH(__TF_BROADCAST, ushort);
__TF_FOLDS(short, add);
__TF_FOLDS(short, min);
__TF_FOLDS(short, max);
__TF_FOLDS(ushort, add);
__TF_FOLDS(ushort, min);
__TF_FOLDS(ushort, max);
__TF_BLOCKS(_us, ushort);
__TF_BLOCK(_us16, ushort, ushort16);
#endif

#ifdef cl_intel_subgroups_char
__TF_EACH(__TF_SHUFFLES, char);
__TF_EACH(__TF_SHUFFLES, uchar);
__TF_EACH(__TF_BROADCAST, char);
__TF_EACH(__TF_BROADCAST, uchar);
__TF_FOLDS(char, add);
__TF_FOLDS(char, min);
__TF_FOLDS(char, max);
__TF_FOLDS(uchar, add);
__TF_FOLDS(uchar, min);
__TF_FOLDS(uchar, max);
__TF_BLOCKS(_uc, uchar);
__TF_BLOCK(_uc16, uchar, uchar16);
#endif

#ifdef cl_intel_subgroups_long
__TF_BLOCKS(_ul, ulong);
__TF_BLOCK_OF_IMAGE(_ul16, ulong16);
__TF_BLOCK_OF_BOTH(_ul16, ulong16);
#endif

#ifdef cl_intel_concurrent_dispatch
bool __attribute__((overloadable, const)) intel_is_device_barrier_valid(void);
void __attribute__((overloadable, convergent)) intel_device_barrier(cl_mem_fence_flags);
#if __OPENCL_C_VERSION__ >= CL_VERSION_2_0 || __OPENCL_CPP_VERSION__
void __attribute__((overloadable, convergent))
intel_device_barrier(cl_mem_fence_flags, memory_scope);
#endif
#endif

#ifdef cl_intel_bfloat16_conversions
#define __TF_BFLOAT16(n)                                                 \
    ushort##n __TF_C intel_convert_bfloat16##n##_as_ushort##n(float##n); \
    float##n __TF_C intel_convert_as_bfloat16##n##_float##n(ushort##n)
#define __TF_C __attribute__((overloadable, const))
__TF_BFLOAT16();
__TF_BFLOAT16(2);
__TF_BFLOAT16(3);
__TF_BFLOAT16(4);
__TF_BFLOAT16(8);
__TF_BFLOAT16(16);
#undef __TF_BFLOAT16
#undef __TF_C
#endif

#undef __TF_F
#undef __TF_EACH
#undef __TF_SHUFFLES
#undef __TF_BROADCAST
#undef __TF_FOLDS
#undef __TF_BLOCK_OF
#undef __TF_BLOCK_OF_LOCAL
#undef __TF_BLOCK_OF_IMAGE
#undef __TF_BLOCK_OF_BOTH
#undef __TF_BLOCK
#undef __TF_BLOCKS

#endif // __TF_OPENCL_C_MORE_H
