// SPDX-License-Identifier: MIT
// TREFOIL_PERF=jitdump: names, bytes and lines of generated code in /tmp/jit-PID.dump, of
// which `perf inject --jit` makes objects that `perf annotate` reads.
#ifndef TF_DEVICES_CPU_LOADER_JIT_DUMP_H
#define TF_DEVICES_CPU_LOADER_JIT_DUMP_H

#include <stdbool.h>
#include <stddef.h>

#include "devices/cpu/loader/line_table.h"

bool tf_jit_dump_on(void);
// A function as it lies in memory, shown as `name`, and the lines of it that are known. A
// file that cannot be had, or is not this user's, ends it; nothing else fails.
void tf_jit_dump_code(const void *code, size_t bytes, const char *name,
                      const struct tf_code_lines *lines);
// In a forked child, which begins a file of its own.
void tf_jit_dump_forked(void);

#endif // TF_DEVICES_CPU_LOADER_JIT_DUMP_H
