// SPDX-License-Identifier: MIT
#include "core/memory/image_format.h"

#include "support/suite.h"

static size_t bytes(cl_channel_order order, cl_channel_type type)
{
    return tf_image_format_bytes(&(cl_image_format){order, type});
}

START_TEST(pixel_has_the_bytes_of_its_channels)
{
    ck_assert_uint_eq(bytes(CL_R, CL_UNORM_INT8), 1);
    ck_assert_uint_eq(bytes(CL_RG, CL_HALF_FLOAT), 4);
    ck_assert_uint_eq(bytes(CL_Rx, CL_FLOAT), 8);
    ck_assert_uint_eq(bytes(CL_RGx, CL_SIGNED_INT16), 6);
    ck_assert_uint_eq(bytes(CL_RGBA, CL_UNSIGNED_INT32), 16);
    ck_assert_uint_eq(bytes(CL_BGRA, CL_UNORM_INT8), 4);
    ck_assert_uint_eq(bytes(CL_ABGR, CL_SNORM_INT8), 4);
    ck_assert_uint_eq(bytes(CL_DEPTH, CL_UNORM_INT16), 2);
    ck_assert_uint_eq(bytes(CL_sRGBA, CL_UNORM_INT8), 4);
    ck_assert_uint_eq(bytes(CL_LUMINANCE, CL_SNORM_INT16), 2);
}
END_TEST

START_TEST(channels_that_share_a_word_count_once)
{
    ck_assert_uint_eq(bytes(CL_RGB, CL_UNORM_SHORT_565), 2);
    ck_assert_uint_eq(bytes(CL_RGBx, CL_UNORM_SHORT_555), 2);
    ck_assert_uint_eq(bytes(CL_RGB, CL_UNORM_INT_101010), 4);
    ck_assert_uint_eq(bytes(CL_RGBA, CL_UNORM_INT_101010_2), 4);
}
END_TEST

START_TEST(pairs_without_meaning_have_no_size)
{
    ck_assert_uint_eq(bytes(CL_RGB, CL_UNORM_INT8), 0);
    ck_assert_uint_eq(bytes(CL_R, CL_UNORM_SHORT_565), 0);
    ck_assert_uint_eq(bytes(CL_RGB, CL_UNORM_INT_101010_2), 0);
    ck_assert_uint_eq(bytes(CL_INTENSITY, CL_SIGNED_INT8), 0);
    ck_assert_uint_eq(bytes(CL_DEPTH, CL_UNORM_INT8), 0);
    ck_assert_uint_eq(bytes(CL_DEPTH_STENCIL, CL_UNORM_INT24), 0);
    ck_assert_uint_eq(bytes(CL_R - 1, CL_FLOAT), 0);
    ck_assert_uint_eq(bytes(CL_ABGR + 1, CL_FLOAT), 0);
    ck_assert_uint_eq(bytes(CL_R, CL_SNORM_INT8 - 1), 0);
    ck_assert_uint_eq(bytes(CL_R, CL_UNORM_INT_101010_2 + 1), 0);
}
END_TEST

// Counted in the table of the specification: 19 orders, not all with all types.
START_TEST(no_other_pair_has_a_size)
{
    int count = 0;

    for (cl_channel_order order = 0x1000; order < 0x1200; order++)
        for (cl_channel_type type = 0x1000; type < 0x1200; type++)
            count += bytes(order, type) > 0;
    // R A RG RA Rx RGx and RGBA: 12 types; RGBA one more; INTENSITY, LUMINANCE: 6;
    // RGB RGBx: 3; BGRA ARGB ABGR: 4; DEPTH: 2; sRGB sRGBx sRGBA sBGRA: 1.
    ck_assert_int_eq(count, 7 * 12 + 1 + 2 * 6 + 2 * 3 + 3 * 4 + 2 + 4);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("image_format");
    TCase *t = tcase_create("unit");

    tcase_add_test(t, pixel_has_the_bytes_of_its_channels);
    tcase_add_test(t, channels_that_share_a_word_count_once);
    tcase_add_test(t, pairs_without_meaning_have_no_size);
    tcase_add_test(t, no_other_pair_has_a_size);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
