// SPDX-License-Identifier: MIT
#include "support/api.h"

#include "support/suite.h"

static cl_int code;

static void setup(void)
{
    tf_api_begin();
    code = 1;
}

START_TEST(queues_are_made)
{
    const cl_command_queue_properties flags =
        CL_QUEUE_PROFILING_ENABLE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
    cl_command_queue queues[3];

    queues[0] = clCreateCommandQueue(tf_api.ctx, tf_api.device, flags, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    queues[1] =
        clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    queues[2] = clCreateCommandQueueWithPropertiesKHR(
        tf_api.ctx, tf_api.device, (const cl_queue_properties_khr *)list, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (int i = 0; i < 3; i++) {
        cl_command_queue_properties got = 0;

        ck_assert_int_eq(clGetCommandQueueInfo(queues[i], CL_QUEUE_PROPERTIES,
                                               sizeof(got), &got, NULL),
                         CL_SUCCESS);
        ck_assert_uint_eq(got, flags);
        ck_assert_int_eq(clRetainCommandQueue(queues[i]), CL_SUCCESS);
        ck_assert_int_eq(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
        ck_assert_int_eq(clFlush(queues[i]), CL_SUCCESS);
        ck_assert_int_eq(clFinish(queues[i]), CL_SUCCESS);
        ck_assert_int_eq(clReleaseCommandQueue(queues[i]), CL_SUCCESS);
        ck_assert_int_eq(clReleaseCommandQueue(queues[i]), CL_INVALID_COMMAND_QUEUE);
    }
}
END_TEST

// cl_khr_priority_hints, cl_khr_throttle_hints: taken, kept, without effect.
START_TEST(hints_are_taken)
{
    for (cl_queue_properties value = 1; value <= 4; value *= 2) {
        const cl_queue_properties list[] = {CL_QUEUE_PRIORITY_KHR, value,
                                            CL_QUEUE_THROTTLE_KHR, value, 0};
        cl_queue_properties back[5] = {0};
        cl_command_queue q =
            clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, &code);

        ck_assert_int_eq(code, CL_SUCCESS);
        ck_assert_int_eq(
            clGetCommandQueueInfo(q, CL_QUEUE_PROPERTIES_ARRAY, sizeof(back), back, NULL),
            CL_SUCCESS);
        ck_assert_mem_eq(back, list, sizeof(list));
        ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    }
}
END_TEST

static cl_int flags_code(cl_command_queue_properties flags)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
    cl_int with_list = 1;

    ck_assert_ptr_null(clCreateCommandQueue(tf_api.ctx, tf_api.device, flags, &code));
    ck_assert_ptr_null(
        clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, &with_list));
    ck_assert_int_eq(with_list, code);
    return code;
}

static cl_int list_code(const cl_queue_properties *list)
{
    code = 1;
    ck_assert_ptr_null(
        clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, &code));
    return code;
}

START_TEST(bad_properties)
{
    const cl_queue_properties unknown[] = {0x7777, 1, 0};
    const cl_queue_properties twice[] = {CL_QUEUE_PROPERTIES, 0, CL_QUEUE_PROPERTIES, 0,
                                         0};
    const cl_queue_properties size[] = {CL_QUEUE_SIZE, 100, 0};
    const cl_queue_properties priority[] = {CL_QUEUE_PRIORITY_KHR, 3, 0};
    const cl_queue_properties throttle[] = {CL_QUEUE_THROTTLE_KHR, 0, 0};

    ck_assert_int_eq(flags_code(1u << 20), CL_INVALID_VALUE);
    ck_assert_int_eq(flags_code(CL_QUEUE_ON_DEVICE), CL_INVALID_VALUE);
    ck_assert_int_eq(list_code(unknown), CL_INVALID_VALUE);
    ck_assert_int_eq(list_code(twice), CL_INVALID_VALUE);
    ck_assert_int_eq(list_code(size), CL_INVALID_VALUE);
    ck_assert_int_eq(list_code(priority), CL_INVALID_VALUE);
    ck_assert_int_eq(list_code(throttle), CL_INVALID_VALUE);
}
END_TEST

