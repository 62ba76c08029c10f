// SPDX-License-Identifier: MIT
#include "compiler/workgroup/gang/memory/gang_access.h"

#include <string.h>

#include "compiler/ir/llvm_version.h"

LLVMValueRef gang_keep_promises(struct gang *g, LLVMValueRef instruction,
                                LLVMValueRef made)
{
    static const char *const kinds[] = {"tbaa", "alias.scope", "noalias", "nontemporal",
                                        "invariant.load"};

    for (size_t i = 0; i < sizeof(kinds) / sizeof(kinds[0]); i++) {
        const unsigned kind = LLVMGetMDKindIDInContext(g->wg->context, kinds[i],
                                                       (unsigned)strlen(kinds[i]));
        const LLVMValueRef node = LLVMGetMetadata(instruction, kind);

        if (node)
            LLVMSetMetadata(made, kind, node);
    }
    return made;
}

LLVMValueRef gang_zeros(struct gang *g)
{
    static const char name[] = "tf.zeros";
    const LLVMModuleRef module = LLVMGetGlobalParent(g->to);
    const LLVMTypeRef type = LLVMArrayType2(g->wg->i8, GANG_ZEROS_BYTES);
    LLVMValueRef zeros = LLVMGetNamedGlobal(module, name);

    if (zeros)
        return zeros;
    zeros = LLVMAddGlobalInAddressSpace(module, type, name, TF_AS_PRIVATE);
    LLVMSetInitializer(zeros, LLVMConstNull(type));
    LLVMSetGlobalConstant(zeros, true);
    LLVMSetLinkage(zeros, LLVMPrivateLinkage);
    LLVMSetAlignment(zeros, GANG_ZEROS_BYTES);
    return zeros;
}

LLVMValueRef gang_call_masked(struct gang *g, const char *name, LLVMTypeRef value_type,
                              LLVMValueRef *args, unsigned at, unsigned align_bytes)
{
    LLVMTypeRef types[2] = {value_type, LLVMTypeOf(args[at])};
#if TF_LLVM_MASKED_ALIGN_IS_ATTRIBUTE
    const unsigned align = LLVMGetEnumAttributeKindForName("align", strlen("align"));
    const LLVMValueRef made = gang_intrinsic(g, name, types, 2, args, 3);

    LLVMAddCallSiteAttribute(made, at + 1,
                             LLVMCreateEnumAttribute(g->wg->context, align, align_bytes));
    return made;
#else
    LLVMValueRef all[4];

    memcpy(all, args, (at + 1) * sizeof(*args));
    all[at + 1] = gang_int(g, align_bytes);
    memcpy(all + at + 2, args + at + 1, (2 - at) * sizeof(*args));
    return gang_intrinsic(g, name, types, 2, all, 4);
#endif
}
