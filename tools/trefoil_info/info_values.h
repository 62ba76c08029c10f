// SPDX-License-Identifier: MIT
// Values of queries by their types, bits and enumerations by their names.
#ifndef TREFOIL_INFO_VALUES_H
#define TREFOIL_INFO_VALUES_H

#include <stddef.h>

// `type` is a name of C, "char[]" for text, "" for what the query's name decides.
void print_value(const char *query, const char *type, const void *value, size_t bytes);

#endif // TREFOIL_INFO_VALUES_H
