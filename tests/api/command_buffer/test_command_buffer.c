// SPDX-License-Identifier: MIT
// Command buffers: life, queries, finalizing, enqueueing (cl_khr_command_buffer 0.9.8).
#include "api/command_buffer_rig.h"
#include "support/suite.h"

#define QUERY(buffer, param, value)                                              \
    ck_assert_int_eq(                                                            \
        clGetCommandBufferInfoKHR(buffer, param, sizeof(value), &(value), NULL), \
        CL_SUCCESS)

START_TEST(device_says_what_it_has)
{
    cl_device_command_buffer_capabilities_khr caps = 0;
    cl_command_queue_properties required = 77, supported = 0;
    cl_mutable_dispatch_fields_khr fields = 0;
    cl_platform_command_buffer_capabilities_khr platform = 0;
    cl_device_id synced[2] = {NULL, NULL};
    cl_uint count = 0;
    size_t bytes;

#define ASK(param, value)                                                       \
    ck_assert_int_eq(                                                           \
        clGetDeviceInfo(tf_api.device, param, sizeof(value), &(value), &bytes), \
        CL_SUCCESS)
    ASK(CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR, caps);
    ck_assert_uint_eq(caps, CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR |
                                CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR |
                                CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR |
                                CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR);
    ASK(CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR, required);
    ck_assert_uint_eq(required, 0);
    ASK(CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR, supported);
    ck_assert_uint_eq(supported,
                      CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE);
    ASK(CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR, fields);
    ck_assert_uint_eq(fields, 0x1f);
    ASK(CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR, count);
    ck_assert_uint_eq(count, 1);
    ASK(CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR, synced);
    ck_assert_uint_eq(bytes, sizeof(cl_device_id));
    ck_assert_ptr_eq(synced[0], tf_api.device);
    ck_assert_int_eq(clGetPlatformInfo(tf_api.platform,
                                       CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR,
                                       sizeof(platform), &platform, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(platform, 7);
}
END_TEST

START_TEST(wrong_creations_are_rejected)
{
    const cl_command_queue two[2] = {tf_api.q, tf_api.other_q};
    const cl_command_buffer_properties_khr
        unknown[] = {0x9999, 1, 0},
        bits[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 1u << 20, 0},
        asserts[] = {CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0},
        twice[] = {CL_COMMAND_BUFFER_FLAGS_KHR, 0, CL_COMMAND_BUFFER_FLAGS_KHR, 0, 0};
    cl_int code = 0;

#define REJECTED(count, queues, properties, wanted)                                     \
    do {                                                                                \
        ck_assert_ptr_null(clCreateCommandBufferKHR(count, queues, properties, &code)); \
        ck_assert_int_eq(code, wanted);                                                 \
    } while (0)
    REJECTED(0, two, NULL, CL_INVALID_VALUE);
    REJECTED(1, NULL, NULL, CL_INVALID_VALUE);
    REJECTED(1, (cl_command_queue *)&rig.mem, NULL, CL_INVALID_COMMAND_QUEUE);
    REJECTED(2, two, NULL, CL_INVALID_CONTEXT);
    REJECTED(1, two, unknown, CL_INVALID_VALUE);
    REJECTED(1, two, bits, CL_INVALID_VALUE);
    REJECTED(1, two, asserts, CL_INVALID_VALUE);
    REJECTED(1, two, twice, CL_INVALID_VALUE);
    ck_assert_ptr_null(clCreateCommandBufferKHR(0, NULL, NULL, NULL));
}
END_TEST

START_TEST(queries_answer)
{
    const cl_command_buffer_properties_khr list[] = {
        CL_COMMAND_BUFFER_FLAGS_KHR,
        CL_COMMAND_BUFFER_MUTABLE_KHR | CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR, 0};
    const cl_command_queue queues[2] = {tf_api.q, rig.out_of_order};
    cl_command_queue seen[2] = {NULL, NULL};
    cl_command_buffer_properties_khr properties[3] = {1, 1, 1};
    cl_command_buffer_khr buffer = clCreateCommandBufferKHR(2, queues, list, NULL);
    cl_uint count = 0;
    cl_context ctx = NULL;
    size_t bytes = 0;

    QUERY(buffer, CL_COMMAND_BUFFER_NUM_QUEUES_KHR, count);
    ck_assert_uint_eq(count, 2);
    QUERY(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, seen);
    ck_assert_mem_eq(seen, queues, sizeof(queues));
    ck_assert_int_eq(
        clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_QUEUES_KHR, 8, seen, &bytes),
        CL_INVALID_VALUE);
    QUERY(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, count);
    ck_assert_uint_eq(count, 1);
    QUERY(buffer, CL_COMMAND_BUFFER_CONTEXT_KHR, ctx);
    ck_assert_ptr_eq(ctx, tf_api.ctx);
    QUERY(buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, properties);
    ck_assert_mem_eq(properties, list, sizeof(list));
    ck_assert_int_eq(clGetCommandBufferInfoKHR(buffer, 0x1, 0, NULL, &bytes),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clRetainCommandBufferKHR(buffer), CL_SUCCESS);
    QUERY(buffer, CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR, count);
    ck_assert_uint_eq(count, 2);
    rig_release(buffer);
    rig_release(buffer);
    ck_assert_rejects(CL_INVALID_COMMAND_BUFFER_KHR, clRetainCommandBufferKHR(bad),
                      tf_api.q);
    ck_assert_rejects(CL_INVALID_COMMAND_BUFFER_KHR, clReleaseCommandBufferKHR(bad),
                      tf_api.q);
    ck_assert_rejects(
        CL_INVALID_COMMAND_BUFFER_KHR,
        clGetCommandBufferInfoKHR(bad, CL_COMMAND_BUFFER_STATE_KHR, 0, NULL, NULL),
        tf_api.q);
}
END_TEST

START_TEST(no_properties_are_an_empty_list)
{
    cl_command_buffer_khr buffer = clCreateCommandBufferKHR(1, &tf_api.q, NULL, NULL);
    size_t bytes = 9;

    ck_assert_int_eq(clGetCommandBufferInfoKHR(
                         buffer, CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR, 0, NULL, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, 0);
    rig_release(buffer);
}
END_TEST

START_TEST(finalizing_ends_the_recording)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);

    ck_assert_uint_eq(rig_state(buffer), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
    rig_finalize(buffer);
    ck_assert_uint_eq(rig_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    ck_assert_int_eq(clFinalizeCommandBufferKHR(buffer), CL_INVALID_OPERATION);
    rig_run(buffer); // nothing
    rig_release(buffer);
    ck_assert_rejects(CL_INVALID_COMMAND_BUFFER_KHR, clFinalizeCommandBufferKHR(bad),
                      tf_api.q);
}
END_TEST

START_TEST(wrong_enqueues_are_rejected)
{
    const cl_device_partition_property each[] = {CL_DEVICE_PARTITION_EQUALLY, 1, 0};
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_command_queue queues[2] = {tf_api.q, tf_api.q};
    cl_device_id part = NULL;

    rig_finalize(buffer);
    ck_assert_rejects(CL_INVALID_COMMAND_BUFFER_KHR,
                      clEnqueueCommandBufferKHR(0, NULL, bad, 0, NULL, NULL), tf_api.q);
#define ENQUEUE(count, list) clEnqueueCommandBufferKHR(count, list, buffer, 0, NULL, NULL)
    ck_assert_int_eq(ENQUEUE(1, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(ENQUEUE(0, queues), CL_INVALID_VALUE);
    ck_assert_int_eq(ENQUEUE(2, queues), CL_INVALID_VALUE);
    queues[0] = NULL;
    ck_assert_int_eq(ENQUEUE(1, queues), CL_INVALID_COMMAND_QUEUE);
    queues[0] = tf_api.other_q;
    ck_assert_int_eq(ENQUEUE(1, queues), CL_INVALID_CONTEXT);
#define WAITING(n, list) clEnqueueCommandBufferKHR(0, NULL, buffer, n, list, NULL)
    TF_API_CHECK_WAIT_LIST(WAITING);
    if (clCreateSubDevices(tf_api.device, each, 1, &part, NULL) == CL_SUCCESS && part) {
        cl_context ctx = clCreateContext(NULL, 1, &part, NULL, NULL, NULL);
        cl_context both = clCreateContext(NULL, 2, (cl_device_id[]){tf_api.device, part},
                                          NULL, NULL, NULL);
        cl_command_queue whole =
            clCreateCommandQueueWithProperties(both, tf_api.device, NULL, NULL);
        cl_command_queue of_part =
            clCreateCommandQueueWithProperties(both, part, NULL, NULL);
        cl_command_buffer_khr on_whole = rig_buffer(whole, 0);

        rig_finalize(on_whole);
        ck_assert_int_eq(clEnqueueCommandBufferKHR(1, &of_part, on_whole, 0, NULL, NULL),
                         CL_INVALID_DEVICE);
        rig_release(on_whole);
        clReleaseCommandQueue(whole);
        clReleaseCommandQueue(of_part);
        clReleaseContext(both);
        clReleaseContext(ctx);
        clReleaseDevice(part);
    }
    rig_release(buffer);
}
END_TEST

START_TEST(each_run_does_all_of_it)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);

    rig_step(buffer, rig.add, rig.mem, 3, 0, NULL);
    rig_step(buffer, rig.twice, rig.mem, 1, 0, NULL);
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, 7);
    rig_run(buffer);
    rig_check(rig.mem, 21);
    rig_release(buffer);
}
END_TEST

START_TEST(kernel_may_change_after_it_was_recorded)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    const cl_int value = 100;

    rig_step(buffer, rig.add, rig.mem, 3, 0, NULL);
    tf_api_set_arg(rig.add, 1, sizeof(value), &value);
    tf_api_set_arg(rig.add, 0, sizeof(rig.other), &rig.other);
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, 3);
    rig_check(rig.other, 0);
    rig_release(buffer);
}
END_TEST

