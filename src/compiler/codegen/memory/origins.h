// SPDX-License-Identifier: MIT
// Where the lanes of vectors come from, through shuffles, and vectors made of such lanes.
#ifndef TF_COMPILER_CODEGEN_MEMORY_ORIGINS_H
#define TF_COMPILER_CODEGEN_MEMORY_ORIGINS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

enum { TF_ORIGIN_LANES = 64, TF_ORIGIN_SCALAR = ~0 };

// A lane of a vector, or a scalar, or what may be anything.
struct tf_origin {
    LLVMValueRef value; // NULL: anything
    int lane;           // TF_ORIGIN_SCALAR: it is none
};

// What the lane of a vector is; of a scalar, whatever the lane.
struct tf_origin tf_origin_of(LLVMValueRef value, unsigned lane);
// Where that comes from in the end.
struct tf_origin tf_origin_settle(struct tf_origin origin);
// The scalar that it is; the builder stands where it is wanted.
LLVMValueRef tf_origin_scalar(LLVMBuilderRef builder, struct tf_origin origin,
                              LLVMTypeRef type);
// The vector whose lanes, at most TF_ORIGIN_LANES, come from there, by shuffles. NULL: it
// would take too many vectors.
LLVMValueRef tf_origin_vector(LLVMBuilderRef builder, const struct tf_origin *lanes,
                              LLVMTypeRef type);
// One shuffle of two vectors in place of a shuffle of shuffles, or NULL; the builder
// is moved.
LLVMValueRef tf_origin_shorter(LLVMBuilderRef builder, LLVMValueRef shuffle);

#endif // TF_COMPILER_CODEGEN_MEMORY_ORIGINS_H
