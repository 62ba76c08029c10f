// SPDX-License-Identifier: MIT
// The rules of property lists, once for all.
#include "core/object/props.h"

#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/object/info.h"
#include "support/suite.h"

static const uint64_t names[] = {10, 20};

static cl_int check(const uint64_t *list, size_t *count)
{
    struct tf_err err = {0};

    return tf_props_check(&err, list, names, 2, CL_INVALID_PROPERTY, count);
}

START_TEST(no_list_and_empty_list_differ_in_words)
{
    const uint64_t empty[] = {0};
    size_t count = 9;

    ck_assert_int_eq(check(NULL, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 0);
    ck_assert_int_eq(check(empty, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 1);
}
END_TEST

START_TEST(words_are_counted_with_the_ending)
{
    const uint64_t good[] = {20, 1, 10, 2, 0};
    size_t count = 9;

    ck_assert_int_eq(check(good, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 5);
}
END_TEST

START_TEST(unknown_name_is_refused_and_named)
{
    const uint64_t unknown[] = {10, 1, 0x1234, 1, 0};
    struct tf_err err = {0};
    size_t count = 9;

    ck_assert_int_eq(
        tf_props_check(&err, unknown, names, 2, CL_INVALID_QUEUE_PROPERTIES, &count),
        CL_INVALID_QUEUE_PROPERTIES);
    ck_assert_int_eq(err.code, CL_INVALID_QUEUE_PROPERTIES);
    ck_assert_ptr_nonnull(strstr(err.text, "0x1234"));
    ck_assert_uint_eq(count, 9);
}
END_TEST

START_TEST(name_stands_there_once)
{
    const uint64_t twice[] = {10, 1, 20, 1, 10, 1, 0};
    size_t count;

    ck_assert_int_eq(check(twice, &count), CL_INVALID_PROPERTY);
}
END_TEST

// A list without an end is read no further than its first name that cannot be right.
START_TEST(bad_list_is_read_to_its_first_fault)
{
    const uint64_t endless[] = {10, 1, 20, 1, 10};
    size_t count;

    ck_assert_int_eq(check(endless, &count), CL_INVALID_PROPERTY);
}
END_TEST

START_TEST(value_of_zero_ends_nothing)
{
    const uint64_t zero[] = {10, 0, 20, 7, 0};
    size_t count = 9;

    ck_assert_int_eq(check(zero, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 5);
    ck_assert_uint_eq(tf_props_value(zero, 10, 3), 0);
    ck_assert_uint_eq(tf_props_value(zero, 20, 3), 7);
}
END_TEST

START_TEST(values_are_found_by_name)
{
    const uint64_t list[] = {20, 1, 10, 2, 0};

    ck_assert_uint_eq(tf_props_value(list, 10, 7), 2);
    ck_assert_uint_eq(tf_props_value(list, 30, 7), 7);
    ck_assert_uint_eq(tf_props_value(NULL, 10, 7), 7);
    ck_assert(tf_props_has(list, 20));
    ck_assert(!tf_props_has(list, 1)); // a value is no name
    ck_assert(!tf_props_has(list, 2));
    ck_assert(!tf_props_has(NULL, 10));
}
END_TEST

START_TEST(what_is_kept_is_answered_as_it_was)
{
    uint64_t list[] = {20, 1, 0}, answer[3] = {0};
    const struct tf_info info = {sizeof(answer), answer, NULL};
    struct tf_err err = {0};
    struct tf_props props = {0};

    ck_assert_int_eq(tf_props_keep(&err, &props, NULL, 0), CL_SUCCESS);
    ck_assert_ptr_null(props.words);
    ck_assert_int_eq(tf_props_keep(&err, &props, list, 3), CL_SUCCESS);
    list[1] = 2; // the copy has what was there
    ck_assert_int_eq(tf_props_put(&err, &info, &props), CL_SUCCESS);
    ck_assert_uint_eq(answer[0], 20);
    ck_assert_uint_eq(answer[1], 1);
    tf_props_drop(&props);
}
END_TEST

START_TEST(list_that_cannot_be_kept_is_out_of_memory)
{
    const uint64_t list[] = {0};
    struct tf_err err = {0};
    struct tf_props props = {0};

    tf_alloc_fail_at(0);
    ck_assert_int_eq(tf_props_keep(&err, &props, list, 1), CL_OUT_OF_HOST_MEMORY);
    tf_alloc_fail_at(-1);
    ck_assert_ptr_null(props.words);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("props");
    TCase *tcase = tcase_create("props");

    tcase_add_test(tcase, no_list_and_empty_list_differ_in_words);
    tcase_add_test(tcase, words_are_counted_with_the_ending);
    tcase_add_test(tcase, unknown_name_is_refused_and_named);
    tcase_add_test(tcase, name_stands_there_once);
    tcase_add_test(tcase, bad_list_is_read_to_its_first_fault);
    tcase_add_test(tcase, value_of_zero_ends_nothing);
    tcase_add_test(tcase, values_are_found_by_name);
    tcase_add_test(tcase, what_is_kept_is_answered_as_it_was);
    tcase_add_test(tcase, list_that_cannot_be_kept_is_out_of_memory);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
