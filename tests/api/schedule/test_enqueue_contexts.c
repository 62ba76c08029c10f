// SPDX-License-Identifier: MIT
// What contexts do to launches that kernels enqueue: terminated ones end them
// (cl_khr_terminate_context), others clear their local memory (cl_khr_initialize_memory).
#include "support/api.h"

#include <stdbool.h>
#include <unistd.h>

#include "support/suite.h"

enum { WORDS = 1024, LOCAL = 64 };

static const char text[] =
    // Children that would run for hours, one after the other.
    "kernel void many(global uint *p) {\n"
    "  clk_event_t before = create_user_event(), after;\n"
    "  set_user_event_status(before, CL_COMPLETE);\n"
    "  for (int i = 0; i < 100; i++) {\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
    "                   ndrange_1D(1 << 22), 1, &before, &after, ^{\n"
    "      uint x = get_global_id(0);\n"
    "      for (uint k = 0; k < 300000; k++) x = x * 1664525u + 1013904223u;\n"
    "      p[get_global_id(0) % 1024] = x; });\n"
    "    release_event(before);\n"
    "    before = after;\n"
    "  }\n"
    "  release_event(before);\n"
    "  p[0] = 1;\n"
    "}\n"
    // A child of an event that nobody will ever end.
    "kernel void never(global uint *p) {\n"
    "  clk_event_t user = create_user_event();\n"
    "  enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), 1,\n"
    "                 &user, NULL, ^{ p[0] = 7; });\n"
    "  p[0] = 1;\n"
    "}\n"
    // Each child leaves its local memory dirty for the next one on the same thread.
    "kernel void dirty(global uint *p) {\n"
    "  for (int i = 0; i < 16; i++)\n"
    "    enqueue_kernel(get_default_queue(), CLK_ENQUEUE_FLAGS_NO_WAIT,\n"
    "                   ndrange_1D(1024, 64), ^(local void *given) {\n"
    "      local uint *room = given;\n"
    "      size_t l = get_local_id(0);\n"
    "      if (room[l]) atomic_or(&p[get_global_id(0)], room[l]);\n"
    "      room[l] = 0xdead0000 | (uint)l; }, (uint)(64 * sizeof(uint)));\n"
    "}\n";

static cl_context ctx;
static cl_command_queue q, on_device;
static cl_mem mem;
static cl_program prog;
static cl_kernel kernel;

static void begin(cl_context_properties name, cl_context_properties value,
                  const char *kernel_name)
{
    const cl_context_properties properties[] = {name, value, 0};
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES,
                                        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT |
                                            CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE,
                                        0};
    static cl_uint zeros[WORDS];
    const char *source = text;
    char log[4096] = "";
    cl_int code;

    ctx = clCreateContext(properties, 1, &tf_api.device, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    q = clCreateCommandQueue(ctx, tf_api.device, 0, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    on_device = clCreateCommandQueueWithProperties(ctx, tf_api.device, list, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    mem = clCreateBuffer(ctx, CL_MEM_COPY_HOST_PTR, sizeof(zeros), zeros, &code);
    prog = clCreateProgramWithSource(ctx, 1, &source, NULL, &code);
    code = clBuildProgram(prog, 0, NULL, "-cl-std=CL3.0", NULL, NULL);
    clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BUILD_LOG, sizeof(log), log,
                          NULL);
    ck_assert_msg(code == CL_SUCCESS, "%s", log);
    kernel = tf_api_kernel(prog, kernel_name);
    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
}

static void end(void)
{
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(on_device), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
}

// The kernel by itself, or in a command buffer, which the caller releases.
static cl_event launch(bool recorded, cl_command_buffer_khr *buffer)
{
    const size_t one = 1;
    cl_sync_point_khr point;
    cl_event ev = NULL;
    cl_int code;

    *buffer = NULL;
    if (!recorded) {
        ck_assert_int_eq(
            clEnqueueNDRangeKernel(q, kernel, 1, NULL, &one, NULL, 0, NULL, &ev),
            CL_SUCCESS);
        return ev;
    }
    *buffer = clCreateCommandBufferKHR(1, &q, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(*buffer, NULL, NULL, kernel, 1, NULL, &one,
                                               NULL, 0, NULL, &point, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clFinalizeCommandBufferKHR(*buffer), CL_SUCCESS);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, *buffer, 0, NULL, &ev),
                     CL_SUCCESS);
    return ev;
}

static void terminate(cl_event ev)
{
    while (tf_api_event_status(ev) > CL_RUNNING)
        usleep(500);
    usleep(100000); // also of a child that nothing runs any more
    ck_assert_int_eq(tf_api_event_status(ev), CL_RUNNING);
    ck_assert_int_eq(clTerminateContextKHR(ctx), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &ev),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(tf_api_event_status(ev), CL_CONTEXT_TERMINATED_KHR);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
}

START_TEST(children_of_a_terminated_context_end)
{
    cl_command_buffer_khr buffer;

    begin(CL_CONTEXT_TERMINATE_KHR, CL_TRUE, "many");
    terminate(launch(_i, &buffer));
    if (buffer)
        ck_assert_int_eq(clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(children_that_wait_for_ever_end_with_their_context)
{
    cl_command_buffer_khr buffer;

    begin(CL_CONTEXT_TERMINATE_KHR, CL_TRUE, "never");
    terminate(launch(_i, &buffer));
    if (buffer)
        ck_assert_int_eq(clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
    end();
}
END_TEST

// How many of the children found something in their local memory.
static int dirty_words(void)
{
    cl_uint seen[WORDS];
    int count = 0;

    ck_assert_int_eq(
        clEnqueueReadBuffer(q, mem, CL_TRUE, 0, sizeof(seen), seen, 0, NULL, NULL),
        CL_SUCCESS);
    for (int i = 0; i < WORDS; i++)
        count += seen[i] != 0;
    return count;
}

START_TEST(local_memory_of_children_is_zeros)
{
    cl_command_buffer_khr buffer;

    begin(CL_CONTEXT_MEMORY_INITIALIZE_KHR, CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR,
          "dirty");
    for (int i = 0; i < 10; i++) {
        cl_event ev = launch(_i, &buffer);

        ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
        ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
        if (buffer)
            ck_assert_int_eq(clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
    }
    ck_assert_int_eq(dirty_words(), 0);
    end();
}
END_TEST

// Otherwise the test above would prove nothing.
START_TEST(local_memory_is_dirty_where_nobody_asks)
{
    cl_command_buffer_khr buffer;
    cl_event ev;

    begin(CL_CONTEXT_MEMORY_INITIALIZE_KHR, 0, "dirty");
    ev = launch(false, &buffer);
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
    ck_assert_int_gt(dirty_words(), 0);
    end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("enqueue contexts");
    TCase *tests = tcase_create("contexts");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_loop_test(tests, children_of_a_terminated_context_end, 0, 2);
    tcase_add_loop_test(tests, children_that_wait_for_ever_end_with_their_context, 0, 2);
    tcase_add_loop_test(tests, local_memory_of_children_is_zeros, 0, 2);
    tcase_add_test(tests, local_memory_is_dirty_where_nobody_asks);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
