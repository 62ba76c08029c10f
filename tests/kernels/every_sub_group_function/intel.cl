// SPDX-License-Identifier: MIT
// Intel's shuffles, broadcasts, reductions and scans, of every type; with all work-items
// of a sub-group, also the short one at the end, and with some of them. `bad` has a bit for
// each function that differs.
// BUILD: options="-cl-std=CL3.0 -DT=char -DSIZE=8 -DVECTORS"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uchar -DSIZE=16 -DVECTORS"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=short -DSIZE=4 -DVECTORS"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=ushort -DSIZE=32 -DVECTORS"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=int -DSIZE=64 -DVECTORS"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uint -DSIZE=8 -DVECTORS"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=float -DSIZE=16 -DVECTORS"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=long -DSIZE=4"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=ulong -DSIZE=32"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=half -DSIZE=16"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=double -DSIZE=8"
// RUN: shuffles global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=char -DSIZE=4 -DSMALL"
// RUN: folds global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uchar -DSIZE=64 -DSMALL"
// RUN: folds global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=short -DSIZE=16 -DSMALL"
// RUN: folds global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=ushort -DSIZE=8 -DSMALL"
// RUN: folds global=160 local=80
// ARG: in int[160] = i * 5 % 17 + 1
// ARG: bad uint[160]
// EXPECT: bad = 0
#pragma OPENCL EXTENSION all : enable
#ifndef cl_khr_fp16
#define half float
#endif
#define SUB_GROUPS __attribute__((intel_reqd_sub_group_size(SIZE)))
#define DIFFER(bit, got, want) bad |= (uint)((got) != (want)) << (bit)
#define IF(bit, exists, got, want)   \
    do {                             \
        T got_ = (got);              \
        if (exists)                  \
            DIFFER(bit, got_, want); \
    } while (0)
#define JOIN2(a, b) a##b
#define JOIN(a, b) JOIN2(a, b)

// What the work-item `lane` of this sub-group has.
#define OF(lane) ((T)in[base + (lane)])

// The first and the last component of vectors; `other` is x + 1.
#define VECTOR(bit, n, last)                                                               \
    do {                                                                                   \
        JOIN(T, n) v = (JOIN(T, n))(x), w, other = v + (JOIN(T, n))(1);                    \
        w = intel_sub_group_shuffle(v + (JOIN(T, n))(2), size - 1 - lane);                 \
        DIFFER(bit, w.s0, (T)(OF(size - 1 - lane) + 2));                                   \
        DIFFER(bit, w.last, (T)(OF(size - 1 - lane) + 2));                                 \
        w = intel_sub_group_shuffle_xor(v, 1);                                             \
        DIFFER(bit, w.last, OF(lane ^ 1));                                                 \
        w = intel_sub_group_shuffle_down(v, other, 1);                                     \
        if (size == SIZE)                                                                  \
            DIFFER(bit + 1, w.last, lane + 1 < SIZE ? OF(lane + 1) : (T)(OF(0) + 1));      \
        w = intel_sub_group_shuffle_up(other, v, 2);                                       \
        if (size == SIZE)                                                                  \
            DIFFER(bit + 1, w.last,                                                        \
                   lane >= 2 ? OF(lane - 2) : (T)(OF(lane + SIZE - 2) + 1));               \
    } while (0)

SUB_GROUPS kernel void shuffles(global const int *in, global uint *out)
{
    uint lane = get_sub_group_local_id(), size = get_sub_group_size(), bad = 0;
    size_t i = get_global_id(0), base = i - lane;
    T x = (T)in[i], other = (T)(x + 1);

    DIFFER(0, intel_sub_group_shuffle(x, size - 1 - lane), OF(size - 1 - lane));
    DIFFER(1, intel_sub_group_shuffle(x, (uint)in[i] % size), OF((uint)in[i] % size));
    DIFFER(2, intel_sub_group_shuffle_xor(x, 1), OF(lane ^ 1));
    IF(3, lane + 3 < size, intel_sub_group_shuffle_down(x, other, 3), OF(lane + 3));
    IF(4, lane + 3 >= SIZE && size == SIZE, intel_sub_group_shuffle_down(x, other, 3),
       (T)(OF(lane + 3 - SIZE) + 1));
    IF(5, lane >= 2, intel_sub_group_shuffle_up(other, x, 2), OF(lane - 2));
    IF(6, lane < 2 && size == SIZE, intel_sub_group_shuffle_up(other, x, 2),
       (T)(OF(lane + SIZE - 2) + 1));
    if (lane % 3 != 0) {
        DIFFER(7, intel_sub_group_shuffle(x, lane == 1 ? 2 : 1), OF(lane == 1 ? 2 : 1));
        IF(8, lane < 3, intel_sub_group_shuffle_xor(x, 3), OF(lane ^ 3));
        IF(9, lane % 3 == 1 && lane + 1 < size, intel_sub_group_shuffle_down(x, other, 1),
           OF(lane + 1));
        IF(10, lane % 3 == 2, intel_sub_group_shuffle_up(other, x, 1), OF(lane - 1));
    }
#ifdef VECTORS
    VECTOR(11, 2, s1);
    VECTOR(13, 3, s2);
    VECTOR(15, 4, s3);
    VECTOR(17, 8, s7);
    VECTOR(19, 16, sf);
#endif
    out[i] = bad;
}

#ifdef SMALL
SUB_GROUPS kernel void folds(global const int *in, global uint *out)
{
    uint lane = get_sub_group_local_id(), size = get_sub_group_size(), bad = 0;
    size_t i = get_global_id(0), base = i - lane;
    T x = (T)in[i], sum = 0, low = OF(0), high = OF(0), below = 0, low_below = 0, high_below = 0;

    for (uint k = 0; k < size; k++) {
        if (k == lane) {
            below = sum;
            low_below = low;
            high_below = high;
        }
        sum += OF(k);
        low = min(low, OF(k));
        high = max(high, OF(k));
    }
    DIFFER(0, intel_sub_group_broadcast(x, 1), OF(1));
    DIFFER(1, intel_sub_group_broadcast((JOIN(T, 2))(x, 1), 2).s0, OF(2));
    DIFFER(2, intel_sub_group_broadcast((JOIN(T, 16))(x), 3).sf, OF(3));
    DIFFER(3, intel_sub_group_reduce_add(x), sum);
    DIFFER(4, intel_sub_group_reduce_min(x), low);
    DIFFER(5, intel_sub_group_reduce_max(x), high);
    DIFFER(6, intel_sub_group_scan_inclusive_add(x), (T)(below + x));
    DIFFER(7, intel_sub_group_scan_inclusive_min(x), min(low_below, x));
    DIFFER(8, intel_sub_group_scan_inclusive_max(x), max(high_below, x));
    DIFFER(9, intel_sub_group_scan_exclusive_add(x), below);
    IF(10, lane > 0, intel_sub_group_scan_exclusive_min(x), low_below);
    IF(11, lane > 0, intel_sub_group_scan_exclusive_max(x), high_below);
    out[i] = bad;
}
#endif
