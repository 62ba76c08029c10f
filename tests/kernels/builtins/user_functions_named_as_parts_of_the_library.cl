// SPDX-License-Identifier: MIT
// Names that the built-ins library uses inside are free for programs, and so are the names of
// built-ins for functions of other types, or of C's linkage.
float4 tf_min(float4 a, float4 b)
{
    return a * b;
}
int tfl_clamp_int(int a)
{
    return a + 500;
}
int __attribute__((overloadable)) min(int a, int b)
{
    return 1234;
}
int clz(int a)
{
    return 55;
}
struct pair {
    int a, b;
};
int __attribute__((overloadable)) sin(struct pair pair)
{
    return pair.b;
}
static float dot(float a)
{
    return a * 3;
}
float fract(float x)
{
    return 9;
}
// RUN: own global=4
// ARG: out float8[4]
// EXPECT: out = j == 0 ? 1234 : j == 1 ? 55 : j == 2 ? i : j == 3 ? i * 3 : j == 4 ? 9 : j == 5 ? 4 : j == 6 ? 501 : 8
// RUN: of_the_library global=4
// ARG: out float4[4]
// EXPECT: out ulp 4 = j == 0 ? sin(i) : j == 1 ? 5 : j == 2 ? (i < 2 ? 0 : 1) : 2
kernel void own(global float8 *out)
{
    int i = get_global_id(0);
    struct pair pair = {1, i};
    float4 product = tf_min((float4)(2), (float4)(4));
    out[i] = (float8)(min(i, 3), clz(i), sin(pair), dot((float)i), fract(i),
                      max(i, 4), tfl_clamp_int(1), product.w);
}
kernel void of_the_library(global float4 *out)
{
    int i = get_global_id(0);
    out[i] = (float4)(sin((float)i), clamp(i + 20, 0, 5), step(2.0f, (float)i), min(2u, 3u));
}
