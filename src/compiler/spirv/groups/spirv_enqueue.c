// SPDX-License-Identifier: MIT
// Enqueuing on the device: the calls that Clang makes of the functions of OpenCL C
// (compiler/lower/blocks.h), but for one of our own, which says how large what a kernel
// has captured is.
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/spirv/groups/spirv_group_handlers.h"
#include "compiler/spirv/groups/spirv_group_util.h"
#include "compiler/spirv/read/spirv_enums.h"

enum { SPACE_PRIVATE = 0, SPACE_LOCAL = 3, SPACE_GENERIC = 4, MOST_SIZES = 64 };

static LLVMTypeRef int_type(const struct tf_spv *r)
{
    return LLVMInt32TypeInContext(r->context);
}

static LLVMTypeRef pointer(const struct tf_spv *r, unsigned space)
{
    return LLVMPointerTypeInContext(r->context, space);
}

static LLVMValueRef kind_at(struct tf_spv *r, uint32_t at, enum tf_spv_type_kind kind,
                            const char *what)
{
    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->kind == kind, "operand is no %s",
                what);
    return tf_spv_value_at(r, at);
}

static LLVMValueRef event_at(struct tf_spv *r, uint32_t at)
{
    return kind_at(r, at, TF_SPV_DEVICE_EVENT, "event of the device");
}

static LLVMValueRef generic_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);
    const LLVMValueRef value = kind_at(r, at, TF_SPV_POINTER, "pointer");

    tf_spv_need(r, type->storage != TF_SPV_STORAGE_UNIFORM_CONSTANT,
                "operand points to constant memory");
    return type->storage == TF_SPV_STORAGE_GENERIC
               ? value
               : LLVMBuildAddrSpaceCast(r->builder, value, pointer(r, SPACE_GENERIC), "");
}

static LLVMValueRef uint_at(struct tf_spv *r, uint32_t at)
{
    return tf_spv_group_uint(r, at).value;
}

// In the entry block, so that it is made once.
static LLVMValueRef new_variable(struct tf_spv *r, LLVMTypeRef type)
{
    const LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    const LLVMValueRef first = LLVMGetFirstInstruction(r->function->entry);
    LLVMValueRef made;

    if (first)
        LLVMPositionBuilderBefore(r->builder, first);
    else
        LLVMPositionBuilderAtEnd(r->builder, r->function->entry);
    made = LLVMBuildAlloca(r->builder, type, "");
    LLVMPositionBuilderAtEnd(r->builder, here);
    return made;
}

// ---- Index spaces ----

// A struct of the number of dimensions, and offset, size and local size, each 3 numbers.
static bool is_range(const struct tf_spv_type *type)
{
    if (type->kind != TF_SPV_STRUCT || type->member_count != 4 ||
        type->members[0]->kind != TF_SPV_INT || type->members[0]->bits != 32)
        return false;
    for (uint32_t i = 1; i < 4; i++)
        if (type->members[i]->kind != TF_SPV_ARRAY || type->members[i]->count != 3 ||
            type->members[i]->element->kind != TF_SPV_INT ||
            type->members[i]->element->bits != 64)
            return false;
    return true;
}

// By value, as the specification has it, or by address, as translators write it.
static LLVMValueRef range_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);
    const LLVMValueRef value = tf_spv_value_at(r, at);
    LLVMValueRef place;

    if (type->kind == TF_SPV_POINTER && type->element && is_range(type->element) &&
        type->storage == TF_SPV_STORAGE_FUNCTION)
        return value;
    tf_spv_need(r, is_range(type), "operand is no index space");
    place = new_variable(r, type->llvm);
    LLVMBuildStore(r->builder, value, place);
    return place;
}

// Number `d` of the operand: a scalar, or an array of 2 or 3.
static LLVMValueRef number_of(struct tf_spv *r, uint32_t at, uint32_t d)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);
    const LLVMValueRef value = tf_spv_value_at(r, at);

    return type->kind == TF_SPV_ARRAY ? LLVMBuildExtractValue(r->builder, value, d, "")
                                      : value;
}

static uint32_t dimensions_of(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);
    const struct tf_spv_type *const number =
        type->kind == TF_SPV_ARRAY ? type->element : type;

    tf_spv_need(r, number->kind == TF_SPV_INT && number->bits == 64,
                "operand is no size of an index space");
    tf_spv_need(r, type->kind == TF_SPV_INT || type->count == 2 || type->count == 3,
                "an index space has 1 to 3 dimensions");
    return type->kind == TF_SPV_ARRAY ? (uint32_t)type->count : 1;
}

