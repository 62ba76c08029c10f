// SPDX-License-Identifier: MIT
// Programs as bytes: program binaries (slots program_save and program_load), and what the
// cache keeps of builds.
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_BLOB_H
#define TF_DEVICES_CPU_PROGRAM_CPU_BLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "core/platform/device_interface.h"

struct tf_devprog;

// With code of its kernels where it is an executable: all that is there, and what can be
// made within a budget (cpu_blob_code.c).
cl_int tf_cpu_blob_save(struct tf_err *err, struct tf_devprog *prog, void **blob,
                        size_t *bytes);
// CL_INVALID_BINARY when it is damaged, or lacks code for this process and was made by
// another build of the compiler.
cl_int tf_cpu_blob_load(struct tf_err *err, const void *blob, size_t bytes,
                        struct tf_devprog **out);

// Has code made for a binary, and waits for it: of all kernels if TREFOIL_BINARY_ISA is
// set, else of as many as half a second allows.
void tf_cpu_blob_make_code(struct tf_devprog *prog);

// As those above, but nothing is waited for or begun. `has_code`: optimized code of all
// kernels for this process, as far as it can be had.
cl_int tf_cpu_blob_write(struct tf_err *err, struct tf_devprog *prog, bool with_code,
                         void **blob, size_t *bytes);
cl_int tf_cpu_blob_read(struct tf_err *err, const void *blob, size_t bytes,
                        bool *has_code, struct tf_devprog **out);

#endif // TF_DEVICES_CPU_PROGRAM_CPU_BLOB_H
