// SPDX-License-Identifier: MIT
// cl_intel_concurrent_dispatch and cl_intel_devicelib_assert.
#include <CL/cl_trefoil.h>

#include "api/log_lines.h"
#include "api/program_rig.h"
#include "support/suite.h"

enum { LOCAL = 8, ITEMS = 512 };

static const char text[] =
    "kernel void turn(global int *data, global int *out)\n"
    "{\n"
    "    const int n = get_global_size(0), i = get_global_id(0);\n"
    "    data[i] = i;\n"
    "    if (!intel_is_device_barrier_valid()) {\n"
    "        out[i] = -1;\n"
    "        return;\n"
    "    }\n"
    "    for (int round = 0; round < 5; round++) {\n"
    "        intel_device_barrier(CLK_GLOBAL_MEM_FENCE, memory_scope_device);\n"
    "        const int other = data[n - 1 - i];\n"
    "        intel_device_barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "        data[i] = other + 1;\n"
    "    }\n"
    "    out[i] = data[i];\n"
    "}\n"
    "kernel void spin(global atomic_int *here, global int *out)\n"
    "{\n"
    "    if (get_local_id(0) == 0) {\n"
    "        atomic_fetch_add(here, 1);\n"
    "        while (atomic_load(here) < (int)get_num_groups(0))\n"
    "            ;\n"
    "    }\n"
    "    out[get_global_id(0)] = 7;\n"
    "}\n"
    "kernel void some_leave(global int *data, global int *out)\n"
    "{\n"
    "    out[get_global_id(0)] = 3;\n"
    "    if (get_group_id(0) % 2 == 0)\n"
    "        return;\n"
    "    intel_device_barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = 4;\n"
    "}\n"
    "kernel void nested(queue_t q, global int *out)\n"
    "{\n"
    "    enqueue_kernel(q, CLK_ENQUEUE_FLAGS_NO_WAIT, ndrange_1D(1), ^{ *out = 1; });\n"
    "}\n"
    "global const char here[] = \"here.cl\", demanded[] = \"data[i] != 5\",\n"
    "                  demand_name[] = \"demand\", never[] = \"never\";\n"
    "void __devicelib_assert_fail(const char *expression, const char *file, int line,\n"
    "                             const char *function, size_t g0, size_t g1, size_t "
    "g2,\n"
    "                             size_t l0, size_t l1, size_t l2);\n"
    "kernel void demand(global int *data, global int *out)\n"
    "{\n"
    "    const size_t i = get_global_id(0);\n"
    "    if (data[i] == 5)\n"
    "        __devicelib_assert_fail(demanded, here, 42, demand_name, i, 0, 0,\n"
    "                                get_local_id(0), 0, 0);\n"
    "    out[i] = data[i];\n"
    "}\n"
    "kernel void demand_all(global int *data, global int *out)\n"
    "{\n"
    "    if (get_global_id(0) == 1)\n"
    "        __devicelib_assert_fail(never, here, 43, 0, 1, 2, 3, 4, 5, 6);\n"
    "    intel_device_barrier(CLK_GLOBAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = 1;\n"
    "}\n";

static cl_program program;
static cl_mem data, out;

static void setup(void)
{
    tf_api_begin();
    program = tf_api_program(text, "-cl-std=CL3.0");
    data = tf_api_buffer(CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL);
    out = tf_api_buffer(CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL);
}

static void teardown(void)
{
    ck_assert_int_eq(clReleaseMemObject(data), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
    drop(program);
    tf_api_end();
}

static void fill(int value)
{
    ck_assert_int_eq(clEnqueueFillBuffer(tf_api.q, data, &value, sizeof(value), 0,
                                         ITEMS * sizeof(value), 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueFillBuffer(tf_api.q, out, &value, sizeof(value), 0,
                                         ITEMS * sizeof(value), 0, NULL, NULL),
                     CL_SUCCESS);
}

static cl_int set_type(cl_kernel kernel, cl_uint type)
{
    return clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_INTEL,
                               sizeof(type), &type);
}

static cl_kernel concurrent(const char *name)
{
    cl_kernel kernel = tf_api_kernel(program, name);

    tf_api_set_arg(kernel, 0, sizeof(data), &data);
    tf_api_set_arg(kernel, 1, sizeof(out), &out);
    ck_assert_int_eq(set_type(kernel, CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_CONCURRENT_INTEL),
                     CL_SUCCESS);
    return kernel;
}

static size_t most_of(cl_kernel kernel)
{
    const size_t local = LOCAL;
    size_t most = 0;

    ck_assert_int_eq(clGetKernelMaxConcurrentWorkGroupCountINTEL(tf_api.q, kernel, 1,
                                                                 NULL, &local, &most),
                     CL_SUCCESS);
    return most;
}

static cl_int launch(cl_kernel kernel, size_t groups)
{
    const size_t local = LOCAL, global = groups * local;

    return clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &global, &local, 0, NULL,
                                  NULL);
}

