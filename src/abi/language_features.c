// SPDX-License-Identifier: MIT
#include "abi/language_features.h"

#include <CL/cl.h>

#define MACRO(name, ...)                                                             \
    [TF_FEATURE_##name] = {"__opencl_c_" #name, .version = CL_MAKE_VERSION(3, 0, 0), \
                           .kind = TF_FEATURE_KIND_MACRO, __VA_ARGS__},
#define EXTENSION(id, number, side, ...) \
    [TF_FEATURE_##                       \
        id] = {#id, .version = (number), .kind = TF_FEATURE_KIND_##side, __VA_ARGS__},

#define LANGUAGE(name, version) EXTENSION(name, version, LANGUAGE, .is_ours = true)
#define LATER_LANGUAGE(name, version) EXTENSION(name, version, LANGUAGE, .is_ours = false)
#define HOST(name, version) EXTENSION(name, version, HOST, .is_ours = true)
#define LATER_HOST(name, version) EXTENSION(name, version, HOST, .is_ours = false)
#define IMAGES_LANGUAGE(name, version) \
    EXTENSION(name, version, LANGUAGE, .is_of_images = true)
#define IMAGES_HOST(name, version) EXTENSION(name, version, HOST, .is_of_images = true)
#define IMAGES_FEATURE(name) MACRO(name, .is_of_images = true)
#define IMAGES_FEATURE_2_0(name) MACRO(name, .is_of_images = true, .is_2_0 = true)
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

const char *tf_features_lacking_2_0(const struct tf_feature_set *set, bool blocks)
{
    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        if (tf_features[f].is_2_0 && !tf_feature_in(set, f) &&
            (blocks || f != TF_FEATURE_device_enqueue))
            return tf_features[f].name;
    return NULL;
}

void tf_features_put_images(struct tf_feature_set *set, bool in)
{
    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        if (tf_features[f].is_of_images)
            tf_feature_put(set, f, in);
}
