// SPDX-License-Identifier: MIT
#include "compiler/ir/ir_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>

#define SPIR_KERNEL_CALL_CONV 76

const char *tf_ir_name(LLVMValueRef value)
{
    size_t bytes;

    return LLVMGetValueName2(value, &bytes);
}

bool tf_ir_is_kernel(LLVMValueRef function)
{
    return LLVMGetFunctionCallConv(function) == SPIR_KERNEL_CALL_CONV &&
           !LLVMIsDeclaration(function);
}

bool tf_ir_is_intrinsic(LLVMValueRef function)
{
    return LLVMGetIntrinsicID(function) != 0;
}

bool tf_ir_is_call(LLVMValueRef instruction)
{
    return LLVMIsACallInst(instruction) || LLVMIsAInvokeInst(instruction) ||
           LLVMIsACallBrInst(instruction);
}

LLVMValueRef tf_ir_callee(LLVMValueRef instruction)
{
    return tf_ir_is_call(instruction) ? LLVMIsAFunction(LLVMGetCalledValue(instruction))
                                      : NULL;
}

const char *tf_ir_called_name(LLVMValueRef instruction)
{
    const LLVMValueRef callee = tf_ir_callee(instruction);

    return callee ? tf_ir_name(callee) : NULL;
}

LLVMValueRef tf_ir_function_of(LLVMValueRef instruction)
{
    return LLVMGetBasicBlockParent(LLVMGetInstructionParent(instruction));
}

const char *tf_ir_source_name(const char *symbol, char *name, size_t bytes)
{
    static const char wrapped[] = "__clang_ocl_kern_imp_";
    size_t length;

    if (!strncmp(symbol, wrapped, sizeof wrapped - 1))
        symbol += sizeof wrapped - 1;
    if (*symbol == '\1') // an assembler label
        symbol++;
    length = strlen(symbol);
    if (!strncmp(symbol, "_Z", 2)) {
        char *text;
        const unsigned long digits = strtoul(symbol + 2, &text, 10);

        if (digits > 0 && digits <= strlen(text)) {
            symbol = text;
            length = digits;
        }
    }
    snprintf(name, bytes, "%.*s", (int)length, symbol);
    return name;
}

void tf_ir_add_attribute_at(LLVMValueRef function, unsigned at, const char *name,
                            uint64_t value)
{
    const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
    const unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

    LLVMAddAttributeAtIndex(function, at, LLVMCreateEnumAttribute(context, kind, value));
}

void tf_ir_add_attribute(LLVMValueRef function, const char *name)
{
    tf_ir_add_attribute_at(function, (unsigned)LLVMAttributeFunctionIndex, name, 0);
}

void tf_ir_remove_attribute(LLVMValueRef function, const char *name)
{
    LLVMRemoveEnumAttributeAtIndex(function, LLVMAttributeFunctionIndex,
                                   LLVMGetEnumAttributeKindForName(name, strlen(name)));
}
