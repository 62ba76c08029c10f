// SPDX-License-Identifier: MIT
// What the files of the splitter share (split.h tells what it does). The steps, in the
// order of split_steps.c:
//
//     split_graph    cuts blocks at barriers, numbers blocks and values
//     split_uniform  finds what is the same for all items of a group
//     split_entries  chooses where regions begin, collects their blocks
//     split_live     finds what lives across entries, gives values a place, ..
//     split_private  .. and variables, ..
//     split_live     .. and lays all that out in memory
//     split_trim     finds regions that only the first items have work in
//     split_emit     writes the group function, split_region one region of it
#ifndef TF_COMPILER_WORKGROUP_SPLIT_SPLIT_PARTS_H
#define TF_COMPILER_WORKGROUP_SPLIT_SPLIT_PARTS_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include "compiler/ir/graph.h"
#include "compiler/job/arena.h"
#include "compiler/workgroup/split/split.h"

#define TF_SPLIT_NONE (~0u)

// How the items of a group go from region to region.
enum tf_split_mode {
    // All take the same way: one loop over the items for each region.
    TF_SPLIT_TOGETHER,
    // The same, but items may end before others: they are marked, and left out.
    TF_SPLIT_SURVIVORS,
    // Each has its own next entry. In every round each item takes one turn, which is what
    // fibers do: items that disagree about barriers end all the same.
    TF_SPLIT_ROUNDS,
};

struct tf_split_block {
    LLVMBasicBlockRef block;
    unsigned *preds, *succs;
    unsigned pred_count, succ_count;
    unsigned ipdom; // TF_SPLIT_NONE: none, the end of the function, or not known
    unsigned entry; // number of the entry that begins here, or TF_SPLIT_NONE
    unsigned size;  // instructions
    bool barrier;   // begins with one
    bool leads_on;  // to a barrier
    bool divergent; // some items may pass it while others do not
};

// Where a value that lives across an entry is kept.
enum tf_split_place {
    TF_SPLIT_NOWHERE, // it does not, or can be computed anew
    TF_SPLIT_CELL,    // one for the group
    TF_SPLIT_SLOT,    // one for each item
};

struct tf_split_value {
    LLVMValueRef value;
    unsigned block;
    bool varying; // may differ between the items of a group
    bool cheap;   // computed anew where it is needed
    bool fixed;   // cheap, and the same in all turns of an item
    bool dropped; // means nothing in the group function; markers of scopes are copied
    unsigned char depth;
    enum tf_split_place place;
    unsigned slot;                   // or cell: index
    unsigned mark;                   // of searches
    uint64_t *live;                  // bit per entry; NULL: at none
    LLVMValueRef mapped;             // in the turn `mapped_in`
    LLVMValueRef phi;                // the last copy, of a phi
    LLVMValueRef variable;           // alloca, in the turn `variable_in`
    unsigned mapped_in, variable_in; // numbers of turns
};

struct tf_split_region {
    unsigned start;                // the block of the entry
    unsigned *blocks, block_count; // in the order of their numbers
    unsigned *targets, target_count;
    bool returns;       // some way ends the item
    bool without_items; // nothing in it depends on the item: it runs once a group
};

// What only the items with an id below a limit have anything to do with.
struct tf_split_trim {
    bool found;
    unsigned dim;       // of the id
    LLVMValueRef limit; // shared by the group, known when the region begins; an integer
    bool with_sign, inclusive;
    bool exact; // all ids up to the limit, not only the last
    // What is `whole_is` in all lanes of items that lie below the limit as a whole; NULL:
    // nothing is known.
    LLVMValueRef whole;
    bool whole_is;
};

struct tf_split_slot {
    LLVMTypeRef type;
    uint64_t *live; // of all values that share it
    uint64_t offset_bytes;
    LLVMValueRef base;
};

struct tf_split_cell {
    LLVMTypeRef type;
    LLVMValueRef now, next; // allocas: what this turn reads, what the next region reads
};

// A variable of the function (alloca).
struct tf_split_private {
    unsigned value;
    bool crosses; // its content lives across an entry
    bool large;
    uint64_t stride_bytes, offset_bytes;
    LLVMValueRef base; // of the items' copies, or the one variable
};

struct tf_split {
    struct tf_wg *wg;
    const struct tf_split_in *in;
    struct tf_arena *arena;
    LLVMTargetDataRef layout;
    bool refused;
    bool is_straight; // steps of a tree whose turns are all known
    unsigned invariant_kind;

