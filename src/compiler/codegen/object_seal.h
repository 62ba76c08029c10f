// SPDX-License-Identifier: MIT
// A look at a finished object before anyone stores it: what the loader would refuse at
// the first enqueue is found here, while there is a build log to say it in.
#ifndef TF_COMPILER_CODEGEN_OBJECT_SEAL_H
#define TF_COMPILER_CODEGEN_OBJECT_SEAL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

// True if the relocatable 64-bit ELF object names only symbols of kernel_symbols.def and
// has no writable or thread-local data. Sections .data.rel.ro lose their write flag: the
// loader relocates before it protects. Otherwise false, with the fault in `log`.
bool tf_object_seal(void *object, size_t bytes, struct tf_str *log);

#endif // TF_COMPILER_CODEGEN_OBJECT_SEAL_H
