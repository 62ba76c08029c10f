// SPDX-License-Identifier: MIT
// Packs of gangs: the gangs of G neighbouring rows (dimension 1) run as one, so that what
// rows have in common is loaded and computed once for all of them, and the processor has
// G independent chains of operations.
//
// A pack is made in two steps: a function like wg->wide that runs one work-item of each
// of G rows, its instructions row after row (pack_clone.c); then the gang pass makes
// lanes of it as of any other. Work-items of kernels without barriers and atomics have no
// order among each other, so rows may be interleaved; what one of them does keeps its
// order. Branches must go the same way in all rows. Those that might not are asked for
// all rows before anything was written; where the rows disagree, the pack function gives
// their work to the gangs of the rows.
#ifndef TF_COMPILER_WORKGROUP_PLAN_PACK_H
#define TF_COMPILER_WORKGROUP_PLAN_PACK_H

#include "compiler/workgroup/gang/gang_emit.h"

enum { TF_PACK_MAX_ROWS = 4 };

// What a value has to do with the row, in rising order.
enum tf_pack_kind {
    TF_PACK_SHARED, // the same in all rows
    TF_PACK_AFFINE, // the row's number times a factor, plus what rows share; or a
                    // comparison of such numbers
    TF_PACK_APIECE, // anything
};

struct tf_pack {
    const struct gang *g; // wg->wide, analyzed
    unsigned rows;        // 2 or 4
    unsigned char *kinds; // per value of g->shapes: enum tf_pack_kind
    bool shares_vectors;  // in a loop: rows load the same vectors
    bool has_work;        // something depends on the row at all
};

// What rows of wg->wide have in common. False where they cannot be a pack: order matters
// (atomics, volatile accesses, calls of the unknown), or rows may go different ways
// behind a write or in a loop. `forced`: also where they do so for good reason only.
bool tf_pack_init(struct tf_pack *pack, struct gang *g, bool forced);

// A new function "tf_packed" like wg->wide: runs `pack->rows` work-items, the first with
// the ids of wg->wide, the others those after it in dimension 1.
LLVMValueRef tf_pack_clone(const struct tf_pack *pack);

// Makes wg->gang_pack, if that pays: see wg.h. wg->gang and wg->gang_masked are there.
// False after tf_wg_fail.
bool tf_wg_pack(struct tf_wg *wg);

// Of the gang pass: runs the rows of the pack that is being made apart, and leaves the
// function's work done.
void gang_run_apart(struct gang *g);
bool tf_pack_is_apart(LLVMValueRef call);
// Whether the branch at the end of the block asks for the rows. Shapes take it for one
// that lanes take together; a pack is made only if that is so.
bool tf_pack_asks(const struct tf_cfg *cfg, unsigned block);

#endif // TF_COMPILER_WORKGROUP_PLAN_PACK_H
