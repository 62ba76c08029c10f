// SPDX-License-Identifier: MIT
// Members of a sub-group have consecutive linear local ids, whatever the rows are; only the
// last sub-group of a group may be short. The size is 16 unless the kernel demands another.
// BUILD: options="-cl-std=CL3.0"
// RUN: places global=40x8 local=20x4
// ARG: out int8[320]
// EXPECT: out = {i % 80 / 16, i % 16, 16, 16, 5, 5, (i - i % 16) * 16 + 120, i % 80, ...}
// RUN: places global=4x4x2 local=2x2x1
// ARG: out int8[32]
// EXPECT: out = {0, i % 4, 4, 16, 1, 1, (i - i % 4) * 4 + 6, i % 4, ...}
// RUN: places global=2x128 local=1x64
// ARG: out int8[256]
// EXPECT: out = {i % 64 / 16, i % 16, 16, 16, 4, 4, (i - i % 16) * 16 + 120, i % 64, ...}
// RUN: places global=64x3 local=32x3
// ARG: out int8[192]
// EXPECT: out = {i % 96 / 16, i % 16, 16, 16, 6, 6, (i - i % 16) * 16 + 120, i % 96, ...}
// RUN: places global=57 local=19
// ARG: out int8[57]
// EXPECT: out = {i % 19 / 16, i % 19 % 16, i % 19 < 16 ? 16 : 3, 16, 2, 2, i % 19 < 16 ? (i - i % 19) * 16 + 120 : (i - i % 19 + 16) * 3 + 3, i % 19, ...}
// RUN: places global=9x5x3 local=3x5x3
// ARG: out int8[135]
// EXPECT: out = {i % 45 / 16, i % 45 % 16, i % 45 < 32 ? 16 : 13, 16, 3, 3, sum(k, i - i % 45 % 16, i - i % 45 % 16 + (i % 45 < 32 ? 16 : 13), k), i % 45, ...}
// RUN: places global=100 local=64
// ARG: out int8[100]
// EXPECT: out = {i % 64 / 16, i % 16, i < 96 ? 16 : 4, 16, i < 64 ? 4 : 3, 4, sum(k, i - i % 16, i < 96 ? i - i % 16 + 16 : 100, k), i % 64, ...}
// RUN: places global=24x3 local=16x2
// ARG: out int8[72]
// EXPECT: out[0..31] = {i / 16, i % 16, 16, 16, 2, 2, (i - i % 16) * 16 + 120, i, ...}
// EXPECT: out[32..47] = {0, i % 16, 16, 16, 1, 2, 32 * 16 + 120, i - 32, ...}
// EXPECT: out[48..63] = {0, i % 16, 16, 16, 1, 2, 48 * 16 + 120, i - 48, ...}
// EXPECT: out[64..71] = {0, i % 8, 8, 16, 1, 2, 64 * 8 + 28, i - 64, ...}
// RUN: fours global=10 local=10
// ARG: out int8[10]
// EXPECT: out = {i / 4, i % 4, i < 8 ? 4 : 2, 4, 3, 3, i < 8 ? (i - i % 4) * 4 + 6 : 17, i, ...}
// RUN: eights global=6x4 local=6x4
// ARG: out int8[24]
// EXPECT: out = {i / 8, i % 8, 8, 8, 3, 3, (i - i % 8) * 8 + 28, i, ...}
// RUN: thirty_twos global=80x2 local=80x1
// ARG: out int8[160]
// EXPECT: out = {i % 80 / 32, i % 80 % 32, i % 80 < 64 ? 32 : 16, 32, 3, 3, sum(k, i - i % 80 % 32, i - i % 80 % 32 + (i % 80 < 64 ? 32 : 16), k), i % 80, ...}
// RUN: sixty_fours global=100x2 local=50x2
// ARG: out int8[200]
// EXPECT: out = {i % 100 / 64, i % 100 % 64, i % 100 < 64 ? 64 : 36, 64, 2, 2, sum(k, i - i % 100 % 64, i - i % 100 % 64 + (i % 100 < 64 ? 64 : 36), k), i % 100, ...}
// RUN: places global=32 local=32 offset=5000000000
// ARG: out int8[32]
// EXPECT: out = {i / 16, i % 16, 16, 16, 2, 2, (i - i % 16) * 16 + 120, i, ...}
// BUILD: fails "a sub-group has 4, 8, 16, 32 or 64 work-items, not 24" options="-cl-std=CL3.0 -DSIZE=24"

// Work-groups before this one, smaller ones at the edges included, then this one's items.
size_t slot(void)
{
    size_t first = 0;
    size_t x0 = get_group_id(0) * get_enqueued_local_size(0);
    size_t y0 = get_group_id(1) * get_enqueued_local_size(1);
    size_t z0 = get_group_id(2) * get_enqueued_local_size(2);

    first += z0 * get_global_size(0) * get_global_size(1);
    first += y0 * get_global_size(0) * get_local_size(2);
    first += x0 * get_local_size(1) * get_local_size(2);
    return first + get_local_linear_id();
}

#define BODY                                                                           \
    {                                                                                  \
        size_t s = slot();                                                             \
        out[s] = (int8)(get_sub_group_id(), get_sub_group_local_id(),                  \
                        get_sub_group_size(), get_max_sub_group_size(),                \
                        get_num_sub_groups(), get_enqueued_num_sub_groups(),           \
                        sub_group_reduce_add((int)s), (int)get_local_linear_id());     \
    }

kernel void places(global int8 *out) BODY
__attribute__((intel_reqd_sub_group_size(4))) kernel void fours(global int8 *out) BODY
__attribute__((intel_reqd_sub_group_size(8))) kernel void eights(global int8 *out) BODY
__attribute__((intel_reqd_sub_group_size(32))) kernel void thirty_twos(global int8 *out) BODY
__attribute__((intel_reqd_sub_group_size(64))) kernel void sixty_fours(global int8 *out) BODY
#ifdef SIZE
__attribute__((intel_reqd_sub_group_size(SIZE))) kernel void refused(global int8 *out) BODY
#endif
