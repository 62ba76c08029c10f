// SPDX-License-Identifier: MIT
// More sums than registers hold: loops with a share of them each. Each sum is right, and
// what else the loop leaves behind.
// RUN: product global=32 local=8
// ARG: out int[608]
// ARG: in uint[4096] = (i * 7) % 31
// EXPECT: out[0..511] = sum(k, 0, 20, in[(i / 128) * 64 + k] * in[k * 64 + i % 32 + 32 * ((i / 32) % 4)])
// EXPECT: out[512..543] = 20
// EXPECT: out[544..575] = sum(k, 0, 20, in[k * 64 + i % 32] % 5)
// EXPECT: out[576..607] = in[19 * 64 + i % 32]
kernel void product(global int *out, global const uint *in)
{
    uint x = get_global_id(0), sums[4][4] = {{0}}, n = 0, more = 0, last = 0;
    for (uint k = 0; k < 20; k++) {
        for (uint i = 0; i < 4; i++) {
            for (uint j = 0; j < 4; j++)
                sums[i][j] += in[i * 64 + k] * in[k * 64 + x + 32 * j];
        }
        last = in[k * 64 + x];
        more += last % 5;
        n = k + 1;
    }
    for (uint i = 0; i < 16; i++)
        out[32 * i + x] = sums[i / 4][i % 4];
    out[512 + x] = n;
    out[544 + x] = more;
    out[576 + x] = last;
}

// Between barriers, of what the group has in its tile; rounds as the run says.
// RUN: tiles global=16 local=8
// ARG: out int[256]
// ARG: in uint[512] = (i * 5) % 17
// ARG: n uint = 5
// EXPECT: out = sum(t, 0, 3, sum(k, 0, 5, in[t * 128 + (i / 64) * 32 + k] * in[t * 128 + (i / 16) % 4 * 32 + 8 + i % 8 + k]))
kernel void tiles(global int *out, global const uint *in, uint n)
{
    local uint tile[128];
    uint x = get_local_id(0), sums[4][4] = {{0}};
    for (uint t = 0; t < 3; t++) {
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint i = 0; i < 16; i++)
            tile[8 * i + x] = in[t * 128 + 8 * i + x];
        barrier(CLK_LOCAL_MEM_FENCE);
        for (uint k = 0; k < n; k++) {
            for (uint i = 0; i < 4; i++) {
                for (uint j = 0; j < 4; j++)
                    sums[i][j] += tile[i * 32 + k] * tile[j * 32 + 8 + x + k];
            }
        }
    }
    for (uint i = 0; i < 16; i++)
        out[16 * i + get_global_id(0)] = sums[i / 4][i % 4];
}

// As an array, which is values once its loops are unrolled: eight times eight sums.
// RUN: array global=16 local=8
// ARG: out int[1024]
// ARG: in uint[512] = (i * 11) % 23
// ARG: n uint = 6
// EXPECT: out = (i / 16) + sum(k, 0, 6, in[(i / 128) * 8 + k] * in[k * 32 + (i / 16) % 8 + i % 16])
kernel void array(global int *out, global const uint *in, uint n)
{
    uint x = get_global_id(0), sums[8][8];
    for (uint i = 0; i < 8; i++) {
        for (uint j = 0; j < 8; j++)
            sums[i][j] = 8 * i + j;
    }
    for (uint k = 0; k < n; k++) {
        for (uint i = 0; i < 8; i++) {
            for (uint j = 0; j < 8; j++)
                sums[i][j] += in[i * 8 + k] * in[k * 32 + j + x];
        }
    }
    for (uint i = 0; i < 8; i++) {
        for (uint j = 0; j < 8; j++)
            out[16 * (8 * i + j) + x] = sums[i][j];
    }
}
