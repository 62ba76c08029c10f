// SPDX-License-Identifier: MIT
// The processor as the plan of a gang sees it: what its vectors can do, and what that
// costs. Nothing else of the work-group compiler compares widths of registers or knows
// the price of an operation.
#ifndef TF_COMPILER_WORKGROUP_TARGET_TARGET_H
#define TF_COMPILER_WORKGROUP_TARGET_TARGET_H

#include <stdbool.h>
#include <stdint.h>

// Tenths of a cycle that an operation adds to others around it: its share of the
// processor's time, not how long it takes by itself.
struct tf_costs {
    unsigned scalar;        // an instruction, an access in the first cache
    unsigned vector;        // on one register
    unsigned shuffle;       // of two registers into one, from any elements to any
    unsigned small_shuffle; // the same of bytes
    unsigned division;      // of floating-point numbers, and square roots: one register
    unsigned scalar_division;
    unsigned integer_division; // of any kind, one by one
    unsigned by_constant;      // an integer by a constant: a product
    unsigned long_division;    // of 64 bits, but for the division of doubles itself
    unsigned gather;           // an element, by the instruction
    unsigned scatter;          // an element
    unsigned slow_element;     // gathered without an instruction for it
    unsigned own_element;      // the same where no lane has to be left out
    // Stored without an instruction: lanes that do not store have a place of their own,
    // and no branch. Always so in private memory.
    unsigned own_store;
    unsigned own_wait; // of an item, for what it stored a moment ago
    unsigned masked;   // times the cost without a mask
    unsigned atomic;
    // Of local memory: no lock. Increments at addresses out of vectors come so close
    // after each other that loads run ahead of stores to the same place, and are done
    // again.
    unsigned local_atomic, local_atomic_lane;
    // Of an item: its turn ends in one loop over the items and begins in the next.
    unsigned barrier;
    unsigned call;
    unsigned lane_loop; // more, each lane
    // The same of a change that locks: nothing else goes on meanwhile.
    unsigned atomic_lane;
    unsigned branch; // that makes masks
    unsigned missed; // of a scalar branch, on average
    // The same, that goes one way as often as the other: half of what a wrong guess
    // takes, some 15 cycles.
    unsigned unguessed;
    // How long an operation takes by itself: of chains, in which each waits for another.
    unsigned add_latency, division_latency, load_latency, move_latency;
    unsigned product_latency,
        long_product_latency; // of integers, up to 32 bits and longer
    // Of a scalar from the first cache; and of global memory, where what one round finds
    // says what the next one loads: lists and trees lie in the second and third cache.
    unsigned item_load_latency, item_far_latency;
    // Of vectors of up to 256 bits and of wider ones, operations that start in a cycle:
    // what chains leave unused.
    unsigned at_once, wide_at_once;
};

struct tf_target {
    const char *family;     // whose costs they are
    unsigned vector_bits;   // of a register
    unsigned registers;     // that values may take: a few hold constants and addresses
    unsigned at_once;       // vector operations that start in a cycle
    bool gathers, scatters; // elements of 4 and 8 bytes
    bool gathers_masked;    // the same of some lanes only
    bool gathers_fast;      // faster than loads one by one: AVX-512, by the costs
    bool permutes;          // elements of 4 bytes, freely
    bool permutes_long;     // of 8 bytes, too, of two registers
    bool permutes_short;    // of 2 bytes, of two registers
    unsigned masked_bytes;  // the smallest element that memory has masks for; 0: none
    bool masks_free;        // an access with a mask costs what one without does
    // Stores of whole registers that go out in two halves: what only waits for memory
    // does better with this width. 0: none.
    unsigned stream_bits;
    // Bytes that neighbouring loads of whole registers take at once, where the processor
    // then does not see that they go on through memory, and fetches nothing ahead. 0: it
    // sees all.
    unsigned unseen_bytes;
    struct tf_costs costs;
};

// `model` is LLVM's name of the processor ("znver4") or NULL where that is not known;
// `vector_bits` what its level of instructions has.
struct tf_target tf_target_of(const char *model, unsigned vector_bits);
// The same processor with narrower registers.
struct tf_target tf_target_narrow(const struct tf_target *target, unsigned vector_bits);
// Whether memory has masks for elements of that size.
bool tf_target_masks(const struct tf_target *target, uint64_t element_bytes);

#endif // TF_COMPILER_WORKGROUP_TARGET_TARGET_H
