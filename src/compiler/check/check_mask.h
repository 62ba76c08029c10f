// SPDX-License-Identifier: MIT
// Beside each value a mask: a bit for each element of a vector that nobody has made, one
// for any other value. What has no mask is whole.
#ifndef TF_COMPILER_CHECK_CHECK_MASK_H
#define TF_COMPILER_CHECK_CHECK_MASK_H

#include <stdbool.h>
#include <stddef.h>

#include "compiler/check/checks.h"

// Of variables of one value the variable that holds its mask, of values their masks.
struct tf_check_entry {
    LLVMValueRef key, value;
};
struct tf_check_masks {
    struct tf_checks *c;
    struct tf_check_entry *map; // owned
    size_t room, count;         // a power of two
    LLVMValueRef at;            // masks are computed before this instruction
};

void tf_check_masks_put(struct tf_check_masks *m, LLVMValueRef key, LLVMValueRef value);
LLVMValueRef tf_check_masks_get(const struct tf_check_masks *m, LLVMValueRef key);
void tf_check_masks_finish(struct tf_check_masks *m);

// Elements that a mask of the type has bits for; 0: there are no masks of such values.
unsigned tf_check_elements(LLVMTypeRef type);
// Bytes of one of them in memory.
uint64_t tf_check_element_bytes(const struct tf_checks *c, LLVMTypeRef type);
// All of them.
LLVMValueRef tf_check_whole_mask(const struct tf_checks *c, LLVMTypeRef type);

// The mask of `value` before `instruction`, computed there. NULL: it is whole.
LLVMValueRef tf_check_mask_before(struct tf_check_masks *m, LLVMValueRef instruction,
                                  LLVMValueRef value);

#endif // TF_COMPILER_CHECK_CHECK_MASK_H
