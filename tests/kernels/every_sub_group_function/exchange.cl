// SPDX-License-Identifier: MIT
// Values that work-items of a sub-group give each other, of every type, with all of them
// and with two of three. `bad` has a bit for each function that differs; sub-groups of 8,
// the last one of 4.
// BUILD: options="-cl-std=CL3.0 -DT=char"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uchar"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=short"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=ushort"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=int"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uint"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=long"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=ulong"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=half"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=float"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=double"
// RUN: exchange global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: vectors global=40 local=20
// ARG: in int[40] = i * 5 % 17 + 1
// ARG: bad uint[40]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=int"
// RUN: masks global=40 local=20
// ARG: bad uint[40]
// EXPECT: bad = 0
// RUN: clocks global=40 local=20
// ARG: bad uint[40]
// EXPECT: bad = 0
#pragma OPENCL EXTENSION all : enable
#ifndef cl_khr_fp16
#define half float
#endif
#define SIZE 8
#define SUB_GROUPS __attribute__((intel_reqd_sub_group_size(SIZE)))
#define DIFFER(bit, got, want) bad |= (uint)((got) != (want)) << (bit)
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

// What the work-item `lane` of this sub-group has.
#define OF(lane) ((T)in[base + (lane)])
#define IF(bit, exists, got, want)    \
    do {                              \
        T got_ = (got);               \
        if (exists)                   \
            DIFFER(bit, got_, want);  \
    } while (0)

SUB_GROUPS kernel void exchange(global const int *in, global uint *out)
{
    uint lane = get_sub_group_local_id(), size = get_sub_group_size(), bad = 0;
    size_t i = get_global_id(0), base = i - lane;
    T x = (T)in[i];

    DIFFER(0, sub_group_broadcast(x, 3), OF(3));
    DIFFER(1, sub_group_non_uniform_broadcast(x, size - 1), OF(size - 1));
    DIFFER(2, sub_group_broadcast_first(x), OF(0));
    DIFFER(3, sub_group_shuffle(x, size - 1 - lane), OF(size - 1 - lane));
    DIFFER(4, sub_group_shuffle(x, (uint)in[i] % size), OF((uint)in[i] % size));
    DIFFER(5, sub_group_shuffle_xor(x, 1), OF(lane ^ 1));
    IF(6, lane >= 2, sub_group_shuffle_up(x, 2), OF(lane - 2));
    IF(7, lane + 3 < size, sub_group_shuffle_down(x, 3), OF(lane + 3));
    IF(8, (lane + 5) % SIZE < size, sub_group_rotate(x, 5), OF((lane + 5) % SIZE));
    IF(9, (lane + SIZE - 2) % SIZE < size, sub_group_rotate(x, -2), OF((lane + SIZE - 2) % SIZE));
    DIFFER(10, sub_group_clustered_rotate(x, 3, 4), OF((lane & ~3u) + (lane + 3) % 4));
    DIFFER(11, sub_group_non_uniform_all_equal(x), 0);
    DIFFER(12, sub_group_non_uniform_all_equal((T)7), 1);
    if (lane % 3 != 0) { // 1, 2, 4, 5, 7
        DIFFER(13, sub_group_broadcast_first(x), OF(1));
        DIFFER(14, sub_group_non_uniform_broadcast(x, 2), OF(2));
        DIFFER(15, sub_group_shuffle(x, lane == 1 ? 2 : 1), OF(lane == 1 ? 2 : 1));
        DIFFER(16, sub_group_non_uniform_all_equal((T)(lane % 3)), size == 1);
        DIFFER(17, sub_group_non_uniform_all_equal((T)5), 1);
        IF(18, lane < 3, sub_group_shuffle_xor(x, 3), OF(lane ^ 3));
    }
    for (uint k = 0; k < lane; k++) // those with larger numbers
        DIFFER(19, sub_group_broadcast_first(x), OF(k + 1));
    out[i] = bad;
}

#define VECTOR(bit, n)                                                                   \
    do {                                                                                 \
        JOIN(T, n) v = (JOIN(T, n))(x), w;                                                \
        v.s1 = (T)(x + 1);                                                               \
        w = sub_group_broadcast(v, 1);                                                   \
        DIFFER(bit, w.s0, OF(1));                                                        \
        DIFFER(bit, w.s1, (T)(OF(1) + 1));                                               \
        if (lane > 1) {                                                                  \
            w = sub_group_non_uniform_broadcast(v, 3);                                   \
            DIFFER(bit + 1, w.s0, OF(3));                                                \
            DIFFER(bit + 1, w.s1, (T)(OF(3) + 1));                                       \
        }                                                                                \
    } while (0)

