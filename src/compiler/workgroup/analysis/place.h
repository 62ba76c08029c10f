// SPDX-License-Identifier: MIT
// Addresses as a root, indices with factors, and a constant: what two accesses of memory
// have to do with each other.
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_PLACE_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_PLACE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

enum { TF_PLACE_TERMS = 6 };

struct tf_place {
    LLVMValueRef root; // a pointer
    struct tf_place_term {
        LLVMValueRef index;
        LLVMOpcode extension; // LLVMSExt, LLVMZExt: of the index to 64 bits; or 0
        int64_t factor;       // bytes
    } terms[TF_PLACE_TERMS];
    unsigned count;
    int64_t offset_bytes;
    bool full; // while it is made: too many terms
};

// Sums are modulo 2^64. Indices count as numbers that do not wrap where the language says
// that they do not.
struct tf_place tf_place_of(LLVMTargetDataRef layout, LLVMValueRef pointer);

// True if both differ in offset_bytes alone.
bool tf_place_same_base(const struct tf_place *a, const struct tf_place *b);

// True if two accesses (loads or stores, at these places) cannot touch the same bytes, in
// whatever lanes, because of what their pointers point to: other address spaces, other
// variables, or because the program says so (`restrict`).
bool tf_place_apart(LLVMValueRef a, const struct tf_place *at_a, LLVMValueRef b,
                    const struct tf_place *at_b);

// By how many bytes the place goes on from round to round of a loop that is this block
// alone; 0: it stays, or it is not known that the step is always the same.
int64_t tf_place_step(LLVMTargetDataRef layout, LLVMValueRef pointer,
                      LLVMBasicBlockRef loop);

// Whether the rounds of a loop that is this block alone have nothing to do with each
// other and store along a row, of each work-item its own: LLVM makes vectors of these
// rounds.
bool tf_place_rounds_are_apart(LLVMTargetDataRef layout, LLVMBasicBlockRef loop);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_PLACE_H
