// SPDX-License-Identifier: MIT
// Trees, running sums and exchanges whose distances double or halve, in groups of one size: all
// that a gang takes from others is known, and comes from registers.
// RUN: up_and_down global=128 local=64
// ARG: out uint[256]
// EXPECT: out = i % 128 * (i % 128 - 1) / 2
// RUN: up_and_down_wide global=512 local=256
// ARG: out uint[1024]
// EXPECT: out = i % 512 * (i % 512 - 1) / 2
// RUN: remainders global=256 local=128
// ARG: out uint[2]
// EXPECT: out = 8128
// RUN: exchanges global=256 local=128
// ARG: out uint[256]
// EXPECT: out = 8128
// RUN: running global=256 local=128
// ARG: out float[256]
// EXPECT: out = i % 128 * (i % 128 + 1) / 2
// RUN: small global=64 local=32
// ARG: out uchar[64]
// EXPECT: out = 31 - i % 32
// RUN: rows global=64x4 local=64x2
// ARG: out uint[4]
// EXPECT: out = 2016
// RUN: end_of_a_gang global=128 local=64
// ARG: out uint[128]
// EXPECT: out = i % 64 < 3 ? 5 * (i % 64) + 60 : i % 64
#define UP_AND_DOWN(name, size)                                                            \
    kernel __attribute__((reqd_work_group_size(size, 1, 1))) void name(global uint *out)   \
    {                                                                                      \
        local uint tree[2 * size];                                                         \
        uint l = get_local_id(0), d = 1, base = get_group_id(0) * 2 * size;                \
        tree[2 * l] = 2 * l;                                                               \
        tree[2 * l + 1] = 2 * l + 1;                                                       \
        for (uint n = size; n > 0; n /= 2) {                                               \
            barrier(CLK_LOCAL_MEM_FENCE);                                                  \
            if (l < n)                                                                     \
                tree[d * (2 * l + 2) - 1] += tree[d * (2 * l + 1) - 1];                    \
            d *= 2;                                                                        \
        }                                                                                  \
        if (l == 0)                                                                        \
            tree[2 * size - 1] = 0;                                                        \
        for (uint n = 1; n < 2 * size; n *= 2) {                                           \
            d /= 2;                                                                        \
            barrier(CLK_LOCAL_MEM_FENCE);                                                  \
            if (l < n) {                                                                   \
                uint left = d * (2 * l + 1) - 1, right = d * (2 * l + 2) - 1;              \
                uint sum = tree[left];                                                     \
                tree[left] = tree[right];                                                  \
                tree[right] += sum;                                                        \
            }                                                                              \
        }                                                                                  \
        barrier(CLK_LOCAL_MEM_FENCE);                                                      \
        out[base + 2 * l] = tree[2 * l];                                                   \
        out[base + 2 * l + 1] = tree[2 * l + 1];                                           \
    }
UP_AND_DOWN(up_and_down, 64)
UP_AND_DOWN(up_and_down_wide, 256)

kernel __attribute__((reqd_work_group_size(128, 1, 1))) void remainders(global uint *out)
{
    local uint s[128];
    uint l = get_local_id(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 1; n < 128; n <<= 1) {
        if (l % (2 * n) == 0)
            s[l] += s[l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_group_id(0)] = s[0];
}

kernel __attribute__((reqd_work_group_size(128, 1, 1))) void exchanges(global uint *out)
{
    local uint s[128];
    uint l = get_local_id(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 64; n > 0; n >>= 1) {
        uint other = s[l ^ n];
        barrier(CLK_LOCAL_MEM_FENCE);
        s[l] += other;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[l];
}

kernel __attribute__((reqd_work_group_size(128, 1, 1))) void running(global float *out)
{
    local float s[2][128];
    uint l = get_local_id(0), now = 0;
    s[0][l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 1; n < 128; n *= 2) {
        s[1 - now][l] = l >= n ? s[now][l] + s[now][l - n] : s[now][l];
        now = 1 - now;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[now][l];
}

// A network that turns the order round.
kernel __attribute__((reqd_work_group_size(32, 1, 1))) void small(global uchar *out)
{
    local uchar s[32];
    uint l = get_local_id(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 1; n < 32; n *= 2) {
        if ((l & n) == 0) {
            uchar mine = s[l];
            s[l] = s[l + n];
            s[l + n] = mine;
        }
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[l];
}

kernel __attribute__((reqd_work_group_size(64, 2, 1))) void rows(global uint *out)
{
    local uint s[2][64];
    uint l = get_local_id(0), row = get_local_id(1);
    s[row][l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 32; n > 0; n /= 2) {
        if (l < n)
            s[row][l] += s[row][l + n];
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    if (l == 0)
        out[get_global_id(1)] = s[row][0];
}

// The limits end within a gang.
kernel __attribute__((reqd_work_group_size(64, 1, 1))) void end_of_a_gang(global uint *out)
{
    local uint s[64];
    uint l = get_local_id(0);
    s[l] = l;
    barrier(CLK_LOCAL_MEM_FENCE);
    for (uint n = 1; n < 16; n *= 2) {
        if (l < 3)
            s[l] += s[l + 4 * n] - l;
        barrier(CLK_LOCAL_MEM_FENCE);
        if (l < 3)
            s[l] += l;
        barrier(CLK_LOCAL_MEM_FENCE);
    }
    out[get_global_id(0)] = s[l];
}
