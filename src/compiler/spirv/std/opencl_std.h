// SPDX-License-Identifier: MIT
// OpExtInst of OpenCL.std: calls of the functions of OpenCL C that the instructions are.
#ifndef TF_COMPILER_SPIRV_STD_OPENCL_STD_H
#define TF_COMPILER_SPIRV_STD_OPENCL_STD_H

#include "compiler/spirv/read/spirv_reader.h"

// The instruction's place in `words` of the operation.
enum { TF_SPV_STD_NUMBER = 4, TF_SPV_STD_OPERANDS = 5 };

// Reads the current instruction and defines its result.
void tf_spv_opencl_std(struct tf_spv *r);

// Instructions that need code of their own. `name` is that of the instruction.
void tf_spv_std_vload(struct tf_spv *r, const char *name);
void tf_spv_std_vstore(struct tf_spv *r, const char *name);
void tf_spv_std_print(struct tf_spv *r, const char *name);
void tf_spv_std_prefetch(struct tf_spv *r, const char *name);

// A value of size_t: OpenCL C has it with 64 bits.
LLVMValueRef tf_spv_std_size_at(struct tf_spv *r, uint32_t at);

#endif // TF_COMPILER_SPIRV_STD_OPENCL_STD_H
