// SPDX-License-Identifier: MIT
// The helper processes of one application, found in /proc by a mark in their environment.
#ifndef TF_TESTS_HELPERS_H
#define TF_TESTS_HELPERS_H

#include <sys/types.h>

// Before the first call of OpenCL: helpers that are started from now on carry it.
void helpers_mark(const char *mark);
// Those that live, zombies not counted; their numbers in `found` (up to `max`).
int helpers_of(const char *mark, pid_t *found, int max);
// Waits until so many live, or so many or less, 100 s at most; how many there were then.
int helpers_wait_for(const char *mark, int count);
int helpers_wait_for_at_most(const char *mark, int count);
// Open descriptors of a process.
int helpers_descriptors(pid_t process);

#endif // TF_TESTS_HELPERS_H
