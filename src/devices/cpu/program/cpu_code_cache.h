// SPDX-License-Identifier: MIT
// Code of kernels in the cache on disk, under all that it depends on.
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_CODE_CACHE_H
#define TF_DEVICES_CPU_PROGRAM_CPU_CODE_CACHE_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "base/str.h"
#include "devices/cpu/program/cpu_generate.h"

struct tf_devprog;

// As tf_cpu_generate(), but takes the code from the cache where it is there, and puts it
// there where it is not. With `report` it is made anew: that is what the compiler says
// while it works.
bool tf_cpu_code_cache_make(const struct tf_devprog *prog, size_t index,
                            const struct tf_cpu_wanted *wanted, bool report,
                            struct tf_cpu_code *code, struct tf_str *log) TF_NODISCARD;
// Only from the cache.
bool tf_cpu_code_cache_find(const struct tf_devprog *prog, size_t index,
                            const struct tf_cpu_wanted *wanted, struct tf_cpu_code *code);

#endif // TF_DEVICES_CPU_PROGRAM_CPU_CODE_CACHE_H
