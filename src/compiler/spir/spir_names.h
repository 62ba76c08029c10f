// SPDX-License-Identifier: MIT
// Names of built-in functions: those of SPIR, and those that Clang gives them today. Both
// are names of C++ (Itanium's ABI) that say which types the parameters have.
#ifndef TF_COMPILER_SPIR_SPIR_NAMES_H
#define TF_COMPILER_SPIR_SPIR_NAMES_H

#include <stddef.h>

enum tf_spir_param {
    TF_SPIR_PLAIN,
    TF_SPIR_IMAGE,
    TF_SPIR_SAMPLER,
    TF_SPIR_EVENT, // by value
};

// The name of today, in new memory (tf_free), the same where nothing differs; NULL when
// memory ran out.
char *tf_spir_name_now(const char *symbol);

// What the name says of the parameters. Writes `room` of them at most and returns how
// many there are; 0: it is no such name.
size_t tf_spir_params(const char *symbol, enum tf_spir_param *params, size_t room);

#endif // TF_COMPILER_SPIR_SPIR_NAMES_H
