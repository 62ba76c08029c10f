// SPDX-License-Identifier: MIT
#include "compiler/workgroup/prepare/space_scopes.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/kernel/wg.h"

enum { MOST_SCOPES = 32 };

struct marks {
    LLVMContextRef context;
    LLVMMetadataRef local; // the scope of local memory
    unsigned inside, outside;
};

static unsigned kind(LLVMContextRef context, const char *name)
{
    return LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
}

// Names, in place of nodes of their own, make the scope the same wherever it is made, and
// in all copies of a function.
static LLVMMetadataRef named_scope(LLVMContextRef context)
{
    LLVMMetadataRef domain[] = {LLVMMDStringInContext2(context, "tf.spaces", 9)};
    LLVMMetadataRef scope[] = {LLVMMDStringInContext2(context, "tf.local", 8),
                               LLVMMDNodeInContext2(context, domain, 1)};

    return LLVMMDNodeInContext2(context, scope, 2);
}

// The pointer of a load or store, or NULL.
static LLVMValueRef pointer_of(LLVMValueRef i)
{
    if (LLVMIsALoadInst(i))
        return LLVMGetOperand(i, 0);
    return LLVMIsAStoreInst(i) ? LLVMGetOperand(i, 1) : NULL;
}

static unsigned space_of(LLVMValueRef pointer)
{
    return pointer ? LLVMGetPointerAddressSpace(LLVMTypeOf(pointer)) : TF_AS_PRIVATE;
}

// What a list of very many scopes does not say besides is only lost.
static void add_scope(const struct marks *m, LLVMValueRef i, unsigned list_kind)
{
    const LLVMValueRef list = LLVMGetMetadata(i, list_kind);
    const unsigned count = list ? (unsigned)LLVMGetMDNodeNumOperands(list) : 0;
    LLVMValueRef named[MOST_SCOPES];
    LLVMMetadataRef all[MOST_SCOPES + 1];

    if (count > MOST_SCOPES)
        return;
    if (list)
        LLVMGetMDNodeOperands(list, named);
    for (unsigned k = 0; k < count; k++)
        all[k] = LLVMValueAsMetadata(named[k]);
    all[count] = m->local;
    LLVMSetMetadata(i, list_kind,
                    LLVMMetadataAsValue(
                        m->context, LLVMMDNodeInContext2(m->context, all, count + 1)));
}

static bool has_local_access(LLVMValueRef fn)
{
    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        if (space_of(pointer_of(i)) == TF_AS_LOCAL)
            return true;
    }
    return false;
}

void tf_prepare_space_scopes(LLVMValueRef fn)
{
    const LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(fn));
    const struct marks m = {.context = context,
                            .local = named_scope(context),
                            .inside = kind(context, "alias.scope"),
                            .outside = kind(context, "noalias")};

    if (!has_local_access(fn))
        return;
    TF_FOR_EACH_INSTRUCTION(i, fn)
    {
        const unsigned space = space_of(pointer_of(i));

        if (space == TF_AS_LOCAL)
            add_scope(&m, i, m.inside);
        else if (space == TF_AS_GLOBAL || space == TF_AS_CONSTANT)
            add_scope(&m, i, m.outside);
    }
}
