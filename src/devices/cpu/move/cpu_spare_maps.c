// SPDX-License-Identifier: MIT
// A slot is one word, so that taking and giving are one exchange each: the address of a
// mapping, which ends with the twelve zeros of a page, and in their place the steps of
// its length.
#include "devices/cpu/move/cpu_spare_maps.h"

#include <stdatomic.h>
#include <stdint.h>
#include <sys/mman.h>

enum {
    SLOTS = 4,
    // A system that counts address space as memory counts these.
    MAX_STEPS = (256 << 20) / TF_SPARE_MAP_STEP_BYTES,
    STEPS_MASK = 0xfff,
};

static _Atomic uint64_t slots[SLOTS]; // 0: empty
static atomic_uint next_slot;         // which is given up where all are full

_Static_assert(MAX_STEPS <= STEPS_MASK, "a length that its bits do not hold");

// A kept mapping's bytes come to its taker through the exchange: acquire and release.
static bool take(_Atomic uint64_t *slot, uint64_t word)
{
    return atomic_compare_exchange_strong_explicit(slot, &word, 0, memory_order_acquire,
                                                   memory_order_relaxed);
}

static void unmap(uint64_t word)
{
    if (word)
        munmap((void *)(uintptr_t)(word & ~(uint64_t)STEPS_MASK),
               (word & STEPS_MASK) * TF_SPARE_MAP_STEP_BYTES);
}

void *tf_spare_map_take(size_t bytes)
{
    for (unsigned i = 0; i < SLOTS; i++) {
        const uint64_t word = atomic_load_explicit(&slots[i], memory_order_relaxed);

        if (word && (word & STEPS_MASK) * TF_SPARE_MAP_STEP_BYTES == bytes &&
            take(&slots[i], word))
            return (void *)(uintptr_t)(word & ~(uint64_t)STEPS_MASK);
    }
    return NULL;
}

void tf_spare_map_give(void *block, size_t bytes, bool is_touched)
{
    const size_t steps = bytes / TF_SPARE_MAP_STEP_BYTES;
    const uint64_t word = (uint64_t)(uintptr_t)block | steps;
    uint64_t empty = 0;
    unsigned oldest;

    // Locked pages cannot be given back.
    if (bytes % TF_SPARE_MAP_STEP_BYTES != 0 || steps > MAX_STEPS ||
        (is_touched && madvise(block, bytes, MADV_DONTNEED) != 0)) {
        munmap(block, bytes);
        return;
    }
    for (unsigned i = 0; i < SLOTS; i++, empty = 0)
        if (atomic_compare_exchange_strong_explicit(
                &slots[i], &empty, word, memory_order_release, memory_order_relaxed))
            return;
    oldest = atomic_fetch_add_explicit(&next_slot, 1, memory_order_relaxed) % SLOTS;
    unmap(atomic_exchange_explicit(&slots[oldest], word, memory_order_acq_rel));
}

bool tf_spare_maps_drop(void)
{
    bool any = false;

    for (unsigned i = 0; i < SLOTS; i++) {
        const uint64_t word =
            atomic_exchange_explicit(&slots[i], 0, memory_order_acquire);

        unmap(word);
        any |= word != 0;
    }
    return any;
}
