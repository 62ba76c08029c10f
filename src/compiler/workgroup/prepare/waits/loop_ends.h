// SPDX-License-Identifier: MIT
// What decides how long a loop goes on.
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

#endif // TF_COMPILER_WORKGROUP_PREPARE_WAITS_LOOP_ENDS_H
