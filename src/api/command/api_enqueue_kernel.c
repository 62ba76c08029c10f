// SPDX-License-Identifier: MIT
// Launching kernels, tasks and native kernels.
#include "api/dispatch.h"

#include <stdint.h>

#include "api/api_common.h"
#include "api/command/api_enqueue.h"
#include "api/memory/api_mem.h"
#include "api/program/api_kernel.h"
#include "base/alloc.h"
#include "base/range.h"
#include "core/command/command_native.h"
#include "core/memory/mem.h"

CL_API_ENTRY cl_int CL_API_CALL
clEnqueueNDRangeKernel(cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
                       const size_t *global_work_offset, const size_t *global_work_size,
                       const size_t *local_work_size, cl_uint num_events_in_wait_list,
                       const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    const struct tf_ndrange_desc desc = {.work_dim = work_dim,
                                         .global_offset = global_work_offset,
                                         .global_size = global_work_size,
                                         .local_size = local_work_size};
    struct tf_err err;
    struct tf_launch launch;

    tf_err_begin(&err);
    if (!check_launch(&err, &at, CL_COMMAND_NDRANGE_KERNEL, kernel, &desc, &launch))
        tf_launch_enqueue(&at, &launch);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueTask(cl_command_queue command_queue,
                                              cl_kernel kernel,
                                              cl_uint num_events_in_wait_list,
                                              const cl_event *event_wait_list,
                                              cl_event *event)
{
    static const size_t one = 1;
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    const struct tf_ndrange_desc desc = {
        .work_dim = 1, .global_size = &one, .local_size = &one};
    struct tf_err err = {0};
    struct tf_launch launch;

    if (!check_launch(&err, &at, CL_COMMAND_TASK, kernel, &desc, &launch))
        tf_launch_enqueue(&at, &launch);
    return tf_report(&err, __func__);
}

// What the application gave to clEnqueueNativeKernel, before the checks.
struct native_args {
    void(CL_CALLBACK *fn)(void *);
    const void *args;
    size_t args_bytes;
    cl_uint mem_count;
    const cl_mem *mems;
    const void **mem_places; // inside of args
};

static size_t place_in_args(const struct native_args *given, cl_uint i)
{
    return (uintptr_t)given->mem_places[i] - (uintptr_t)given->args;
}

static cl_int check_native_mems(struct tf_err *err, const struct native_args *given)
{
    for (cl_uint i = 0; i < given->mem_count; i++) {
        if (given->mems[i] && check_buffer(err, given->mems[i]))
            return err->code;
        TF_REQUIRE(err, !given->mems[i] || given->mems[i]->obj.ctx == err->ctx,
                   CL_INVALID_CONTEXT, "mem_list[%u] belongs to another context", i);
        TF_REQUIRE(
            err, tf_range_ok(place_in_args(given, i), sizeof(void *), given->args_bytes),
            CL_INVALID_VALUE, "args_mem_loc[%u] points outside of args", i);
    }
    return CL_SUCCESS;
}

static cl_int check_native(struct tf_err *err, const struct tf_enqueue *at,
                           const struct native_args *given)
{
    if (check_queue(err, at->queue))
        return err->code;
    TF_REQUIRE(err, tf_queue_device(at->queue)->caps->execution & CL_EXEC_NATIVE_KERNEL,
               CL_INVALID_OPERATION, "the device runs no native kernels");
    TF_REQUIRE(err, given->fn, CL_INVALID_VALUE, "user_func is NULL");
    TF_REQUIRE(err, given->args || (given->args_bytes == 0 && given->mem_count == 0),
               CL_INVALID_VALUE, "args is NULL");
    TF_REQUIRE(err, !given->args || given->args_bytes > 0, CL_INVALID_VALUE,
               "args is set but cb_args is 0");
    TF_REQUIRE(err, given->mem_count == 0 || (given->mems && given->mem_places),
               CL_INVALID_VALUE, "mem_list or args_mem_loc is NULL");
    TF_REQUIRE(err, given->mem_count > 0 || (!given->mems && !given->mem_places),
               CL_INVALID_VALUE, "num_mem_objects is 0 but the lists are set");
    if (check_native_mems(err, given))
        return err->code;
    return check_deps(err, at);
}

static void enqueue_native(struct tf_err *err, const struct tf_enqueue *at,
                           const struct native_args *given)
{
    size_t *offsets = tf_zalloc(given->mem_count * sizeof(*offsets));
    const struct tf_native_desc desc = {.fn = given->fn,
                                        .args = given->args,
                                        .args_bytes = given->args_bytes,
                                        .mem_count = given->mem_count,
                                        .mems = given->mems,
                                        .mem_offsets = offsets};

    if (offsets) {
        for (cl_uint i = 0; i < given->mem_count; i++)
            offsets[i] = place_in_args(given, i);
        tf_enqueue_native(err, at, &desc);
    } else {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "native kernel");
    }
    tf_free(offsets);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueNativeKernel(
    cl_command_queue command_queue, void(CL_CALLBACK *user_func)(void *), void *args,
    size_t cb_args, cl_uint num_mem_objects, const cl_mem *mem_list,
    const void **args_mem_loc, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    const struct native_args given = {.fn = user_func,
                                      .args = args,
                                      .args_bytes = cb_args,
                                      .mem_count = num_mem_objects,
                                      .mems = mem_list,
                                      .mem_places = args_mem_loc};
    struct tf_err err = {0};

    if (!check_native(&err, &at, &given))
        enqueue_native(&err, &at, &given);
    return tf_report(&err, __func__);
}
