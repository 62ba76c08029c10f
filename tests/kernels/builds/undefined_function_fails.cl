// SPDX-License-Identifier: MIT
// BUILD: fails "helper_that_nobody_wrote"
int helper_that_nobody_wrote(int x);
kernel void use(global int *out)
{
    out[0] = helper_that_nobody_wrote(3);
}
