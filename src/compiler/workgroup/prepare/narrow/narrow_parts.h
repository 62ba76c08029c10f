// SPDX-License-Identifier: MIT
// Between the files of the pass.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_NARROW_NARROW_PARTS_H
#define TF_COMPILER_WORKGROUP_PREPARE_NARROW_NARROW_PARTS_H

#include <stdbool.h>

#include <llvm-c/Core.h>

#include "compiler/workgroup/analysis/facts.h"
#include "compiler/workgroup/prepare/narrow/interval.h"

enum tf_narrow_role {
    TF_NARROW_OTHER,
    TF_NARROW_LEAF,       // an extension of 16 bits or fewer
    TF_NARROW_OPERATION,  // a result that 16 bits hold
    TF_NARROW_COMPARISON, // of such, for choices between narrow numbers alone
};

struct tf_narrow_value {
    struct tf_interval range;
    enum tf_narrow_role role;
    unsigned tree;     // another value of the same component, or itself: its root
    int64_t gain;      // of a root: operations on registers that are saved
    int64_t loss;      // and those that widen results again
    LLVMValueRef made; // in 16 bits
};

struct tf_narrow {
    const struct tf_facts *facts;
    const struct tf_shapes *shapes;
    struct tf_narrow_value *values; // as those of `shapes`
    LLVMBuilderRef b;
};

// NULL for what is no instruction of the function.
struct tf_narrow_value *tf_narrow_value(const struct tf_narrow *n, LLVMValueRef value);
struct tf_interval tf_narrow_range(const struct tf_narrow *n, LLVMValueRef value);
// Its operands that are numbers: they begin there, and are so many.
unsigned tf_narrow_first(LLVMValueRef instruction);
unsigned tf_narrow_count(LLVMValueRef instruction);
// Whether the value, a result, is cut to 16 bits or fewer by `user`.
bool tf_narrow_is_cut(LLVMValueRef user);
// Whether the numbers that a result is made of fit with their signs: else without any.
bool tf_narrow_has_sign(const struct tf_narrow *n, LLVMValueRef instruction);
// Whether it belongs to a component that pays.
bool tf_narrow_pays(const struct tf_narrow *n, unsigned value);
bool tf_narrow_is_operation(const struct tf_narrow_value *v);

// Writes those that pay.
void tf_narrow_emit(struct tf_narrow *n);

#endif // TF_COMPILER_WORKGROUP_PREPARE_NARROW_NARROW_PARTS_H
