// SPDX-License-Identifier: MIT
// The linker's build id of a shared library, read from its file.
#ifndef TF_DEVICES_CPU_LOADER_ELF_BUILD_ID_H
#define TF_DEVICES_CPU_LOADER_ELF_BUILD_ID_H

#include <stdbool.h>

enum { TF_BUILD_ID_BYTES = 64 };

// Two digits a byte. False, and "", when the file has none or cannot be read.
bool tf_elf_build_id(const char *path, char text[TF_BUILD_ID_BYTES]);

#endif // TF_DEVICES_CPU_LOADER_ELF_BUILD_ID_H
