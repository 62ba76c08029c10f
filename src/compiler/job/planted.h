// SPDX-License-Identifier: MIT
// Debug builds do what no compiler should where a program asks for it, so that tests see
// what becomes of the application.
#ifndef TF_COMPILER_JOB_PLANTED_H
#define TF_COMPILER_JOB_PLANTED_H

#include <stddef.h>

// Words of `text`:
// plant_<stage>_<null|abort|trap|divide|stack|loop|sleep|memory|exit|kill>.
#ifdef TF_DEBUG
void tf_planted(const char *stage, const char *text, size_t bytes);
#else
static inline void tf_planted(const char *stage, const char *text, size_t bytes)
{
    (void)stage;
    (void)text;
    (void)bytes;
}
#endif

#endif // TF_COMPILER_JOB_PLANTED_H
