// SPDX-License-Identifier: MIT
// Programs as SPIR-V, by LLVM's back end. Only for trefoilc: a device takes bitcode.
#ifndef TF_COMPILER_CODEGEN_SPIRV_OUT_H
#define TF_COMPILER_CODEGEN_SPIRV_OUT_H

#include "abi/compiler.h"
#include "base/str.h"

// From bitcode of the front end to a module. INTERNAL, with the reason in the log, where
// this LLVM has no such back end.
enum tf_compiler_status tf_spirv_out(const struct tf_compiler_bytes *bitcode,
                                     struct tf_compiler_bytes *module,
                                     struct tf_str *log);

#endif // TF_COMPILER_CODEGEN_SPIRV_OUT_H
