// SPDX-License-Identifier: MIT
// cl_khr_integer_dot_product: signs, packing and saturation.
// SKIP: unless extension cl_khr_integer_dot_product
// BUILD: options="-cl-std=CL3.0"
// RUN: dots global=64
// ARG: a uchar4[64] = i < 2 ? 255 : random(1, 0, 255)
// ARG: b uchar4[64] = i == 0 ? 255 : i == 1 ? 128 : random(2, 0, 255)
// ARG: out long[512] = 0
// EXPECT: out[0..63] = a[i, 0] * b[i, 0] + a[i, 1] * b[i, 1] + a[i, 2] * b[i, 2] + a[i, 3] * b[i, 3]
// EXPECT: out[64..127] = sum(k, 0, 4, char(a[i - 64, k]) * char(b[i - 64, k]))
// EXPECT: out[128..191] = sum(k, 0, 4, a[i - 128, k] * char(b[i - 128, k]))
// EXPECT: out[192..255] = sum(k, 0, 4, char(a[i - 192, k]) * b[i - 192, k])
// EXPECT: out[256..319] = min(4294967295, 4294900000 + sum(k, 0, 4, a[i - 256, k] * b[i - 256, k]))
// EXPECT: out[320..383] = min(2147483647, 2147460000 + sum(k, 0, 4, char(a[i - 320, k]) * char(b[i - 320, k])))
// EXPECT: out[384..447] = max(-2147483648, -2147450000 + sum(k, 0, 4, a[i - 384, k] * char(b[i - 384, k])))
// EXPECT: out[448..511] = 255
#ifndef __opencl_c_integer_dot_product_input_4x8bit
#error "not there"
#endif
kernel void dots(global const uchar4 *a, global const uchar4 *b, global long *out)
{
    size_t g = get_global_id(0);
    uchar4 ua = a[g], ub = b[g];
    char4 sa = as_char4(ua), sb = as_char4(ub);
    uint pa = as_uint(ua), pb = as_uint(ub);
    out[g] = dot(ua, ub);
    out[64 + g] = dot(sa, sb);
    out[128 + g] = dot(ua, sb);
    out[192 + g] = dot(sa, ub);
    out[256 + g] = dot_acc_sat(ua, ub, 4294900000u);
    out[320 + g] = dot_acc_sat(sa, sb, 2147460000);
    out[384 + g] = dot_acc_sat(ua, sb, -2147450000);
    out[448 + g] = (dot_4x8packed_uu_uint(pa, pb) == dot(ua, ub)) |
                   (dot_4x8packed_ss_int(pa, pb) == dot(sa, sb)) << 1 |
                   (dot_4x8packed_us_int(pa, pb) == dot(ua, sb)) << 2 |
                   (dot_4x8packed_su_int(pa, pb) == dot(sa, ub)) << 3 |
                   (dot_acc_sat_4x8packed_uu_uint(pa, pb, ~0u) == dot_acc_sat(ua, ub, ~0u)) << 4 |
                   (dot_acc_sat_4x8packed_ss_int(pa, pb, 5) == dot_acc_sat(sa, sb, 5)) << 5 |
                   (dot_acc_sat_4x8packed_us_int(pa, pb, 5) == dot_acc_sat(ua, sb, 5)) << 6 |
                   (dot_acc_sat_4x8packed_su_int(pa, pb, INT_MIN) == dot_acc_sat(sa, ub, INT_MIN)) << 7;
}
