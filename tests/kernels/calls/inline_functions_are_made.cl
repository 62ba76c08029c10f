// SPDX-License-Identifier: MIT
// Functions that are only `inline` are there although nothing may be inlined.
// BUILD: options="-cl-opt-disable"
// BUILD: options="-g"
// BUILD:
// RUN: call global=4
// ARG: out int4[4]
// EXPECT: out = {6,1,2,3, 6,4,4,5, 6,9,6,7, 6,16,8,9}
inline int threefold(int x)
{
    return 3 * x;
}
inline __attribute__((noinline)) int square(int x)
{
    return x * x;
}
inline int twofold(int x);
static inline int next(int x)
{
    return x + 1;
}
kernel void call(global int4 *out)
{
    int i = get_global_id(0) + 1;
    out[i - 1] = (int4)(threefold(2), square(i), twofold(i), next(twofold(i)));
}
inline int twofold(int x)
{
    return x + x;
}
