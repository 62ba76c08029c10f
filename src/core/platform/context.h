// SPDX-License-Identifier: MIT
// Contexts: a set of devices, the error callback, the destructor callbacks.
#ifndef TF_CORE_PLATFORM_CONTEXT_H
#define TF_CORE_PLATFORM_CONTEXT_H

#include "base/thread.h"
#include "core/object/destructor.h"
#include "core/object/object.h"
#include "core/object/props.h"

struct tf_addr_node;

typedef void(CL_CALLBACK *tf_notify_fn)(const char *, const void *, size_t, void *);

struct _cl_context {
    struct tf_object obj;
    tf_notify_fn notify;
    void *notify_data;
    struct tf_props props;
    struct tf_mutex lock;
    struct tf_destructors destructors;
    struct tf_addr_node *svm TF_GUARDED_BY(&lock); // core/memory/svm.c
    void (*free_svm)(cl_context ctx); // by who set svm; NULL while it never was
    cl_command_queue queues TF_GUARDED_BY(&lock); // core/schedule/queue.c
    cl_uint device_count;
    cl_device_id devices[]; // owned references
};

struct tf_context_desc {
    const cl_context_properties *properties; // NULL, or checked
    size_t property_count;                   // with the terminating 0
    const cl_device_id *devices;
    cl_uint device_count;
    tf_notify_fn notify;
    void *notify_data;
};

cl_int tf_context_create(struct tf_err *err, const struct tf_context_desc *desc,
                         cl_context *out);

// True if `dev` is one of the context's devices.
bool tf_context_has_device(cl_context ctx, cl_device_id dev);

cl_int tf_context_get_info(struct tf_err *err, cl_context ctx, cl_context_info param,
                           size_t size, void *value, size_t *size_ret);

#endif // TF_CORE_PLATFORM_CONTEXT_H
