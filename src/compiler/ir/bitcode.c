// SPDX-License-Identifier: MIT
#include "compiler/ir/bitcode.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/BitReader.h>
#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

#include "base/alloc.h"

LLVMModuleRef tf_bitcode_read(LLVMContextRef context, const void *bitcode, size_t bytes,
                              enum tf_bitcode_from from)
{
#ifdef TF_DEBUG
    const bool verifies = from != TF_BITCODE_UNVERIFIED;
#else
    const bool verifies = from == TF_BITCODE_ANYBODY;
#endif
    const LLVMMemoryBufferRef buffer =
        LLVMCreateMemoryBufferWithMemoryRange(bitcode, bytes, "bitcode", 0);
    LLVMModuleRef module = NULL;

    if (from == TF_BITCODE_LIBRARY) // takes the buffer, also on failure
        return LLVMGetBitcodeModuleInContext2(context, buffer, &module) ? NULL : module;
    if (LLVMParseBitcodeInContext2(context, buffer, &module))
        module = NULL;
    LLVMDisposeMemoryBuffer(buffer);
    if (module && verifies && LLVMVerifyModule(module, LLVMReturnStatusAction, NULL)) {
        LLVMDisposeModule(module);
        module = NULL;
    }
    return module;
}

enum tf_compiler_status tf_bitcode_write(LLVMModuleRef module,
                                         struct tf_compiler_bytes *out)
{
    const LLVMMemoryBufferRef buffer = LLVMWriteBitcodeToMemoryBuffer(module);

    out->bytes = LLVMGetBufferSize(buffer);
    out->data = tf_memdup(LLVMGetBufferStart(buffer), out->bytes);
    LLVMDisposeMemoryBuffer(buffer);
    return out->data ? TF_COMPILER_OK : TF_COMPILER_NO_MEMORY;
}
