// SPDX-License-Identifier: MIT
// RUN: sized global=64
// ARG: out int[64]
// EXPECT: out = i / 16 * 100 + i % 16
// RUN: sized global=64 local=16
// ARG: out int[64]
// EXPECT: out = i / 16 * 100 + i % 16
// RUN: sized global=64 local=8 error=CL_INVALID_WORK_GROUP_SIZE
// ARG: out int[64]
kernel __attribute__((reqd_work_group_size(16, 1, 1))) void sized(global int *out)
{
    out[get_global_id(0)] = get_group_id(0) * 100 + get_local_id(0);
}
