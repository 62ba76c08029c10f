// SPDX-License-Identifier: MIT
// Fields of bits and sums of products.
#ifndef TF_BUILTINS_LIB_BITS_H
#define TF_BUILTINS_LIB_BITS_H

// `count` ones from bit 0 on, in an element of `bits` bits.
#define TFL_ONES_8(count) ((uchar)((1u << (count)) - 1))
#define TFL_ONES_16(count) ((ushort)((1u << (count)) - 1))
#define TFL_ONES_32(count) ((count) < 32 ? (1u << (count)) - 1 : ~0u)
#define TFL_ONES_64(count) ((count) < 64 ? (1ul << (count)) - 1 : ~0ul)
#define TFL_ONES(count, bits) TFL_ONES_##bits(count)

#define TFL_DOT(type, a, b)                                      \
    ((type)(a).s0 * (type)(b).s0 + (type)(a).s1 * (type)(b).s1 + \
     (type)(a).s2 * (type)(b).s2 + (type)(a).s3 * (type)(b).s3)

#endif // TF_BUILTINS_LIB_BITS_H
