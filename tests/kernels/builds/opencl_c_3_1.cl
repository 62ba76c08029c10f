// SPDX-License-Identifier: MIT
// What OpenCL C 3.1 took from extensions needs no pragma, no macro and no -D.
// SKIP: unless c 3.1
// BUILD: options="-cl-std=CL3.1 -Werror"
// RUN: ask global=64 local=64
// ARG: out int[64]
// EXPECT: out = i == 0 ? 310 : i == 1 ? 310 : i == 2 ? 310 : i == 3 ? 1 : i == 4 ? 255 : i == 5 ? 80 : i == 6 ? 4 : 1
kernel void ask(global int *out)
{
    const int i = get_global_id(0);
    const uint lane = get_sub_group_local_id(), lanes = get_sub_group_size();
    const bool shuffled = sub_group_shuffle_xor((short)lane, 1) == (lane ^ 1) &&
                          sub_group_broadcast((uchar4)(lane + 3), 0).w == 3 &&
                          sub_group_rotate(lane, 1) == (lane + 1) % lanes &&
                          (lane == 0 || sub_group_shuffle_up(lane, 1) == lane - 1);

    switch (i) {
    case 0: out[i] = __OPENCL_C_VERSION__; break;
    case 1: out[i] = CL_VERSION_3_1; break;
    case 2: out[i] = __OPENCL_VERSION__; break;
    case 3: out[i] = __opencl_c_subgroups && __opencl_c_int64 &&
                     __opencl_c_integer_dot_product_input_4x8bit_packed; break;
    case 4: out[i] = bit_reverse(0xff000000u); break;
    case 5: out[i] = dot_4x8packed_uu_uint(0x01020304u, 0x0a090807u); break;
    case 6: out[i] = (int)bitfield_extract_unsigned(0x40u, 4, 4); break;
    default: out[i] = shuffled;
    }
}
