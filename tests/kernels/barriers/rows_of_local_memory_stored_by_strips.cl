// SPDX-License-Identifier: MIT
// Each work-item stores a row of five numbers in local memory and reads a column of others';
// groups of a size that is no whole number of gangs.
// RUN: rows global=70 local=35
// ARG: out int[70]
// EXPECT: out = (i % 35 + 1) * 5
kernel void __attribute__((reqd_work_group_size(35, 1, 1))) rows(global int *out)
{
    local int table[35 * 5];
    uint l = get_local_id(0);
    int sum = 0;
    for (uint k = 0; k < 5; k++)
        table[5 * l + k] = 7 * l + k;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint k = 0; k < 5; k++)
        sum += table[35 * k + l] - 7 * ((35 * k + l) / 5) - (35 * k + l) % 5 + (int)l + 1;
    out[get_global_id(0)] = sum;
}
