// SPDX-License-Identifier: MIT
// What `restrict` says in a called function holds for one call. The next round of the
// loop that calls it reads what this one wrote.
// RUN: one global=64 local=64
// ARG: x int[200] = i < 7 ? i : 0
// ARG: n int = 193
// EXPECT: x = i % 7 + i / 7
// RUN: with_barrier global=64 local=64
// ARG: x int[200] = i < 7 ? i : 0
// ARG: n int = 193
// EXPECT: x = i % 7 + i / 7
// RUN: behind_barrier global=64 local=64
// ARG: x int[200] = i < 7 ? i : 0
// ARG: n int = 193
// EXPECT: x = i % 7 + i / 7
// RUN: between_barriers global=64 local=64
// ARG: x int[200] = i < 7 ? i : 0
// ARG: n int = 193
// EXPECT: x = i % 7 + i / 7
// RUN: each global=64 local=64
// ARG: x int[12800] = i % 200 < 7 ? i % 200 : 0
// ARG: n int = 193
// EXPECT: x = i % 200 % 7 + i % 200 / 7
// RUN: each_of_several_rounds global=64 local=64
// ARG: x int[12800] = i % 200 < 7 ? i % 200 : 0
// ARG: n int = 193
// EXPECT: x = i % 200 % 7 + i % 200 / 7
// RUN: to_and_fro global=64
// ARG: x int[128] = i
// ARG: n int = 9
// EXPECT: x = i < 64 ? i + 73 : i + 8
// RUN: to_and_fro_again global=64 local=64
// ARG: x int[256] = 1
// ARG: n int = 3
// EXPECT: x = i < 64 ? 72 : i < 128 ? 1 : i < 192 ? 71 : 1
void step(global int *restrict to, global const int *restrict from)
{
    *to = *from + 1;
}

kernel void one(global int *x, int n)
{
    if (get_global_id(0) == 0)
        for (int k = 0; k < n; k++)
            step(&x[k + 7], &x[k]);
}

kernel void with_barrier(global int *x, int n)
{
    local int ready;
    if (get_local_id(0) == 0)
        ready = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    if (get_local_id(0) == 0)
        for (int k = 0; k < ready; k++)
            step(&x[k + 7], &x[k]);
}

kernel void behind_barrier(global int *x, int n)
{
    local int ready[64];
    ready[get_local_id(0)] = n;
    barrier(CLK_LOCAL_MEM_FENCE);
    n = ready[63 - get_local_id(0)];
    if (get_local_id(0) == 0)
        for (int k = 0; k < n; k++)
            step(&x[k + 7], &x[k]);
}

// Each round another work-item.
kernel void between_barriers(global int *x, int n)
{
    for (int k = 0; k < n; k++) {
        if (get_local_id(0) == k % 64)
            step(&x[k + 7], &x[k]);
        barrier(CLK_GLOBAL_MEM_FENCE);
    }
}

kernel void each(global int *x, int n)
{
    x += 200 * get_global_id(0);
    for (int k = 0; k < n; k++)
        step(&x[k + 7], &x[k]);
}

// The rounds of the inner loop are known: it is unrolled.
kernel void each_of_several_rounds(global int *x, int n)
{
    x += 200 * get_global_id(0);
    for (int k = 0; k < n / 8 * 8 + 1; k += 8)
        for (int i = 0; i < 8 && k + i < n; i++)
            step(&x[k + i + 7], &x[k + i]);
}

kernel void to_and_fro(global int *x, int n)
{
    int g = get_global_id(0);
    global int *p = x + g, *q = x + 64 + g;
    for (int i = 0; i < n; i++) {
        step(p, q);
        global int *t = p; p = q; q = t;
    }
}

// The outer loop comes back to the words of the first round.
kernel void to_and_fro_again(global int *x, int n)
{
    int g = get_global_id(0), fuel = 35;
    while (fuel-- > 0 && n == 3) {
        global int *p = x + g, *q = x + 128 + g;
        for (int i = 0; i < n; i++) {
            step(p, q);
            global int *t = p; p = q; q = t;
        }
    }
}
