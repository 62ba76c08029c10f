// SPDX-License-Identifier: MIT
#include "api/dispatch.h"

#include <CL/cl_trefoil.h>

#include "api/api_common.h"
#include "core/object/props.h"
#include "core/platform/context.h"
#include "core/platform/device.h"
#include "core/schedule/queue.h"

_Static_assert(sizeof(cl_queue_properties) == sizeof(uint64_t), "property words");

static cl_int check_flags_on_device(struct tf_err *err, cl_device_id device,
                                    cl_command_queue_properties flags)
{
    const cl_command_queue_properties here =
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

    TF_REQUIRE(err, flags & CL_QUEUE_ON_DEVICE, CL_INVALID_VALUE,
               "a default queue that is not on the device");
    TF_REQUIRE(err, flags & CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, CL_INVALID_VALUE,
               "a queue on the device that is in order");
    TF_REQUIRE(err, !(flags & ~here & ~device->caps->device_queue_properties),
               CL_INVALID_QUEUE_PROPERTIES,
               "properties 0x%llx: the device has no such queue",
               (unsigned long long)flags);
    return CL_SUCCESS;
}

static cl_int check_flags(struct tf_err *err, cl_device_id device,
                          cl_command_queue_properties flags)
{
    const cl_command_queue_properties host =
        CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE | CL_QUEUE_PROFILING_ENABLE;
    const cl_command_queue_properties local =
        tf_feature_in(&device->caps->features, TF_FEATURE_cl_intel_exec_by_local_thread)
            ? CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL
            : 0;
    const cl_command_queue_properties on_device =
        CL_QUEUE_ON_DEVICE | CL_QUEUE_ON_DEVICE_DEFAULT;

    TF_REQUIRE(err, !(flags & ~(host | on_device | local)), CL_INVALID_VALUE,
               "properties 0x%llx", (unsigned long long)flags);
    if (flags & on_device)
        return check_flags_on_device(err, device, flags);
    TF_REQUIRE(err, !(flags & host & ~device->caps->queue_properties),
               CL_INVALID_QUEUE_PROPERTIES, "properties 0x%llx: the device has no such",
               (unsigned long long)flags);
    return CL_SUCCESS;
}

static cl_int check_owners(struct tf_err *err, cl_context context, cl_device_id device)
{
    if (check_context(err, context) || check_device(err, device))
        return err->code;
    TF_REQUIRE(err, tf_context_has_device(context, device), CL_INVALID_DEVICE,
               "the context does not have the device");
    return CL_SUCCESS;
}

