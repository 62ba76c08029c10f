// SPDX-License-Identifier: MIT
// What C++ for OpenCL leaves out of C++ is an error that says so.
// SKIP: unless platform Trefoil
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "virtual functions are not supported in C++ for OpenCL" options="-cl-std=CLC++2021 -DVIRTUAL"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "exceptions disabled" options="-cl-std=CLC++2021 -DTHROW"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "'dynamic_cast' is not supported in C++ for OpenCL" options="-cl-std=CLC++2021 -DDYNAMIC"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "'typeid' is not supported in C++ for OpenCL" options="-cl-std=CLC++2021 -DTYPEID"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "'default new' is not supported in C++ for OpenCL" options="-cl-std=CLC++2021 -DNEW"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "thread-local storage" options="-cl-std=CLC++2021 -DTHREAD"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "kernel functions cannot be used in a template" options="-cl-std=CLC++2021 -DTEMPLATE"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "kernel functions cannot be class members" options="-cl-std=CLC++2021 -DMEMBER"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "pointer arguments to kernel functions must reside in" options="-cl-std=CLC++2021 -DREFERENCE"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "is not allowed" options="-cl-std=CLC++2021 -DSPACES"
// BUILD: fails CL_INVALID_BUILD_OPTIONS "unknown language version" options="-cl-std=CLC++2031"
#if defined(VIRTUAL)
struct s { virtual int f() { return 1; } };
#elif defined(THROW)
void f() { throw 1; }
#elif defined(DYNAMIC)
struct a { }; struct b : a { };
b *f(a *p) { return dynamic_cast<b *>(p); }
#elif defined(TYPEID)
auto &t = typeid(int);
#elif defined(NEW)
int *f() { return new int; }
#elif defined(THREAD)
thread_local int t;
#elif defined(TEMPLATE)
template <int N> kernel void t(global int *p) { *p = N; }
#elif defined(MEMBER)
struct s { kernel void k(global int *p) { *p = 1; } };
#elif defined(REFERENCE)
struct s { int x; ~s() { } };
kernel void r(s &x) { }
#elif defined(SPACES)
global int *f(local int *p) { return reinterpret_cast<global int *>(p); }
#endif
kernel void k(global int *p) { *p = 1; }
