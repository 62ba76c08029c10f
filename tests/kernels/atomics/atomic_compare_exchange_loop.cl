// SPDX-License-Identifier: MIT
// RUN: add global=512 local=32
// ARG: sum float[1] = 0
// EXPECT: sum = 512 * 511 / 2
kernel void add(global float *sum)
{
    global volatile int *bits = (global volatile int *)sum;
    float x = get_global_id(0);
    int old, seen = *bits;
    do {
        old = seen;
        seen = atomic_cmpxchg(bits, old, as_int(as_float(old) + x));
    } while (seen != old);
}
