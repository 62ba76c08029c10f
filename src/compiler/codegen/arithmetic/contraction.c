// SPDX-License-Identifier: MIT
#include "compiler/codegen/arithmetic/contraction.h"

#include <stdint.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

static bool is_multiply_add(LLVMValueRef instruction)
{
    const char *name = tf_ir_called_name(instruction);

    return name && !strncmp(name, "llvm.fmuladd.", strlen("llvm.fmuladd."));
}

static bool is_float_or_double(LLVMTypeRef type)
{
    const LLVMTypeRef element =
        LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
    const LLVMTypeKind kind = LLVMGetTypeKind(element);

    return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind;
}

static LLVMValueRef with_flags_of(LLVMValueRef call, LLVMValueRef made)
{
    if (LLVMIsAInstruction(made))
        LLVMSetFastMathFlags(made, LLVMGetFastMathFlags(call));
    return made;
}

static void split(LLVMBuilderRef builder, LLVMValueRef call)
{
    LLVMValueRef product, sum;

    LLVMPositionBuilderBefore(builder, call);
    product = with_flags_of(call, LLVMBuildFMul(builder, LLVMGetOperand(call, 0),
                                                LLVMGetOperand(call, 1), ""));
    sum =
        with_flags_of(call, LLVMBuildFAdd(builder, product, LLVMGetOperand(call, 2), ""));
    LLVMReplaceAllUsesWith(call, sum);
    LLVMInstructionEraseFromParent(call);
}

// ---- fused ones of floats, in double precision
//
// The product is exact, and so are the sum and what it lost to rounding together. A sum
// that lost something is moved to the neighbour whose last bit is set, which a second
// rounding, to 24 bits, cannot mistake for one half.

static bool is_fused_float(LLVMValueRef instruction)
{
    const char *name = tf_ir_called_name(instruction);
    const LLVMTypeRef type = LLVMTypeOf(instruction);

    return name && !strncmp(name, "llvm.fma.", strlen("llvm.fma.")) &&
           LLVMGetTypeKind(LLVMGetTypeKind(type) == LLVMVectorTypeKind
                               ? LLVMGetElementType(type)
                               : type) == LLVMFloatTypeKind;
}

static LLVMTypeRef shaped_as(LLVMTypeRef type, LLVMTypeRef element)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind
               ? LLVMVectorType(element, LLVMGetVectorSize(type))
               : element;
}

static LLVMValueRef number(LLVMTypeRef type, uint64_t value)
{
    enum { MOST = 16 };
    LLVMValueRef all[MOST];
    unsigned count;

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return LLVMConstInt(type, value, false);
    count = LLVMGetVectorSize(type);
    if (count > MOST)
        return NULL;
    for (unsigned i = 0; i < count; i++)
        all[i] = LLVMConstInt(LLVMGetElementType(type), value, false);
    return LLVMConstVector(all, count);
}

// What the sum of `x` and `y` lost.
static LLVMValueRef rest_of_sum(LLVMBuilderRef b, LLVMValueRef sum, LLVMValueRef x,
                                LLVMValueRef y)
{
    const LLVMValueRef y_part = LLVMBuildFSub(b, sum, x, "");
    const LLVMValueRef x_part = LLVMBuildFSub(b, sum, y_part, "");

    return LLVMBuildFAdd(b, LLVMBuildFSub(b, x, x_part, ""),
                         LLVMBuildFSub(b, y, y_part, ""), "");
}

static LLVMValueRef to_odd(LLVMBuilderRef b, LLVMValueRef sum, LLVMValueRef rest,
                           LLVMTypeRef bits)
{
    enum { SIGN_BIT = 63 };
    const LLVMValueRef one = number(bits, 1), none = LLVMConstNull(bits);
    const LLVMValueRef from = LLVMBuildBitCast(b, sum, bits, "");
    const LLVMValueRef signs =
        LLVMBuildXor(b, from, LLVMBuildBitCast(b, rest, bits, ""), "");
    // 1 away from zero, -1 towards it.
    const LLVMValueRef step =
        LLVMBuildOr(b, LLVMBuildAShr(b, signs, number(bits, SIGN_BIT), ""), one, "");
    const LLVMValueRef lost =
        LLVMBuildFCmp(b, LLVMRealONE, rest, LLVMConstNull(LLVMTypeOf(rest)), "");
    const LLVMValueRef even =
        LLVMBuildICmp(b, LLVMIntEQ, LLVMBuildAnd(b, from, one, ""), none, "");
    const LLVMValueRef by =
        LLVMBuildSelect(b, LLVMBuildAnd(b, lost, even, ""), step, none, "");

    return LLVMBuildBitCast(b, LLVMBuildAdd(b, from, by, ""), LLVMTypeOf(sum), "");
}

static void fuse_in_doubles(LLVMBuilderRef b, LLVMValueRef call)
{
    const LLVMTypeRef type = LLVMTypeOf(call);
    const LLVMContextRef context = LLVMGetTypeContext(type);
    const LLVMTypeRef wide = shaped_as(type, LLVMDoubleTypeInContext(context));
    const LLVMTypeRef bits = shaped_as(type, LLVMInt64TypeInContext(context));
    LLVMValueRef x[3], product, sum;

    if (!number(bits, 0))
        return;
    LLVMPositionBuilderBefore(b, call);
    for (unsigned i = 0; i < 3; i++)
        x[i] = LLVMBuildFPExt(b, LLVMGetOperand(call, i), wide, "");
    product = LLVMBuildFMul(b, x[0], x[1], "");
    sum = LLVMBuildFAdd(b, product, x[2], "");
    sum = to_odd(b, sum, rest_of_sum(b, sum, product, x[2]), bits);
    LLVMReplaceAllUsesWith(call, LLVMBuildFPTrunc(b, sum, type, ""));
    LLVMInstructionEraseFromParent(call);
}

static void settle(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    const bool has_fma = *(const bool *)data;

    if (is_multiply_add(instruction) &&
        !(has_fma && is_float_or_double(LLVMTypeOf(instruction))))
        split(b, instruction);
    else if (!has_fma && is_fused_float(instruction))
        fuse_in_doubles(b, instruction);
}

void tf_contraction_settle(LLVMModuleRef module, bool has_fma)
{
    tf_ir_settle_each(module, settle, &has_fma);
}
