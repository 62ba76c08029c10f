// SPDX-License-Identifier: MIT
// Arithmetic of 32 and 64 bits whose numbers 16 bits hold, as of sums of bytes: OpenCL C
// makes all of it as int, or the program does so that nothing wraps. In lanes it takes
// twice the registers and operations, or four times. LLVM narrows trees that only a
// truncation sees, and knows of a sum of eight terms no more that it is small.
#ifndef TF_COMPILER_WORKGROUP_PREPARE_NARROW_NARROW_H
#define TF_COMPILER_WORKGROUP_PREPARE_NARROW_NARROW_H

#include <stdbool.h>

#include "compiler/workgroup/analysis/facts.h"

// Makes what varies among lanes, and comes of numbers of 16 bits or fewer, in 16 bits
// where that saves more than it takes to widen results again. True if the function of
// the facts, which are stale then, was changed.
bool tf_prepare_narrow(const struct tf_facts *facts);

#endif // TF_COMPILER_WORKGROUP_PREPARE_NARROW_NARROW_H
