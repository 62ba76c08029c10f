// SPDX-License-Identifier: MIT
#include "compiler/ir/ir_util.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#define SPIR_KERNEL_CALL_CONV 76

bool tf_ir_is_scalar(LLVMTypeRef type)
{
    switch ((int)LLVMGetTypeKind(type)) {
    case LLVMIntegerTypeKind:
    case LLVMHalfTypeKind:
    case LLVMBFloatTypeKind:
    case LLVMFloatTypeKind:
    case LLVMDoubleTypeKind:
    case LLVMPointerTypeKind:
        return true;
    default:
        return false;
    }
}

bool tf_ir_is_plain_element(LLVMTypeRef type)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(type);
    unsigned bits;

    if (kind != LLVMIntegerTypeKind)
        return kind == LLVMHalfTypeKind || kind == LLVMFloatTypeKind ||
               kind == LLVMDoubleTypeKind;
    bits = LLVMGetIntTypeWidth(type);
    return bits % 8 == 0 && (bits & (bits - 1)) == 0;
}

static LLVMValueRef first_from(LLVMBasicBlockRef block)
{
    LLVMValueRef first = NULL;

    for (; block && !first; block = LLVMGetNextBasicBlock(block))
        first = LLVMGetFirstInstruction(block);
    return first;
}

LLVMValueRef tf_ir_first(LLVMValueRef function)
{
    return first_from(LLVMGetFirstBasicBlock(function));
}

LLVMValueRef tf_ir_next(LLVMValueRef instruction)
{
    const LLVMValueRef next = LLVMGetNextInstruction(instruction);
    const LLVMBasicBlockRef block = LLVMGetInstructionParent(instruction);

    return next ? next : first_from(LLVMGetNextBasicBlock(block));
}

void tf_ir_settle_each(LLVMModuleRef module, tf_ir_settle settle, void *data)
{
    const LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

    TF_FOR_EACH_FUNCTION(f, module)
    {
        LLVMValueRef next;

        for (LLVMValueRef i = tf_ir_first(f); i; i = next) {
            next = tf_ir_next(i);
            settle(b, i, data);
        }
    }
    LLVMDisposeBuilder(b);
}

void tf_ir_replace(LLVMValueRef instruction, LLVMValueRef value)
{
    LLVMReplaceAllUsesWith(instruction, value);
    LLVMInstructionEraseFromParent(instruction);
}

LLVMValueRef tf_ir_first_behind_phis(LLVMBasicBlockRef block)
{
    LLVMValueRef i = LLVMGetFirstInstruction(block);

    while (LLVMIsAPHINode(i))
        i = LLVMGetNextInstruction(i);
    return i;
}

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

bool tf_ir_calls(LLVMValueRef instruction, const char *prefix)
{
    const char *const name = tf_ir_called_name(instruction);

    return name && strncmp(name, prefix, strlen(prefix)) == 0;
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

void tf_ir_move_body(LLVMValueRef from, LLVMValueRef to)
{
    const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(to));
    const LLVMBasicBlockRef old = LLVMAppendBasicBlockInContext(context, to, "");
    LLVMBasicBlockRef last = old, next;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(from); b; b = next) {
        next = LLVMGetNextBasicBlock(b);
        LLVMMoveBasicBlockAfter(b, last);
        last = b;
    }
    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(to); b != old; b = next) {
        next = LLVMGetNextBasicBlock(b);
        LLVMDeleteBasicBlock(b);
    }
    LLVMDeleteBasicBlock(old);
}

// Of functions and of calls.
struct attribute_access {
    unsigned (*count)(LLVMValueRef, LLVMAttributeIndex);
    void (*get)(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef *);
    void (*add)(LLVMValueRef, LLVMAttributeIndex, LLVMAttributeRef);
};

static void copy_attributes(const struct attribute_access *access, LLVMValueRef from,
                            LLVMValueRef to, unsigned params, unsigned shift)
{
    // Index 0 is the result, 1.. the parameters, -1 the function.
    for (unsigned i = 0; i <= params + 1; i++) {
        const unsigned at = i == params + 1 ? (unsigned)LLVMAttributeFunctionIndex : i;
        const unsigned there = i >= 1 && i <= params ? i + shift : at;
        LLVMAttributeRef list[64];
        const unsigned count = access->count(from, at);

        if (count > sizeof list / sizeof *list)
            continue;
        access->get(from, at, list);
        for (unsigned k = 0; k < count; k++)
            access->add(to, there, list[k]);
    }
}

