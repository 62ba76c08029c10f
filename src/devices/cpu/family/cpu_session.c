// SPDX-License-Identifier: MIT
// A thread's part in a family. It takes a launch each from its own stack, or from others'
// where that is empty; launches with many groups are open to others meanwhile.
#include "devices/cpu/family/cpu_session.h"

#include "base/time.h"
#include "devices/cpu/family/cpu_enqueue.h"
#include "devices/cpu/family/cpu_running.h"

enum {
    SEEK_NS = 3000, // as long as it takes to be woken
    LOOK_NS = 200,  // between two looks at what others have: each costs them a cache miss
};

// What a thread knows of its part in the session.
struct seat {
    struct tf_repeater repeater;
    struct tf_running *own; // for launches that it runs alone; or NULL
    struct tf_child *next;  // that it has taken and not begun; or NULL
    bool is_sample;         // of which it takes the time
    uint64_t since_ns;      // since when it has had nothing to do
    struct tf_worth_view view;
    unsigned opened; // family->opened when there was none to join
    bool is_alone;   // at that time
};

// There is more than was taken, perhaps.
static void announce_rest(struct tf_family *family)
{
    tf_lock(&family->lock);
    tf_family_announce(family);
    tf_unlock(&family->lock);
}

// Does what tf_running_start() does, and takes the time.
static bool start_sample(struct tf_family *family, struct tf_child *child,
                         struct tf_running *running)
{
    const uint64_t begin_ns = tf_time_ns();
    const bool is_started = tf_running_start(family, child, running, true);

    if (is_started)
        tf_worth_started(tf_time_ns() - begin_ns);
    return is_started;
}

// It is about to begin one. True: it is to take the time.
static bool count_begin(struct tf_family *family, struct tf_exec *exec, struct seat *seat)
{
    bool is_sample;

    if (tf_worth_begin(&family->worth, &seat->view, &is_sample) &&
        tf_worth_look(&family->worth, &seat->view, tf_time_ns())) {
        if (exec->ready)
            tf_ready_show(exec->ready, TF_READY_KEPT);
        announce_rest(family);
    }
    return is_sample;
}

static struct tf_child *child_of(struct tf_ready_node *node)
{
    return node ? tf_container_of(node, struct tf_child, ready) : NULL;
}

// What it has kept to itself others shall see if they would take something now.
static struct tf_child *pop_own(struct tf_family *family, struct tf_exec *exec)
{
    const bool keeps = tf_worth_least(&family->worth) > 1;

    if (!exec->ready)
        return NULL;
    if (!keeps && exec->ready->kept_count > 1 &&
        tf_ready_show(exec->ready, TF_READY_KEPT) > 0 && !tf_family_has_work(family))
        announce_rest(family);
    return child_of(tf_ready_pop(exec->ready, keeps));
}

static struct tf_child *next_own(struct tf_family *family, struct tf_exec *exec)
{
    struct tf_child *child = pop_own(family, exec);

    if (!child || child->counts != exec->credit_of)
        tf_child_give_credit(exec);
    return child;
}

// The launch has ended. If the next is one like it that can be begun in a moment, it is.
static bool go_on(struct tf_repeater *repeater, struct tf_exec *exec)
{
    struct seat *seat = tf_container_of(repeater, struct seat, repeater);
    struct tf_family *family = exec->family;
    struct tf_running *running = seat->own;

    if (tf_unit_status(&running->launch.unit) != CL_COMPLETE)
        return false;
    tf_running_end(family, exec, running->child, CL_COMPLETE);
    running->child = NULL;
    seat->next = next_own(family, exec);
    if (!seat->next)
        return false;
    seat->is_sample = count_begin(family, exec, seat);
    if (seat->is_sample || !tf_running_go_on(family, seat->next, running))
        return false;
    seat->next = NULL;
    return true;
}

static void run_alone(struct tf_family *family, struct tf_exec *exec, struct seat *seat)
{
    struct tf_running *running = seat->own;

    tf_running_work(exec, running, &seat->repeater);
    if (running->child) // otherwise that has been done
        tf_running_end(family, exec, running->child,
                       tf_unit_status(&running->launch.unit));
}

static void start(struct tf_family *family, struct tf_exec *exec, struct tf_child *child,
                  struct seat *seat, bool is_sample)
{
    struct tf_running *running = seat->own;
    bool is_started;

    if (!running)
        running = seat->own = tf_running_new();
    is_started = is_sample ? start_sample(family, child, running)
                           : tf_running_start(family, child, running, false);
    if (!is_started || !running) { // which go together
        tf_child_end_groups(exec, child);
        return;
    }
    if (running->launch.unit.total == 1) {
        run_alone(family, exec, seat);
        return;
    }
    tf_lock(&family->lock);
    seat->own = tf_running_take_spare(family);
    tf_running_open(family, running);
    tf_unlock(&family->lock);
    tf_running_run(family, exec, running);
}

static struct tf_running *join(struct tf_family *family) TF_REQUIRES(&family->lock)
{
    struct tf_running *running = family->open;

    while (running && !tf_unit_is_left(&running->launch.unit))
        running = running->next;
    if (running)
        running->users++;
    return running;
}

// Its own latest, or the oldest of somebody else who has enough. What is taken besides,
// onto its own stack, is told to nobody: one who looked just then may miss it and sleep.
// Nothing hangs, as this thread runs all that lies there before it leaves.
static struct tf_child *take_ready(struct tf_family *family, struct tf_exec *exec,
                                   struct seat *seat)
{
    const size_t own = exec->ready ? (size_t)(exec->ready - family->stacks) : 0;
    const unsigned least = tf_worth_least(&family->worth);
    struct tf_child *own_child = pop_own(family, exec);
    struct tf_ready_node *node = NULL;

