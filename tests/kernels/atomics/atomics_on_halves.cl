// SPDX-License-Identifier: MIT
// cl_ext_float_atomics: those of half, at odd places of a 32-bit word, too.
// BUILD: options="-cl-std=CL3.0"
// SKIP: unless extension cl_khr_fp16
// RUN: halves global=512 local=64
// ARG: h half[6] = {0, 0, infinity, -infinity, nan, 77}
// ARG: left half[512]
// ARG: sums half[8] = 0
// EXPECT: h[0..3] = {256, -256, -100, 411}
// EXPECT: h[4..5] = {5, 77}
// EXPECT: left where it == -1 || (it >= 0 && it < 512)
// EXPECT: sums = 32
#if !defined(cl_ext_float_atomics) || !defined(__opencl_c_ext_fp16_global_atomic_add) || \
    !defined(__opencl_c_ext_fp16_local_atomic_min_max) || \
    !defined(__opencl_c_ext_fp16_global_atomic_load_store)
#error "not there"
#endif
kernel void halves(global atomic_half *h, global half *left, global half *sums)
{
    local atomic_half sum, last;
    int g = get_global_id(0);
    if (get_local_id(0) == 0) {
        atomic_store(&sum, 0.0h);
        atomic_store_explicit(&last, -1.0h, memory_order_relaxed, memory_scope_work_group);
    }
    barrier(CLK_LOCAL_MEM_FENCE);
    atomic_fetch_add_explicit(&h[0], 0.5h, memory_order_relaxed, memory_scope_device);
    atomic_fetch_sub(&h[1], 0.5h);
    atomic_fetch_min_explicit(&h[2], g - 100.0h, memory_order_acq_rel);
    atomic_fetch_max_explicit(&h[3], g - 100.0h, memory_order_seq_cst, memory_scope_all_svm_devices);
    atomic_fetch_min(&h[4], 5.0h);
    left[g] = atomic_exchange(&last, (half)g);
    atomic_fetch_add_explicit(&sum, 0.5h, memory_order_relaxed, memory_scope_work_group);
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        sums[get_group_id(0)] = atomic_load(&sum);
}
