// SPDX-License-Identifier: MIT
// cl_ext_float_atomics: add, minimum and maximum of float and double.
// BUILD: options="-cl-std=CL3.0"
// RUN: floats global=512 local=64
// ARG: f float[4] = {0, 0, infinity, -infinity}
// ARG: d double[4] = {0, 0, infinity, nan}
// ARG: sums float[8] = 0
// EXPECT: f = {256, -256, -100, 411}
// EXPECT: d = {256, -256, -100, 411}
// EXPECT: sums = 32
#if !defined(cl_ext_float_atomics) || !defined(__opencl_c_ext_fp32_global_atomic_add) || \
    !defined(__opencl_c_ext_fp64_local_atomic_min_max)
#error "not there"
#endif
kernel void floats(global atomic_float *f, global atomic_double *d, global float *sums)
{
    local atomic_float sum;
    int g = get_global_id(0);
    if (get_local_id(0) == 0)
        atomic_init(&sum, 0.0f);
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&f[0], 0.5f, memory_order_relaxed, memory_scope_device);
    atomic_fetch_sub(&f[1], 0.5f);
    atomic_fetch_min_explicit(&f[2], g - 100.0f, memory_order_acq_rel);
    atomic_fetch_max_explicit(&f[3], g - 100.0f, memory_order_seq_cst, memory_scope_all_svm_devices);
    atomic_fetch_add(&d[0], 0.5);
    atomic_fetch_sub_explicit(&d[1], 0.5, memory_order_relaxed);
    atomic_fetch_min(&d[2], g - 100.0);
    atomic_fetch_max(&d[3], g - 100.0);
    atomic_fetch_add_explicit(&sum, 0.5f, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = atomic_load(&sum);
}
