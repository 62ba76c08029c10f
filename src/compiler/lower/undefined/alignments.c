// SPDX-License-Identifier: MIT
#include "compiler/lower/undefined/alignments.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "compiler/ir/ir_util.h"
#include "compiler/lower/spaces.h"

// What is aligned to no more than SCALAR_BYTES needs no aligned vectors of the processor.
// What structs are made of nobody sees in their copies.
enum { SCALAR_BYTES = 8, STRUCT_BYTES = 4 };

static bool is_private(LLVMValueRef pointer)
{
    return LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) == TF_SPACE_PRIVATE;
}

// Of components, where there are such.
static unsigned scalar_align(LLVMTargetDataRef layout, LLVMTypeRef type)
{
    if (LLVMGetTypeKind(type) == LLVMVectorTypeKind)
        type = LLVMGetElementType(type);
    const unsigned bytes = LLVMABIAlignmentOfType(layout, type);

    return bytes > SCALAR_BYTES ? STRUCT_BYTES : bytes;
}

static void lower_access(LLVMTargetDataRef layout, LLVMValueRef access,
                         LLVMValueRef pointer, LLVMTypeRef type)
{
    if (!is_private(pointer) && LLVMGetAlignment(access) > SCALAR_BYTES)
        LLVMSetAlignment(access, scalar_align(layout, type));
}

// llvm.memcpy and its kind, of structs.
static void lower_copy(LLVMValueRef call)
{
    const unsigned align = LLVMGetEnumAttributeKindForName("align", strlen("align"));

    for (unsigned i = 0; i < 2; i++) {
        const LLVMAttributeRef its = LLVMGetCallSiteEnumAttribute(call, i + 1, align);

        if (its && LLVMGetEnumAttributeValue(its) > SCALAR_BYTES &&
            !is_private(LLVMGetArgOperand(call, i)))
            LLVMSetInstrParamAlignment(call, i + 1, STRUCT_BYTES);
    }
}

static void lower_instruction(LLVMBuilderRef b, LLVMValueRef instruction, void *data)
{
    const LLVMTargetDataRef layout = data;

    (void)b;
    if (LLVMIsALoadInst(instruction))
        lower_access(layout, instruction, LLVMGetOperand(instruction, 0),
                     LLVMTypeOf(instruction));
    else if (LLVMIsAStoreInst(instruction))
        lower_access(layout, instruction, LLVMGetOperand(instruction, 1),
                     LLVMTypeOf(LLVMGetOperand(instruction, 0)));
    else if (LLVMIsAMemIntrinsic(instruction))
        lower_copy(instruction);
}

// What the front end says of pointers because of their type. Structs by value are copies
// of the caller's.
static void lower_parameters(LLVMValueRef function)
{
    const unsigned align = LLVMGetEnumAttributeKindForName("align", strlen("align"));

    for (unsigned i = 0; i < LLVMCountParams(function); i++) {
        const LLVMValueRef parameter = LLVMGetParam(function, i);

        if (LLVMGetTypeKind(LLVMTypeOf(parameter)) == LLVMPointerTypeKind &&
            !is_private(parameter))
            LLVMRemoveEnumAttributeAtIndex(function, i + 1, align);
    }
}

void tf_alignments_lower(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    lower_parameters(f);
    tf_ir_settle_each(module, lower_instruction, LLVMGetModuleDataLayout(module));
}
