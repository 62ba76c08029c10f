// SPDX-License-Identifier: MIT
// Host threads that wait for events. Sleeping threads share a few conditions, so that an
// event, which few ever wait for, carries none of its own.
//
// A waiting thread counts itself in the event first and looks at the status after that;
// who changes the status looks for waiting threads after that: one of both sees it.
#include "base/thread.h"
#include "base/time.h"
#include "core/platform/device.h"
#include "core/schedule/event.h"

#include <unistd.h>

enum {
    PLACES = 16,
    SPIN_NS = 2000, // less than it takes to sleep and to be woken
    EVENT_ALIGN = 64,
};

struct place {
    struct tf_mutex lock;
    struct tf_cond changed;
    unsigned wakes TF_GUARDED_BY(&lock);
};

#define PLACE                                                      \
    {                                                              \
        TF_MUTEX_INITIALIZER(TF_RANK_LEAF), TF_COND_INITIALIZER, 0 \
    }
#define FOUR_PLACES PLACE, PLACE, PLACE, PLACE
static struct place places[PLACES] = {FOUR_PLACES, FOUR_PLACES, FOUR_PLACES, FOUR_PLACES};

static unsigned place_of(const struct _cl_event *ev)
{
    const uintptr_t n = (uintptr_t)ev / EVENT_ALIGN;

    return (unsigned)((n ^ n / PLACES ^ n / PLACES / PLACES) % PLACES);
}

static bool is_finished(cl_event ev)
{
    return atomic_load(&ev->status) <= CL_COMPLETE;
}

unsigned tf_event_place(cl_event ev)
{
    return 1u << place_of(ev);
}

unsigned tf_event_sleepers(cl_event ev)
{
    return atomic_load(&ev->waiting) > 0 ? 1u << place_of(ev) : 0;
}

void tf_event_wake(unsigned sleepers)
{
    for (struct place *place = places; sleepers; place++, sleepers >>= 1) {
        if (!(sleepers & 1))
            continue;
        tf_lock(&place->lock);
        place->wakes++;
        tf_cond_signal_all(&place->changed);
        tf_unlock(&place->lock);
    }
}

static unsigned count_wakes(struct place *place)
{
    unsigned wakes;

    tf_lock(&place->lock);
    wakes = place->wakes;
    tf_unlock(&place->lock);
    return wakes;
}

// Until the event has finished or somebody was woken since `wakes` was counted.
static void sleep_at(struct place *place, unsigned wakes, cl_event ev)
{
    tf_lock(&place->lock);
    while (place->wakes == wakes && !is_finished(ev))
        tf_cond_wait(&place->changed, &place->lock);
    tf_unlock(&place->lock);
}

// Where another thread can run meanwhile, a short command ends sooner than this thread
// falls asleep.
static bool spin_until_finished(cl_event ev)
{
    static atomic_int cpus;
    uint64_t end_ns;

    if (atomic_load_explicit(&cpus, memory_order_relaxed) == 0)
        atomic_store_explicit(&cpus, (int)sysconf(_SC_NPROCESSORS_ONLN),
                              memory_order_relaxed);
    if (atomic_load_explicit(&cpus, memory_order_relaxed) < 2)
        return is_finished(ev);
    end_ns = tf_time_ns() + SPIN_NS;
    while (!is_finished(ev))
        if (tf_time_ns() >= end_ns)
            return false;
    return true;
}

// Lets the calling thread work on the command and what comes before it.
static void help(cl_event ev)
{
    struct tf_device *dev = ev->home.device ? ev->home.device->dev : NULL;

    if (dev && dev->ops->help)
        dev->ops->help(dev, &ev->cmd);
}

// Sleeps while there is nothing to help with.
static void wait_asleep(cl_event ev)
{
    struct place *place = &places[place_of(ev)];

    atomic_fetch_add(&ev->waiting, 1);
    while (!is_finished(ev)) {
        const unsigned wakes = count_wakes(place);

        help(ev); // with what has become ready meanwhile
        if (!spin_until_finished(ev))
            sleep_at(place, wakes, ev);
    }
    atomic_fetch_sub(&ev->waiting, 1);
}

// A thread that ends the command itself has nobody to wake.
static void wait_long(cl_event ev)
{
    TF_UNCANCELLED;

    help(ev);
    if (!is_finished(ev))
        wait_asleep(ev);
}

cl_int tf_event_wait(cl_event ev)
{
    cl_int status;

    tf_assert_no_locks();
    tf_ref(ev);
    if (!is_finished(ev))
        wait_long(ev);
    status = atomic_load(&ev->status);
    tf_unref(ev);
    return status;
}

void tf_event_forked(void)
{
    for (int i = 0; i < PLACES; i++) {
        tf_mutex_init(&places[i].lock, TF_RANK_LEAF);
        tf_cond_init(&places[i].changed);
    }
}
