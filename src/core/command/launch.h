// SPDX-License-Identifier: MIT
// NDRange kernels and tasks (OpenCL 3.1 §5.10). The check of a launch takes what the
// launch needs; the enqueue has nothing left that could be gone or fail.
#ifndef TF_CORE_COMMAND_LAUNCH_H
#define TF_CORE_COMMAND_LAUNCH_H

#include "core/command/enqueue.h"
#include "core/command/ndrange.h"
#include "core/program/kernel.h"

struct tf_launch {
    const struct tf_kernel_device *on; // borrowed from the kernel
    struct tf_ndrange range;
    struct tf_kernel_args args; // block, patches, objects: in the event
    cl_event ev;                // owned
    struct tf_devqueue
        *default_queue; // on the device; NULL: none, or it is not asked for
    bool lacks_args;    // not all are set; only where at->recorder allows that
    bool is_concurrent; // all groups at the same time
};

// Fills *out for `kernel`, of the context of at->queue, with the arguments that it has
// now and references on their objects, in the index space `desc`. `type` is
// CL_COMMAND_NDRANGE_KERNEL or CL_COMMAND_TASK. CL_INVALID_PROGRAM_EXECUTABLE; errors of
// tf_kernel_take_args() and tf_ndrange_resolve(); CL_OUT_OF_HOST_MEMORY. On failure
// nothing is taken.
cl_int tf_launch_take(struct tf_err *err, const struct tf_enqueue *at,
                      cl_command_type type, cl_kernel kernel,
                      const struct tf_ndrange_desc *desc, struct tf_launch *out);

// Groups of a kernel that a queue runs at the same time, at most (max_concurrent_groups);
// 0: its device does not.
size_t tf_launch_most_groups(cl_command_queue queue, const struct tf_kernel_info *info);

// Queues on the device that a launch of `kernel` in a queue on `device` may use: those
// that are arguments, whose addresses go into the block, and the default one. They live
// as long as the references, which stand behind the `*count` objects then, whatever
// becomes of their handles; there is room for tf_launch_queues(). CL_INVALID_KERNEL_ARGS.
cl_int tf_launch_take_queues(struct tf_err *err, cl_device_id device, cl_kernel kernel,
                             const struct tf_kernel_info *info, unsigned char *block,
                             void **objects, unsigned *count,
                             struct tf_devqueue **default_queue);
// As many as they are at most; 0: the kernel has nothing to do with such queues.
unsigned tf_launch_queues(cl_kernel kernel, const struct tf_kernel_info *info);

// Enqueues it (given) on at->queue; the kernel still lives. Cannot fail.
void tf_launch_enqueue(const struct tf_enqueue *at, struct tf_launch *launch);

// Hands it (given) to at->recorder, instead; also an empty range becomes a kernel
// command. The program lives as long as the kernel: the caller keeps that one.
cl_int tf_launch_record(struct tf_err *err, const struct tf_enqueue *at,
                        struct tf_launch *launch);

// Bytes of an event's extra memory that a launch takes: argument block and patches.
size_t tf_launch_extra_bytes(cl_kernel kernel, const struct tf_kernel_info *info);

// Gives it up instead.
void tf_launch_drop(struct tf_launch *launch);

#endif // TF_CORE_COMMAND_LAUNCH_H
