// SPDX-License-Identifier: MIT
// Settings, and what their table promises. Each test is a process of its own: values are
// read once.
#include "base/env.h"

#include <string.h>

#include "support/suite.h"

START_TEST(every_variable_is_described)
{
    for (int i = 0; i < TF_ENV_COUNT; i++) {
        const struct tf_env_entry *entry = tf_env_entry((enum tf_env)i);

        ck_assert_ptr_nonnull(entry->name);
        ck_assert_ptr_eq(strstr(entry->name, "TREFOIL_"), entry->name);
        ck_assert_uint_gt(strlen(entry->help), 10);
    }
}
END_TEST

START_TEST(values_are_read_once)
{
    setenv("TREFOIL_ISA", "avx2", 1);
    setenv("TREFOIL_WG", "", 1);
    unsetenv("TREFOIL_DUMP");
    ck_assert_str_eq(tf_env_text(TF_ENV_ISA), "avx2");
    setenv("TREFOIL_ISA", "sse2", 1);
    ck_assert_str_eq(tf_env_text(TF_ENV_ISA), "avx2");
    ck_assert_ptr_null(tf_env_text(TF_ENV_WG)); // empty is unset
    ck_assert_ptr_null(tf_env_text(TF_ENV_DUMP));
}
END_TEST

static const struct {
    const char *text;
    long wanted;
} numbers[] = {
    {"7", 7},  {"0x10", 16}, {"1", 1},   {"100", 100},
    {"0", 3},  {"101", 3},   {"-5", 3},  {"7x", 3},
    {"x7", 3}, {" ", 3},     {"1e2", 3}, {"99999999999999999999", 3},
};

START_TEST(numbers_are_checked)
{
    setenv("TREFOIL_THREADS", numbers[_i].text, 1);
    ck_assert_int_eq(tf_env_number(TF_ENV_THREADS, 1, 100, 3), numbers[_i].wanted);
}
END_TEST

START_TEST(lists_are_searched_by_whole_words)
{
    setenv("TREFOIL_DUMP", "link,asm", 1);
    setenv("TREFOIL_LOG", "all", 1);
    unsetenv("TREFOIL_WG");
    ck_assert(tf_env_lists(TF_ENV_DUMP, "link"));
    ck_assert(tf_env_lists(TF_ENV_DUMP, "asm"));
    ck_assert(!tf_env_lists(TF_ENV_DUMP, "as"));
    ck_assert(!tf_env_lists(TF_ENV_DUMP, "wg"));
    ck_assert(tf_env_lists(TF_ENV_LOG, "queue"));
    ck_assert(!tf_env_lists(TF_ENV_WG, "loops"));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("env");
    TCase *tcase = tcase_create("env");

    tcase_add_test(tcase, every_variable_is_described);
    tcase_add_test(tcase, values_are_read_once);
    tcase_add_test(tcase, lists_are_searched_by_whole_words);
    tcase_add_loop_test(tcase, numbers_are_checked, 0,
                        sizeof(numbers) / sizeof(numbers[0]));
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
