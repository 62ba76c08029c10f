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

// Something in a context that commands wait for and that ends by no command: what is to
// be done about it when the context is terminated.
struct tf_context_stopper {
    struct tf_context_stopper *next, **link; // private
    void (*stop)(void *obj);                 // no lock is held
    void *obj;                               // an object, borrowed
};

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
    // CL_COMPLETE until the context is terminated, then CL_CONTEXT_TERMINATED_KHR.
    atomic_int stop;
    cl_bitfield
        zeroes;    // CL_CONTEXT_MEMORY_INITIALIZE_KHR: CL_CONTEXT_MEMORY_INITIALIZE_*
    bool may_stop; // CL_CONTEXT_TERMINATE_KHR
    struct tf_context_stopper *stoppers TF_GUARDED_BY(&lock);
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

// ---- Termination (cl_khr_terminate_context) ----

static inline bool tf_context_stopped(cl_context ctx)
{
    return atomic_load(&ctx->stop) != CL_COMPLETE;
}

// What commands of the context look at (tf_command.stop).
static inline const atomic_int *tf_context_stop_of(cl_context ctx)
{
    return ctx && ctx->may_stop ? &ctx->stop : NULL;
}

// Ends all commands of the context without waiting for them, and calls the stoppers.
// False if it has been terminated before.
bool tf_context_terminate(cl_context ctx) TF_EXCLUDES(&ctx->lock);

// `stopper` (borrowed until it is dropped) is called once the context is terminated, in a
// context that can be. The object's destroy function drops it, also if it never was
// added.
void tf_context_add_stopper(cl_context ctx, struct tf_context_stopper *stopper)
    TF_EXCLUDES(&ctx->lock);
void tf_context_drop_stopper(cl_context ctx, struct tf_context_stopper *stopper)
    TF_EXCLUDES(&ctx->lock);

cl_int tf_context_get_info(struct tf_err *err, cl_context ctx, cl_context_info param,
                           size_t size, void *value, size_t *size_ret);

#endif // TF_CORE_PLATFORM_CONTEXT_H
