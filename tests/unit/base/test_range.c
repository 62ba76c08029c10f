// SPDX-License-Identifier: MIT
#include "base/range.h"

#include <stdint.h>

#include "support/suite.h"

START_TEST(range_lies_inside)
{
    ck_assert(tf_range_ok(0, 0, 0));
    ck_assert(tf_range_ok(0, 10, 10));
    ck_assert(tf_range_ok(10, 0, 10)); // empty, at the end
    ck_assert(tf_range_ok(9, 1, 10));
    ck_assert(tf_range_ok(0, SIZE_MAX, SIZE_MAX));
    ck_assert(tf_range_ok(SIZE_MAX, 0, SIZE_MAX));
}
END_TEST

START_TEST(range_that_leaves_is_refused)
{
    ck_assert(!tf_range_ok(0, 1, 0));
    ck_assert(!tf_range_ok(10, 1, 10));
    ck_assert(!tf_range_ok(11, 0, 10));
    ck_assert(!tf_range_ok(1, 10, 10));
}
END_TEST

// Sums that would wrap to something small.
START_TEST(range_does_not_wrap)
{
    ck_assert(!tf_range_ok(SIZE_MAX, 2, 10));
    ck_assert(!tf_range_ok(2, SIZE_MAX, 10));
    ck_assert(!tf_range_ok(SIZE_MAX, SIZE_MAX, SIZE_MAX));
    ck_assert(!tf_range_ok(SIZE_MAX - 1, 2, SIZE_MAX));
}
END_TEST

START_TEST(overflow_is_told)
{
    size_t out;

    ck_assert(!tf_mul_overflow(SIZE_MAX / 2, (size_t)2, &out));
    ck_assert_uint_eq(out, SIZE_MAX - 1);
    ck_assert(tf_mul_overflow(SIZE_MAX / 2 + 1, (size_t)2, &out));
    ck_assert(!tf_add_overflow(SIZE_MAX - 1, (size_t)1, &out));
    ck_assert_uint_eq(out, SIZE_MAX);
    ck_assert(tf_add_overflow(SIZE_MAX, (size_t)1, &out));
}
END_TEST

START_TEST(rounding_up_does_not_wrap)
{
    size_t out;

    ck_assert(tf_round_up(0, 8, &out) && out == 0);
    ck_assert(tf_round_up(1, 8, &out) && out == 8);
    ck_assert(tf_round_up(8, 8, &out) && out == 8);
    ck_assert(tf_round_up(SIZE_MAX - 7, 8, &out) && out == SIZE_MAX - 7);
    ck_assert(!tf_round_up(SIZE_MAX - 6, 8, &out));
    ck_assert(!tf_round_up(SIZE_MAX, 8, &out));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("range");
    TCase *tcase = tcase_create("range");

    tcase_add_test(tcase, range_lies_inside);
    tcase_add_test(tcase, range_that_leaves_is_refused);
    tcase_add_test(tcase, range_does_not_wrap);
    tcase_add_test(tcase, overflow_is_told);
    tcase_add_test(tcase, rounding_up_does_not_wrap);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
