// SPDX-License-Identifier: MIT
#include "compiler/module/compile.h"

#include <llvm-c/Core.h>

#include "compiler/front/frontend.h"
#include "compiler/front/frontend_options.h"
#include "compiler/front/llvm_init.h"
#include "compiler/ir/bitcode.h"
#include "compiler/ir/dump.h"
#include "compiler/ir/ir_util.h"
#include "compiler/module/validate.h"
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

static LLVMModuleRef read_spirv(LLVMContextRef context, const struct tf_compile_in *in,
                                enum tf_compiler_status *status, struct tf_str *log)
{
    struct tf_frontend_options options;
    LLVMModuleRef module = NULL;

    *status = tf_frontend_options_parse(in->options, TF_OPTIONS_COMPILE_IL, in->device,
                                        &options, log);
    if (*status == TF_COMPILER_OK)
        module = tf_spirv_module(context, in, options.report || options.debug_info,
                                 status, log);
    if (module && options.fast_math)
        relax(module, options.fast_math);
    if (module && options.uniform_groups)
        mark_uniform_groups(module);
    if (module && options.debug_form)
        LLVMAddNamedMetadataOperand(module, TF_DEBUG_FORM_METADATA,
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
    enum tf_compiler_status status;
    const LLVMModuleRef module =
        in->is_il ? read_spirv(context, in, &status, log)
                  : tf_frontend_module(context, in, false, files, &status, log);

    if (module) {
        const struct tf_validate_in validate = {.module = module,
                                                .source = in->is_il ? NULL : in};

        tf_dump(TF_DUMP_FRONTEND, module);
        status = tf_validate_module(&validate, log);
        if (status == TF_COMPILER_OK)
            status = tf_bitcode_write(module, bitcode);
        LLVMDisposeModule(module);
    }
    LLVMContextDispose(context);
    return status;
}
