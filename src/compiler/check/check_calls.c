// SPDX-License-Identifier: MIT
// Calls of the run-time.
#include <llvm-c/Core.h>

#include "compiler/check/checks.h"
#include "compiler/ir/ir_util.h"

LLVMValueRef tf_check_number(const struct tf_checks *c, uint64_t n)
{
    return LLVMConstInt(c->i64, n, false);
}

LLVMValueRef tf_check_declare(const struct tf_checks *c, enum tf_root root,
                              LLVMTypeRef type)
{
    const LLVMValueRef fn = LLVMGetNamedFunction(c->module, tf_root_name(root));

    return fn ? fn : LLVMAddFunction(c->module, tf_root_name(root), type);
}

LLVMValueRef tf_check_call_with(struct tf_checks *c, uint32_t site, LLVMValueRef address,
                                LLVMValueRef bytes, LLVMValueRef base, LLVMValueRef value)
{
    enum { ARGS = 6 };
    LLVMTypeRef params[ARGS] = {c->ptr, c->i64, c->i64, c->i64, c->i64, c->i64};
    const LLVMTypeRef type = LLVMFunctionType(c->i64, params, ARGS, false);
    const LLVMValueRef fn = tf_check_declare(c, TF_ROOT_CHECK, type);
    LLVMValueRef args[ARGS] = {
        c->at->item, tf_check_number(c, site), address, bytes, base, value};

    tf_ir_add_attribute(fn, "nounwind");
    return LLVMBuildCall2(c->b, type, fn, args, ARGS, "");
}

LLVMValueRef tf_check_call(struct tf_checks *c, uint32_t site, LLVMValueRef address,
                           LLVMValueRef bytes, LLVMValueRef base)
{
    return tf_check_call_with(c, site, address, bytes, base, tf_check_number(c, 0));
}
