// SPDX-License-Identifier: MIT
// What is made of a scalar function in lanes, decided once: a plan is a value that nobody
// changes. Candidates are made of the same facts, their costs compared, and all but one
// dropped; code (gang), report and dumps are made of that one, and decide nothing.
#ifndef TF_COMPILER_WORKGROUP_PLAN_PLAN_H
#define TF_COMPILER_WORKGROUP_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "compiler/workgroup/analysis/facts.h"
#include "compiler/workgroup/kernel/small.h"
#include "compiler/workgroup/target/target.h"

enum {
    TF_LINE_BYTES = 64, // of the caches
    TF_MOST_LANES = TF_SMALL_PAST,
    // Of a value: as many as a processor works on at once. Wider ones may work in halves.
    TF_FEW_REGISTERS = 4,
};

// How an instruction is made for all lanes.
enum tf_form {
    TF_FORM_NONE,  // no code: ids, markers, private variables, the ends of blocks
    TF_FORM_SCOPE, // opens the scopes of promises about memory: the same call
    TF_FORM_FREE,  // lane 0's value, a scalar, made again wherever it is asked for
    TF_FORM_ONE, // one scalar instruction, for what the lanes share or for lane 0's value
    TF_FORM_PHI,
    TF_FORM_VECTOR,        // the instruction on vectors
    TF_FORM_INTRINSIC,     // an intrinsic that does the same to each element
    TF_FORM_SHUFFLE,       // elements of the program's vectors: a permutation
    TF_FORM_UNROLLED,      // the instruction once for each lane
    TF_FORM_LANE_LOOP,     // the same for each active lane, in a loop
    TF_FORM_REAL_DIVISION, // of integers, as floating-point numbers
    TF_FORM_LONG_DIVISION, // the same where all lanes' are small
    TF_FORM_HIGH_PRODUCT,  // the high half of a product of 64 bits
    TF_FORM_PERMUTATION,   // of a vector, by indices of the run (ir/vector/permutation.h)
    TF_FORM_ONE_ATOMIC,    // one for all lanes, at an address that they share
    TF_FORM_SUB_GROUP,     // what the lanes of a sub-group do together
    TF_FORM_BARRIER,
    TF_FORM_APART,  // the rows of a pack go on by themselves
    TF_FORM_INSIDE, // whether all lanes lie in a range
    TF_FORM_FETCH,  // of the lines of all lanes, which lie close together
    // Loads and stores.
    TF_FORM_LAST_LANE,    // a store to an address that the lanes share
    TF_FORM_SIDE_BY_SIDE, // one access of all lanes
    TF_FORM_ROW,          // the same of private or local memory: all lanes, no mask
    TF_FORM_EITHER_WAY,   // side by side, or the form `far` where an index wraps
    TF_FORM_BUNDLE,       // with others: whole vectors and shuffles
    TF_FORM_STRIP,        // with its neighbours: a vector of each lane, transposed
    TF_FORM_TABLE,        // an element of a small table: permutations of registers
    TF_FORM_WINDOW,       // elements of a window of memory; or the form `far`
    TF_FORM_RISING,       // elements that rise close together (permute.h); or `far`
    TF_FORM_GATHER,
    TF_FORM_SCATTER,
    TF_FORM_OWN_GATHER, // within a private variable
    TF_FORM_OWN_WORDS,  // the same of elements that are smaller than gathers have
    TF_FORM_OWN_SINGLY, // within a private variable, one by one without branches
    TF_FORMS,
};

struct tf_bundle; // bundle.h
struct tf_strip;  // bundle.h

struct tf_plan_value {
    enum tf_form form, far;
    struct tf_bundle *bundle; // of TF_FORM_BUNDLE
    struct tf_strip *strip;   // of TF_FORM_STRIP
    bool exact;               // lane 0's is also kept in 64 bits (exact.c)
    bool
        locates; // nothing but strips at an address: of that, rounds share most (strip.c)
};

struct tf_plan_block {
    unsigned like;   // this block has the same lanes as that one; or TF_CFG_NONE
    bool guarded;    // skipped when no lane is active
    bool loops_back; // latch of a loop in a region whose lanes go round together
    bool twin;       // there is a copy without masks, for gangs that enter as a whole
};

// What is wanted of a plan.
struct tf_plan_of {
    const struct tf_facts *facts;
    const struct tf_target *target;
    unsigned width;     // lanes
    bool masked;        // for gangs of fewer lanes, too
    bool linear;        // lanes have consecutive linear ids (workgroup/item/sub_group.h)
    unsigned rows;      // of a pack (plan/pack/pack.h); 0: one
    uint64_t item_cost; // of one item, where the function does not show it, or 0
};

// What the lanes are made of.
struct tf_plan_counts {
    unsigned gathers, scatters, lane_loops, divergent_branches, strips;
};