static void read_out(cl_int seen[ITEMS])
{
    tf_api_read(out, 0, ITEMS * sizeof(*seen), seen);
}

START_TEST(groups_wait_for_each_other)
{
    static cl_int seen[ITEMS];
    cl_kernel kernel = concurrent("turn");
    const size_t most = most_of(kernel), tried[] = {1, 2, 5, most};

    ck_assert_uint_eq(most * LOCAL, ITEMS);
    for (size_t t = 0; t < 4; t++) {
        const int n = (int)(tried[t] * LOCAL);

        fill(-7);
        ck_assert_int_eq(launch(kernel, tried[t]), CL_SUCCESS);
        read_out(seen);
        for (int i = 0; i < ITEMS; i++) // an odd number of turns
            ck_assert_int_eq(seen[i], i < n ? n - 1 - i + 5 : -7);
    }
    clReleaseKernel(kernel);
}
END_TEST

START_TEST(groups_may_spin_on_each_other)
{
    static cl_int seen[ITEMS];
    cl_kernel kernel = concurrent("spin");

    // More would keep each other from the processors for long.
    fill(0);
    ck_assert_int_eq(launch(kernel, 4), CL_SUCCESS);
    read_out(seen);
    for (int i = 0; i < 4 * LOCAL; i++)
        ck_assert_int_eq(seen[i], 7);
    clReleaseKernel(kernel);
}
END_TEST

START_TEST(groups_that_have_ended_hold_nobody_back)
{
    static cl_int seen[ITEMS];
    cl_kernel kernel = concurrent("some_leave");

    fill(0);
    ck_assert_int_eq(launch(kernel, 6), CL_SUCCESS);
    read_out(seen);
    for (int i = 0; i < 6 * LOCAL; i++)
        ck_assert_int_eq(seen[i], i / LOCAL % 2 ? 4 : 3);
    clReleaseKernel(kernel);
}
END_TEST

START_TEST(ordinary_launches_have_no_device_barrier)
{
    static cl_int seen[ITEMS];
    cl_kernel kernel = concurrent("turn"), copy;
    cl_int code;

    ck_assert_int_eq(set_type(kernel, CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_DEFAULT_INTEL),
                     CL_SUCCESS);
    fill(0);
    ck_assert_int_eq(launch(kernel, 3), CL_SUCCESS);
    read_out(seen);
    for (int i = 0; i < 3 * LOCAL; i++)
        ck_assert_int_eq(seen[i], -1);
    // A clone is as its kernel was.
    ck_assert_int_eq(set_type(kernel, CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_CONCURRENT_INTEL),
                     CL_SUCCESS);
    copy = clCloneKernel(kernel, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(launch(copy, 3), CL_SUCCESS);
    read_out(seen);
    for (int i = 0; i < 3 * LOCAL; i++)
        ck_assert_int_eq(seen[i], 3 * LOCAL - 1 - i + 5);
    clReleaseKernel(copy);
    clReleaseKernel(kernel);
}
END_TEST

START_TEST(launches_that_cannot_be_concurrent_are_refused)
{
    cl_kernel kernel = concurrent("turn");
    const size_t most = most_of(kernel), local = LOCAL, global = 4 * LOCAL, odd = 12;
    size_t got = 0;

    ck_assert_int_eq(launch(kernel, most + 1), CL_INVALID_VALUE);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
        CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &odd, &local, 0, NULL, NULL),
        CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(set_type(kernel, 7), CL_INVALID_VALUE);
    ck_assert_int_eq(
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_INTEL, 1, &got),
        CL_INVALID_VALUE);
