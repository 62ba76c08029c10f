// SPDX-License-Identifier: MIT
// shuffle and shuffle2 by masks that only the run knows, of which the low bits count,
// against elements loaded one by one: each length of the two vectors, each size of
// elements.
// RUN: chars_to_2 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: chars_to_4 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: chars_to_8 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: chars_to_16 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: shorts_to_2 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: shorts_to_4 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: shorts_to_8 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: shorts_to_16 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: ints_to_2 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: ints_to_4 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: ints_to_8 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: ints_to_16 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: longs_to_2 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: longs_to_4 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: longs_to_8 global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: reals global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: more_reals global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: by_hand global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: of_some_items global=37
// ARG: data ulong[300] = (i + 1) * 11400714819323198485
// ARG: masks ulong[300] = (i + 5) * 13787848793156543929
// ARG: out uint[37]
// EXPECT: out = 0
// RUN: mixed_words global=67
// ARG: data uint4[67] = {uint(i), uint(i + 100), uint(i + 200), uint(i + 300), ...}
// ARG: masks uint4[67] = {uint(i), uint(i >> 2), uint(i >> 1), uint(3 - (i & 3)), ...}
// ARG: out uint4[67]
// EXPECT: out = {uint(i + 100 * (i & 3)), uint(i + 100 * ((i >> 2) & 3)), uint(i + 100 * ((i >> 1) & 3)), uint(i + 100 * (3 - (i & 3))), ...}
// RUN: single_indices global=67
// ARG: data uint4[67] = {uint(i), uint(i + 100), uint(i + 200), uint(i + 300), ...}
// ARG: first ulong[67] = i * 3 & 3
// ARG: second uint[67] = i >> 2 & 3
// ARG: third uchar[67] = i >> 1 & 3
// ARG: out uint4[67]
// EXPECT: out = {uint(i + 100 * (i * 3 & 3)), uint(i + 100 * ((i >> 2) & 3)), uint(i + 200), uint(i + 100 * ((i >> 1) & 3)), ...}

#pragma OPENCL EXTENSION cl_khr_fp16 : enable
#pragma OPENCL EXTENSION cl_khr_fp64 : enable

// An element of the results against that of memory, another one in the next item; `unit`:
// integers of that size.
#define CHECK(type, unit, uint_type, from, n)                                              \
    {                                                                                      \
        global const unit *x = (global const unit *)data + i * 3;                          \
        global const unit *y = (global const unit *)data + i * 3 + 7;                      \
        global const unit *m = (global const unit *)masks + i * 2;                         \
        type##from a = as_##type##from(vload##from(0, x)), b = as_##type##from(vload##from(0, y)); \
        uint_type##n mask = as_##uint_type##n(vload##n(0, m));                             \
        unit one[n], two[n];                                                               \
        vstore##n(as_##unit##n(shuffle(a, mask)), 0, one);                                 \
        vstore##n(as_##unit##n(shuffle2(a, b, mask)), 0, two);                             \
        uint k = i % n, at = (uint)m[k] & (from - 1), second = (uint)m[k] & from;          \
        bad += one[k] != x[at];                                                            \
        bad += two[k] != (second ? y[at] : x[at]);                                         \
    }
#define CHECK_TO(type, unit, uint_type, n)                                                 \
    CHECK(type, unit, uint_type, 2, n)                                                     \
    CHECK(type, unit, uint_type, 4, n)                                                     \
    CHECK(type, unit, uint_type, 8, n)                                                     \
    CHECK(type, unit, uint_type, 16, n)
#define KERNEL(name, body)                                                                 \
    kernel void name(global const ulong *data, global const ulong *masks, global uint *out) \
    {                                                                                      \
        uint i = get_global_id(0), bad = 0;                                                \
        body                                                                               \
        out[i] = bad;                                                                      \
    }

