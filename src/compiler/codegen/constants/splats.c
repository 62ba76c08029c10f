// SPDX-License-Identifier: MIT
// With AVX2, LLVM makes a constant vector of one element by an instruction that hands the
// element to all lanes: a polynomial of ten terms is ten of them beside ten products, as
// soon as registers are short. The same vector in memory is an operand of the product
// itself. A load from memory that does not change says so. (With AVX-512 operations hand
// elements to all lanes themselves; before AVX, LLVM does as here.)
#include "compiler/codegen/constants/splats.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"

enum {
    VECTOR_BITS = 256,
    BYTE_BITS = 8,
    FEW = 13,        // constants that registers have room for
    MOST_STEPS = 16, // blocks that are taken for one
};

struct splats {
    LLVMModuleRef module;
    LLVMContextRef context;
    LLVMBuilderRef builder;
    unsigned invariant; // kind of metadata
};

// Bits of an element, 0: not of a type that is looked at.
static unsigned element_bits(LLVMTypeRef element)
{
    const LLVMTypeKind kind = LLVMGetTypeKind(element);

    return kind == LLVMFloatTypeKind ? 32 : kind == LLVMDoubleTypeKind ? 64 : 0;
}

// The element that all of a constant are, or NULL.
static LLVMValueRef same_element(LLVMValueRef vector)
{
    const unsigned count = LLVMGetVectorSize(LLVMTypeOf(vector));
    LLVMValueRef first = LLVMGetAggregateElement(vector, 0);

    for (unsigned i = 1; first && i < count; i++) {
        if (LLVMGetAggregateElement(vector, i) != first)
            return NULL;
    }
    return first && LLVMIsAConstantFP(first) ? first : NULL;
}

// The element of such a constant, or NULL. 0 needs no memory, and LLVM knows better ways
// to multiply by 1 and 2.
static LLVMValueRef worthwhile(LLVMValueRef operand)
{
    LLVMTypeRef type;
    LLVMValueRef element;
    LLVMBool inexact;
    double value;

    if (!LLVMIsAConstant(operand))
        return NULL;
    type = LLVMTypeOf(operand);
    if (LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        element_bits(LLVMGetElementType(type)) * LLVMGetVectorSize(type) % VECTOR_BITS ||
        !element_bits(LLVMGetElementType(type)))
        return NULL;
    element = same_element(operand);
    if (!element)
        return NULL;
    value = LLVMConstRealGetDouble(element, &inexact);
    return value == 0.0 || value == 1.0 || value == -1.0 || value == 2.0 ? NULL : element;
}

static bool is_arithmetic(LLVMValueRef instruction)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);
    const char *name;

    if (opcode == LLVMFAdd || opcode == LLVMFSub || opcode == LLVMFMul ||
        opcode == LLVMFCmp)
        return true;
    name = opcode == LLVMCall ? tf_ir_called_name(instruction) : NULL;
    return name && (!strncmp(name, "llvm.fma.", strlen("llvm.fma.")) ||
                    !strncmp(name, "llvm.fmuladd.", strlen("llvm.fmuladd.")));
}

static unsigned operands(LLVMValueRef instruction)
{
    return LLVMGetInstructionOpcode(instruction) == LLVMCall
               ? LLVMGetNumArgOperands(instruction)
               : (unsigned)LLVMGetNumOperands(instruction);
}

// A constant of a whole vector register or several, of whatever arithmetic. 0 and -1 are
// made without memory, and shifts take their amount from the instruction.
static bool wants_register(LLVMValueRef instruction, LLVMValueRef operand)
{
    const LLVMOpcode opcode = LLVMGetInstructionOpcode(instruction);

    return LLVMIsAConstant(operand) &&
           LLVMGetTypeKind(LLVMTypeOf(operand)) == LLVMVectorTypeKind &&
           !LLVMIsNull(operand) && !LLVMIsAUndefValue(operand) && opcode != LLVMShl &&
           opcode != LLVMLShr && opcode != LLVMAShr && opcode != LLVMPHI &&
           opcode != LLVMShuffleVector;
}

struct seen {
    LLVMValueRef constants[FEW];
    unsigned count;
};

// False: there are more of them than registers have room for.
static bool count_constants(struct seen *seen, LLVMBasicBlockRef block)
{
    TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block)
    {
        for (unsigned k = 0; k < operands(i); k++) {
            const LLVMValueRef operand = LLVMGetOperand(i, k);
            unsigned at = 0;

            if (!wants_register(i, operand))
                continue;
            while (at < seen->count && seen->constants[at] != operand)
                at++;
            if (at == FEW)
                return false;
            if (at == seen->count)
                seen->constants[seen->count++] = operand;
        }
    }
    return true;
}

static bool has_ways_here(LLVMBasicBlockRef block)
{
    const LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));

    return use && LLVMGetNextUse(use);
}

