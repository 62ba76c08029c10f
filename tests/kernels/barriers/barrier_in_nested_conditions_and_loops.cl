// SPDX-License-Identifier: MIT
// pocl/pocl#553, #446, #1747, #1794, #2281: barriers deep in branches and loops that a
// group takes as a whole, among branches and loops that it does not.
// RUN: deep global=48 local=24
// ARG: in int[48] = i * 7 % 24
// ARG: out int[48]
// ARG: mode int = 3
// EXPECT: out = 4 * in[i / 24 * 24 + (i + 5) % 24] + 6 * (i % 24 % 3) + (i % 24 < 7 ? 4 : 0)
// RUN: deep global=48 local=24
// ARG: in int[48] = i * 7 % 24
// ARG: out int[48]
// ARG: mode int = 0
// EXPECT: out = 6 * (i % 24 % 3) + (i % 24 < 7 ? 4 : 0)
kernel void deep(global const int *in, global int *out, int mode)
{
    local int tile[24];
    int lid = get_local_id(0), size = get_local_size(0), result = 0;
    for (int i = 0; i < 4; i++) {
        if (lid < 7)
            result++;
        if (mode > 0) {
            for (int j = 0; j < lid % 3; j++)
                result += i;
            if (mode & 1) {
                do {
                    tile[lid] = in[get_global_id(0)];
                    barrier(CLK_LOCAL_MEM_FENCE);
                    result += tile[(lid + 5) % size];
                    barrier(CLK_LOCAL_MEM_FENCE);
                } while (mode < 0);
            } else {
                barrier(CLK_LOCAL_MEM_FENCE);
            }
        } else {
            result += i * (lid % 3);
        }
    }
    out[get_global_id(0)] = result;
}
