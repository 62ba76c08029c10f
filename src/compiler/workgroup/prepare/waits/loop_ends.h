// SPDX-License-Identifier: MIT
// What decides how long a loop goes on, and what tells in it of others.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_WAITS_LOOP_ENDS_H
#define TF_COMPILER_WORKGROUP_PREPARE_WAITS_LOOP_ENDS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "compiler/workgroup/analysis/cfg.h"

enum tf_end_answer {
    TF_END_NO,       // the value does not count, nor what it is made of
    TF_END_YES,      // it is what is asked for
    TF_END_OPERANDS, // only what it is made of may be
    TF_END_WAYS,     // the same, or what decides about the ways that are taken
};

// What is asked of values in the loop, each once. Of phis it is asked no more than of
// others: that they say which way was taken, where they do, is known.
struct tf_end_question {
    const struct tf_cfg *cfg;
    unsigned loop;
    enum tf_end_answer (*of)(const struct tf_end_question *question, LLVMValueRef value);
};

// Whether a value that decides about a way out of the loop is, or depends on, one that
// is asked for; of a loop without an end, true.
bool tf_loop_end_depends(const struct tf_end_question *question);

// An atomic operation that reads and writes.
bool tf_is_change(LLVMValueRef instruction);
// Reads what others may write meanwhile, atomically or as `volatile`, numbers or whole
// structures.
bool tf_watches(LLVMValueRef instruction);
// Copies from memory to memory.
bool tf_is_copy(LLVMValueRef instruction);

// Whether a loop of the function is one that `may_wait`, if any of its instructions could
// be what is waited for; where its loops are not known, or too many, true.
bool tf_any_loop_waits(LLVMValueRef fn, bool (*could_be)(LLVMValueRef instruction),
                       bool (*may_wait)(const struct tf_cfg *cfg, unsigned loop));

#endif // TF_COMPILER_WORKGROUP_PREPARE_WAITS_LOOP_ENDS_H
