// SPDX-License-Identifier: MIT
// How tests fork (support/forks.h): a child hangs on no lock of a sanitizer's allocator.
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forks.h"
#include "support/limits.h"
#include "support/suite.h"

enum { STARTS = 60, BLOCKS = 300 };

static atomic_bool stop;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static void *run_then_sleep(void *arg)
{
    while (!atomic_load(&stop))
        ;
    pthread_mutex_lock(&lock); // the test holds it
    pthread_mutex_unlock(&lock);
    return arg;
}

START_TEST(threads_rest_while_all_others_sleep)
{
    pthread_t thread;

    ck_assert(tf_threads_rest(1000)); // there are none
    pthread_mutex_lock(&lock);
    ck_assert_int_eq(pthread_create(&thread, NULL, run_then_sleep, NULL), 0);
    ck_assert(!tf_threads_rest(100));
    atomic_store(&stop, true);
    ck_assert(tf_threads_rest(TEST_LIMIT_S * 1000));
    pthread_mutex_unlock(&lock);
    pthread_join(thread, NULL);
}
END_TEST

// Blocks of many sizes, all there at once. Check's own lock is for the test's thread
// alone.
static void use_allocator(void)
{
    char *blocks[BLOCKS];

    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = malloc((size_t)i * 37 + 8);
        if (!blocks[i])
            abort();
        blocks[i][0] = 1;
    }
    for (int i = 0; i < BLOCKS; i++)
        free(blocks[i]);
}

static void *allocate_then_sleep(void *arg)
{
    use_allocator();
    pthread_mutex_lock(&lock);
    pthread_mutex_unlock(&lock);
    return arg;
}

static void check_child(void)
{
    pid_t child = tf_fork();
    int status = -1;

    ck_assert_int_ge(child, 0);
    if (child == 0) {
        signal(SIGALRM, SIG_DFL); // Check's handler would end the parent, too
        alarm(TEST_LIMIT_S);
        use_allocator();
        _exit(0);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}

START_TEST(child_may_allocate_whatever_threads_have_just_started)
{
    pthread_t threads[STARTS];

    pthread_mutex_lock(&lock);
    for (int i = 0; i < STARTS; i++) {
        ck_assert_int_eq(pthread_create(&threads[i], NULL, allocate_then_sleep, NULL), 0);
        check_child();
    }
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < STARTS; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("forks");
    TCase *tcase = tcase_create("forks");

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, threads_rest_while_all_others_sleep);
    tcase_add_test(tcase, child_may_allocate_whatever_threads_have_just_started);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
