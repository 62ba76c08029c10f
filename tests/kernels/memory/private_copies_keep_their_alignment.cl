// SPDX-License-Identifier: MIT
// What remains of a variable may have a size that is no multiple of its alignment (here
// the copy's first member goes): each work-item's copy is aligned all the same.
// RUN: copies global=67
// ARG: in int[256] = i
// ARG: out int[67]
// EXPECT: out = i == 0 ? 0 : i % 4 == 1 ? 7 * i : 0
struct record {
    uchar4 colour;
    float3 place;
    ushort id;
    ulong big;
    int part[4];
};

kernel void copies(global const int *in, global int *out)
{
    int g = get_global_id(0);
    struct record m = {};
    if (g) {
        struct record other = m;
        other.part[1] = in[g] * 7;
        m = other;
    }
    out[g] = m.part[g & 3];
}
