// SPDX-License-Identifier: MIT
#include "devices/cpu/queue/cpu_worth.h"

enum {
    STARTS = 7,       // take as long as what is just worth it
    UNKNOWN_NS = 300, // as long as it is not known how long one takes
    GROWTH = 16,      // of `least`
    MOST = 65536,     // more than a stack holds
};

// The least that was seen; 0: none.
static atomic_uint start_ns;

static void set_least(struct tf_worth *worth, unsigned least)
{
    if (tf_worth_least(worth) != least)
        atomic_store_explicit(&worth->least, least, memory_order_relaxed);
}

void tf_worth_started(uint64_t ns)
{
    const unsigned least_ns = atomic_load_explicit(&start_ns, memory_order_relaxed);

    // 0 where the clock is coarse.
    if (ns > 0 && (least_ns == 0 || ns < least_ns))
        atomic_store_explicit(&start_ns, (unsigned)ns, memory_order_relaxed);
}

// What keeps a thread busy for so long is worth it.
static uint64_t limit_ns(void)
{
    const uint64_t each_ns = atomic_load_explicit(&start_ns, memory_order_relaxed);
    const uint64_t ns = each_ns > 0 ? STARTS * each_ns : UNKNOWN_NS;

    return ns < TF_WORTH_LONG_NS ? ns : TF_WORTH_LONG_NS;
}

void tf_worth_taken(struct tf_worth_view *view, unsigned taken, unsigned least,
                    uint64_t now_ns)
{
    view->taken = taken;
    view->least = least;
    view->taken_ns = now_ns;
}

void tf_worth_idle(struct tf_worth *worth, struct tf_worth_view *view, uint64_t now_ns)
{
    if (view->taken == 0)
        return;
    if ((now_ns - view->taken_ns) / view->taken >= limit_ns())
        set_least(worth, 1);
    else if (view->least < MOST)
        set_least(worth, view->least * GROWTH);
    view->taken = 0;
}

bool tf_worth_look(struct tf_worth *worth, struct tf_worth_view *view, uint64_t now_ns)
{
    const bool is_long =
        view->look_ns > 0 &&
        now_ns - view->look_ns >= (uint64_t)TF_WORTH_LOOK * TF_WORTH_LONG_NS;

    view->look_ns = now_ns;
    if (!is_long && view->begun % TF_WORTH_TRY != 0)
        return false;
    view->look_ns = 0;
    set_least(worth, 1);
    return true;
}
