// SPDX-License-Identifier: MIT
// What the first kernel of a process needs of the compiler at least.
kernel void one_store(global int *p)
{
    p[0] = 1;
}
