// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_generator.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/resource.h>
#include <unistd.h>

#include "support/limits.h"
#include "support/suite.h"

enum { POSTERS = 8, JOBS = 500 };

static struct tf_generator_job jobs[POSTERS][JOBS];
static atomic_int done;
static pthread_barrier_t begin;

static void count(struct tf_generator_job *job)
{
    (void)job;
    atomic_fetch_add(&done, 1);
}

static void *post_all(void *arg)
{
    struct tf_generator_job *mine = arg;

    pthread_barrier_wait(&begin);
    for (int i = 0; i < JOBS; i++) {
        mine[i].run = count;
        tf_generator_post(&mine[i], i % TF_GENERATOR_TURNS);
    }
    return NULL;
}

static void post_from_many_threads(void (*meanwhile)(void))
{
    pthread_t posters[POSTERS];

    pthread_barrier_init(&begin, NULL, POSTERS + 1);
    for (int i = 0; i < POSTERS; i++)
        ck_assert_int_eq(pthread_create(&posters[i], NULL, post_all, jobs[i]), 0);
    if (meanwhile)
        meanwhile();
    pthread_barrier_wait(&begin);
    for (int i = 0; i < POSTERS; i++)
        ck_assert_int_eq(pthread_join(posters[i], NULL), 0);
}

START_TEST(every_job_is_done)
{
    post_from_many_threads(NULL);
    ck_assert(TEST_UNTIL(atomic_load(&done) == POSTERS * JOBS));
}
END_TEST

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__) // reserve all of it
// No address space for the stack of another thread.
static void forbid_threads(void)
{
    const struct rlimit none = {1 << 20, RLIM_INFINITY};
    pthread_t thread;

    ck_assert_int_eq(setrlimit(RLIMIT_AS, &none), 0);
    ck_assert_int_ne(pthread_create(&thread, NULL, post_all, NULL), 0);
}

START_TEST(without_threads_posters_do_every_job)
{
    post_from_many_threads(forbid_threads);
    ck_assert_int_eq(atomic_load(&done), POSTERS * JOBS);
}
END_TEST
#endif

int main(void)
{
    Suite *suite = suite_create("cpu_generator");
    TCase *tcase = tcase_create("cpu_generator");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, every_job_is_done);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    tcase_add_test(tcase, without_threads_posters_do_every_job);
#endif
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
