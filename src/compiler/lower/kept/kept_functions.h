// SPDX-License-Identifier: MIT
// Kept functions: those that kernels call in the end, too. Everything is inlined where
// that is possible; a kernel of a hundred functions, each of which calls two others of
// the hundred, would not fit into any memory. What such kernels call from several places
// stays a function (doc/decisions/042).
#ifndef TF_COMPILER_LOWER_KEPT_KEPT_FUNCTIONS_H
#define TF_COMPILER_LOWER_KEPT_KEPT_FUNCTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "base/attr.h"

struct tf_call_graph;

enum { TF_KEPT_MOST_PARAMS = 200 }; // that one has

// Marks the functions that stay, where `graph` has larger kernels, and sets what it says
// of `inlined` accordingly: a call of one counts as one instruction. Behind the linking
// of the library. False: memory ran out.
bool tf_kept_functions_mark(LLVMModuleRef module,
                            struct tf_call_graph *graph) TF_NODISCARD;
bool tf_kept_function(LLVMValueRef function);
// Whether the kernel, the only one of its module, keeps functions: if not, those that
// were kept for others are to be inlined as any other. False: memory ran out.
bool tf_kept_functions_settle(LLVMValueRef kernel, bool *keeps) TF_NODISCARD;

// The kept functions that `function` calls, itself or by way of others: *list, given to
// the caller (tf_free). NULL where there are none. False: memory ran out.
bool tf_kept_functions_of(LLVMValueRef function, LLVMValueRef **list,
                          size_t *count) TF_NODISCARD;

#endif // TF_COMPILER_LOWER_KEPT_KEPT_FUNCTIONS_H
