// SPDX-License-Identifier: MIT
// A look at a finished object before anyone stores it: what the loader would refuse at
// the first enqueue is found here, while there is a build log to say it in.
#ifndef TF_DEVICES_CPU_CODEGEN_OBJECT_CHECK_H
#define TF_DEVICES_CPU_CODEGEN_OBJECT_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

// True if the relocatable 64-bit ELF object names only symbols of kernel_symbols.def and
// has no writable or thread-local section besides .data.rel.ro. Otherwise the fault is in
// `log`.
bool tf_object_check(const void *object, size_t bytes, struct tf_str *log);

#endif // TF_DEVICES_CPU_CODEGEN_OBJECT_CHECK_H
