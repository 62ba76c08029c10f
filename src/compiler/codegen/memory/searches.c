// SPDX-License-Identifier: MIT
#include "compiler/codegen/memory/searches.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

enum {
    MAX_CASTS = 3,
    MAX_STEPS = 10, // from a choice to an address, or the next choice
    MAX_LOOKS = 400 // at uses, for one choice
};

struct search {
    unsigned looks;
};

static LLVMValueRef without_casts(LLVMValueRef value)
{
    for (unsigned i = 0; i < MAX_CASTS && LLVMIsACastInst(value); i++)
        value = LLVMGetOperand(value, 0);
    return value;
}

static bool is_from_memory(LLVMValueRef value)
{
    return LLVMIsALoadInst(without_casts(value)) != NULL;
}

// A number, chosen by a comparison with one out of memory.
static bool is_choice(LLVMValueRef i)
{
    LLVMValueRef condition;

    if (!LLVMIsASelectInst(i) || LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMIntegerTypeKind)
        return false;
    condition = LLVMGetOperand(i, 0);
    return (LLVMIsAICmpInst(condition) || LLVMIsAFCmpInst(condition)) &&
           (is_from_memory(LLVMGetOperand(condition, 0)) ||
            is_from_memory(LLVMGetOperand(condition, 1)));
}

static bool passes_on(LLVMValueRef i)
{
    return LLVMIsABinaryOperator(i) || LLVMIsACastInst(i) || LLVMIsAPHINode(i) ||
           LLVMIsASelectInst(i) || LLVMIsAFreezeInst(i) || LLVMIsAGetElementPtrInst(i);
}

static bool leads_to_choice(struct search *s, LLVMValueRef value, bool is_loaded,
                            unsigned steps);

// Whether what uses a value of the search decides a choice, or leads on to one: numbers
// to an address, what is loaded there to a comparison.
static bool user_leads_on(struct search *s, LLVMValueRef user, bool is_loaded,
                          unsigned steps)
{
    if (is_loaded) {
        if (LLVMIsAICmpInst(user) || LLVMIsAFCmpInst(user)) {
            for (LLVMUseRef u = LLVMGetFirstUse(user); u; u = LLVMGetNextUse(u)) {
                if (is_choice(LLVMGetUser(u)))
                    return true;
            }
        }
        return LLVMIsACastInst(user) && leads_to_choice(s, user, true, steps - 1);
    }
    if (LLVMIsALoadInst(user))
        return leads_to_choice(s, user, true, MAX_CASTS);
    return passes_on(user) && leads_to_choice(s, user, false, steps - 1);
}

static bool leads_to_choice(struct search *s, LLVMValueRef value, bool is_loaded,
                            unsigned steps)
{
    for (LLVMUseRef u = LLVMGetFirstUse(value); u && steps > 0; u = LLVMGetNextUse(u)) {
        if (s->looks++ == MAX_LOOKS)
            return false;
        if (user_leads_on(s, LLVMGetUser(u), is_loaded, steps))
            return true;
    }
    return false;
}

static void settle(LLVMBuilderRef b, LLVMValueRef i, void *data)
{
    static const char name[] = "unpredictable";
    struct search s = {0};
    LLVMContextRef context;

    (void)b;
    (void)data;
    if (!is_choice(i) || !leads_to_choice(&s, i, false, MAX_STEPS))
        return;
    context = LLVMGetTypeContext(LLVMTypeOf(i));
    LLVMSetMetadata(i, LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name)),
                    LLVMMetadataAsValue(context, LLVMMDNodeInContext2(context, NULL, 0)));
}

void tf_searches_settle(LLVMModuleRef module)
{
    tf_ir_settle_each(module, settle, NULL);
}
