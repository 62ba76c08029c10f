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
    return NULL;
}

enum tf_compiler_status tf_compile_job_run(tf_compile_fn fn, void *arg, char **log_out)
{
    struct job job = {.fn = fn, .arg = arg, .status = TF_COMPILER_NO_MEMORY};

    // Joined: a thread that ended later would leave its arena of the allocator to chance,
    // and with it where the next compilation's memory comes from.
    (void)tf_thread_run("trefoil-cc", JOB_STACK_BYTES, run_job, &job);
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
