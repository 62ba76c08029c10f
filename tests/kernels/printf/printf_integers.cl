// SPDX-License-Identifier: MIT
// Every integer conversion, flag and length; 0 is returned.
// RUN: integers global=1
// ARG: ret int[4] = 7
// EXPECT: ret = {0, 0, 0, 0}
// OUTPUT: "[-42][+42][ 42][00042][42   ][   42][0042][  +0042]"
// OUTPUT: "[4294967254][52][2a][2A][0x2a][0X2A][052][0][0]"
// OUTPUT: "[-2][254][-2][65534][9223372036854775807][18446744073709551615][][0]"
// OUTPUT: "[A][  A][A  ][%][abc][  abc][ab ]"
kernel void integers(global int *ret)
{
    int n = 42;
    ret[0] = printf("[%d][%+i][% d][%05d][%-5d][%5d][%.4d][%+7.4d]\n", -n, n, n, n, n, n, n, n);
    ret[1] = printf("[%u][%o][%x][%X][%#x][%#X][%#o][%#x][%#o]\n", (uint)-n, n, n, n, n, n, n, 0, 0);
    ret[2] = printf("[%hhd][%hhu][%hd][%hu][%ld][%lu][%.0d][%#.0o]\n", (char)-2, (uchar)-2,
                    (short)-2, (ushort)-2, LONG_MAX, ULONG_MAX, 0, 0);
    ret[3] = printf("[%c][%3c][%-3c][%%][%s][%5s][%-3.2s]\n", 'A', 'A', 65, "abc", "abc", "abc");
}