START_TEST(released_objects_live_as_long_as_the_buffer)
{
    static int ones[ITEMS];
    cl_command_queue q = rig_queue(0);
    cl_command_buffer_khr buffer = rig_buffer(q, 0);
    cl_kernel kernel = tf_api_kernel(rig.prog, "add");
    cl_mem mem;

    for (int i = 0; i < ITEMS; i++)
        ones[i] = 1;
    mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, BYTES, ones);
    rig_step(buffer, kernel, mem, 5, 0, NULL);
    ck_assert_int_eq(clCommandCopyBufferKHR(buffer, NULL, NULL, mem, rig.mem, 0, 0, BYTES,
                                            0, NULL, NULL, NULL),
                     CL_SUCCESS);
    rig_finalize(buffer);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, 6);
    rig_release(buffer);
}
END_TEST

START_TEST(released_buffer_ends_its_run)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_event gate = tf_api_user_event(), ev;

    rig_step(buffer, rig.add, rig.mem, 4, 0, NULL);
    rig_finalize(buffer);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &ev),
                     CL_SUCCESS);
    rig_release(buffer);
    ck_assert_int_eq(clSetUserEventStatus(gate, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    rig_check(rig.mem, 4);
    clReleaseEvent(ev);
    clReleaseEvent(gate);
}
END_TEST

START_TEST(event_tells_of_the_command_buffer)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_command_queue q = NULL;
    cl_ulong at[4];
    cl_event ev;

    rig_step(buffer, rig.add, rig.mem, 1, 0, NULL);
    rig_finalize(buffer);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &ev),
                     CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    ck_assert_uint_eq(tf_api_event_type(ev), CL_COMMAND_COMMAND_BUFFER_KHR);
    ck_assert_int_eq(clGetEventInfo(ev, CL_EVENT_COMMAND_QUEUE, sizeof(q), &q, NULL),
                     CL_SUCCESS);
    ck_assert_ptr_eq(q, tf_api.q);
    for (cl_uint i = 0; i < 4; i++)
        ck_assert_int_eq(clGetEventProfilingInfo(ev, CL_PROFILING_COMMAND_QUEUED + i,
                                                 sizeof(at[i]), &at[i], NULL),
                         CL_SUCCESS);
    for (int i = 1; i < 4; i++)
        ck_assert_uint_ge(at[i], at[i - 1]);
    ck_assert_uint_gt(at[3], at[2]);
    clReleaseEvent(ev);
    rig_release(buffer);
}
END_TEST

