// SPDX-License-Identifier: MIT
// RUN: long_ops global=64
// ARG: a long[64] = random(23, -4000000000000000000, 4000000000000000000)
// ARG: b long[64] = random(24, 1, 3000000000)
// ARG: out long4[64]
// ARG: u ulong2[64]
// EXPECT: out = {a[i] / b[i], a[i] % b[i], a[i] * b[i], a[i] - b[i], ...}
// EXPECT: u = j == 0 ? ulong(a[i]) / ulong(b[i]) : ulong(a[i]) % ulong(b[i])
kernel void long_ops(global const long *a, global const long *b, global long4 *out, global ulong2 *u)
{
    size_t i = get_global_id(0);
    out[i] = (long4)(a[i] / b[i], a[i] % b[i], a[i] * b[i], a[i] - b[i]);
    u[i] = (ulong2)((ulong)a[i] / (ulong)b[i], (ulong)a[i] % (ulong)b[i]);
}
