// SPDX-License-Identifier: MIT
#include "compiler/codegen/spirv_out.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>

#include "base/alloc.h"
#include "compiler/front/llvm_init.h"
#include "compiler/ir/bitcode.h"

#ifdef TF_LLVM_HAS_SPIRV

#define TRIPLE "spirv64-unknown-unknown"

// The target is started here, at its only use: its options and passes cost every other
// process some of its first build.
static LLVMTargetMachineRef make_machine(struct tf_str *log)
{
    LLVMTargetRef target = NULL;
    char *message = NULL;

    LLVMInitializeSPIRVTargetInfo();
    LLVMInitializeSPIRVTarget();
    LLVMInitializeSPIRVTargetMC();
    LLVMInitializeSPIRVAsmPrinter();
    if (LLVMGetTargetFromTriple(TRIPLE, &target, &message)) {
        tf_str_printf(log, "error: %s\n", message);
        LLVMDisposeMessage(message);
        return NULL;
    }
    return LLVMCreateTargetMachine(target, TRIPLE, "", "", LLVMCodeGenLevelDefault,
                                   LLVMRelocDefault, LLVMCodeModelDefault);
}

static bool emit(LLVMModuleRef program, LLVMTargetMachineRef machine,
                 struct tf_compiler_bytes *module, struct tf_str *log)
{
    const LLVMTargetDataRef layout = LLVMCreateTargetDataLayout(machine);
    LLVMMemoryBufferRef buffer = NULL;
    char *message = NULL;

    LLVMSetTarget(program, TRIPLE);
    LLVMSetModuleDataLayout(program, layout);
    LLVMDisposeTargetData(layout);
    if (LLVMTargetMachineEmitToMemoryBuffer(machine, program, LLVMObjectFile, &message,
                                            &buffer)) {
        tf_str_printf(log, "error: %s\n", message);
        LLVMDisposeMessage(message);
        return false;
    }
    module->bytes = LLVMGetBufferSize(buffer);
    module->data = tf_memdup(LLVMGetBufferStart(buffer), module->bytes);
    LLVMDisposeMemoryBuffer(buffer);
    return module->data;
}

enum tf_compiler_status tf_spirv_out(const struct tf_compiler_bytes *bitcode,
                                     struct tf_compiler_bytes *module, struct tf_str *log)
{
    struct tf_llvm_diagnostics diagnostics = {.log = log};
    const LLVMContextRef context = tf_llvm_context(&diagnostics);
    const LLVMModuleRef program =
        tf_bitcode_read(context, bitcode->data, bitcode->bytes, TF_BITCODE_ANYBODY);
    const LLVMTargetMachineRef machine = program ? make_machine(log) : NULL;
    const bool ok = machine && emit(program, machine, module, log) && !diagnostics.failed;

    if (!ok) {
        tf_free(module->data);
        *module = (struct tf_compiler_bytes){0};
    }
    if (machine)
        LLVMDisposeTargetMachine(machine);
    if (program)
        LLVMDisposeModule(program);
    LLVMContextDispose(context);
    return ok ? TF_COMPILER_OK : TF_COMPILER_INTERNAL;
}

#else

enum tf_compiler_status tf_spirv_out(const struct tf_compiler_bytes *bitcode,
                                     struct tf_compiler_bytes *module, struct tf_str *log)
{
    (void)bitcode;
    (void)module;
    tf_str_add(log, "error: this LLVM has no back end for SPIR-V\n");
    return TF_COMPILER_INTERNAL;
}

#endif
