// SPDX-License-Identifier: MIT
#include "devices/cpu/fiber/cpu_fiber.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#if TF_FIBER_ASAN
#include <sanitizer/asan_interface.h>
#include <sanitizer/common_interface_defs.h>
#endif
#if TF_FIBER_TSAN
#include <sanitizer/tsan_interface.h>
#endif

enum { LINE_BYTES = 64, COLOUR_BYTES = 4096 };

static size_t top_bytes(const struct tf_fiber *fiber)
{
    return fiber->stack.bytes - fiber->skip_bytes;
}

// ---- What the sanitizers are told ----

TF_FIBER_UNCOUNTED static void announce_switch(struct tf_fiber *from, struct tf_fiber *to,
                                               bool for_good)
{
#if TF_FIBER_ASAN
    to->came_from = from;
    __sanitizer_start_switch_fiber(for_good ? NULL : &from->fake_stack, to->bounds_low,
                                   to->bounds_bytes);
#endif
#if TF_FIBER_TSAN
    // After this line calls count for `to`: nothing round a switch is instrumented.
    if (to->tsan && to->tsan != __tsan_get_current_fiber())
        __tsan_switch_to_fiber(to->tsan, 0);
#endif
    (void)from, (void)to, (void)for_good;
}

// On arrival in `self`: the address sanitizer says now where the fiber left behind lay,
// which for a thread's own stack nobody else knows.
TF_FIBER_UNCOUNTED static void announce_arrival(struct tf_fiber *self)
{
#if TF_FIBER_ASAN
    const void *low;
    size_t bytes;

    __sanitizer_finish_switch_fiber(self->fake_stack, &low, &bytes);
    if (!self->came_from->stack.low) {
        self->came_from->bounds_low = low;
        self->came_from->bounds_bytes = bytes;
    }
    self->fake_stack = NULL;
#else
    (void)self;
#endif
}

// Frames that were left for good keep no marks on the stack.
static void forget_frames(struct tf_fiber *fiber)
{
#if TF_FIBER_ASAN
    if (fiber->stack.low)
        __asan_unpoison_memory_region(fiber->stack.low, fiber->stack.bytes);
    fiber->fake_stack = NULL;
#endif
#if TF_FIBER_TSAN
    if (fiber->tsan && fiber->stack.low)
        __tsan_destroy_fiber(fiber->tsan);
    fiber->tsan = NULL;
#endif
    (void)fiber;
}

// ---- Fibers ----

TF_FIBER_UNCOUNTED static void begin(struct tf_fiber *self)
{
    announce_arrival(self);
    self->body(self->arg);
    abort(); // a body never returns
}

#if TF_FIBER_UCONTEXT
// makecontext() passes ints: the address comes in two halves.
TF_FIBER_UNCOUNTED static void enter(unsigned high, unsigned low)
{
    begin((struct tf_fiber *)(uintptr_t)((uint64_t)high << 32 | low));
}

static void make_context(struct tf_fiber *fiber)
{
    const uint64_t address = (uint64_t)(uintptr_t)fiber;
    const sigset_t mask = fiber->context.uc_sigmask;

    getcontext(&fiber->context);
    fiber->context.uc_sigmask = mask;
    fiber->context.uc_stack.ss_sp = fiber->stack.low;
    fiber->context.uc_stack.ss_size = top_bytes(fiber);
    fiber->context.uc_link = NULL;
    makecontext(&fiber->context, (void (*)(void))(uintptr_t)enter, 2,
                (unsigned)(address >> 32), (unsigned)address);
}

TF_FIBER_UNCOUNTED static void switch_context(struct tf_fiber *from, struct tf_fiber *to)
{
    swapcontext(&from->context, &to->context);
}
#else
static void enter(void *self)
{
    begin(self);
}

static void make_context(struct tf_fiber *fiber)
{
    fiber->context =
        tf_arch_new_context(fiber->stack.low, top_bytes(fiber), enter, fiber);
}

static void switch_context(struct tf_fiber *from, struct tf_fiber *to)
{
    tf_arch_switch(&from->context, to->context);
}
#endif

static void make(struct tf_fiber *fiber)
{
#if TF_FIBER_TSAN
    fiber->tsan = fiber->apart ? __tsan_create_fiber(0) : NULL;
#endif
    fiber->bounds_low = fiber->stack.low;
    fiber->bounds_bytes = top_bytes(fiber);
    make_context(fiber);
}

bool tf_fiber_init(struct tf_fiber *fiber, size_t stack_bytes, size_t colour, bool apart,
                   void (*body)(void *arg), void *arg)
{
    memset(fiber, 0, sizeof(*fiber));
    if (stack_bytes > SIZE_MAX - COLOUR_BYTES ||
        !tf_stack_take(&fiber->stack, stack_bytes + COLOUR_BYTES))
        return false;
    fiber->skip_bytes = colour * LINE_BYTES % COLOUR_BYTES;
    fiber->apart = apart;
    fiber->body = body;
    fiber->arg = arg;
#if TF_FIBER_UCONTEXT
    getcontext(&fiber->context); // for the signal mask
#endif
    make(fiber);
    return true;
}

void tf_fiber_finish(struct tf_fiber *fiber)
{
    if (!fiber->stack.low)
        return;
    forget_frames(fiber);
    tf_stack_give(&fiber->stack);
    memset(fiber, 0, sizeof(*fiber));
}

void tf_fiber_restart(struct tf_fiber *fiber)
{
    forget_frames(fiber);
    make(fiber);
}

void tf_fiber_set_mask(struct tf_fiber *fiber, const sigset_t *mask)
{
#if TF_FIBER_UCONTEXT
    fiber->context.uc_sigmask = *mask;
#else
    (void)fiber, (void)mask;
#endif
}

void tf_fiber_init_thread(struct tf_fiber *self)
{
    memset(self, 0, sizeof(*self));
#if TF_FIBER_TSAN
    self->tsan = __tsan_get_current_fiber();
#endif
}

#if TF_FIBER_UCONTEXT
TF_FIBER_UNCOUNTED void tf_fiber_switch(struct tf_fiber *from, struct tf_fiber *to)
{
    announce_switch(from, to, false);
    switch_context(from, to);
    announce_arrival(from);
}
#endif

TF_FIBER_UNCOUNTED _Noreturn void tf_fiber_leave(struct tf_fiber *from,
                                                 struct tf_fiber *to)
{
    announce_switch(from, to, true);
    switch_context(from, to);
    abort(); // nobody comes back
}
