// SPDX-License-Identifier: MIT
// Command buffers on several queues and devices, and remapping them
// (cl_khr_command_buffer_multi_device 0.9.2).
#include "api/command_buffer_rig.h"
#include "support/suite.h"

static const size_t items = ITEMS;

static void record_on(cl_command_buffer_khr buffer, cl_command_queue q, cl_kernel kernel,
                      cl_mem mem, cl_int value, cl_sync_point_khr *point)
{
    const size_t local = 16;
    const cl_sync_point_khr after = *point;

    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    tf_api_set_arg(kernel, 1, sizeof(value), &value);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, q, NULL, kernel, 1, NULL, &items,
                                               &local, after ? 1 : 0,
                                               after ? &after : NULL, point, NULL),
                     CL_SUCCESS);
}

// ---- Several queues ----

START_TEST(each_in_order_queue_orders_its_commands)
{
    cl_command_queue second = rig_queue(0);
    const cl_command_queue queues[] = {tf_api.q, second};
    cl_command_buffer_khr buffer = rig_buffer_on(2, queues, 0);

    for (int i = 0; i < 10; i++) {
        cl_sync_point_khr none = 0;

        record_on(buffer, tf_api.q, i % 2 ? rig.twice : rig.add, rig.mem, 1, &none);
        none = 0;
        record_on(buffer, second, i % 2 ? rig.twice : rig.add, rig.other, 2, &none);
    }
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, 93);
    rig_check(rig.other, 186);
    rig_release(buffer);
    clReleaseCommandQueue(second);
}
END_TEST

