// SPDX-License-Identifier: MIT
// Kernel objects: a kernel function of a program with values for its arguments. A kernel
// keeps the code it was made from, and keeps its program from being built again.
//
// Two threads may use two kernels at a time, not one (OpenCL 3.1 §A.2): no lock.
#ifndef TF_CORE_PROGRAM_KERNEL_H
#define TF_CORE_PROGRAM_KERNEL_H

#include "core/object/object.h"
#include "core/program/built.h"
#include "core/program/kernel_arg.h"
#include "core/program/program.h"

// The kernel on one device of the program.
struct tf_kernel_device {
    struct tf_built *built; // owned reference; NULL: no executable for this device
    uint32_t index;         // into built->kernels
};

struct _cl_kernel {
    struct tf_object obj;
    cl_program program;                // owned reference
    const struct tf_kernel_info *info; // of the first device that has it; all are alike
    struct tf_kernel_device *devices;  // one per device of the program
    struct tf_kernel_arg *args;        // info->arg_count
    unsigned object_max;               // arguments that may be memory objects
    unsigned queue_max;                // arguments that are queues on the device
    bool is_concurrent;                // its work-groups are to run at the same time
    unsigned char *block; // values of TF_ARG_VALUE arguments, laid out as in the block
};

// CL_INVALID_PROGRAM_EXECUTABLE, CL_INVALID_KERNEL_NAME, CL_INVALID_KERNEL_DEFINITION
// (the devices' kernels of that name differ), CL_OUT_OF_HOST_MEMORY.
cl_int tf_kernel_create(struct tf_err *err, cl_program prog, const char *name,
                        cl_kernel *out);

// Every kernel of the program that is alike on all devices: *count is their number; if
// out is not NULL it has room for `room` and is filled. CL_INVALID_PROGRAM_EXECUTABLE,
// CL_INVALID_VALUE when there is too little room, CL_OUT_OF_HOST_MEMORY.
cl_int tf_kernel_create_all(struct tf_err *err, cl_program prog, cl_uint room,
                            cl_kernel *out, cl_uint *count);

// A kernel with the same argument values.
cl_int tf_kernel_clone(struct tf_err *err, cl_kernel kernel, cl_kernel *out);

// The kernel on `device`; NULL if there is no executable for it. Borrowed.
const struct tf_kernel_device *tf_kernel_on(cl_kernel kernel, cl_device_id device);

// Its entry in the table of that device.
static inline const struct tf_kernel_info *tf_kernel_device_info(
    const struct tf_kernel_device *on)
{
    return &on->built->kernels[on->index];
}

#endif // TF_CORE_PROGRAM_KERNEL_H
