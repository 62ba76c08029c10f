// SPDX-License-Identifier: MIT
// What the files of the gang pass share. The old function is only read, the new one only
// appended to. A value that the lanes share is one scalar; of an affine value the scalar
// is lane 0's; the others are vectors. A vector <N x T> of the program becomes <W*N x T>,
// lane after lane; a struct becomes a struct of what its members become.
//
// Invariants (M: masks)
//   M1 a mask is never poison: select(m, c, false), not `and`.
//   M2 the mask slot of a block is zero whenever the block is passed over.
//   M3 no scalar access of memory, call or loop runs when no lane is active.
//   M4 scalars in masked code have no flags that make poison: lane 0 may not be active.
//   M5 lanes that are not active may hold any value, but neither trap nor touch memory.
#ifndef TF_COMPILER_WORKGROUP_GANG_GANG_EMIT_H
#define TF_COMPILER_WORKGROUP_GANG_GANG_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "compiler/workgroup/analysis/shape.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/report/report.h"

struct gang_group; // gang_access.h

struct gang_value {
    LLVMValueRef slot;  // holds it where it crosses blocks
    LLVMValueRef input; // of a phi: what the edges leave (its value slot is another one:
                        // one phi of a block may be the input of another)
    // What the code at hand has of it, valid while `epoch` is the gang's.
    LLVMValueRef scalar, vector, exact_now;
    unsigned epoch;
    bool exact; // lane 0's is also kept in 64 bits (gang_exact.c)
    LLVMValueRef exact_slot, exact_input;
    struct gang_group *group; // of a load or store: those that it is made with; or NULL
    signed char remat; // 1: cheap to make again in every block, -1: not, 0: not known
};

struct gang_block {
    LLVMBasicBlockRef start; // where control enters
    LLVMBasicBlockRef body;  // behind the guard
    LLVMValueRef mask;       // slot: lanes that will enter; only in a region
    LLVMValueRef saved;      // slot: lanes that entered
    unsigned like;           // this block has the same lanes as that one; or TF_CFG_NONE
    LLVMBasicBlockRef twin;  // start of the copy without masks (gang_twin.c); or NULL
    bool guarded;            // skipped when no lane is active
    bool loops_back;         // latch of a uniform loop in a region
};

struct gang {
    struct tf_wg *wg;
    struct tf_arena arena;
    unsigned width;
    bool masked;
    unsigned rows; // of a pack (workgroup/plan/pack.h); 0: one
    bool linear;   // lanes have consecutive linear ids (workgroup/item/sub_group.h)
    LLVMValueRef from, to; // functions
    struct tf_cfg cfg;
    struct tf_shapes shapes;
    struct tf_map assumed;     // instruction -> 1: what the shapes take for granted
    struct gang_value *values; // as shapes.values
    struct gang_block *blocks; // as cfg.blocks
    LLVMBasicBlockRef entry, end;
    LLVMValueRef entry_end; // terminator of the entry: slots go before it
    LLVMBuilderRef b;
    LLVMTypeRef i1, i32, i64, mask_type;
    LLVMValueRef ids[6]; // of lane 0, 32 bits: lid0..2, gid0..2
    // Where the code is being made.
    unsigned block;               // of the old function
    unsigned epoch;               // changes where cached values end
    LLVMValueRef mask;            // active lanes; NULL: all
    const struct tf_region *twin; // whose copy is made; or NULL
    bool failed;                  // wg->refusal says why
};

