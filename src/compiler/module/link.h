// SPDX-License-Identifier: MIT
// Stages 3 and 4 and the kernel table: modules of a program to one complete program.
#ifndef TF_COMPILER_MODULE_LINK_H
#define TF_COMPILER_MODULE_LINK_H

#include "abi/compiler.h"
#include "base/str.h"

// Fills bitcode and kernels of `out`. Runs inside a job.
enum tf_compiler_status tf_link_program(const struct tf_link_in *in,
                                        struct tf_link_out *out, struct tf_str *log);

#endif // TF_COMPILER_MODULE_LINK_H
