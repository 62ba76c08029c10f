// SPDX-License-Identifier: MIT
#include "abi/spirv_features.h"

#include <string.h>

#define INSTRUCTIONS(text) {TF_SPIRV_INSTRUCTIONS, text, 0, TF_FEATURE_COUNT},
#define EXTENSION(text) {TF_SPIRV_EXTENSION, text, 0, TF_FEATURE_COUNT},
#define EXTENSION_OF(text, has) {TF_SPIRV_EXTENSION, text, 0, TF_FEATURE_##has},
#define CAPABILITY(id, value) {TF_SPIRV_CAPABILITY, #id, value, TF_FEATURE_COUNT},
#define CAPABILITY_OF(id, value, has) {TF_SPIRV_CAPABILITY, #id, value, TF_FEATURE_##has},

const struct tf_spirv_row tf_spirv_rows[TF_SPIRV_ROWS] = {
#include "abi/spirv_features.def"
};

const struct tf_spirv_row *tf_spirv_capability(uint32_t number)
{
    for (int i = 0; i < TF_SPIRV_ROWS; i++)
        if (tf_spirv_rows[i].kind == TF_SPIRV_CAPABILITY &&
            tf_spirv_rows[i].number == number)
            return &tf_spirv_rows[i];
    return NULL;
}

const struct tf_spirv_row *tf_spirv_named(enum tf_spirv_kind kind, const char *name)
{
    for (int i = 0; i < TF_SPIRV_ROWS; i++)
        if (tf_spirv_rows[i].kind == kind && !strcmp(tf_spirv_rows[i].name, name))
            return &tf_spirv_rows[i];
    return NULL;
}
