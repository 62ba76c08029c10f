// SPDX-License-Identifier: MIT
// printf: the call that Clang makes.
#include <llvm-c/Core.h>

#include "compiler/spirv/read/spirv_calls.h"
#include "compiler/spirv/read/spirv_enums.h"
#include "compiler/spirv/std/opencl_std.h"

enum { MOST_VALUES = 128, DOUBLE_BITS = 64 };

// As C converts arguments behind "...": modules need not have done so.
static LLVMValueRef promoted(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);
    const LLVMValueRef value = tf_spv_value_at(r, at);

    tf_spv_need(
        r, tf_spv_is_int(type) || tf_spv_is_float(type) || tf_spv_is_pointer(type),
        "OpenCL.std printf: operand %u cannot be printed", at - TF_SPV_STD_OPERANDS);
    if (type->kind == TF_SPV_FLOAT && type->bits < DOUBLE_BITS)
        return LLVMBuildFPExt(r->builder, value, LLVMDoubleTypeInContext(r->context), "");
    return value;
}

static LLVMValueRef print_function(struct tf_spv *r, LLVMTypeRef type)
{
    LLVMValueRef function = LLVMGetNamedFunction(r->module, "printf");

    if (!function) {
        function = LLVMAddFunction(r->module, "printf", type);
        LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
    }
    tf_spv_need(r, LLVMGlobalGetValueType(function) == type,
                "'printf' is used with other types elsewhere");
    return function;
}

void tf_spv_std_print(struct tf_spv *r, const char *name)
{
    const struct tf_spv_type *const result = tf_spv_result_type(r);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);
    LLVMTypeRef parameter = LLVMPointerTypeInContext(r->context, 2);
    const LLVMTypeRef type = LLVMFunctionType(i32, &parameter, 1, true);
    LLVMValueRef args[MOST_VALUES];
    unsigned count = 1;

    tf_spv_need(r, result->llvm == i32, "OpenCL.std %s: the result has another type",
                name);
    tf_spv_need(r, r->op.count - TF_SPV_STD_OPERANDS <= MOST_VALUES,
                "OpenCL.std %s: too many operands", name);
    args[0] = tf_spv_value_at(r, TF_SPV_STD_OPERANDS);
    tf_spv_need(r, tf_spv_is_pointer(tf_spv_type_of_value_at(r, TF_SPV_STD_OPERANDS)),
                "OpenCL.std %s: the format is no string", name);
    // The extension SPV_EXT_relaxed_printf_string_address_space: memory is flat.
    if (LLVMTypeOf(args[0]) != parameter)
        args[0] = LLVMBuildAddrSpaceCast(r->builder, args[0], parameter, "");
    for (uint32_t at = TF_SPV_STD_OPERANDS + 1; at < r->op.count; at++)
        args[count++] = promoted(r, at);
    const LLVMValueRef call =
        LLVMBuildCall2(r->builder, type, print_function(r, type), args, count, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    tf_spv_set_result(r, call);
}