    struct tf_graph graph;
    struct tf_split_block *blocks; // in reverse postorder; 0 is the start
    unsigned block_count;
    struct tf_split_value *values; // the instructions, in the order of the blocks
    unsigned value_count;
    struct tf_map value_numbers;
    unsigned *first_value; // per block, and the end
    unsigned mark;

    enum tf_split_mode mode;
    unsigned *entries; // blocks; [0] is the start
    unsigned entry_count, live_words;
    struct tf_split_region *regions; // per entry
    struct tf_split_trim *trims;     // per entry

    struct tf_split_slot *slots;
    unsigned slot_count;
    struct tf_split_cell *cells;
    unsigned cell_count;
    struct tf_split_private *privates;
    unsigned private_count;
    uint64_t large_bytes, small_bytes; // of context memory, per item
    uint64_t state_offset_bytes;

    // While the group function is written.
    LLVMValueRef group_function;
    LLVMValueRef size[3];   // work-items per dimension
    LLVMValueRef stride[3]; // turns from one id, or one gang, to the next
    LLVMValueRef item_count;
    unsigned turns; // that have been written
    // Per item, 16 bits. SURVIVORS: 0 or TF_SPLIT_ENDED. ROUNDS: its next entry.
    LLVMValueRef state;
    // An alloca. The entry that the items go to, TF_SPLIT_NONE: none. ROUNDS: not 0 if
    // there is to be another round.
    LLVMValueRef next;
    LLVMTypeRef i32, state_type;
    LLVMBuilderRef variables; // at the end of the block of allocas
    LLVMBasicBlockRef *heads; // per entry: where the group enters the region
    LLVMBasicBlockRef done;
    bool *cell_stored;         // by the region that is written
    LLVMBasicBlockRef *copies; // for split_region.c: NULL per block
    LLVMBasicBlockRef *ends;   // and per entry
};

// Nothing fails but for lack of memory, which leaves the compile job; what cannot be
// split sets `refused`.
void tf_split_graph(struct tf_split *s);
void tf_split_uniform(struct tf_split *s);
void tf_split_entries(struct tf_split *s);
void tf_split_live(struct tf_split *s);
void tf_split_privates(struct tf_split *s);
void tf_split_lay_out(struct tf_split *s);
void tf_split_find_trims(struct tf_split *s);
void tf_split_find_steps(struct tf_split *s);
// Whether the turns of the region are to stand one after the other.
bool tf_split_is_straight(const struct tf_split *s, unsigned entry);
void tf_split_emit(struct tf_split *s);

// ---- split_graph.c
bool tf_split_is_barrier(LLVMValueRef instruction);
// Number of an instruction of the function that can be reached, or TF_SPLIT_NONE.
unsigned tf_split_value_number(const struct tf_split *s, LLVMValueRef value);
unsigned tf_split_block_number(const struct tf_split *s, LLVMBasicBlockRef block);
// Whether the value can be computed at any time with the same result, given its operands.
bool tf_split_is_pure(LLVMValueRef instruction);
// A load from memory that does not change while the group runs.
bool tf_split_is_fixed_load(const struct tf_split *s, LLVMValueRef instruction);

// ---- split_entries.c
// Whether something in the block has to be done for each item.
bool tf_split_needs_items(const struct tf_split *s, unsigned block);

// Whether the block ends in a branch that items may take differently.
bool tf_split_is_varying_branch(const struct tf_split *s, unsigned block);

// ---- split_live.c
// Whether the phis of the entry take nothing from block `from` that an item has to put
// away.
bool tf_split_phis_are_free(const struct tf_split *s, unsigned from, unsigned entry);
bool tf_split_is_live(const struct tf_split_value *v, unsigned entry);

// ---- split_region.c
// Where a turn of an item begins and ends, and what it stands for.
#define TF_SPLIT_ENDED 0xffffu // state of an item that has ended

struct tf_split_turn {
    LLVMBasicBlockRef start; // without an end
    LLVMBasicBlockRef latch;
    LLVMValueRef lid[3], lanes, index;
    LLVMValueRef known, known_as; // what one value of the function is, or NULL
};
// What `value`, which is known when the region begins, is at the builder.
LLVMValueRef tf_split_value_at_entry(struct tf_split *s, unsigned entry,
                                     LLVMValueRef value);
// Writes the region from the entry on. All its ways lead to turn->latch.
void tf_split_emit_region(struct tf_split *s, unsigned entry,
                          const struct tf_split_turn *turn);

#endif // TF_COMPILER_WORKGROUP_SPLIT_SPLIT_PARTS_H