void tf_spv_op_build_ndrange(struct tf_spv *r)
{
    enum { SIZE_AT = 3, LOCAL_AT, OFFSET_AT };
    static const uint32_t operands[] = {OFFSET_AT, SIZE_AT, LOCAL_AT};
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const uint32_t dims = dimensions_of(r, SIZE_AT);
    LLVMValueRef range;

    tf_spv_need(r, is_range(type), "the result is no index space");
    tf_spv_need(r,
                dimensions_of(r, LOCAL_AT) == dims && dimensions_of(r, OFFSET_AT) == dims,
                "operands differ in their dimensions");
    range = LLVMConstNull(type->llvm);
    range = LLVMBuildInsertValue(r->builder, range,
                                 LLVMConstInt(int_type(r), dims, false), 0, "");
    for (uint32_t i = 0; i < 3; i++) {
        LLVMValueRef array = LLVMConstNull(type->members[i + 1]->llvm);

        for (uint32_t d = 0; d < dims; d++)
            array = LLVMBuildInsertValue(r->builder, array, number_of(r, operands[i], d),
                                         d, "");
        range = LLVMBuildInsertValue(r->builder, range, array, i + 1, "");
    }
    tf_spv_set_result(r, range);
}

// ---- Kernels of functions ----

static LLVMValueRef build_kernel(struct tf_spv *r, const struct tf_spv_function *function,
                                 const char *name)
{
    const struct tf_spv_type *const type = function->type;
    const uint32_t count = type->member_count;
    const LLVMBasicBlockRef here = LLVMGetInsertBlock(r->builder);
    LLVMTypeRef *const types = TF_SPV_NEW(r, LLVMTypeRef, count);
    LLVMValueRef *const args = TF_SPV_NEW(r, LLVMValueRef, count), kernel, call;

    for (uint32_t i = 0; i < count; i++)
        types[i] = i ? type->members[i]->llvm : pointer(r, SPACE_GENERIC);
    kernel = LLVMAddFunction(
        r->module, name,
        LLVMFunctionType(LLVMVoidTypeInContext(r->context), types, count, false));
    LLVMSetFunctionCallConv(kernel, LLVMSPIRKERNELCallConv);
    tf_ir_add_attribute(kernel, "convergent");
    tf_ir_add_attribute(kernel, "nounwind");
    LLVMPositionBuilderAtEnd(r->builder,
                             LLVMAppendBasicBlockInContext(r->context, kernel, "entry"));
    LLVMGetParams(kernel, args);
    if (type->members[0]->storage != TF_SPV_STORAGE_GENERIC)
        args[0] = LLVMBuildAddrSpaceCast(r->builder, args[0], type->members[0]->llvm, "");
    call = LLVMBuildCall2(r->builder, type->llvm, function->value, args, count, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    LLVMBuildRetVoid(r->builder);
    LLVMPositionBuilderAtEnd(r->builder, here);
    return kernel;
}

// What has the form of Clang's kernel of a block, as a generic pointer.
static LLVMValueRef kernel_at(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_id *const id = tf_spv_id_at(r, at);
    const struct tf_spv_type *type;
    const char *name;
    LLVMValueRef kernel;

    tf_spv_need(r, id->kind == TF_SPV_ID_FUNCTION, "id %u is no function",
                r->op.words[at]);
    type = id->is.function->type;
    tf_spv_need(r,
                type->element->kind == TF_SPV_VOID && type->member_count > 0 &&
                    type->members[0]->kind == TF_SPV_POINTER,
                "the function cannot be enqueued");
    for (uint32_t i = 1; i < type->member_count; i++)
        tf_spv_need(r,
                    type->members[i]->kind == TF_SPV_POINTER &&
                        type->members[i]->storage == TF_SPV_STORAGE_WORKGROUP,
                    "parameter %u of the function is no local memory", i);
    name = tf_spv_format(r, "__enqueued_%u_kernel", r->op.words[at]);
    kernel = LLVMGetNamedFunction(r->module, name);
    if (!kernel)
        kernel = build_kernel(r, id->is.function, name);
    return LLVMConstAddrSpaceCast(kernel, pointer(r, SPACE_GENERIC));
}

// ---- Enqueuing ----

// The sizes of local arguments in a row.
static LLVMValueRef sizes_from(struct tf_spv *r, uint32_t at, uint32_t count)
{
    const LLVMTypeRef i64 = LLVMInt64TypeInContext(r->context);
    LLVMValueRef place;

    tf_spv_need(r, count <= MOST_SIZES, "%u local arguments are too many", count);
    if (count == 0)
        return LLVMConstNull(pointer(r, SPACE_PRIVATE));
    place = new_variable(r, LLVMArrayType2(i64, count));
    for (uint32_t i = 0; i < count; i++) {
        LLVMValueRef index = LLVMConstInt(i64, i, false);
        LLVMValueRef size = tf_spv_value_at(r, at + i);
        const struct tf_spv_type *type = tf_spv_type_of_value_at(r, at + i);
        // llvm-spirv writes where Clang has put it.
        const bool is_place = type->kind == TF_SPV_POINTER && type->element;

        if (is_place)
            type = type->element;
        tf_spv_need(r, type->kind == TF_SPV_INT,
                    "the size of a local argument is no integer");
        if (is_place)
            size = LLVMBuildLoad2(r->builder, type->llvm, size, "");
        size = LLVMBuildIntCast2(r->builder, size, i64, false, "");
        LLVMBuildStore(r->builder, size,
                       LLVMBuildInBoundsGEP2(r->builder, i64, place, &index, 1, ""));
    }
    return place;
}

void tf_spv_op_enqueue_kernel(struct tf_spv *r)
{
    enum { LOCAL_AT = 13 };
    const uint32_t local_count = r->op.count - LOCAL_AT;
    LLVMValueRef args[12] = {kind_at(r, 3, TF_SPV_QUEUE, "queue"),
                             uint_at(r, 4),
                             range_at(r, 5),
                             uint_at(r, 6),
                             generic_at(r, 7),
                             generic_at(r, 8),
                             kernel_at(r, 9),
                             generic_at(r, 10)};

    args[8] = LLVMConstInt(int_type(r), local_count, false);
    args[9] = sizes_from(r, LOCAL_AT, local_count);
    args[10] = LLVMConstInt(int_type(r), tf_spv_constant_at(r, 11), false);
    args[11] = LLVMConstInt(int_type(r), tf_spv_constant_at(r, 12), false);
    tf_spv_set_result(
        r, tf_spv_call_symbol(r, "__enqueue_kernel_sized", int_type(r), args, 12));
}

void tf_spv_op_enqueue_marker(struct tf_spv *r)
{
    LLVMValueRef args[] = {kind_at(r, 3, TF_SPV_QUEUE, "queue"), uint_at(r, 4),
                           generic_at(r, 5), generic_at(r, 6)};

    tf_spv_set_result(
        r, tf_spv_call_symbol(
               r, "_Z14enqueue_marker9ocl_queuejPU3AS4K12ocl_clkeventPU3AS4S0_",
               int_type(r), args, 4));
}

void tf_spv_op_block_range_query(struct tf_spv *r)
{
    const bool count = r->op.opcode == TF_SPV_OP_GetKernelNDrangeSubGroupCount;
    LLVMValueRef args[] = {range_at(r, 3), kernel_at(r, 4), generic_at(r, 5)};

    tf_spv_set_result(
        r, tf_spv_call_symbol(r,
                              count ? "__get_kernel_sub_group_count_for_ndrange_impl"
                                    : "__get_kernel_max_sub_group_size_for_ndrange_impl",
                              int_type(r), args, 3));
}

void tf_spv_op_block_query(struct tf_spv *r)
{
    const bool size = r->op.opcode == TF_SPV_OP_GetKernelWorkGroupSize;
    LLVMValueRef args[] = {kernel_at(r, 3), generic_at(r, 4)};

    tf_spv_set_result(
        r, tf_spv_call_symbol(r,
                              size ? "__get_kernel_work_group_size_impl"
                                   : "__get_kernel_preferred_work_group_size_multiple_"
                                     "impl",
                              int_type(r), args, 2));
}

// That of the kernel, whatever the range.
static LLVMValueRef sub_group_size(struct tf_spv *r, LLVMValueRef kernel,
                                   LLVMValueRef param)
{
    const LLVMTypeRef sizes = LLVMArrayType2(LLVMInt64TypeInContext(r->context), 3);
    LLVMTypeRef members[] = {int_type(r), sizes, sizes, sizes};
    const LLVMTypeRef type = LLVMStructTypeInContext(r->context, members, 4, false);
    LLVMValueRef args[] = {new_variable(r, type), kernel, param};

    LLVMBuildStore(r->builder, LLVMConstNull(type), args[0]);
    return tf_spv_call_symbol(r, "__get_kernel_max_sub_group_size_for_ndrange_impl",
                              int_type(r), args, 3);
}

// How many sub-groups the largest work-group has, or the size of one that has so many; 0:
// none has.
void tf_spv_op_block_sub_groups(struct tf_spv *r)
{
    const bool most = r->op.opcode == TF_SPV_OP_GetKernelMaxNumSubgroups;
    const uint32_t kernel_word = most ? 3 : 4;
    LLVMValueRef args[] = {kernel_at(r, kernel_word), generic_at(r, kernel_word + 1)};
    const LLVMValueRef one = LLVMConstInt(int_type(r), 1, false);
    const LLVMValueRef zero = LLVMConstInt(int_type(r), 0, false);
    const LLVMValueRef items =
        tf_spv_call_symbol(r, "__get_kernel_work_group_size_impl", int_type(r), args, 2);
    const LLVMValueRef size = sub_group_size(r, args[0], args[1]);
    const LLVMValueRef has_size = LLVMBuildICmp(r->builder, LLVMIntNE, size, zero, "");
    const LLVMValueRef divisor = LLVMBuildSelect(r->builder, has_size, size, one, "");
    const LLVMValueRef groups = LLVMBuildSelect(
        r->builder, has_size, LLVMBuildUDiv(r->builder, items, divisor, ""), zero, "");
    LLVMValueRef wanted, fits;

    if (most) {
        tf_spv_set_result(r, groups);
        return;
    }
    wanted = uint_at(r, 3);
    fits = LLVMBuildICmp(r->builder, LLVMIntULE, wanted, groups, "");
    tf_spv_set_result(r, LLVMBuildSelect(r->builder, fits,
                                         LLVMBuildMul(r->builder, wanted, size, ""), zero,
                                         ""));
}

// ---- Queues and events ----

void tf_spv_op_get_default_queue(struct tf_spv *r)
{
    tf_spv_set_result(r, tf_spv_call_symbol(r, "_Z17get_default_queuev",
                                            LLVMInt64TypeInContext(r->context), NULL, 0));
}

void tf_spv_op_create_user_event(struct tf_spv *r)
{
    tf_spv_set_result(r, tf_spv_call_symbol(r, "_Z17create_user_eventv",
                                            LLVMInt64TypeInContext(r->context), NULL, 0));
}

void tf_spv_op_event_count(struct tf_spv *r)
{
    const bool retains = r->op.opcode == TF_SPV_OP_RetainEvent;
    const LLVMValueRef event = event_at(r, 1);

    tf_spv_call_symbol(
        r, retains ? "_Z12retain_event12ocl_clkevent" : "_Z13release_event12ocl_clkevent",
        LLVMVoidTypeInContext(r->context), &event, 1);
}

void tf_spv_op_is_valid_event(struct tf_spv *r)
{
    const LLVMValueRef event = event_at(r, 3);

    tf_spv_set_result(r,
                      tf_spv_call_symbol(r, "_Z14is_valid_event12ocl_clkevent",
                                         LLVMInt1TypeInContext(r->context), &event, 1));
}

void tf_spv_op_set_user_event_status(struct tf_spv *r)
{
    const LLVMValueRef args[] = {event_at(r, 1), uint_at(r, 2)};

    tf_spv_call_symbol(r, "_Z21set_user_event_status12ocl_clkeventi",
                       LLVMVoidTypeInContext(r->context), args, 2);
}

void tf_spv_op_capture_event_profiling_info(struct tf_spv *r)
{
    const LLVMValueRef args[] = {event_at(r, 1), uint_at(r, 2),
                                 kind_at(r, 3, TF_SPV_POINTER, "pointer")};

    tf_spv_need(r,
                tf_spv_type_of_value_at(r, 3)->storage == TF_SPV_STORAGE_CROSS_WORKGROUP,
                "times are stored in global memory");
    tf_spv_call_symbol(r, "_Z28capture_event_profiling_info12ocl_clkeventiPU3AS1v",
                       LLVMVoidTypeInContext(r->context), args, 3);
}
