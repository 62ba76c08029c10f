// SPDX-License-Identifier: MIT
// Making, finalizing, enqueueing and remapping command buffers.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/command_buffer/command_buffer.h"
#include "core/platform/device_caps.h"

// Queues for commands: of one context, and of devices with command buffers.
static cl_int check_queues(struct tf_err *err, cl_uint count,
                           const cl_command_queue *queues, cl_context ctx)
{
    for (cl_uint i = 0; i < count; i++) {
        const struct tf_object *obj;

        if (check_queue(err, queues[i]))
            return err->code;
        obj = (const struct tf_object *)queues[i];
        TF_REQUIRE(err, obj->ctx == (ctx ? ctx : err->ctx), CL_INVALID_CONTEXT,
                   "queues[%u] belongs to another context", i);
        TF_REQUIRE(err,
                   tf_device_caps_has(tf_queue_device(queues[i])->caps,
                                      TF_FEATURE_cl_khr_command_buffer),
                   CL_INCOMPATIBLE_COMMAND_QUEUE_KHR,
                   "the device of queues[%u] has no command buffers", i);
    }
    return CL_SUCCESS;
}

// The flags and names of an extension that the device does without are unknown.
static cl_int check_properties(struct tf_err *err, const struct tf_device_caps *caps,
                               const cl_command_buffer_properties_khr *properties,
                               size_t *count)
{
    static const uint64_t names[] = {CL_COMMAND_BUFFER_FLAGS_KHR,
                                     CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR};
    const bool is_mutable =
        tf_device_caps_has(caps, TF_FEATURE_cl_khr_command_buffer_mutable_dispatch);
    cl_command_buffer_flags_khr known = CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR;
    uint64_t flags, asserts;

    if (is_mutable)
        known |= CL_COMMAND_BUFFER_MUTABLE_KHR;
    if (tf_device_caps_has(caps, TF_FEATURE_cl_khr_command_buffer_multi_device))
        known |= CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR;
    if (tf_props_check(err, properties, names, is_mutable ? 2 : 1, CL_INVALID_VALUE,
                       count))
        return err->code;
    flags = tf_props_value(properties, names[0], 0);
    asserts = tf_props_value(properties, names[1], 0);
    TF_REQUIRE(err, !(flags & ~known), CL_INVALID_VALUE, "flags 0x%llx",
               (unsigned long long)flags);
    TF_REQUIRE(
        err,
        !(asserts & ~(uint64_t)CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR),
        CL_INVALID_VALUE, "asserts 0x%llx", (unsigned long long)asserts);
    return CL_SUCCESS;
}

static cl_int check_create(struct tf_err *err, struct tf_command_buffer_desc *desc)
{
    const struct tf_device_caps *caps;

    TF_REQUIRE(err, desc->queue_count > 0, CL_INVALID_VALUE, "num_queues is 0");
    TF_REQUIRE(err, desc->queues, CL_INVALID_VALUE, "queues is NULL");
    if (check_queues(err, desc->queue_count, desc->queues, NULL) || check_running(err))
        return err->code;
    caps = tf_queue_device(desc->queues[0])->caps;
    TF_REQUIRE(
        err,
        desc->queue_count == 1 ||
            tf_device_caps_has(caps, TF_FEATURE_cl_khr_command_buffer_multi_device),
        CL_INVALID_VALUE, "num_queues is %u without cl_khr_command_buffer_multi_device",
        desc->queue_count);
    return check_properties(err, caps, desc->properties, &desc->property_count);
}

