// SPDX-License-Identifier: MIT
// Host threads that wait for events, many at a time and on many.
#include "support/core_fixture.h"

#include <unistd.h>

enum { EVENTS = 64, WAITERS = 8, ROUNDS = 300 };

struct waiter {
    cl_event ev;
    cl_int status;
    pthread_t thread;
    atomic_int *awake;
};

static void *wait_for(void *arg)
{
    struct waiter *w = arg;

    w->status = tf_event_wait(w->ev);
    if (w->awake)
        atomic_fetch_add(w->awake, 1);
    return NULL;
}

static void start(struct waiter *w, cl_event ev, atomic_int *awake)
{
    *w = (struct waiter){.ev = ev, .status = 99, .awake = awake};
    ck_assert_int_eq(pthread_create(&w->thread, NULL, wait_for, w), 0);
}

START_TEST(finished_event_is_not_waited_for)
{
    cl_event ok = tf_core_user_event(&core), bad = tf_core_user_event(&core);

    tf_event_finish(ok, CL_COMPLETE);
    tf_event_finish(bad, -7);
    ck_assert_int_eq(tf_event_wait(ok), CL_COMPLETE);
    ck_assert_int_eq(tf_event_wait(bad), -7);
    tf_core_release(ok, &tf_class_event);
    tf_core_release(bad, &tf_class_event);
}
END_TEST

// More events than there are places to sleep at: a thread is woken for its own only.
START_TEST(threads_are_woken_by_their_events)
{
    static struct waiter waiters[EVENTS];
    cl_event events[EVENTS];
    atomic_int awake = 0;

    for (int i = 0; i < EVENTS; i++) {
        events[i] = tf_core_user_event(&core);
        start(&waiters[i], events[i], &awake);
    }
    usleep(5000); // most of them sleep by now
    for (int i = 0; i < EVENTS; i++) {
        ck_assert_int_eq(atomic_load(&awake), i);
        tf_event_finish(events[i], i % 2 ? CL_COMPLETE : -100 - i);
        ck_assert(tf_core_wait_int(&awake, i + 1));
    }
    for (int i = 0; i < EVENTS; i++) {
        pthread_join(waiters[i].thread, NULL);
        ck_assert_int_eq(waiters[i].status, i % 2 ? CL_COMPLETE : -100 - i);
        tf_core_release(events[i], &tf_class_event);
    }
}
END_TEST

START_TEST(all_who_wait_for_one_event_are_woken)
{
    struct waiter waiters[WAITERS];
    cl_event ev = tf_core_user_event(&core);
    atomic_int awake = 0;

    for (int i = 0; i < WAITERS; i++)
        start(&waiters[i], ev, &awake);
    usleep(5000);
    tf_event_finish(ev, CL_COMPLETE);
    for (int i = 0; i < WAITERS; i++) {
        pthread_join(waiters[i].thread, NULL);
        ck_assert_int_eq(waiters[i].status, CL_COMPLETE);
    }
    ck_assert_int_eq(atomic_load(&awake), WAITERS);
    tf_core_release(ev, &tf_class_event);
}
END_TEST

// The wait begins and the event ends at the same moment, again and again: no wake is
// lost.
START_TEST(wait_that_races_with_the_end_returns)
{
    struct waiter waiter;

    for (int i = 0; i < ROUNDS; i++) {
        cl_event ev = tf_core_user_event(&core);

        start(&waiter, ev, NULL);
        for (volatile int spin = 0; spin < i * 37; spin++)
            ;
        tf_event_finish(ev, CL_COMPLETE);
        pthread_join(waiter.thread, NULL);
        ck_assert_int_eq(waiter.status, CL_COMPLETE);
        tf_core_release(ev, &tf_class_event);
    }
}
END_TEST

// What a failed dependency hands on reaches those who wait for the command behind it.
START_TEST(waiting_thread_gets_the_failure_of_a_dependency)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_event user = tf_core_user_event(&core);
    cl_event ev = tf_core_enqueue(q, count_run, NULL, 1, &user);
    struct waiter waiter;

    start(&waiter, ev, NULL);
    usleep(2000);
    tf_event_finish(user, CL_OUT_OF_RESOURCES);
    pthread_join(waiter.thread, NULL);
    ck_assert_int_eq(waiter.status, CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(atomic_load(&runs), 0);
    tf_core_release(user, &tf_class_event);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

// The same event many times in one wait list, finished or not when the list is made.
START_TEST(event_that_is_listed_many_times_counts_once)
{
    cl_command_queue q = tf_core_queue(&core, OUT_OF_ORDER);
    cl_event user = tf_core_user_event(&core), list[100], before, after;

    for (int i = 0; i < 100; i++)
        list[i] = user;
    before = tf_core_enqueue(q, count_run, NULL, 100, list);
    ck_assert_int_eq(atomic_load(&runs), 0);
    tf_event_finish(user, CL_COMPLETE);
    after = tf_core_enqueue(q, count_run, NULL, 100, list);
    ck_assert_int_eq(tf_event_wait(before), CL_COMPLETE);
    ck_assert_int_eq(tf_event_wait(after), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&runs), 2);
    tf_core_release(user, &tf_class_event);
    tf_core_release(before, &tf_class_event);
    tf_core_release(after, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("event_wait");
    TCase *tcase = tcase_create("event_wait");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, finished_event_is_not_waited_for);
    tcase_add_test(tcase, threads_are_woken_by_their_events);
    tcase_add_test(tcase, all_who_wait_for_one_event_are_woken);
    tcase_add_test(tcase, wait_that_races_with_the_end_returns);
    tcase_add_test(tcase, waiting_thread_gets_the_failure_of_a_dependency);
    tcase_add_test(tcase, event_that_is_listed_many_times_counts_once);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
