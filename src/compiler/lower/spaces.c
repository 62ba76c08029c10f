// SPDX-License-Identifier: MIT
#include "compiler/lower/spaces.h"

#include <stddef.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/clang/clang_frontend.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/roots.h"

// ---- to_global, to_local, to_private ----

static const struct {
    const char *name;
    enum tf_space space;
} casts[] = {
    {"__to_global", TF_SPACE_GLOBAL},
    {"__to_local", TF_SPACE_LOCAL},
    {"__to_private", TF_SPACE_PRIVATE},
};
enum { CAST_COUNT = sizeof casts / sizeof *casts };

bool tf_spaces_is_cast(const char *symbol)
{
    for (size_t i = 0; i < CAST_COUNT; i++)
        if (!strcmp(symbol, casts[i].name))
            return true;
    return false;
}

static LLVMValueRef root_of(LLVMModuleRef module, LLVMTypeRef pointer)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    LLVMValueRef root = LLVMGetNamedFunction(module, tf_root_name(TF_ROOT_SPACE));

    if (!root) {
        root = LLVMAddFunction(
            module, tf_root_name(TF_ROOT_SPACE),
            LLVMFunctionType(LLVMInt32TypeInContext(context), &pointer, 1, false));
        LLVMSetFunctionCallConv(root, LLVMSPIRFUNCCallConv);
    }
    return root;
}

// to_X(p) is p where it points into X, and NULL otherwise.
static void lower_cast(LLVMBuilderRef builder, LLVMValueRef call, enum tf_space space)
{
    const LLVMModuleRef module = LLVMGetGlobalParent(tf_ir_function_of(call));
    LLVMValueRef pointer = LLVMGetOperand(call, 0);
    const LLVMTypeRef type = LLVMTypeOf(call);
    const LLVMValueRef root = root_of(module, LLVMTypeOf(pointer));
    LLVMValueRef actual, same, cast;

    LLVMPositionBuilderBefore(builder, call);
    actual = LLVMBuildCall2(builder, LLVMGlobalGetValueType(root), root, &pointer, 1, "");
    LLVMSetInstructionCallConv(actual, LLVMSPIRFUNCCallConv);
    same = LLVMBuildICmp(builder, LLVMIntEQ, actual,
                         LLVMConstInt(LLVMTypeOf(actual), space, false), "");
    cast = LLVMBuildAddrSpaceCast(builder, pointer, type, "");
    LLVMReplaceAllUsesWith(call,
                           LLVMBuildSelect(builder, same, cast, LLVMConstNull(type), ""));
    LLVMInstructionEraseFromParent(call);
}

// `int *__to_X(int generic *)`, as the front end declares it.
static bool is_cast_call(LLVMValueRef user, LLVMValueRef function)
{
    return LLVMIsAInstruction(user) && tf_ir_callee(user) == function &&
           LLVMGetNumArgOperands(user) == 1 &&
           LLVMGetTypeKind(LLVMTypeOf(user)) == LLVMPointerTypeKind &&
           LLVMGetTypeKind(LLVMTypeOf(LLVMGetOperand(user, 0))) == LLVMPointerTypeKind &&
           LLVMGetPointerAddressSpace(LLVMTypeOf(LLVMGetOperand(user, 0))) ==
               TF_SPACE_GENERIC;
}

void tf_spaces_lower(LLVMModuleRef module)
{
    const LLVMBuilderRef builder =
        LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    for (size_t i = 0; i < CAST_COUNT; i++) {
        const LLVMValueRef function = LLVMGetNamedFunction(module, casts[i].name);
        LLVMUseRef next;

        if (!function || !LLVMIsDeclaration(function))
            continue;
        for (LLVMUseRef use = LLVMGetFirstUse(function); use; use = next) {
            const LLVMValueRef user = LLVMGetUser(use);

            next = LLVMGetNextUse(use);
            if (is_cast_call(user, function))
                lower_cast(builder, user, casts[i].space);
        }
    }
    LLVMDisposeBuilder(builder);
}

// ---- Origins ----

enum { ANY_SPACE = -1, UNKNOWN_SPACE = -2, MAX_DEPTH = 24 };

static int space_of_type(LLVMValueRef pointer)
{
    return (int)LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
}

static int meet(int a, int b)
{
    return a == ANY_SPACE ? b : b == ANY_SPACE || a == b ? a : UNKNOWN_SPACE;
}

static LLVMOpcode opcode_of(LLVMValueRef value)
{
    return LLVMIsAInstruction(value)    ? LLVMGetInstructionOpcode(value)
           : LLVMIsAConstantExpr(value) ? LLVMGetConstOpcode(value)
                                        : LLVMRet;
}

