// SPDX-License-Identifier: MIT
// RUN: guarded global=64
// ARG: b int[64] = i % 3
// ARG: out int[64]
// EXPECT: out = b[i] == 0 ? -1 : 1000 / b[i]
kernel void guarded(global const int *b, global int *out)
{
    size_t i = get_global_id(0);
    out[i] = b[i] ? 1000 / b[i] : -1;
}
