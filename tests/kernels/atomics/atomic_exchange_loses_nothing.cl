// SPDX-License-Identifier: MIT
// RUN: exchange global=1000
// ARG: slot int[1] = 1000
// ARG: out int[1000]
// EXPECT: out where it >= 0 && it <= 1000
// EXPECT: slot where it + sum(k, 0, 1000, after(out[k])) == 1000 * 1001 / 2
kernel void exchange(global int *slot, global int *out)
{
    out[get_global_id(0)] = atomic_xchg(slot, (int)get_global_id(0));
}