struct tf_plan {
    struct tf_arena arena; // everything lies in it
    struct tf_plan_of of;
    struct tf_target target; // a copy
    char unfit[100];         // why there are no lanes; or ""
    const struct tf_cfg *cfg;
    const struct tf_shapes *shapes; // what holds in the gangs that run it
    unsigned width;
    const struct tf_plan_value *values; // as shapes->values
    const struct tf_plan_block *blocks; // as cfg->blocks
    unsigned bundle_count;              // and strips
    struct tf_plan_counts counts;
    uint64_t lanes_cost, items_cost; // of one gang, as lanes and item by item: tenths
    const uint64_t *block_costs;     // parts of lanes_cost
    uint64_t constants_cost; // of fetching what all registers of an operation share
    uint64_t spaced_cost;    // beside lanes_cost, where no argument spaces lanes out by 1
    uint64_t scatters_cost;  // part of lanes_cost: to memory that others have, too
    uint64_t strips_cost;    // part of lanes_cost
    bool serves_whole;       // masked, and run by gangs of all lanes, too
    unsigned widest;         // registers of the largest vector of the program, in lanes
};

// False where it can have no lanes: then `unfit` says why. In any case the plan is
// finished afterwards, and is not moved in between. The facts outlive it.
bool tf_plan_init(struct tf_plan *p, const struct tf_plan_of *of);
void tf_plan_finish(struct tf_plan *p);

static inline enum tf_form tf_plan_form(const struct tf_plan *p, const struct tf_value *v)
{
    return p->values[v - p->shapes->values].form;
}
// Whether each lane goes to an address of its own, for a load or a store.
bool tf_plan_is_gather(const struct tf_plan *p, const struct tf_value *v);
// The argument that has to be 1 for lanes to be side by side in an access; NULL: none
// (exact.c).
LLVMValueRef tf_plan_spacing_of(const struct tf_plan *p, const struct tf_value *v);
// Whether a gang starts again, under masks, where it passes a multiple of a number that
// only the run knows (i & (n - 1)); some launches have no other gangs (stream.c).
bool tf_plan_may_start_again(const struct tf_plan *p);
// Whether a load also fetches what the next gang loads there (stream.c).
bool tf_plan_fetches_next(const struct tf_plan *p, const struct tf_value *v);
// What lanes are to fetch from lane 0's address on, of a call of llvm.prefetch, in bytes;
// 0: they lie too far apart, or nobody knows how far.
uint64_t tf_plan_fetched_bytes(const struct tf_plan *p, const struct tf_value *v);
// Whether memory is all that the plan waits for (stream.c).
bool tf_plan_streams(const struct tf_plan *p);
// The lanes that fill a line of the cache each, for plans without loops that walk through
// more places of memory than the processor looks ahead in; 0: for any others (stream.c).
unsigned tf_plan_lanes_of_lines(const struct tf_plan *p);
// Whether lanes gather along rows, each the next number of a row of its own in each round
// of a loop (stream.c).
bool tf_plan_gathers_rows(const struct tf_plan *p);
// Whether it loads or stores the program's memory once for each work-item, lane beside
// lane (stream.c).
bool tf_plan_is_of_a_stream(const struct tf_plan *p, const struct tf_value *v);
// Whether vectors of the program fill many registers already.
bool tf_plan_has_wide_values(const struct tf_plan *p);
// Whether lanes are faster than items one by one.
bool tf_plan_pays(const struct tf_plan *p);
// Registers that a value takes for all lanes, as far as it has any: 0 of what lanes
// share, and of masks.
uint64_t tf_plan_registers_of(const struct tf_plan *p, const struct tf_value *v);
// Registers that a value of the type takes for all lanes.
uint64_t tf_plan_registers(const struct tf_plan *p, LLVMTypeRef type);
// What a lane costs, in no unit but that of other calls; `chains` of tf_find_chains.
uint64_t tf_plan_cost_per_lane(const struct tf_plan *p, const int *chains);

// Whether the private variables of all lanes have room on a stack.
bool tf_plan_has_room_for_privates(const struct tf_plan *p);
// Whether LLVM makes its instructions in good time, and variables leave room in the
// cache.
bool tf_plan_is_small(const struct tf_plan *p);
// Per loop: tenths of a cycle that a round takes at least (chain.c).
const int *tf_find_chains(struct tf_arena *arena, const struct tf_shapes *s,
                          const struct tf_costs *costs);

// The same of an item by itself, where the chain goes through memory: a table that is
// looked up at what the round before has found. No vectorizer makes vectors of that, and
// where items leave at different times nobody foresees when: the next one begins late.
const int *tf_find_item_waits(struct tf_arena *arena, const struct tf_shapes *s,
                              const struct tf_costs *costs);
// The longest way through a function without loops that takes three loads and more, each
// at an address that the one before says: tenths of a cycle of one item; 0: none.
uint64_t tf_item_way(struct tf_arena *arena, const struct tf_shapes *s,
                     const struct tf_costs *costs);

// Tenths of a cycle that the longest chain of a function without loops takes, and the
// vector operations of all of it, but for what is seldom run (chain.c, size.c); and what
// it costs more than lanes_cost and constants_cost say, because of that chain (cost.c).
uint64_t tf_plan_way(const struct tf_plan *p);
uint64_t tf_plan_operations(const struct tf_plan *p);
uint64_t tf_plan_wait(const struct tf_plan *p);
// Whether no value takes more registers than a processor works on at the same time.
bool tf_plan_has_few_registers(const struct tf_plan *p);

#endif // TF_COMPILER_WORKGROUP_PLAN_PLAN_H
