// SPDX-License-Identifier: MIT
// Vectors with every length, and flags that hold for each element.
// RUN: vectors global=1
// ARG: ret int[6] = 7
// EXPECT: ret = 0
// OUTPUT: "1.000000,2.500000,-3.000000,4.000000|01.00,02.00"
// OUTPUT: "0x01,0xff|-1,2,-3|a,b,c"
// OUTPUT: "1,2,3,4,5,6,7,65535|-1,-2"
// OUTPUT: "0,1,2,3,4,5,6,7,8,9,10,11,12,13,14,15|   1,   2"
// OUTPUT: "1,-2,3,4|18446744073709551615,0"
// OUTPUT: "1.5,2.5,3.5|0x1p+0,0x1p+1|7"
kernel void vectors(global int *ret)
{
    ret[0] = printf("%v4hlf|%05.2v2hlf\n", (float4)(1, 2.5f, -3, 4), (float2)(1, 2));
    ret[1] = printf("%#04v2hhx|%v3hhd|%v3hhx\n", (uchar2)(1, 255), (char3)(-1, 2, -3),
                    (char3)(10, 11, 12));
    ret[1] = printf("%v8hu|%v2hi\n", (ushort8)(1, 2, 3, 4, 5, 6, 7, -1), (short2)(-1, -2));
    ret[2] = printf("%v16hld|%4v2hld\n",
                    (int16)(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15), (int2)(1, 2));
    ret[3] = printf("%v4ld|%v2lu\n", (long4)(1, -2, 3, 4), (ulong2)(-1, 0));
    ret[4] = printf("%.1v3lf|%v2hla|%d\n", (double3)(1.5, 2.5, 3.5), (float2)(1, 2), 7);
    ret[5] = 0;
}
