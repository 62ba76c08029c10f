// SPDX-License-Identifier: MIT
// Blocks of OpenCL C, and what they are for: enqueuing on the device. Clang makes of each
// block that is enqueued a function that looks like a kernel, of each enqueue a call that
// names it by its address. Here it becomes a kernel of the program, whose first argument
// is the block's literal by value, so that captures are arguments as any others; and the
// call a call of the built-ins library (builtins/def/enqueue.def) with its number.
#ifndef TF_COMPILER_LOWER_BLOCKS_H
#define TF_COMPILER_LOWER_BLOCKS_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "abi/compiler.h"
#include "base/str.h"

// Whether the front end's name is that of a function of enqueuing on the device.
bool tf_blocks_is_call(const char *symbol);

// Right after the front end: the kernels of blocks are the module's own, so that modules
// whose blocks have the same names can be linked.
void tf_blocks_mark(LLVMModuleRef module);

// When the program is linked. TF_COMPILER_BAD_SOURCE, TF_COMPILER_NO_MEMORY.
enum tf_compiler_status tf_blocks_lower(LLVMModuleRef module, struct tf_str *log);

// The number of the kernel's block, from 0 on; -1: it is none of a block.
int tf_blocks_number(LLVMValueRef kernel);

#endif // TF_COMPILER_LOWER_BLOCKS_H
