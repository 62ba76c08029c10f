// SPDX-License-Identifier: MIT
// Where a program loads four numbers and asks for two or three of them (`p[i].xyz`), the
// rest is gone once vectors are taken apart. Lanes at places of their own load all four
// at once (plan/strip.c), if they know that they may.
#include "compiler/workgroup/prepare/wholes.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/ir/vector/component.h"
#include "compiler/workgroup/plan/bundle.h"

enum { PARTS = 4 }; // of two there is no part that would not be the whole

static bool is_whole(LLVMValueRef i)
{
    const LLVMTypeRef type = LLVMIsALoadInst(i) ? LLVMTypeOf(i) : NULL;
    LLVMTypeRef element;

    if (!type || LLVMGetTypeKind(type) != LLVMVectorTypeKind ||
        LLVMGetVectorSize(type) != PARTS || LLVMGetVolatile(i) ||
        LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        return false;
    element = LLVMGetElementType(type);
    return LLVMGetTypeKind(element) == LLVMFloatTypeKind ||
           (LLVMGetTypeKind(element) == LLVMIntegerTypeKind &&
            LLVMGetIntTypeWidth(element) == 8 * TF_STRIP_BYTES / PARTS);
}

static void copy_metadata(LLVMValueRef from, LLVMValueRef to)
{
    size_t count;
    LLVMValueMetadataEntry *entries =
        LLVMInstructionGetAllMetadataOtherThanDebugLoc(from, &count);
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(from));

    for (unsigned k = 0; k < count; k++)
        LLVMSetMetadata(to, LLVMValueMetadataEntriesGetKind(entries, k),
                        LLVMMetadataAsValue(
                            context, LLVMValueMetadataEntriesGetMetadata(entries, k)));
    LLVMDisposeValueMetadataEntries(entries);
}

static LLVMValueRef load_component(LLVMBuilderRef b, LLVMValueRef whole, unsigned k)
{
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(whole));
    const LLVMTypeRef element = LLVMGetElementType(LLVMTypeOf(whole));
    LLVMValueRef at = LLVMGetOperand(whole, 0), load;
    LLVMValueRef index = LLVMConstInt(LLVMInt32TypeInContext(context), k, false);
    const unsigned align = LLVMGetAlignment(whole), bytes = TF_STRIP_BYTES / PARTS;

    if (k > 0)
        at = LLVMBuildInBoundsGEP2(b, element, at, &index, 1, "");
    load = LLVMBuildLoad2(b, element, at, "");
    LLVMSetAlignment(load, k > 0 && align > bytes ? bytes : align);
    copy_metadata(whole, load);
    tf_say_component(load, k);
    return load;
}

static void take_apart(LLVMBuilderRef b, LLVMValueRef whole)
{
    const LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(whole));
    LLVMValueRef made = LLVMGetPoison(LLVMTypeOf(whole));

    LLVMPositionBuilderBefore(b, whole);
    for (unsigned k = 0; k < PARTS; k++)
        made = LLVMBuildInsertElement(
            b, made, load_component(b, whole, k),
            LLVMConstInt(LLVMInt32TypeInContext(context), k, false), "");
    tf_ir_replace(whole, made);
}

void tf_prepare_wholes(LLVMValueRef fn)
{
    const LLVMBuilderRef b =
        LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(fn)));

    for (LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(fn); block;
         block = LLVMGetNextBasicBlock(block)) {
        LLVMValueRef next;

        for (LLVMValueRef i = LLVMGetFirstInstruction(block); i; i = next) {
            next = LLVMGetNextInstruction(i);
            if (is_whole(i))
                take_apart(b, i);
        }
    }
    LLVMDisposeBuilder(b);
}
