// SPDX-License-Identifier: MIT
// What debuggers are told of code in memory: GDB's interface for just-in-time compilers,
// which LLDB knows as well. Objects without debug information are not told.
// @src GDB manual, "JIT Compilation Interface".
#ifndef TF_DEVICES_CPU_LOADER_JIT_INTERFACE_H
#define TF_DEVICES_CPU_LOADER_JIT_INTERFACE_H

#include <stddef.h>

struct tf_jit_entry;

// A copy of the ELF object's bytes, whose section headers say where each section was
// loaded. Given; NULL where there is no memory for it, which only debuggers notice.
struct tf_jit_entry *tf_jit_register(void *object, size_t bytes);
// Before the code is unmapped; NULL is allowed.
void tf_jit_unregister(struct tf_jit_entry *entry);
// In a forked child.
void tf_jit_forked(void);

#endif // TF_DEVICES_CPU_LOADER_JIT_INTERFACE_H