START_TEST(failed_dependency_fails_the_run)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_event gate = tf_api_user_event(), ev;

    rig_step(buffer, rig.add, rig.mem, 4, 0, NULL);
    rig_finalize(buffer);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &ev),
                     CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(gate, -7), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &ev),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    rig_check(rig.mem, 0);
    clReleaseEvent(ev);
    clReleaseEvent(gate);
    rig_release(buffer);
}
END_TEST

START_TEST(many_runs_may_be_in_flight)
{
    cl_command_buffer_khr buffer =
        rig_buffer(rig.out_of_order, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);
    cl_event gate = tf_api_user_event(), ev[100];

    rig_step(buffer, rig.twice, rig.mem, 0, 0, NULL); // 0 stays 0 in whatever order
    rig_finalize(buffer);
    for (int i = 0; i < 100; i++)
        ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &ev[i]),
                         CL_SUCCESS);
    clSetUserEventStatus(gate, CL_COMPLETE);
    ck_assert_int_eq(clWaitForEvents(100, ev), CL_SUCCESS);
    rig_check(rig.mem, 0);
    for (int i = 0; i < 100; i++)
        clReleaseEvent(ev[i]);
    clReleaseEvent(gate);
    rig_release(buffer);
}
END_TEST

START_TEST(other_queue_of_the_device_runs_it)
{
    cl_command_buffer_khr buffer = rig_buffer(rig.out_of_order, 0);
    const cl_sync_point_khr point = rig_step(buffer, rig.add, rig.mem, 3, 0, NULL);
    cl_event ev;

    rig_step(buffer, rig.twice, rig.mem, 0, point, NULL);
    rig_finalize(buffer);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(1, &tf_api.q, buffer, 0, NULL, &ev),
                     CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(tf_api_event_status(ev), CL_COMPLETE);
    rig_check(rig.mem, 6);
    clReleaseEvent(ev);
    rig_release(buffer);
}
END_TEST

