// SPDX-License-Identifier: MIT
// Code generation (stages 5 and 6 for one kernel): bitcode of link() in, relocatable ELF
// out.
#ifndef TF_COMPILER_CODEGEN_CODEGEN_H
#define TF_COMPILER_CODEGEN_CODEGEN_H

#include "abi/compiler.h"
#include "base/str.h"

// Fills *out except its log; messages go to `log`. The object's bytes are from tf_zalloc,
// given to the caller. tf_llvm_init must have run. Uses a context of its own, so that any
// number of threads may generate at a time. To be called within a compile job: LLVM's
// fatal errors leave it.
//
// The object has one defined global symbol, "tf_wg_<kernel>", no writable data, and names
// no symbol outside loader/kernel_symbols.def.
//
// out->stack_bytes bounds the stack below the caller's frame: the frames of the object's
// functions as laid out by the code generator, and 32 KiB for the block operations,
// library functions and run-time services that they call.
enum tf_compiler_status tf_codegen_kernel(const struct tf_generate_in *in,
                                          struct tf_generate_out *out,
                                          struct tf_str *log);

#endif // TF_COMPILER_CODEGEN_CODEGEN_H
