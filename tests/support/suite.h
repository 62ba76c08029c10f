// SPDX-License-Identifier: MIT
// main() of a Check program with one suite.
#ifndef TF_TESTS_SUPPORT_SUITE_H
#define TF_TESTS_SUPPORT_SUITE_H

#include <check.h>
#include <stdlib.h>

// Runs and frees the suite; returns the exit status of main().
static inline int tf_run_suite(Suite *suite)
{
    SRunner *runner = srunner_create(suite);
    int failed;

    srunner_run_all(runner, CK_ENV);
    failed = srunner_ntests_failed(runner);
    if (srunner_ntests_run(runner) == 0)
        failed = 1; // nothing ran
    srunner_free(runner);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

#endif // TF_TESTS_SUPPORT_SUITE_H