SUB_GROUPS kernel void vectors(global const int *in, global uint *out)
{
    uint lane = get_sub_group_local_id(), bad = 0;
    size_t i = get_global_id(0), base = i - lane;
    T x = (T)in[i];

    VECTOR(0, 2);
    VECTOR(2, 3);
    VECTOR(4, 4);
    VECTOR(6, 8);
    VECTOR(8, 16);
    out[i] = bad;
}

SUB_GROUPS kernel void masks(global uint *out)
{
    uint lane = get_sub_group_local_id(), size = get_sub_group_size(), bad = 0;
    uint all = (1u << SIZE) - 1, here = (1u << size) - 1;
    uint4 odd = sub_group_ballot(lane & 1), wide = (uint4)(0xfffffff6u, ~0u, ~0u, ~0u);

    DIFFER(0, odd.x, here & 0xaa);
    DIFFER(1, odd.y | odd.z | odd.w, 0);
    DIFFER(2, sub_group_inverse_ballot(odd), (int)(lane & 1));
    DIFFER(3, sub_group_ballot_bit_extract(odd, 3), 1);
    DIFFER(4, sub_group_ballot_bit_extract(odd, 2), 0);
    DIFFER(5, sub_group_ballot_bit_count(odd), size / 2);
    DIFFER(6, sub_group_ballot_bit_count(wide), 6);
    DIFFER(7, sub_group_ballot_inclusive_scan(odd), (lane + 1) / 2);
    DIFFER(8, sub_group_ballot_exclusive_scan(odd), lane / 2);
    DIFFER(9, sub_group_ballot_find_lsb(wide), 1);
    DIFFER(10, sub_group_ballot_find_msb(wide), SIZE - 1);
    DIFFER(11, get_sub_group_eq_mask().x, 1u << lane);
    DIFFER(12, get_sub_group_ge_mask().x, all & ~0u << lane);
    DIFFER(13, get_sub_group_gt_mask().x, all & ~1u << lane);
    DIFFER(14, get_sub_group_le_mask().x, (2u << lane) - 1);
    DIFFER(15, get_sub_group_lt_mask().x, (1u << lane) - 1);
    DIFFER(16, sub_group_all(lane < size), 1);
    DIFFER(17, sub_group_all(lane > 0), 0);
    DIFFER(18, sub_group_any(lane == 3), 1);
    DIFFER(19, sub_group_any(lane >= size), 0);
    if (lane > 1) {
        DIFFER(20, sub_group_non_uniform_all(lane), 1);
        DIFFER(21, sub_group_non_uniform_any(lane < 2), 0);
        DIFFER(22, sub_group_elect(), lane == 2);
        DIFFER(23, sub_group_ballot(1).x, here & ~3u);
        DIFFER(24, sub_group_non_uniform_reduce_logical_and(lane), 1);
        DIFFER(25, sub_group_non_uniform_reduce_logical_xor(lane > 2), (int)(size - 3 & 1));
        DIFFER(26, sub_group_non_uniform_scan_exclusive_logical_and(0), lane == 2);
        DIFFER(27, sub_group_non_uniform_scan_inclusive_logical_or(lane > 2), lane > 2);
        DIFFER(28, sub_group_clustered_reduce_logical_or(lane == 5, 4), lane > 3 && size > 5);
    }
    out[get_global_id(0)] = bad;
}

// Later reads give no smaller numbers.
kernel void clocks(global uint *out)
{
    ulong a = clock_read_device(), b = clock_read_work_group(), c = clock_read_sub_group();
    uint2 d = clock_read_hilo_device(), e = clock_read_hilo_work_group();
    uint2 f = clock_read_hilo_sub_group();
    uint bad = 0;

    DIFFER(0, a <= b && b <= c && a > 0, 1);
    DIFFER(1, c <= ((ulong)d.y << 32 | d.x), 1);
    DIFFER(2, upsample(d.y, d.x) <= upsample(e.y, e.x), 1);
    DIFFER(3, upsample(e.y, e.x) <= upsample(f.y, f.x), 1);
    out[get_global_id(0)] = bad;
}
