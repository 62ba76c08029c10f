// SPDX-License-Identifier: MIT
#ifndef TF_TESTS_SUPPORT_FEATURES_H
#define TF_TESTS_SUPPORT_FEATURES_H

#include <string.h>

#include "abi/language_features.h"

// Those of `names`, words with single spaces between them.
static inline struct tf_feature_set features_named(const char *names)
{
    struct tf_feature_set set = {{0}};

    while (*names) {
        const size_t bytes = strcspn(names, " ");

        for (int f = 0; f < TF_FEATURE_COUNT; f++)
            if (strlen(tf_features[f].name) == bytes &&
                !memcmp(tf_features[f].name, names, bytes))
                tf_feature_put(&set, f, true);
        names += bytes + (names[bytes] == ' ');
    }
    return set;
}

#endif // TF_TESTS_SUPPORT_FEATURES_H
