// SPDX-License-Identifier: MIT
// What to do about the mistakes that authors of OpenCL C make most often: a line behind
// Clang's message, which says what is wrong but not what the language wants instead.
#ifndef TF_COMPILER_FRONT_HINTS_H
#define TF_COMPILER_FRONT_HINTS_H

#include "base/str.h"

// Puts "hint: .." behind each error and warning of a known kind, once a kind, in the text
// of `log` from the byte `from` on. Without memory the log stays as it is.
void tf_hints_add(struct tf_str *log, size_t from);

#endif // TF_COMPILER_FRONT_HINTS_H
