// SPDX-License-Identifier: MIT
// A macro is not expanded inside itself: the calls that are left do not exist.
// SKIP: unless platform Trefoil
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "f"
#define f(x) f(f(x))
#define g(x) h(x) + h(x)
#define h(x) g(x) * g(x)
kernel void run(global int *out)
{
    out[0] = f(g(f(h(1))));
}
