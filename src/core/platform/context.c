// SPDX-License-Identifier: MIT
#include "core/platform/context.h"

#include "core/object/error.h"
#include "core/object/info.h"
#include "core/platform/device.h"

static void context_destroy(struct tf_object *obj)
{
    cl_context ctx = (cl_context)obj;

    if (ctx->free_svm)
        ctx->free_svm(ctx);
    for (cl_uint i = 0; i < ctx->device_count; i++) {
        tf_device_close(ctx->devices[i]);
        TF_CLEAR(ctx->devices[i]);
    }
    tf_destructors_run(&ctx->destructors);
    tf_props_drop(&ctx->props);
    tf_mutex_finish(&ctx->lock);
}

const struct tf_class tf_class_context = {
    .name = "context",
    .magic = 0x5c0e7e71u,
    .invalid = CL_INVALID_CONTEXT,
    .size_bytes = sizeof(struct _cl_context),
    .destroy = context_destroy,
    .slab = &tf_slab_context,
};

bool tf_context_has_device(cl_context ctx, cl_device_id dev)
{
    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (ctx->devices[i] == dev)
            return true;
    return false;
}

// Duplicates are ignored (OpenCL 3.0 §4.4, clCreateContext).
static cl_int open_devices(struct tf_err *err, cl_context ctx,
                           const struct tf_context_desc *desc)
{
    for (cl_uint i = 0; i < desc->device_count; i++) {
        if (tf_context_has_device(ctx, desc->devices[i]))
            continue;
        if (tf_device_open(err, desc->devices[i]))
            return err->code;
        ctx->devices[ctx->device_count++] = tf_ref(desc->devices[i]);
    }
    return CL_SUCCESS;
}

cl_int tf_context_create(struct tf_err *err, const struct tf_context_desc *desc,
                         cl_context *out)
{
    cl_context ctx =
        tf_object_new(&tf_class_context, NULL, desc->device_count * sizeof(cl_device_id));

    if (!ctx)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "context");
    tf_mutex_init(&ctx->lock, TF_RANK_CONTEXT);
    ctx->notify = desc->notify;
    ctx->notify_data = desc->notify_data;
    if (tf_props_keep(err, &ctx->props, desc->properties, desc->property_count) ||
        open_devices(err, ctx, desc)) {
        tf_unref(ctx);
        return err->code;
    }
    *out = tf_give_user(ctx);
    return CL_SUCCESS;
}

cl_int tf_context_get_info(struct tf_err *err, cl_context ctx, cl_context_info param,
                           size_t size, void *value, size_t *size_ret)
{
    const struct tf_info info = {size, value, size_ret};

    switch (param) {
    case CL_CONTEXT_REFERENCE_COUNT:
        return tf_info_scalar(err, &info, cl_uint, tf_object_user_refs(ctx));
    case CL_CONTEXT_NUM_DEVICES:
        return tf_info_scalar(err, &info, cl_uint, ctx->device_count);
    case CL_CONTEXT_DEVICES:
        return tf_info_value(err, &info, ctx->devices,
                             ctx->device_count * sizeof(cl_device_id));
    case CL_CONTEXT_PROPERTIES:
        return tf_props_put(err, &info, &ctx->props);
    default:
        return tf_fail(err, CL_INVALID_VALUE, "param_name 0x%x", param);
    }
}
