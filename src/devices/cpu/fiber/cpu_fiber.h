// SPDX-License-Identifier: MIT
// Fibers: bodies with a stack of their own that run one at a time on a thread, by
// explicit switches. The sanitizers are told of every switch here and nowhere else.
//
// A fiber's body never returns: it ends by switching away for good. It may be resumed on
// another thread than the one it stopped on.
#ifndef TF_DEVICES_CPU_FIBER_CPU_FIBER_H
#define TF_DEVICES_CPU_FIBER_CPU_FIBER_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>

#include "base/attr.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/fiber/cpu_stack.h"

// The sanitizers know ucontext; elsewhere the processor family's own switch, which makes
// no system call, is used where there is one.
#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
#define TF_FIBER_ASAN 1
#else
#define TF_FIBER_ASAN 0
#endif
#if defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define TF_FIBER_TSAN 1
#else
#define TF_FIBER_TSAN 0
#endif
#define TF_FIBER_UCONTEXT (TF_FIBER_ASAN || TF_FIBER_TSAN || !TF_ARCH_HAS_SWITCH)

#if TF_FIBER_UCONTEXT
#include <ucontext.h>
#endif

struct tf_fiber {
#if TF_FIBER_UCONTEXT
    ucontext_t context;
#else
    void *context; // while it is stopped
#endif
    struct tf_stack stack; // empty: the thread's own
    size_t skip_bytes;     // of the stack's high end, left unused
    bool apart;
    void (*body)(void *arg);
    void *arg;
    // For the sanitizers only.
    struct tf_fiber *came_from;
    const void *bounds_low;
    size_t bounds_bytes;
    void *fake_stack;
    void *tsan; // NULL: it counts as part of the fiber that switches to it
};

// Functions that stay on a fiber's stack while it is stopped carry this if the fiber is
// not apart (tf_fiber_init): the thread sanitizer counts calls and returns per thread.
#if defined(__clang__)
#define TF_FIBER_UNCOUNTED __attribute__((disable_sanitizer_instrumentation))
#else
#define TF_FIBER_UNCOUNTED __attribute__((no_sanitize("thread")))
#endif

// Makes a fiber whose first switch calls body(arg) on a stack of at least `stack_bytes`.
// `colour` shifts the start of the stack by that many cache lines (modulo a page), so
// that equal frames of many fibers do not fall on the same cache sets. False, and *fiber
// zeroed, when there is no memory for it.
bool tf_fiber_init(struct tf_fiber *fiber, size_t stack_bytes, size_t colour, bool apart,
                   void (*body)(void *arg), void *arg) TF_NODISCARD;
// A zeroed fiber is allowed; a fiber that runs or whose frames own anything is not.
void tf_fiber_finish(struct tf_fiber *fiber);

// Forgets where the fiber stopped: the next switch calls its body anew.
void tf_fiber_restart(struct tf_fiber *fiber);
// With ucontext, the signal mask that the fiber gets at its next switch, and keeps after
// that. Otherwise the mask is that of the thread, and this does nothing.
void tf_fiber_set_mask(struct tf_fiber *fiber, const sigset_t *mask);
// Lowest address of the fiber's stack, and the one past its highest.
static inline void *tf_fiber_stack_low(const struct tf_fiber *fiber)
{
    return fiber->stack.low;
}
static inline void *tf_fiber_stack_end(const struct tf_fiber *fiber)
{
    return fiber->stack.low + fiber->stack.bytes;
}

// Fetches what a switch to `to`, which is stopped, will read.
static inline void tf_fiber_expect(const struct tf_fiber *to)
{
#if TF_FIBER_UCONTEXT
    (void)to;
#else
    __builtin_prefetch(to->context, 1);
    __builtin_prefetch((const char *)to->context + 64, 1);
#endif
}

// Lets `self` stand for the calling thread, as the place to come back to.
void tf_fiber_init_thread(struct tf_fiber *self);

// Leaves `from` (which runs) and continues `to`. Returns when something switches to
// `from`.
#if TF_FIBER_UCONTEXT
void tf_fiber_switch(struct tf_fiber *from, struct tf_fiber *to);
#else
// Here, so that a function that ends with it leaves no frame: each barrier of each
// work-item comes by.
static inline void tf_fiber_switch(struct tf_fiber *from, struct tf_fiber *to)
{
    tf_arch_switch(&from->context, to->context);
}
#endif
// The same, and never comes back: `from` must be restarted or finished before its next
// use.
_Noreturn void tf_fiber_leave(struct tf_fiber *from, struct tf_fiber *to);

#endif // TF_DEVICES_CPU_FIBER_CPU_FIBER_H
