// SPDX-License-Identifier: MIT
// Kernels of command buffers that enqueue kernels.
#include "api/command_buffer_rig.h"
#include "support/suite.h"

static const char text[] =
    "kernel void spawn(global int *p, int v, int n) {\n"
    "  for (int i = 0; i < n; i++)\n"
    "    if (enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_WAIT_KERNEL,\n"
    "        ndrange_1D(64), ^{ atomic_add(&p[get_global_id(0)], v); }) != CLK_SUCCESS)\n"
    "      p[0] = -1000000;\n"
    "}\n"
    "kernel void on(global int *p, int v, queue_t q) {\n"
    "  if (enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64),\n"
    "                     ^{ p[get_global_id(0)] += v; }) != CLK_SUCCESS)\n"
    "    p[0] = -1000000;\n"
    "}\n"
    "kernel void wait(global int *p, global ulong *shared) {\n"
    "  clk_event_t user = create_user_event();\n"
    "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(64), "
    "1,\n"
    "                 &user, NULL, ^{ p[get_global_id(0)] += 7; });\n"
    "  *(global clk_event_t *)shared = user;\n"
    "}\n"
    "kernel void set(global ulong *shared) {\n"
    "  set_user_event_status(*(global clk_event_t *)shared, CL_COMPLETE);\n"
    "}\n";

static cl_program prog;
static cl_command_queue default_queue;

static cl_command_queue queue_on_device(cl_command_queue_properties flags)
{
    return rig_queue(flags | CL_QUEUE_ON_DEVICE | CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

static void begin(void)
{
    rig_begin();
    prog = tf_api_program(text, "-cl-std=CL3.0");
    default_queue = queue_on_device(CL_QUEUE_ON_DEVICE_DEFAULT);
}

static void end(void)
{
    if (default_queue)
        ck_assert_int_eq(clReleaseCommandQueue(default_queue), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    rig_end();
}

// Records a kernel of one work-item; the kernel is released.
static void record_one(cl_command_buffer_khr buffer, cl_kernel kernel,
                       cl_mutable_command_khr *handle)
{
    const size_t one = 1;
    cl_sync_point_khr point;

    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL, &one,
                                               NULL, 0, NULL, &point, handle),
                     CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}

// "spawn": adds value * children to every item of rig.mem.
static void record_spawn(cl_command_buffer_khr buffer, cl_int value, cl_int children,
                         cl_mutable_command_khr *handle)
{
    cl_kernel kernel = tf_api_kernel(prog, "spawn");

    tf_api_set_arg(kernel, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(kernel, 1, sizeof(value), &value);
    tf_api_set_arg(kernel, 2, sizeof(children), &children);
    record_one(buffer, kernel, handle);
}

START_TEST(device_says_so)
{
    cl_device_command_buffer_capabilities_khr has = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device,
                                     CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR,
                                     sizeof(has), &has, NULL),
                     CL_SUCCESS);
    ck_assert(has & CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR);
}
END_TEST

START_TEST(children_end_before_the_next_command)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);

    rig_step(buffer, rig.add, rig.mem, 1, 0, NULL);
    record_spawn(buffer, 2, 3, NULL); // x + 1 + 6
    rig_step(buffer, rig.twice, rig.mem, 0, 0, NULL);
    record_spawn(buffer, 1, 1, NULL);
    rig_finalize(buffer);
    for (cl_int i = 0, expected = 0; i < 5; i++) {
        expected = (expected + 7) * 2 + 1;
        rig_run(buffer);
        rig_check(rig.mem, expected);
    }
    rig_release(buffer);
}
END_TEST

