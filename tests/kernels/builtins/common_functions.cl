// SPDX-License-Identifier: MIT
// RUN: run global=41
// ARG: x float[41] = (i - 20) * 0.25
// ARG: out float8[41]
// EXPECT: out ulp 4 = {min(max(x[i], -1.0), 2.0), x[i] * 0.75 + 0.25 * (0 - x[i]), x[i] < 1 ? 0 : 1, x[i] > 0 ? 1 : x[i] < 0 ? -1 : 0, x[i] * 180 / 3.14159265358979, x[i] * 3.14159265358979 / 180, min(x[i], 0.5), max(x[i], 0.5), ...}
kernel void run(global const float *x, global float8 *out)
{
    size_t i = get_global_id(0);
    float f = x[i];
    out[i] = (float8)(clamp(f, -1.0f, 2.0f), mix(f, -f, 0.25f), step(1.0f, f), sign(f), degrees(f), radians(f),
                      min(f, 0.5f), max(f, 0.5f));
}
