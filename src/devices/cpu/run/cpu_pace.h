// SPDX-License-Identifier: MIT
// How long launches of a kernel take. One that the last of its kind lets expect to be
// over before another thread is awake stays with the thread that has it: to wake one, and
// to wait for it, would cost more than the launch. If it takes longer, others are called.
#ifndef TF_DEVICES_CPU_RUN_CPU_PACE_H
#define TF_DEVICES_CPU_RUN_CPU_PACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct tf_devprog;

enum {
    TF_PACE_SHORT_NS = 10000, // for one thread
    TF_PACE_LATE_NS = 15000,  // by then it is none
};

// All work-items of a launch have taken threads `busy_ns` in all.
void tf_pace_note(const struct tf_devprog *prog, size_t index, uint64_t items,
                  uint64_t busy_ns);
// Whether a launch of so many work-items is short, as far as is known.
bool tf_pace_is_short(const struct tf_devprog *prog, size_t index, uint64_t items);

#endif // TF_DEVICES_CPU_RUN_CPU_PACE_H