START_TEST(bad_owners)
{
    ck_assert_ptr_null(clCreateCommandQueue(NULL, tf_api.device, 0, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    ck_assert_ptr_null(
        clCreateCommandQueue((cl_context)tf_api.q, tf_api.device, 0, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    ck_assert_ptr_null(clCreateCommandQueue(tf_api.ctx, NULL, 0, &code));
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    ck_assert_ptr_null(clCreateCommandQueueWithProperties(
        tf_api.ctx, (cl_device_id)tf_api.q, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    ck_assert_ptr_null(
        clCreateCommandQueueWithProperties(NULL, tf_api.device, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
}
END_TEST

START_TEST(bad_queues)
{
    const cl_int wanted = CL_INVALID_COMMAND_QUEUE;
    cl_command_queue_properties old;

    ck_assert_rejects(wanted, clRetainCommandQueue(bad), tf_api.ctx);
    ck_assert_rejects(wanted, clReleaseCommandQueue(bad), tf_api.ctx);
    ck_assert_rejects(wanted, clFlush(bad), tf_api.ctx);
    ck_assert_rejects(wanted, clFinish(bad), tf_api.ctx);
    ck_assert_rejects(wanted, clGetCommandQueueInfo(bad, CL_QUEUE_DEVICE, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_rejects(
        wanted, clSetCommandQueueProperty(bad, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &old),
        tf_api.ctx);
    ck_assert_int_eq(clGetCommandQueueInfo(tf_api.q, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clGetCommandQueueInfo(tf_api.q, CL_QUEUE_SIZE, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
}
END_TEST

START_TEST(what_no_device_can_do_is_refused)
{
    cl_command_queue_properties old;

    ck_assert_int_eq(
        clSetCommandQueueProperty(tf_api.q, CL_QUEUE_PROFILING_ENABLE, CL_TRUE, &old),
        CL_INVALID_OPERATION);
    ck_assert_int_eq(clSetDefaultDeviceCommandQueue(tf_api.ctx, tf_api.device, tf_api.q),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(clSetDefaultDeviceCommandQueue(NULL, tf_api.device, tf_api.q),
                     CL_INVALID_CONTEXT);
    ck_assert_int_eq(clSetDefaultDeviceCommandQueue(tf_api.ctx, NULL, tf_api.q),
                     CL_INVALID_DEVICE);
}
END_TEST

// An application may use what a query hands out, while it lives (an event owns its queue,
// the queue its context).
START_TEST(handles_from_queries_work)
{
    cl_command_queue queue = clCreateCommandQueue(tf_api.ctx, tf_api.device, 0, &code),
                     again;
    cl_event event;
    cl_context context = NULL;

    ck_assert_int_eq(clEnqueueMarkerWithWaitList(queue, 0, NULL, &event), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(queue), CL_SUCCESS);
    ck_assert_int_eq(
        clGetEventInfo(event, CL_EVENT_COMMAND_QUEUE, sizeof(again), &again, NULL),
        CL_SUCCESS);
    ck_assert_ptr_eq(again, queue);
    ck_assert_int_eq(
        clGetCommandQueueInfo(again, CL_QUEUE_CONTEXT, sizeof(context), &context, NULL),
        CL_SUCCESS);
    ck_assert_ptr_eq(context, tf_api.ctx);
    ck_assert_int_eq(clReleaseCommandQueue(again), CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("queue");
    TCase *tcase = tcase_create("queue");

    tcase_add_checked_fixture(tcase, setup, tf_api_end);
    tcase_add_test(tcase, queues_are_made);
    tcase_add_test(tcase, hints_are_taken);
    tcase_add_test(tcase, bad_properties);
    tcase_add_test(tcase, bad_owners);
    tcase_add_test(tcase, bad_queues);
    tcase_add_test(tcase, what_no_device_can_do_is_refused);
    tcase_add_test(tcase, handles_from_queries_work);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
