// SPDX-License-Identifier: MIT
// Reductions and scans of every type against the same done one by one in local memory: all
// work-items, and only those of a pattern.
// `bad` has a bit for each function that differs.
// BUILD: options="-cl-std=CL3.0 -DT=char -DLOW=-128 -DHIGH=127"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uchar -DLOW=0 -DHIGH=255"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=short -DLOW=-32768 -DHIGH=32767"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=ushort -DLOW=0 -DHIGH=65535"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=int -DLOW=(-2147483647-1) -DHIGH=2147483647"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=uint -DLOW=0 -DHIGH=4294967295u"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=long -DLOW=(-9223372036854775807L-1) -DHIGH=9223372036854775807L"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=ulong -DLOW=0 -DHIGH=18446744073709551615ul"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=half -DLOW=-INFINITY -DHIGH=INFINITY -DREAL"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=float -DLOW=-INFINITY -DHIGH=INFINITY -DREAL"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
// BUILD: options="-cl-std=CL3.0 -DT=double -DLOW=-INFINITY -DHIGH=INFINITY -DREAL"
// RUN: arithmetic global=80 local=40
// ARG: in int[80] = i * 7 % 5 + 1
// ARG: bad ulong[80]
// EXPECT: bad = 0
// RUN: arithmetic global=15x6 local=5x6
// ARG: in int[90] = i * 7 % 5 + 1
// ARG: bad ulong[90]
// EXPECT: bad = 0
#pragma OPENCL EXTENSION all : enable
#ifndef cl_khr_fp16
#define half float
#endif

#define ADD(a, b) ((T)((a) + (b)))
#define MUL(a, b) ((T)((a) * (b)))
#define MIN(a, b) ((b) < (a) ? (b) : (a))
#define MAX(a, b) ((a) < (b) ? (b) : (a))
#define AND(a, b) ((T)((a) & (b)))
#define OR(a, b) ((T)((a) | (b)))
#define XOR(a, b) ((T)((a) ^ (b)))

// The work-items [from, to) of the group that are here.
#define SERIAL(op, start, from, to)                      \
    ({                                                   \
        T all_ = (start);                                \
        for (uint k_ = (from); k_ < (to); k_++)          \
            if (here[k_])                                \
                all_ = op(all_, x[k_]);                  \
        all_;                                            \
    })
#define DIFFER(bit, got, want) bad |= (ulong)((got) != (want)) << (bit)

// Names with and without `non_uniform_`, in the same order of bits.
#define CHECK(bit, prefix, name, op, start)                                                 \
    do {                                                                                    \
        DIFFER(bit, sub_group_##prefix##reduce_##name(mine), SERIAL(op, start, first, end)); \
        DIFFER(bit + 1, sub_group_##prefix##scan_inclusive_##name(mine),                    \
               SERIAL(op, start, first, me + 1));                                           \
        DIFFER(bit + 2, sub_group_##prefix##scan_exclusive_##name(mine),                    \
               SERIAL(op, start, first, me));                                               \
    } while (0)
#define CLUSTER(bit, name, op, start, size)                                                 \
    DIFFER(bit, sub_group_clustered_reduce_##name(mine, size),                              \
           SERIAL(op, start, first + (me - first) / size * size,                            \
                  min(end, first + (me - first) / size * size + size)))
#define BOTH(bit, name, op, start)                   \
    do {                                             \
        CHECK(bit, non_uniform_, name, op, start);   \
        CLUSTER(bit + 3, name, op, start, 4);        \
    } while (0)

ulong compare(local const T *x, local const int *here, T mine)
{
    uint me = get_local_linear_id(), first = get_sub_group_id() * get_max_sub_group_size();
    uint end = first + get_sub_group_size();
    ulong bad = 0;

    BOTH(0, add, ADD, (T)0);
    BOTH(7, mul, MUL, (T)1);
    BOTH(14, min, MIN, (T)HIGH);
    BOTH(21, max, MAX, (T)LOW);
#ifndef REAL
    BOTH(28, and, AND, (T)-1);
    BOTH(35, or, OR, (T)0);
    BOTH(42, xor, XOR, (T)0);
#endif
    return bad;
}

kernel void arithmetic(global const int *in, global ulong *out)
{
    local T x[256];
    local int here[256];
    uint me = get_local_linear_id(), lane = get_sub_group_local_id();
    uint first = get_sub_group_id() * get_max_sub_group_size();
    uint end = first + get_sub_group_size();
    size_t at = get_group_id(0) * get_local_size(0) * get_local_size(1) + me;
    T mine = (T)in[at];
    ulong bad = 0;

    x[me] = mine;
    for (int turn = 0; turn < 4; turn++) {
        bool is_here = turn == 0   ? lane % 5 >= 1 && lane % 5 <= 3
                       : turn == 1 ? lane == 5
                       : turn == 2 ? in[at] > 2
                                   : true;

        barrier(CLK_LOCAL_MEM_FENCE);
        here[me] = is_here;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (is_here)
            bad |= compare(x, here, mine);
    }
    CHECK(49, , add, ADD, (T)0);
    CHECK(52, , min, MIN, (T)HIGH);
    CHECK(55, , max, MAX, (T)LOW);
    out[at] = bad;
}
