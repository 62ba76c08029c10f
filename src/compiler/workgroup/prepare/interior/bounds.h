// SPDX-License-Identifier: MIT
// Tests whether a work-item's neighbours lie inside: `x - 2 >= 0`, `y + dy < height`,
// `clamp(x + 1, 0, width - 1)`. All of one function together: where its ids lie if all of
// these find what they find in the interior.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_INTERIOR_BOUNDS_H
#define TF_COMPILER_WORKGROUP_PREPARE_INTERIOR_BOUNDS_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "compiler/workgroup/analysis/cfg.h"

enum {
    TF_MOST_POSITIONS = 4,
    TF_MOST_LIMITS = 8, // of a position, that only the run knows
};

// base >= bound + offset, or base <= bound + offset, in numbers that do not wrap.
struct tf_limit {
    LLVMValueRef bound;
    bool is_least, with_sign;
    int64_t offset;
};

// What tests are about but for constants: 32 bits, made of ids, read as a signed number.
struct tf_position {
    LLVMValueRef base;
    int64_t least, most;
    struct tf_limit limits[TF_MOST_LIMITS];
    unsigned limit_count, test_count;
};

// An instruction, and what it makes in the interior: true or false, or its operand `at`.
struct tf_bound_test {
    LLVMValueRef instruction;
    bool is_true;
    int at; // -1: a truth
};

struct tf_bounds {
    const struct tf_cfg *cfg;
    unsigned root; // block: tests are behind it, and positions known at its start
    struct tf_position positions[TF_MOST_POSITIONS];
    unsigned position_count;
    struct tf_bound_test *tests;
    unsigned test_count;
    struct tf_map is_test; // instruction -> its number
};

// Finds the tests in `root` and what it dominates.
void tf_bounds_find(struct tf_bounds *b, const struct tf_cfg *cfg, unsigned root);
// Whether the value is known at the end of `root`'s phis, or can be made there of what
// is.
bool tf_bounds_is_early(const struct tf_bounds *b, LLVMValueRef value);

#endif // TF_COMPILER_WORKGROUP_PREPARE_INTERIOR_BOUNDS_H
