// SPDX-License-Identifier: MIT
#include "core/platform/context.h"

#include <CL/cl_trefoil.h>

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
    tf_main_thread_note();
    tf_mutex_init(&ctx->lock, TF_RANK_CONTEXT);
    ctx->notify = desc->notify;
    ctx->notify_data = desc->notify_data;
    ctx->zeroes = tf_props_value((const uint64_t *)desc->properties,
                                 CL_CONTEXT_MEMORY_INITIALIZE_KHR, 0);
    ctx->may_stop =
        tf_props_value((const uint64_t *)desc->properties, CL_CONTEXT_TERMINATE_KHR, 0);
    if (tf_props_keep(err, &ctx->props, desc->properties, desc->property_count) ||
        open_devices(err, ctx, desc)) {
        tf_unref(ctx);
        return err->code;
    }
    *out = tf_give_user(ctx);
    return CL_SUCCESS;
}

void tf_context_add_stopper(cl_context ctx, struct tf_context_stopper *stopper)
{
    if (!ctx->may_stop)
        return;
    tf_lock(&ctx->lock);
    stopper->link = &ctx->stoppers;
    stopper->next = ctx->stoppers;
    if (stopper->next)
        stopper->next->link = &stopper->next;
    ctx->stoppers = stopper;
    tf_unlock(&ctx->lock);
    if (tf_context_stopped(ctx))
        stopper->stop(stopper->obj);
}

void tf_context_drop_stopper(cl_context ctx, struct tf_context_stopper *stopper)
{
    if (!ctx->may_stop)
        return;
    tf_lock(&ctx->lock);
    if (stopper->link)
        *stopper->link = stopper->next;
    if (stopper->next)
        stopper->next->link = stopper->link;
    tf_unlock(&ctx->lock);
}

// The stopper after `stopper` (NULL: the first one) whose object is not dying; a
// reference on that for the caller.
static struct tf_context_stopper *next_stopper(cl_context ctx,
                                               struct tf_context_stopper *stopper)
{
    struct tf_context_stopper *next;

    tf_lock(&ctx->lock);
    next = stopper ? stopper->next : ctx->stoppers;
    while (next && !tf_ref_if_alive(next->obj))
        next = next->next;
    tf_unlock(&ctx->lock);
    return next;
}

bool tf_context_terminate(cl_context ctx)
{
    struct tf_context_stopper *stopper, *next;
    int running = CL_COMPLETE;

    if (!atomic_compare_exchange_strong(&ctx->stop, &running, CL_CONTEXT_TERMINATED_KHR))
        return false;
    for (cl_uint i = 0; i < ctx->device_count; i++)
        ctx->devices[i]->dev->ops->submit(ctx->devices[i]->dev, NULL);
    for (stopper = next_stopper(ctx, NULL); stopper; stopper = next) {
        stopper->stop(stopper->obj);
        next = next_stopper(ctx, stopper);
        tf_unref(stopper->obj);
    }
    return true;
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
