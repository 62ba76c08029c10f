// SPDX-License-Identifier: MIT
// SKIP: unless extension cl_khr_fp16
// A half by itself is printed as the double that it becomes; elements of vectors are halves.
// RUN: halves global=1
// ARG: in half4[1] = {1, -2.5, 65504, 0x1p-24}
// ARG: ret int[2] = 7
// EXPECT: ret = 0
// OUTPUT: "1.000000 -2.5 6.55e+04 0x1p-24"
// OUTPUT: "1.0,-2.5,65504.0,0.0|0x1.8p+0,inf|   2,   3,   4"
kernel void halves(global const half4 *in, global int *ret)
{
    half4 x = in[0];

    ret[0] = printf("%f %g %.2e %a\n", x.x, x.y, x.z, x.w);
    ret[1] = printf("%.1v4hf|%v2ha|%4v3hg\n", x, (half2)(1.5h, INFINITY), (half3)(2, 3, 4));
}
