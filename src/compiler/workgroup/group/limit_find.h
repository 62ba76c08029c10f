// SPDX-License-Identifier: MIT
// Guards at the start of a kernel: `if (get_global_id(0) < n)`, behind which alone
// something is done that could be noticed. Work-items above the limit need not run.
#ifndef TF_COMPILER_WORKGROUP_GROUP_LIMIT_FIND_H
#define TF_COMPILER_WORKGROUP_GROUP_LIMIT_FIND_H

#include "compiler/workgroup/analysis/facts.h"

// An item has work only if its global id + add < bound (or <=, if inclusive).
struct tf_limit {
    LLVMValueRef bound; // an integer of the function, uniform or not
    int64_t add;        // of 32 bits
    unsigned dimension;
    bool with_sign; // how `bound` is compared
    bool inclusive;
};

enum { TF_MOST_LIMITS = 8 };

// Fills limits[] and says how many there are.
unsigned tf_limits_find(const struct tf_facts *f, struct tf_limit *limits);

#endif // TF_COMPILER_WORKGROUP_GROUP_LIMIT_FIND_H
