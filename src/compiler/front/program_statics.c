// SPDX-License-Identifier: MIT
#include "compiler/front/program_statics.h"

#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Comdat.h>
#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"

#define DESTRUCTOR_PREFIX "__dtor_"

enum { GENERIC_SPACE = 4 };

static bool begins(const char *text, const char *start)
{
    return !strncmp(text, start, strlen(start));
}

static bool is_constructor(LLVMValueRef function)
{
    return LLVMIsAFunction(function) &&
           (begins(tf_ir_name(function), "_GLOBAL_") ||
            begins(tf_ir_name(function), "__cxx_global_var_init"));
}

bool tf_program_statics_ok(LLVMValueRef list)
{
    const LLVMValueRef entries = LLVMGetInitializer(list);
    const int count =
        entries && LLVMIsAConstantArray(entries) ? LLVMGetNumOperands(entries) : 0;

    for (int i = 0; i < count; i++) {
        const LLVMValueRef entry = LLVMGetOperand(entries, (unsigned)i);

        if (!LLVMIsAConstantStruct(entry) || LLVMGetNumOperands(entry) < 2 ||
            !LLVMIsAConstantInt(LLVMGetOperand(entry, 0)) ||
            !is_constructor(LLVMGetOperand(entry, 1)))
            return false;
    }
    return count > 0;
}

// An entry may name its object, in another address space than the list's type says: that
// is no module which could be written and read. The guards of the objects do without it.
static void tidy_list(LLVMModuleRef module)
{
    const LLVMValueRef old = LLVMGetNamedGlobal(module, TF_STATICS_LIST);
    const LLVMContextRef context = LLVMGetModuleContext(module);
    const LLVMTypeRef ptr = LLVMPointerTypeInContext(context, 0);
    LLVMValueRef *entries;
    LLVMValueRef list;

    if (!old || !tf_program_statics_ok(old))
        return;
    const LLVMValueRef initializer = LLVMGetInitializer(old);
    const unsigned count = (unsigned)LLVMGetNumOperands(initializer);
    entries = tf_zalloc(count * sizeof *entries);
    if (!entries)
        return; // the module is refused
    for (unsigned i = 0; i < count; i++) {
        const LLVMValueRef entry = LLVMGetOperand(initializer, i);
        LLVMValueRef fields[] = {LLVMGetOperand(entry, 0), LLVMGetOperand(entry, 1),
                                 LLVMConstNull(ptr)};

        LLVMSetFunctionCallConv(fields[1], LLVMSPIRFUNCCallConv);
        entries[i] = LLVMConstStructInContext(context, fields, 3, false);
    }
    const LLVMTypeRef type = LLVMTypeOf(entries[0]);
    list = LLVMAddGlobal(module, LLVMArrayType2(type, count), "");
    LLVMSetInitializer(list, LLVMConstArray2(type, entries, count));
    LLVMSetLinkage(list, LLVMAppendingLinkage);
    LLVMDeleteGlobal(old);
    LLVMSetValueName2(list, TF_STATICS_LIST, strlen(TF_STATICS_LIST));
    tf_free(entries);
}

// Clang passes NULL to destructors where the object lies in another address space than a
// plain pointer; the name of the function around the call says which object it is.
static void tidy_destructor(LLVMModuleRef module, LLVMValueRef function)
{
    const LLVMValueRef object =
        LLVMGetNamedGlobal(module, tf_ir_name(function) + strlen(DESTRUCTOR_PREFIX));
    LLVMValueRef next;

    for (LLVMValueRef inst = tf_ir_first(function); inst; inst = next) {
        const LLVMValueRef callee = tf_ir_callee(inst);

        next = tf_ir_next(inst);
        if (!callee || LLVMCountParams(callee) != 1 ||
            !LLVMIsConstant(LLVMGetOperand(inst, 0)) ||
            !LLVMIsNull(LLVMGetOperand(inst, 0)))
            continue;
        const LLVMTypeRef wanted = LLVMTypeOf(LLVMGetParam(callee, 0));
        if (LLVMGetPointerAddressSpace(wanted) != GENERIC_SPACE)
            continue;
        if (object) {
            const LLVMBuilderRef builder =
                LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
            LLVMValueRef address = LLVMConstAddrSpaceCast(object, wanted);

            LLVMPositionBuilderBefore(builder, inst);
            const LLVMValueRef call = LLVMBuildCall2(
                builder, LLVMGlobalGetValueType(callee), callee, &address, 1, "");
            LLVMSetInstructionCallConv(call, LLVMGetInstructionCallConv(inst));
            LLVMDisposeBuilder(builder);
        }
        LLVMInstructionEraseFromParent(inst);
    }
}

static void rename_at_exit(LLVMModuleRef module)
{
    const LLVMValueRef function = LLVMGetNamedFunction(module, "atexit");

    for (LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL; use;
         use = LLVMGetNextUse(use)) {
        const LLVMValueRef call = LLVMGetUser(use);

        // One of the program's own making stays what it is: undefined.
        if (tf_ir_callee(call) != function || LLVMGetNumArgOperands(call) != 1 ||
            !begins(tf_ir_name(LLVMGetOperand(call, 0)), DESTRUCTOR_PREFIX))
            return;
    }
    if (function && LLVMIsDeclaration(function))
        LLVMSetValueName2(function, TF_STATICS_AT_EXIT, strlen(TF_STATICS_AT_EXIT));
}

bool tf_program_statics_tidy(LLVMModuleRef module)
{
    static const char *const lists[] = {"llvm.used", "llvm.compiler.used"};

    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (LLVMGetNamedGlobal(module, lists[i]))
            LLVMDeleteGlobal(LLVMGetNamedGlobal(module, lists[i]));
    tidy_list(module);
    rename_at_exit(module);
    TF_FOR_EACH_FUNCTION(f, module)
    {
        LLVMSetComdat(f, NULL);
        if (begins(tf_ir_name(f), DESTRUCTOR_PREFIX))
            tidy_destructor(module, f);
        // Clang makes a kernel of the one that calls the others, for hosts to start.
        if (tf_ir_is_kernel(f) && begins(tf_ir_name(f), "_GLOBAL_"))
            LLVMSetFunctionCallConv(f, LLVMSPIRFUNCCallConv);
    }
    TF_FOR_EACH_GLOBAL(g, module)
    {
        LLVMSetComdat(g, NULL);
    }
    return !LLVMVerifyModule(module, LLVMReturnStatusAction, NULL);
}
