// SPDX-License-Identifier: MIT
// BUILD:
// RUN: nothing global=1 error=CL_INVALID_KERNEL_NAME
int helper(int x)
{
    return x + 1;
}
