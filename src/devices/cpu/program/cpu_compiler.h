// SPDX-License-Identifier: MIT
// The kernel compiler as the CPU device uses it: the library is opened at the first need
// and stays open.
#ifndef TF_DEVICES_CPU_PROGRAM_CPU_COMPILER_H
#define TF_DEVICES_CPU_PROGRAM_CPU_COMPILER_H

#include <stdbool.h>
#include <stddef.h>

#include "abi/compiler.h"
#include "devices/cpu/loader/elf_build_id.h"

// True if the library is where it is looked for; it is not opened.
bool tf_cpu_compiler_found(void);

// Finds it at the first call: helper processes, else the library. NULL, with the reason
// in text, when there is none that fits or something is lacking to open it; the next call
// tries again. The table may be another one the next time.
const struct tf_compiler *tf_cpu_compiler(char *text, size_t text_bytes);

// The build of the library that tf_cpu_compiler() opens, without opening it. False: there
// is none, or it cannot be told.
bool tf_cpu_compiler_id(char id[TF_BUILD_ID_BYTES]);

// Tests only: this table is used instead of the library's.
void tf_cpu_compiler_override(const struct tf_compiler *table);

// Frame every call of the table's compile, link and generate. False when the compiler
// cannot be used any more: this process was forked while a thread of its parent compiled,
// whose locks nobody will release.
bool tf_cpu_compiler_enter(void);
void tf_cpu_compiler_leave(void);

// In a forked child.
void tf_cpu_compiler_forked(void);

#endif // TF_DEVICES_CPU_PROGRAM_CPU_COMPILER_H
