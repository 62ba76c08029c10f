// SPDX-License-Identifier: MIT
// RUN: ask global=24x4 local=6x2 offset=3x5
// ARG: out int[12]
// EXPECT: out = {2, 24, 4, 1, 6, 2, 1, 4, 2, 1, 3, 5}
kernel void ask(global int *out)
{
    if (get_global_id(0) != 3 || get_global_id(1) != 5)
        return;
    out[0] = get_work_dim();
    for (uint d = 0; d < 3; d++) {
        out[1 + d] = get_global_size(d);
        out[4 + d] = get_local_size(d);
        out[7 + d] = get_num_groups(d);
    }
    out[10] = get_global_offset(0);
    out[11] = get_global_offset(1);
}
