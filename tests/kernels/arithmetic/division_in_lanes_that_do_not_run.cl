// SPDX-License-Identifier: MIT
// Division and remainder under a condition that keeps 0, and -1 under the most negative
// number, away: side by side with work-items that have them.
// RUN: divide_char global=67
// ARG: a char[67] = i % 9 == 4 ? -128 : i - 33
// ARG: b char[67] = i % 5 - 2
// ARG: q char[67]
// ARG: r char[67]
// EXPECT: q = b[i] == 0 || (b[i] == -1 && i % 9 == 4) ? 7 : a[i] / b[i]
// EXPECT: r = b[i] == 0 || (b[i] == -1 && i % 9 == 4) ? 9 : a[i] % b[i]
// RUN: divide_short global=67
// ARG: a short[67] = i % 9 == 4 ? -32768 : i * 333 - 9999
// ARG: b short[67] = i % 5 - 2
// ARG: q short[67]
// ARG: r short[67]
// EXPECT: q = b[i] == 0 || (b[i] == -1 && i % 9 == 4) ? 7 : a[i] / b[i]
// EXPECT: r = b[i] == 0 || (b[i] == -1 && i % 9 == 4) ? 9 : a[i] % b[i]
// RUN: divide_int global=67
// ARG: a int[67] = i % 9 == 4 ? -2147483648 : i * 33333333 - 999999999
// ARG: b int[67] = i % 5 - 2
// ARG: q int[67]
// ARG: r int[67]
// EXPECT: q = b[i] == 0 || (b[i] == -1 && i % 9 == 4) ? 7 : a[i] / b[i]
// EXPECT: r = b[i] == 0 || (b[i] == -1 && i % 9 == 4) ? 9 : a[i] % b[i]
// RUN: divide_long global=67
// ARG: a long[67] = i % 9 == 4 ? -9223372036854775807 - 1 : i * 333333333333333 - 9999999999999999
// ARG: b long[67] = i % 5 - 2
// ARG: q long[67]
// ARG: r long[67]
// EXPECT: q = b[i] == 0 || (b[i] == -1 && i % 9 == 4) ? 7 : a[i] / b[i]
// EXPECT: r = b[i] == 0 || (b[i] == -1 && i % 9 == 4) ? 9 : a[i] % b[i]
// RUN: divide_uchar global=67
// ARG: a uchar[67] = 255 - i
// ARG: b uchar[67] = i % 3
// ARG: q uchar[67]
// ARG: r uchar[67]
// EXPECT: q = b[i] == 0 ? 7 : a[i] / b[i]
// EXPECT: r = b[i] == 0 ? 9 : a[i] % b[i]
// RUN: divide_ushort global=67
// ARG: a ushort[67] = 65535 - i
// ARG: b ushort[67] = i % 3 * 7
// ARG: q ushort[67]
// ARG: r ushort[67]
// EXPECT: q = b[i] == 0 ? 7 : a[i] / b[i]
// EXPECT: r = b[i] == 0 ? 9 : a[i] % b[i]
// RUN: divide_uint global=67
// ARG: a uint[67] = 4294967295 - i
// ARG: b uint[67] = i % 3 * 70000
// ARG: q uint[67]
// ARG: r uint[67]
// EXPECT: q = b[i] == 0 ? 7 : a[i] / b[i]
// EXPECT: r = b[i] == 0 ? 9 : a[i] % b[i]
// RUN: divide_ulong global=67
// ARG: a ulong[67] = 9000000000000000000 - i
// ARG: b ulong[67] = i % 3 * 7000000000
// ARG: q ulong[67]
// ARG: r ulong[67]
// EXPECT: q = b[i] == 0 ? 7 : a[i] / b[i]
// EXPECT: r = b[i] == 0 ? 9 : a[i] % b[i]
#define DIVIDE(T, OVERFLOWS)                                                             \
    kernel void divide_##T(global const T *a, global const T *b, global T *q, global T *r) \
    {                                                                                    \
        size_t i = get_global_id(0);                                                     \
        T x = 7, y = 9;                                                                  \
        if (b[i] != 0) {                                                                 \
            if (!(OVERFLOWS)) {                                                          \
                x = a[i] / b[i];                                                         \
                y = a[i] % b[i];                                                         \
            }                                                                            \
        }                                                                                \
        q[i] = x;                                                                        \
        r[i] = y;                                                                        \
    }
DIVIDE(char, b[i] == -1 && a[i] == CHAR_MIN)
DIVIDE(short, b[i] == -1 && a[i] == SHRT_MIN)
DIVIDE(int, b[i] == -1 && a[i] == INT_MIN)
DIVIDE(long, b[i] == -1 && a[i] == LONG_MIN)
DIVIDE(uchar, 0)
DIVIDE(ushort, 0)
DIVIDE(uint, 0)
DIVIDE(ulong, 0)
