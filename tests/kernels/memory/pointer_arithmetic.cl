// SPDX-License-Identifier: MIT
// RUN: walk global=16
// ARG: data int[64] = i
// ARG: out int[16]
// EXPECT: out = 4 * i + (4 * i + 3) + 3 + (i > 0 ? 4 * i - 1 : 0)
kernel void walk(global int *data, global int *out)
{
    size_t i = get_global_id(0);
    global int *first = data + 4 * i, *last = first;
    while (*last != (int)(4 * i + 3))
        ++last;
    out[i] = *first + *last + (int)(last - first) + (i ? first[-1] : 0);
}
