// SPDX-License-Identifier: MIT
// Whether the application's threads wait for each command as soon as they have enqueued
// it. They do it themselves then, before a worker would be awake, and to wake one costs
// more than a short command: such a run is left to its thread, and one worker naps, which
// is to look every so often whether it lies there still. All of it under the pool's lock.
#ifndef TF_DEVICES_CPU_POOL_CPU_POOL_HABIT_H
#define TF_DEVICES_CPU_POOL_CPU_POOL_HABIT_H

#include <stdbool.h>
#include <stdint.h>

enum {
    TF_HABIT_LEAST = 4,        // times in a row make one
    TF_HABIT_MOST = 65536,     // where it was broken often
    TF_HABIT_LONG = 256,       // after so many waits half as many are asked for again
    TF_HABIT_PROMPT_NS = 5000, // who comes later does something else meanwhile
    TF_HABIT_NAP_NS = 200000,  // that a run may lie there
    TF_HABIT_NAPS = 8,         // for nothing, and the habit is forgotten
};

// All zero at first.
struct tf_pool_habit {
    unsigned streak;  // times in a row
    unsigned waits;   // of them, for what nobody else had done
    unsigned needed;  // for a habit; 0: LEAST
    bool is_fresh;    // something was enqueued, and not waited for since
    bool is_taken;    // a worker has taken it
    bool has_napper;  // a worker that naps
    unsigned naps;    // since a run was left to its thread
    uint64_t left_ns; // when a run was, which still lies there; 0: none
};

static inline bool tf_habit_holds(const struct tf_pool_habit *habit)
{
    return habit->streak >= (habit->needed ? habit->needed : TF_HABIT_LEAST);
}

// A thread of the application's adds a run; `is_only`: nothing else waits. True: it is
// left to that thread, nobody is to be woken.
bool tf_habit_leaves(struct tf_pool_habit *habit, bool is_only);
// A thread of the application's waits, and takes a run or not. True: what was left to it
// is not for it, somebody is to be woken. The time counts where a run was left.
bool tf_habit_waits(struct tf_pool_habit *habit, bool takes_run, uint64_t now_ns);
// A worker has taken a run.
void tf_habit_taken(struct tf_pool_habit *habit);
// A nap is over, and there is nothing to do.
void tf_habit_napped(struct tf_pool_habit *habit);

#endif // TF_DEVICES_CPU_POOL_CPU_POOL_HABIT_H