// The commands of one stage: two that enqueue, a kernel and a copy.
START_TEST(they_share_a_stage_with_others)
{
    cl_command_buffer_khr buffer = rig_buffer(rig.out_of_order, 0);
    cl_mem filled = tf_api_buffer(0, BYTES, NULL);
    const cl_int value = 9;

    record_spawn(buffer, 1, 2, NULL);
    record_spawn(buffer, 3, 1, NULL);
    rig_step(buffer, rig.add, rig.other, 4, 0, NULL);
    ck_assert_int_eq(clCommandFillBufferKHR(buffer, NULL, NULL, filled, &value, 4, 0,
                                            BYTES, 0, NULL, NULL, NULL),
                     CL_SUCCESS);
    rig_finalize(buffer);
    for (cl_int i = 1; i <= 3; i++) {
        rig_run(buffer);
        rig_check(rig.mem, i * 5);
        rig_check(rig.other, i * 4);
        rig_check(filled, value);
    }
    ck_assert_int_eq(clReleaseMemObject(filled), CL_SUCCESS);
    rig_release(buffer);
}
END_TEST

START_TEST(replays_at_the_same_time_have_their_own_families)
{
    enum { REPLAYS = 32 };
    cl_command_buffer_khr buffer =
        rig_buffer(rig.out_of_order, CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR);

    record_spawn(buffer, 1, 8, NULL);
    rig_finalize(buffer);
    for (int i = 0; i < REPLAYS; i++)
        ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL),
                         CL_SUCCESS);
    ck_assert_int_eq(clFinish(rig.out_of_order), CL_SUCCESS);
    rig_check(rig.mem, REPLAYS * 8);
    rig_release(buffer);
}
END_TEST

START_TEST(queues_live_as_long_as_the_command_buffer)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_command_queue other = queue_on_device(0);
    cl_kernel kernel = tf_api_kernel(prog, "on");
    const cl_int value = 5;

    tf_api_set_arg(kernel, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(kernel, 1, sizeof(value), &value);
    tf_api_set_arg(kernel, 2, sizeof(other), &other);
    record_one(buffer, kernel, NULL);
    record_spawn(buffer, 1, 1, NULL);
    rig_finalize(buffer);
    ck_assert_int_eq(clReleaseCommandQueue(other), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(default_queue), CL_SUCCESS);
    default_queue = NULL;
    rig_run(buffer);
    rig_run(buffer);
    rig_check(rig.mem, 12);
    rig_release(buffer);
}
END_TEST

static void update_args(cl_command_buffer_khr buffer, cl_mutable_command_khr command,
                        cl_uint count, const cl_mutable_dispatch_arg_khr *args)
{
    const cl_command_buffer_update_type_khr type =
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    const cl_mutable_dispatch_config_khr config = {
        .command = command, .num_args = count, .arg_list = args};
    const void *configs[] = {&config};

    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 1, &type, configs), CL_SUCCESS);
}

START_TEST(arguments_are_updated)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, CL_COMMAND_BUFFER_MUTABLE_KHR);
    cl_mutable_command_khr spawn, on;
    cl_command_queue first = queue_on_device(0), second = queue_on_device(0);
    cl_kernel kernel = tf_api_kernel(prog, "on");
    const cl_int one = 1, ten = 10, four = 4;
    const cl_mutable_dispatch_arg_khr of_spawn[] = {
        {0, sizeof(rig.other), &rig.other}, {1, sizeof(ten), &ten}, {2, 4, &four}};
    const cl_mutable_dispatch_arg_khr of_on[] = {{2, sizeof(second), &second},
                                                 {1, sizeof(ten), &ten}};

    record_spawn(buffer, 1, 2, &spawn);
    tf_api_set_arg(kernel, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(kernel, 1, sizeof(one), &one);
    tf_api_set_arg(kernel, 2, sizeof(first), &first);
    record_one(buffer, kernel, &on);
    rig_finalize(buffer);
    rig_run(buffer); // mem: 2 + 1
    update_args(buffer, spawn, 3, of_spawn);
    rig_run(buffer); // mem: + 1, other: 40
    ck_assert_int_eq(clReleaseCommandQueue(first), CL_SUCCESS);
    update_args(buffer, on, 2, of_on);
    ck_assert_int_eq(clReleaseCommandQueue(second), CL_SUCCESS);
    rig_run(buffer); // mem: + 10, other: + 40
    rig_check(rig.mem, 14);
    rig_check(rig.other, 80);
    rig_release(buffer);
}
END_TEST

