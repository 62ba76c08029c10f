// SPDX-License-Identifier: MIT
// BUILD: fails
#include __FILE__
kernel void run(global int *out)
{
    out[0] = 1;
}
