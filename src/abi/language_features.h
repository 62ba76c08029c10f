// SPDX-License-Identifier: MIT
// Sets of what stands in abi/language_features.def: what a device claims, what its
// queries answer and what the front end defines.
#ifndef TF_ABI_LANGUAGE_FEATURES_H
#define TF_ABI_LANGUAGE_FEATURES_H

#include <assert.h>
#include <stdbool.h>
#include <stdint.h>

// TF_FEATURE_<name>: TF_FEATURE_cl_khr_fp64 is the extension, TF_FEATURE_fp64 the macro.
enum tf_feature {
#define LANGUAGE(name, version) TF_FEATURE_##name,
#define HOST(name, version) TF_FEATURE_##name,
#define FEATURE(name) TF_FEATURE_##name,
#define FEATURE_2_0(name) TF_FEATURE_##name,
#define IMAGES_LANGUAGE(name, version) TF_FEATURE_##name,
#define IMAGES_HOST(name, version) TF_FEATURE_##name,
#define IMAGES_FEATURE(name) TF_FEATURE_##name,
#define IMAGES_FEATURE_2_0(name) TF_FEATURE_##name,
#define LATER_LANGUAGE(name, version) TF_FEATURE_##name,
#define LATER_HOST(name, version) TF_FEATURE_##name,
#define LATER_FEATURE(name) TF_FEATURE_##name,
#define LATER_FEATURE_2_0(name) TF_FEATURE_##name,
#include "abi/language_features.def"
    TF_FEATURE_COUNT,
};

enum tf_feature_kind {
    TF_FEATURE_KIND_LANGUAGE = 1u << 0, // extension that OpenCL C sees
    TF_FEATURE_KIND_HOST = 1u << 1,     // extension of the API alone
    TF_FEATURE_KIND_MACRO = 1u << 2,    // __opencl_c_*
    TF_FEATURE_KIND_EXTENSION = TF_FEATURE_KIND_LANGUAGE | TF_FEATURE_KIND_HOST,
};

struct tf_feature_row {
    const char *name; // as programs and queries have it
    uint32_t version; // a cl_version
    enum tf_feature_kind kind;
    bool is_2_0;  // obligatory in OpenCL C 2.0
    bool is_ours; // the compiler and the CPU have it
    bool is_of_images;
};

extern const struct tf_feature_row tf_features[TF_FEATURE_COUNT];

// Zeros: none.
struct tf_feature_set {
    uint64_t bits[4];
};

static_assert(TF_FEATURE_COUNT <= 256, "room in struct tf_feature_set");

static inline bool tf_feature_in(const struct tf_feature_set *set, enum tf_feature f)
{
    return set->bits[f / 64] >> f % 64 & 1;
}

static inline void tf_feature_put(struct tf_feature_set *set, enum tf_feature f, bool in)
{
    const uint64_t bit = (uint64_t)1 << f % 64;

    set->bits[f / 64] = in ? set->bits[f / 64] | bit : set->bits[f / 64] & ~bit;
}

// All that the compiler and the CPU have, without images.
struct tf_feature_set tf_features_ours(void);
// The name of a feature that OpenCL C 2.0 demands and the set lacks, or NULL. Static.
// C++ for OpenCL 1.0 demands the same, but nothing of blocks (`blocks` false).
const char *tf_features_lacking_2_0(const struct tf_feature_set *, bool blocks);
// Adds what devices with images have, or takes it away.
void tf_features_put_images(struct tf_feature_set *, bool in);

#endif // TF_ABI_LANGUAGE_FEATURES_H