void tf_ir_copy_attributes(LLVMValueRef from, LLVMValueRef to, unsigned shift)
{
    static const struct attribute_access of_functions = {
        LLVMGetAttributeCountAtIndex, LLVMGetAttributesAtIndex, LLVMAddAttributeAtIndex};

    copy_attributes(&of_functions, from, to, LLVMCountParams(from), shift);
}

void tf_ir_copy_call_attributes(LLVMValueRef from, LLVMValueRef to, unsigned shift)
{
    static const struct attribute_access of_calls = {LLVMGetCallSiteAttributeCount,
                                                     LLVMGetCallSiteAttributes,
                                                     LLVMAddCallSiteAttribute};

    copy_attributes(&of_calls, from, to, LLVMGetNumArgOperands(from), shift);
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

static const char seldom[] = "tf-seldom";

void tf_ir_mark_seldom(LLVMValueRef function)
{
    const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));

    LLVMAddAttributeAtIndex(
        function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
        LLVMCreateStringAttribute(context, seldom, sizeof(seldom) - 1, "", 0));
}

bool tf_ir_is_seldom(LLVMValueRef function)
{
    return LLVMGetStringAttributeAtIndex(function,
                                         (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
                                         seldom, sizeof(seldom) - 1) != NULL;
}

static LLVMMetadataRef text_node(LLVMContextRef context, const char *text)
{
    LLVMMetadataRef string = LLVMMDStringInContext2(context, text, strlen(text));

    return LLVMMDNodeInContext2(context, &string, 1);
}

// A node whose first operand is the node itself, as LLVM names loops.
LLVMValueRef tf_ir_loop_mark(LLVMContextRef context, const char *hint, bool progress)
{
    LLVMMetadataRef self = LLVMTemporaryMDNode(context, NULL, 0), node;
    LLVMMetadataRef entries[3] = {self};
    size_t count = 1;

    entries[count++] = text_node(context, hint);
    if (progress)
        entries[count++] = text_node(context, "llvm.loop.mustprogress");
    node = LLVMMDNodeInContext2(context, entries, count);
    LLVMMetadataReplaceAllUsesWith(self, node);
    return LLVMMetadataAsValue(context, node);
}

bool tf_ir_loop_says_nothing(LLVMValueRef mark)
{
    static const char progress[] = "llvm.loop.mustprogress";
    const int count = LLVMGetMDNodeNumOperands(mark);
    LLVMValueRef entries[2], name = NULL;
    unsigned bytes;

    if (count != 2)
        return count < 2;
    LLVMGetMDNodeOperands(mark, entries);
    if (LLVMIsAMDNode(entries[1]) && LLVMGetMDNodeNumOperands(entries[1]) == 1)
        LLVMGetMDNodeOperands(entries[1], &name);
    return name && LLVMIsAMDString(name) &&
           !strncmp(LLVMGetMDString(name, &bytes), progress, strlen(progress));
}

unsigned tf_ir_loop_kind(LLVMContextRef context)
{
    static const char name[] = "llvm.loop";

    return LLVMGetMDKindIDInContext(context, name, sizeof(name) - 1);
}

static LLVMContextRef context_of(LLVMValueRef instruction)
{
    return LLVMGetModuleContext(LLVMGetGlobalParent(tf_ir_function_of(instruction)));
}

LLVMValueRef tf_ir_loop_said(LLVMValueRef branch)
{
    return LLVMGetMetadata(branch, tf_ir_loop_kind(context_of(branch)));
}

void tf_ir_loop_say(LLVMValueRef branch, LLVMValueRef mark)
{
    LLVMSetMetadata(branch, tf_ir_loop_kind(context_of(branch)), mark);
}

void tf_ir_mark_loop(LLVMValueRef branch, const char *hint)
{
    tf_ir_loop_say(branch, tf_ir_loop_mark(context_of(branch), hint, false));
}

LLVMValueRef tf_ir_argument_from_end(LLVMValueRef call, unsigned at)
{
    return LLVMGetOperand(call, LLVMGetNumArgOperands(call) - at);
}

LLVMValueRef tf_ir_splat_of(LLVMValueRef value)
{
    LLVMValueRef made, index;

    if (!LLVMIsAShuffleVectorInst(value))
        return NULL;
    for (unsigned i = 0; i < LLVMGetNumMaskElements(value); i++) {
        if (LLVMGetMaskValue(value, i) != 0)
            return NULL;
    }
    made = LLVMGetOperand(value, 0);
    if (!LLVMIsAInsertElementInst(made))
        return NULL;
    index = LLVMGetOperand(made, 2);
    return LLVMIsAConstantInt(index) && LLVMConstIntGetZExtValue(index) == 0
               ? LLVMGetOperand(made, 1)
               : NULL;
}

bool tf_ir_is_division(LLVMOpcode opcode)
{
    return opcode == LLVMUDiv || opcode == LLVMSDiv || opcode == LLVMURem ||
           opcode == LLVMSRem;
}

bool tf_ir_is_integer_operation(LLVMValueRef value)
{
    switch ((int)LLVMGetInstructionOpcode(value)) {
    case LLVMAdd:
    case LLVMSub:
    case LLVMMul:
    case LLVMShl:
    case LLVMLShr:
    case LLVMAShr:
    case LLVMAnd:
    case LLVMOr:
    case LLVMXor:
        return true;
    default:
        return false;
    }
}

LLVMIntPredicate tf_ir_inverse(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntEQ:
        return LLVMIntNE;
    case LLVMIntNE:
        return LLVMIntEQ;
    case LLVMIntUGT:
        return LLVMIntULE;
    case LLVMIntUGE:
        return LLVMIntULT;
    case LLVMIntULT:
        return LLVMIntUGE;
    case LLVMIntULE:
        return LLVMIntUGT;
    case LLVMIntSGT:
        return LLVMIntSLE;
    case LLVMIntSGE:
        return LLVMIntSLT;
    case LLVMIntSLT:
        return LLVMIntSGE;
    case LLVMIntSLE:
        return LLVMIntSGT;
    }
    return p;
}

