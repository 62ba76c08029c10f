// SPDX-License-Identifier: MIT
// RUN: fold global=1000
// ARG: in int[1000] = random(11, -1000000, 1000000)
// ARG: out int[5] = {2147483647, -2147483648, -1, 0, 0}
// EXPECT: out[0] = minof(k, 0, 1000, in[k])
// EXPECT: out[1] = maxof(k, 0, 1000, in[k])
// EXPECT: out[2] where it == (it & in[0] & in[500] & in[999])
// EXPECT: out[3] where (it & in[3]) == in[3]
// EXPECT: out[4] = 0
kernel void fold(global const int *in, global int *out)
{
    int x = in[get_global_id(0)];
    atomic_min(&out[0], x);
    atomic_max(&out[1], x);
    atomic_and(&out[2], x);
    atomic_or(&out[3], x);
    atomic_xor(&out[4], x);
    atomic_xor(&out[4], x);
}
