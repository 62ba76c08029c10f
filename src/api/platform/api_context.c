// SPDX-License-Identifier: MIT
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/object/props.h"
#include "core/platform/context.h"
#include "core/platform/platform.h"

_Static_assert(sizeof(cl_context_properties) == sizeof(uint64_t), "property words");

// Fills the desc's property count.
static cl_int check_properties(struct tf_err *err, struct tf_context_desc *desc)
{
    const uint64_t *list = (const uint64_t *)desc->properties;
    static const uint64_t names[] = {CL_CONTEXT_PLATFORM, CL_CONTEXT_INTEROP_USER_SYNC,
                                     CL_CONTEXT_TERMINATE_KHR,
                                     CL_CONTEXT_MEMORY_INITIALIZE_KHR};
    const uint64_t zeroes =
        CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR | CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR;
    void *platform;

    if (tf_props_check(err, list, names, sizeof(names) / sizeof(names[0]),
                       CL_INVALID_PROPERTY, &desc->property_count))
        return err->code;
    platform = (void *)(uintptr_t)tf_props_value(list, CL_CONTEXT_PLATFORM, 0);
    TF_REQUIRE(err,
               !tf_props_has(list, CL_CONTEXT_PLATFORM) ||
                   tf_object_ok(platform, &tf_class_platform),
               CL_INVALID_PLATFORM, "CL_CONTEXT_PLATFORM is not a platform");
    TF_REQUIRE(err, tf_props_value(list, CL_CONTEXT_INTEROP_USER_SYNC, 0) <= CL_TRUE,
               CL_INVALID_PROPERTY, "CL_CONTEXT_INTEROP_USER_SYNC is not a cl_bool");
    TF_REQUIRE(err, tf_props_value(list, CL_CONTEXT_TERMINATE_KHR, 0) <= CL_TRUE,
               CL_INVALID_PROPERTY, "CL_CONTEXT_TERMINATE_KHR is not a cl_bool");
    TF_REQUIRE(err,
               !(tf_props_value(list, CL_CONTEXT_MEMORY_INITIALIZE_KHR, 0) & ~zeroes),
               CL_INVALID_PROPERTY, "CL_CONTEXT_MEMORY_INITIALIZE_KHR has unknown bits");
    return CL_SUCCESS;
}

static cl_int check_notify(struct tf_err *err, const struct tf_context_desc *desc)
{
    TF_REQUIRE(err, desc->notify || !desc->notify_data, CL_INVALID_VALUE,
               "user_data is set but pfn_notify is NULL");
    return CL_SUCCESS;
}

static cl_int check_devices(struct tf_err *err, const struct tf_context_desc *desc)
{
    TF_REQUIRE(err, desc->devices && desc->device_count > 0, CL_INVALID_VALUE,
               "no devices");
    for (cl_uint i = 0; i < desc->device_count; i++)
        if (check_device(err, desc->devices[i]))
            return err->code;
    return CL_SUCCESS;
}

CL_API_ENTRY cl_context CL_API_CALL
clCreateContext(const cl_context_properties *properties, cl_uint num_devices,
                const cl_device_id *devices,
                void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *),
                void *user_data, cl_int *errcode_ret)
{
    struct tf_context_desc desc = {.properties = properties,
                                   .devices = devices,
                                   .device_count = num_devices,
                                   .notify = pfn_notify,
                                   .notify_data = user_data};
    struct tf_err err = {0};
    cl_context ctx = NULL;

    if (!check_properties(&err, &desc) && !check_notify(&err, &desc) &&
        !check_devices(&err, &desc))
        tf_context_create(&err, &desc, &ctx);
    return tf_return_object(&err, __func__, ctx, errcode_ret);
}

enum { MAX_DEVICES = 16 };

static void find_devices(struct tf_err *err, struct tf_context_desc *desc,
                         cl_device_type type, cl_device_id found[MAX_DEVICES])
{
    desc->devices = found;
    desc->device_count =
        tf_platform_find_devices(tf_api_platform(), type, MAX_DEVICES, found);
    if (desc->device_count == 0)
        tf_fail(err, CL_DEVICE_NOT_FOUND, "no device of type 0x%llx",
                (unsigned long long)type);
}

CL_API_ENTRY cl_context CL_API_CALL clCreateContextFromType(
    const cl_context_properties *properties, cl_device_type device_type,
    void(CL_CALLBACK *pfn_notify)(const char *, const void *, size_t, void *),
    void *user_data, cl_int *errcode_ret)
{
    struct tf_context_desc desc = {
        .properties = properties, .notify = pfn_notify, .notify_data = user_data};
    cl_device_id found[MAX_DEVICES];
    struct tf_err err = {0};
    cl_context ctx = NULL;

    if (!check_properties(&err, &desc) && !check_notify(&err, &desc) &&
        !check_device_type(&err, device_type)) {
        find_devices(&err, &desc, device_type, found);
        if (!err.code)
            tf_context_create(&err, &desc, &ctx);
    }
    return tf_return_object(&err, __func__, ctx, errcode_ret);
}

static cl_int check_destructor(struct tf_err *err, cl_context context,
                               void(CL_CALLBACK *pfn_notify)(cl_context, void *))
{
    if (check_any_context(err, context))
        return err->code;
    TF_REQUIRE(err, pfn_notify, CL_INVALID_VALUE, "pfn_notify is NULL");
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clSetContextDestructorCallback(
    cl_context context,
    void(CL_CALLBACK *pfn_notify)(cl_context context, void *user_data), void *user_data)
{
    const struct tf_destructor d = {
        .ctx = context, .ctx_fn = pfn_notify, .data = user_data};
    struct tf_err err = {0};

    if (!check_destructor(&err, context, pfn_notify))
        tf_destructors_add(&err, &context->destructors, &d);
    return tf_report(&err, __func__);
}

// ---- cl_khr_terminate_context ----

static cl_int check_terminate(struct tf_err *err, cl_context ctx)
{
    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, ctx->may_stop, CL_INVALID_OPERATION,
               "the context was made without CL_CONTEXT_TERMINATE_KHR");
    return CL_SUCCESS;
}

// Of two threads that terminate a context at once one is too late.
CL_API_ENTRY cl_int CL_API_CALL clTerminateContextKHR(cl_context context)
{
    static const cl_int code = CL_CONTEXT_TERMINATED_KHR;
    struct tf_err err = {0};

    if (!check_terminate(&err, context)) {
        if (!tf_context_terminate(context))
            tf_fail(&err, code, "the context has been terminated");
        else if (context->notify)
            context->notify("clTerminateContextKHR: the context is terminated", &code,
                            sizeof(code), context->notify_data);
    }
    return tf_report(&err, __func__);
}
