// SPDX-License-Identifier: MIT
// fork() in tests whose processes have threads.
#ifndef TF_TESTS_SUPPORT_FORKS_H
#define TF_TESTS_SUPPORT_FORKS_H

#include <stdbool.h>
#include <sys/types.h>

// fork(). Under AddressSanitizer and ThreadSanitizer only once all other threads sleep:
// their allocators have no handlers of fork(), so the child hangs on a lock of the
// allocator that another thread held, be it one that has just started.
pid_t tf_fork(void);

// Waits until there was a moment in which all other threads slept. False where there was
// none in `most_ms` milliseconds.
bool tf_threads_rest(unsigned most_ms);

#endif // TF_TESTS_SUPPORT_FORKS_H
