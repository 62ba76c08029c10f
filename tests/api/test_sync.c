// SPDX-License-Identifier: MIT
#include "support/cl.h"

#include <pthread.h>
#include <unistd.h>

#include "support/suite.h"

static struct tf_cl cl;
static cl_context other;
static cl_event user, foreign;

static void setup(void)
{
    cl_int code;

    cl = tf_cl_begin();
    other = tf_cl_other_context(&cl);
    user = clCreateUserEvent(cl.context, &code);
    foreign = clCreateUserEvent(other, &code);
}

static void teardown(void)
{
    clSetUserEventStatus(user, CL_COMPLETE);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(foreign), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(other), CL_SUCCESS);
    tf_cl_end(&cl);
}

static cl_int status_of(cl_event event)
{
    cl_int status = 99;

    clGetEventInfo(event, CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof(status), &status,
                   NULL);
    return status;
}

// The rules that all wait lists share, through a function that passes one on.
static void check_wait_list_rules(cl_int (*call)(cl_uint, const cl_event *))
{
    const cl_event null = NULL, wrong = (cl_event)cl.queue, mixed[] = {user, foreign};

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
    return clEnqueueMarkerWithWaitList(cl.queue, n, list, NULL);
}

static cl_int barrier(cl_uint n, const cl_event *list)
{
    return clEnqueueBarrierWithWaitList(cl.queue, n, list, NULL);
}

START_TEST(wait_lists_are_checked)
{
    check_wait_list_rules(marker);
    check_wait_list_rules(barrier);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clFinish(cl.queue), CL_SUCCESS);
}
END_TEST

START_TEST(bad_queues)
{
    const cl_int wanted = CL_INVALID_COMMAND_QUEUE;
    cl_event event;

    ck_assert_rejects(wanted, clEnqueueMarkerWithWaitList(bad, 0, NULL, NULL),
                      cl.context);
    ck_assert_rejects(wanted, clEnqueueBarrierWithWaitList(bad, 0, NULL, NULL),
                      cl.context);
    ck_assert_rejects(wanted, clEnqueueMarker(bad, &event), cl.context);
    ck_assert_rejects(wanted, clEnqueueBarrier(bad), cl.context);
    ck_assert_rejects(wanted, clEnqueueWaitForEvents(bad, 1, &user), cl.context);
    ck_assert_int_eq(clEnqueueMarker(cl.queue, NULL), CL_INVALID_VALUE);
}
END_TEST

START_TEST(event_lists_are_checked)
{
    const cl_event null = NULL, mixed[] = {user, foreign};

    ck_assert_int_eq(clWaitForEvents(0, &user), CL_INVALID_VALUE);
    ck_assert_int_eq(clWaitForEvents(1, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clWaitForEvents(1, &null), CL_INVALID_EVENT);
    ck_assert_int_eq(clWaitForEvents(2, mixed), CL_INVALID_CONTEXT);
    ck_assert_int_eq(clEnqueueWaitForEvents(cl.queue, 0, &user), CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueWaitForEvents(cl.queue, 1, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueWaitForEvents(cl.queue, 1, &null), CL_INVALID_EVENT);
    ck_assert_int_eq(clEnqueueWaitForEvents(cl.queue, 1, &foreign), CL_INVALID_CONTEXT);
}
END_TEST

START_TEST(failed_event_fails_the_wait)
{
    cl_event event;

    ck_assert_int_eq(clEnqueueMarkerWithWaitList(cl.queue, 1, &user, &event), CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(user, -7), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &event),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(status_of(event), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(status_of(user), -7);
    ck_assert_int_eq(clFinish(cl.queue), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
}
END_TEST

START_TEST(old_entry_points_order_an_out_of_order_queue)
{
    cl_int code;
    cl_command_queue q = clCreateCommandQueue(
        cl.context, cl.device, CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, &code);
    cl_event event;

    ck_assert_int_eq(clEnqueueWaitForEvents(q, 1, &user), CL_SUCCESS);
    ck_assert_int_eq(clEnqueueMarker(q, &event), CL_SUCCESS);
    usleep(2000);
    ck_assert_int_eq(status_of(event), CL_QUEUED);
    ck_assert_int_eq(clEnqueueBarrier(q), CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    ck_assert_int_eq(status_of(event), CL_COMPLETE);
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
