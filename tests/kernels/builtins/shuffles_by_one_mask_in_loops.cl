// SPDX-License-Identifier: MIT
// Masks of shuffle that are made before the loop that it stands in, against elements that
// are loaded one by one: once the indices lay in vectors that nobody had stored for it.
// RUN: chars global=67
// ARG: data uint[300] = (i + 1) * 2654435769
// ARG: rounds uint = 5
// ARG: out uint[67]
// EXPECT: out = 0
// RUN: words global=67
// ARG: data uint[300] = (i + 1) * 2654435769
// ARG: rounds uint = 5
// ARG: out uint[67]
// EXPECT: out = 0
// RUN: two_vectors global=67
// ARG: data uint[300] = (i + 1) * 2654435769
// ARG: rounds uint = 5
// ARG: out uint[67]
// EXPECT: out = 0
// RUN: each_its_rounds global=67
// ARG: data uint[300] = (i + 1) * 2654435769
// ARG: rounds uint = 5
// ARG: out uint[67]
// EXPECT: out = 0
// RUN: across_barriers global=64 local=16
// ARG: data uint[300] = (i + 1) * 2654435769
// ARG: rounds uint = 5
// ARG: out uint[64]
// EXPECT: out = 0
// RUN: in_a_branch global=67
// ARG: data uint[300] = (i + 1) * 2654435769
// ARG: rounds uint = 5
// ARG: out uint[67]
// EXPECT: out = 0

#define CHECK(type, n, number_of_rounds, before, after)                                    \
    uint i = get_global_id(0);                                                             \
    global const type *x = (global const type *)data + i;                                  \
    global const type *mask = x + 29;                                                      \
    type##n w = vload##n(0, x), m = vload##n(0, mask);                                     \
    type v[n], was[n], got[n];                                                             \
    uint bad = 0;                                                                          \
    for (uint k = 0; k < n; k++)                                                           \
        v[k] = x[k];                                                                       \
    for (uint r = 0; r < (number_of_rounds); r++) {                                        \
        before;                                                                            \
        w = shuffle(w, m) + (type)(r + 1);                                                 \
        after;                                                                             \
        for (uint k = 0; k < n; k++)                                                       \
            was[k] = v[k];                                                                 \
        for (uint k = 0; k < n; k++)                                                       \
            v[k] = was[mask[k] & (n - 1)] + (type)(r + 1);                                 \
    }                                                                                      \
    vstore##n(w, 0, got);                                                                  \
    for (uint k = 0; k < n; k++)                                                           \
        bad += got[k] != v[k];                                                             \
    out[i] = bad;

kernel void chars(global const uint *data, uint rounds, global uint *out)
{
    CHECK(uchar, 16, rounds, , )
}

kernel void words(global const uint *data, uint rounds, global uint *out)
{
    CHECK(uint, 4, rounds, , )
}

kernel void each_its_rounds(global const uint *data, uint rounds, global uint *out)
{
    CHECK(uchar, 4, rounds + i % 3, , )
}

kernel void across_barriers(global const uint *data, uint rounds, global uint *out)
{
    local uint seen;
    CHECK(ushort, 8, rounds, barrier(CLK_LOCAL_MEM_FENCE), if (get_local_id(0) == 0) seen = r)
}

kernel void two_vectors(global const uint *data, uint rounds, global uint *out)
{
    uint i = get_global_id(0), bad = 0;
    uint2 a = vload2(0, data + i), b = vload2(0, data + i + 2);
    const uint4 m = vload4(0, data + i + 29);
    uint sum[4] = {0, 0, 0, 0};
    uint4 sums = 0;

    for (uint r = 0; r < rounds; r++) {
        const uint source[4] = {data[i] + r, data[i + 1] + r, data[i + 2], data[i + 3]};

        sums += shuffle2(a + r, b, m) * (r + 1);
        for (uint k = 0; k < 4; k++)
            sum[k] += source[data[i + 29 + k] & 3] * (r + 1);
    }
    for (uint k = 0; k < 4; k++)
        bad += (k == 0 ? sums.x : k == 1 ? sums.y : k == 2 ? sums.z : sums.w) != sum[k];
    out[i] = bad;
}

kernel void in_a_branch(global const uint *data, uint rounds, global uint *out)
{
    uint i = get_global_id(0);
    uint4 w = vload4(0, data + i);
    const uint4 m = vload4(0, data + i + 29);
    uint expected = data[i];

    if (data[i + 40] & 64) {
        w = shuffle(w, m);
        expected = data[i + (data[i + 29] & 3)];
    }
    out[i] = w.x != expected;
}
