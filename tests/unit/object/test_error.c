// SPDX-License-Identifier: MIT
#include "core/object/error.h"

#include <string.h>

#include "support/suite.h"

START_TEST(first_failure_wins)
{
    struct tf_err err = {0};

    ck_assert_int_eq(tf_fail(&err, CL_INVALID_VALUE, "%d of %s", 3, "four"),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(tf_fail(&err, CL_INVALID_EVENT, "another"), CL_INVALID_EVENT);
    ck_assert_int_eq(err.code, CL_INVALID_VALUE);
    ck_assert_str_eq(err.text, "3 of four");
}
END_TEST

START_TEST(long_text_is_cut)
{
    struct tf_err err = {0};
    char text[1000];

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = 0;
    tf_fail(&err, CL_INVALID_VALUE, "%s", text);
    ck_assert_uint_eq(strlen(err.text), sizeof(err.text) - 1);
}
END_TEST

START_TEST(begun_error_is_empty)
{
    struct tf_err err;

    memset(&err, 0xa5, sizeof(err));
    tf_err_begin(&err);
    ck_assert_int_eq(err.code, CL_SUCCESS);
    ck_assert_ptr_null(err.ctx);
}
END_TEST

static cl_int check_small(struct tf_err *err, int value)
{
    TF_REQUIRE(err, value < 10, CL_INVALID_VALUE, "%d is too large", value);
    return CL_SUCCESS;
}

START_TEST(requirement_returns_its_code)
{
    struct tf_err err = {0};

    ck_assert_int_eq(check_small(&err, 9), CL_SUCCESS);
    ck_assert_int_eq(check_small(&err, 10), CL_INVALID_VALUE);
    ck_assert_str_eq(err.text, "10 is too large");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("error");
    TCase *tcase = tcase_create("error");

    tcase_add_test(tcase, first_failure_wins);
    tcase_add_test(tcase, long_text_is_cut);
    tcase_add_test(tcase, begun_error_is_empty);
    tcase_add_test(tcase, requirement_returns_its_code);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
