// SPDX-License-Identifier: MIT
// RUN: run global=32
// ARG: a uint[32] = i * 1000 + 7
// ARG: out uint4[32]
// EXPECT: out = {a[i] * 77, a[i] * 77 + i, 32 - sum(k, 0, 32, (a[i] >> k) != 0), a[i] * 65536 + i, ...}
kernel void run(global const uint *a, global uint4 *out)
{
    uint i = get_global_id(0);
    out[i] = (uint4)(mul24(a[i], 77u), mad24(a[i], 77u, i), clz(a[i]), upsample((ushort)a[i], (ushort)i));
}
