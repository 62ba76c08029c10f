// SPDX-License-Identifier: MIT
#include "compiler/job/crash.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stddef.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"

// LLVM's description of itself takes some.
#define HANDLER_STACK_BYTES ((size_t)256 << 10)
// The handler does what handlers must not do (LLVM allocates): it may wait for a lock
// that this very thread holds.
#define HANDLER_SECONDS 2

static const int deadly[] = {SIGSEGV, SIGBUS,  SIGILL, SIGFPE,
                             SIGABRT, SIGTRAP, SIGSYS, SIGXCPU};

static void (*tell_death)(int);
static void (*describe_llvm)(void);
static _Thread_local const char *current_step;
static _Thread_local void *handler_stack;

static void on_death(int number)
{
    static atomic_flag once = ATOMIC_FLAG_INIT;
    const char *const step = current_step;

    // A second one, of the description itself: all that could be said was said.
    if (atomic_flag_test_and_set(&once))
        _exit(1);
    alarm(HANDLER_SECONDS);
    tell_death(number);
    if (step) {
        (void)!write(STDERR_FILENO, step, strlen(step));
        (void)!write(STDERR_FILENO, "\n", 1);
    }
    if (describe_llvm)
        describe_llvm();
    _exit(1);
}

void tf_crash_watch(void (*died)(int), void (*describe)(void))
{
    struct sigaction action = {.sa_handler = on_death,
                               .sa_flags = SA_ONSTACK | SA_NODEFER};

    tell_death = died;
    describe_llvm = describe;
    sigemptyset(&action.sa_mask);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        sigaction(deadly[i], &action, NULL);
    action.sa_handler = SIG_DFL;
    sigaction(SIGALRM, &action, NULL);
}

bool tf_crash_watched(void)
{
    return tell_death != NULL;
}

void tf_crash_enter(void)
{
    stack_t stack = {.ss_size = HANDLER_STACK_BYTES};
    sigset_t set;

    if (!tell_death)
        return;
    stack.ss_sp = handler_stack = tf_alloc_aligned(16, HANDLER_STACK_BYTES);
    if (handler_stack)
        sigaltstack(&stack, NULL);
    sigemptyset(&set);
    for (size_t i = 0; i < sizeof deadly / sizeof *deadly; i++)
        sigaddset(&set, deadly[i]);
    sigaddset(&set, SIGALRM);
    pthread_sigmask(SIG_UNBLOCK, &set, NULL);
}

void tf_crash_leave(void)
{
    const stack_t none = {.ss_flags = SS_DISABLE};

    current_step = NULL;
    if (!handler_stack)
        return;
    sigaltstack(&none, NULL);
    tf_free(handler_stack);
    handler_stack = NULL;
}

void tf_crash_step(const char *step)
{
    current_step = step;
}
