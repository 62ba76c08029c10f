// SPDX-License-Identifier: MIT
// A loop that may become several (distribute.h), and which of them makes which sums.
// Private to this folder.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_DISTRIBUTE_PARTS_H
#define TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_DISTRIBUTE_PARTS_H

#include "compiler/workgroup/analysis/facts.h"
#include "compiler/workgroup/target/target.h"

enum {
    TF_LOOP_MOST_VALUES = 1024,
    TF_LOOP_MOST_SUMS = 128,
    TF_LOOP_MOST_PARTS = 16,
    TF_LOOP_SET_WORDS = TF_LOOP_MOST_VALUES / 64,
};

// Some of the values of the loop.
struct tf_loop_set {
    uint64_t words[TF_LOOP_SET_WORDS];
};

struct tf_loop_sum {
    struct tf_loop_set needed; // to make its next value: all of it, with the phi
    unsigned size;             // in registers
    unsigned own_cost;         // of what no other sum needs
    unsigned part;             // TF_LOOP_MOST_PARTS: none yet
};

// Of one block, which all lanes leave together. It is found by distribute.c; the rest is
// what tf_loop_find_parts finds.
struct tf_loop_parts {
    struct tf_arena *arena;
    const struct tf_facts *f;
    const struct tf_shapes *s;
    const struct tf_target *target;
    LLVMBasicBlockRef block, before, after;
    const struct tf_value *values;
    unsigned count; // of values
    // Results.
    unsigned costs[TF_LOOP_MOST_VALUES]; // of each value
    struct tf_loop_sum sums[TF_LOOP_MOST_SUMS];
    unsigned sum_count;
    unsigned size; // in registers, of the sums that have no part yet
    unsigned parts;
    struct tf_loop_set control; // what the end of the loop needs, in each part
};

// The value's number in the loop; TF_LOOP_MOST_VALUES: it is none of its values.
static inline unsigned tf_loop_number(const struct tf_loop_parts *l,
                                      const struct tf_value *v)
{
    return v && v >= l->values && v < l->values + l->count ? (unsigned)(v - l->values)
                                                           : TF_LOOP_MOST_VALUES;
}
bool tf_loop_has(const struct tf_loop_set *set, unsigned value);
// Whether several loops are faster: then each sum has a part, and each part a sum.
bool tf_loop_find_parts(struct tf_loop_parts *l);

#endif // TF_COMPILER_WORKGROUP_PREPARE_ROUNDS_DISTRIBUTE_PARTS_H
