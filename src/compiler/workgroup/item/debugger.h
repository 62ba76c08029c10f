// SPDX-License-Identifier: MIT
// The item function as debuggers see it.
#ifndef TF_COMPILER_WORKGROUP_ITEM_DEBUGGER_H
#define TF_COMPILER_WORKGROUP_ITEM_DEBUGGER_H

#include <llvm-c/Types.h>

struct tf_wg;

// `item` has the kernel's body, and gets what debuggers know of the kernel: its name,
// lines and variables, and which work-item it is.
void tf_wg_debug_item(struct tf_wg *wg, LLVMValueRef item, LLVMMetadataRef subprogram);

#endif // TF_COMPILER_WORKGROUP_ITEM_DEBUGGER_H
