// SPDX-License-Identifier: MIT
// cl_khr_semaphore and cl_khr_external_semaphore: semaphores and their handles.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/platform/context.h"
#include "core/platform/device.h"
#include "core/platform/device_caps.h"
#include "core/semaphore/semaphore.h"
#include "core/semaphore/semaphore_command.h"

// What is read of a list of properties. Not as tf_props_check() reads one: the value of
// some is a list.
struct reader {
    cl_context ctx;
    const cl_semaphore_properties_khr *at;
    struct tf_semaphore_desc *desc;
    bool has_type, has_devices, has_exports;
    unsigned handles;
};

static cl_int check_once(struct tf_err *err, bool *has, const char *what)
{
    TF_REQUIRE(err, !*has, CL_INVALID_PROPERTY, "%s is there twice", what);
    *has = true;
    return CL_SUCCESS;
}

static cl_int read_type(struct tf_err *err, struct reader *reader)
{
    if (check_once(err, &reader->has_type, "CL_SEMAPHORE_TYPE_KHR"))
        return err->code;
    TF_REQUIRE(err, *reader->at == CL_SEMAPHORE_TYPE_BINARY_KHR, CL_INVALID_PROPERTY,
               "semaphore type 0x%llx", (unsigned long long)*reader->at);
    reader->at++;
    return CL_SUCCESS;
}

// Exactly one; nothing is read behind a second one.
static cl_int read_devices(struct tf_err *err, struct reader *reader)
{
    cl_device_id device = (cl_device_id)(uintptr_t)reader->at[0];

    if (check_once(err, &reader->has_devices, "CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR"))
        return err->code;
    TF_REQUIRE(err, reader->at[0] != CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR,
               CL_INVALID_DEVICE, "no device in the list");
    TF_REQUIRE(err, reader->at[1] == CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR,
               CL_INVALID_DEVICE, "several devices in the list");
    TF_REQUIRE(err, tf_context_has_device(reader->ctx, device), CL_INVALID_DEVICE,
               "not a device of the context");
    reader->desc->device = device;
    reader->at += 2;
    return CL_SUCCESS;
}

static cl_int read_exports(struct tf_err *err, struct reader *reader)
{
    const cl_semaphore_properties_khr type = reader->at[0];

    if (check_once(err, &reader->has_exports, "CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR"))
        return err->code;
    reader->at++;
    if (type == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR)
        return CL_SUCCESS;
    TF_REQUIRE(err, *reader->at == CL_SEMAPHORE_EXPORT_HANDLE_TYPES_LIST_END_KHR,
               CL_INVALID_VALUE, "several types of handles to export");
    TF_REQUIRE(err, type == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR, CL_INVALID_PROPERTY,
               "no export of handles 0x%llx", (unsigned long long)type);
    reader->desc->is_exportable = true;
    reader->at++;
    return CL_SUCCESS;
}

// The handle itself is looked at when the rest is known to be right.
static cl_int read_handle(struct tf_err *err, struct reader *reader,
                          cl_semaphore_properties_khr type)
{
    TF_REQUIRE(err, ++reader->handles == 1, CL_INVALID_PROPERTY, "several handles");
    reader->desc->imports_sync = type == CL_SEMAPHORE_HANDLE_SYNC_FD_KHR;
    reader->desc->imports_opaque = !reader->desc->imports_sync;
    reader->desc->fd = (int)*reader->at++;
    return CL_SUCCESS;
}

static cl_int read_property(struct tf_err *err, struct reader *reader)
{
    const cl_semaphore_properties_khr name = *reader->at++;

    switch (name) {
    case CL_SEMAPHORE_TYPE_KHR:
        return read_type(err, reader);
    case CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR:
        return read_devices(err, reader);
    case CL_SEMAPHORE_EXPORT_HANDLE_TYPES_KHR:
        return read_exports(err, reader);
    case CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR:
    case CL_SEMAPHORE_HANDLE_SYNC_FD_KHR:
        return read_handle(err, reader, name);
    default:
        return tf_fail(err, CL_INVALID_PROPERTY, "unknown property 0x%llx",
                       (unsigned long long)name);
    }
}

static cl_int check_fd(struct tf_err *err, const struct tf_semaphore_desc *desc)
{
    TF_REQUIRE(err, !desc->imports_opaque || tf_semaphore_fd_is_opaque(desc->fd),
               CL_INVALID_PROPERTY, "%d is no descriptor of a semaphore", desc->fd);
    TF_REQUIRE(err,
               !desc->imports_sync || desc->fd == TF_NO_FD ||
                   tf_semaphore_fd_is_sync(desc->fd),
               CL_INVALID_PROPERTY, "%d is no descriptor of a sync file", desc->fd);
    return CL_SUCCESS;
}

