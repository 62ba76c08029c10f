// SPDX-License-Identifier: MIT
// (That the application is told: unit_core_context.)
#include "core/platform/report_error.h"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "core/object/error.h"
#include "support/suite.h"

// A process of its own: the setting is read once.
START_TEST(report_is_logged)
{
    struct tf_err err = {0};
    char out[400] = "";
    int ends[2];

    setenv("TREFOIL_LOG", "api,error", 1);
    ck_assert_int_eq(pipe(ends), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    dup2(ends[1], STDERR_FILENO);
    ck_assert_int_eq(tf_report(&err, "clFirst"), CL_SUCCESS);
    tf_fail(&err, CL_INVALID_VALUE, "no");
    ck_assert_int_eq(tf_report(&err, "clSecond"), CL_INVALID_VALUE);
    ck_assert_int_gt(read(ends[0], out, sizeof(out) - 1), 0);
    ck_assert_str_eq(out, "trefoil: api: clFirst: 0\n"
                          "trefoil: api: clSecond: -30\n"
                          "trefoil: error: clSecond: error -30 (CL_INVALID_VALUE): no\n");
}
END_TEST

START_TEST(nobody_to_tell_is_no_error)
{
    struct tf_err err = {0};

    ck_assert_int_eq(tf_report(&err, "clSomething"), CL_SUCCESS);
    tf_fail(&err, CL_INVALID_CONTEXT, "no context");
    ck_assert_int_eq(tf_report(&err, "clSomething"), CL_INVALID_CONTEXT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report_error");
    TCase *tcase = tcase_create("report_error");

    tcase_add_test(tcase, report_is_logged);
    tcase_add_test(tcase, nobody_to_tell_is_no_error);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
