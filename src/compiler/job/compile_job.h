// SPDX-License-Identifier: MIT
// Compiler work runs as a job on a thread of its own with a large stack: Clang recurses
// deeply and the caller's stack may be small. A job can be left from any depth (LLVM's
// fatal errors must not return and must not end the process); what it owned then is lost,
// not freed.
#ifndef TF_COMPILER_JOB_COMPILE_JOB_H
#define TF_COMPILER_JOB_COMPILE_JOB_H

#include <stddef.h>

#include "abi/compiler.h"
#include "base/attr.h"
#include "base/str.h"

#ifdef __cplusplus
extern "C" {
#endif

// Writes its messages to `log`.
typedef enum tf_compiler_status (*tf_compile_fn)(void *arg, struct tf_str *log);

// In a process that does nothing but compile, one job at a time: jobs run in the thread
// that asks, on one stack that is kept.
void tf_compile_job_own_process(void);

// Runs fn(arg, log) on a compile thread, or where none can be had in this one on a stack
// for it, and waits. `*log_out` receives the log (tf_free);
// it is NULL only together with TF_COMPILER_NO_MEMORY. From any thread with any stack
// size.
enum tf_compiler_status tf_compile_job_run(tf_compile_fn fn, void *arg, char **log_out);

// Ends the job of this thread with `status` after adding the text to its log. On a thread
// without a job: ends the process, as LLVM would.
__attribute__((noreturn)) void tf_compile_job_leave(enum tf_compiler_status status,
                                                    const char *fmt, ...) TF_PRINTF(2, 3);

// Bytes of stack that the running job has used; SIZE_MAX on a thread without a job.
size_t tf_compile_job_stack_bytes(void);

#ifdef __cplusplus
}
#endif

#endif // TF_COMPILER_JOB_COMPILE_JOB_H
