// SPDX-License-Identifier: MIT
// What the lanes of a gang know of each value: whether all have the same, or values at
// equal distances, or anything; and where control diverges, so that blocks must run under
// masks.
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_SHAPE_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_SHAPE_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/ir/roots.h"
#include "compiler/job/arena.h"
#include "compiler/workgroup/analysis/cfg.h"
#include "compiler/workgroup/analysis/private.h"

enum tf_shape_kind {
    TF_SHAPE_TOP,    // not known yet; nothing is when the analysis is over
    TF_SHAPE_AFFINE, // lane i has lane 0's value + i * stride, modulo 2^bits
    TF_SHAPE_VARYING,
};

struct tf_shape {
    enum tf_shape_kind kind;
    int64_t stride; // of pointers in bytes; 0 for all other types than integers
    // VARYING only: affine with `stride` after all if the operand of this extension (or
    // shift) does not wrap from lane to lane, or an argument that this product, or one
    // that the operand is made of, spaces lanes out by is 1 (index.h). Only the run can
    // tell. Or NULL.
    LLVMValueRef unless;
};

struct tf_elementwise; // compiler/ir/elementwise.h

struct tf_value {
    LLVMValueRef instruction;
    LLVMOpcode opcode;
    unsigned block;
    uint64_t bytes; // of the result, or of what is stored
    const unsigned
        *operands; // their indices in values; TF_MAP_NONE: what is none of them
    unsigned operand_count;
    bool is_ordered; // a load or store that is volatile or atomic
    // Of a call: what it calls.
    enum tf_root root;
    const struct tf_elementwise *elementwise; // NULL: another function
    bool is_marker;
    struct tf_shape shape;
    bool crosses; // used in another block, or in one with a barrier
    // What most gangs see of it may be taken for granted; and is, so that `shape` is not
    // what its operands make.
    bool assumable, assumed;
};

// A divergent region.
struct tf_region {
    unsigned exit; // first block behind it; block_count: the end of the function
    bool has_barrier;
};

struct tf_shapes {
    struct tf_arena *arena;
    const struct tf_cfg *cfg;
    LLVMTargetDataRef layout;
    struct tf_value *values;
    unsigned value_count;
    unsigned
        *first; // per block: index of its first value, those of a block are neighbours
    struct tf_map number; // instruction -> index in values
    bool turned;          // lanes are neighbours in dimension 1
    unsigned gang_lanes;  // that gangs will have, where something is assumed
    // That gangs have at most, a power of two, where each begins at a multiple of its
    // lanes; 0: that is not known (aligned.h).
    unsigned most_lanes;
    struct tf_privates privates; // how variables lie
    // Per block: the divergent region it belongs to, or TF_CFG_NONE: executed by all
    // lanes or none.
    unsigned *region_of;
    struct tf_region *regions;
    unsigned region_count;
    bool *divergent;        // per loop: lanes leave it at different times
    bool *reached, *wanted; // per block, of the region that grows (region.c)
};

// Everything lies in the arena. `fn` is wg->item->wide: ids are calls of tf_lid<d>,
// tf_gid<d>. `turned`: lanes are neighbours in dimension 1.
void tf_shapes_init(struct tf_shapes *s, struct tf_arena *arena, const struct tf_cfg *cfg,
                    LLVMValueRef fn, bool turned);

// The two steps of it: values with numbers, of which nothing is known; then their shapes.
void tf_shapes_start(struct tf_shapes *s, struct tf_arena *arena,
                     const struct tf_cfg *cfg, LLVMValueRef fn, bool turned);
void tf_shapes_find(struct tf_shapes *s);
// The first step for a second look at the same function, as long as `other` is there.
void tf_shapes_start_again(struct tf_shapes *s, const struct tf_shapes *other,
                           struct tf_arena *arena);

