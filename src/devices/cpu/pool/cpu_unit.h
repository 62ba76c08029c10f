// SPDX-License-Identifier: MIT
// A unit of work: the work of one command, in equal pieces that any number of threads
// take at the same time. Whoever has such work embeds one: a kernel launch, whose pieces
// are work-groups, or a large copy.
#ifndef TF_DEVICES_CPU_POOL_CPU_UNIT_H
#define TF_DEVICES_CPU_POOL_CPU_UNIT_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"
#include "core/platform/device_interface.h"

// Where threads take so many pieces at a time they begin at whole multiples of EVEN:
// work-groups of one item would else begin anywhere in a cache line, and all accesses of
// their lanes cross two.
enum { TF_UNIT_MANY = 1024, TF_UNIT_EVEN = 64 };

// Pieces from `next` to `end`, in a cache line of their own. Threads on one processor
// begin with the same share in unit after unit, so that they find in its caches what the
// one before has left there (E. Markatos and T. LeBlanc, Using processor affinity in loop
// scheduling on shared-memory multiprocessors, 1994), and go on with those of others.
enum { TF_UNIT_MOST_SHARES = 64, TF_UNIT_SHARE_DIVISOR = 8 };
struct tf_unit_share {
    _Alignas(64) _Atomic uint64_t next;
    uint64_t end; // constant
};

struct tf_pool;
struct tf_exec; // what one thread needs to work; the pool's client defines it

struct tf_unit {
    // The client's, constant from tf_pool_offer() on.
    bool lasts;        // pieces may come again (tf_pool_renew())
    uint64_t total;    // pieces
    uint64_t divisor;  // a thread takes what is left divided by this at a time
    uint64_t together; // up to a multiple of so many pieces; 0: of one
    // All pieces, for units of which tf_unit_take_near() alone takes; else 0.
    struct tf_unit_share *shares;
    unsigned share_count;
    // NULL, or where it is to be offered if it turns out to take long: by the thread that
    // has it, alone, until then.
    struct tf_pool *later;
    bool is_short;           // it is expected not to
    struct tf_command *cmd;  // whose work it is
    struct tf_command *rest; // commands of the same run that come after it
    // Works until no piece is left. False, and nothing was done, when the thread has not
    // enough memory for it.
    bool (*run)(struct tf_unit *unit, struct tf_exec *exec);
    // By the last thread to leave, whose unit it is then: ends the command. Returns what
    // is left of the run.
    struct tf_command *(*ended)(struct tf_unit *unit, struct tf_exec *exec);

    // The pool's, under its lock.
    struct tf_unit *next, *prev;
    unsigned users; // threads that may touch the unit
    bool listed;
    bool is_shared; // other threads have seen it; written before they did

    // Relaxed: pieces carry no data to each other. What was written in them reaches the
    // end of the unit through the pool's lock.
    // Each has a cache line for itself.
    _Alignas(64) _Atomic uint64_t next_piece;
    char behind_next_piece[64 - sizeof(uint64_t)];
    atomic_int status; // CL_COMPLETE until something fails
    char behind_status[64 - sizeof(atomic_int)];
};

// The end of `count` pieces from `at` on: where the next thread shall begin.
static inline uint64_t tf_unit_end(const struct tf_unit *unit, uint64_t at,
                                   uint64_t count)
{
    const uint64_t beyond = (at + count) % unit->together;
    const uint64_t end = at + count + (beyond ? unit->together - beyond : 0);

    return end < unit->total ? end : unit->total;
}

// Whether multiples of EVEN are multiples of what belongs together.
static inline bool tf_unit_may_be_even(const struct tf_unit *unit)
{
    return unit->together <= 1 ||
           (unit->together <= TF_UNIT_EVEN && TF_UNIT_EVEN % unit->together == 0);
}

// Takes some of the pieces from *next to `end`.
static inline TF_NODISCARD bool tf_unit_take_of(const struct tf_unit *unit,
                                                _Atomic uint64_t *next, uint64_t end,
                                                uint64_t most, uint64_t *first,
                                                uint64_t *count)
{
    uint64_t at = atomic_load_explicit(next, memory_order_relaxed);

    do {
        if (at >= end)
            return false;
        *count = (end - at) / unit->divisor;
        if (*count == 0)
            *count = 1;
        if (unit->together > 1)
            *count = tf_unit_end(unit, at, *count) - at;
        if (*count > most)
            *count = most;
        if (*count >= TF_UNIT_MANY && tf_unit_may_be_even(unit))
            *count -= *count % TF_UNIT_EVEN;
    } while (!atomic_compare_exchange_weak_explicit(
        next, &at, at + *count, memory_order_relaxed, memory_order_relaxed));
    *first = at;
    return true;
}

