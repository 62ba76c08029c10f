// SPDX-License-Identifier: MIT
#include "compiler/compile_job.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/thread.h"

// Address space, not memory: only pages that are touched count.
#define JOB_STACK_BYTES ((size_t)256 << 20)

struct job {
    tf_compile_fn fn;
    void *arg;
    struct tf_str log;
    enum tf_compiler_status status;
    jmp_buf leave;
    const char *stack_top;
    struct tf_mutex lock;
    struct tf_cond done_cond;
    bool done TF_GUARDED_BY(&lock);
};

static _Thread_local struct job *current_job;

static void *run_job(void *arg)
{
    struct job *const job = arg;

    job->stack_top = __builtin_frame_address(0);
    current_job = job;
    // tf_compile_job_leave has set `status` when it comes back here.
    if (!setjmp(job->leave))
        job->status = job->fn(job->arg, &job->log);
    current_job = NULL;

    tf_lock(&job->lock);
    job->done = true;
    tf_cond_signal_all(&job->done_cond);
    tf_unlock(&job->lock); // the waiter may free the job from here on
    return NULL;
}

enum tf_compiler_status tf_compile_job_run(tf_compile_fn fn, void *arg, char **log_out)
{
    struct job *const job = tf_zalloc(sizeof *job);
    enum tf_compiler_status status = TF_COMPILER_NO_MEMORY;

    *log_out = NULL;
    if (!job)
        return status;
    job->fn = fn;
    job->arg = arg;
    tf_mutex_init(&job->lock, TF_RANK_LEAF);
    tf_cond_init(&job->done_cond);
    if (tf_thread_start("trefoil-cc", JOB_STACK_BYTES, run_job, job)) {
        tf_lock(&job->lock);
        while (!job->done)
            tf_cond_wait(&job->done_cond, &job->lock);
        tf_unlock(&job->lock);
        status = job->status;
    }
    *log_out = tf_str_take(&job->log);
    tf_cond_finish(&job->done_cond);
    tf_mutex_finish(&job->lock);
    tf_free(job);
    return *log_out ? status : TF_COMPILER_NO_MEMORY;
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
