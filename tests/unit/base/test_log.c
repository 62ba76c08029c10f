// SPDX-License-Identifier: MIT
// Each test is a process of its own: the setting is read once.
#include "base/log.h"

#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "support/suite.h"

enum { THREADS = 4, LINES = 200, LINE_BYTES = 100 };

// From here on stderr is a pipe; returns the end to read from, which never blocks.
static int catch_stderr(const char *setting)
{
    int ends[2];

    if (setting)
        setenv("TREFOIL_LOG", setting, 1);
    else
        unsetenv("TREFOIL_LOG");
    ck_assert_int_eq(pipe(ends), 0);
    fcntl(ends[0], F_SETFL, O_NONBLOCK);
    fcntl(ends[0], F_SETPIPE_SZ, 1 << 20);
    dup2(ends[1], STDERR_FILENO);
    return ends[0];
}

// What tf_log() writes for an error line, with TREFOIL_LOG set to `setting`.
static const char *logged(const char *setting, const char *text)
{
    static char out[4096];
    const int end = catch_stderr(setting);
    ssize_t n;

    tf_log(TF_LOG_ERROR, "%s", text);
    n = read(end, out, sizeof(out) - 1);
    out[n > 0 ? n : 0] = 0;
    return out;
}

START_TEST(silent_by_default)
{
    ck_assert_str_eq(logged(NULL, "text"), "");
    ck_assert(!tf_log_on(TF_LOG_ERROR));
}
END_TEST

START_TEST(categories_are_listed)
{
    ck_assert_str_eq(logged("queue,error,nonsense", "text"), "trefoil: error: text\n");
    ck_assert(tf_log_on(TF_LOG_QUEUE));
    ck_assert(!tf_log_on(TF_LOG_API));
    ck_assert(!tf_log_on(TF_LOG_BUILD));
}
END_TEST

START_TEST(all_are_on)
{
    ck_assert_str_eq(logged("all", "text"), "trefoil: error: text\n");
    for (int i = 0; i < TF_LOG_CATEGORIES; i++)
        ck_assert(tf_log_on((enum tf_log_category)i));
}
END_TEST

START_TEST(names_must_be_whole)
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

// A line that just fits, and those around it, lose nothing but what does not fit.
START_TEST(every_length_ends_with_one_line)
{
    const int end = catch_stderr("error");
    char text[1100], out[2000];

    for (size_t length = 980; length < sizeof(text); length++) {
        ssize_t n;

        memset(text, 'x', length);
        text[length] = 0;
        tf_log(TF_LOG_ERROR, "%s", text);
        n = read(end, out, sizeof(out));
        ck_assert_int_gt(n, 980);
        ck_assert_ptr_eq(memchr(out, '\n', (size_t)n), out + n - 1);
        ck_assert_ptr_null(memchr(out, 0, (size_t)n));
        ck_assert(length > 1000 || (size_t)n == strlen("trefoil: error: ") + length + 1);
    }
}
END_TEST

static void *write_lines(void *arg)
{
    char text[LINE_BYTES + 1];

    memset(text, *(char *)arg, LINE_BYTES);
    text[LINE_BYTES] = 0;
    for (int i = 0; i < LINES; i++)
        tf_log(TF_LOG_ERROR, "%s", text);
    return NULL;
}

START_TEST(lines_of_threads_do_not_mix)
{
    const int end = catch_stderr("error");
    char letters[THREADS], out[THREADS * LINES * (LINE_BYTES + 20)], *line = out;
    pthread_t threads[THREADS];
    int lines = 0;
    ssize_t n;

    for (int i = 0; i < THREADS; i++) {
        letters[i] = (char)('a' + i);
        pthread_create(&threads[i], NULL, write_lines, &letters[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    n = read(end, out, sizeof(out) - 1);
    ck_assert_int_gt(n, 0);
    for (out[n] = 0; *line; lines++) {
        const char *text = line + strlen("trefoil: error: ");

        for (int i = 0; i < LINE_BYTES; i++)
            ck_assert_int_eq(text[i], text[0]);
        ck_assert_int_eq(text[LINE_BYTES], '\n');
        line = (char *)text + LINE_BYTES + 1;
    }
    ck_assert_int_eq(lines, THREADS * LINES);
}
END_TEST

START_TEST(closed_stderr_is_no_error)
{
    setenv("TREFOIL_LOG", "all", 1);
    close(STDERR_FILENO);
    tf_log(TF_LOG_ERROR, "nobody reads this");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("log");
    TCase *tcase = tcase_create("log");

    tcase_add_test(tcase, silent_by_default);
    tcase_add_test(tcase, categories_are_listed);
    tcase_add_test(tcase, all_are_on);
    tcase_add_test(tcase, names_must_be_whole);
    tcase_add_test(tcase, long_lines_are_cut_and_ended);
    tcase_add_test(tcase, every_length_ends_with_one_line);
    tcase_add_test(tcase, lines_of_threads_do_not_mix);
    tcase_add_test(tcase, closed_stderr_is_no_error);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