// What the lanes of a kernel are made of (the report for the user).
struct gang_report {
    unsigned gathers, scatters, lane_loops, divergent_branches;
    uint64_t lanes_cost, items_cost; // of one gang, as lanes and item by item
};
// Whether lanes are faster than items one by one (pick.c).
bool gang_pays(struct gang *g, struct gang_report *report);
// Whether vectors of the program fill many registers already.
bool gang_has_wide_values(const struct gang *g);
// Registers that a value of the type takes for all lanes (pick.c).
uint64_t gang_registers(const struct gang *g, LLVMTypeRef type);
// Of one gang, in tenths of a cycle; a round of loop l takes chains[l] cycles at least.
uint64_t gang_lanes_cost(struct gang *g, const int *chains);
// Of one work-item that runs by itself, in the same unit (pick.c).
uint64_t gang_items_cost(struct gang *g);
// How often a block counts: more in loops (pick.c).
uint64_t gang_weight(const struct gang *g, unsigned block);
// Whether memory is all that the kernel waits for; and if so, g->width and what registers
// have of bits are halved where they are wide (stream.c).
bool gang_streams(const struct gang *g);
void gang_narrow(struct gang *g);
// The number of lanes, from g->width on, that costs least for each (width.c).
unsigned gang_best_width(struct gang *g);
// With `width` lanes: the cost of each, in no unit but that of other calls; and whether
// the values that are alive at the same time have registers (width.c).
uint64_t gang_cost_per_lane(struct gang *g, unsigned width);
bool gang_has_room(struct gang *g, unsigned width);
// Analyzes g->from, the only member that is set, for lanes; false after gang_refuse.
// gang_close gives its memory back in any case (gang.c).
bool gang_open(struct gang *g, struct tf_wg *wg, unsigned width, bool masked);
void gang_close(struct gang *g);
// Whether lanes might wait for each other for ever (spin.c).
bool gang_spins(struct gang *g);

// Writes the old function with shapes and regions, if that stage is dumped
// (shape_dump.c).
void gang_dump_shapes(const struct gang *g);

// Remembers why the kernel cannot be widened; emission goes on with poison.
void gang_refuse(struct gang *g, const char *fmt, ...) TF_PRINTF(2, 3);

// ---- values (gang_value.c)
LLVMTypeRef gang_type(struct gang *g, LLVMTypeRef type);
// The value for all lanes, or lane 0's: for uniform and affine values, and those that are
// affine but for a wrap.
LLVMValueRef gang_scalar(struct gang *g, LLVMValueRef value);
LLVMValueRef gang_vector(struct gang *g, LLVMValueRef value);
// Takes what was made for an instruction: one of both.
void gang_define(struct gang *g, struct tf_value *v, LLVMValueRef scalar,
                 LLVMValueRef vector);
LLVMValueRef gang_slot(struct gang *g, LLVMTypeRef type, const char *name);
LLVMValueRef gang_input(struct gang *g, const struct tf_value *phi);
// True for what is made again where it is needed: ids and arithmetic on them.
bool gang_is_free(struct gang *g, const struct tf_value *v);
// Clones an instruction with scalar operands.
LLVMValueRef gang_clone(struct gang *g, LLVMValueRef instruction);
LLVMValueRef gang_splat(struct gang *g, LLVMValueRef scalar);
LLVMValueRef gang_ramp(struct gang *g, LLVMTypeRef element, int64_t stride);
// Makes a value of the integer `n`.
LLVMValueRef gang_int(struct gang *g, uint64_t n);

// ---- signed indices in 64 bits (gang_exact.c)
// Which: those that are extended, and what they are made of.
void gang_plan_exact(struct gang *g);
// Lane 0's, as the program's number: an i64.
LLVMValueRef gang_exact(struct gang *g, LLVMValueRef value);
// Where gang_define has been called for the value.
void gang_define_exact(struct gang *g, const struct tf_value *v);
// What edges leave for a phi; NULL: it is none of them.
LLVMValueRef gang_exact_input(struct gang *g, const struct tf_value *phi);
// Of lane 0, what an extension or a shift to the right makes; NULL: as it stands.
LLVMValueRef gang_extend_exact(struct gang *g, LLVMValueRef instruction);

// ---- masks (gang_mask.c)
LLVMValueRef gang_any(struct gang *g, LLVMValueRef mask);
LLVMValueRef gang_all_lanes(struct gang *g);
LLVMValueRef gang_mask(struct gang *g); // of the code at hand, never NULL
// `mask` for values of the program's type `type`: each lane as often as it has elements.
LLVMValueRef gang_widen_mask(struct gang *g, LLVMValueRef mask, LLVMTypeRef type);
LLVMValueRef gang_blend(struct gang *g, LLVMValueRef mask, LLVMValueRef yes,
                        LLVMValueRef no, LLVMTypeRef type);
