// SPDX-License-Identifier: MIT
// SKIP: unless platform Trefoil
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "recurs"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "recurs" options="-DMUTUAL"
int odd(int n);
int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}
int odd(int n)
{
#ifdef MUTUAL
    return n == 0 ? 0 : even(n - 1);
#else
    return n < 2 ? n : odd(n - 1) + odd(n - 2);
#endif
}
kernel void run(global int *out)
{
    out[0] = odd(out[1]);
}
