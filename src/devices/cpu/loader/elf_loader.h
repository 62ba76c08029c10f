// SPDX-License-Identifier: MIT
// Loads a relocatable ELF object of our code generator into memory. The bytes may come
// from a program binary: nothing in them is trusted. Code and data are mapped writable
// while they are put together, then read-only or executable, never both writable and
// executable. What a kernel may call outside its own object is a fixed table:
// kernel_symbols.def.
#ifndef TF_DEVICES_CPU_LOADER_ELF_LOADER_H
#define TF_DEVICES_CPU_LOADER_ELF_LOADER_H

#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"

struct tf_jit_entry;

struct tf_elf_image {
    void *map; // NULL: nothing loaded
    size_t map_bytes;
    void *entry;
    struct tf_jit_entry *debugger; // what debuggers were told, or NULL
    bool system_refused; // after a failure: there was no memory, the object may be right
};

// Loads `object` and finds the function `entry_name` in it. On failure returns false,
// fills `text` with the reason (with the name of the symbol, where one is at fault) and
// leaves *out empty but for system_refused. The object's bytes are not needed afterwards.
bool tf_elf_load(struct tf_elf_image *out, const void *object, size_t bytes,
                 const char *entry_name, char *text, size_t text_bytes) TF_NODISCARD;

// Unmaps; an empty image is allowed. No thread may run in it.
void tf_elf_unload(struct tf_elf_image *image);

// Address of an outside function that kernels may name, or NULL.
const void *tf_kernel_symbol(const char *name);

#endif // TF_DEVICES_CPU_LOADER_ELF_LOADER_H