START_TEST(empty_range_does_nothing)
{
    const size_t zero = 0;
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_kernel nothing = tf_api_kernel(rig.prog, "nothing");

    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, nothing, 1, NULL,
                                               &zero, NULL, 0, NULL, NULL, NULL),
                     CL_SUCCESS);
    rig_finalize(buffer);
    rig_run(buffer);
    rig_release(buffer);
    clReleaseKernel(nothing);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("api_command_buffer");
    TCase *tests = tcase_create("all");

    tcase_add_checked_fixture(tests, rig_begin, rig_end);
    tcase_add_test(tests, device_says_what_it_has);
    tcase_add_test(tests, wrong_creations_are_rejected);
    tcase_add_test(tests, queries_answer);
    tcase_add_test(tests, no_properties_are_an_empty_list);
    tcase_add_test(tests, finalizing_ends_the_recording);
    tcase_add_test(tests, wrong_enqueues_are_rejected);
    tcase_add_test(tests, each_run_does_all_of_it);
    tcase_add_test(tests, kernel_may_change_after_it_was_recorded);
    tcase_add_test(tests, released_objects_live_as_long_as_the_buffer);
    tcase_add_test(tests, released_buffer_ends_its_run);
    tcase_add_test(tests, event_tells_of_the_command_buffer);
    tcase_add_test(tests, failed_dependency_fails_the_run);
    tcase_add_test(tests, many_runs_may_be_in_flight);
    tcase_add_test(tests, other_queue_of_the_device_runs_it);
    tcase_add_test(tests, empty_range_does_nothing);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
