// SPDX-License-Identifier: MIT
// Stacks for kernels and fibers: mapped memory in size classes with a guard page at the
// low end, kept in a bounded cache when given back. Safe from any thread.
#ifndef TF_DEVICES_CPU_FIBER_CPU_STACK_H
#define TF_DEVICES_CPU_FIBER_CPU_STACK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/attr.h"

struct tf_stack {
    char *low; // lowest usable byte; NULL: no stack
    size_t bytes;
    bool guarded;    // a page below `low` faults
    uint64_t number; // valgrind's
};

// A stack of at least `bytes` usable bytes. False, and *out empty, when the system has
// none or `bytes` is beyond any sense.
bool tf_stack_take(struct tf_stack *out, size_t bytes) TF_NODISCARD;
// An empty stack is allowed. The stack must hold no live frame.
void tf_stack_give(struct tf_stack *stack);

// Size that tf_stack_take() would give for `bytes`; 0 when none.
size_t tf_stack_class_bytes(size_t bytes);

// In a forked child.
void tf_stack_forked(void);

#endif // TF_DEVICES_CPU_FIBER_CPU_STACK_H
