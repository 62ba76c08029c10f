// SPDX-License-Identifier: MIT
// A program in the form of one device: what a build makes, or a loaded binary. It is
// counted on its own, so that kernels and commands in flight keep the code they use,
// whatever happens to the program object meanwhile.
#ifndef TF_CORE_PROGRAM_BUILT_H
#define TF_CORE_PROGRAM_BUILT_H

#include <stdatomic.h>

#include "core/platform/device_interface.h"

struct tf_err;

struct tf_built {
    atomic_uint refs;
    struct tf_device *dev;   // of the root device: its sub-devices run the same
    struct tf_devprog *prog; // owned
    cl_uint type;            // CL_PROGRAM_BINARY_TYPE_*
    size_t variable_bytes;   // of program scope
    bool has_constructors, has_destructors; // of those
    const struct tf_kernel_info
        *kernels; // borrowed from prog; sorted as the device likes
    size_t kernel_count;
    _Atomic(struct tf_built_binary *)
        binary; // owned; made at the first query, then fixed
};

// The container of program_binary.h for one tf_built.
struct tf_built_binary {
    size_t bytes;
    unsigned char data[];
};

// Takes over `prog` (given, also on failure). NULL and err set when memory ran out or the
// kernel table is not consistent (CL_INVALID_BINARY).
struct tf_built *tf_built_new(struct tf_err *err, struct tf_device *dev,
                              struct tf_devprog *prog) TF_NODISCARD;
struct tf_built *tf_built_ref(struct tf_built *built); // NULL is allowed
void tf_built_unref(struct tf_built *built);           // NULL is allowed; no lock held
// Borrowed, valid while `built` lives. NULL and err set on failure. No lock may be held.
const struct tf_built_binary *tf_built_get_binary(struct tf_err *err,
                                                  struct tf_built *built);
// Index of the kernel, or kernel_count.
size_t tf_built_find(const struct tf_built *built, const char *kernel_name);

#endif // TF_CORE_PROGRAM_BUILT_H
