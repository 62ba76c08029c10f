// SPDX-License-Identifier: MIT
// Names of the bits and enumerations that queries answer with.
#ifndef TREFOIL_INFO_NAMES_H
#define TREFOIL_INFO_NAMES_H

#include <stdbool.h>
#include <stdint.h>

// NULL where the type has no such value.
const char *name_of(const char *type, uint64_t value);
bool has_names(const char *type);

#endif // TREFOIL_INFO_NAMES_H