// Queues on the device came with clCreateCommandQueueWithProperties.
static cl_int check_on_host(struct tf_err *err, cl_command_queue_properties flags)
{
    TF_REQUIRE(err, !(flags & CL_QUEUE_ON_DEVICE), CL_INVALID_QUEUE_PROPERTIES,
               "clCreateCommandQueue makes queues on the host only");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_command_queue CL_API_CALL
clCreateCommandQueue(cl_context context, cl_device_id device,
                     cl_command_queue_properties properties, cl_int *errcode_ret)
{
    const struct tf_queue_desc desc = {.device = device, .flags = properties};
    struct tf_err err = {0};
    cl_command_queue q = NULL;

    if (!check_owners(&err, context, device) && !check_flags(&err, device, properties) &&
        !check_on_host(&err, properties))
        tf_queue_create(&err, context, &desc, &q);
    return tf_return_object(&err, __func__, q, errcode_ret);
}

// What the hints of cl_khr_priority_hints and cl_khr_throttle_hints may be: one bit of
// three, of a queue on the host. They are kept for the query and change nothing: commands
// run when they are ready, on every thread there is.
static cl_int check_hint(struct tf_err *err, const uint64_t *list, uint64_t name)
{
    const uint64_t value = tf_props_value(list, name, CL_QUEUE_PRIORITY_MED_KHR);

    const uint64_t flags = tf_props_value(list, CL_QUEUE_PROPERTIES, 0);

    TF_REQUIRE(err,
               value == CL_QUEUE_PRIORITY_HIGH_KHR ||
                   value == CL_QUEUE_PRIORITY_MED_KHR ||
                   value == CL_QUEUE_PRIORITY_LOW_KHR,
               CL_INVALID_VALUE, "hint 0x%llx is 0x%llx", (unsigned long long)name,
               (unsigned long long)value);
    TF_REQUIRE(err, !tf_props_has(list, name) || !(flags & CL_QUEUE_ON_DEVICE),
               CL_INVALID_QUEUE_PROPERTIES, "hint 0x%llx for a queue on the device",
               (unsigned long long)name);
    return CL_SUCCESS;
}

_Static_assert(CL_QUEUE_THROTTLE_HIGH_KHR == CL_QUEUE_PRIORITY_HIGH_KHR &&
                   CL_QUEUE_THROTTLE_MED_KHR == CL_QUEUE_PRIORITY_MED_KHR &&
                   CL_QUEUE_THROTTLE_LOW_KHR == CL_QUEUE_PRIORITY_LOW_KHR,
               "both hints have the same values");

static cl_int check_size(struct tf_err *err, struct tf_queue_desc *desc,
                         const uint64_t *list)
{
    const uint64_t most = desc->device->caps->device_queue_bytes;
    const uint64_t bytes = tf_props_value(list, CL_QUEUE_SIZE, 0);

    if (!tf_props_has(list, CL_QUEUE_SIZE))
        return CL_SUCCESS;
    TF_REQUIRE(err, desc->flags & CL_QUEUE_ON_DEVICE, CL_INVALID_VALUE,
               "CL_QUEUE_SIZE of a queue on the host");
    TF_REQUIRE(err, bytes > 0 && bytes <= most, CL_INVALID_QUEUE_PROPERTIES,
               "CL_QUEUE_SIZE %llu, 1 to %llu", (unsigned long long)bytes,
               (unsigned long long)most);
    desc->size_bytes = (cl_uint)bytes;
    return CL_SUCCESS;
}

// Fills the desc from its property list.
static cl_int check_properties(struct tf_err *err, struct tf_queue_desc *desc)
{
    const uint64_t *list = (const uint64_t *)desc->properties;
    const uint64_t names[] = {CL_QUEUE_PROPERTIES, CL_QUEUE_SIZE, CL_QUEUE_PRIORITY_KHR,
                              CL_QUEUE_THROTTLE_KHR};

    if (tf_props_check(err, list, names, 4, CL_INVALID_VALUE, &desc->property_count) ||
        check_hint(err, list, CL_QUEUE_PRIORITY_KHR) ||
        check_hint(err, list, CL_QUEUE_THROTTLE_KHR))
        return err->code;
    desc->flags = tf_props_value(list, CL_QUEUE_PROPERTIES, 0);
    if (check_flags(err, desc->device, desc->flags))
        return err->code;
    return check_size(err, desc, list);
}

static cl_command_queue create_with_properties(struct tf_err *err, cl_context context,
                                               cl_device_id device,
                                               const cl_queue_properties *properties)
{
    struct tf_queue_desc desc = {.device = device, .properties = properties};
    cl_command_queue q = NULL;

    if (!check_owners(err, context, device) && !check_properties(err, &desc))
        tf_queue_create(err, context, &desc, &q);
    return q;
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithProperties(
    cl_context context, cl_device_id device, const cl_queue_properties *properties,
    cl_int *errcode_ret)
{
    struct tf_err err = {0};
    cl_command_queue q = create_with_properties(&err, context, device, properties);

    return tf_return_object(&err, __func__, q, errcode_ret);
}

CL_API_ENTRY cl_command_queue CL_API_CALL clCreateCommandQueueWithPropertiesKHR(
    cl_context context, cl_device_id device, const cl_queue_properties_khr *properties,
    cl_int *errcode_ret)
{
    struct tf_err err = {0};
    cl_command_queue q = create_with_properties(&err, context, device,
                                                (const cl_queue_properties *)properties);

    return tf_return_object(&err, __func__, q, errcode_ret);
}

static cl_int check_default_queue(struct tf_err *err, cl_context context,
                                  cl_device_id device, cl_command_queue q)
{
    if (check_owners(err, context, device))
        return err->code;
    TF_REQUIRE(err, device->caps->device_queues > 0, CL_INVALID_OPERATION,
               "the device has no queues of its own");
    if (check_any_queue(err, q))
        return err->code;
    TF_REQUIRE(err, tf_queue_on_device(q), CL_INVALID_COMMAND_QUEUE,
               "the queue is on the host");
    TF_REQUIRE(err,
               ((const struct tf_object *)q)->ctx == context &&
                   tf_queue_device(q) == device,
               CL_INVALID_COMMAND_QUEUE, "the queue is of another context or device");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetDefaultDeviceCommandQueue(
    cl_context context, cl_device_id device, cl_command_queue command_queue)
{
    struct tf_err err = {0};

    if (!check_default_queue(&err, context, device, command_queue))
        tf_queue_set_default(command_queue);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clFlush(cl_command_queue command_queue)
{
    struct tf_err err = {0};

    if (!check_queue(&err, command_queue))
        tf_queue_flush(command_queue);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clFinish(cl_command_queue command_queue)
{
    struct tf_err err = {0};

    if (!check_queue(&err, command_queue))
        tf_queue_finish(&err, command_queue);
    return tf_report(&err, __func__);
}