// Where a block goes on if not to what is done seldom: to where that comes back. NULL:
// nowhere.
static LLVMBasicBlockRef after(LLVMBasicBlockRef block)
{
    const LLVMValueRef end = LLVMGetBasicBlockTerminator(block);

    if (LLVMGetInstructionOpcode(end) != LLVMBr)
        return NULL;
    for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++) {
        if (has_ways_here(LLVMGetSuccessor(end, i)))
            return LLVMGetSuccessor(end, i);
    }
    return NULL;
}

// A block, with those that it goes on to.
static bool has_many(LLVMBasicBlockRef block)
{
    struct seen seen = {.count = 0};
    LLVMBasicBlockRef at = block;

    for (unsigned i = 0; at && i < MOST_STEPS; i++) {
        if (!count_constants(&seen, at))
            return true;
        at = after(at);
        if (at == block)
            return false;
    }
    return false;
}

// The block that alone leads to this one, which comes back to where that goes on: it is
// done seldom, and what it needs would be kept in registers all the time. NULL: it is
// none such.
static LLVMBasicBlockRef beside(LLVMBasicBlockRef block)
{
    const LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(block));
    LLVMBasicBlockRef from, back, at = block;

    if (!use || LLVMGetNextUse(use))
        return NULL;
    from = LLVMGetInstructionParent(LLVMGetUser(use));
    back = after(from);
    for (unsigned i = 0; at && back && i < MOST_STEPS; i++) {
        at = after(at);
        if (at == back)
            return from;
        if (at == from)
            return NULL;
    }
    return NULL;
}

static bool is_to_settle(LLVMBasicBlockRef block)
{
    for (LLVMBasicBlockRef from = block; from; from = beside(from))
        block = from;
    return has_many(block);
}

// One for all uses in the module, found again by its name.
static LLVMValueRef in_memory(const struct splats *s, LLVMValueRef constant,
                              LLVMValueRef element)
{
    const LLVMTypeRef type = LLVMTypeOf(constant);
    const unsigned bits = element_bits(LLVMGetElementType(type));
    uint64_t image;
    char name[64];
    LLVMValueRef global;
    LLVMBool inexact;
    double value;

    value = LLVMConstRealGetDouble(element, &inexact);
    memcpy(&image, &value, sizeof(image));
    snprintf(name, sizeof(name), "tf.splat.%u.%u.%016" PRIx64, bits,
             LLVMGetVectorSize(type), image);
    global = LLVMGetNamedGlobal(s->module, name);
    if (global)
        return global;
    global = LLVMAddGlobal(s->module, type, name);
    LLVMSetInitializer(global, constant);
    LLVMSetGlobalConstant(global, true);
    LLVMSetLinkage(global, LLVMPrivateLinkage);
    LLVMSetUnnamedAddress(global, LLVMGlobalUnnamedAddr);
    LLVMSetAlignment(global, VECTOR_BITS / BYTE_BITS);
    return global;
}

static void settle(const struct splats *s, LLVMValueRef instruction)
{
    for (unsigned k = 0; k < operands(instruction); k++) {
        const LLVMValueRef constant = LLVMGetOperand(instruction, k);
        const LLVMValueRef element = worthwhile(constant);
        LLVMValueRef load;

        if (!element)
            continue;
        LLVMPositionBuilderBefore(s->builder, instruction);
        load = LLVMBuildLoad2(s->builder, LLVMTypeOf(constant),
                              in_memory(s, constant, element), "");
        LLVMSetAlignment(load, VECTOR_BITS / BYTE_BITS);
        LLVMSetMetadata(
            load, s->invariant,
            LLVMMetadataAsValue(s->context, LLVMMDNodeInContext2(s->context, NULL, 0)));
        LLVMSetOperand(instruction, k, load);
    }
}

// What is settled does not count any more: first all is decided.
static void settle_function(const struct splats *s, LLVMValueRef function)
{
    const unsigned count = LLVMCountBasicBlocks(function);
    bool *const chosen = tf_zalloc(count + 1);
    unsigned number = 0;

    if (!chosen)
        return;
    TF_FOR_EACH_BLOCK(block, function)
    chosen[number++] = is_to_settle(block);
    number = 0;
    TF_FOR_EACH_BLOCK(block, function)
    {
        if (!chosen[number++])
            continue;
        TF_FOR_EACH_INSTRUCTION_OF_BLOCK(i, block)
        {
            if (is_arithmetic(i))
                settle(s, i);
        }
    }
    tf_free(chosen);
}

void tf_splats_settle(LLVMModuleRef module)
{
    static const char invariant[] = "invariant.load";
    const LLVMContextRef context = LLVMGetModuleContext(module);
    const struct splats s = {
        .module = module,
        .context = context,
        .builder = LLVMCreateBuilderInContext(context),
        .invariant = LLVMGetMDKindIDInContext(context, invariant, sizeof(invariant) - 1),
    };

    TF_FOR_EACH_FUNCTION(f, module)
    settle_function(&s, f);
    LLVMDisposeBuilder(s.builder);
}
