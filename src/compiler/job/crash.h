// SPDX-License-Identifier: MIT
// In a process that does nothing but compile (a helper, doc/compiler.md): what was being
// done when a signal ended it. In an application's process nothing of this happens.
#ifndef TF_COMPILER_JOB_CRASH_H
#define TF_COMPILER_JOB_CRASH_H

#include <stdbool.h>

#ifdef __cplusplus
extern "C" {
#endif

// From now on every job can be asked. `died` is called in a signal's handler on the
// job's thread, with the signal's number; what the job was doing goes to standard error
// behind it, then the process ends. `describe` writes what LLVM was doing, or is NULL.
void tf_crash_watch(void (*died)(int), void (*describe)(void));

// Whether this is such a process: a signal ends nothing of the application's.
bool tf_crash_watched(void);

// On a job's thread, first and last: a stack for handlers, signals let in.
void tf_crash_enter(void);
void tf_crash_leave(void);

// What this thread is doing: a text that stays.
void tf_crash_step(const char *step);

#ifdef __cplusplus
}
#endif

#endif // TF_COMPILER_JOB_CRASH_H
