// SPDX-License-Identifier: MIT
// Which launches are expected to be short.
#include "devices/cpu/run/cpu_pace.h"

#include "devices/cpu/program/cpu_program.h"
#include "support/suite.h"

enum { KERNELS = 2 };

static struct tf_cpu_kernel kernels[KERNELS * TF_SLOT_VARIANT];
static const struct tf_devprog prog = {.kernels = kernels, .kernel_count = KERNELS};

START_TEST(of_what_is_not_known_nothing_is_expected)
{
    ck_assert(!tf_pace_is_short(&prog, 0, 2));
    tf_pace_note(&prog, 0, 2, 100);
    ck_assert(tf_pace_is_short(&prog, 0, 2));
    ck_assert(!tf_pace_is_short(&prog, 1, 2));
}
END_TEST

START_TEST(more_items_take_longer)
{
    tf_pace_note(&prog, 0, 10, TF_PACE_SHORT_NS / 2);
    ck_assert(tf_pace_is_short(&prog, 0, 19));
    ck_assert(!tf_pace_is_short(&prog, 0, 21));
    tf_pace_note(&prog, 0, 1000, 10);
    ck_assert(tf_pace_is_short(&prog, 0, 10000));
    ck_assert(!tf_pace_is_short(&prog, 0, UINT64_MAX));
}
END_TEST

START_TEST(the_last_launch_counts)
{
    tf_pace_note(&prog, 0, 4, 400);
    tf_pace_note(&prog, 0, 4, UINT64_MAX);
    ck_assert(!tf_pace_is_short(&prog, 0, 2));
    tf_pace_note(&prog, 0, 4, 400);
    ck_assert(tf_pace_is_short(&prog, 0, 4));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_pace");
    TCase *tcase = tcase_create("pace");

    tcase_add_test(tcase, of_what_is_not_known_nothing_is_expected);
    tcase_add_test(tcase, more_items_take_longer);
    tcase_add_test(tcase, the_last_launch_counts);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