#define ASK(queue, kernel, dim, size, to) \
    clGetKernelMaxConcurrentWorkGroupCountINTEL(queue, kernel, dim, NULL, size, to)
    ck_assert_int_eq(ASK(NULL, kernel, 1, &local, &got), CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(ASK(tf_api.q, NULL, 1, &local, &got), CL_INVALID_KERNEL);
    ck_assert_int_eq(ASK(tf_api.q, kernel, 4, &local, &got), CL_INVALID_WORK_DIMENSION);
    ck_assert_int_eq(ASK(tf_api.q, kernel, 1, NULL, &got), CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(ASK(tf_api.q, kernel, 1, &local, NULL), CL_INVALID_VALUE);
#undef ASK
    clReleaseKernel(kernel);
    // What these enqueue has no thread for each group.
    kernel = tf_api_kernel(program, "nested");
    ck_assert_uint_eq(most_of(kernel), 1);
    clReleaseKernel(kernel);
}
END_TEST

START_TEST(many_queues_run_them_at_a_time)
{
    enum { QUEUES = 2 };
    static cl_int seen[ITEMS];
    cl_kernel kernel = concurrent("spin");
    cl_command_queue queues[QUEUES];
    cl_mem counts[QUEUES];
    const size_t local = LOCAL, global = 4 * LOCAL;

    fill(0);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    for (int i = 0; i < QUEUES; i++) {
        cl_int code, zero = 0;

        queues[i] =
            clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, NULL, &code);
        ck_assert_int_eq(code, CL_SUCCESS);
        counts[i] = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(zero), &zero);
        tf_api_set_arg(kernel, 0, sizeof(counts[i]), &counts[i]);
        ck_assert_int_eq(clEnqueueNDRangeKernel(queues[i], kernel, 1, NULL, &global,
                                                &local, 0, NULL, NULL),
                         CL_SUCCESS);
    }
    for (int i = 0; i < QUEUES; i++) {
        ck_assert_int_eq(clFinish(queues[i]), CL_SUCCESS);
        clReleaseMemObject(counts[i]);
        clReleaseCommandQueue(queues[i]);
    }
    read_out(seen);
    for (int i = 0; i < 4 * LOCAL; i++)
        ck_assert_int_eq(seen[i], 7);
    clReleaseKernel(kernel);
}
END_TEST

START_TEST(failed_assertion_is_told_and_ends_the_command)
{
    cl_kernel kernel = tf_api_kernel(program, "demand");
    const size_t global = 64, local = LOCAL;
    cl_int five = 5;
    cl_event ev;

    log_lines_begin();
    tf_api_set_arg(kernel, 0, sizeof(data), &data);
    tf_api_set_arg(kernel, 1, sizeof(out), &out);
    fill(1);
    for (int failing = 0; failing < 2; failing++) {
        if (failing)
            ck_assert_int_eq(clEnqueueWriteBuffer(tf_api.q, data, CL_TRUE,
                                                  19 * sizeof(five), sizeof(five), &five,
                                                  0, NULL, NULL),
                             CL_SUCCESS);
        ck_assert_int_eq(clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &global,
                                                &local, 0, NULL, &ev),
                         CL_SUCCESS);
        ck_assert_int_eq(clWaitForEvents(1, &ev),
                         failing ? CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST
                                 : CL_SUCCESS);
        ck_assert_int_eq(tf_api_event_status(ev),
                         failing ? CL_OUT_OF_RESOURCES : CL_COMPLETE);
        ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
        ck_assert_int_eq(log_lines_count("here.cl:42: demand: global id: [19,0,0], local "
                                         "id: [3,0,0] Assertion `data[i] != 5` failed."),
                         failing);
    }
    clReleaseKernel(kernel);
}
END_TEST

START_TEST(failed_assertion_ends_groups_that_wait)
{
    cl_kernel kernel = concurrent("demand_all");
    const size_t global = 4 * LOCAL, local = LOCAL;
    cl_event ev;

    log_lines_begin();
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &global, &local, 0, NULL, &ev),
        CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &ev),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(tf_api_event_status(ev), CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(log_lines_count("here.cl:43: ?: global id: [1,2,3], local id: "
                                     "[4,5,6] Assertion `never` failed."),
                     1);
    clReleaseEvent(ev);
    clReleaseKernel(kernel);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("concurrent");
    TCase *tests = tcase_create("concurrent");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, groups_wait_for_each_other);
    tcase_add_test(tests, groups_may_spin_on_each_other);
    tcase_add_test(tests, groups_that_have_ended_hold_nobody_back);
    tcase_add_test(tests, ordinary_launches_have_no_device_barrier);
    tcase_add_test(tests, launches_that_cannot_be_concurrent_are_refused);
    tcase_add_test(tests, many_queues_run_them_at_a_time);
    tcase_add_test(tests, failed_assertion_is_told_and_ends_the_command);
    tcase_add_test(tests, failed_assertion_ends_groups_that_wait);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
