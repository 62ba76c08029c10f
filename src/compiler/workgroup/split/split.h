// SPDX-License-Identifier: MIT
// Kernels with barriers as loops: the function of one work-item, or of one gang of items,
// is cut at its barriers, and a loop over the items of the group runs each part. Values
// that live across a barrier wait in context memory, one element an item.
//
// Terms: an item is what one call of the given function runs, one work-item or one gang.
// An entry is a block where a part begins: the start, the block after each barrier, and
// blocks to which all items go together. A barrier region (here: region) is what is
// reached from an entry before the next one. A turn is one run of one item through one
// region.
#ifndef TF_COMPILER_WORKGROUP_SPLIT_SPLIT_H
#define TF_COMPILER_WORKGROUP_SPLIT_SPLIT_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

#include "compiler/workgroup/kernel/wg.h"

// Memory of struct tf_worker.scratch that a group needs: fixed + gangs * gang, where
// gangs = ceil(local_size[0] / width) * local_size[1] * local_size[2], those of a pack
// one by one.
struct tf_split_memory {
    uint64_t fixed_bytes, gang_bytes;
    bool is_straight; // the loops over the gangs are to be unrolled
};

struct tf_split_in {
    LLVMValueRef function; // parameters of an item function, and `lanes` if masked
    unsigned width;        // work-items of one call, consecutive in dimension 0
    bool masked;           // the last parameter is the number of items that exist
    bool mostly_whole;     // masked: all gangs of a row but the last one have all items
    bool linear;           // lid0 is a linear id: the group is one row
    unsigned rows;  // of one call, all whole and consecutive in dimension 1; 0: one
    unsigned gangs; // of a group, in one row, where the kernel demands that; or 0
};

// Makes the function that runs one whole group:
//     void (launch, worker, group, values, privates)
// where the last two both are the worker's scratch memory, aligned to
// TF_LONG16_BYTES. NULL when the parts would become too large or there is something
// that cannot be cut; `in->function` then does what it did before. It is not deleted.
LLVMValueRef tf_wg_split(struct tf_wg *wg, const struct tf_split_in *in,
                         struct tf_split_memory *memory);

#endif // TF_COMPILER_WORKGROUP_SPLIT_SPLIT_H
