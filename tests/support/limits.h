// SPDX-License-Identifier: MIT
// How long tests wait for what must come. No test takes time for a measure: a machine may
// be busy, and a sanitizer makes all slower by a factor that nobody knows.
#ifndef TF_TESTS_SUPPORT_LIMITS_H
#define TF_TESTS_SUPPORT_LIMITS_H

#include <stdbool.h>
#include <time.h>
#include <unistd.h>

// What takes longer hangs.
#define TEST_LIMIT_S 100

// How much slower sanitizers are at least: for the few bars of time, which stand hundreds
// of times above what is measured, and for things done again and again.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TEST_SLOWER 5
#else
#define TEST_SLOWER 1
#endif

static inline bool test_is_early(time_t begin)
{
    usleep(200);
    return time(NULL) - begin < TEST_LIMIT_S;
}

// Waits until the condition holds; false: it came to be the limit.
#define TEST_UNTIL(condition)                                              \
    ({                                                                     \
        const time_t test_begin_ = time(NULL);                             \
        bool test_holds_;                                                  \
                                                                           \
        while (!(test_holds_ = (condition)) && test_is_early(test_begin_)) \
            ;                                                              \
        test_holds_;                                                       \
    })

#endif // TF_TESTS_SUPPORT_LIMITS_H
