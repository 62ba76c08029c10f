// SPDX-License-Identifier: MIT
// The text that a call of printf makes (OpenCL C 3.0, 6.15.14.2), from its record. Pure:
// nothing is written anywhere, and no locale plays a part.
#ifndef TF_DEVICES_CPU_PRINT_CPU_PRINT_TEXT_H
#define TF_DEVICES_CPU_PRINT_CPU_PRINT_TEXT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/str.h"

// Adds the text of `record` (abi/print_record.h) to `out`. False: a conversion is
// not one of OpenCL C, or its argument is missing or of another type; the conversion
// stands in the text as it is in the format then, and the rest goes on. (Integers of
// another size are taken as C would take them.) Also false when memory ran out
// (out->failed).
bool tf_print_text(struct tf_str *out, const void *record, size_t bytes);

#endif // TF_DEVICES_CPU_PRINT_CPU_PRINT_TEXT_H
