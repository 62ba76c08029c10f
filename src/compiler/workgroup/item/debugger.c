// SPDX-License-Identifier: MIT
// What a debugger finds in an item function: the kernel's lines and variables, which came
// with its body, and a variable of our own that says which work-item it is.
// trefoil-gdb.py (tools) reads it.
#include "compiler/workgroup/item/debugger.h"

#include <string.h>

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/kernel/wg.h"

#define VARIABLE "__tf_item"
// Three local ids, struct tf_group, struct tf_launch.
enum { WORDS = 5, WORD_BITS = 64, DWARF_UNSIGNED = 7 };

static LLVMMetadataRef type_of_variable(LLVMDIBuilderRef debug)
{
    static const char name[] = "unsigned long";
    LLVMMetadataRef range = LLVMDIBuilderGetOrCreateSubrange(debug, 0, WORDS);
    const LLVMMetadataRef word = LLVMDIBuilderCreateBasicType(
        debug, name, strlen(name), WORD_BITS, DWARF_UNSIGNED, LLVMDIFlagZero);

    return LLVMDIBuilderCreateArrayType(debug, (uint64_t)WORDS * WORD_BITS, WORD_BITS,
                                        word, &range, 1);
}

static LLVMValueRef fill(struct tf_wg *wg, LLVMValueRef item)
{
    const LLVMTypeRef type = LLVMArrayType2(wg->i64, WORDS);
    const LLVMValueRef words = LLVMBuildAlloca(wg->builder, type, "");

    for (unsigned i = 0; i < WORDS; i++) {
        static const unsigned from[WORDS] = {
            TF_ITEM_LID, TF_ITEM_LID + 1, TF_ITEM_LID + 2, TF_ITEM_GROUP, TF_ITEM_LAUNCH};
        const LLVMValueRef value = LLVMGetParam(item, from[i]);

        // Volatile: nobody else reads it.
        LLVMSetVolatile(LLVMBuildStore(wg->builder, value,
                                       tf_wg_address(wg, words, i * sizeof(uint64_t))),
                        true);
    }
    return words;
}

void tf_wg_debug_item(struct tf_wg *wg, LLVMValueRef item, LLVMMetadataRef subprogram)
{
    const LLVMDIBuilderRef debug = LLVMCreateDIBuilder(wg->module);
    const unsigned line = LLVMDISubprogramGetLine(subprogram);
    LLVMMetadataRef variable, none, at;
    LLVMValueRef words, first;

    LLVMSetSubprogram(item, subprogram);
    first = tf_ir_first(item);
    LLVMPositionBuilderBefore(wg->builder, first);
    LLVMSetCurrentDebugLocation2(wg->builder, NULL); // before the first line of all
    words = fill(wg, item);
    variable = LLVMDIBuilderCreateAutoVariable(
        debug, subprogram, VARIABLE, strlen(VARIABLE), NULL, line,
        type_of_variable(debug), true, LLVMDIFlagArtificial, WORD_BITS);
    none = LLVMDIBuilderCreateExpression(debug, NULL, 0);
    at = LLVMDIBuilderCreateDebugLocation(wg->context, line, 0, subprogram, NULL);
    LLVMDIBuilderInsertDeclareRecordBefore(debug, words, variable, none, at, first);
    LLVMDisposeDIBuilder(debug);
}
