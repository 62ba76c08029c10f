// SPDX-License-Identifier: MIT
// Kernels with known answers. What decides the code of a kernel is read from the
// environment once a process, so each form and level runs in a process of its own.
#ifndef TREFOIL_INFO_SELF_TEST_H
#define TREFOIL_INFO_SELF_TEST_H

#include <stdbool.h>

// All forms and levels; `program` is this one, by argv[0] where the system does not say.
// False where a kernel was wrong, one could not run, or none ran.
bool self_test_all(const char *program);
// In this process, with its environment as it is: a line a kernel, for self_test_all().
bool self_test_here(void);

#endif // TREFOIL_INFO_SELF_TEST_H
