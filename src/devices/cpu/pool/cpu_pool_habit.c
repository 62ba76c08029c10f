// SPDX-License-Identifier: MIT
#include "devices/cpu/pool/cpu_pool_habit.h"

#include "base/time.h"

// A worker should have had the run that was left. `is_costly`: for long.
static void break_habit(struct tf_pool_habit *habit, bool is_costly)
{
    const unsigned needed = habit->needed ? habit->needed : TF_HABIT_LEAST;

    habit->streak = habit->waits = 0;
    habit->left_ns = 0;
    if (is_costly && needed < TF_HABIT_MOST)
        habit->needed = needed * 2;
}

static void count(struct tf_pool_habit *habit)
{
    if (habit->streak < TF_HABIT_MOST)
        habit->streak++;
}

// Where it has been kept for long, one that was broken counts for less.
static void count_wait(struct tf_pool_habit *habit)
{
    count(habit);
    if (++habit->waits < TF_HABIT_LONG)
        return;
    habit->waits = 0;
    if (habit->needed > TF_HABIT_LEAST)
        habit->needed /= 2;
}

bool tf_habit_leaves(struct tf_pool_habit *habit, bool is_only)
{
    const bool was_waited_for = !habit->is_fresh, was_taken = habit->is_taken;

    habit->is_fresh = true;
    habit->is_taken = false;
    if (habit->left_ns > 0) {
        break_habit(habit, true);
        return false;
    }
    // Where a worker was faster its thread may have waited all the same.
    if (!was_waited_for && was_taken)
        count(habit);
    else if (!was_waited_for)
        habit->streak = habit->waits = 0;
    if (!is_only || !habit->has_napper || !tf_habit_holds(habit))
        return false;
    habit->left_ns = tf_time_ns();
    habit->naps = 0;
    return true;
}

bool tf_habit_waits(struct tf_pool_habit *habit, bool takes_run, uint64_t now_ns)
{
    const bool was_left = habit->left_ns > 0;

    if (habit->is_fresh)
        count_wait(habit);
    habit->is_fresh = false;
    if (was_left && (!takes_run || now_ns - habit->left_ns > TF_HABIT_PROMPT_NS))
        break_habit(habit, false);
    habit->left_ns = 0;
    return was_left && !takes_run;
}

void tf_habit_taken(struct tf_pool_habit *habit)
{
    habit->is_taken = true;
    if (habit->left_ns > 0)
        break_habit(habit, true);
}

void tf_habit_napped(struct tf_pool_habit *habit)
{
    if (++habit->naps >= TF_HABIT_NAPS)
        habit->streak = 0;
}
