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
#ifndef TF_COMPILER_WORKGROUP_GANG_VALUE_GANG_EMIT_H
#define TF_COMPILER_WORKGROUP_GANG_VALUE_GANG_EMIT_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>

#include "compiler/workgroup/gang/value/gang_kept.h"
#include "compiler/workgroup/kernel/wg.h"
#include "compiler/workgroup/plan/plan.h"

struct gang_value {
    LLVMValueRef slot;  // holds it where it crosses blocks
    LLVMValueRef input; // of a phi: what the edges leave (its value slot is another one:
                        // one phi of a block may be the input of another)
    // What the code at hand has of it, valid while `epoch` is the gang's.
    LLVMValueRef scalar, vector, exact_now;
    unsigned epoch;
    LLVMValueRef exact_slot, exact_input;
};

struct gang_block {
    LLVMBasicBlockRef start; // where control enters
    LLVMBasicBlockRef body;  // behind the guard
    LLVMValueRef mask;       // slot: lanes that will enter; only in a region
    LLVMValueRef saved;      // slot: lanes that entered
    LLVMBasicBlockRef twin;  // start of the copy without masks; or NULL
};

struct gang_bundle {
    LLVMValueRef *results; // per member of a bundle of loads, when they are made
    unsigned made;         // members seen
};

enum { GANG_MOST_ROOTS = 16 };

// Where stores may go past the caches (gang_past.c).
struct gang_streams {
    uint32_t bytes; // that an item loads and stores in streams; 0: no store may
    LLVMValueRef loaded[GANG_MOST_ROOTS]; // what addresses of loads are made of
    unsigned loaded_count;
};

struct gang {
    struct tf_wg *wg;
    struct tf_arena arena;
    const struct tf_plan *plan; // what is made
    const struct tf_cfg *cfg;   // of the plan
    const struct tf_shapes *shapes;
    unsigned width;
    LLVMValueRef from, to;       // functions
    struct gang_value *values;   // as shapes->values
    struct gang_block *blocks;   // as cfg->blocks
    struct gang_bundle *bundles; // by the plan's numbers
    LLVMBasicBlockRef entry, end;
    LLVMValueRef entry_end;      // terminator of the entry: slots go before it
    LLVMBasicBlockRef different; // where gangs start again; NULL: not made yet
    LLVMBuilderRef b;
    LLVMTypeRef i1, i32, i64, mask_type;
    struct tf_gang_kept *kept;
    struct gang_streams streams;
    unsigned page_loads; // made in two ways (gang_page.c)
    // Where the code is being made.
    unsigned block;               // of the old function
    unsigned epoch;               // changes where cached values end
    LLVMValueRef mask;            // active lanes; NULL: all
    const struct tf_region *twin; // whose copy is made; or NULL
};

enum tf_form gang_form(const struct gang *g, const struct tf_value *v);

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
// Whether it is an instruction of the block whose code is made. Of those of other blocks
// the operands may not be asked for: nobody has kept them.
bool gang_is_at_hand(const struct gang *g, LLVMValueRef value);
LLVMValueRef gang_input(struct gang *g, const struct tf_value *phi);
// Clones an instruction with scalar operands.
LLVMValueRef gang_clone(struct gang *g, LLVMValueRef instruction);
LLVMValueRef gang_splat(struct gang *g, LLVMValueRef scalar);
LLVMValueRef gang_ramp(struct gang *g, LLVMTypeRef element, int64_t stride);
// The number `n` as an i32.
LLVMValueRef gang_int(struct gang *g, uint64_t n);
// True for what is made again where it is needed: ids and arithmetic on them.
bool gang_is_free(const struct gang *g, const struct tf_value *v);

// ---- signed indices in 64 bits (gang_exact.c)
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
// Whether all lanes of the function are active.
LLVMValueRef gang_is_whole(struct gang *g);
// Number of the highest active lane, i32.
LLVMValueRef gang_last_lane(struct gang *g);
LLVMValueRef gang_intrinsic(struct gang *g, const char *name, LLVMTypeRef *types,
                            unsigned type_count, LLVMValueRef *args, unsigned arg_count);

// shufflevector; from[i] < 0: any value. `b` may be NULL (gang_permute.c).
LLVMValueRef gang_permute(struct gang *g, LLVMValueRef a, LLVMValueRef b, const int *from,
                          unsigned count);

// ---- lane by lane (gang_lanes.c)
// Runs the instruction once for each active lane, in their order.
void gang_lane_loop(struct gang *g, struct tf_value *v);
// The same, for all lanes, without a loop: for what cannot trap or touch memory.
void gang_unrolled(struct gang *g, struct tf_value *v);
// One lane of a value that has the program's type `type`; `lane` is an i32.
LLVMValueRef gang_take(struct gang *g, LLVMValueRef all, LLVMTypeRef type,
                       LLVMValueRef lane);

// ---- private variables (gang_units.c)
// Makes the memory of all of them.
void gang_add_privates(struct gang *g);
// The address that `gep`, of a variable by units, makes: lane 0's, or one for each lane.
LLVMValueRef gang_private_address(struct gang *g, LLVMValueRef gep);
LLVMValueRef gang_private_addresses(struct gang *g, LLVMValueRef gep);

#endif // TF_COMPILER_WORKGROUP_GANG_VALUE_GANG_EMIT_H