START_TEST(range_is_updated)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, CL_COMMAND_BUFFER_MUTABLE_KHR);
    const cl_command_buffer_update_type_khr type =
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    const size_t three = 3;
    cl_mutable_command_khr spawn;
    cl_mutable_dispatch_config_khr config = {.global_work_size = &three};
    const void *configs[] = {&config};

    record_spawn(buffer, 1, 2, &spawn);
    config.command = spawn;
    rig_finalize(buffer);
    rig_run(buffer);
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 1, &type, configs), CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, 2 + 3 * 2);
    rig_release(buffer);
}
END_TEST

// Meanwhile no thread works on it: whoever ends the event takes the replay up again.
START_TEST(replay_sleeps_until_an_event_of_another_command)
{
    cl_command_buffer_khr buffer = rig_buffer(rig.out_of_order, 0);
    cl_kernel wait = tf_api_kernel(prog, "wait"), set = tf_api_kernel(prog, "set");
    cl_sync_point_khr point;
    cl_mem shared = tf_api_buffer(0, 8, NULL);
    const cl_ulong none = 0;
    cl_ulong seen = 0;
    const size_t one = 1;
    cl_event ev;

    tf_api_set_arg(wait, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(wait, 1, sizeof(shared), &shared);
    tf_api_set_arg(set, 0, sizeof(shared), &shared);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, wait, 1, NULL, &one,
                                               NULL, 0, NULL, &point, NULL),
                     CL_SUCCESS);
    rig_step(buffer, rig.twice, rig.mem, 1, point, NULL);
    rig_finalize(buffer);
    for (int i = 0, expected = 0; i < 3; i++) {
        expected = (expected + 7) * 2 + 1;
        ck_assert_int_eq(
            clEnqueueFillBuffer(tf_api.q, shared, &none, 8, 0, 8, 0, NULL, NULL),
            CL_SUCCESS);
        ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
        ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &ev),
                         CL_SUCCESS);
        for (seen = 0; seen == 0;)
            tf_api_read(shared, 0, 8, &seen);
        ck_assert_int_eq(
            clEnqueueNDRangeKernel(tf_api.q, set, 1, NULL, &one, NULL, 0, NULL, NULL),
            CL_SUCCESS);
        ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
        ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
        rig_check(rig.mem, expected);
    }
    ck_assert_int_eq(clReleaseMemObject(shared), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(wait), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(set), CL_SUCCESS);
    rig_release(buffer);
}
END_TEST

START_TEST(remapped_buffer_has_the_queues_of_its_device)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0), copy;
    cl_command_queue q = rig_queue(0);
    cl_int code;

    record_spawn(buffer, 1, 2, NULL);
    rig_finalize(buffer);
    copy = clRemapCommandBufferKHR(buffer, CL_FALSE, 1, &q, 0, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    rig_release(buffer);
    rig_run(copy);
    rig_check(rig.mem, 2);
    rig_release(copy);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("command buffer enqueue");
    TCase *tests = tcase_create("enqueue");

    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, device_says_so);
    tcase_add_test(tests, children_end_before_the_next_command);
    tcase_add_test(tests, they_share_a_stage_with_others);
    tcase_add_test(tests, replays_at_the_same_time_have_their_own_families);
    tcase_add_test(tests, queues_live_as_long_as_the_command_buffer);
    tcase_add_test(tests, arguments_are_updated);
    tcase_add_test(tests, range_is_updated);
    tcase_add_test(tests, replay_sleeps_until_an_event_of_another_command);
    tcase_add_test(tests, remapped_buffer_has_the_queues_of_its_device);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
