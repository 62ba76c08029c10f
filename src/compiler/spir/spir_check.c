// SPDX-License-Identifier: MIT
#include "compiler/spir/spir_check.h"

#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"

enum { SPACES = 5, MOST_NESTED = 64 };

struct check {
    struct tf_str *log;
    const char *where; // name of the function or variable
    bool failed;
};

static void fail(struct check *c, const char *what)
{
    if (!c->failed)
        tf_str_printf(c->log, "error: SPIR: %s in '%.200s'\n", what, c->where);
    c->failed = true;
}

static bool lanes_ok(unsigned lanes)
{
    return lanes == 2 || lanes == 3 || lanes == 4 || lanes == 8 || lanes == 16;
}

static bool integer_ok(unsigned bits)
{
    return bits == 1 || bits == 8 || bits == 16 || bits == 32 || bits == 64;
}

static bool is_plain(LLVMTypeKind kind)
{
    return kind == LLVMVoidTypeKind || kind == LLVMHalfTypeKind ||
           kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind ||
           kind == LLVMLabelTypeKind || kind == LLVMMetadataTypeKind;
}

// Of numbers, pointers, and arrays and structures of these.
static bool type_ok(LLVMTypeRef type, unsigned depth)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);

    if (kind == LLVMIntegerTypeKind)
        return integer_ok(LLVMGetIntTypeWidth(type));
    if (kind == LLVMPointerTypeKind)
        return LLVMGetPointerAddressSpace(type) < SPACES;
    if (kind == LLVMVectorTypeKind)
        return lanes_ok(LLVMGetVectorSize(type)) &&
               type_ok(LLVMGetElementType(type), depth);
    if (kind == LLVMArrayTypeKind)
        return depth < MOST_NESTED && type_ok(LLVMGetElementType(type), depth + 1);
    if (kind != LLVMStructTypeKind)
        return is_plain(kind);
    if (LLVMIsOpaqueStruct(type) || depth >= MOST_NESTED)
        return false;
    for (unsigned i = 0; i < LLVMCountStructElementTypes(type); i++)
        if (!type_ok(LLVMStructGetTypeAtIndex(type, i), depth + 1))
            return false;
    return true;
}

// Jumps that go anywhere, exceptions, arguments without number.
static bool opcode_ok(LLVMOpcode opcode)
{
    static const LLVMOpcode others[] = {LLVMIndirectBr, LLVMInvoke,     LLVMCallBr,
                                        LLVMResume,     LLVMLandingPad, LLVMCatchPad,
                                        LLVMCatchRet,   LLVMCleanupPad, LLVMCleanupRet,
                                        LLVMVAArg,      LLVMCatchSwitch};

    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (opcode == others[i])
            return false;
    return true;
}

static bool operands_ok(LLVMValueRef inst)
{
    const int count = LLVMGetNumOperands(inst);

    for (int i = 0; i < count; i++) {
        const LLVMValueRef operand = LLVMGetOperand(inst, (unsigned)i);

        if (operand && !LLVMIsAFunction(operand) && !type_ok(LLVMTypeOf(operand), 0))
            return false;
    }
    return true;
}

static void check_body(struct check *c, LLVMValueRef function)
{
    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        if (!opcode_ok(LLVMGetInstructionOpcode(i)))
            fail(c, "an instruction that SPIR has not");
        else if (!type_ok(LLVMTypeOf(i), 0) || !operands_ok(i) ||
                 (LLVMIsAAllocaInst(i) && !type_ok(LLVMGetAllocatedType(i), 0)))
            fail(c, "a type that SPIR has not");
        else if (LLVMIsACallInst(i) && LLVMGetNumOperandBundles(i) > 0)
            fail(c, "a call with bundles");
    }
}

static void check_type(struct check *c, LLVMTypeRef type)
{
    const unsigned count = LLVMCountParamTypes(type);
    LLVMTypeRef *const params = tf_zalloc((count + 1) * sizeof *params);

    if (!params) {
        fail(c, "out of memory");
        return;
    }
    LLVMGetParamTypes(type, params);
    if (!type_ok(LLVMGetReturnType(type), 0))
        fail(c, "a type that SPIR has not");
    for (unsigned i = 0; i < count; i++)
        if (!type_ok(params[i], 0))
            fail(c, "a type that SPIR has not");
    tf_free(params);
}

// "target-cpu" and the like, and what would keep code from being what it is.
static void drop_attributes(LLVMValueRef function)
{
    static const char *const unwanted[] = {
        "naked",           "returns_twice",   "jumptable",      "sanitize_address",
        "sanitize_thread", "sanitize_memory", "noimplicitfloat"};
    const unsigned at = LLVMAttributeFunctionIndex;
    const unsigned count = LLVMGetAttributeCountAtIndex(function, at);
    LLVMAttributeRef *const list = tf_zalloc((count + 1) * sizeof *list);

    for (size_t i = 0; i < sizeof unwanted / sizeof *unwanted; i++)
        tf_ir_remove_attribute(function, unwanted[i]);
    if (list)
        LLVMGetAttributesAtIndex(function, at, list);
    for (unsigned i = 0; list && i < count; i++)
        if (LLVMIsStringAttribute(list[i])) {
            unsigned bytes;
            const char *const kind = LLVMGetStringAttributeKind(list[i], &bytes);

            LLVMRemoveStringAttributeAtIndex(function, at, kind, bytes);
        }
    tf_free(list);
}

static bool has_section(LLVMValueRef global)
{
    const char *const name = LLVMGetSection(global);

    return name && *name;
}

static void check_function(struct check *c, LLVMValueRef function)
{
    const LLVMTypeRef type = LLVMGlobalGetValueType(function);
    const unsigned convention = LLVMGetFunctionCallConv(function);

    check_type(c, type);
    if (convention != LLVMSPIRFUNCCallConv && convention != LLVMSPIRKERNELCallConv)
        fail(c, "another calling convention than SPIR's");
    if (LLVMHasPersonalityFn(function) || LLVMGetGC(function) || has_section(function))
        fail(c, "something that SPIR has not");
    if (LLVMIsFunctionVarArg(type) && !LLVMIsDeclaration(function))
        fail(c, "a function of any number of arguments");
    drop_attributes(function);
    if (LLVMGetLinkage(function) == LLVMAvailableExternallyLinkage)
        LLVMSetLinkage(function, LLVMLinkOnceODRLinkage);
    // Compilers of then did not say which calls all work-items make together.
    tf_ir_add_attribute(function, "convergent");
    check_body(c, function);
}

static void check_variable(struct check *c, LLVMValueRef variable)
{
    const LLVMTypeRef type = LLVMGlobalGetValueType(variable);

    if (!type_ok(type, 0))
        fail(c, "a type that SPIR has not");
    if (LLVMGetPointerAddressSpace(LLVMTypeOf(variable)) >= SPACES ||
        LLVMGetLinkage(variable) == LLVMAppendingLinkage || has_section(variable))
        fail(c, "a variable that SPIR has not");
}

bool tf_spir_check(LLVMModuleRef module, struct tf_str *log)
{
    struct check c = {.log = log};

    TF_FOR_EACH_FUNCTION(f, module)
    {
        c.where = tf_ir_name(f);
        if (!tf_ir_is_intrinsic(f))
            check_function(&c, f);
    }
    TF_FOR_EACH_GLOBAL(g, module)
    {
        c.where = tf_ir_name(g);
        check_variable(&c, g);
    }
    return !c.failed;
}
