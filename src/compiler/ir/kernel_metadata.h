// SPDX-License-Identifier: MIT
// What the front end notes of a kernel in metadata: kernel_arg_type,
// reqd_work_group_size, ..
#ifndef TF_COMPILER_IR_KERNEL_METADATA_H
#define TF_COMPILER_IR_KERNEL_METADATA_H

#include <stdbool.h>
#include <stdint.h>

#include <llvm-c/Types.h>

// The node `name` of a kernel as a value; NULL if it has none.
LLVMValueRef tf_metadata_of(LLVMValueRef kernel, const char *name);
// Operand `index` of a node, or NULL; NULL and 0 of no node.
LLVMValueRef tf_metadata_operand(LLVMValueRef node, unsigned index);
uint32_t tf_metadata_number(LLVMValueRef node, unsigned index);
// The string as a copy, given to the caller (tf_free); "" if the node has no such string;
// NULL when memory ran out.
char *tf_metadata_text(LLVMValueRef node, unsigned index);

// The type of an argument without typedefs is that of an image; of a sampler; of a queue
// on the device.
bool tf_metadata_is_image(LLVMValueRef kernel, unsigned index);
bool tf_metadata_is_sampler(LLVMValueRef kernel, unsigned index);
bool tf_metadata_is_queue(LLVMValueRef kernel, unsigned index);

// Which checks the kernels of a program are to have (abi/check_record.h), as metadata of
// its modules.
// Says so in the module: bits of enum tf_check_mode.
void tf_check_modes_want(LLVMModuleRef module, unsigned modes);
// What the modules that it was linked of said; 0: none.
unsigned tf_check_modes_of(LLVMModuleRef module);

#endif // TF_COMPILER_IR_KERNEL_METADATA_H
