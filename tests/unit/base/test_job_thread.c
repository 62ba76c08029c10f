// SPDX-License-Identifier: MIT
#include "base/job_thread.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "support/forks.h"
#include "support/limits.h"
#include "support/suite.h"

enum { COUNT = 10000, THREADS = 4 };

struct numbered {
    struct tf_job job;
    int thread;
    int number;
};

static struct tf_job_thread worker = TF_JOB_THREAD_INITIALIZER("trefoil-test", 0);
static struct numbered jobs[THREADS][COUNT];
static atomic_int next_number[THREADS], faults, done;

static void run(struct tf_job *job)
{
    struct numbered *n = tf_container_of(job, struct numbered, job);

    tf_assert_no_locks();
    if (atomic_fetch_add(&next_number[n->thread], 1) != n->number)
        atomic_fetch_add(&faults, 1);
    atomic_fetch_add(&done, 1);
}

static bool wait_until(int wanted)
{
    return TEST_UNTIL(atomic_load(&done) == wanted);
}

static void *post_all(void *arg)
{
    const int thread = *(int *)arg;

    for (int i = 0; i < COUNT; i += 2) { // two in one list
        jobs[thread][i] = (struct numbered){{&jobs[thread][i + 1].job, run}, thread, i};
        jobs[thread][i + 1] = (struct numbered){{NULL, run}, thread, i + 1};
        tf_job_thread_post(&worker, &jobs[thread][i].job);
    }
    return NULL;
}

START_TEST(jobs_run_once_in_the_order_of_each_thread)
{
    pthread_t threads[THREADS];
    int ids[THREADS];

    for (int i = 0; i < THREADS; i++) {
        ids[i] = i;
        pthread_create(&threads[i], NULL, post_all, &ids[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert(wait_until(THREADS * COUNT));
    ck_assert_int_eq(atomic_load(&faults), 0);
}
END_TEST

static void post_another(struct tf_job *job)
{
    static struct numbered second = {{NULL, run}, 0, 0};

    (void)job;
    tf_job_thread_post(&worker, &second.job);
}

START_TEST(job_may_post)
{
    static struct tf_job first = {NULL, post_another};

    tf_job_thread_post(&worker, &first);
    ck_assert(wait_until(1));
}
END_TEST

static void leave(struct tf_job *job)
{
    (void)job;
    _exit(0);
}

// The child has no such thread: the next post starts one.
START_TEST(forked_child_has_a_thread_of_its_own)
{
    static struct tf_job warm = {NULL, post_another}, last = {NULL, leave};
    int status = -1;
    pid_t child;

    tf_job_thread_post(&worker, &warm);
    ck_assert(wait_until(1));
    child = tf_fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        tf_job_thread_forked(&worker);
        tf_job_thread_post(&worker, &last);
        sleep(TEST_LIMIT_S);
        _exit(1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
}
END_TEST

// A stack that no address space holds: no thread can be started.
START_TEST(jobs_run_here_where_no_thread_can_be_started)
{
    static struct tf_job_thread poor =
        TF_JOB_THREAD_INITIALIZER("trefoil-poor", 1ul << 47);

    for (int i = 0; i < 4; i += 2) {
        jobs[0][i] = (struct numbered){{&jobs[0][i + 1].job, run}, 0, i};
        jobs[0][i + 1] = (struct numbered){{NULL, run}, 0, i + 1};
        tf_job_thread_post(&poor, &jobs[0][i].job);
        ck_assert_int_eq(atomic_load(&done), i + 2);
    }
    ck_assert_int_eq(atomic_load(&faults), 0);
    poor.stack_bytes = 0; // the next post tries again
    jobs[0][4] = (struct numbered){{NULL, run}, 0, 4};
    tf_job_thread_post(&poor, &jobs[0][4].job);
    ck_assert(wait_until(5));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("job_thread");
    TCase *tcase = tcase_create("job_thread");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, jobs_run_once_in_the_order_of_each_thread);
    tcase_add_test(tcase, job_may_post);
    tcase_add_test(tcase, jobs_run_here_where_no_thread_can_be_started);
    tcase_add_test(tcase, forked_child_has_a_thread_of_its_own);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
