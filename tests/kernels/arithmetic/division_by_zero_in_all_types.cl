// SPDX-License-Identifier: MIT
// Every integer type, scalars and vectors, / and %: no signal, and what the language defines is
// right in the elements beside.
// RUN: divide global=192
// ARG: out ushort[192]
// EXPECT: out = 65535
#define FILL(T, n)                                                      \
    T##n a, b;                                                          \
    for (int e = 0; e < WIDTH_##n; e++) {                               \
        AT_##n(a, T, e) = (T)chosen((i + e) % 8, sizeof(T));            \
        AT_##n(b, T, e) = (T)chosen((i / 8 + 3 * e) % 8, sizeof(T));    \
    }
#define WIDTH_2 2
#define WIDTH_8 8
#define AT_2(v, T, e) ((T *)&v)[e]
#define AT_8 AT_2
#define VECTOR(T, n)                                                                \
    {                                                                               \
        FILL(T, n)                                                                  \
        T##n q = a / b, r = a % b, c = a;                                           \
        c /= b;                                                                     \
        good &= all((b == (T)0) | ((b == (T)-1) & (a == (T)least(sizeof(T)))) |     \
                    ((q * b + r == a) & (c == q)));                                 \
    }
#define SCALAR(T)                                                                   \
    {                                                                               \
        T a = (T)chosen(i % 8, sizeof(T)), b = (T)chosen(i / 8 % 8, sizeof(T));     \
        T q = a / b, r = a % b;                                                     \
        good &= b == 0 || (b == (T)-1 && a == (T)least(sizeof(T))) ||               \
                ((T)(q * b + r) == a);                                              \
    }
#define ALL(T, bit)                                                     \
    good = 1;                                                           \
    SCALAR(T) VECTOR(T, 2) VECTOR(T, 8)                                  \
    result |= good << bit | good << (bit + 8);
long least(uint bytes)
{
    return (long)(1UL << (8 * bytes - 1));
}
long chosen(uint which, uint bytes)
{
    return which == 0   ? 0
           : which == 1 ? -1
           : which == 2 ? 1
           : which == 3 ? least(bytes)
           : which == 4 ? least(bytes) - 1
           : which == 5 ? 7
           : which == 6 ? -100
                        : 77;
}
kernel void divide(global ushort *out)
{
    int i = get_global_id(0), good, result = 0;
    ALL(char, 0)
    ALL(uchar, 1)
    ALL(short, 2)
    ALL(ushort, 3)
    ALL(int, 4)
    ALL(uint, 5)
    ALL(long, 6)
    ALL(ulong, 7)
    out[i] = result;
}
