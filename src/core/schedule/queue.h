// SPDX-License-Identifier: MIT
// Command queues. What comes before what in one is its order's business
// (core/schedule/order.h).
#ifndef TF_CORE_SCHEDULE_QUEUE_H
#define TF_CORE_SCHEDULE_QUEUE_H

#include "core/platform/context.h"
#include "core/schedule/event.h"

struct tf_queue_desc {
    cl_device_id device;
    cl_command_queue_properties flags;
    const cl_queue_properties *properties; // as given, NULL if none
    size_t property_count;                 // with the terminating 0
    cl_uint size_bytes;                    // of a queue on the device; 0: as it likes
};

// A queue on the host or, with CL_QUEUE_ON_DEVICE, on the device; with
// CL_QUEUE_ON_DEVICE_DEFAULT the one that is there already, with one handle more.
// CL_OUT_OF_HOST_MEMORY, CL_OUT_OF_RESOURCES (too many on the device).
cl_int tf_queue_create(struct tf_err *err, cl_context ctx,
                       const struct tf_queue_desc *desc, cl_command_queue *out);
cl_device_id tf_queue_device(cl_command_queue q);
// CL_QUEUE_PROPERTIES.
cl_command_queue_properties tf_queue_flags(cl_command_queue q);

// The queue as the device has it; NULL: one on the host, which takes commands.
struct tf_devqueue *tf_queue_on_device(cl_command_queue q);
// The default queue on `device`, with a reference for the caller; NULL: there is none.
cl_command_queue tf_queue_default(cl_context ctx, cl_device_id device)
    TF_EXCLUDES(&ctx->lock);
// Makes q, a queue on the device, the default on its device.
void tf_queue_set_default(cl_command_queue q);

// A new event for a command of `type` on q with room for deps and held objects; fill
// ev->cmd, hold what it uses, then tf_queue_enqueue(), or tf_unref() to give up. NULL and
// err set when memory ran out or the context has been terminated.
cl_event tf_queue_new_command(struct tf_err *err, cl_command_queue q,
                              cl_command_type type, cl_uint dep_count, unsigned max_held);

// The same with extra memory, as tf_event_new_with() gives it.
cl_event tf_queue_new_command_with(struct tf_err *err, cl_command_queue q,
                                   cl_command_type type, cl_uint dep_count,
                                   unsigned max_held, size_t extra_bytes);

// Publishes `ev` (given: the caller's reference passes) after deps[0..n) and the queue's
// own order. Cannot fail. With CL_QUEUE_THREAD_LOCAL_EXEC_ENABLE_INTEL the caller runs
// the command, and this returns when it has ended: no lock may be held. `*out`, if out is
// not NULL, becomes the user's handle.
void tf_queue_enqueue(cl_command_queue q, cl_event ev, unsigned flags, cl_uint dep_count,
                      const cl_event *deps, cl_event *out);

// The same, and waits. Returns CL_SUCCESS, or records and returns the command's error
// (CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST when a dependency failed); there is no
// event then.
cl_int tf_queue_enqueue_blocking(struct tf_err *err, cl_command_queue q, cl_event ev,
                                 cl_uint dep_count, const cl_event *deps, cl_event *out);

void tf_queue_flush(cl_command_queue q);
cl_int tf_queue_finish(struct tf_err *err, cl_command_queue q);
// The same for every queue of the context.
cl_int tf_queue_finish_all(struct tf_err *err, cl_context ctx) TF_EXCLUDES(&ctx->lock);

cl_int tf_queue_get_info(struct tf_err *err, cl_command_queue q,
                         cl_command_queue_info param, size_t size, void *value,
                         size_t *size_ret);

#endif // TF_CORE_SCHEDULE_QUEUE_H
