// SPDX-License-Identifier: MIT
// Log lines on stderr, chosen by TREFOIL_LOG: a comma-separated list of categories, "all"
// or nothing. Each line is written with one write, so that threads do not mix.
#ifndef TF_BASE_LOG_H
#define TF_BASE_LOG_H

#include <stdbool.h>

#include "base/attr.h"

enum tf_log_category {
    TF_LOG_ERROR,  // every error an entry point returns, and what is missing
    TF_LOG_API,    // every entry point called
    TF_LOG_BUILD,  // program builds, kernels made, caches
    TF_LOG_QUEUE,  // commands
    TF_LOG_DEVICE, // probing, threads
    TF_LOG_CATEGORIES,
};

bool tf_log_on(enum tf_log_category category);
void tf_log(enum tf_log_category category, const char *fmt, ...) TF_PRINTF(2, 3);

#endif // TF_BASE_LOG_H
