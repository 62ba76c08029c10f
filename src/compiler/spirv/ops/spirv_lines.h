// SPDX-License-Identifier: MIT
// Lines of the source (OpLine), as LLVM's debug locations: for reports and the build log.
#ifndef TF_COMPILER_SPIRV_OPS_SPIRV_LINES_H
#define TF_COMPILER_SPIRV_OPS_SPIRV_LINES_H

#include "compiler/spirv/read/spirv_reader.h"

// Before and behind the functions of a module; with `wanted` false nothing is made.
void tf_spv_lines_begin(struct tf_spv *r, bool wanted);
void tf_spv_lines_end(struct tf_spv *r);
// Behind the last one, also where the reading was left.
void tf_spv_lines_drop(struct tf_spv *r);

// Before the blocks of the function whose OpFunction is `r->op`, and before each of them:
// a line holds to the end of its block.
void tf_spv_lines_of_function(struct tf_spv *r, const struct tf_spv_function *function);
void tf_spv_lines_of_block(struct tf_spv *r);

#endif // TF_COMPILER_SPIRV_OPS_SPIRV_LINES_H
