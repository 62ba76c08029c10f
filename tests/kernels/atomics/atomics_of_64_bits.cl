// SPDX-License-Identifier: MIT
// long, ulong, double and uintptr_t; flags.
// BUILD: options="-cl-std=CL3.0"
// RUN: of_64_bits global=256 local=32
// ARG: n long[4] = {0, 0, 9223372036854775807, 0}
// ARG: u ulong[4] = {0, 18446744073709551615, 0, 0}
// ARG: d double[1] = 1.5
// EXPECT: n = {1099511627776, -256, -1, 255}
// EXPECT: u = {1099511627776, 18446744073709551360, 18446744073709551615, 4096}
// EXPECT: d = 255
// RUN: flags global=256 local=32
// ARG: out int[2] = 0
// EXPECT: out = {1, 256}
// BUILD: options="-DOLD"
// RUN: old_names global=256 local=32
// ARG: n long[4] = {0, 0, 0, 5}
// ARG: u ulong[2] = {0, 0}
// EXPECT: n = {1099511627776, -256, 255, 6}
// EXPECT: u = {256, 18446744073709551360}
#ifndef OLD
kernel void of_64_bits(global atomic_long *n, global atomic_ulong *u, global atomic_double *d)
{
    long g = get_global_id(0);
    atomic_fetch_add(&n[0], 1L << 32);
    atomic_fetch_sub_explicit(&n[1], 1L, memory_order_relaxed);
    atomic_fetch_min(&n[2], g - 1);
    atomic_fetch_max(&n[3], g);
    atomic_fetch_add(&u[0], 1UL << 32);
    atomic_fetch_and(&u[1], ~(1UL << (g & 7)));
    atomic_fetch_or(&u[2], 1UL << (g & 63));
    atomic_fetch_add((global atomic_uintptr_t *)&u[3], (ptrdiff_t)16);
    if (g == 255)
        atomic_store(d, (double)g);
}

global atomic_flag taken = ATOMIC_FLAG_INIT;
global int inside;
kernel void flags(global int *out)
{
    if (!atomic_flag_test_and_set_explicit(&taken, memory_order_acquire, memory_scope_device))
        atomic_inc(&out[0]);
    atomic_inc(&out[1]);
}
#else
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
kernel void old_names(global long *n, global ulong *u)
{
    long g = get_global_id(0);
    atom_add(&n[0], 1L << 32);
    atom_sub(&n[1], 1L);
    atom_max(&n[2], g);
    atom_cmpxchg(&n[3], 5L, 6L);
    atom_inc(&u[0]);
    atom_dec(&u[1]);
}
#endif
