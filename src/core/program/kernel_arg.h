// SPDX-License-Identifier: MIT
// Kernel arguments: what clSetKernelArg stores, and the argument block of a launch.
//
// A kernel holds no reference to its arguments (clSetKernelArg forbids it). It remembers
// a memory object by handle and generation; the check of a launch takes a reference if
// that object still lives, and the command keeps it. Of an image the block has the
// descriptor by value, of a sampler its settings: these are taken when they are set.
#ifndef TF_CORE_PROGRAM_KERNEL_ARG_H
#define TF_CORE_PROGRAM_KERNEL_ARG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

#include "core/platform/device_interface.h"

struct tf_err;

struct tf_kernel_arg {
    bool set;
    // TF_ARG_BUFFER, TF_ARG_PIPE, TF_ARG_IMAGE: not owned; NULL: the address in the block
    cl_mem mem;
    cl_command_queue queue; // TF_ARG_QUEUE: not owned
    uint32_t generation;    // of mem or queue when it was set
    size_t local_bytes;     // TF_ARG_LOCAL
    bool is_address;        // set by tf_kernel_arg_set_address()
};

// clSetKernelArg; `kernel` and `index` are checked. CL_INVALID_ARG_SIZE,
// CL_INVALID_ARG_VALUE, CL_INVALID_MEM_OBJECT, CL_INVALID_SAMPLER,
// CL_INVALID_DEVICE_QUEUE, CL_INVALID_CONTEXT. A failure leaves the argument as it was.
cl_int tf_kernel_arg_set(struct tf_err *err, cl_kernel kernel, cl_uint index,
                         size_t size_bytes, const void *value);

// The same; where the argument is of kind TF_ARG_BUFFER and has an object now, that has
// one reference more, the caller's. Not if it is `held`, on which the caller has one.
cl_int tf_kernel_arg_set_held(struct tf_err *err, cl_kernel kernel, cl_uint index,
                              size_t size_bytes, const void *value, cl_mem held);

// Makes `address`, as the device has it, the value of an argument of kind TF_ARG_BUFFER.
// It goes into the block as it is: nothing is looked up, no launch is the slower for it.
void tf_kernel_arg_set_address(cl_kernel kernel, cl_uint index, uint64_t address);

// False if the argument is not set, or its memory object has died. Else the object, if
// there is one, has one reference more.
bool tf_kernel_arg_take(const struct tf_kernel_arg *arg) TF_NODISCARD;

// Puts the queues on the device that the kernel's arguments are into the block, and
// references on them behind the `*count` objects, where there is room for
// kernel->queue_max. CL_INVALID_KERNEL_ARGS; what was taken until then stays taken.
cl_int tf_kernel_take_queues(struct tf_err *err, cl_kernel kernel,
                             const struct tf_kernel_info *info, unsigned char *block,
                             void **objects, unsigned *count);

// Local memory of a group in bytes: static variables, then each local argument at the
// next multiple of 128. False on overflow.
bool tf_kernel_local_bytes(cl_kernel kernel, const struct tf_kernel_info *info,
                           uint64_t *bytes);

// The arguments of a launch.
struct tf_kernel_args {
    unsigned char *block;         // info->arg_block_bytes; NULL without arguments
    struct tf_arg_patch *patches; // room for kernel->object_max
    void **objects;               // the patches' objects; as much room
    unsigned count;               // of those filled, also on failure
    uint64_t local_bytes;         // of a group: variables and arguments
};

// Fills *out for a launch on `dev`, which has `info`, in one walk: values and addresses
// into the block, memory objects with references for the caller. CL_INVALID_KERNEL_ARGS
// (not set, or released since), CL_MISALIGNED_SUB_BUFFER_OFFSET, CL_INVALID_OPERATION
// (an address, and the device has no SVM), CL_OUT_OF_RESOURCES (local memory),
// CL_INVALID_IMAGE_SIZE and CL_IMAGE_FORMAT_NOT_SUPPORTED (images).
cl_int tf_kernel_take_args(struct tf_err *err, cl_kernel kernel, struct tf_device *dev,
                           const struct tf_kernel_info *info, struct tf_kernel_args *out);

#endif // TF_CORE_PROGRAM_KERNEL_ARG_H
