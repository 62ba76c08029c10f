// SPDX-License-Identifier: MIT
#include "abi/language_features.h"

#include <CL/cl.h>

#define MACRO(name, ...)                                                             \
    [TF_FEATURE_##name] = {"__opencl_c_" #name, .version = CL_MAKE_VERSION(3, 0, 0), \
                           .kind = TF_FEATURE_KIND_MACRO, __VA_ARGS__},
#define EXTENSION(id, number, side, ours)                                          \
    [TF_FEATURE_##id] = {#id, .version = (number), .kind = TF_FEATURE_KIND_##side, \
                         .is_ours = (ours)},

#define LANGUAGE(name, version) EXTENSION(name, version, LANGUAGE, true)
#define LATER_LANGUAGE(name, version) EXTENSION(name, version, LANGUAGE, false)
#define HOST(name, version) EXTENSION(name, version, HOST, true)
#define LATER_HOST(name, version) EXTENSION(name, version, HOST, false)
#define FEATURE(name) MACRO(name, .is_ours = true)
#define FEATURE_2_0(name) MACRO(name, .is_ours = true, .is_2_0 = true)
#define LATER_FEATURE(name) MACRO(name, .is_ours = false)
#define LATER_FEATURE_2_0(name) MACRO(name, .is_2_0 = true)

const struct tf_feature_row tf_features[TF_FEATURE_COUNT] = {
#include "abi/language_features.def"
};

struct tf_feature_set tf_features_ours(void)
{
    struct tf_feature_set set = {{0}};

    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        tf_feature_put(&set, f, tf_features[f].is_ours);
    return set;
}
