// SPDX-License-Identifier: MIT
#include "compiler/job/compile_job.h"

#include <errno.h>
#include <fenv.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>
#include <unistd.h>

#include "base/thread.h"
#include "compiler/job/crash.h"

// Address space, not memory: only pages that are touched count.
#define JOB_STACK_BYTES ((size_t)256 << 20)
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

// Where no thread can be had (RLIMIT_NPROC, or one whose children would be of another
// process namespace): in this one, but not on its stack.
static bool run_here(struct job *job)
{
    const size_t guard_bytes = (size_t)sysconf(_SC_PAGESIZE);
    ucontext_t here, there;
    char *const stack = mmap(NULL, JOB_STACK_BYTES, PROT_READ | PROT_WRITE,
                             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

    if (stack == MAP_FAILED)
        return false;
    (void)mprotect(stack, guard_bytes, PROT_NONE);
    getcontext(&there);
    there.uc_stack.ss_sp = stack + guard_bytes;
    there.uc_stack.ss_size = JOB_STACK_BYTES - guard_bytes;
    there.uc_link = &here;
    sigfillset(&there.uc_sigmask); // as in a thread of its own
    makecontext(&there, begin_here, 0);
    first_job = job;
    (void)swapcontext(&here, &there);
    munmap(stack, JOB_STACK_BYTES);
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
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);

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
    if (!tf_thread_run("trefoil-cc", JOB_STACK_BYTES, run_job, &job) && !run_here(&job)) {
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
