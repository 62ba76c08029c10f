// SPDX-License-Identifier: MIT
#include "compiler/codegen/convert/conversion.h"

#include <stdbool.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

#define SIGN_BIT 0x80000000u

static LLVMTypeRef element_of(LLVMTypeRef type)
{
    return LLVMGetTypeKind(type) == LLVMVectorTypeKind ? LLVMGetElementType(type) : type;
}

static bool is_conversion(LLVMValueRef instruction)
{
    const LLVMTypeRef to = element_of(LLVMTypeOf(instruction));

    return LLVMGetInstructionOpcode(instruction) == LLVMFPToUI &&
           LLVMGetTypeKind(to) == LLVMIntegerTypeKind && LLVMGetIntTypeWidth(to) == 32;
}

static LLVMValueRef splat(LLVMTypeRef type, LLVMValueRef scalar)
{
    LLVMValueRef elements[64];

    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind)
        return scalar;
    const unsigned count = LLVMGetVectorSize(type);
    for (unsigned i = 0; i < count; i++)
        elements[i] = scalar;
    return LLVMConstVector(elements, count);
}

// From 2^31 on, 2^31 less is converted, and the highest bit set afterwards.
static LLVMValueRef build(LLVMBuilderRef b, LLVMValueRef real, LLVMTypeRef to)
{
    const LLVMTypeRef from = LLVMTypeOf(real);
    const LLVMValueRef limit = splat(from, LLVMConstReal(element_of(from), SIGN_BIT));
    const LLVMValueRef sign = splat(to, LLVMConstInt(element_of(to), SIGN_BIT, 0));
    LLVMValueRef is_large, low, number;

    if (LLVMGetTypeKind(element_of(from)) == LLVMHalfTypeKind) // 65504 at most
        return LLVMBuildFPToSI(b, real, to, "");
    is_large = LLVMBuildFCmp(b, LLVMRealOGE, real, limit, "");
    low = LLVMBuildFSub(b, real,
                        LLVMBuildSelect(b, is_large, limit, LLVMConstNull(from), ""), "");
    number = LLVMBuildFreeze(b, LLVMBuildFPToSI(b, low, to, ""), "");
    return LLVMBuildXor(b, number,
                        LLVMBuildSelect(b, is_large, sign, LLVMConstNull(to), ""), "");
}

static void settle(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    (void)data;
    if (!is_conversion(instruction))
        return;
    LLVMPositionBuilderBefore(b, instruction);
    tf_ir_replace(instruction,
                  build(b, LLVMGetOperand(instruction, 0), LLVMTypeOf(instruction)));
}

void tf_conversion_settle(LLVMModuleRef module)
{
    tf_ir_settle_each(module, settle, NULL);
}

// ---- roundings of halves

static bool is_rounding(LLVMValueRef instruction, unsigned *id)
{
    static const char *const names[] = {"llvm.ceil", "llvm.floor",     "llvm.nearbyint",
                                        "llvm.rint", "llvm.roundeven", "llvm.round",
                                        "llvm.trunc"};
    const LLVMTypeRef type = LLVMTypeOf(instruction);
    LLVMValueRef callee;

    if (LLVMGetInstructionOpcode(instruction) != LLVMCall ||
        LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        LLVMGetTypeKind(LLVMGetElementType(type)) != LLVMHalfTypeKind)
        return false;
    callee = LLVMGetCalledValue(instruction);
    if (!LLVMIsAFunction(callee) || !tf_ir_is_intrinsic(callee))
        return false;
    *id = LLVMGetIntrinsicID(callee);
    for (unsigned i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
        if (*id == LLVMLookupIntrinsicID(names[i], strlen(names[i])))
            return true;
    }
    return false;
}

static bool is_vector_cast(LLVMValueRef user)
{
    return LLVMIsAFPExtInst(user) || LLVMIsAFPToSIInst(user) || LLVMIsAFPToUIInst(user);
}

// Comparisons with constants, which floats are, too: with 0, as LLVM asks for NaN, above
// all.
static void compare_wide(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef wide,
                         LLVMValueRef compare)
{
    const unsigned other = LLVMGetOperand(compare, 0) == call;
    const LLVMValueRef constant = LLVMGetOperand(compare, other);

    if (!LLVMIsConstant(constant))
        return;
    LLVMSetOperand(compare, other, LLVMBuildFPExt(b, constant, LLVMTypeOf(wide), ""));
    LLVMSetOperand(compare, 1 - other, wide);
}

// What goes on with numbers of another kind takes the floats.
static void give_wide(LLVMBuilderRef b, LLVMValueRef call, LLVMValueRef wide)
{
    LLVMUseRef use = LLVMGetFirstUse(call);

    while (use) {
        const LLVMValueRef user = LLVMGetUser(use);

        use = LLVMGetNextUse(use);
        if (LLVMIsAFPExtInst(user) && LLVMTypeOf(user) == LLVMTypeOf(wide))
            LLVMReplaceAllUsesWith(user, wide);
        else if (is_vector_cast(user))
            LLVMSetOperand(user, 0, wide);
        else if (LLVMIsAFCmpInst(user))
            compare_wide(b, call, wide, user);
    }
}

static LLVMValueRef build_rounding(LLVMModuleRef module, LLVMBuilderRef b,
                                   LLVMValueRef call, unsigned id)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    const LLVMTypeRef halves = LLVMTypeOf(call);
    LLVMTypeRef floats =
        LLVMVectorType(LLVMFloatTypeInContext(context), LLVMGetVectorSize(halves));
    const LLVMTypeRef type = LLVMIntrinsicGetType(context, id, &floats, 1);
    const LLVMValueRef function = LLVMGetIntrinsicDeclaration(module, id, &floats, 1);
    LLVMValueRef wide = LLVMBuildFPExt(b, LLVMGetOperand(call, 0), floats, "");

    wide = LLVMBuildCall2(b, type, function, &wide, 1, "");
    give_wide(b, call, wide);
    return LLVMBuildFPTrunc(b, wide, halves, "");
}

static void widen_rounding(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    unsigned id;

    if (!is_rounding(instruction, &id))
        return;
    LLVMPositionBuilderBefore(b, instruction);
    tf_ir_replace(instruction, build_rounding(data, b, instruction, id));
}

void tf_conversion_widen_roundings(LLVMModuleRef module)
{
    tf_ir_settle_each(module, widen_rounding, module);
}
