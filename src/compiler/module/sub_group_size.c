// SPDX-License-Identifier: MIT
#include "compiler/module/sub_group_size.h"

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"

static const char metadata_name[] = "intel_reqd_sub_group_size";

static bool has_size(LLVMValueRef kernel, unsigned kind)
{
    size_t count;
    LLVMValueMetadataEntry *const entries = LLVMGlobalCopyAllMetadata(kernel, &count);
    bool found = false;

    for (unsigned i = 0; i < count; i++)
        found |= LLVMValueMetadataEntriesGetKind(entries, i) == kind;
    LLVMDisposeValueMetadataEntries(entries);
    return found;
}

void tf_sub_group_size_fix(LLVMModuleRef module, uint32_t default_size)
{
    const LLVMContextRef context = LLVMGetModuleContext(module);
    const unsigned kind = LLVMGetMDKindIDInContext(context, metadata_name,
                                                   (unsigned)sizeof metadata_name - 1);
    LLVMMetadataRef size = LLVMValueAsMetadata(
        LLVMConstInt(LLVMInt32TypeInContext(context), default_size, false));
    const LLVMMetadataRef node = LLVMMDNodeInContext2(context, &size, 1);

    if (default_size == 0)
        return;
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (tf_ir_is_kernel(f) && !has_size(f, kind))
            LLVMGlobalSetMetadata(f, kind, node);
    }
}

bool tf_sub_group_size_is_valid(uint32_t size)
{
    return size == 4 || size == 8 || size == 16 || size == 32 || size == 64;
}
