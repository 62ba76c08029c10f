// SPDX-License-Identifier: MIT
// Stacks of launches that may begin, one for each thread that works on a family
// (family/cpu_family.h). A thread puts what its kernels enqueue on top of its own and
// takes from there; one that has nothing left takes the oldest of another's, which lead
// to the most work (Blumofe, Leiserson: Scheduling multithreaded computations by work
// stealing, 1999). Nobody takes a lock: both ends are in one word, which each call
// changes once. As long as others would take nothing, a thread keeps its latest few to
// itself, which costs it no change of that word.
#ifndef TF_DEVICES_CPU_QUEUE_CPU_READY_H
#define TF_DEVICES_CPU_QUEUE_CPU_READY_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

// In what is put on a stack; of one stack at a time.
struct tf_ready_node {
    struct tf_ready_node *below; // in a list that is put there
};

enum {
    TF_READY_FIRST = 64,   // places of a new stack
    TF_READY_MOST = 32768, // that it may grow to
    TF_READY_STOLEN = 16,  // at a time, at most
    TF_READY_KEPT = 16,    // to itself
};

// A power of two of places, for the positions of a stack by turns.
struct tf_ready_places {
    uint32_t count;
    struct tf_ready_places *older; // owned: a thief may still read there
    _Atomic(struct tf_ready_node *) *nodes;
};

struct tf_ready {
    // Positions of 16 bits: of the oldest, and behind the latest; between them how often
    // something was taken: what a thief has read is out of date if that has changed.
    _Alignas(64) _Atomic uint64_t ends;
    _Atomic(struct tf_ready_places *) places; // the owner's to change
    // The owner's alone: above all others, the latest last.
    _Alignas(64) unsigned kept_count;
    struct tf_ready_node *kept[TF_READY_KEPT];
    _Alignas(64) struct tf_ready_places first;
    _Atomic(struct tf_ready_node *) first_nodes[TF_READY_FIRST];
};

void tf_ready_init(struct tf_ready *ready);
void tf_ready_finish(struct tf_ready *ready);

// By the owner, who keeps nothing: puts what is linked by `below` from `first` on, so
// many, on top in its order. Returns how many are there then; 0, and nothing was done,
// when there is no room and no memory for more.
unsigned tf_ready_push(struct tf_ready *ready, struct tf_ready_node *first,
                       unsigned count) TF_NODISCARD;
// By the owner: the top; NULL: there is none. With `keeps` it may keep some of those
// below.
struct tf_ready_node *tf_ready_pop(struct tf_ready *ready, bool keeps);
// By the owner: shows others the older ones of those that it keeps, up to so many.
// Returns how many they see then; 0, and nothing was done: none are kept, or there is no
// memory for more.
unsigned tf_ready_show(struct tf_ready *ready, unsigned most);
// By the owner of `to`, which is empty: takes the older half of `from`, but not more than
// TF_READY_STOLEN, which keep their order: the top of them is returned, the others go to
// `to`; where that is NULL it is one. NULL: there are fewer than `least`, 1 or more.
struct tf_ready_node *tf_ready_steal(struct tf_ready *from, struct tf_ready *to,
                                     unsigned least);

// By the owner: keeps one, on top. False: it keeps as many as it may.
static inline TF_NODISCARD bool tf_ready_keep(struct tf_ready *ready,
                                              struct tf_ready_node *node)
{
    if (ready->kept_count == TF_READY_KEPT)
        return false;
    ready->kept[ready->kept_count++] = node;
    return true;
}

// What others see. Sequentially consistent, as tf_ready_push() is.
static inline unsigned tf_ready_count(const struct tf_ready *ready)
{
    const uint64_t ends = atomic_load(&ready->ends);

    return (uint16_t)(ends - (ends >> 48));
}

#endif // TF_DEVICES_CPU_QUEUE_CPU_READY_H
