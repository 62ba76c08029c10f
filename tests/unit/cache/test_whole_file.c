// SPDX-License-Identifier: MIT
#include "cache/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include "support/suite.h"

// More than a pipe holds.
enum { BYTES = 1 << 20 };

static char sent[BYTES], got[BYTES];

START_TEST(parts_are_put_together)
{
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    ck_assert(tf_file_write(ends[1], "ab", 2));
    ck_assert(tf_file_write(ends[1], "cd", 2));
    ck_assert(tf_file_read(ends[0], got, 4));
    ck_assert(!memcmp(got, "abcd", 4));
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(too_few_bytes_are_none)
{
    int ends[2];

    ck_assert_int_eq(pipe(ends), 0);
    ck_assert(tf_file_write(ends[1], "abc", 3));
    close(ends[1]);
    ck_assert(!tf_file_read(ends[0], got, 4));
    ck_assert(tf_file_read(ends[0], got, 0));
    close(ends[0]);
}
END_TEST

START_TEST(errors_are_told)
{
    ck_assert(!tf_file_read(-1, got, 1));
    ck_assert(!tf_file_write(-1, sent, 1));
}
END_TEST

static void *send_all(void *end)
{
    sigset_t all;

    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, NULL);
    for (size_t at = 0; at < BYTES; at += BYTES / 64) {
        usleep(1000);
        ck_assert(tf_file_write(*(int *)end, sent + at, BYTES / 64));
    }
    return NULL;
}

static void nothing(int number)
{
    (void)number;
}

START_TEST(signals_do_not_cut)
{
    const struct sigaction action = {.sa_handler = nothing}; // without SA_RESTART
    const struct itimerval often = {{0, 500}, {0, 500}}, never = {{0, 0}, {0, 0}};
    pthread_t sender;
    int ends[2];

    for (size_t i = 0; i < BYTES; i++)
        sent[i] = (char)(i * 7 + i / 251);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(sigaction(SIGALRM, &action, NULL), 0);
    ck_assert_int_eq(pthread_create(&sender, NULL, send_all, &ends[1]), 0);
    ck_assert_int_eq(setitimer(ITIMER_REAL, &often, NULL), 0);
    ck_assert(tf_file_read(ends[0], got, BYTES));
    ck_assert_int_eq(setitimer(ITIMER_REAL, &never, NULL), 0);
    ck_assert_int_eq(pthread_join(sender, NULL), 0);
    ck_assert(!memcmp(sent, got, BYTES));
    close(ends[0]);
    close(ends[1]);
}
END_TEST

START_TEST(what_is_made_is_the_owners_and_not_inherited)
{
    char folder[] = "/tmp/tf-file-XXXXXX";
    struct stat facts;
    int top, fd;

    ck_assert_ptr_nonnull(mkdtemp(folder));
    top = tf_file_open(AT_FDCWD, folder, O_RDONLY | O_DIRECTORY);
    fd = tf_file_open(top, "new", O_WRONLY | O_CREAT | O_EXCL);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fcntl(fd, F_GETFD), FD_CLOEXEC);
    ck_assert_int_eq(fstat(fd, &facts), 0);
    ck_assert_uint_eq(facts.st_mode & 077, 0);
    close(fd);
    ck_assert_int_lt(tf_file_open(top, "new", O_WRONLY | O_CREAT | O_EXCL), 0);
    ck_assert_int_eq(errno, EEXIST);
    ck_assert_int_eq(unlinkat(top, "new", 0), 0);
    close(top);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("whole_file");
    TCase *tcase = tcase_create("file");

    tcase_add_test(tcase, parts_are_put_together);
    tcase_add_test(tcase, too_few_bytes_are_none);
    tcase_add_test(tcase, errors_are_told);
    tcase_add_test(tcase, signals_do_not_cut);
    tcase_add_test(tcase, what_is_made_is_the_owners_and_not_inherited);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
