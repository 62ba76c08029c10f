// SPDX-License-Identifier: MIT
#include "support/api.h"

#include <stdatomic.h>
#include <unistd.h>

#include "support/limits.h"
#include "support/suite.h"

static cl_int code;

static void setup(void)
{
    tf_api_begin();
    code = 1;
}

START_TEST(user_event_takes_one_status)
{
    cl_event event = tf_api_user_event();

    ck_assert_int_eq(tf_api_event_status(event), CL_SUBMITTED);
    ck_assert_int_eq(clSetUserEventStatus(event, CL_RUNNING), CL_INVALID_VALUE);
    ck_assert_int_eq(clSetUserEventStatus(event, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(tf_api_event_status(event), CL_COMPLETE);
    ck_assert_int_eq(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_OPERATION);
    ck_assert_int_eq(clSetUserEventStatus(event, -1), CL_INVALID_OPERATION);
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
}
END_TEST

START_TEST(command_event_takes_no_user_status)
{
    cl_event event;

    ck_assert_int_eq(clEnqueueMarkerWithWaitList(tf_api.q, 0, NULL, &event), CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(event, CL_COMPLETE), CL_INVALID_EVENT);
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
}
END_TEST

START_TEST(events_are_counted)
{
    cl_event event = tf_api_user_event();
    cl_uint refs = 0;

    ck_assert_int_eq(clRetainEvent(event), CL_SUCCESS);
    ck_assert_int_eq(
        clGetEventInfo(event, CL_EVENT_REFERENCE_COUNT, sizeof(refs), &refs, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(refs, 2);
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(event), CL_INVALID_EVENT);
}
END_TEST

static void CL_CALLBACK count(cl_event event, cl_int status, void *data)
{
    (void)event, (void)status;
    atomic_fetch_add((atomic_int *)data, 1);
}

START_TEST(bad_events)
{
    cl_event event = tf_api_user_event();
    atomic_int calls = 0;

    ck_assert_ptr_null(clCreateUserEvent(NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    ck_assert_ptr_null(clCreateUserEvent((cl_context)tf_api.q, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    ck_assert_rejects(CL_INVALID_EVENT, clRetainEvent(bad), tf_api.q);
    ck_assert_rejects(CL_INVALID_EVENT, clReleaseEvent(bad), tf_api.q);
    ck_assert_rejects(CL_INVALID_EVENT, clSetUserEventStatus(bad, CL_COMPLETE), tf_api.q);
    ck_assert_rejects(CL_INVALID_EVENT,
                      clGetEventInfo(bad, CL_EVENT_CONTEXT, 0, NULL, NULL), tf_api.q);
    ck_assert_rejects(
        CL_INVALID_EVENT,
        clGetEventProfilingInfo(bad, CL_PROFILING_COMMAND_END, 0, NULL, NULL), tf_api.q);
    ck_assert_rejects(CL_INVALID_EVENT,
                      clSetEventCallback(bad, CL_COMPLETE, count, &calls), tf_api.q);
    ck_assert_int_eq(clGetEventInfo(event, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clSetEventCallback(event, CL_COMPLETE, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clSetEventCallback(event, CL_QUEUED, count, &calls),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clSetEventCallback(event, -1, count, &calls), CL_INVALID_VALUE);
    ck_assert_int_eq(
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 0, NULL, NULL),
        CL_PROFILING_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(atomic_load(&calls), 0);
    clReleaseEvent(event);
}
END_TEST

START_TEST(callback_runs_once)
{
    cl_event event = tf_api_user_event();
    atomic_int calls = 0;

    ck_assert_int_eq(clSetEventCallback(event, CL_COMPLETE, count, &calls), CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(event, -2), CL_SUCCESS);
    ck_assert(TEST_UNTIL(atomic_load(&calls)));
    usleep(2000);
    ck_assert_int_eq(atomic_load(&calls), 1);
    clReleaseEvent(event);
}
END_TEST

START_TEST(profiling_of_a_marker)
{
    cl_command_queue q =
        clCreateCommandQueue(tf_api.ctx, tf_api.device, CL_QUEUE_PROFILING_ENABLE, &code);
    cl_ulong before = 0, ns;
    cl_event event;

    ck_assert_int_eq(clEnqueueMarkerWithWaitList(q, 0, NULL, &event), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    for (cl_profiling_info p = CL_PROFILING_COMMAND_QUEUED;
         p <= CL_PROFILING_COMMAND_COMPLETE; p++) {
        ck_assert_int_eq(clGetEventProfilingInfo(event, p, sizeof(ns), &ns, NULL),
                         CL_SUCCESS);
        ck_assert_uint_ge(ns, before);
        before = ns;
    }
    ck_assert_int_eq(clGetEventProfilingInfo(event, 0, sizeof(ns), &ns, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(
        clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, 1, &ns, NULL),
        CL_INVALID_VALUE);
    clReleaseEvent(event);
    clReleaseCommandQueue(q);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("event");
    TCase *tcase = tcase_create("event");

    tcase_add_checked_fixture(tcase, setup, tf_api_end);
    tcase_add_test(tcase, user_event_takes_one_status);
    tcase_add_test(tcase, command_event_takes_no_user_status);
    tcase_add_test(tcase, events_are_counted);
    tcase_add_test(tcase, bad_events);
    tcase_add_test(tcase, callback_runs_once);
    tcase_add_test(tcase, profiling_of_a_marker);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
