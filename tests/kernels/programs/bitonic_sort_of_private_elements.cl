// SPDX-License-Identifier: MIT
// intel/llvm#6607 and #9662, intel/intel-graphics-compiler#349: compilers crash on the
// bitonic sort of PyOpenCL, which sorts a few elements in each work-item, unrolled, and
// exchanges them through local memory at distances that a loop halves.
// RUN: sort global=64 local=32
// ARG: data float[256] = (i % 128 * 77 + 13) % 128 + i / 128 * 1000
// EXPECT: data = i % 128 + i / 128 * 1000
// RUN: sort global=32 local=32
// ARG: data float[128] = 127 - i
// EXPECT: data = i
#define EACH 4
#define ORDER(a, b, up)                                                                  \
    {                                                                                    \
        bool swap = (up) ? (a) > (b) : (a) < (b);                                        \
        float low = swap ? (b) : (a), high = swap ? (a) : (b);                           \
        (a) = low;                                                                       \
        (b) = high;                                                                       \
    }

kernel void sort(global float *data)
{
    local float t[32 * EACH];
    uint l = get_local_id(0), all = get_local_size(0) * EACH;
    float x[EACH];
    global float *own = data + get_group_id(0) * all;
    for (uint i = 0; i < EACH; i++)
        x[i] = own[l * EACH + i];
    for (uint size = 2; size <= all; size *= 2) {
        uint distance = size / 2;
        for (; distance >= EACH; distance /= 2) {
            for (uint i = 0; i < EACH; i++)
                t[l * EACH + i] = x[i];
            barrier(CLK_LOCAL_MEM_FENCE);
            for (uint i = 0; i < EACH; i++) {
                uint at = l * EACH + i;
                float other = t[at ^ distance];
                bool smaller = ((at & distance) == 0) == ((at & size) == 0);
                x[i] = (smaller ? other < x[i] : other > x[i]) ? other : x[i];
            }
            barrier(CLK_LOCAL_MEM_FENCE);
        }
        bool up = ((l * EACH) & size) == 0;
        if (distance >= 2) {
            ORDER(x[0], x[2], up);
            ORDER(x[1], x[3], up);
        }
        ORDER(x[0], x[1], size == 2 ? true : up);
        ORDER(x[2], x[3], size == 2 ? false : up);
    }
    for (uint i = 0; i < EACH; i++)
        own[l * EACH + i] = x[i];
}
