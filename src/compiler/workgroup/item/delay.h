// SPDX-License-Identifier: MIT
// Relaxed atomic changes of global memory whose results nobody reads: counts of a
// histogram, bits of a set, a maximum. A worker brings together what its work-items
// change in a table of its own, and changes memory when an entry has to go to another
// word, and at the end of the range. Plain operations on a table take a tenth of the time
// of ones that lock, and workers do not take the words from each other.
//
// Why that is right: nobody is promised when a relaxed change becomes visible, only that
// it does, in one order for each word, and to the work-item itself at once. Changes of
// one kind may come in any order. So it takes: one operation on one type in all of the
// kernel; and behind a change, on no way through the work-item, anything that could find
// out or order it (a fence, a barrier, a call, an access that might mean the word). A
// kernel with other atomic or volatile accesses of global memory might wait in a loop
// for what lies in the table; it has none.
#ifndef TF_COMPILER_WORKGROUP_ITEM_DELAY_H
#define TF_COMPILER_WORKGROUP_ITEM_DELAY_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

struct tf_wg;

// Of the entry function, all else inlined: the changes that the pass "delays" has marked
// and that stand in it go to a table. Functions that are not inlined change memory
// themselves; the two may be mixed.
bool tf_delay_changes(struct tf_wg *wg);

// The operation that brings together what an atomicrmw changes, and those of the same
// number: they come to the same in any order (a difference is a sum). Or none does.
int tf_delay_kind(LLVMValueRef change);
enum { TF_DELAY_NEVER = -1 };

// The mark: metadata of an atomicrmw. It says the reach where that is known: two numbers.
#define TF_DELAY_METADATA "tf.delay"

// Whether it is a change that was marked, and still is one that may wait.
bool tf_delay_is_marked(LLVMValueRef i, unsigned mark);

// Words that a change may mean: those that begin in the first `bytes` of a buffer.
struct tf_delay_reach {
    unsigned argument;
    uint64_t bytes;
};

// False where it is not known, or is more than a table is made for (delay_reach.c).
bool tf_delay_find_reach(const struct tf_wg *wg, LLVMValueRef fn, LLVMValueRef change,
                         struct tf_delay_reach *out);
// What the mark says. False: nothing.
bool tf_delay_read_reach(LLVMValueRef change, unsigned mark, struct tf_delay_reach *out);

// Gives all marked changes of the entry function one table with a place for each word
// that they may mean. False, and nothing was done, where that is not known, or the
// operation is one that no bytes begin with.
bool tf_delay_direct(struct tf_wg *wg, unsigned mark);

#endif // TF_COMPILER_WORKGROUP_ITEM_DELAY_H
