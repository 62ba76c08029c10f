// SPDX-License-Identifier: MIT
#include "support/api.h"

#include <pthread.h>
#include <unistd.h>

#include "support/suite.h"

static cl_event user, foreign;

static void setup(void)
{
    tf_api_begin();
    user = tf_api_user_event();
    foreign = tf_api_other_event();
}

static void teardown(void)
{
    clSetUserEventStatus(user, CL_COMPLETE);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(foreign), CL_SUCCESS);
    tf_api_end();
}

// The rules that all wait lists share, through a function that passes one on.
static void check_wait_list_rules(cl_int (*call)(cl_uint, const cl_event *))
{
    const cl_event null = NULL, wrong = (cl_event)tf_api.q, mixed[] = {user, foreign};

    ck_assert_int_eq(call(1, NULL), CL_INVALID_EVENT_WAIT_LIST);
    ck_assert_int_eq(call(0, &user), CL_INVALID_EVENT_WAIT_LIST);
    ck_assert_int_eq(call(1, &null), CL_INVALID_EVENT_WAIT_LIST);
    ck_assert_int_eq(call(1, &wrong), CL_INVALID_EVENT_WAIT_LIST);
    ck_assert_int_eq(call(2, mixed), CL_INVALID_CONTEXT);
    ck_assert_int_eq(call(1, &user), CL_SUCCESS);
    ck_assert_int_eq(call(0, NULL), CL_SUCCESS);
}

static cl_int marker(cl_uint n, const cl_event *list)
{
    return clEnqueueMarkerWithWaitList(tf_api.q, n, list, NULL);
}

static cl_int barrier(cl_uint n, const cl_event *list)
{
    return clEnqueueBarrierWithWaitList(tf_api.q, n, list, NULL);
}

START_TEST(wait_lists_are_checked)
{
    check_wait_list_rules(marker);
    check_wait_list_rules(barrier);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
}
END_TEST

START_TEST(bad_queues)
{
    const cl_int wanted = CL_INVALID_COMMAND_QUEUE;
    cl_event event;

    ck_assert_rejects(wanted, clEnqueueMarkerWithWaitList(bad, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_rejects(wanted, clEnqueueBarrierWithWaitList(bad, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_rejects(wanted, clEnqueueMarker(bad, &event), tf_api.ctx);
    ck_assert_rejects(wanted, clEnqueueBarrier(bad), tf_api.ctx);
    ck_assert_rejects(wanted, clEnqueueWaitForEvents(bad, 1, &user), tf_api.ctx);
    ck_assert_int_eq(clEnqueueMarker(tf_api.q, NULL), CL_INVALID_VALUE);
}
END_TEST

START_TEST(event_lists_are_checked)
{
    const cl_event null = NULL, mixed[] = {user, foreign};

    ck_assert_int_eq(clWaitForEvents(0, &user), CL_INVALID_VALUE);
    ck_assert_int_eq(clWaitForEvents(1, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clWaitForEvents(1, &null), CL_INVALID_EVENT);
    ck_assert_int_eq(clWaitForEvents(2, mixed), CL_INVALID_CONTEXT);
    ck_assert_int_eq(clEnqueueWaitForEvents(tf_api.q, 0, &user), CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueWaitForEvents(tf_api.q, 1, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueWaitForEvents(tf_api.q, 1, &null), CL_INVALID_EVENT);
    ck_assert_int_eq(clEnqueueWaitForEvents(tf_api.q, 1, &foreign), CL_INVALID_CONTEXT);
}
END_TEST

START_TEST(failed_event_fails_the_wait)
{
    cl_event event;

    ck_assert_int_eq(clEnqueueMarkerWithWaitList(tf_api.q, 1, &user, &event), CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(user, -7), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &event),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(tf_api_event_status(event),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(tf_api_event_status(user), -7);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
}
END_TEST

START_TEST(old_entry_points_order_an_out_of_order_queue)
{
    cl_int code;
    cl_command_queue q = clCreateCommandQueue(
        tf_api.ctx, tf_api.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    cl_event event;

    ck_assert_int_eq(clEnqueueWaitForEvents(q, 1, &user), CL_SUCCESS);
    ck_assert_int_eq(clEnqueueMarker(q, &event), CL_SUCCESS);
    usleep(2000);
    ck_assert_int_eq(tf_api_event_status(event), CL_QUEUED);
    ck_assert_int_eq(clEnqueueBarrier(q), CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_int_eq(tf_api_event_status(event), CL_COMPLETE);
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}
END_TEST

static void *wait_for_user(void *result)
{
    *(cl_int *)result = clWaitForEvents(1, &user);
    return NULL;
}

// The waiter holds its events: releasing them elsewhere hangs nobody.
START_TEST(released_event_wakes_its_waiter)
{
    cl_int result = 1;
    pthread_t thread;

    pthread_create(&thread, NULL, wait_for_user, &result);
    usleep(5000);
    ck_assert_int_eq(clRetainEvent(user), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    pthread_join(thread, NULL);
    ck_assert_int_eq(result, CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sync");
    TCase *tcase = tcase_create("sync");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, wait_lists_are_checked);
    tcase_add_test(tcase, bad_queues);
    tcase_add_test(tcase, event_lists_are_checked);
    tcase_add_test(tcase, failed_event_fails_the_wait);
    tcase_add_test(tcase, old_entry_points_order_an_out_of_order_queue);
    tcase_add_test(tcase, released_event_wakes_its_waiter);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