    if (own_child)
        return own_child;
    node = tf_ready_list_pop(&family->shared);
    for (unsigned i = 1; !node && i <= family->stack_count; i++) {
        struct tf_ready *other = &family->stacks[(own + i) % family->stack_count];

        if (other == exec->ready)
            continue;
        node = tf_ready_steal(other, exec->ready, least);
        if (node)
            tf_worth_taken(&seat->view,
                           1 + (exec->ready ? tf_ready_count(exec->ready) : 0), least,
                           tf_time_ns());
    }
    return child_of(node);
}

// Looks for something until it would be cheaper to be woken, or there is a launch to
// join.
static struct tf_child *seek(struct tf_family *family, struct tf_exec *exec,
                             struct seat *seat)
{
    const uint64_t end_ns = seat->since_ns + SEEK_NS;
    uint64_t look_ns = seat->since_ns + LOOK_NS, now_ns = seat->since_ns;
    struct tf_child *child = NULL;

    while (!child && now_ns < end_ns &&
           atomic_load_explicit(&family->opened, memory_order_relaxed) == seat->opened &&
           !atomic_load_explicit(&family->has_ended, memory_order_relaxed)) {
        now_ns = tf_time_ns();
        if (now_ns < look_ns)
            continue;
        look_ns = now_ns + LOOK_NS;
        child = take_ready(family, exec, seat);
    }
    return child;
}

// A launch that others have opened; or all shall know that there is nothing, but that
// somebody looks for it.
static struct tf_running *join_or_deny(struct tf_family *family, struct seat *seat)
{
    struct tf_running *running;

    tf_lock(&family->lock);
    running = join(family);
    if (!running) {
        tf_family_set_work(family, false);
        atomic_fetch_add(&family->seekers, 1);
        seat->opened = atomic_load_explicit(&family->opened, memory_order_relaxed);
        seat->is_alone = family->workers == 1;
    }
    tf_unlock(&family->lock);
    return running;
}

// Work has been denied: what comes yet, or NULL.
static struct tf_child *wait_for_work(struct tf_family *family, struct tf_exec *exec,
                                      struct seat *seat)
{
    struct tf_child *child = seat->is_alone || tf_worth_least(&family->worth) > 1
                                 ? NULL
                                 : seek(family, exec, seat);

    atomic_fetch_sub(&family->seekers, 1);
    // Who put something there since may have told nobody.
    if (!child && (seat->is_alone || !tf_family_has_work(family)))
        child = take_ready(family, exec, seat);
    if (child)
        announce_rest(family);
    return child;
}

// Does something of what others have put there, if there is something.
static bool run_others(struct tf_family *family, struct tf_exec *exec, struct seat *seat)
{
    struct tf_child *child;
    struct tf_running *running = NULL;

    seat->since_ns = tf_time_ns();
    tf_worth_idle(&family->worth, &seat->view, seat->since_ns);
    child = take_ready(family, exec, seat);
    if (!child)
        running = join_or_deny(family, seat);
    if (running) {
        tf_running_run(family, exec, running);
        return true;
    }
    if (!child)
        child = wait_for_work(family, exec, seat);
    if (child)
        start(family, exec, child, seat, count_begin(family, exec, seat));
    return child || (!seat->is_alone && tf_family_has_work(family));
}

// Does something, if there is something to do.
static bool run_next(struct tf_family *family, struct tf_exec *exec, struct seat *seat)
{
    struct tf_child *child = seat->next;

    if (child) {
        seat->next = NULL;
        start(family, exec, child, seat, seat->is_sample);
        return true;
    }
    child = next_own(family, exec);
    if (!child) {
        tf_device_room_leave(&exec->room);
        return run_others(family, exec, seat);
    }
    start(family, exec, child, seat, count_begin(family, exec, seat));
    return true;
}

static struct tf_ready *take_stack(struct tf_family *family) TF_REQUIRES(&family->lock)
{
    for (unsigned i = 0; i < family->stack_count; i++)
        if (!(family->taken >> i & 1)) {
            family->taken |= 1ull << i;
            return &family->stacks[i];
        }
    return NULL;
}

// It is empty.
static void leave_stack(struct tf_family *family, const struct tf_ready *stack)
    TF_REQUIRES(&family->lock)
{
    if (stack)
        family->taken &= ~(1ull << (stack - family->stacks));
}

bool tf_session_run(struct tf_unit *unit, struct tf_exec *exec)
{
    struct tf_family *family = tf_container_of(unit, struct tf_family, unit);
    struct seat seat = {.repeater.next = go_on};
    struct tf_fp_state saved;

    exec->enqueue = tf_enqueue_ask;
    exec->release_group = tf_child_release_group;
    tf_lock(&family->lock);
    family->workers++;
    exec->ready = take_stack(family);
    tf_unlock(&family->lock);
    exec->family = family;
    tf_exec_enter(exec, &saved);
    while (run_next(family, exec, &seat))
        ;
    tf_exec_leave(exec, &saved);
    exec->family = NULL;
    tf_lock(&family->lock);
    family->workers--;
    leave_stack(family, exec->ready);
    if (seat.own)
        tf_running_keep(family, seat.own);
    tf_unlock(&family->lock);
    return true;
}
