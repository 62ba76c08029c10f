// SPDX-License-Identifier: MIT
// An own overload of clamp changes the calls in this source and no built-in of the library:
// smoothstep clamps with the library's.
float __attribute__((overloadable)) clamp(float x, float low, float high)
{
    return 1000.0f + x + low + high;
}
// RUN: both global=16
// ARG: out float2[16]
// EXPECT: out = j == 0 ? 1001 + i : i == 0 ? 0 : i >= 4 ? 1 : float((i / 4.0) * (i / 4.0) * (3 - 2 * (i / 4.0)))
kernel void both(global float2 *out)
{
    float x = get_global_id(0);
    out[get_global_id(0)] = (float2)(clamp(x, 0.0f, 1.0f), smoothstep(0.0f, 4.0f, x));
}
