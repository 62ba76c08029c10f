// SPDX-License-Identifier: MIT
// All memory of the device by address, where kernels are checked (TREFOIL_CHECK): without
// that nothing is ever listed.
#ifndef TF_DEVICES_CPU_MOVE_CPU_MEM_LIST_H
#define TF_DEVICES_CPU_MOVE_CPU_MEM_LIST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct tf_mem_entry;

// Checks that the environment asks for (enum tf_check_mode).
unsigned tf_mem_list_checks(void);

// Lists bytes > 0 at `data`; `is_own`: that no other memory overlaps. NULL: nothing is
// listed, or memory ran out.
struct tf_mem_entry *tf_mem_list_add(const void *data, size_t bytes, bool is_own);
void tf_mem_list_remove(struct tf_mem_entry *entry); // NULL is allowed

// With TF_CHECK_UNINITIALIZED: own memory begins unwritten. Other memory counts as
// written.
void tf_mem_list_written(const void *data, size_t bytes);
void tf_mem_list_forget(const void *data, size_t bytes); // that it was written
bool tf_mem_list_is_written(uint64_t address, uint64_t bytes);

// The memory that `address` lies in. False: none.
bool tf_mem_list_find(uintptr_t address, uintptr_t *start, size_t *bytes) TF_NODISCARD;

// In a forked child, to which no memory of the parent's is known, nor is given back.
void tf_mem_list_forked(void);

#endif // TF_DEVICES_CPU_MOVE_CPU_MEM_LIST_H
