// SPDX-License-Identifier: MIT
// The costs of processor families, as tools/measure_costs.py measures them.
#ifndef TF_COMPILER_WORKGROUP_TARGET_COSTS_H
#define TF_COMPILER_WORKGROUP_TARGET_COSTS_H

#include "compiler/workgroup/target/target.h"

struct tf_family {
    const char *name;
    const char *models[8]; // LLVM's names of its processors; NULL ends them
    unsigned store_bits;   // of a store that goes out in one piece
    unsigned unseen_bits;  // tf_target.unseen_bytes, and of which registers; 0: none
    struct tf_costs costs;
};

// Never NULL: there is a family for all that are not known.
const struct tf_family *tf_family_of(const char *model);

#endif // TF_COMPILER_WORKGROUP_TARGET_COSTS_H