// Takes the next pieces: many at first, single ones at the end, so that threads end at
// about the same time; `most` at a time. False when none is left. Inlined: a short kernel
// is taken in 50 pieces within a microsecond.
static inline TF_NODISCARD bool tf_unit_take_at_most(struct tf_unit *unit, uint64_t most,
                                                     uint64_t *first, uint64_t *count)
{
    return tf_unit_take_of(unit, &unit->next_piece, unit->total, most, first, count);
}

// The same of a unit that may have shares: of the one with the number *near, or of one
// that is left behind it, whose number *near is then. Any number will do to begin with.
static inline TF_NODISCARD bool tf_unit_take_near(struct tf_unit *unit, unsigned *near,
                                                  uint64_t most, uint64_t *first,
                                                  uint64_t *count)
{
    if (unit->share_count == 0)
        return tf_unit_take_at_most(unit, most, first, count);
    for (unsigned i = 0; i < unit->share_count; i++, ++*near) {
        struct tf_unit_share *share;

        *near %= unit->share_count;
        share = &unit->shares[*near];
        if (tf_unit_take_of(unit, &share->next, share->end, most, first, count))
            return true;
    }
    return false;
}

static inline TF_NODISCARD bool tf_unit_take(struct tf_unit *unit, uint64_t *first,
                                             uint64_t *count)
{
    return tf_unit_take_at_most(unit, UINT64_MAX, first, count);
}

// Deals all pieces out to `count` shares, if that is more than one and there are enough:
// whole multiples of what belongs together, and of whole cache lines where there are
// many. Before others know of the unit. `shares` has room for so many and lives as long
// as the unit.
void tf_unit_deal(struct tf_unit *unit, struct tf_unit_share *shares, unsigned count);
// Where the calling thread begins, for tf_unit_take_near().
unsigned tf_unit_nearest(const struct tf_unit *unit);

static inline unsigned tf_unit_most_shares(unsigned threads)
{
    return threads < TF_UNIT_MOST_SHARES ? threads : TF_UNIT_MOST_SHARES;
}

// Pieces that nobody has begun.
static inline uint64_t tf_unit_left(const struct tf_unit *unit)
{
    const uint64_t next = atomic_load_explicit(&unit->next_piece, memory_order_relaxed);
    uint64_t left = 0;

    if (unit->share_count == 0)
        return next < unit->total ? unit->total - next : 0;
    for (unsigned i = 0; i < unit->share_count; i++)
        left += unit->shares[i].end -
                atomic_load_explicit(&unit->shares[i].next, memory_order_relaxed);
    return left;
}

static inline bool tf_unit_is_left(const struct tf_unit *unit)
{
    for (unsigned i = 0; i < unit->share_count; i++)
        if (atomic_load_explicit(&unit->shares[i].next, memory_order_relaxed) <
            unit->shares[i].end)
            return true;
    return unit->share_count == 0 &&
           atomic_load_explicit(&unit->next_piece, memory_order_relaxed) < unit->total;
}

// Nobody takes another piece; the first failure is the unit's status.
static inline void tf_unit_fail(struct tf_unit *unit, cl_int status)
{
    int complete = CL_COMPLETE;

    atomic_compare_exchange_strong_explicit(&unit->status, &complete, status,
                                            memory_order_relaxed, memory_order_relaxed);
    atomic_store_explicit(&unit->next_piece, unit->total, memory_order_relaxed);
    for (unsigned i = 0; i < unit->share_count; i++)
        atomic_store_explicit(&unit->shares[i].next, unit->shares[i].end,
                              memory_order_relaxed);
}

static inline cl_int tf_unit_status(const struct tf_unit *unit)
{
    return atomic_load_explicit(&unit->status, memory_order_relaxed);
}

#endif // TF_DEVICES_CPU_POOL_CPU_UNIT_H
