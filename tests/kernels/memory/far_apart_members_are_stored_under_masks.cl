// SPDX-License-Identifier: MIT
// One member of a struct with much room behind it, stored by some lanes.
// RUN: store global=203
// ARG: out float[812] = -1
// ARG: n int = 200
// EXPECT: out = i % 4 == 0 && i / 4 < 200 ? (i / 4 * 7 % 64) * 0.25 : -1
struct far {
    float member;
    int others[3];
};

kernel void store(global struct far *out, int n)
{
    int i = get_global_id(0);

    if (i < n)
        out[i].member = (float)(i * 7 & 63) * 0.25f;
}
