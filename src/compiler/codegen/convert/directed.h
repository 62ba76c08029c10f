// SPDX-License-Identifier: MIT
#ifndef TF_COMPILER_CODEGEN_CONVERT_DIRECTED_H
#define TF_COMPILER_CODEGEN_CONVERT_DIRECTED_H

#include <stdbool.h>

#include <llvm-c/Types.h>

// What the machine rounds by itself in a direction that the instruction says.
struct tf_directed {
    bool float_to_half;   // F16C
    bool double_to_float; // AVX-512: vectors of 512 bits only
};

// Makes code of llvm.fptrunc.round, which LLVM itself knows for other processors only. To
// be called when nothing optimizes the module any more.
void tf_directed_settle(LLVMModuleRef module, struct tf_directed machine);

#endif // TF_COMPILER_CODEGEN_CONVERT_DIRECTED_H
