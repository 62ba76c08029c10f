// SPDX-License-Identifier: MIT
// OpenCL does not say which of several work-items' values stays in a place that all write.
// Here it is that of the last in every form: side by side as one after the other, so that a
// program with such a race does not change its results with the processor.
// RUN: all_write global=50 local=50
// ARG: out int[4] = -1
// EXPECT: out = {49, 48, 149, 40}
// RUN: some_write global=50 local=50
// ARG: in int[50] = (i * 7 + 3) % 11
// ARG: out int[11] = -1
// EXPECT: out = 0 - minof(k, 0, 50, in[k] == i ? -k : 1)
// RUN: in_loops global=50 local=50
// ARG: out int[8] = -1
// EXPECT: out = {43, 44, 45, 46, 47, 48, 49, -1}
kernel void all_write(global int *out)
{
    int g = get_global_id(0);
    out[0] = g;
    if (g % 2 == 0)
        out[1] = g;
    out[2] = g + 100;
    if (g > 20 && g % 10 == 0)
        out[3] = g;
}

kernel void some_write(global const int *in, global int *out)
{
    int g = get_global_id(0);
    out[in[g]] = g;
}

kernel void in_loops(global int *out)
{
    int g = get_global_id(0);
    for (int k = 0; k < (g == 49 ? 7 : g % 7); k++) {
    }
    out[g < 43 ? g % 7 : g - 43] = g;
}
