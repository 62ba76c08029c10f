// SPDX-License-Identifier: MIT
// The lengths z and t of OpenCL C 3.1, also in the eyes of the check of formats.
// SKIP: unless c 3.1
// BUILD: options="-cl-std=CL3.1 -Werror"
// RUN: sizes global=1
// ARG: ret int[2] = 7
// EXPECT: ret = {0, 0}
// OUTPUT: "[10000000000][2540be400][0X2540BE400][112402762000][         10000000000][10000000000         ]"
// OUTPUT: "[-10000000000][+00000000010000000000][-10000000000][18446744063709551616][-1|7]"
// BUILD: fails CL_BUILD_PROGRAM_FAILURE "format specifies type 'size_t'" options="-cl-std=CL3.1 -Werror -DWRONG"
kernel void sizes(global int *ret)
{
    size_t size = 10000000000;
    ptrdiff_t step = -10000000000;
    ret[0] = printf("[%zu][%zx][%#zX][%zo][%20zu][%-20zd]\n", size, size, size, size, size, (ptrdiff_t)size);
    ret[1] = printf("[%td][%+021td][%ti][%zu][%zd|%d]\n", step, -step, step, (size_t)step, (ptrdiff_t)-1, 7);
#ifdef WRONG
    printf("%zu\n", 7);
#endif
}
