// SPDX-License-Identifier: MIT
// The container of program binaries: what CL_PROGRAM_BINARIES hands out and
// clCreateProgramWithBinary takes back. Its layout is specified in doc/programs.md. Input
// is never trusted: every length and offset is checked, and a checksum covers all bytes.
#ifndef TF_CORE_PROGRAM_PROGRAM_BINARY_H
#define TF_CORE_PROGRAM_PROGRAM_BINARY_H

#include <stddef.h>

#include <CL/cl.h>

#include "base/attr.h"

struct tf_err;

struct tf_program_binary {
    cl_uint type;     // CL_PROGRAM_BINARY_TYPE_*: compiled object, library or executable
    const void *blob; // what the device's program_save() made
    size_t blob_bytes;
};

// The container round one blob, owned by the caller (tf_free); NULL when memory ran out.
void *tf_program_binary_write(const struct tf_program_binary *in,
                              size_t *bytes_out) TF_NODISCARD;

// Reads a container of any alignment; out->blob points into `data`. CL_INVALID_BINARY
// when it is damaged, of another version or made for another family of processors.
cl_int tf_program_binary_read(struct tf_err *err, const void *data, size_t bytes,
                              struct tf_program_binary *out);

#endif // TF_CORE_PROGRAM_PROGRAM_BINARY_H
