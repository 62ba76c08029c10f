// SPDX-License-Identifier: MIT
// The rules of clGet*Info and of property lists, once for all.
#include "core/object/info.h"

#include <string.h>

#include "core/object/error.h"
#include "core/object/props.h"
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

START_TEST(property_lists)
{
    const uint64_t names[] = {10, 20};
    const uint64_t good[] = {20, 1, 10, 2, 0}, unknown[] = {10, 1, 30, 1, 0};
    const uint64_t twice[] = {10, 1, 10, 1, 0}, empty[] = {0};
    struct tf_err err = {0};
    size_t count = 9;

    ck_assert_int_eq(tf_props_check(&err, good, names, 2, -5, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 5);
    ck_assert_uint_eq(tf_props_value(good, 10, 7), 2);
    ck_assert_uint_eq(tf_props_value(good, 30, 7), 7);
    ck_assert(tf_props_has(good, 20));
    ck_assert(!tf_props_has(good, 1)); // a value is no name
    ck_assert_int_eq(tf_props_check(&err, empty, names, 2, -5, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(tf_props_check(&err, NULL, names, 2, -5, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 0);
    ck_assert_uint_eq(tf_props_value(NULL, 10, 7), 7);
    ck_assert_int_eq(tf_props_check(&err, unknown, names, 2, -5, &count), -5);
    ck_assert_int_eq(tf_props_check(&err, twice, names, 2, -6, &count), -6);
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
    tcase_add_test(tcase, property_lists);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
