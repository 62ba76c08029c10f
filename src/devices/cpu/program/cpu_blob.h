// SPDX-License-Identifier: MIT
// Programs as bytes: program binaries (slots program_save and program_load), and what the
// cache keeps of builds.
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_BLOB_H
#define TF_DEVICES_CPU_PROGRAM_CPU_BLOB_H

#include <stdbool.h>
#include <stddef.h>

#include "core/platform/device_interface.h"

struct tf_devprog;

// With the code of all kernels, waited for, where it is an executable.
cl_int tf_cpu_blob_save(struct tf_err *err, struct tf_devprog *prog, void **blob,
                        size_t *bytes);
// CL_INVALID_BINARY when it is damaged, or has no code for this process and was made by
// another build of the compiler. Code that it lacks is made in the background.
cl_int tf_cpu_blob_load(struct tf_err *err, const void *blob, size_t bytes,
                        struct tf_devprog **out);

// The same, but nothing is waited for or begun.
cl_int tf_cpu_blob_write(struct tf_err *err, struct tf_devprog *prog, bool with_code,
                         void **blob, size_t *bytes);
cl_int tf_cpu_blob_read(struct tf_err *err, const void *blob, size_t bytes,
                        bool *has_code, struct tf_devprog **out);

#endif // TF_DEVICES_CPU_PROGRAM_CPU_BLOB_H
