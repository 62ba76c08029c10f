// SPDX-License-Identifier: MIT
// Doubles on the way to half.
#ifndef TF_BUILTINS_LIB_HALF_H
#define TF_BUILTINS_LIB_HALF_H

// A double with the bits that float lacks in the last one that it has ("round to odd":
// Boldo and Melquiond 2008). Rounding that to a much shorter format gives what rounding
// `x` at once would: processors convert float to half, few convert double. What is
// beyond the range of float is far beyond that of half.
#define TFL_LACKING 0x1ffffffful
#define TFL_ODD(type, bits) \
    ((bits | ((bits & (type)TFL_LACKING) + (type)TFL_LACKING)) & ~(type)TFL_LACKING)

#endif // TF_BUILTINS_LIB_HALF_H
