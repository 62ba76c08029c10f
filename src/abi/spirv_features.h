// SPDX-License-Identifier: MIT
// What SPIR-V modules may declare on a device: one table (spirv_features.def) for the
// queries of core and for the reader of the compiler, so that the two cannot differ.
#ifndef TF_ABI_SPIRV_FEATURES_H
#define TF_ABI_SPIRV_FEATURES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "abi/language_features.h"

enum { TF_SPIRV_MINOR_MAX = 6 }; // the newest version is 1.6

enum tf_spirv_kind { TF_SPIRV_INSTRUCTIONS, TF_SPIRV_EXTENSION, TF_SPIRV_CAPABILITY };

struct tf_spirv_row {
    enum tf_spirv_kind kind;
    const char *name;
    uint32_t number;         // of a capability
    enum tf_feature feature; // that the device must have; TF_FEATURE_COUNT: none
};

enum {
#define INSTRUCTIONS(name) +1
#define EXTENSION(name) +1
#define EXTENSION_OF(name, feature) +1
#define CAPABILITY(name, number) +1
#define CAPABILITY_OF(name, number, feature) +1
    TF_SPIRV_ROWS = 0
#include "abi/spirv_features.def"
};

extern const struct tf_spirv_row tf_spirv_rows[TF_SPIRV_ROWS];

// Whether a device with these features accepts what the row says.
static inline bool tf_spirv_row_in(const struct tf_feature_set *set,
                                   const struct tf_spirv_row *row)
{
    return row->feature == TF_FEATURE_COUNT || tf_feature_in(set, row->feature);
}

// The row of a capability, NULL if it is not known.
const struct tf_spirv_row *tf_spirv_capability(uint32_t number);
// The row of an extension or of a set of instructions, NULL if it is not known.
const struct tf_spirv_row *tf_spirv_named(enum tf_spirv_kind kind, const char *name);

#endif // TF_ABI_SPIRV_FEATURES_H
