// SPDX-License-Identifier: MIT
// Settings, and what their table promises. Each test is a process of its own: values are
// read once.
#include "base/env.h"

#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <unistd.h>

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

// Words and ranges are told from the table, and described by hand beside it.
START_TEST(descriptions_have_every_word)
{
    for (int i = 0; i < TF_ENV_COUNT; i++) {
        const struct tf_env_entry *entry = tf_env_entry((enum tf_env)i);
        char words[200], *save = NULL;

        if (!entry->words)
            continue;
        ck_assert_uint_lt(strlen(entry->words), sizeof(words));
        strcpy(words, entry->words);
        for (char *word = strtok_r(words, ",", &save); word;
             word = strtok_r(NULL, ",", &save))
            ck_assert_msg(strstr(entry->help, word) || i == TF_ENV_DUMP, "%s: %s",
                          entry->name, word);
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
    {"7", 7},  {"0x10", 16}, {"1", 1},   {"1024", 1024},
    {"0", 3},  {"1025", 3},  {"-5", 3},  {"7x", 3},
    {"x7", 3}, {" ", 3},     {"1e2", 3}, {"99999999999999999999", 3},
};

START_TEST(numbers_are_checked)
{
    setenv("TREFOIL_THREADS", numbers[_i].text, 1);
    ck_assert_int_eq(tf_env_number(TF_ENV_THREADS, 3), numbers[_i].wanted);
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

// What tf_env_tell() says where `name` has that value and nothing else is set.
static const char *told(const char *name, const char *value)
{
    static char out[8192];
    int ends[2];
    ssize_t n;

    for (int i = 0; i < TF_ENV_COUNT; i++)
        unsetenv(tf_env_entry((enum tf_env)i)->name);
    setenv(name, value, 1);
    ck_assert_int_eq(pipe(ends), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    dup2(ends[1], STDERR_FILENO);
    tf_env_tell();
    tf_env_tell(); // once
    n = read(ends[0], out, sizeof(out) - 1);
    out[n > 0 ? n : 0] = 0;
    return out;
}

static const struct {
    const char *name, *value, *line; // line NULL: nothing is said
} values[] = {
    {"TREFOIL_WG", "lops",
     "trefoil: TREFOIL_WG=lops: ignored, it takes auto, loops, fibers, simt, "
     "gang_fibers\n"},
    {"TREFOIL_WG", "loops,simt",
     "trefoil: TREFOIL_WG=loops,simt: ignored, it takes auto, loops, fibers, simt, "
     "gang_fibers\n"},
    {"TREFOIL_ISA", "a\nb\x7f",
     "trefoil: TREFOIL_ISA=a?b?: ignored, it takes sse2, sse4.2, avx2, avx512\n"},
    {"TREFOIL_THREADS", "0",
     "trefoil: TREFOIL_THREADS=0: ignored, it takes a number from 1 to 1024\n"},
    {"TREFOIL_CACHE_SIZE", "1G",
     "trefoil: TREFOIL_CACHE_SIZE=1G: ignored, it takes a number from 0 to 1048576\n"},
    {"TREFOIL_CHECK", "racing",
     "trefoil: TREFOIL_CHECK=racing: ignored, it takes a list of memory, races, "
     "uninitialized, divergence, all, none\n"},
    {"TREFOIL_CHECK", "memory,racing",
     "trefoil: TREFOIL_CHECK=memory,racing: what it does not know is ignored, it takes a "
     "list of memory, races, uninitialized, divergence, all, none\n"},
    {"TREFOIL_WG", "simt", NULL},
    {"TREFOIL_PERF", "jitdump", NULL},
    {"TREFOIL_THREADS", "0x10", NULL},
    {"TREFOIL_VENDOR_ID", "4294967295", NULL},
    {"TREFOIL_LOG", "api,error", NULL},
    {"TREFOIL_LOG", "none", NULL},
    {"TREFOIL_CACHE", "/nowhere/in,particular", NULL},
    {"TREFOIL_DUMP", "", NULL},
};

START_TEST(what_is_not_taken_is_told)
{
    enum tf_env var = 0;

    ck_assert_str_eq(told(values[_i].name, values[_i].value),
                     values[_i].line ? values[_i].line : "");
    while (strcmp(tf_env_entry(var)->name, values[_i].name))
        var++;
    if (values[_i].line)
        ck_assert_str_eq(tf_env_unknown(var), values[_i].value);
    else
        ck_assert_ptr_null(tf_env_unknown(var));
}
END_TEST

START_TEST(long_values_are_cut_where_they_are_told)
{
    static char text[2 * 4096];
    const char *line;

    memset(text, 'a', sizeof(text) - 1);
    line = told("TREFOIL_CACHE", text);
    ck_assert_ptr_null(tf_env_text(TF_ENV_CACHE));
    ck_assert_ptr_nonnull(strstr(line, "aa..: ignored, it takes at most 4095 bytes\n"));
    ck_assert_uint_lt(strlen(line), 200);
}
END_TEST

// Its length is not what is wrong with it.
START_TEST(long_values_are_told_the_words_that_there_are)
{
    static char text[4096];

    memset(text, 'a', sizeof(text) - 1);
    ck_assert_ptr_nonnull(strstr(told("TREFOIL_CHECK_ACTION", text),
                                 "aa..: ignored, it takes log, fail, abort\n"));
}
END_TEST

static void *tell_cancelled(void *has_ended)
{
    pthread_cancel(pthread_self());
    tf_env_tell();
    *(bool *)has_ended = true;
    return NULL;
}

// The entry points are no places where a thread is cancelled.
START_TEST(a_cancelled_thread_tells_all)
{
    bool has_ended = false;
    pthread_t thread;

    setenv("TREFOIL_WG", "lops", 1);
    ck_assert_int_eq(pthread_create(&thread, NULL, tell_cancelled, &has_ended), 0);
    ck_assert_int_eq(pthread_join(thread, NULL), 0);
    ck_assert(has_ended);
}
END_TEST

START_TEST(what_is_not_taken_counts_as_unset)
{
    setenv("TREFOIL_WG", "lops", 1);
    setenv("TREFOIL_LOG", "eror,api,,build", 1);
    setenv("TREFOIL_DUMP", "none", 1);
    setenv("TREFOIL_CHECK", "racing", 1);
    setenv("TREFOIL_WIDTH", "3", 1);
    ck_assert_ptr_null(tf_env_text(TF_ENV_WG));
    ck_assert_str_eq(tf_env_text(TF_ENV_LOG), "api,build");
    ck_assert_ptr_null(tf_env_text(TF_ENV_DUMP));
    ck_assert_ptr_null(tf_env_text(TF_ENV_CHECK));
    ck_assert_int_eq(tf_env_number(TF_ENV_WIDTH, 0), 0);
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
    tcase_add_test(tcase, descriptions_have_every_word);
    tcase_add_loop_test(tcase, what_is_not_taken_is_told, 0,
                        sizeof(values) / sizeof(values[0]));
    tcase_add_test(tcase, long_values_are_cut_where_they_are_told);
    tcase_add_test(tcase, long_values_are_told_the_words_that_there_are);
    tcase_add_test(tcase, a_cancelled_thread_tells_all);
    tcase_add_test(tcase, what_is_not_taken_counts_as_unset);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