// The operand, as far as it is an instruction of the function; else NULL.
static inline struct tf_value *tf_operand(const struct tf_shapes *s,
                                          const struct tf_value *v, unsigned at)
{
    return v->operands[at] == TF_MAP_NONE ? NULL : &s->values[v->operands[at]];
}
// Its shape; constants and arguments are uniform.
static inline struct tf_shape tf_operand_shape(const struct tf_shapes *s,
                                               const struct tf_value *v, unsigned at)
{
    const struct tf_value *operand = tf_operand(s, v, at);

    return operand ? operand->shape : (struct tf_shape){.kind = TF_SHAPE_AFFINE};
}

// The values of a block are those from the first one up to the end, in their order.
struct tf_value *tf_block_first(const struct tf_shapes *s, unsigned block);
struct tf_value *tf_block_end(const struct tf_shapes *s, unsigned block);
// Whether it is an instruction of the block: operands of these, and what crosses blocks,
// are kept for code that is made there.
bool tf_is_of_block(const struct tf_shapes *s, LLVMValueRef value, unsigned block);
// Of any operand; constants and arguments are uniform.
struct tf_shape tf_shape_of(const struct tf_shapes *s, LLVMValueRef value);
// The same for all lanes.
bool tf_is_uniform(const struct tf_shapes *s, LLVMValueRef value);
// NULL for what is no instruction of the function.
struct tf_value *tf_shape_value(const struct tf_shapes *s, LLVMValueRef value);

// The id root that `call` is: 0..2 tf_lid<d>, 3..5 tf_gid<d>; -1 none.
int tf_shape_root(LLVMValueRef call);
int tf_value_id(const struct tf_value *v);
// The same, with dimension 0 that of the lanes.
int tf_lane_id(const struct tf_shapes *s, const struct tf_value *v);
bool tf_is_barrier(const struct tf_value *v);
// Of a call that touches no memory: a mark, an id, or one done for each lane by itself.
bool tf_touches_no_memory(const struct tf_value *call);
// Whether it is the minimum or maximum of two integers.
bool tf_shape_is_limit(LLVMValueRef call);

// The mark in packed functions (prepare/pack_clone.c) that stands for "the rows disagree:
// run them apart".
bool tf_pack_is_apart(LLVMValueRef call);
// Whether the branch at the end of the block asks for the rows. Shapes take it for one
// that lanes take together; a pack is made only if that is so.
bool tf_pack_asks(const struct tf_cfg *cfg, unsigned block);

// ---- between the files of the analysis

// The shape that the operands' shapes make (shape_transfer.c).
struct tf_shape tf_shape_transfer(const struct tf_shapes *s, const struct tf_value *v);
// Bytes from one lane's share of the variable to the next one's: of its first unit, or of
// the whole (shape_transfer.c).
int64_t tf_private_stride(const struct tf_shapes *s, LLVMValueRef variable);
// Whether what most gangs see of `v`, which varies, can be taken for granted as its
// operands are (index.c): an integer comparison gives the same in all lanes, a minimum
// or maximum of an affine value and a uniform one is the affine value; a quotient by a
// uniform value is the same in all lanes, a remainder, or the affine value's bits under a
// mask, keep its distances; a coordinate in floating point becomes indices at equal
// distances. *shape: what it has then.
bool tf_shape_assume(const struct tf_shapes *s, const struct tf_value *v,
                     struct tf_shape *shape);
// True if all lanes' values, taken as numbers with sign (or without), are at equal
// distances: none wraps (no_wrap.c).
bool tf_lanes_keep_order(const struct tf_shapes *s, LLVMValueRef value, bool with_sign);
// True of a value that such an answer takes to be what the program promises: it is signed
// arithmetic that does not overflow in the lanes that are active, or passes it on.
bool tf_rests_on_promise(const struct tf_shapes *s, LLVMValueRef value);
// Marks what the divergence of the branch at the end of `block` makes varying, the loops
// that become divergent, and the region (region.c).
void tf_region_diverge(struct tf_shapes *s, unsigned block);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_SHAPE_H
