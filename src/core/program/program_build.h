// SPDX-License-Identifier: MIT
// Building programs: clBuildProgram, clCompileProgram, clLinkProgram. With a notify
// function the work is done by a thread of its own, which calls it at the end; without,
// by the caller. No lock is held while a device builds.
#ifndef TF_CORE_PROGRAM_PROGRAM_BUILD_H
#define TF_CORE_PROGRAM_PROGRAM_BUILD_H

#include "core/program/program.h"

typedef void(CL_CALLBACK *tf_build_fn)(cl_program, void *);

// Arguments are checked; everything is copied or referenced, the arrays are the caller's.
struct tf_build_desc {
    const char *options;         // NULL means ""
    cl_uint device_count;        // 0: all of the program's
    const cl_device_id *devices; // devices of the program
    cl_uint header_count;        // compile only
    const cl_program *headers;
    const char **header_names;
    tf_build_fn notify; // NULL: wait
    void *notify_data;
};

// Source or binary -> executable. CL_INVALID_OPERATION while a build runs or kernels are
// attached; CL_INVALID_BINARY for a binary that is no executable; what program_build() of
// the device says; CL_OUT_OF_HOST_MEMORY. With a notify function the outcome of the build
// itself is told only by the build status.
cl_int tf_program_build(struct tf_err *err, cl_program prog,
                        const struct tf_build_desc *desc) TF_EXCLUDES(&prog->lock);

// Source -> compiled object. Errors as above.
cl_int tf_program_compile(struct tf_err *err, cl_program prog,
                          const struct tf_build_desc *desc) TF_EXCLUDES(&prog->lock);

struct tf_link_desc {
    const char *options;  // NULL means ""
    cl_uint device_count; // > 0
    const cl_device_id *devices;
    cl_uint input_count; // > 0
    const cl_program *inputs;
    tf_build_fn notify;
    void *notify_data;
};

// Compiled objects and libraries -> executable or library. *out becomes a program
// whenever the link could begin, also if it failed then (CL_LINK_PROGRAM_FAILURE); else
// NULL. CL_INVALID_OPERATION if for some device only a part of the inputs can be linked,
// or if nothing can for any.
cl_int tf_program_link(struct tf_err *err, cl_context ctx,
                       const struct tf_link_desc *desc, cl_program *out);

#endif // TF_CORE_PROGRAM_PROGRAM_BUILD_H