// The space into which `pointer` points, as far as the function shows it. ANY_SPACE: it
// is NULL, or depends on itself only.
static int origin(LLVMValueRef pointer, unsigned depth)
{
    int space = ANY_SPACE;

    if (space_of_type(pointer) != TF_SPACE_GENERIC)
        return space_of_type(pointer);
    if (LLVMIsNull(pointer) || LLVMIsUndef(pointer))
        return ANY_SPACE;
    if (depth == MAX_DEPTH)
        return UNKNOWN_SPACE;
    switch ((int)opcode_of(pointer)) {
    case LLVMAddrSpaceCast:
    case LLVMGetElementPtr:
    case LLVMFreeze:
        return origin(LLVMGetOperand(pointer, 0), depth + 1);
    case LLVMSelect:
        return meet(origin(LLVMGetOperand(pointer, 1), depth + 1),
                    origin(LLVMGetOperand(pointer, 2), depth + 1));
    case LLVMPHI:
        for (unsigned i = 0; i < LLVMCountIncoming(pointer); i++) {
            const LLVMValueRef value = LLVMGetIncomingValue(pointer, i);

            if (value != pointer)
                space = meet(space, origin(value, depth + 1));
        }
        return space;
    default:
        return UNKNOWN_SPACE;
    }
}

// Operand number of the pointer of an access, or -1.
static int accessed(LLVMValueRef inst)
{
    switch ((int)LLVMGetInstructionOpcode(inst)) {
    case LLVMLoad:
    case LLVMAtomicRMW:
    case LLVMAtomicCmpXchg:
        return 0;
    case LLVMStore:
        return 1;
    default:
        return -1;
    }
}

// LLVM's inference leaves volatile accesses, and all atomics of OpenCL C are volatile: it
// has put a cast in front of them.
static bool resolve_access(LLVMValueRef inst)
{
    const int at = accessed(inst);
    LLVMValueRef pointer;

    if (at < 0)
        return false;
    pointer = LLVMGetOperand(inst, (unsigned)at);
    if (space_of_type(pointer) != TF_SPACE_GENERIC ||
        opcode_of(pointer) != LLVMAddrSpaceCast)
        return false;
    LLVMSetOperand(inst, (unsigned)at, LLVMGetOperand(pointer, 0));
    return true;
}

static bool resolve_question(LLVMValueRef inst)
{
    int space;

    if (tf_root_of(inst) != TF_ROOT_SPACE)
        return false;
    space = origin(LLVMGetOperand(inst, 0), 0);
    if (space == UNKNOWN_SPACE)
        return false;
    if (space == ANY_SPACE)
        space = TF_SPACE_GLOBAL;
    LLVMReplaceAllUsesWith(
        inst, LLVMConstInt(LLVMTypeOf(inst), (unsigned long long)space, false));
    LLVMInstructionEraseFromParent(inst);
    return true;
}

// NULL is 0 in every space here, which LLVM does not know of a cast of it.
static bool resolve_null(LLVMValueRef inst)
{
    bool changed = false;

    for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
        const LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i);

        if (!LLVMIsAConstantExpr(operand) ||
            LLVMGetConstOpcode(operand) != LLVMAddrSpaceCast ||
            !LLVMIsNull(LLVMGetOperand(operand, 0)))
            continue;
        LLVMSetOperand(inst, (unsigned)i, LLVMConstNull(LLVMTypeOf(operand)));
        changed = true;
    }
    return changed;
}

static bool is_generic(LLVMValueRef value)
{
    return LLVMGetTypeKind(LLVMTypeOf(value)) == LLVMPointerTypeKind &&
           space_of_type(value) == TF_SPACE_GENERIC;
}

// Whether any instruction makes a generic pointer, or takes one that a constant makes.
static bool uses_generic(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        TF_FOR_EACH_INSTRUCTION(inst, f)
        {
            if (is_generic(inst))
                return true;
            for (int i = 0; i < LLVMGetNumOperands(inst); i++) {
                const LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i);

                if (LLVMIsAConstant(operand) &&
                    (is_generic(operand) || (LLVMIsAConstantExpr(operand) &&
                                             is_generic(LLVMGetOperand(operand, 0)))))
                    return true;
            }
        }
    }
    return false;
}

static bool resolve_instruction(LLVMValueRef inst)
{
    const bool changed = resolve_null(inst);

    return resolve_access(inst) || resolve_question(inst) || changed;
}

bool tf_spaces_resolve(LLVMModuleRef module)
{
    bool changed = false;
    LLVMValueRef next;

    if (!uses_generic(module))
        return false;
    tf_clang_infer_spaces(module, TF_SPACE_GENERIC);
    TF_FOR_EACH_FUNCTION(f, module)
    {
        for (LLVMValueRef inst = tf_ir_first(f); inst; inst = next) {
            next = tf_ir_next(inst);
            if (resolve_instruction(inst))
                changed = true;
        }
    }
    return changed;
}
