// SPDX-License-Identifier: MIT
#include "support/core_fixture.h"

#include <unistd.h>

#include "base/time.h"
#include "support/limits.h"

// Counts itself; fails the order if another number came before.
struct numbered {
    int number;
    atomic_int *next;
    atomic_int *faults;
};

static void CL_CALLBACK run_numbered(void *arg)
{
    struct numbered *n = arg;

    if (atomic_fetch_add(n->next, 1) != n->number)
        atomic_fetch_add(n->faults, 1);
}

START_TEST(in_order_queue_runs_in_order)
{
    enum { COUNT = 2000 };
    cl_command_queue q = tf_core_queue(&core, 0);
    static struct numbered numbers[COUNT];
    atomic_int next = 0, faults = 0;

    for (int i = 0; i < COUNT; i++) {
        numbers[i] = (struct numbered){i, &next, &faults};
        tf_core_release(tf_core_enqueue(q, run_numbered, &numbers[i], 0, NULL),
                        &tf_class_event);
    }
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&next), COUNT);
    ck_assert_int_eq(atomic_load(&faults), 0);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(out_of_order_queue_overtakes)
{
    cl_command_queue q = tf_core_queue(&core, OUT_OF_ORDER);
    cl_event user = tf_core_user_event(&core);
    cl_event first = tf_core_enqueue(q, count_run, NULL, 1, &user);
    cl_event second = tf_core_enqueue(q, count_run, NULL, 0, NULL);

    ck_assert_int_eq(tf_event_wait(second), CL_COMPLETE);
    ck_assert_int_eq(tf_event_status(first), CL_QUEUED);
    tf_event_finish(user, CL_COMPLETE);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_int_eq(tf_event_status(first), CL_COMPLETE);
    tf_core_release(user, &tf_class_event);
    tf_core_release(first, &tf_class_event);
    tf_core_release(second, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

static cl_event enqueue_sync(cl_command_queue q, cl_command_type type, unsigned flags)
{
    cl_event ev = tf_queue_new_command(&err, q, type, 0, 0), out = NULL;

    ck_assert_ptr_nonnull(ev);
    tf_queue_enqueue(q, ev, flags, 0, NULL, &out);
    return out;
}

START_TEST(barrier_holds_later_commands)
{
    cl_command_queue q = tf_core_queue(&core, OUT_OF_ORDER);
    cl_event user = tf_core_user_event(&core);
    cl_event first = tf_core_enqueue(q, count_run, NULL, 1, &user);
    cl_event barrier =
        enqueue_sync(q, CL_COMMAND_BARRIER, TF_ENQUEUE_AFTER_ALL | TF_ENQUEUE_BARRIER);
    cl_event after = tf_core_enqueue(q, count_run, NULL, 0, NULL);

    usleep(2000);
    ck_assert_int_eq(tf_event_status(barrier), CL_QUEUED);
    ck_assert_int_eq(tf_event_status(after), CL_QUEUED);
    tf_event_finish(user, CL_COMPLETE);
    ck_assert_int_eq(tf_event_wait(after), CL_COMPLETE);
    ck_assert_int_eq(tf_event_status(first), CL_COMPLETE);
    ck_assert_int_eq(tf_event_status(barrier), CL_COMPLETE);
    tf_core_release(user, &tf_class_event);
    tf_core_release(first, &tf_class_event);
    tf_core_release(barrier, &tf_class_event);
    tf_core_release(after, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(marker_waits_for_all_and_holds_nothing)
{
    cl_command_queue q = tf_core_queue(&core, OUT_OF_ORDER);
    cl_event user = tf_core_user_event(&core);
    cl_event first = tf_core_enqueue(q, count_run, NULL, 1, &user);
    cl_event marker = enqueue_sync(q, CL_COMMAND_MARKER, TF_ENQUEUE_AFTER_ALL);
    cl_event second = enqueue_sync(q, CL_COMMAND_MARKER, TF_ENQUEUE_AFTER_ALL);
    cl_event after = tf_core_enqueue(q, count_run, NULL, 0, NULL);

    ck_assert_int_eq(tf_event_wait(after), CL_COMPLETE);
    ck_assert_int_eq(tf_event_status(marker), CL_QUEUED);
    ck_assert_int_eq(tf_event_status(second), CL_QUEUED);
    tf_event_finish(user, CL_COMPLETE);
    ck_assert_int_eq(tf_event_wait(second), CL_COMPLETE);
    ck_assert_int_eq(tf_event_status(marker), CL_COMPLETE);
    tf_core_release(user, &tf_class_event);
    tf_core_release(first, &tf_class_event);
    tf_core_release(marker, &tf_class_event);
    tf_core_release(second, &tf_class_event);
    tf_core_release(after, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

static void *finish_later(void *user)
{
    usleep(5000);
    tf_event_finish(user, CL_COMPLETE);
    return NULL;
}

START_TEST(finish_waits_for_everything)
{
    cl_command_queue q = tf_core_queue(&core, modes[_i]);
    cl_event user = tf_core_user_event(&core);
    pthread_t thread;

    for (int i = 0; i < 100; i++)
        tf_core_release(
            tf_core_enqueue(q, count_run, NULL, i % 2 ? 0 : 1, i % 2 ? NULL : &user),
            &tf_class_event);
    pthread_create(&thread, NULL, finish_later, user);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&runs), 100);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS); // of an idle queue
    pthread_join(thread, NULL);
    tf_core_release(user, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

// Quadratic edges would take minutes.
START_TEST(markers_cost_the_same_each)
{
    enum { COUNT = 50000 };
    cl_command_queue q = tf_core_queue(&core, OUT_OF_ORDER);
    cl_event user = tf_core_user_event(&core);
    const uint64_t begin = tf_time_ns();

    for (int i = 0; i < COUNT; i++) {
        tf_core_release(tf_core_enqueue(q, count_run, NULL, 1, &user), &tf_class_event);
        tf_core_release(enqueue_sync(q, CL_COMMAND_MARKER, TF_ENQUEUE_AFTER_ALL),
                        &tf_class_event);
    }
    tf_event_finish(user, CL_COMPLETE);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&runs), COUNT);
    ck_assert_uint_lt(tf_time_ns() - begin, TEST_SLOWER * 60 * UINT64_C(1000000000));
    tf_core_release(user, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(queue_may_be_released_while_it_works)
{
    cl_command_queue q = tf_core_queue(&core, modes[_i]);
    cl_event user = tf_core_user_event(&core);
    cl_event last = NULL;

    for (int i = 0; i < 10; i++) {
        if (last)
            tf_core_release(last, &tf_class_event);
        last = tf_core_enqueue(q, count_run, NULL, 1, &user);
    }
    tf_core_release(q, &tf_class_queue);
    ck_assert(tf_object_ok(q, &tf_class_queue)); // its commands own it
    tf_event_finish(user, CL_COMPLETE);
    tf_core_release(user, &tf_class_event);
    tf_event_wait(last);
    tf_core_release(last, &tf_class_event);
    ck_assert(tf_core_wait_int(&runs, 10));
}
END_TEST

START_TEST(blocking_command_returns_its_status)
{
    cl_command_queue q = tf_core_queue(&core, modes[_i]);
    cl_event user = tf_core_user_event(&core), out = NULL, ev;

    ev = tf_queue_new_command(&err, q, CL_COMMAND_NATIVE_KERNEL, 0, 0);
    ev->cmd.kind = TF_CMD_NATIVE;
    ev->cmd.native_fn = count_run;
    ck_assert_int_eq(tf_queue_enqueue_blocking(&err, q, ev, 0, NULL, &out), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&runs), 1);
    ck_assert_int_eq(tf_event_status(out), CL_COMPLETE);
    tf_core_release(out, &tf_class_event);

    out = NULL;
    tf_event_finish(user, -1);
    ev = tf_queue_new_command(&err, q, CL_COMMAND_NATIVE_KERNEL, 1, 0);
    ev->cmd.kind = TF_CMD_NATIVE;
    ev->cmd.native_fn = count_run;
    ck_assert_int_eq(tf_queue_enqueue_blocking(&err, q, ev, 1, &user, &out),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_ptr_null(out);
    ck_assert_int_eq(atomic_load(&runs), 1);
    tf_core_release(user, &tf_class_event);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

static void *produce(void *q)
{
    struct tf_err own = {0};

    for (int i = 0; i < 500; i++) {
        tf_core_release(tf_core_enqueue(q, count_run, NULL, 0, NULL), &tf_class_event);
        if (i % 50 == 0)
            tf_queue_finish(&own, q);
    }
    return NULL;
}

START_TEST(threads_share_a_queue)
{
    cl_command_queue q = tf_core_queue(&core, modes[_i]);
    pthread_t threads[4];

    for (int i = 0; i < 4; i++)
        pthread_create(&threads[i], NULL, produce, q);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&runs), 2000);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

START_TEST(queries_answer)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_PROFILING_ENABLE,
                                        0};
    const struct tf_queue_desc desc = {.device = core.device,
                                       .flags = CL_QUEUE_PROFILING_ENABLE,
                                       .properties = list,
                                       .property_count = 3};
    cl_queue_properties back[3] = {0};
    cl_command_queue_properties flags = 0;
    cl_device_id device = NULL;
    cl_context ctx = NULL;
    cl_command_queue q = NULL;
    cl_uint refs = 0;
    size_t size = 0;

    ck_assert_int_eq(tf_queue_create(&err, core.ctx, &desc, &q), CL_SUCCESS);
    tf_queue_get_info(&err, q, CL_QUEUE_CONTEXT, sizeof(ctx), &ctx, NULL);
    ck_assert_ptr_eq(ctx, core.ctx);
    tf_queue_get_info(&err, q, CL_QUEUE_DEVICE, sizeof(device), &device, NULL);
    ck_assert_ptr_eq(device, core.device);
    tf_queue_get_info(&err, q, CL_QUEUE_REFERENCE_COUNT, sizeof(refs), &refs, NULL);
    ck_assert_uint_eq(refs, 1);
    tf_queue_get_info(&err, q, CL_QUEUE_PROPERTIES, sizeof(flags), &flags, NULL);
    ck_assert_uint_eq(flags, CL_QUEUE_PROFILING_ENABLE);
    tf_queue_get_info(&err, q, CL_QUEUE_PROPERTIES_ARRAY, sizeof(back), back, &size);
    ck_assert_uint_eq(size, sizeof(back));
    ck_assert_mem_eq(back, list, sizeof(list));
    ck_assert_int_eq(err.code, CL_SUCCESS);
    ck_assert_int_eq(tf_queue_get_info(&err, q, CL_QUEUE_SIZE, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(tf_queue_get_info(&err, q, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    tf_core_release(q, &tf_class_queue);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queue");
    TCase *tcase = tcase_create("queue");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, in_order_queue_runs_in_order);
    tcase_add_test(tcase, out_of_order_queue_overtakes);
    tcase_add_test(tcase, barrier_holds_later_commands);
    tcase_add_test(tcase, marker_waits_for_all_and_holds_nothing);
    tcase_add_loop_test(tcase, finish_waits_for_everything, 0, 2);
    tcase_add_test(tcase, markers_cost_the_same_each);
    tcase_add_loop_test(tcase, queue_may_be_released_while_it_works, 0, 2);
    tcase_add_loop_test(tcase, blocking_command_returns_its_status, 0, 2);
    tcase_add_loop_test(tcase, threads_share_a_queue, 0, 2);
    tcase_add_test(tcase, queries_answer);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
