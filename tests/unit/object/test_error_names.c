// SPDX-License-Identifier: MIT
#include "core/object/error_names.h"

#include <stdbool.h>
#include <string.h>

#include <CL/cl_trefoil.h>

#include "support/suite.h"

START_TEST(every_code_of_the_core_has_a_name)
{
    for (cl_int code = CL_MAX_SIZE_RESTRICTION_EXCEEDED; code < 0; code++) {
        const bool is_none =
            code < CL_KERNEL_ARG_INFO_NOT_AVAILABLE && code > CL_INVALID_VALUE;

        ck_assert_msg(!strcmp(tf_error_name(code), "unknown code") == is_none,
                      "code %d: %s", code, tf_error_name(code));
    }
}
END_TEST

START_TEST(names_are_those_of_the_codes)
{
    ck_assert_str_eq(tf_error_name(-30), "CL_INVALID_VALUE");
    ck_assert_str_eq(tf_error_name(-54), "CL_INVALID_WORK_GROUP_SIZE");
    ck_assert_str_eq(tf_error_name(-1121), "CL_CONTEXT_TERMINATED_KHR");
    ck_assert_str_eq(tf_error_name(-1142), "CL_INVALID_SEMAPHORE_KHR");
    ck_assert_str_eq(tf_error_name(1), "unknown code");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("error_names");
    TCase *tests = tcase_create("names");

    tcase_add_test(tests, every_code_of_the_core_has_a_name);
    tcase_add_test(tests, names_are_those_of_the_codes);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