// Lanes that run at all: NULL for all.
LLVMValueRef gang_entry_mask(struct gang *g);
// Number of the highest active lane, i32. There must be one.
LLVMValueRef gang_last_lane(struct gang *g);
LLVMValueRef gang_intrinsic(struct gang *g, const char *name, LLVMTypeRef *types,
                            unsigned type_count, LLVMValueRef *args, unsigned arg_count);

// ---- instructions
void gang_instruction(struct gang *g, struct tf_value *v); // gang_op.c
void gang_load(struct gang *g, struct tf_value *v);        // gang_memory.c
void gang_store(struct gang *g, struct tf_value *v);       // gang_memory.c
void gang_call(struct gang *g, struct tf_value *v);        // gang_call.c
bool gang_sub_group(struct gang *g, struct tf_value *v); // gang_sub_group.c; false: none
void gang_element(struct gang *g, struct tf_value *v);   // gang_element.c
void gang_shuffle(struct gang *g, struct tf_value *v);   // gang_element.c
// Division of integers, and remainders (gang_divide.c).
LLVMValueRef gang_divide(struct gang *g, const struct tf_value *v);
// True if it is made of divisions of floating-point numbers: numbers of up to 32 bits,
// and of 64 bits where all lanes' are small (gang_divide_long.c).
bool gang_divides_as_real(const struct tf_value *v);
bool gang_divides_long(const struct tf_value *v);
LLVMValueRef gang_permute(struct gang *g, LLVMValueRef a, LLVMValueRef b, const int *from,
                          unsigned count); // gang_element.c
// Runs the instruction once for each active lane, in their order (gang_lanes.c).
void gang_lane_loop(struct gang *g, struct tf_value *v);
// Atomic changes of a word that the lanes share (gang_atomic.c): whether one atomic
// operation does for all lanes, and that operation. At least one lane is active.
bool gang_is_one_atomic(const struct gang *g, const struct tf_value *v);
void gang_one_atomic(struct gang *g, struct tf_value *v);
// One lane of a value that has the program's type `type`; `lane` is an i32.
LLVMValueRef gang_take(struct gang *g, LLVMValueRef all, LLVMTypeRef type,
                       LLVMValueRef lane);
// The same, for all lanes, without a loop: for what cannot trap or touch memory.
void gang_unrolled(struct gang *g, struct tf_value *v);

// ---- private variables (gang_private.c)
// Makes the memory of all of them.
void gang_add_privates(struct gang *g);
// The address that `gep`, of a variable by units, makes: lane 0's, or one for each lane.
LLVMValueRef gang_private_address(struct gang *g, LLVMValueRef gep);
LLVMValueRef gang_private_addresses(struct gang *g, LLVMValueRef gep);

// ---- what is taken for granted (gang_assume.c)
void gang_assume(struct gang *g); // of shapes that are known: makes them anew
// Looks whether it is so, behind the instruction; if not, control does not come back.
void gang_check_assumed(struct gang *g, const struct tf_value *v);
// The function for lanes of all gangs (wg->gang), or for those of fewer lanes; declared
// if it is not there yet.
LLVMValueRef gang_function(struct gang *g, bool masked);

// ---- regions that are made twice, once without masks (gang_twin.c)
// Which: gives their blocks twins.
void gang_plan_twins(struct gang *g);
// Before the blocks of a region are made again.
void gang_forget_groups(struct gang *g, const struct tf_region *region); // gang_group.c

// ---- control (gang_flow.c)
void gang_plan_blocks(struct gang *g); // slots of masks, guards, uniform loops
void gang_emit_blocks(struct gang *g);

#endif // TF_COMPILER_WORKGROUP_GANG_GANG_EMIT_H
