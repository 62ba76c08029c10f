// SPDX-License-Identifier: MIT
// Whether it pays that a thread takes launches from another's stack (cpu_ready.h). To
// hand one over costs as much as to run a short one, on either side, so threads that take
// some note how long these keep them busy, with all that they enqueue: where that is a
// moment, others are left alone until they have far more.
#ifndef TF_DEVICES_CPU_QUEUE_CPU_WORTH_H
#define TF_DEVICES_CPU_QUEUE_CPU_WORTH_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

enum {
    TF_WORTH_SAMPLE = 64,    // one launch of so many is timed
    TF_WORTH_LOOK = 8,       // after so many a thread from which nobody takes looks again
    TF_WORTH_TRY = 4096,     // and after so many all try again anyway
    TF_WORTH_LONG_NS = 1000, // is worth it everywhere
};

// Of all launches of a family.
struct tf_worth {
    // Others take from a stack that holds so many: 1, or more as long as what was taken
    // last was not worth it. Relaxed: it decides nothing but who runs what.
    atomic_uint least;
};

// What a thread knows. All zeros at first.
struct tf_worth_view {
    uint64_t taken_ns; // when it took something from others
    unsigned taken;    // so many; 0: nothing
    unsigned least;    // at that time
    unsigned begun;    // launches
    uint64_t look_ns;  // its last look; 0: there was none
};

static inline void tf_worth_init(struct tf_worth *worth)
{
    atomic_init(&worth->least, 1);
}

static inline unsigned tf_worth_least(const struct tf_worth *worth)
{
    return atomic_load_explicit(&worth->least, memory_order_relaxed);
}

// It has taken so many from a stack that held `least`.
void tf_worth_taken(struct tf_worth_view *view, unsigned taken, unsigned least,
                    uint64_t now_ns);
// It has done all that it had.
void tf_worth_idle(struct tf_worth *worth, struct tf_worth_view *view, uint64_t now_ns);

bool tf_worth_look(struct tf_worth *worth, struct tf_worth_view *view, uint64_t now_ns);

// It begins a launch. *is_sample: it is to take the time of starting it. True: where
// nothing was taken it is time for tf_worth_look(), which says whether others shall know
// again of what there is.
static inline bool tf_worth_begin(const struct tf_worth *worth,
                                  struct tf_worth_view *view, bool *is_sample)
{
    view->begun++;
    *is_sample = view->begun % TF_WORTH_SAMPLE == 0;
    return view->begun % TF_WORTH_LOOK == 0 && tf_worth_least(worth) > 1;
}

// How long it took to start a launch: the same for all kernels, it tells how fast this
// processor is.
void tf_worth_started(uint64_t ns);

#endif // TF_DEVICES_CPU_QUEUE_CPU_WORTH_H
