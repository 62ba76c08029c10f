// SPDX-License-Identifier: MIT
#include "support/core_fixture.h"

#include <unistd.h>

#include "core/object/notifier.h"

// n commands, each after the one before it, the first after a user event. Returns the
// status of the last one.
static cl_int run_chain(cl_command_queue_properties flags, int n, cl_int user_status,
                        bool commands)
{
    cl_command_queue q = tf_core_queue(&core, flags);
    cl_event user = tf_core_user_event(&core), prev = user;
    cl_int status;

    for (int i = 0; i < n; i++) {
        cl_event next = tf_core_enqueue(q, commands ? count_run : NULL, NULL, 1, &prev);

        if (prev != user)
            tf_core_release(prev, &tf_class_event);
        prev = next;
    }
    ck_assert(tf_event_finish(user, user_status));
    status = tf_event_wait(prev);
    tf_core_release(prev, &tf_class_event);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    tf_core_release(user, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
    return status;
}

START_TEST(chain_of_200000_markers_completes)
{
    ck_assert_int_eq(run_chain(modes[_i], 200000, CL_COMPLETE, false), CL_COMPLETE);
}
END_TEST

START_TEST(failed_chain_of_200000_runs_nothing)
{
    ck_assert_int_eq(run_chain(modes[_i], 200000, -5, true),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(atomic_load(&runs), 0);
}
END_TEST

START_TEST(commands_of_a_chain_run_once_each)
{
    ck_assert_int_eq(run_chain(modes[_i], 20000, CL_COMPLETE, true), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&runs), 20000);
}
END_TEST

START_TEST(device_that_finishes_inside_submit_does_not_recurse)
{
    atomic_store(&core.mock->finish_inside_submit, true);
    ck_assert_int_eq(run_chain(modes[_i], 200000, CL_COMPLETE, true), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&runs), 200000);
}
END_TEST

enum { FAN = 5000 };

