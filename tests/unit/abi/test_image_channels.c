// SPDX-License-Identifier: MIT
#include "abi/image_channels.h"

#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "support/suite.h"

static int channel(uint32_t order, int c)
{
    return tf_image_channel_of(tf_image_order_of(order), c);
}

START_TEST(components_have_their_channels)
{
    ck_assert_int_eq(channel(CL_BGRA, 0), 2);
    ck_assert_int_eq(channel(CL_BGRA, 3), 3);
    ck_assert_int_eq(channel(CL_ABGR, 3), 0);
    ck_assert_int_eq(channel(CL_RA, 3), 1);
    ck_assert_int_eq(channel(CL_RA, 1), -1);
    ck_assert_int_eq(channel(CL_RGBx, 3), -1);
    ck_assert_int_eq(channel(CL_DEPTH, 0), 0);
    for (int c = 0; c < 4; c++) {
        ck_assert_int_eq(channel(CL_INTENSITY, c), 0);
        ck_assert_int_eq(channel(CL_LUMINANCE, c), c < 3 ? 0 : -1);
    }
}
END_TEST

START_TEST(names_are_those_of_the_header)
{
    ck_assert_str_eq(tf_image_order_of(CL_RGBA)->name, "CL_RGBA");
    ck_assert_str_eq(tf_image_order_of(CL_sRGBx)->name, "CL_sRGBx");
    ck_assert_str_eq(tf_image_type_of(CL_UNORM_INT_101010_2)->name,
                     "CL_UNORM_INT_101010_2");
    ck_assert_str_eq(tf_image_type_of(CL_HALF_FLOAT)->name, "CL_HALF_FLOAT");
}
END_TEST

START_TEST(others_are_not_found)
{
    ck_assert_ptr_null(tf_image_order_of(CL_R - 1));
    ck_assert_ptr_null(tf_image_order_of(CL_ABGR + 1));
    ck_assert_ptr_null(tf_image_order_of(CL_DEPTH_STENCIL));
    ck_assert_ptr_null(tf_image_type_of(CL_SNORM_INT8 - 1));
    ck_assert_ptr_null(tf_image_type_of(CL_UNORM_INT24));
    ck_assert_ptr_null(tf_image_type_of(CL_UNORM_INT_101010_2 + 1));
}
END_TEST

START_TEST(orders_and_types_go_together_as_specified)
{
    ck_assert(tf_image_order_has(CL_RGBA, CL_UNORM_INT_101010_2));
    ck_assert(!tf_image_order_has(CL_RGB, CL_UNORM_INT_101010_2));
    ck_assert(tf_image_order_has(CL_RGB, CL_UNORM_SHORT_565));
    ck_assert(!tf_image_order_has(CL_RGB, CL_UNORM_INT8));
    ck_assert(tf_image_order_has(CL_BGRA, CL_SIGNED_INT8));
    ck_assert(!tf_image_order_has(CL_BGRA, CL_FLOAT));
    ck_assert(tf_image_order_has(CL_LUMINANCE, CL_HALF_FLOAT));
    ck_assert(!tf_image_order_has(CL_LUMINANCE, CL_SIGNED_INT8));
    ck_assert(tf_image_order_has(CL_DEPTH, CL_UNORM_INT16));
    ck_assert(!tf_image_order_has(CL_DEPTH, CL_UNORM_INT8));
    ck_assert(tf_image_order_has(CL_sRGB, CL_UNORM_INT8));
    ck_assert(!tf_image_order_has(CL_DEPTH_STENCIL, CL_FLOAT));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image_channels");
    TCase *tests = tcase_create("table");

    tcase_add_test(tests, components_have_their_channels);
    tcase_add_test(tests, names_are_those_of_the_header);
    tcase_add_test(tests, others_are_not_found);
    tcase_add_test(tests, orders_and_types_go_together_as_specified);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