CL_API_ENTRY cl_command_buffer_khr CL_API_CALL clCreateCommandBufferKHR(
    cl_uint num_queues, const cl_command_queue *queues,
    const cl_command_buffer_properties_khr *properties, cl_int *errcode_ret)
{
    struct tf_command_buffer_desc desc = {
        .queue_count = num_queues, .queues = queues, .properties = properties};
    cl_command_buffer_khr buffer = NULL;
    struct tf_err err = {0};

    if (!check_create(&err, &desc))
        tf_command_buffer_create(&err, err.ctx, &desc, &buffer);
    return tf_return_object(&err, __func__, buffer, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL
clFinalizeCommandBufferKHR(cl_command_buffer_khr command_buffer)
{
    struct tf_err err = {0};

    if (!check_command_buffer(&err, command_buffer))
        tf_command_buffer_finalize(&err, command_buffer);
    return tf_report(&err, __func__);
}

// Each in the place of that which the buffer was made with.
static cl_int check_substitutes(struct tf_err *err, cl_command_buffer_khr buffer,
                                const cl_command_queue *queues)
{
    for (cl_uint i = 0; i < buffer->queue_count; i++) {
        const struct tf_object *obj;

        if (check_queue(err, queues[i]))
            return err->code;
        obj = (const struct tf_object *)queues[i];
        TF_REQUIRE(err, obj->ctx == buffer->obj.ctx, CL_INVALID_CONTEXT,
                   "queues[%u] belongs to another context", i);
        TF_REQUIRE(err,
                   tf_queue_device(queues[i]) == tf_queue_device(buffer->queues[i].queue),
                   CL_INVALID_DEVICE, "queues[%u] belongs to another device", i);
    }
    return CL_SUCCESS;
}

static cl_int check_enqueue(struct tf_err *err, cl_command_buffer_khr buffer,
                            cl_uint queue_count, const struct tf_command_buffer_run *run)
{
    if (check_command_buffer(err, buffer))
        return err->code;
    TF_REQUIRE(err,
               tf_command_buffer_state(buffer) == CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR,
               CL_INVALID_OPERATION, "the command buffer is not executable");
    TF_REQUIRE(err, (queue_count == 0) == (run->queues == NULL), CL_INVALID_VALUE,
               "queues is %s but num_queues is %u", run->queues ? "set" : "NULL",
               queue_count);
    TF_REQUIRE(err, queue_count == 0 || queue_count == buffer->queue_count,
               CL_INVALID_VALUE, "%u queues for a command buffer of %u", queue_count,
               buffer->queue_count);
    if (run->queues && check_substitutes(err, buffer, run->queues))
        return err->code;
    return check_wait_list(err, buffer->obj.ctx, run->dep_count, run->deps);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueCommandBufferKHR(
    cl_uint num_queues, cl_command_queue *queues, cl_command_buffer_khr command_buffer,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_command_buffer_run run = {.queues = queues,
                                              .dep_count = num_events_in_wait_list,
                                              .deps = event_wait_list,
                                              .out = event};
    struct tf_err err;

    tf_err_begin(&err);
    if (!check_enqueue(&err, command_buffer, num_queues, &run))
        tf_command_buffer_enqueue(&err, command_buffer, &run);
    return tf_report(&err, __func__);
}

static cl_int check_remap(struct tf_err *err, cl_command_buffer_khr buffer,
                          const struct tf_remap *remap)
{
    if (check_command_buffer(err, buffer))
        return err->code;
    TF_REQUIRE(
        err,
        tf_command_buffer_offers(buffer, TF_FEATURE_cl_khr_command_buffer_multi_device),
        CL_INVALID_OPERATION, "cl_khr_command_buffer_multi_device is not offered");
    TF_REQUIRE(err, remap->queue_count > 0, CL_INVALID_VALUE, "num_queues is 0");
    TF_REQUIRE(err, remap->queues, CL_INVALID_VALUE, "queues is NULL");
    TF_REQUIRE(err, remap->automatic || remap->queue_count == buffer->queue_count,
               CL_INVALID_VALUE, "%u queues for a command buffer of %u",
               remap->queue_count, buffer->queue_count);
    TF_REQUIRE(err,
               (remap->handle_count == 0) == (remap->handles == NULL) &&
                   (remap->handle_count == 0) == (remap->handles_ret == NULL),
               CL_INVALID_VALUE, "handles or handles_ret does not suit num_handles %u",
               remap->handle_count);
    for (cl_uint i = 0; i < remap->handle_count; i++)
        TF_REQUIRE(err,
                   tf_object_ok(remap->handles[i], &tf_class_mutable_command) &&
                       remap->handles[i]->buffer == buffer,
                   CL_INVALID_VALUE, "handles[%u] is none of the command buffer's", i);
    return check_queues(err, remap->queue_count, remap->queues, buffer->obj.ctx);
}

CL_API_ENTRY cl_command_buffer_khr CL_API_CALL
clRemapCommandBufferKHR(cl_command_buffer_khr command_buffer, cl_bool automatic,
                        cl_uint num_queues, const cl_command_queue *queues,
                        cl_uint num_handles, const cl_mutable_command_khr *handles,
                        cl_mutable_command_khr *handles_ret, cl_int *errcode_ret)
{
    const struct tf_remap remap = {.automatic = automatic,
                                   .queue_count = num_queues,
                                   .queues = queues,
                                   .handle_count = num_handles,
                                   .handles = handles,
                                   .handles_ret = handles_ret};
    cl_command_buffer_khr buffer = NULL;
    struct tf_err err = {0};

    if (!check_remap(&err, command_buffer, &remap))
        tf_command_buffer_remap(&err, command_buffer, &remap, &buffer);
    return tf_return_object(&err, __func__, buffer, errcode_ret);
}
