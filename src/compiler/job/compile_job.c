// SPDX-License-Identifier: MIT
#include "compiler/job/compile_job.h"

#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/thread.h"
#include "compiler/job/crash.h"

#ifndef __has_feature
#define __has_feature(x) 0
#endif
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer) || \
    defined(__SANITIZE_THREAD__) || __has_feature(thread_sanitizer)
#define TF_SANITIZED 1
#else
#define TF_SANITIZED 0
#endif

// Address space, not memory: only pages that are touched count.
#define JOB_STACK_BYTES ((size_t)256 << 20)
#define KEPT_STACK_BYTES ((size_t)1 << 20)
#define LEAST_JOBS 4

struct job {
    tf_compile_fn fn;
    void *arg;
    struct tf_str log;
    enum tf_compiler_status status;
    jmp_buf leave;
    const char *stack_top;
};

static _Thread_local struct job *current_job;

static void *run_job(void *arg)
{
    struct job *const job = arg;

    job->stack_top = __builtin_frame_address(0);
    current_job = job;
    tf_crash_enter();
    // tf_compile_job_leave has set `status` when it comes back here.
    if (!setjmp(job->leave))
        job->status = job->fn(job->arg, &job->log);
    tf_crash_leave();
    current_job = NULL;
    return NULL;
}

static _Thread_local struct job *first_job; // for begin_here(), which has no arguments

static void begin_here(void)
{
    fenv_t floats;

    fegetenv(&floats);
    fesetenv(FE_DFL_ENV);
    run_job(first_job);
    fesetenv(&floats);
}

static char *map_stack(void)
{
    char *const stack = mmap(NULL, JOB_STACK_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (stack == MAP_FAILED)
        return NULL;
    (void)mprotect(stack, (size_t)sysconf(_SC_PAGESIZE), PROT_NONE);
    return stack;
}

static void run_on(char *stack, struct job *job)
{
    const size_t guard_bytes = (size_t)sysconf(_SC_PAGESIZE);
    ucontext_t here, there;

    getcontext(&there);
    there.uc_stack.ss_sp = stack + guard_bytes;
    there.uc_stack.ss_size = JOB_STACK_BYTES - guard_bytes;
    there.uc_link = &here;
    tf_signals_of_others(&there.uc_sigmask); // as in a thread of its own
    makecontext(&there, begin_here, 0);
    first_job = job;
    (void)swapcontext(&here, &there);
}

// Where no thread can be had (RLIMIT_NPROC, or one whose children would be of another
// process namespace): in this one, but not on its stack.
static bool run_here(struct job *job)
{
    char *const stack = map_stack();

    if (!stack)
        return false;
    run_on(stack, job);
    munmap(stack, JOB_STACK_BYTES);
    return true;
}

// ---- In a process of the compiler's own ----

static bool keeps_stack;
static char *kept_stack; // NULL: none yet, or a job is on it

void tf_compile_job_own_process(void)
{
    if (TF_SANITIZED) // they want to be told of stacks that change
        return;
    keeps_stack = true;
    kept_stack = map_stack();
}

// A thread for each job would cost some 100 us: itself, and what it touches of its stack.
static bool run_kept(struct job *job)
{
    const size_t guard_bytes = (size_t)sysconf(_SC_PAGESIZE);
    char *const stack = kept_stack;

    if (!keeps_stack || !stack)
        return false;
    kept_stack = NULL;
    run_on(stack, job);
    // What an unusual job took is given back.
    (void)madvise(stack + guard_bytes, JOB_STACK_BYTES - KEPT_STACK_BYTES - guard_bytes,
                  MADV_DONTNEED);
    kept_stack = stack;
    return true;
}

// Each job keeps a front end and a stack of its own: with hundreds at a time the machine
// does nothing but change between them.
static struct {
    struct tf_mutex lock;
    struct tf_cond left;
    unsigned running TF_GUARDED_BY(&lock);
} jobs = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF), .left = TF_COND_INITIALIZER};

// Two for each processor: while one waits for memory or a file, another works.
static unsigned most_jobs(void)
{
    static atomic_long known; // the C library reads a file for it
    long processors = atomic_load_explicit(&known, memory_order_relaxed);

    if (processors == 0) {
        processors = sysconf(_SC_NPROCESSORS_ONLN);
        atomic_store_explicit(&known, processors, memory_order_relaxed);
    }

    return processors > 2 ? (unsigned)processors * 2 : LEAST_JOBS;
}

static void wait_for_turn(void)
{
    const unsigned most = most_jobs();

    tf_lock(&jobs.lock);
    while (jobs.running >= most)
        tf_cond_wait(&jobs.left, &jobs.lock);
    jobs.running++;
    tf_unlock(&jobs.lock);
}

static void end_turn(void)
{
    tf_lock(&jobs.lock);
    jobs.running--;
    tf_cond_signal_all(&jobs.left);
    tf_unlock(&jobs.lock);
}

enum tf_compiler_status tf_compile_job_run(tf_compile_fn fn, void *arg, char **log_out)
{
    struct job job = {.fn = fn, .arg = arg, .status = TF_COMPILER_NO_MEMORY};

    wait_for_turn();
    // Joined: a thread that ended later would leave its arena of the allocator to chance,
    // and with it where the next compilation's memory comes from.
    if (!run_kept(&job) && !tf_thread_run("trefoil-cc", JOB_STACK_BYTES, run_job, &job) &&
        !run_here(&job)) {
        tf_str_printf(&job.log, "error: no thread to compile in: %s\n", strerror(errno));
        job.status = TF_COMPILER_NO_THREAD;
    }
    end_turn();
    *log_out = tf_str_take(&job.log);
    return *log_out ? job.status : TF_COMPILER_NO_MEMORY;
}

void tf_compile_job_leave(enum tf_compiler_status status, const char *fmt, ...)
{
    struct job *const job = current_job;
    char text[512];
    va_list args;

    va_start(args, fmt);
    vsnprintf(text, sizeof text, fmt, args);
    va_end(args);
    if (!job) {
        fprintf(stderr, "trefoil: %s", text);
        abort();
    }
    tf_str_add(&job->log, text);
    job->status = status;
    longjmp(job->leave, 1);
}

size_t tf_compile_job_stack_bytes(void)
{
    const char *const here = __builtin_frame_address(0);

    return current_job ? (size_t)(current_job->stack_top - here) : SIZE_MAX;
}
