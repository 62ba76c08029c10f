// SPDX-License-Identifier: MIT
// Code of a kernel as bytes: a record and the object, in program binaries and in the
// cache.
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_RECORD_H
#define TF_DEVICES_CPU_PROGRAM_CPU_RECORD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/compiler.h"
#include "devices/cpu/program/cpu_generate.h"

struct tf_cpu_record {
    uint64_t object_bytes; // 0: no code
    uint64_t stack_bytes;
    uint64_t form;
    uint64_t scratch_fixed_bytes, scratch_gang_bytes, scratch_width;
    uint32_t fiber_row_width, fiber_width;
    struct tf_fit fit;
};

// NULL: no code.
struct tf_cpu_record tf_cpu_record_of(const struct tf_cpu_code *code);
// Fills all of *code but the object. False: it cannot be a record of code.
bool tf_cpu_record_read(const struct tf_cpu_record *record, struct tf_cpu_code *code);

#endif // TF_DEVICES_CPU_PROGRAM_CPU_RECORD_H
