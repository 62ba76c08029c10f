// SPDX-License-Identifier: MIT
// To be included by one source file of a test whose threads fork: ThreadSanitizer
// otherwise ends a child of a process with threads as soon as it starts one.
#ifndef TF_TESTS_SUPPORT_FORKS_H
#define TF_TESTS_SUPPORT_FORKS_H

#if defined(__SANITIZE_THREAD__)
const char *__tsan_default_options(void);

__attribute__((visibility("default"))) const char *__tsan_default_options(void)
{
    return "die_after_fork=0";
}
#endif

#endif // TF_TESTS_SUPPORT_FORKS_H
