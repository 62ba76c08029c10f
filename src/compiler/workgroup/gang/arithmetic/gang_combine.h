// SPDX-License-Identifier: MIT
// Values of all lanes folded into one by an operation that is associative: sums, minima,
// bits. Real numbers are added in the same order on every machine. A lane that is not
// active stands for the operation's identity.
#ifndef TF_COMPILER_WORKGROUP_GANG_ARITHMETIC_GANG_COMBINE_H
#define TF_COMPILER_WORKGROUP_GANG_ARITHMETIC_GANG_COMBINE_H

#include <stdbool.h>

#include <llvm-c/Types.h>

struct gang;

struct gang_combine {
    struct gang *g;
    unsigned op; // enum tf_sub_group_combine, without TF_SUB_GROUP_UNSIGNED
    bool with_sign, real;
    LLVMTypeRef type; // of one lane's value, a scalar
};

// `op` is an enum tf_sub_group_combine, with or without TF_SUB_GROUP_UNSIGNED.
struct gang_combine gang_combine_make(struct gang *g, LLVMTypeRef type, unsigned op);
// x, combined with which every value stays as it is; a scalar constant.
LLVMValueRef gang_combine_identity(const struct gang_combine *c);
// Of two scalars or two vectors.
LLVMValueRef gang_combine_two(const struct gang_combine *c, LLVMValueRef a,
                              LLVMValueRef b);
// The values of the active lanes, with the identity in the others.
LLVMValueRef gang_combine_active(const struct gang_combine *c, LLVMValueRef values);
// One scalar of all lanes' values.
LLVMValueRef gang_combine_all(const struct gang_combine *c, LLVMValueRef values);
// Each lane gets its own value combined with those of all lanes below.
LLVMValueRef gang_combine_scan(const struct gang_combine *c, LLVMValueRef values);
// Of what gang_combine_scan returned: without the lane's own value.
LLVMValueRef gang_combine_before(const struct gang_combine *c, LLVMValueRef scanned);

#endif // TF_COMPILER_WORKGROUP_GANG_ARITHMETIC_GANG_COMBINE_H
