// SPDX-License-Identifier: MIT
// RUN: classify global=12
// ARG: out int[12]
// EXPECT: out = {111, 11, 1, 5000, 7, 7, -1, -1, -1, -1, 90, -1}
kernel void classify(global int *out)
{
    int i = get_global_id(0), r = 0;
    switch (i) {
    case 0: r += 100; // falls through
    case 1: r += 10;  // falls through
    case 2: r += 1; break;
    case 3:
        switch (i * 2) {
        case 6: r = 5000; break;
        default: r = -5000;
        }
        break;
    case 4:
    case 5: r = 7; break;
    case 10: r = 90; break;
    default: r = -1;
    }
    out[i] = r;
}
