// SPDX-License-Identifier: MIT
// Dimensions that do not exist: sizes are 1, identifiers 0; also for a variable dimension.
// RUN: ask global=8 local=4 offset=5
// ARG: far uint = 4294967295
// ARG: out int[21]
// EXPECT: out = {0, 1, 0, 1, 1, 0, 0, ...}
kernel void ask(uint far, global int *out)
{
    uint dims[3] = {1, 3, far};
    if (get_global_id(0) != 12)
        return;
    for (int n = 0; n < 3; n++) {
        uint d = dims[n];
        out[7 * n] = get_global_id(d);
        out[7 * n + 1] = get_global_size(d);
        out[7 * n + 2] = get_local_id(d);
        out[7 * n + 3] = get_local_size(d);
        out[7 * n + 4] = get_num_groups(d);
        out[7 * n + 5] = get_group_id(d);
        out[7 * n + 6] = get_global_offset(d);
    }
}
