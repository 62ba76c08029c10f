// SPDX-License-Identifier: MIT
// As many parameters as a kernel may have, of a function that stays one.
// RUN: sums global=4
// ARG: out long[4]
// EXPECT: out = 1000 + 500 * i
#define EIGHT(M, a) M(a##0) M(a##1) M(a##2) M(a##3) M(a##4) M(a##5) M(a##6) M(a##7)
#define SIXTY(M, a) \
    EIGHT(M, a##0) EIGHT(M, a##1) EIGHT(M, a##2) EIGHT(M, a##3) EIGHT(M, a##4) \
    EIGHT(M, a##5) EIGHT(M, a##6) EIGHT(M, a##7)
#define ALL(M) \
    SIXTY(M, a) SIXTY(M, b) SIXTY(M, c) SIXTY(M, d) SIXTY(M, e) SIXTY(M, f) SIXTY(M, g) \
    EIGHT(M, h0) EIGHT(M, h1) EIGHT(M, h2) EIGHT(M, h3) EIGHT(M, h4) EIGHT(M, h5) \
    M(i0) M(i1) M(i2) M(i3)
#define PARAMETER(name) , long name
#define ADD(name) + name
#define ARGUMENT(name) , x + 2

__attribute__((noinline)) long sum(long first ALL(PARAMETER))
{
    return first ALL(ADD);
}

kernel void sums(global long *out)
{
    long x = get_global_id(0);

    out[x] = sum(0 ALL(ARGUMENT));
}
