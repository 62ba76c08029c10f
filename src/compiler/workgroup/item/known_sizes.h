// SPDX-License-Identifier: MIT
// A variant for launches whose groups all have one size (struct tf_generate_in): what the
// item function asks of it is a constant.
#ifndef TF_COMPILER_WORKGROUP_ITEM_KNOWN_SIZES_H
#define TF_COMPILER_WORKGROUP_ITEM_KNOWN_SIZES_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct tf_wg;

// Whether the size of every group is known.
bool tf_knows_sizes(const struct tf_wg *wg);

// Replaces what the function, whose roots are parameters by now, loads of the size of its
// group, of its own and as enqueued.
void tf_known_sizes(struct tf_wg *wg, LLVMValueRef function);

#endif // TF_COMPILER_WORKGROUP_ITEM_KNOWN_SIZES_H
