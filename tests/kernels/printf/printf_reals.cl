// SPDX-License-Identifier: MIT
// Every conversion of real numbers, in both cases of inf and nan, whatever the locale.
// RUN: reals global=1
// ARG: ret int[5] = 7
// ARG: in float[3] = {infinity, 0.0, 10.3456}
// EXPECT: ret = 0
// OUTPUT: "[10.345600][10.35][+10.3456][    10.3][10.3    ][000010.3][10][10.]"
// OUTPUT: "[1.034560e+01][1.03E+01][10.3456][10.3456][1e-05][1.00000]"
// OUTPUT: "[0x1.8p+1][0X1.8P+1][-0x1p-3][0x001p+0][0x1.00p+0]"
// OUTPUT: "[inf][INF][-inf][ +inf][nan][NAN][  inf][inf  ]"
// OUTPUT: "[-0.0][0.0][3.14][100000000000000000000.000]"
kernel void reals(global int *ret, global const float *in)
{
    float x = in[2], inf = in[0], nan = fabs(in[0] * in[1]);
    ret[0] = printf("[%f][%.2f][%+g][%8.1f][%-8.1f][%08.1f][%.0f][%#.0f]\n", x, x, x, x, x, x, x, x);
    ret[1] = printf("[%e][%.2E][%g][%G][%g][%#g]\n", x, x, x, x, 0.00001f, 1.0f);
    ret[2] = printf("[%a][%A][%a][%08a][%.2a]\n", 3.0f, 3.0f, -0.125f, 1.0f, 1.0f);
    ret[3] = printf("[%f][%F][%f][%+5f][%f][%F][%05f][%-5g]\n", inf, inf, -inf, inf, nan, nan, inf, inf);
    ret[4] = printf("[%.1f][%.1f][%.2lf][%.3f]\n", -in[1], in[1], 3.14, 1e20);
}
