// SPDX-License-Identifier: MIT
// Commands that the caller runs itself (run_here), on both kinds of queue.
#include "support/core_fixture.h"

static void setup_here(void)
{
    setup();
    tf_mock_enable_run_here(core.mock);
}

static cl_command_queue new_queue(int mode)
{
    return tf_core_queue(&core, modes[mode] | CL_QUEUE_PROFILING_ENABLE);
}

// A fill of one byte of host memory.
static cl_event new_fill(cl_command_queue q, cl_uint dep_count, unsigned char *byte,
                         unsigned char value)
{
    cl_event ev = tf_queue_new_command(&err, q, CL_COMMAND_SVM_MEMFILL, dep_count, 0);

    ck_assert_ptr_nonnull(ev);
    ev->cmd.kind = TF_CMD_SVM_FILL;
    ev->cmd.host = byte;
    ev->cmd.pattern[0] = value;
    ev->cmd.pattern_bytes = ev->cmd.size_bytes = 1;
    return ev;
}

static cl_event new_unmap(cl_command_queue q, cl_uint dep_count)
{
    cl_event ev =
        tf_queue_new_command(&err, q, CL_COMMAND_UNMAP_MEM_OBJECT, dep_count, 0);

    ck_assert_ptr_nonnull(ev);
    ev->cmd.kind = TF_CMD_UNMAP;
    return ev;
}

static void check_counters(int here, int submitted)
{
    ck_assert_int_eq(atomic_load(&core.mock->ran_here), here);
    ck_assert_int_eq(atomic_load(&core.mock->submitted), submitted);
}

