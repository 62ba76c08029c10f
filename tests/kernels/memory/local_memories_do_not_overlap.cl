// SPDX-License-Identifier: MIT
// Two arguments of odd sizes and two arrays in the kernel, each aligned for its type.
// RUN: fill global=16 local=8
// ARG: bytes local char[13]
// ARG: vectors local float4[8]
// ARG: out int[64]
// EXPECT: out = {i / 4 % 8, 10 + i / 4 % 8, 120 + i / 4 % 8, 0, ...}
kernel void fill(local char *bytes, local float4 *vectors, global int *out)
{
    local char odd[9];
    local long longs[8];
    size_t l = get_local_id(0), g = get_global_id(0);
    bytes[l] = l;
    vectors[l] = (float4)(10 + (float)l);
    odd[l] = 20 + l;
    longs[l] = 100;
    barrier(CLK_LOCAL_MEM_FENCE);
    size_t n = (l + 3) % 8;
    barrier(CLK_LOCAL_MEM_FENCE);
    out[4 * g] = bytes[n] - (int)n + (int)l;
    out[4 * g + 1] = (int)vectors[n].z - (int)n + (int)l;
    out[4 * g + 2] = odd[n] + (int)longs[n] - (int)n + (int)l;
    out[4 * g + 3] = ((size_t)vectors | (size_t)longs) & 7 ? 1 : 0;
}
