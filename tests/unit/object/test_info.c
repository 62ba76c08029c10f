// SPDX-License-Identifier: MIT
// The rules of clGet*Info, once for all.
#include "core/object/info.h"

#include <string.h>

#include "core/object/error.h"
#include "support/suite.h"

START_TEST(value_and_size_are_stored)
{
    struct tf_err err = {0};
    cl_uint value = 0;
    size_t size = 0;
    const struct tf_info info = {sizeof(value), &value, &size};

    ck_assert_int_eq(tf_info_scalar(&err, &info, cl_uint, 42), CL_SUCCESS);
    ck_assert_uint_eq(value, 42);
    ck_assert_uint_eq(size, sizeof(value));
}
END_TEST

START_TEST(size_alone_may_be_asked)
{
    struct tf_err err = {0};
    size_t size = 0;
    const struct tf_info info = {0, NULL, &size}, nothing = {0, NULL, NULL};

    ck_assert_int_eq(tf_info_string(&err, &info, "four"), CL_SUCCESS);
    ck_assert_uint_eq(size, 5);
    ck_assert_int_eq(tf_info_string(&err, &nothing, "four"), CL_SUCCESS);
}
END_TEST

START_TEST(small_room_is_an_error_without_effect)
{
    struct tf_err err = {0};
    char text[5] = "....";
    size_t size = 77;
    const struct tf_info info = {4, text, &size};

    ck_assert_int_eq(tf_info_string(&err, &info, "four"), CL_INVALID_VALUE);
    ck_assert_str_eq(text, "....");
    ck_assert_uint_eq(size, 77);
}
END_TEST

START_TEST(empty_answers)
{
    struct tf_err err = {0};
    char text[4] = "abc";
    size_t size = 9;
    const struct tf_info info = {sizeof(text), text, &size};

    ck_assert_int_eq(tf_info_value(&err, &info, NULL, 0), CL_SUCCESS);
    ck_assert_uint_eq(size, 0);
    ck_assert_str_eq(text, "abc");
    ck_assert_int_eq(tf_info_string(&err, &info, NULL), CL_SUCCESS);
    ck_assert_uint_eq(size, 1);
    ck_assert_str_eq(text, "");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("info");
    TCase *tcase = tcase_create("info");

    tcase_add_test(tcase, value_and_size_are_stored);
    tcase_add_test(tcase, size_alone_may_be_asked);
    tcase_add_test(tcase, small_room_is_an_error_without_effect);
    tcase_add_test(tcase, empty_answers);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
