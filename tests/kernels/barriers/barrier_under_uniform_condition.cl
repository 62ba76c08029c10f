// SPDX-License-Identifier: MIT
// RUN: maybe global=32 local=8
// ARG: data int[32] = i
// ARG: yes int = 1
// EXPECT: data = i / 8 * 8 + 7 - i % 8
// RUN: maybe global=32 local=8
// ARG: data int[32] = i
// ARG: yes int = 0
// EXPECT: data = i + 1
kernel void maybe(global int *data, int yes)
{
    local int tile[8];
    size_t l = get_local_id(0);
    int x = data[get_global_id(0)];
    if (yes) {
        tile[l] = x;
        barrier(CLK_LOCAL_MEM_FENCE);
        x = tile[7 - l];
    } else {
        x++;
    }
    data[get_global_id(0)] = x;
}
