// SPDX-License-Identifier: MIT
// One load or store of the program.
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_ACCESS_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_ACCESS_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

struct tf_access {
    LLVMValueRef instruction, pointer;
    LLVMTypeRef type, element; // of memory
    unsigned count;            // elements: 1 but for vectors
    uint64_t element_bytes;    // 0: elements do not fill their bytes
    unsigned align_bytes;
};

// Of a value of the type in memory; 0 of what has none.
uint64_t tf_size_bytes(LLVMTargetDataRef layout, LLVMTypeRef type);
// True for numbers and pointers, and vectors of them, that fill their bytes.
bool tf_has_plain_bytes(LLVMTargetDataRef layout, LLVMTypeRef type);

// Of a load or a store.
struct tf_access tf_access_of(LLVMTargetDataRef layout, LLVMValueRef instruction);
// The same bytes in the fewest elements: a processor gathers words of 32 and 64 bits,
// each of them at the same price. Elements past the first are aligned to themselves only.
struct tf_access tf_access_in_words(const struct tf_access *a);
uint64_t tf_access_bytes(const struct tf_access *a);
// Of memory that only the worker has which runs the group: local memory.
bool tf_access_is_local(const struct tf_access *a);
// Of global or constant memory.
bool tf_access_is_of_buffer(LLVMValueRef instruction);
// Volatile or atomic.
bool tf_access_is_ordered(LLVMValueRef instruction);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_ACCESS_H
