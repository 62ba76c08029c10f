// SPDX-License-Identifier: MIT
// Settings, the log that they switch on, and what the table promises. Each test is a
// process of its own: values are read once.
#include "base/env.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
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

// What tf_log() writes to stderr for an error line, with TREFOIL_LOG set to `setting`.
static const char *logged(const char *setting, const char *text)
{
    static char out[4096];
    int pipe_ends[2];
    ssize_t n;

    if (setting)
        setenv("TREFOIL_LOG", setting, 1);
    else
        unsetenv("TREFOIL_LOG");
    ck_assert_int_eq(pipe(pipe_ends), 0);
    fcntl(pipe_ends[0], F_SETFL, O_NONBLOCK);
    dup2(pipe_ends[1], STDERR_FILENO);
    tf_log(TF_LOG_ERROR, "%s", text);
    n = read(pipe_ends[0], out, sizeof(out) - 1);
    out[n > 0 ? n : 0] = 0;
    return out;
}

START_TEST(log_is_silent_by_default)
{
    ck_assert_str_eq(logged(NULL, "text"), "");
    ck_assert(!tf_log_on(TF_LOG_ERROR));
}
END_TEST

START_TEST(log_lists_categories)
{
    ck_assert_str_eq(logged("queue,error,nonsense", "text"), "trefoil: error: text\n");
    ck_assert(tf_log_on(TF_LOG_QUEUE));
    ck_assert(!tf_log_on(TF_LOG_API));
    ck_assert(!tf_log_on(TF_LOG_BUILD));
}
END_TEST

START_TEST(log_of_all)
{
    ck_assert_str_eq(logged("all", "text"), "trefoil: error: text\n");
    for (int i = 0; i < TF_LOG_CATEGORIES; i++)
        ck_assert(tf_log_on((enum tf_log_category)i));
}
END_TEST

START_TEST(log_needs_whole_names)
{
    ck_assert_str_eq(logged("errors,err", "text"), "");
}
END_TEST

START_TEST(long_lines_are_cut_and_ended)
{
    char text[3000];
    const char *line;

    memset(text, 'x', sizeof(text) - 1);
    text[sizeof(text) - 1] = 0;
    line = logged("error", text);
    ck_assert_uint_gt(strlen(line), 500);
    ck_assert_uint_le(strlen(line), 1024);
    ck_assert_int_eq(line[strlen(line) - 1], '\n');
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
    tcase_add_test(tcase, log_is_silent_by_default);
    tcase_add_test(tcase, log_lists_categories);
    tcase_add_test(tcase, log_of_all);
    tcase_add_test(tcase, log_needs_whole_names);
    tcase_add_test(tcase, long_lines_are_cut_and_ended);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
