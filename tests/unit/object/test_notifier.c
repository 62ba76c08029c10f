// SPDX-License-Identifier: MIT
#include "core/object/notifier.h"

#include <pthread.h>
#include <stdatomic.h>
#include <sys/wait.h>
#include <unistd.h>

#include "core/platform/device_interface.h"
#include "support/forks.h"
#include "support/limits.h"
#include "support/suite.h"

enum { COUNT = 1000, THREADS = 4 };

struct note {
    struct tf_job job;
    int thread, number;
    pthread_t ran_on;
};

static struct note notes[THREADS][COUNT];
static atomic_int next_number[THREADS], faults, done, at_once;

static void run(struct tf_job *job)
{
    struct note *note = tf_container_of(job, struct note, job);

    if (atomic_fetch_add(&at_once, 1) > 0)
        atomic_fetch_add(&faults, 1);
    if (atomic_fetch_add(&next_number[note->thread], 1) != note->number)
        atomic_fetch_add(&faults, 1);
    note->ran_on = pthread_self();
    atomic_fetch_sub(&at_once, 1);
    atomic_fetch_add(&done, 1);
}

static struct tf_job *new_note(int thread, int number)
{
    notes[thread][number] =
        (struct note){.job = {NULL, run}, .thread = thread, .number = number};
    return &notes[thread][number].job;
}

static bool wait_until(int wanted)
{
    return TEST_UNTIL(atomic_load(&done) == wanted);
}

static void post_all(int thread)
{
    for (int i = 0; i < COUNT; i += 2) { // two in one list
        struct tf_job *first = new_note(thread, i);

        first->next = new_note(thread, i + 1);
        tf_notifier_post(first);
    }
}

static void *post_as_host(void *arg)
{
    post_all(*(int *)arg);
    return NULL;
}

static void *post_as_worker(void *arg)
{
    tf_worker_begins();
    post_all(*(int *)arg);
    if (*(int *)arg % 2)
        tf_worker_run_due();
    tf_worker_ends();
    return NULL;
}

static void post_from_threads(void *(*fn)(void *))
{
    pthread_t threads[THREADS];
    int ids[THREADS];

    for (int i = 0; i < THREADS; i++) {
        ids[i] = i;
        pthread_create(&threads[i], NULL, i & 2 ? fn : post_as_host, &ids[i]);
    }
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert(wait_until(THREADS * COUNT));
    ck_assert_int_eq(atomic_load(&faults), 0);
}

START_TEST(jobs_run_one_at_a_time_in_the_order_of_each_thread)
{
    tf_notifier_post(NULL);
    post_from_threads(post_as_host);
}
END_TEST

START_TEST(workers_and_hosts_run_one_at_a_time)
{
    post_from_threads(post_as_worker);
}
END_TEST

START_TEST(host_does_not_run_its_own)
{
    tf_notifier_post(new_note(0, 0));
    ck_assert(wait_until(1));
    ck_assert(!pthread_equal(notes[0][0].ran_on, pthread_self()));
    ck_assert(!tf_worker_has_due());
}
END_TEST

START_TEST(worker_runs_what_is_due)
{
    tf_worker_begins();
    ck_assert(!tf_worker_has_due());
    tf_notifier_post(new_note(0, 0));
    tf_notifier_post(new_note(0, 1));
    ck_assert(tf_worker_has_due());
    ck_assert_int_eq(atomic_load(&done), 0); // nobody else was told
    tf_worker_run_due();
    ck_assert(!tf_worker_has_due());
    ck_assert_int_eq(atomic_load(&done), 2);
    ck_assert(pthread_equal(notes[0][1].ran_on, pthread_self()));
    tf_worker_ends();
}
END_TEST

START_TEST(worker_that_goes_on_leaves_its_jobs_to_another)
{
    tf_worker_begins();
    tf_worker_hand_over(); // nothing is due
    tf_notifier_post(new_note(0, 0));
    tf_worker_hand_over();
    ck_assert(!tf_worker_has_due());
    ck_assert(wait_until(1));
    ck_assert(!pthread_equal(notes[0][0].ran_on, pthread_self()));
    tf_notifier_post(new_note(0, 1));
    tf_worker_ends(); // the same
    ck_assert(wait_until(2));
    ck_assert(!tf_worker_has_due());
    ck_assert(!pthread_equal(notes[0][1].ran_on, pthread_self()));
}
END_TEST

static void post_another(struct tf_job *job)
{
    (void)job;
    tf_notifier_post(new_note(0, 0));
}

// The one that a job posts runs after it, not inside it.
START_TEST(job_of_a_worker_may_post)
{
    static struct tf_job first = {NULL, post_another};

    tf_worker_begins();
    tf_notifier_post(&first);
    tf_worker_run_due();
    ck_assert_int_eq(atomic_load(&done), 1);
    ck_assert(!tf_worker_has_due());
    tf_worker_ends();
}
END_TEST

static void leave(struct tf_job *job)
{
    (void)job;
    _exit(0);
}

// Fork while a job of the parent's worker is due: nothing of the child's is and starts
// anew.
START_TEST(forked_child_has_none_of_the_jobs)
{
    static struct tf_job last = {NULL, leave};
    int status = -1;
    pid_t child;

    tf_worker_begins();
    tf_notifier_post(new_note(0, 0));
    child = tf_fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        tf_notifier_forked();
        if (tf_worker_has_due())
            _exit(2);
        tf_notifier_post(&last);
        sleep(TEST_LIMIT_S);
        _exit(1);
    }
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert_int_eq(status, 0);
    tf_worker_ends();
    ck_assert(wait_until(1));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("notifier");
    TCase *tcase = tcase_create("notifier");

    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, jobs_run_one_at_a_time_in_the_order_of_each_thread);
    tcase_add_test(tcase, workers_and_hosts_run_one_at_a_time);
    tcase_add_test(tcase, host_does_not_run_its_own);
    tcase_add_test(tcase, worker_runs_what_is_due);
    tcase_add_test(tcase, worker_that_goes_on_leaves_its_jobs_to_another);
    tcase_add_test(tcase, job_of_a_worker_may_post);
    tcase_add_test(tcase, forked_child_has_none_of_the_jobs);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