LLVMIntPredicate tf_ir_swapped(LLVMIntPredicate p)
{
    switch (p) {
    case LLVMIntEQ:
    case LLVMIntNE:
        return p;
    case LLVMIntUGT:
        return LLVMIntULT;
    case LLVMIntUGE:
        return LLVMIntULE;
    case LLVMIntULT:
        return LLVMIntUGT;
    case LLVMIntULE:
        return LLVMIntUGE;
    case LLVMIntSGT:
        return LLVMIntSLT;
    case LLVMIntSGE:
        return LLVMIntSLE;
    case LLVMIntSLT:
        return LLVMIntSGT;
    case LLVMIntSLE:
        return LLVMIntSGE;
    }
    return p;
}

void tf_ir_weigh(LLVMValueRef branch, unsigned first, unsigned second)
{
    static const char prof[] = "prof", weights[] = "branch_weights";
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(branch));
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(context);
    LLVMMetadataRef words[] = {
        LLVMMDStringInContext2(context, weights, sizeof(weights) - 1),
        LLVMValueAsMetadata(LLVMConstInt(i32, first, false)),
        LLVMValueAsMetadata(LLVMConstInt(i32, second, false)),
    };

    LLVMSetMetadata(
        branch, LLVMGetMDKindIDInContext(context, prof, sizeof(prof) - 1),
        LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, words, 3)));
}

bool tf_ir_known_mask(LLVMValueRef mask, uint64_t *lanes)
{
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(mask));

    if (!LLVMIsConstant(mask) || count > 64)
        return false;
    *lanes = 0;
    for (unsigned i = 0; i < count; i++) {
        const LLVMValueRef bit = LLVMGetAggregateElement(mask, i);

        if (bit && LLVMIsUndef(bit))
            continue;
        if (!bit || !LLVMIsAConstantInt(bit))
            return false;
        *lanes |= (uint64_t)LLVMConstIntGetZExtValue(bit) << i;
    }
    return true;
}

bool tf_ir_is_ordinary(LLVMValueRef access)
{
    return !LLVMGetVolatile(access) &&
           LLVMGetOrdering(access) == LLVMAtomicOrderingNotAtomic;
}
