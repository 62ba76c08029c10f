// SPDX-License-Identifier: MIT
// What core has to know of SPIR-V and SPIR: whether bytes are a module at all, and which
// specialization constants it has. What is in its functions is the device's to read.
#ifndef TF_CORE_PROGRAM_IL_H
#define TF_CORE_PROGRAM_IL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

struct tf_err;

// CL_INVALID_VALUE unless the bytes are a SPIR-V module of a version up to 1.6, in either
// order of bytes, whose instructions are whole. The words may have any alignment.
cl_int tf_il_check(struct tf_err *err, const void *data, size_t bytes);

// Whether the bytes begin as LLVM's bitcode does, which SPIR is.
bool tf_il_is_bitcode(const void *data, size_t bytes);

struct tf_il_constant {
    uint32_t bytes; // of the value that clSetProgramSpecializationConstant takes
    bool is_bool;   // one byte; anything but 0 is true
};

// Describes the constant with that SpecId of a checked module; false if it has none.
bool tf_il_find_constant(const void *data, size_t bytes, uint32_t spec_id,
                         struct tf_il_constant *out);

#endif // TF_CORE_PROGRAM_IL_H
