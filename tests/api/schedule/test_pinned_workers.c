// SPDX-License-Identifier: MIT
// TREFOIL_PIN: each worker stays on one CPU.
#include <sched.h>
#include <stdlib.h>

#include "support/api.h"
#include "support/suite.h"

// The setting is read once, maybe when entry points are looked up.
__attribute__((constructor(101))) static void set_pin(void)
{
    setenv("TREFOIL_PIN", "1", 1);
}

struct seen {
    int *cpus;
};

// On a worker.
static void CL_CALLBACK look(void *arg)
{
    const struct seen *seen = arg;
    cpu_set_t mask;

    *seen->cpus = sched_getaffinity(0, sizeof(mask), &mask) ? -1 : CPU_COUNT(&mask);
}

START_TEST(a_worker_has_one_cpu)
{
    for (int i = 0; i < 20; i++) {
        int cpus = 0;
        struct seen seen = {.cpus = &cpus};

        ck_assert_int_eq(clEnqueueNativeKernel(tf_api.q, look, &seen, sizeof(seen), 0,
                                               NULL, NULL, 0, NULL, NULL),
                         CL_SUCCESS);
        ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
        ck_assert_int_eq(cpus, 1);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("pinned_workers");
    TCase *tests = tcase_create("pinned_workers");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, a_worker_has_one_cpu);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
