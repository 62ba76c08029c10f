// SPDX-License-Identifier: MIT
#include "compiler/codegen/unroll_limit.h"

#include <llvm-c/Core.h>
#include <stdint.h>

#include "base/alloc.h"
#include "compiler/ir/ir_util.h"
#include "compiler/module/unroll_hint.h"

enum { INSTRUCTIONS = 65536 };

// A hint that LLVM does not know: it does what it does without one.
static LLVMMetadataRef no_wish(LLVMContextRef context)
{
    static const char text[] = "tf.unroll.too_much";
    LLVMMetadataRef name = LLVMMDStringInContext2(context, text, sizeof(text) - 1);

    return LLVMMDNodeInContext2(context, &name, 1);
}

static void limit_loop(LLVMContextRef context, LLVMValueRef loop, uint64_t most)
{
    const unsigned count = LLVMGetMDNodeNumOperands(loop);
    LLVMValueRef *hints = tf_zalloc((count + 1) * sizeof(LLVMValueRef));

    if (!hints)
        return;
    LLVMGetMDNodeOperands(loop, hints);
    for (unsigned i = 1; i < count; i++) { // the first is the loop itself
        if (tf_unroll_hint_rounds(hints[i]) > most)
            LLVMReplaceMDNodeOperandWith(loop, i, no_wish(context));
    }
    tf_free(hints);
}

// At least 1.
static unsigned count_instructions(LLVMValueRef function)
{
    unsigned count = 0;

    TF_FOR_EACH_INSTRUCTION(i, function)
    {
        count++;
    }
    return count > 0 ? count : 1;
}

void tf_unroll_limit(LLVMModuleRef module)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    const unsigned kind = tf_ir_loop_kind(context);

    TF_FOR_EACH_FUNCTION(f, module)
    {
        unsigned instructions = 0; // counted where a loop asks

        TF_FOR_EACH_BLOCK(block, f)
        {
            const LLVMValueRef end = LLVMGetBasicBlockTerminator(block);
            const LLVMValueRef loop = end ? LLVMGetMetadata(end, kind) : NULL;

            if (!loop || !LLVMIsAMDNode(loop))
                continue;
            if (instructions == 0)
                instructions = count_instructions(f);
            limit_loop(context, loop, INSTRUCTIONS / instructions);
        }
    }
}
