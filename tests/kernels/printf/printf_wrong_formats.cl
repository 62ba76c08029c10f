// SPDX-License-Identifier: MIT
// A format that does not fit its arguments does no harm: the conversion is printed as it
// stands, and -1 is returned. Integers of another size are taken as in C.
// BUILD: options="-w"
// RUN: wrong global=1
// ARG: ret int[9] = 7
// EXPECT: ret = {-1, -1, -1, -1, -1, -1, 0, 0, 0}
// OUTPUT: "float for int: %d, then 2"
// OUTPUT: "int for float: %f"
// OUTPUT: "missing: %d %s"
// OUTPUT: "unknown: %y %*d %n %"
// OUTPUT: "string: %s %s %v4d"
// OUTPUT: "width: %v4hlf %v5hld %v2s"
// OUTPUT: "sizes: -1 255 1"
// OUTPUT: "more than needed: 1"
kernel void wrong(global int *ret)
{
    int array[4] = {1, 2, 3, 4};
    ret[0] = printf("float for int: %d, then %d\n", 1.0f, 2);
    ret[1] = printf("int for float: %f\n", 1);
    ret[2] = printf("missing: %d %s\n");
    ret[3] = printf("unknown: %y %*d %n %\n", 1, 2);
    ret[4] = printf("string: %s %s %v4d\n", 1, array, 2);
    ret[5] = printf("width: %v4hlf %v5hld %v2s\n", (float2)(1, 2), 5, "a");
    ret[6] = printf("sizes: %d %hhu %ld\n", 0xffffffffffffffffL, -1, 1);
    ret[7] = printf("more than needed: %d\n", 1, 2.0f, "three");
    ret[8] = 0;
}
