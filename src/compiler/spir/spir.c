// SPDX-License-Identifier: MIT
#include "compiler/spir/spir.h"

#include <string.h>

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>

#include "base/alloc.h"
#include "compiler/ir/bitcode.h"
#include "compiler/ir/ir_util.h"
#include "compiler/job/crash.h"
#include "compiler/spir/spir_calls.h"
#include "compiler/spir/spir_check.h"
#include "compiler/spir/spir_kernels.h"

#define VERSION_METADATA "opencl.spir.version"

bool tf_spir_is(const void *bytes, size_t count)
{
    // The second: with a header that says where in the bytes the module lies.
    static const unsigned char magics[2][4] = {{'B', 'C', 0xc0, 0xde},
                                               {0xde, 0xc0, 0x17, 0x0b}};

    return count >= sizeof magics[0] && (!memcmp(bytes, magics[0], sizeof magics[0]) ||
                                         !memcmp(bytes, magics[1], sizeof magics[1]));
}

// A kernel may call a kernel: as a function, says the verifier of today.
static void call_functions(LLVMModuleRef module)
{
    TF_FOR_EACH_FUNCTION(f, module)
    {
        TF_FOR_EACH_INSTRUCTION(i, f)
        {
            if (LLVMIsACallInst(i) &&
                LLVMGetInstructionCallConv(i) == LLVMSPIRKERNELCallConv)
                LLVMSetInstructionCallConv(i, LLVMSPIRFUNCCallConv);
        }
    }
}

static bool is_whole(LLVMModuleRef module, struct tf_str *log)
{
    char *message = NULL;
    const bool broken = LLVMVerifyModule(module, LLVMReturnStatusAction, &message);

    if (broken)
        tf_str_printf(log, "error: SPIR: %s\n", message);
    LLVMDisposeMessage(message);
    return !broken;
}

enum { AS_GLOBAL = 1, AS_CONSTANT = 2 };

// Compilers of then gave some variables of program scope no address space: those that no
// word of the source calls constant, and literals. All memory is one here.
static void move_variable(LLVMModuleRef module, LLVMValueRef variable)
{
    const unsigned space = LLVMIsGlobalConstant(variable) ? AS_CONSTANT : AS_GLOBAL;
    const LLVMValueRef moved =
        LLVMAddGlobalInAddressSpace(module, LLVMGlobalGetValueType(variable), "", space);
    char *const kept = tf_strdup(tf_ir_name(variable));

    LLVMSetLinkage(moved, LLVMGetLinkage(variable));
    LLVMSetGlobalConstant(moved, LLVMIsGlobalConstant(variable));
    LLVMSetAlignment(moved, LLVMGetAlignment(variable));
    if (LLVMGetInitializer(variable))
        LLVMSetInitializer(moved, LLVMGetInitializer(variable));
    LLVMReplaceAllUsesWith(variable, LLVMConstAddrSpaceCast(moved, LLVMTypeOf(variable)));
    LLVMDeleteGlobal(variable);
    if (kept)
        LLVMSetValueName2(moved, kept, strlen(kept));
    tf_free(kept);
}

static void move_variables(LLVMModuleRef module)
{
    const LLVMValueRef last = LLVMGetLastGlobal(module);
    LLVMValueRef g = LLVMGetFirstGlobal(module), next;

    for (; g; g = next) {
        next = g == last ? NULL : LLVMGetNextGlobal(g); // new ones stand behind
        if (LLVMGetPointerAddressSpace(LLVMTypeOf(g)) == 0)
            move_variable(module, g);
    }
}

static bool convert(LLVMModuleRef module, struct tf_str *log)
{
    call_functions(module);
    if (!is_whole(module, log))
        return false;
    if (!strncmp(LLVMGetTarget(module), "spir-", strlen("spir-"))) {
        tf_str_add(log, "error: SPIR: the module is for devices of 32 bits\n");
        return false;
    }
    if (strncmp(LLVMGetTarget(module), "spir64", strlen("spir64")) != 0 ||
        LLVMGetNamedMetadataNumOperands(module, VERSION_METADATA) == 0) {
        tf_str_add(log, "error: SPIR: the bitcode is not of SPIR\n");
        return false;
    }
    LLVMSetTarget(module, TF_SPIR64_TRIPLE);
    LLVMSetDataLayout(module, TF_SPIR64_LAYOUT);
    if (!tf_spir_check(module, log))
        return false;
    move_variables(module);
    return tf_spir_calls(module, log) && tf_spir_kernels(module, log) &&
           is_whole(module, log);
}

LLVMModuleRef tf_spir_module(LLVMContextRef context, const struct tf_compile_in *in,
                             enum tf_compiler_status *status, struct tf_str *log)
{
    LLVMModuleRef module;

    *status = TF_COMPILER_BAD_SOURCE;
    if (!tf_crash_watched()) {
        tf_str_add(log, "error: SPIR is read in processes that do nothing but compile "
                        "(TREFOIL_COMPILER=process)\n");
        return NULL;
    }
    module =
        tf_bitcode_read(context, in->source, in->source_bytes, TF_BITCODE_UNVERIFIED);
    if (!module) {
        tf_str_add(log, "error: SPIR: the module is damaged\n");
        return NULL;
    }
    if (!convert(module, log)) {
        LLVMDisposeModule(module);
        return NULL;
    }
    *status = TF_COMPILER_OK;
    return module;
}
