// SPDX-License-Identifier: MIT
// Program binaries, as clCreateProgramWithBinary takes them: made by libtrefoil.so
// itself, without a loader.
#ifndef TF_TOOLS_TREFOILC_BINARY_H
#define TF_TOOLS_TREFOILC_BINARY_H

#include "base/str.h"
#include "inputs.h"

enum binary_result { BINARY_MADE, BINARY_BAD_PROGRAM, BINARY_NO_DRIVER };

// Builds the inputs as one program for the levels of instructions `isa` (a list, or NULL:
// that of this machine) and adds its binary to `out`. Messages go to standard error.
enum binary_result binary_make(const struct input *inputs, int count, const char *isa,
                               struct tf_str *out);

#endif // TF_TOOLS_TREFOILC_BINARY_H
