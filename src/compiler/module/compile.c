// SPDX-License-Identifier: MIT
#include "compiler/module/compile.h"

#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/front/frontend.h"
#include "compiler/front/frontend_options.h"
#include "compiler/front/hints.h"
#include "compiler/front/llvm_init.h"
#include "compiler/ir/bitcode.h"
#include "compiler/ir/dump.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/lower/blocks.h"
#include "compiler/module/validate.h"
#include "compiler/spir/spir.h"
#include "compiler/spirv/spirv.h"

// As Clang marks them.
static void mark_uniform_groups(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        if (tf_ir_is_kernel(f))
            LLVMAddTargetDependentFunctionAttr(f, "uniform-work-group-size", "true");
    }
}

// As Clang does where it makes code.
static void relax(LLVMModuleRef module, unsigned fast_math)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        TF_FOR_EACH_INSTRUCTION(i, f)
        {
            if (LLVMCanValueUseFastMathFlags(i))
                LLVMSetFastMathFlags(i, LLVMGetFastMathFlags(i) | fast_math);
        }
    }
}

// An instruction that says that a variable's bytes are nothing yet, or any longer.
static bool is_lifetime(LLVMValueRef v)
{
    const LLVMValueRef callee =
        LLVMGetInstructionOpcode(v) == LLVMCall ? LLVMGetCalledValue(v) : NULL;
    size_t length;

    return callee && LLVMIsAFunction(callee) &&
           !strncmp(LLVMGetValueName2(callee, &length), "llvm.lifetime.", 14);
}

static void zero_variable(LLVMBuilderRef builder, LLVMValueRef variable)
{
    const LLVMTypeRef type = LLVMGetAllocatedType(variable);

    LLVMPositionBuilderBefore(builder, LLVMGetNextInstruction(variable));
    LLVMBuildStore(builder, LLVMConstNull(type), variable);
}

// Clang does it itself where it is asked to; modules are given their variables' zeros
// here.
static void zero_variables(LLVMContextRef context, LLVMModuleRef module)
{
    const LLVMBuilderRef builder = LLVMCreateBuilderInContext(context);

    TF_FOR_EACH_FUNCTION(f, module)
    {
        LLVMBasicBlockRef block = LLVMGetFirstBasicBlock(f);

        for (; block; block = LLVMGetNextBasicBlock(block)) {
            LLVMValueRef v = LLVMGetFirstInstruction(block), next;

            for (; v; v = next) {
                next = LLVMGetNextInstruction(v);
                if (LLVMIsAAllocaInst(v))
                    zero_variable(builder, v);
                else if (is_lifetime(v))
                    LLVMInstructionEraseFromParent(v);
            }
        }
    }
    LLVMDisposeBuilder(builder);
}

static LLVMModuleRef read_module(LLVMContextRef context, const struct tf_compile_in *in,
                                 enum tf_compiler_status *status, struct tf_str *log)
{
    struct tf_frontend_options options;
    LLVMModuleRef module = NULL;

    *status = tf_frontend_options_parse(in->options, TF_OPTIONS_COMPILE_IL, in->device,
                                        &options, log);
    if (*status == TF_COMPILER_OK)
        module = tf_spir_is(in->source, in->source_bytes)
                     ? tf_spir_module(context, in, status, log)
                     : tf_spirv_module(context, in,
                                       options.report || options.lines || options.checks,
                                       status, log);
    if (module && options.fast_math)
        relax(module, options.fast_math);
    if (module && options.uniform_groups)
        mark_uniform_groups(module);
    if (module && options.zero_private)
        zero_variables(context, module);
    if (module && options.checks)
        tf_check_modes_want(module, options.checks);
    if (module && options.debug_form)
        LLVMAddNamedMetadataOperand(module, TF_DEBUG_FORM_METADATA,
                                    LLVMMDNodeInContext(context, NULL, 0));
    if (module && options.lines)
        LLVMAddNamedMetadataOperand(module, TF_LINES_METADATA,
                                    LLVMMDNodeInContext(context, NULL, 0));
    tf_frontend_options_finish(&options);
    return module;
}

enum tf_compiler_status tf_compile_source(const struct tf_compile_in *in,
                                          struct tf_compiler_bytes *bitcode,
                                          struct tf_file_list *files, struct tf_str *log)
{
    struct tf_llvm_diagnostics diagnostics = {.log = log};
    const LLVMContextRef context = tf_llvm_context(&diagnostics);
    const size_t said_before = log->bytes;
    enum tf_compiler_status status;
    const LLVMModuleRef module =
        in->is_il ? read_module(context, in, &status, log)
                  : tf_frontend_module(context, in, false, files, &status, log);

    if (module) {
        const struct tf_validate_in validate = {.module = module,
                                                .source = in->is_il ? NULL : in};

        tf_dump(TF_DUMP_FRONTEND, module);
        tf_blocks_mark(module);
        status = tf_validate_module(&validate, log);
        if (status == TF_COMPILER_OK)
            status = tf_bitcode_write(module, bitcode);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    if (!in->is_il)
        tf_hints_add(log, said_before);
    return status;
}
