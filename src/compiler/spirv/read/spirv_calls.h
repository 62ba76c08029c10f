// SPDX-License-Identifier: MIT
// Calls of the library's built-ins, by the names that Clang gives the functions of OpenCL
// C (Itanium mangling). SPIR-V's integers have no sign: who calls says which one is
// meant.
#ifndef TF_COMPILER_SPIRV_READ_SPIRV_CALLS_H
#define TF_COMPILER_SPIRV_READ_SPIRV_CALLS_H

#include "compiler/spirv/read/spirv_reader.h"

struct tf_spv_arg {
    LLVMValueRef value;
    const struct tf_spv_type *type; // of SPIR-V; of a pointer, with what it points to
    bool is_unsigned;               // integers, or what a pointer points to
    bool is_const, is_volatile;     // what a pointer points to
    const char *mangled;            // instead: "9ocl_event", or NULL
};

// A call of the built-in `name`, which returns `result`. A definition of the same name in
// the module itself is not meant.
LLVMValueRef tf_spv_call(struct tf_spv *r, const char *name, LLVMTypeRef result,
                         const struct tf_spv_arg *args, unsigned count);
// The same with the symbol as it stands: intrinsics of LLVM ("llvm.fma.f32"), names of
// the library that are not mangled.
LLVMValueRef tf_spv_call_symbol(struct tf_spv *r, const char *symbol, LLVMTypeRef result,
                                const LLVMValueRef *args, unsigned count);
// Adds the type's own code to `out`, without substitutions: "j", "Dv4_f".
void tf_spv_mangle_scalar(struct tf_str *out, const struct tf_spv_type *type,
                          bool is_unsigned);

#endif // TF_COMPILER_SPIRV_READ_SPIRV_CALLS_H