static cl_int check_create(struct tf_err *err, cl_context ctx,
                           const cl_semaphore_properties_khr *properties,
                           struct tf_semaphore_desc *desc)
{
    struct reader reader = {.ctx = ctx, .at = properties, .desc = desc};

    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, properties, CL_INVALID_VALUE, "sema_props is NULL");
    while (*reader.at)
        if (read_property(err, &reader))
            return err->code;
    TF_REQUIRE(err, reader.has_type, CL_INVALID_VALUE, "no CL_SEMAPHORE_TYPE_KHR");
    TF_REQUIRE(err, desc->device || ctx->device_count == 1, CL_INVALID_PROPERTY,
               "no CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR in a context of several devices");
    if (!desc->device)
        desc->device = ctx->devices[0];
    TF_REQUIRE(err, tf_device_caps_has(desc->device->caps, TF_FEATURE_cl_khr_semaphore),
               CL_INVALID_DEVICE, "the device has no semaphores");
    TF_REQUIRE(err, !reader.handles || !reader.has_exports, CL_INVALID_OPERATION,
               "a semaphore that is imported cannot be exported");
    desc->properties = properties;
    desc->property_count = (size_t)(reader.at - properties) + 1;
    return check_fd(err, desc);
}

CL_API_ENTRY cl_semaphore_khr CL_API_CALL clCreateSemaphoreWithPropertiesKHR(
    cl_context context, const cl_semaphore_properties_khr *sema_props,
    cl_int *errcode_ret)
{
    struct tf_semaphore_desc desc = {0};
    struct tf_err err = {0};
    cl_semaphore_khr sema = NULL;

    if (!check_create(&err, context, sema_props, &desc))
        tf_semaphore_create(&err, context, &desc, &sema);
    return tf_return_object(&err, __func__, sema, errcode_ret);
}

static cl_int check_export(struct tf_err *err, cl_semaphore_khr sema, cl_device_id device,
                           cl_external_semaphore_handle_type_khr type, size_t size,
                           const void *handle)
{
    if (check_semaphore(err, sema) || check_device(err, device))
        return err->code;
    TF_REQUIRE(err, device == sema->device, CL_INVALID_DEVICE,
               "the semaphore is not for this device");
    TF_REQUIRE(err, sema->is_exportable && type == CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR,
               CL_INVALID_VALUE, "the semaphore was not made to export handles 0x%x",
               type);
    TF_REQUIRE(err, !handle || size >= sizeof(int), CL_INVALID_VALUE,
               "handle_size is %zu", size);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clGetSemaphoreHandleForTypeKHR(
    cl_semaphore_khr sema_object, cl_device_id device,
    cl_external_semaphore_handle_type_khr handle_type, size_t handle_size,
    void *handle_ptr, size_t *handle_size_ret)
{
    struct tf_err err = {0};

    if (!check_export(&err, sema_object, device, handle_type, handle_size, handle_ptr) &&
        !(handle_ptr && tf_semaphore_export(&err, sema_object, handle_ptr)) &&
        handle_size_ret)
        *handle_size_ret = sizeof(int);
    return tf_report(&err, __func__);
}

static cl_int check_reimport(struct tf_err *err, cl_semaphore_khr sema,
                             const cl_semaphore_reimport_properties_khr *properties,
                             int fd)
{
    if (check_semaphore(err, sema))
        return err->code;
    TF_REQUIRE(err, sema->imports_sync, CL_INVALID_SEMAPHORE_KHR,
               "the semaphore was not made of a sync file");
    TF_REQUIRE(err, !properties || !*properties, CL_INVALID_PROPERTY,
               "unknown property 0x%llx", (unsigned long long)*properties);
    TF_REQUIRE(err, fd == TF_NO_FD || tf_semaphore_fd_is_sync(fd), CL_INVALID_VALUE,
               "%d is no descriptor of a sync file", fd);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL
clReImportSemaphoreSyncFdKHR(cl_semaphore_khr sema_object,
                             cl_semaphore_reimport_properties_khr *reimport_props, int fd)
{
    struct tf_err err = {0};

    if (!check_reimport(&err, sema_object, reimport_props, fd))
        tf_semaphore_import_sync(sema_object, fd);
    return tf_report(&err, __func__);
}