KERNEL(chars_to_2, CHECK_TO(uchar, uchar, uchar, 2))
KERNEL(chars_to_4, CHECK_TO(uchar, uchar, uchar, 4))
KERNEL(chars_to_8, CHECK_TO(uchar, uchar, uchar, 8))
KERNEL(chars_to_16, CHECK_TO(uchar, uchar, uchar, 16))
KERNEL(shorts_to_2, CHECK_TO(ushort, ushort, ushort, 2))
KERNEL(shorts_to_4, CHECK_TO(ushort, ushort, ushort, 4))
KERNEL(shorts_to_8, CHECK_TO(ushort, ushort, ushort, 8))
KERNEL(shorts_to_16, CHECK(ushort, ushort, ushort, 4, 16) CHECK(ushort, ushort, ushort, 16, 16))
KERNEL(ints_to_2, CHECK_TO(uint, uint, uint, 2))
KERNEL(ints_to_4, CHECK_TO(uint, uint, uint, 4))
KERNEL(ints_to_8, CHECK_TO(uint, uint, uint, 8))
KERNEL(ints_to_16, CHECK(uint, uint, uint, 8, 16) CHECK(uint, uint, uint, 16, 16))
KERNEL(longs_to_2, CHECK_TO(ulong, ulong, ulong, 2))
KERNEL(longs_to_4, CHECK_TO(ulong, ulong, ulong, 4))
KERNEL(longs_to_8, CHECK(ulong, ulong, ulong, 4, 8) CHECK(ulong, ulong, ulong, 8, 8))
KERNEL(reals, CHECK(half, ushort, ushort, 4, 4) CHECK(half, ushort, ushort, 16, 16)
                  CHECK(float, uint, uint, 2, 4) CHECK(float, uint, uint, 4, 4))
KERNEL(more_reals, CHECK(double, ulong, ulong, 4, 4) CHECK(double, ulong, ulong, 16, 4)
                       CHECK(half, ushort, ushort, 2, 2) CHECK(char, uchar, uchar, 8, 8))

// Indices one by one, of any type and some of them constants; elements that somebody else
// wants, too; vectors that all items share, or that are constants.
kernel void by_hand(global const ulong *data, global const ulong *masks, global uint *out)
{
    uint i = get_global_id(0), bad = 0;
    ulong m = masks[i];
    uint first = m & 3, second = m >> 7 & 3;
    uchar third = m >> 13 & 3;
    global const uint *words = (global const uint *)data;
    uint4 x = vload4(i, words), all = vload4(3, words);
    uint taken = x[second];

    uint4 r = (uint4)(x[first], taken, x[third], x[2]);
    bad += r.x != words[4 * i + first] || r.y != words[4 * i + second];
    bad += r.z != words[4 * i + third] || r.w != words[4 * i + 2];
    bad += taken != words[4 * i + second];

    r = (uint4)(all[third], all[first], all[third], all[second]);
    bad += r.x != words[12 + third] || r.y != words[12 + first];
    bad += r.z != words[12 + third] || r.w != words[12 + second];

    r = shuffle((uint4)(2, 3, 5, 7), (uint4)(first, second, third, m >> 20 & 3));
    bad += r.x != (uint)(0x7532 >> 4 * first & 15) || r.y != (uint)(0x7532 >> 4 * second & 15);
    bad += r.z != (uint)(0x7532 >> 4 * third & 15) || r.w != (uint)(0x7532 >> (m >> 20 & 3) * 4 & 15);

    uint4 backwards = shuffle(x, (uint4)(3, 2, 1, 0)), mixed = shuffle2(x, all, (uint4)(7, 0, 5, 2));
    bad += any(backwards != x.wzyx) || any(mixed != (uint4)(all.w, x.x, all.y, x.z));
    out[i] = bad;
}

kernel void of_some_items(global const ulong *data, global const ulong *masks, global uint *out)
{
    uint i = get_global_id(0), bad = 0;
    global const ushort *shorts = (global const ushort *)data;
    ushort4 r = 9;

    if (masks[i] & 1) {
        ushort4 m = as_ushort4(masks[i] >> 1);
        for (uint k = 0; k < (m.x & 7); k++) {
            r = shuffle(vload4(i + k, shorts), m);
            bad += r.y != shorts[4 * (i + k) + (m.y & 3)];
            bad += r.w != shorts[4 * (i + k) + (m.w & 3)];
            m += r;
        }
    } else {
        bad += r.x != 9;
    }
    out[i] = bad;
}

kernel void mixed_words(global const uint4 *data, global const uint4 *masks, global uint4 *out)
{
    size_t i = get_global_id(0);
    out[i] = shuffle(data[i], masks[i]);
}

kernel void single_indices(global const uint4 *data, global const ulong *first, global const uint *second,
                           global const uchar *third, global uint4 *out)
{
    size_t i = get_global_id(0);
    uint4 x = data[i];
    out[i] = (uint4)(x[first[i]], x[second[i]], x[2], x[third[i]]);
}