START_TEST(fan_out_releases_every_waiter)
{
    cl_command_queue q = tf_core_queue(&core, OUT_OF_ORDER);
    cl_event user = tf_core_user_event(&core);
    static cl_event evs[FAN];

    for (int i = 0; i < FAN; i++)
        evs[i] = tf_core_enqueue(q, count_run, NULL, 1, &user);
    ck_assert_int_eq(tf_event_status(evs[FAN - 1]), CL_QUEUED);
    tf_event_finish(user, CL_COMPLETE);
    for (int i = 0; i < FAN; i++) {
        ck_assert_int_eq(tf_event_wait(evs[i]), CL_COMPLETE);
        tf_core_release(evs[i], &tf_class_event);
    }
    ck_assert_int_eq(atomic_load(&runs), FAN);
    tf_core_release(user, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(many_dependencies_of_one_event)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    static cl_event users[FAN];
    cl_event ev;

    for (int i = 0; i < FAN; i++)
        users[i] = tf_core_user_event(&core);
    ev = tf_core_enqueue(q, count_run, NULL, FAN, users);
    for (int i = 0; i < FAN; i++) {
        ck_assert_int_eq(atomic_load(&runs), 0);
        tf_event_finish(users[i], CL_COMPLETE);
        tf_core_release(users[i], &tf_class_event);
    }
    ck_assert_int_eq(tf_event_wait(ev), CL_COMPLETE);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(second_status_of_a_user_event_loses)
{
    cl_event user = tf_core_user_event(&core);

    ck_assert_int_eq(tf_event_status(user), CL_SUBMITTED);
    ck_assert(tf_event_finish(user, -3));
    ck_assert(!tf_event_finish(user, CL_COMPLETE));
    ck_assert_int_eq(tf_event_status(user), -3);
    tf_core_release(user, &tf_class_event);
}
END_TEST

START_TEST(one_failed_dependency_waits_for_the_other)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_event users[2] = {tf_core_user_event(&core), tf_core_user_event(&core)};
    cl_event ev = tf_core_enqueue(q, count_run, NULL, 2, users);

    tf_event_finish(users[0], -7);
    ck_assert_int_eq(tf_event_status(ev), CL_QUEUED);
    tf_event_finish(users[1], CL_COMPLETE);
    ck_assert_int_eq(tf_event_wait(ev), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(atomic_load(&runs), 0);
    for (int i = 0; i < 2; i++)
        tf_core_release(users[i], &tf_class_event);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(dependency_that_failed_before_the_enqueue_counts)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_event user = tf_core_user_event(&core), ev;

    tf_event_finish(user, -7);
    ev = tf_core_enqueue(q, count_run, NULL, 1, &user);
    ck_assert_int_eq(tf_event_wait(ev), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(atomic_load(&runs), 0);
    tf_core_release(user, &tf_class_event);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(released_user_event_still_releases_its_waiters)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_event user = tf_core_user_event(&core);
    cl_event ev = tf_core_enqueue(q, count_run, NULL, 1, &user);

    tf_core_release(user, &tf_class_event);
    ck_assert(tf_object_ok(user, &tf_class_event)); // its waiter owns it
    ck_assert(tf_event_finish(user, CL_COMPLETE));
    ck_assert_int_eq(tf_event_wait(ev), CL_COMPLETE);
    ck_assert(!tf_object_ok(user, &tf_class_event));
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

struct racer {
    cl_event user;
    cl_int status;
    atomic_int *won;
};

static void *finish_user(void *arg)
{
    struct racer *r = arg;

    if (tf_event_finish(r->user, r->status))
        atomic_fetch_add(r->won, 1);
    return NULL;
}

static void CL_CALLBACK count_callback(cl_event ev, cl_int status, void *data)
{
    (void)ev, (void)status;
    atomic_fetch_add((atomic_int *)data, 1);
}

START_TEST(threads_race_for_one_terminal_state)
{
    cl_command_queue q = tf_core_queue(&core, 0);

    for (int i = 0; i < 200; i++) {
        cl_event user = tf_core_user_event(&core);
        cl_event ev = tf_core_enqueue(q, count_run, NULL, 1, &user);
        atomic_int won = 0, callbacks = 0;
        struct racer r[2];
        pthread_t t[2];

        ck_assert_int_eq(
            tf_event_add_callback(&err, ev, CL_COMPLETE, count_callback, &callbacks), 0);
        for (int k = 0; k < 2; k++) {
            r[k] = (struct racer){user, -5 - k, &won};
            pthread_create(&t[k], NULL, finish_user, &r[k]);
        }
        ck_assert_int_lt(tf_event_wait(ev), 0);
        for (int k = 0; k < 2; k++)
            pthread_join(t[k], NULL);
        ck_assert_int_eq(atomic_load(&won), 1);
        ck_assert(tf_core_wait_int(&callbacks, 1));
        tf_core_release(user, &tf_class_event);
        tf_core_release(ev, &tf_class_event);
    }
    ck_assert_int_eq(atomic_load(&runs), 0);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

static struct {
    cl_int status[8];
    atomic_int count;
} seen;

static void CL_CALLBACK see(cl_event ev, cl_int status, void *data)
{
    (void)ev, (void)data;
    seen.status[atomic_load(&seen.count)] = status;
    atomic_fetch_add(&seen.count, 1);
}

static void watch(cl_event ev)
{
    const cl_int when[] = {CL_COMPLETE, CL_RUNNING, CL_SUBMITTED};

    atomic_store(&seen.count, 0);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(tf_event_add_callback(&err, ev, when[i], see, NULL), CL_SUCCESS);
}

START_TEST(callbacks_fire_once_each_in_order)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_event user = tf_core_user_event(&core);
    cl_event ev = tf_core_enqueue(q, count_run, NULL, 1, &user);

    watch(ev);
    usleep(2000);
    ck_assert_int_eq(atomic_load(&seen.count), 0);
    tf_event_finish(user, CL_COMPLETE);
    ck_assert(tf_core_wait_int(&seen.count, 3));
    ck_assert_int_eq(seen.status[0], CL_SUBMITTED);
    ck_assert_int_eq(seen.status[1], CL_RUNNING);
    ck_assert_int_eq(seen.status[2], CL_COMPLETE);
    watch(ev); // finished: each fires at once
    ck_assert(tf_core_wait_int(&seen.count, 3));
    tf_core_release(user, &tf_class_event);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(callbacks_of_a_failed_command_get_the_error)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_event user = tf_core_user_event(&core);
    cl_event ev = tf_core_enqueue(q, count_run, NULL, 1, &user);

    watch(ev);
    tf_event_finish(user, -9);
    ck_assert(tf_core_wait_int(&seen.count, 3));
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(seen.status[i], CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    tf_core_release(user, &tf_class_event);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

static void CL_CALLBACK finish_queue(cl_event ev, cl_int status, void *data)
{
    struct tf_err own = {0};

    (void)status;
    ck_assert_ptr_nonnull(ev->home.queue); // the event lives, though the user released it
    tf_queue_finish(&own, ev->home.queue);
    atomic_fetch_add((atomic_int *)data, 1);
}

START_TEST(callback_may_wait_for_the_queue)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_event user = tf_core_user_event(&core);
    cl_event first = tf_core_enqueue(q, count_run, NULL, 1, &user);
    cl_event second = tf_core_enqueue(q, count_run, NULL, 0, NULL);
    atomic_int done = 0;

    tf_event_add_callback(&err, first, CL_COMPLETE, finish_queue, &done);
    tf_core_release(first, &tf_class_event);
    tf_event_finish(user, CL_COMPLETE);
    ck_assert(tf_core_wait_int(&done, 1));
    ck_assert_int_eq(tf_event_status(second), CL_COMPLETE);
    tf_core_release(user, &tf_class_event);
    tf_core_release(second, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(callbacks_that_never_come_due_are_freed)
{
    cl_event user = tf_core_user_event(&core);

    watch(user); // CL_SUBMITTED is due at once
    ck_assert(tf_core_wait_int(&seen.count, 1));
    tf_core_release(user, &tf_class_event);
    usleep(2000);
    ck_assert_int_eq(atomic_load(&seen.count), 1);
}
END_TEST

START_TEST(device_error_is_the_status)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_event bad, good;

    atomic_store(&core.mock->next_status, CL_OUT_OF_RESOURCES);
    bad = tf_core_enqueue(q, count_run, NULL, 0, NULL);
    good = tf_core_enqueue(q, count_run, NULL, 0, NULL);
    ck_assert_int_eq(tf_event_wait(bad), CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(tf_event_wait(good), CL_COMPLETE); // queue order hands on no error
    ck_assert_int_eq(atomic_load(&runs), 1);
    tf_core_release(bad, &tf_class_event);
    tf_core_release(good, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

static cl_ulong time_of(cl_event ev, cl_profiling_info what)
{
    cl_ulong ns = 0;

    ck_assert_int_eq(tf_event_get_profiling(&err, ev, what, sizeof(ns), &ns, NULL), 0);
    ck_assert_uint_ne(ns, 0);
    return ns;
}

START_TEST(profiling_times_rise)
{
    cl_command_queue q = tf_core_queue(&core, CL_QUEUE_PROFILING_ENABLE | modes[_i]);
    cl_event evs[2] = {tf_core_enqueue(q, count_run, NULL, 0, NULL),
                       tf_core_enqueue(q, NULL, NULL, 0, NULL)};

    for (int i = 0; i < 2; i++) {
        tf_event_wait(evs[i]);
        for (cl_profiling_info p = CL_PROFILING_COMMAND_QUEUED;
             p < CL_PROFILING_COMMAND_COMPLETE; p++)
            ck_assert_uint_le(time_of(evs[i], p), time_of(evs[i], p + 1));
        ck_assert_uint_eq(time_of(evs[i], CL_PROFILING_COMMAND_END),
                          time_of(evs[i], CL_PROFILING_COMMAND_COMPLETE));
        tf_core_release(evs[i], &tf_class_event);
    }
    tf_core_release(q, &tf_class_queue);
}
END_TEST

static cl_int profiling_code(cl_event ev, cl_profiling_info what)
{
    struct tf_err own = {0};
    cl_ulong ns;

    return tf_event_get_profiling(&own, ev, what, sizeof(ns), &ns, NULL);
}

START_TEST(profiling_is_refused_where_there_is_none)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_command_queue p = tf_core_queue(&core, CL_QUEUE_PROFILING_ENABLE);
    cl_event user = tf_core_user_event(&core);
    cl_event plain = tf_core_enqueue(q, count_run, NULL, 0, NULL);
    cl_event waiting = tf_core_enqueue(p, count_run, NULL, 1, &user);

    tf_event_wait(plain);
    ck_assert_int_eq(profiling_code(plain, CL_PROFILING_COMMAND_END),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(profiling_code(user, CL_PROFILING_COMMAND_END),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(profiling_code(waiting, CL_PROFILING_COMMAND_QUEUED),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(profiling_code(waiting, 0), CL_INVALID_VALUE);
    tf_event_finish(user, -1);
    tf_event_wait(waiting);
    ck_assert_int_eq(profiling_code(waiting, CL_PROFILING_COMMAND_END),
                     CL_PROFILING_INFO_NOT_AVAILABLE);
    tf_core_release(user, &tf_class_event);
    tf_core_release(plain, &tf_class_event);
    tf_core_release(waiting, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
    tf_core_release(p, &tf_class_queue);
}
END_TEST

// A device whose clock is coarse.
static uint64_t clock_that_stands(struct tf_device *dev)
{
    (void)dev;
    return 1000;
}

START_TEST(commands_end_later_than_they_start)
{
    cl_command_queue q = tf_core_queue(&core, CL_QUEUE_PROFILING_ENABLE);
    cl_event events[2];

    core.mock->ops.now_ns = clock_that_stands;
    events[0] = tf_core_enqueue(q, count_run, NULL, 0, NULL);
    tf_queue_enqueue(q, tf_queue_new_command(&err, q, CL_COMMAND_MARKER, 0, 0),
                     TF_ENQUEUE_AFTER_ALL, 0, NULL, &events[1]); // nothing starts it
    for (int i = 0; i < 2; i++) {
        tf_event_wait(events[i]);
        ck_assert_uint_eq(time_of(events[i], CL_PROFILING_COMMAND_QUEUED), 1000);
        ck_assert_uint_eq(time_of(events[i], CL_PROFILING_COMMAND_SUBMIT), 1000);
        ck_assert_uint_eq(time_of(events[i], CL_PROFILING_COMMAND_START), 1000);
        ck_assert_uint_eq(time_of(events[i], CL_PROFILING_COMMAND_END), 1001);
        ck_assert_uint_eq(time_of(events[i], CL_PROFILING_COMMAND_COMPLETE), 1001);
        tf_core_release(events[i], &tf_class_event);
    }
    tf_core_release(q, &tf_class_queue);
}
END_TEST

static atomic_int cleanups;

static void clean(cl_event ev, cl_int status)
{
    ck_assert_int_eq(status, CL_COMPLETE);
    ck_assert_int_gt(tf_event_status(ev), CL_COMPLETE); // before the status is visible
    atomic_fetch_add(&cleanups, 1);
}

START_TEST(cleanup_and_held_objects_go_with_the_command)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_event held = tf_core_user_event(&core), ev, out;

    atomic_store(&cleanups, 0);
    ev = tf_queue_new_command(&err, q, CL_COMMAND_MARKER, 0, 1);
    ev->cleanup = clean;
    tf_event_hold(ev, held);
    tf_core_release(held, &tf_class_event);
    ck_assert(tf_object_ok(held, &tf_class_event));
    tf_queue_enqueue(q, ev, TF_ENQUEUE_AFTER_ALL, 0, NULL, &out);
    tf_event_wait(out);
    ck_assert_int_eq(atomic_load(&cleanups), 1);
    ck_assert(!tf_object_ok(held, &tf_class_event));
    tf_core_release(out, &tf_class_event);

    held = tf_core_user_event(&core);
    ev = tf_queue_new_command(&err, q, CL_COMMAND_MARKER, 0, 1);
    ev->cleanup = clean;
    tf_event_hold(ev, held);
    tf_core_release(held, &tf_class_event);
    tf_unref(ev); // given up: nothing ran
    ck_assert_int_eq(atomic_load(&cleanups), 1);
    ck_assert(!tf_object_ok(held, &tf_class_event));
    tf_core_release(q, &tf_class_queue);
}
END_TEST

static void *wait_for(void *ev)
{
    return tf_event_wait(ev) == CL_COMPLETE ? ev : NULL;
}

// The thread begins to wait before the command is submitted: it helps with what comes
// before the command, once more when it is known as waiting, and again when the command
// is submitted.
START_TEST(waiting_thread_helps_the_device)
{
    cl_command_queue q = tf_core_queue(&core, 0);
    cl_event user = tf_core_user_event(&core);
    cl_event ev = tf_core_enqueue(q, count_run, NULL, 1, &user);
    pthread_t waiter;
    void *result;

    tf_mock_hold(core.mock, true);
    pthread_create(&waiter, NULL, wait_for, ev);
    ck_assert(tf_core_wait_int(&core.mock->helped, 2));
    tf_event_finish(user, CL_COMPLETE);
    ck_assert(tf_core_wait_int(&core.mock->helped, 3));
    tf_mock_hold(core.mock, false);
    pthread_join(waiter, &result);
    ck_assert_ptr_eq(result, ev);
    tf_core_release(user, &tf_class_event);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(queries_answer)
{
    cl_command_queue q = tf_core_queue(&core, 0), queue = NULL;
    cl_event user = tf_core_user_event(&core);
    cl_event ev = tf_core_enqueue(q, NULL, NULL, 1, &user);
    cl_command_type type = 0;
    cl_context ctx = NULL;
    cl_uint refs = 0;
    cl_int status = 0;
    size_t size = 0;

    ck_assert_int_eq(
        tf_event_get_info(&err, ev, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, &size),
        0);
    ck_assert_ptr_eq(queue, q);
    ck_assert_uint_eq(size, sizeof(queue));
    tf_event_get_info(&err, user, CL_EVENT_COMMAND_QUEUE, sizeof(queue), &queue, NULL);
    ck_assert_ptr_null(queue);
    tf_event_get_info(&err, ev, CL_EVENT_CONTEXT, sizeof(ctx), &ctx, NULL);
    ck_assert_ptr_eq(ctx, core.ctx);
    tf_event_get_info(&err, ev, CL_EVENT_COMMAND_TYPE, sizeof(type), &type, NULL);
    ck_assert_uint_eq(type, CL_COMMAND_MARKER);
    tf_event_get_info(&err, ev, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status),
                      &status, NULL);
    ck_assert_int_eq(status, CL_QUEUED);
    tf_event_get_info(&err, ev, CL_EVENT_REFERENCE_COUNT, sizeof(refs), &refs, NULL);
    ck_assert_uint_eq(refs, 1);
    ck_assert_int_eq(err.code, CL_SUCCESS);
    ck_assert_int_eq(tf_event_get_info(&err, ev, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    tf_event_finish(user, CL_COMPLETE);
    tf_core_release(user, &tf_class_event);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("event");
    TCase *tcase = tcase_create("event");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, chain_of_200000_markers_completes, 0, 2);
    tcase_add_loop_test(tcase, failed_chain_of_200000_runs_nothing, 0, 2);
    tcase_add_loop_test(tcase, commands_of_a_chain_run_once_each, 0, 2);
    tcase_add_loop_test(tcase, device_that_finishes_inside_submit_does_not_recurse, 0, 2);
    tcase_add_test(tcase, fan_out_releases_every_waiter);
    tcase_add_test(tcase, many_dependencies_of_one_event);
    tcase_add_test(tcase, second_status_of_a_user_event_loses);
    tcase_add_test(tcase, one_failed_dependency_waits_for_the_other);
    tcase_add_test(tcase, dependency_that_failed_before_the_enqueue_counts);
    tcase_add_test(tcase, released_user_event_still_releases_its_waiters);
    tcase_add_test(tcase, threads_race_for_one_terminal_state);
    tcase_add_test(tcase, callbacks_fire_once_each_in_order);
    tcase_add_test(tcase, callbacks_of_a_failed_command_get_the_error);
    tcase_add_test(tcase, callback_may_wait_for_the_queue);
    tcase_add_test(tcase, callbacks_that_never_come_due_are_freed);
    tcase_add_test(tcase, device_error_is_the_status);
    tcase_add_loop_test(tcase, profiling_times_rise, 0, 2);
    tcase_add_test(tcase, profiling_is_refused_where_there_is_none);
    tcase_add_test(tcase, commands_end_later_than_they_start);
    tcase_add_test(tcase, cleanup_and_held_objects_go_with_the_command);
    tcase_add_test(tcase, waiting_thread_helps_the_device);
    tcase_add_test(tcase, queries_answer);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