// Commands of all its queues come before and after it.
START_TEST(every_queue_takes_its_turn)
{
    cl_command_queue second = rig_queue(0);
    const cl_command_queue queues[] = {tf_api.q, second};
    cl_command_buffer_khr buffer = rig_buffer_on(2, queues, 0);
    cl_event gate = tf_api_user_event(), ev = NULL;
    cl_sync_point_khr point = 0;
    cl_command_queue told = tf_api.q;
    const cl_int one = 1;

    record_on(buffer, tf_api.q, rig.twice, rig.mem, 0, &point);
    rig_finalize(buffer);
    ck_assert_int_eq(
        clEnqueueFillBuffer(second, rig.mem, &one, 4, 0, BYTES, 1, &gate, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &ev),
                     CL_SUCCESS);
    tf_api_set_arg(rig.add, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(rig.add, 1, sizeof(one), &one);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(second, rig.add, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_gt(tf_api_event_status(ev), CL_COMPLETE);
    clSetUserEventStatus(gate, CL_COMPLETE);
    ck_assert_int_eq(clFinish(second), CL_SUCCESS);
    ck_assert_int_eq(tf_api_event_status(ev), CL_COMPLETE);
    rig_check(rig.mem, 3);
    ck_assert_int_eq(
        clGetEventInfo(ev, CL_EVENT_COMMAND_QUEUE, sizeof(told), &told, NULL),
        CL_SUCCESS);
    ck_assert_ptr_null(told);
    clReleaseEvent(ev);
    clReleaseEvent(gate);
    rig_release(buffer);
    clReleaseCommandQueue(second);
}
END_TEST

START_TEST(one_queue_may_stand_twice)
{
    const cl_command_queue queues[] = {tf_api.q, tf_api.q};
    cl_command_buffer_khr buffer = rig_buffer_on(2, queues, 0);
    cl_sync_point_khr point = 0;

    record_on(buffer, tf_api.q, rig.add, rig.mem, 5, &point);
    rig_finalize(buffer);
    rig_run(buffer);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    rig_check(rig.mem, 5);
    rig_release(buffer);
}
END_TEST

// ---- Several devices ----

static struct {
    cl_device_id parts[2];
    cl_context ctx;
    cl_command_queue queues[2];
    cl_program prog;
    cl_kernel add, twice;
    cl_mem mem, other;
} two;

// False on a machine of one processor.
static bool begin_two(void)
{
    const cl_device_partition_property list[] = {
        CL_DEVICE_PARTITION_BY_COUNTS, 1, 1, CL_DEVICE_PARTITION_BY_COUNTS_LIST_END, 0};
    const char *text = rig_source;
    static int zeros[ITEMS];
    cl_int code;

    if (clCreateSubDevices(tf_api.device, list, 2, two.parts, NULL))
        return false;
    two.ctx = clCreateContext(NULL, 2, two.parts, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    for (int i = 0; i < 2; i++)
        two.queues[i] =
            clCreateCommandQueueWithProperties(two.ctx, two.parts[i], NULL, &code);
    two.prog = clCreateProgramWithSource(two.ctx, 1, &text, NULL, &code);
    ck_assert_int_eq(clBuildProgram(two.prog, 0, NULL, "-cl-std=CL3.0", NULL, NULL),
                     CL_SUCCESS);
    two.add = tf_api_kernel(two.prog, "add");
    two.twice = tf_api_kernel(two.prog, "twice");
    two.mem = clCreateBuffer(two.ctx, CL_MEM_COPY_HOST_PTR, BYTES, zeros, &code);
    two.other = clCreateBuffer(two.ctx, CL_MEM_COPY_HOST_PTR, BYTES, zeros, &code);
    return true;
}

static void end_two(void)
{
    clReleaseMemObject(two.mem);
    clReleaseMemObject(two.other);
    clReleaseKernel(two.add);
    clReleaseKernel(two.twice);
    clReleaseProgram(two.prog);
    for (int i = 0; i < 2; i++) {
        clReleaseCommandQueue(two.queues[i]);
        clReleaseDevice(two.parts[i]);
    }
    clReleaseContext(two.ctx);
}

static void check_two(cl_mem mem, cl_int value)
{
    cl_int seen[ITEMS];

    ck_assert_int_eq(
        clEnqueueReadBuffer(two.queues[1], mem, CL_TRUE, 0, BYTES, seen, 0, NULL, NULL),
        CL_SUCCESS);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(seen[i], value);
}

// A chain that goes from device to device, and beside it what stays on one.
static cl_command_buffer_khr record_two(cl_int *wanted)
{
    cl_command_buffer_khr buffer = rig_buffer_on(2, two.queues, 0);
    cl_sync_point_khr point = 0, none;

    *wanted = 0;
    for (int i = 0; i < 12; i++) {
        record_on(buffer, two.queues[i / 3 % 2], i % 2 ? two.twice : two.add, two.mem, i,
                  &point);
        *wanted = i % 2 ? *wanted * 2 + i : *wanted + i;
        none = 0;
        record_on(buffer, two.queues[1], two.add, two.other, 1, &none);
    }
    rig_finalize(buffer);
    return buffer;
}

START_TEST(sync_points_hold_between_devices)
{
    cl_command_buffer_khr buffer;
    cl_int wanted;
    cl_event ev;

    if (!begin_two())
        return;
    buffer = record_two(&wanted);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &ev),
                     CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    check_two(two.mem, wanted);
    check_two(two.other, 12);
    ck_assert_int_eq(clFinish(two.queues[0]), CL_SUCCESS);
    clReleaseEvent(ev);
    rig_release(buffer);
    end_two();
}
END_TEST

START_TEST(remapped_to_one_device_does_the_same)
{
    cl_command_buffer_khr buffer, single, swapped;
    cl_command_queue back[2];
    cl_int wanted, code;

    if (!begin_two())
        return;
    buffer = record_two(&wanted);
    single =
        clRemapCommandBufferKHR(buffer, CL_TRUE, 1, &two.queues[1], 0, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(rig_state(single), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    rig_release(buffer);
    rig_run(single);
    check_two(two.mem, wanted);
    check_two(two.other, 12);
    rig_release(single);

    buffer = record_two(&wanted);
    back[0] = two.queues[1];
    back[1] = two.queues[0];
    swapped = clRemapCommandBufferKHR(buffer, CL_FALSE, 2, back, 0, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    rig_run(swapped);
    check_two(two.other, 24);
    rig_release(swapped);
    rig_release(buffer);
    end_two();
}
END_TEST

// ---- Remapping ----

START_TEST(remapped_handles_update_the_copy_alone)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, CL_COMMAND_BUFFER_MUTABLE_KHR),
                          copy;
    const cl_command_buffer_update_type_khr type = 0;
    cl_mutable_command_khr handles[2], copies[2] = {NULL, NULL};
    cl_int value = 10, code;
    const cl_mutable_dispatch_arg_khr arg = {1, 4, &value};
    cl_mutable_dispatch_config_khr config = {.num_args = 1, .arg_list = &arg};
    const void *list[] = {&config};

    rig_step(buffer, rig.add, rig.mem, 1, 0, &handles[0]);
    rig_step(buffer, rig.add, rig.other, 2, 0, &handles[1]);
    rig_finalize(buffer);
    config.command = handles[1];
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 1, &type, list), CL_SUCCESS);
    copy = clRemapCommandBufferKHR(buffer, CL_FALSE, 1, &rig.out_of_order, 2, handles,
                                   copies, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_ptr_nonnull(copies[0]);
    value = 100;
    config.command = copies[0];
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 1, &type, list),
                     CL_INVALID_MUTABLE_COMMAND_KHR);
    ck_assert_int_eq(clUpdateMutableCommandsKHR(copy, 1, &type, list), CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, 1);
    rig_check(rig.other, 10);
    rig_release(buffer);
    rig_run(copy);
    rig_check(rig.mem, 101);
    rig_check(rig.other, 20);
    rig_release(copy);
}
END_TEST

