// SPDX-License-Identifier: MIT
// Kernel arguments: what clSetKernelArg stores, and the argument block of a launch.
//
// A kernel holds no reference to its arguments (clSetKernelArg forbids it). It remembers
// a memory object by handle and generation; the enqueue looks whether that object still
// lives, and the command takes the reference.
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
    cl_mem mem; // TF_ARG_BUFFER, TF_ARG_PIPE; not owned; NULL: the address in the block
    uint32_t generation; // of mem when it was set
    size_t origin_bytes; // of mem: it may be gone when the launch looks
    size_t local_bytes;  // TF_ARG_LOCAL
    bool is_address;     // set by tf_kernel_arg_set_address()
};

// clSetKernelArg; `kernel` and `index` are checked. CL_INVALID_ARG_SIZE,
// CL_INVALID_ARG_VALUE, CL_INVALID_MEM_OBJECT, CL_INVALID_CONTEXT. A failure leaves the
// argument as it was.
cl_int tf_kernel_arg_set(struct tf_err *err, cl_kernel kernel, cl_uint index,
                         size_t size_bytes, const void *value);

// Makes `address`, as the device has it, the value of an argument of kind TF_ARG_BUFFER.
// It goes into the block as it is: nothing is looked up, no launch is the slower for it.
void tf_kernel_arg_set_address(cl_kernel kernel, cl_uint index, uint64_t address);

// True if the argument is set and, for a memory object, the object still lives. (It may
// have died by the time that tf_kernel_fill_block() takes it.)
bool tf_kernel_arg_usable(cl_kernel kernel, cl_uint index);

// Local memory of a group in bytes: static variables, then each local argument at the
// next multiple of 128. False on overflow.
bool tf_kernel_local_bytes(cl_kernel kernel, const struct tf_kernel_info *info,
                           uint64_t *bytes);

// Number of memory objects among the arguments.
size_t tf_kernel_mem_count(cl_kernel kernel);

// Where the arguments of a launch go.
struct tf_kernel_args_out {
    unsigned char *block; // info->arg_block_bytes
    struct tf_arg_patch *patches;
    cl_mem *mems; // the patches' objects: references for the caller
    size_t room;  // patches and mems: tf_kernel_mem_count()
    size_t count; // of those filled, also on failure
};

// Fills *out for a launch on `dev`, which has `info`; every argument has been found
// usable. CL_INVALID_KERNEL_ARGS when another thread has released one since.
cl_int tf_kernel_fill_block(struct tf_err *err, cl_kernel kernel, struct tf_device *dev,
                            const struct tf_kernel_info *info,
                            struct tf_kernel_args_out *out);

#endif // TF_CORE_PROGRAM_KERNEL_ARG_H