START_TEST(blocking_copy_of_an_idle_queue_runs_in_the_caller)
{
    cl_command_queue q = new_queue(_i);
    unsigned char byte = 0;
    cl_event ev = NULL;

    for (unsigned char n = 1; n <= 3; n++) {
        ck_assert_int_eq(tf_queue_enqueue_blocking(&err, q, new_fill(q, 0, &byte, n), 0,
                                                   NULL, n == 3 ? &ev : NULL),
                         CL_SUCCESS);
        ck_assert_uint_eq(byte, n);
        check_counters(n, 0);
    }
    ck_assert_int_eq(tf_event_status(ev), CL_COMPLETE);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(times_rise_in_the_caller_too)
{
    cl_command_queue q = new_queue(_i);
    cl_ulong before = 0, now;
    unsigned char byte = 0;
    cl_event ev = NULL;

    tf_queue_enqueue_blocking(&err, q, new_fill(q, 0, &byte, 1), 0, NULL, &ev);
    check_counters(1, 0);
    for (cl_profiling_info p = CL_PROFILING_COMMAND_QUEUED;
         p <= CL_PROFILING_COMMAND_COMPLETE; p++) {
        ck_assert_int_eq(tf_event_get_profiling(&err, ev, p, sizeof(now), &now, NULL),
                         CL_SUCCESS);
        ck_assert_uint_ge(now, before);
        ck_assert_uint_gt(now, 0);
        before = now;
    }
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(copies_that_nobody_waits_for_are_submitted)
{
    cl_command_queue q = new_queue(_i);
    unsigned char byte = 0;

    tf_queue_enqueue(q, new_fill(q, 0, &byte, 7), 0, 0, NULL, NULL);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_uint_eq(byte, 7);
    check_counters(0, 1);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(unmap_of_an_idle_queue_is_done_at_once)
{
    cl_command_queue q = new_queue(_i);
    cl_event ev = NULL;

    tf_queue_enqueue(q, new_unmap(q, 0), 0, 0, NULL, &ev);
    ck_assert_int_eq(tf_event_status(ev), CL_COMPLETE);
    check_counters(1, 0);
    tf_core_release(ev, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

// A busy in-order queue: nothing overtakes. An out-of-order one: there is no order.
START_TEST(busy_queue_keeps_its_order)
{
    cl_command_queue q = new_queue(_i);
    cl_event user = tf_core_user_event(&core);
    cl_event first = tf_core_enqueue(q, count_run, NULL, 1, &user);
    cl_event unmap = NULL;

    tf_queue_enqueue(q, new_unmap(q, 0), 0, 0, NULL, &unmap);
    ck_assert_int_eq(tf_event_status(unmap), modes[_i] ? CL_COMPLETE : CL_QUEUED);
    tf_event_finish(user, CL_COMPLETE);
    ck_assert_int_eq(tf_event_wait(unmap), CL_COMPLETE);
    ck_assert_int_eq(tf_event_wait(first), CL_COMPLETE);
    tf_core_release(user, &tf_class_event);
    tf_core_release(first, &tf_class_event);
    tf_core_release(unmap, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(barrier_and_wait_list_hold_the_caller_off)
{
    cl_command_queue q = new_queue(_i);
    cl_event user = tf_core_user_event(&core), unmap[2] = {NULL, NULL};
    cl_event barrier = tf_queue_new_command(&err, q, CL_COMMAND_BARRIER, 1, 0);

    tf_queue_enqueue(q, new_unmap(q, 1), 0, 1, &user, &unmap[0]);
    tf_queue_enqueue(q, barrier, TF_ENQUEUE_BARRIER, 1, &user, NULL);
    tf_queue_enqueue(q, new_unmap(q, 0), 0, 0, NULL, &unmap[1]);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(tf_event_status(unmap[i]), CL_QUEUED);
    check_counters(0, 0);
    tf_event_finish(user, CL_COMPLETE);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(tf_event_wait(unmap[i]), CL_COMPLETE);
        tf_core_release(unmap[i], &tf_class_event);
    }
    tf_core_release(user, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(failed_dependency_runs_nothing)
{
    cl_command_queue q = new_queue(_i);
    cl_event user = tf_core_user_event(&core);
    unsigned char byte = 0;

    tf_event_finish(user, -5);
    ck_assert_int_eq(
        tf_queue_enqueue_blocking(&err, q, new_fill(q, 1, &byte, 9), 1, &user, NULL),
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_uint_eq(byte, 0);
    check_counters(0, 0);
    tf_core_release(user, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(failure_in_the_caller_is_returned)
{
    cl_command_queue q = new_queue(_i);
    unsigned char byte = 0;
    cl_event ev = NULL;

    atomic_store(&core.mock->next_status, CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(
        tf_queue_enqueue_blocking(&err, q, new_fill(q, 0, &byte, 9), 0, NULL, &ev),
        CL_OUT_OF_RESOURCES);
    ck_assert_ptr_null(ev);
    check_counters(1, 0);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

enum { THREADS = 4, COUNT = 3000 };

struct caller {
    cl_command_queue q;
    atomic_int *faults;
};

static void *alternate(void *arg)
{
    const struct caller *caller = arg;
    struct tf_err mine = {0};

    for (int i = 0; i < COUNT; i++) {
        unsigned char byte = 0;

        if (i % 3 == 0) {
            tf_core_release(tf_core_enqueue(caller->q, count_run, NULL, 0, NULL),
                            &tf_class_event);
        } else if (i % 3 == 1) {
            tf_queue_enqueue(caller->q, new_unmap(caller->q, 0), 0, 0, NULL, NULL);
        } else {
            tf_queue_enqueue_blocking(&mine, caller->q,
                                      new_fill(caller->q, 0, &byte, (unsigned char)i), 0,
                                      NULL, NULL);
            if (byte != (unsigned char)i)
                atomic_fetch_add(caller->faults, 1);
        }
    }
    return NULL;
}

START_TEST(callers_and_workers_take_turns)
{
    pthread_t threads[THREADS];
    atomic_int faults = 0;
    struct caller caller = {.q = new_queue(_i), .faults = &faults};

    for (int i = 0; i < THREADS; i++)
        pthread_create(&threads[i], NULL, alternate, &caller);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(tf_queue_finish(&err, caller.q), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&faults), 0);
    ck_assert_int_eq(atomic_load(&runs), THREADS * COUNT / 3);
    tf_core_release(caller.q, &tf_class_queue);
}
END_TEST

#define FOR_MODES(test) tcase_add_loop_test(tcase, test, 0, 2)

int main(void)
{
    Suite *suite = suite_create("here");
    TCase *tcase = tcase_create("here");

    tcase_add_checked_fixture(tcase, setup_here, teardown);
    FOR_MODES(blocking_copy_of_an_idle_queue_runs_in_the_caller);
    FOR_MODES(times_rise_in_the_caller_too);
    FOR_MODES(copies_that_nobody_waits_for_are_submitted);
    FOR_MODES(unmap_of_an_idle_queue_is_done_at_once);
    FOR_MODES(busy_queue_keeps_its_order);
    FOR_MODES(barrier_and_wait_list_hold_the_caller_off);
    FOR_MODES(failed_dependency_runs_nothing);
    FOR_MODES(failure_in_the_caller_is_returned);
    FOR_MODES(callers_and_workers_take_turns);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