START_TEST(recording_goes_on_in_a_remapped_copy)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0), copy;

    rig_step(buffer, rig.add, rig.mem, 1, 0, NULL);
    copy = clRemapCommandBufferKHR(buffer, CL_FALSE, 1, &tf_api.q, 0, NULL, NULL, NULL);
    ck_assert_uint_eq(rig_state(copy), CL_COMMAND_BUFFER_STATE_RECORDING_KHR);
    rig_release(buffer);
    rig_step(copy, rig.twice, rig.mem, 0, 0, NULL);
    rig_finalize(copy);
    rig_run(copy);
    rig_check(rig.mem, 2);
    rig_release(copy);
}
END_TEST

START_TEST(wrong_remaps_are_rejected)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_mutable_command_khr handle, out = NULL,
                                   odd = (cl_mutable_command_khr)(void *)tf_api.q;
    const cl_command_queue queues[] = {tf_api.q, rig.out_of_order};
    cl_int code = 0;

    rig_step(buffer, rig.add, rig.mem, 1, 0, &handle);
#define REJECTED(wanted, ...)                                            \
    do {                                                                 \
        ck_assert_ptr_null(clRemapCommandBufferKHR(__VA_ARGS__, &code)); \
        ck_assert_int_eq(code, wanted);                                  \
    } while (0)
    REJECTED(CL_INVALID_COMMAND_BUFFER_KHR, NULL, CL_FALSE, 1, queues, 0, NULL, NULL);
    REJECTED(CL_INVALID_VALUE, buffer, CL_FALSE, 0, queues, 0, NULL, NULL);
    REJECTED(CL_INVALID_VALUE, buffer, CL_FALSE, 1, NULL, 0, NULL, NULL);
    REJECTED(CL_INVALID_VALUE, buffer, CL_FALSE, 2, queues, 0, NULL, NULL);
    REJECTED(CL_INVALID_VALUE, buffer, CL_FALSE, 1, queues, 1, NULL, &out);
    REJECTED(CL_INVALID_VALUE, buffer, CL_FALSE, 1, queues, 1, &handle, NULL);
    REJECTED(CL_INVALID_VALUE, buffer, CL_FALSE, 1, queues, 0, &handle, NULL);
    REJECTED(CL_INVALID_VALUE, buffer, CL_FALSE, 1, queues, 1, &odd, &out);
    REJECTED(CL_INVALID_COMMAND_QUEUE, buffer, CL_FALSE, 1, (cl_command_queue *)&rig.mem,
             0, NULL, NULL);
    REJECTED(CL_INVALID_CONTEXT, buffer, CL_FALSE, 1, &tf_api.other_q, 0, NULL, NULL);
    ck_assert_ptr_null(out);
    rig_release(buffer);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("api_command_buffer_remap");
    TCase *tests = tcase_create("all");

    tcase_add_checked_fixture(tests, rig_begin, rig_end);
    tcase_add_test(tests, each_in_order_queue_orders_its_commands);
    tcase_add_test(tests, every_queue_takes_its_turn);
    tcase_add_test(tests, one_queue_may_stand_twice);
    tcase_add_test(tests, sync_points_hold_between_devices);
    tcase_add_test(tests, remapped_to_one_device_does_the_same);
    tcase_add_test(tests, remapped_handles_update_the_copy_alone);
    tcase_add_test(tests, recording_goes_on_in_a_remapped_copy);
    tcase_add_test(tests, wrong_remaps_are_rejected);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
