// SPDX-License-Identifier: MIT
// What the attributes of the kernel demand; to be read before its body is inlined.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/clang/clang_frontend.h"
#include "compiler/workgroup/item/known_sizes.h"
#include "compiler/workgroup/kernel/wg.h"

// The numbers of the kernel's metadata `name`, if it has `count` of them.
static void read_numbers(const struct tf_wg *wg, LLVMValueRef kernel, const char *name,
                         unsigned count, uint64_t *numbers)
{
    enum { MOST = 3 };
    const unsigned kind =
        LLVMGetMDKindIDInContext(wg->context, name, (unsigned)strlen(name));
    size_t entry_count;
    LLVMValueMetadataEntry *const entries =
        LLVMGlobalCopyAllMetadata(kernel, &entry_count);

    for (unsigned i = 0; i < entry_count; i++) {
        LLVMValueRef node, values[MOST] = {NULL};

        if (LLVMValueMetadataEntriesGetKind(entries, i) != kind)
            continue;
        node = LLVMMetadataAsValue(wg->context,
                                   LLVMValueMetadataEntriesGetMetadata(entries, i));
        if (LLVMGetMDNodeNumOperands(node) != count)
            continue;
        LLVMGetMDNodeOperands(node, values);
        for (unsigned k = 0; k < count; k++) {
            if (values[k] && LLVMIsAConstantInt(values[k]))
                numbers[k] = LLVMConstIntGetZExtValue(values[k]);
        }
    }
    LLVMDisposeValueMetadataEntries(entries);
}

void tf_wg_read_attributes(struct tf_wg *wg, struct tf_item *item)
{
    uint64_t size = 0, lanes = 0;

    read_numbers(wg, item->kernel, "intel_reqd_sub_group_size", 1, &size);
    item->sub_group_size = (unsigned)size;
    read_numbers(wg, item->kernel, "reqd_work_group_size", 3, item->reqd_size);
    for (int d = 0; d < 3 && tf_knows_sizes(wg); d++)
        item->reqd_size[d] = wg->wishes->local_size[d];
    read_numbers(wg, item->kernel, TF_CLANG_LANES_METADATA, 1, &lanes);
    item->hint_lanes = (unsigned)lanes;
}
