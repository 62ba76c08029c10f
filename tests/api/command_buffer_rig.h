// SPDX-License-Identifier: MIT
// Short ways for the tests of command buffers. Each fails the test if it cannot do its
// job. Included by one source file of each test program.
#ifndef TF_TESTS_API_COMMAND_BUFFER_RIG_H
#define TF_TESTS_API_COMMAND_BUFFER_RIG_H

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/api.h"

#define MAY_BE_UNUSED __attribute__((unused))

enum { ITEMS = 64, BYTES = ITEMS * 4 };

MAY_BE_UNUSED static const char rig_source[] =
    "kernel void add(global int *p, int v) { p[get_global_id(0)] += v; }\n"
    "kernel void twice(global int *p, int v) { p[get_global_id(0)] = p[get_global_id(0)] "
    "* "
    "2 + v; }\n"
    "kernel void from(global int *p, global const int *q)\n"
    "{ p[get_global_id(0)] = q ? q[get_global_id(0)] + 1 : -1; }\n"
    "kernel void range(global int *p)\n"
    "{ p[get_global_id(0)] = get_global_size(0) * 10000 + get_local_size(0) * 100 +\n"
    "      get_global_offset(0); }\n"
    "kernel void sums(global int *p, local int *t)\n"
    "{ int l = get_local_id(0), n = get_local_size(0), s = 0;\n"
    "  t[l] = p[get_global_id(0)]; barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  for (int i = 0; i < n; i++) s += t[i];\n"
    "  p[get_global_id(0)] = s; }\n"
    "kernel void nothing(void) {}\n";

static struct {
    cl_program prog;
    cl_kernel add, twice;
    cl_mem mem, other; // ITEMS ints, zeros
    cl_command_queue out_of_order;
} rig;

static inline cl_command_queue rig_queue(cl_command_queue_properties flags)
{
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
    cl_int code;
    cl_command_queue q =
        clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, list, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return q;
}

static inline void rig_begin(void)
{
    static int zeros[ITEMS];

    tf_api_begin();
    rig.prog = tf_api_program(rig_source, "-cl-std=CL3.0");
    rig.add = tf_api_kernel(rig.prog, "add");
    rig.twice = tf_api_kernel(rig.prog, "twice");
    rig.mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, BYTES, zeros);
    rig.other = tf_api_buffer(CL_MEM_COPY_HOST_PTR, BYTES, zeros);
    rig.out_of_order = rig_queue(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE);
}

static inline void rig_end(void)
{
    ck_assert_int_eq(clReleaseCommandQueue(rig.out_of_order), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(rig.mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(rig.other), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(rig.add), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(rig.twice), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(rig.prog), CL_SUCCESS);
    tf_api_end();
}

static inline cl_command_buffer_khr rig_buffer_on(cl_uint count,
                                                  const cl_command_queue *queues,
                                                  cl_command_buffer_flags_khr flags)
{
    const cl_command_buffer_properties_khr list[] = {CL_COMMAND_BUFFER_FLAGS_KHR, flags,
                                                     0};
    cl_int code;
    cl_command_buffer_khr buffer = clCreateCommandBufferKHR(count, queues, list, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return buffer;
}

static inline cl_command_buffer_khr rig_buffer(cl_command_queue q,
                                               cl_command_buffer_flags_khr flags)
{
    return rig_buffer_on(1, &q, flags);
}

// Records the kernel over ITEMS items after `after` (0: nothing); returns its sync point.
static inline cl_sync_point_khr rig_record(cl_command_buffer_khr buffer, cl_kernel kernel,
                                           cl_sync_point_khr after,
                                           cl_mutable_command_khr *handle)
{
    const size_t items = ITEMS, local = 16;
    cl_sync_point_khr point = 0;

    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL,
                                               &items, &local, after ? 1 : 0,
                                               after ? &after : NULL, &point, handle),
                     CL_SUCCESS);
    ck_assert_uint_gt(point, 0);
    return point;
}

// "add" or "twice" on `mem` with the value.
static inline cl_sync_point_khr rig_step(cl_command_buffer_khr buffer, cl_kernel kernel,
                                         cl_mem mem, cl_int value,
                                         cl_sync_point_khr after,
                                         cl_mutable_command_khr *handle)
{
    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    tf_api_set_arg(kernel, 1, sizeof(value), &value);
    return rig_record(buffer, kernel, after, handle);
}

static inline void rig_finalize(cl_command_buffer_khr buffer)
{
    ck_assert_int_eq(clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
}

// Runs it once on its own queues and waits.
static inline void rig_run(cl_command_buffer_khr buffer)
{
    cl_event ev;

    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, &ev),
                     CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
}

static inline void rig_release(cl_command_buffer_khr buffer)
{
    ck_assert_int_eq(clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
}

// Every item of the buffer has this value.
static inline void rig_check(cl_mem mem, cl_int value)
{
    cl_int seen[ITEMS];

    tf_api_read(mem, 0, BYTES, seen);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(seen[i], value);
}

static inline cl_command_buffer_state_khr rig_state(cl_command_buffer_khr buffer)
{
    cl_command_buffer_state_khr state = 99;

    ck_assert_int_eq(clGetCommandBufferInfoKHR(buffer, CL_COMMAND_BUFFER_STATE_KHR,
                                               sizeof(state), &state, NULL),
                     CL_SUCCESS);
    return state;
}

#endif // TF_TESTS_API_COMMAND_BUFFER_RIG_H
