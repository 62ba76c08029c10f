// SPDX-License-Identifier: MIT
// What is known of one scalar function before anything is decided about its lanes: made
// once, and read by everybody after that.
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_FACTS_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_FACTS_H

#include <stdbool.h>

#include "compiler/workgroup/analysis/shape.h"

// What the analyses are told of the function.
struct tf_facts_of {
    LLVMValueRef fn;
    unsigned lanes;      // that a gang will have at least
    unsigned most_lanes; // struct tf_shapes
    bool turned;         // lanes are neighbours in dimension 1
    bool usual;          // wanted: what most gangs have in common
    // Known: lanes leave no loop at different times. Then what holds in every gang is not
    // looked for beside that (and `shapes` is `usual`).
    bool rounds_together;
    unsigned most_blocks; // 0: any number; regions cost a walk over all for each branch
    unsigned most_instructions; // 0: any number
};

struct tf_facts {
    struct tf_arena arena; // everything lies in it
    struct tf_facts_of of;
    char unfit[100]; // why it can have no lanes, and all else is missing; or ""
    struct tf_cfg cfg;
    // What lanes know of each value in every gang, and what they know in most, while what
    // is `assumed` of values is taken for granted. The same where that is nothing.
    struct tf_shapes shapes, usual;
    unsigned fixpoints; // that were computed for all this
    bool has_barrier;
    bool spins;       // lanes might wait for each other for ever
    bool *acts;       // per block: something in it must not happen twice
    bool *late;       // per block: reached behind such a block
    unsigned *rounds; // per loop: an estimate of few
    bool *seldom;     // per block: only on a way that is said hardly ever to be taken
};

// False where it can have no lanes: then `unfit` says why. In any case the facts are
// finished afterwards, and are not moved in between.
bool tf_facts_init(struct tf_facts *f, const struct tf_facts_of *of);
// The same of `other`, which outlives them, with lanes that are neighbours in the other
// dimension.
bool tf_facts_init_turned(struct tf_facts *f, const struct tf_facts *other);
void tf_facts_finish(struct tf_facts *f);

// Whether any value is a vector of the program.
bool tf_facts_have_vectors(const struct tf_facts *f);
// Whether the only way into a block is said to be taken much less often than the other
// one.
bool tf_facts_lies_aside(const struct tf_facts *f, unsigned block);
// How many times the loops round a block run it, as an estimate; 0: it is `seldom` run.
uint64_t tf_facts_weight(const struct tf_facts *f, unsigned block);

// ---- between the files of the analysis

// Whether what the instruction does must not be done twice (assume.c).
bool tf_is_effect(const struct tf_shapes *s, const struct tf_value *v);
// Fills f->acts and f->late (assume.c).
void tf_facts_find_effects(struct tf_facts *f);
// Marks what can be assumed in f->usual, which nobody has looked at; how many values
// (assume.c).
unsigned tf_facts_assume(struct tf_facts *f);
// (spin.c)
bool tf_facts_spin(struct tf_facts *f);
#endif // TF_COMPILER_WORKGROUP_ANALYSIS_FACTS_H
