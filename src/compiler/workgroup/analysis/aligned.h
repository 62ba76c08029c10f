// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_WORKGROUP_ANALYSIS_ALIGNED_H
#define TF_COMPILER_WORKGROUP_ANALYSIS_ALIGNED_H

#include <stdbool.h>
#include <stdint.h>

#include "compiler/workgroup/analysis/shape.h"

// Whether lane 0's value is a multiple of 2^stride_bits times the gang's lanes, whichever
// number they are up to s->most_lanes.
bool tf_is_aligned(const struct tf_shapes *s, LLVMValueRef value, unsigned stride_bits);

// The power of two that the stride is, as its logarithm, where the value is affine and
// aligned to it: then no lane of a gang is in another block of stride * lanes than lane
// 0. -1 otherwise.
int tf_aligned_stride(const struct tf_shapes *s, LLVMValueRef value);

// Whether the number is a multiple of that block for the most lanes.
bool tf_is_block(const struct tf_shapes *s, uint64_t number, unsigned stride_bits);

#endif // TF_COMPILER_WORKGROUP_ANALYSIS_ALIGNED_H
