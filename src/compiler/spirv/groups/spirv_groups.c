// SPDX-License-Identifier: MIT
// Instructions that the work-items of a work-group or of a sub-group execute together.
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/spirv/groups/spirv_group_handlers.h"
#include "compiler/spirv/groups/spirv_group_util.h"
#include "compiler/spirv/read/spirv_enums.h"

enum { NAME_BYTES = 80, COORDINATES_MAX = 3 };
enum { GROUP_REDUCE, GROUP_INCLUSIVE, GROUP_EXCLUSIVE, GROUP_CLUSTERED };

static const struct tf_spv_type uint_type = {.kind = TF_SPV_INT, .bits = 32};
static const struct tf_spv_type size_type = {.kind = TF_SPV_INT, .bits = 64};

bool tf_spv_group_is_work_group(struct tf_spv *r, uint32_t at)
{
    const uint64_t scope = tf_spv_constant_at(r, at);

    tf_spv_need(r, scope == TF_SPV_SCOPE_WORKGROUP || scope == TF_SPV_SCOPE_SUBGROUP,
                "execution scope %llu is neither Workgroup nor Subgroup",
                (unsigned long long)scope);
    return scope == TF_SPV_SCOPE_WORKGROUP;
}

void tf_spv_group_need_sub_group(struct tf_spv *r, uint32_t at)
{
    tf_spv_need(r, !tf_spv_group_is_work_group(r, at),
                "the execution scope must be Subgroup");
}

struct tf_spv_arg tf_spv_group_arg(struct tf_spv *r, uint32_t at, bool is_unsigned)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);

    tf_spv_need(r, tf_spv_is_int(type) || tf_spv_is_float(type),
                "a value is neither an integer nor a floating-point number");
    return (struct tf_spv_arg){
        .value = tf_spv_value_at(r, at), .type = type, .is_unsigned = is_unsigned};
}

struct tf_spv_arg tf_spv_group_uint(struct tf_spv *r, uint32_t at)
{
    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->kind == TF_SPV_INT,
                "a number is no integer");
    return (struct tf_spv_arg){
        .value = LLVMBuildIntCast2(r->builder, tf_spv_value_at(r, at),
                                   LLVMInt32TypeInContext(r->context), false, ""),
        .type = &uint_type,
        .is_unsigned = true};
}

struct tf_spv_arg tf_spv_group_size(struct tf_spv *r, LLVMValueRef value)
{
    return (struct tf_spv_arg){
        .value = LLVMBuildIntCast2(r->builder, value, LLVMInt64TypeInContext(r->context),
                                   false, ""),
        .type = &size_type,
        .is_unsigned = true};
}

struct tf_spv_arg tf_spv_group_int_of_bool(struct tf_spv *r, uint32_t at)
{
    tf_spv_need(r, tf_spv_type_of_value_at(r, at)->kind == TF_SPV_BOOL,
                "a predicate is no boolean");
    return (struct tf_spv_arg){.value =
                                   LLVMBuildZExt(r->builder, tf_spv_value_at(r, at),
                                                 LLVMInt32TypeInContext(r->context), ""),
                               .type = &uint_type};
}

void tf_spv_group_set_bool(struct tf_spv *r, LLVMValueRef value)
{
    const LLVMValueRef zero = LLVMConstNull(LLVMTypeOf(value));

    tf_spv_need(r, tf_spv_result_type(r)->kind == TF_SPV_BOOL, "the result is a boolean");
    tf_spv_set_result(r, LLVMBuildICmp(r->builder, LLVMIntNE, value, zero, ""));
}

// ---- Votes ----

static void vote(struct tf_spv *r, const char *of_group, const char *of_sub_group)
{
    const struct tf_spv_arg arg = tf_spv_group_int_of_bool(r, 4);

    tf_spv_group_set_bool(
        r, tf_spv_call(r, tf_spv_group_is_work_group(r, 3) ? of_group : of_sub_group,
                       LLVMInt32TypeInContext(r->context), &arg, 1));
}

void tf_spv_op_group_all(struct tf_spv *r)
{
    vote(r, "work_group_all", "sub_group_all");
}

void tf_spv_op_group_any(struct tf_spv *r)
{
    vote(r, "work_group_any", "sub_group_any");
}

// ---- Broadcasts ----

// The place of a work-item in its group: one, two or three numbers.
static unsigned add_coordinates(struct tf_spv *r, uint32_t at, struct tf_spv_arg *args)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);
    const uint32_t n = tf_spv_components(type);
    const LLVMValueRef value = tf_spv_value_at(r, at);
    const LLVMTypeRef i32 = LLVMInt32TypeInContext(r->context);

    tf_spv_need(r, tf_spv_is_int(type) && n <= COORDINATES_MAX,
                "the place of a work-item is one to three integers");
    for (uint32_t i = 0; i < n; i++)
        args[i] = tf_spv_group_size(
            r, type->kind == TF_SPV_VECTOR
                   ? LLVMBuildExtractElement(r->builder, value,
                                             LLVMConstInt(i32, i, false), "")
                   : value);
    return n;
}

void tf_spv_op_group_broadcast(struct tf_spv *r)
{
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    struct tf_spv_arg args[1 + COORDINATES_MAX];
    unsigned count = 2;

    args[0] = tf_spv_group_arg(r, 4, false);
    tf_spv_need(r, args[0].type->llvm == type->llvm, "the result has another type");
    if (tf_spv_group_is_work_group(r, 3))
        count = 1 + add_coordinates(r, 5, args + 1);
    else
        args[1] = tf_spv_group_uint(r, 5);
    tf_spv_set_result(r, tf_spv_call(r,
                                     tf_spv_group_is_work_group(r, 3)
                                         ? "work_group_broadcast"
                                         : "sub_group_broadcast",
                                     type->llvm, args, count));
}

// ---- Reductions and scans ----

enum kind { KIND_SIGNED, KIND_UNSIGNED, KIND_REAL, KIND_LOGICAL };

struct reduction {
    const char *operation;
    enum kind kind;
    bool non_uniform;
};

static struct reduction reduction_of(struct tf_spv *r)
{
    switch (r->op.opcode) {
#define REDUCTION(name, operation, kind) \
    case TF_SPV_OP_##name:               \
        return (struct reduction){#operation, KIND_##kind, !strncmp(#name, "GroupN", 6)};
#include "compiler/spirv/groups/spirv_groups.def"
    default:
        tf_spv_fail(r, "the instruction is not supported");
    }
}

static bool kind_fits(enum kind kind, const struct tf_spv_type *type)
{
    switch (kind) {
    case KIND_SIGNED:
    case KIND_UNSIGNED:
        return type->kind == TF_SPV_INT;
    case KIND_REAL:
        return type->kind == TF_SPV_FLOAT;
    case KIND_LOGICAL:
        break;
    }
    return type->kind == TF_SPV_BOOL;
}

// OpenCL C has add, min and max for sub-groups that are whole; the functions for those
// that are not do the same, and more.
static void function_name(struct tf_spv *r, const struct reduction *red, uint32_t how,
                          bool work_group, char *name)
{
    static const char *const hows[] = {"reduce", "scan_inclusive", "scan_exclusive",
                                       "clustered_reduce"};

    tf_spv_need(r, how <= GROUP_EXCLUSIVE || (how == GROUP_CLUSTERED && red->non_uniform),
                "group operation %u is not supported", how);
    snprintf(name, NAME_BYTES, "%s_group_%s%s_%s", work_group ? "work" : "sub",
             work_group || how == GROUP_CLUSTERED ? "" : "non_uniform_", hows[how],
             red->operation);
}

static uint64_t check_cluster(struct tf_spv *r, uint32_t at)
{
    const uint64_t size = tf_spv_constant_at(r, at);

    tf_spv_need(r, size > 0 && !(size & (size - 1)), "a cluster of %llu work-items",
                (unsigned long long)size);
    return size;
}

void tf_spv_op_group_reduce(struct tf_spv *r)
{
    const struct reduction red = reduction_of(r);
    const struct tf_spv_type *const type = tf_spv_result_type(r);
    const bool work_group = tf_spv_group_is_work_group(r, 3);
    const uint32_t how = tf_spv_word(r, 4);
    struct tf_spv_arg args[2];
    char name[NAME_BYTES];

    tf_spv_need(r, !work_group || !red.non_uniform,
                "the execution scope must be Subgroup");
    tf_spv_need(
        r, tf_spv_type_of_value_at(r, 5)->llvm == type->llvm && kind_fits(red.kind, type),
        "the value has another type");
    function_name(r, &red, how, work_group, name);
    args[0] = red.kind == KIND_LOGICAL
                  ? tf_spv_group_int_of_bool(r, 5)
                  : tf_spv_group_arg(r, 5, red.kind == KIND_UNSIGNED);
    if (how == GROUP_CLUSTERED) {
        check_cluster(r, 6);
        args[1] = tf_spv_group_uint(r, 6);
    }
    const LLVMValueRef value = tf_spv_call(r, name, LLVMTypeOf(args[0].value), args,
                                           how == GROUP_CLUSTERED ? 2 : 1);
    if (red.kind == KIND_LOGICAL)
        tf_spv_group_set_bool(r, value);
    else
        tf_spv_set_result(r, value);
}

// ---- Async copies ----

static struct tf_spv_arg event_of(struct tf_spv *r, uint32_t at)
{
    const struct tf_spv_type *const type = tf_spv_type_of_value_at(r, at);

    tf_spv_need(r, type->kind == TF_SPV_EVENT, "operand is no event");
    return (struct tf_spv_arg){.value = tf_spv_value_at(r, at), .type = type};
}

// A type of OpenCL C with as many bytes as the constant at `at` says, of which bytes
// alone are copied.
static const struct tf_spv_type *element_of(struct tf_spv *r, uint32_t at)
{
    enum { WORD_BYTES = 4, MOST_WORD_BYTES = 8, MOST_BYTES = 64 };
    const uint64_t bytes = tf_spv_constant_at(r, at);
    struct tf_spv_type *const scalar = TF_SPV_NEW(r, struct tf_spv_type, 1);
    struct tf_spv_type *vector;

    tf_spv_need(r, bytes && !(bytes & (bytes - 1)) && bytes <= MOST_BYTES,
                "elements of %llu bytes are not supported", (unsigned long long)bytes);
    scalar->kind = TF_SPV_INT;
    scalar->bits = (uint32_t)(bytes > MOST_WORD_BYTES ? WORD_BYTES : bytes) * 8;
    scalar->llvm = LLVMIntTypeInContext(r->context, scalar->bits);
    if (bytes <= MOST_WORD_BYTES)
        return scalar;
    vector = TF_SPV_NEW(r, struct tf_spv_type, 1);
    vector->kind = TF_SPV_VECTOR;
    vector->element = scalar;
    vector->count = bytes / WORD_BYTES;
    vector->llvm = LLVMVectorType(scalar->llvm, (unsigned)vector->count);
    return vector;
}

void tf_spv_op_group_async_copy(struct tf_spv *r)
{
    const bool untyped = r->op.opcode == TF_SPV_OP_UntypedGroupAsyncCopyKHR;
    const struct tf_spv_type *const element = untyped ? element_of(r, 6) : NULL;
    const uint32_t at = untyped ? 7 : 6; // of the number of elements
    const struct tf_spv_type *to = tf_spv_type_of_value_at(r, 4);
    const struct tf_spv_type *from = tf_spv_type_of_value_at(r, 5);

    if (untyped) {
        to = tf_spv_pointer_to(r, to, element);
        from = tf_spv_pointer_to(r, from, element);
    }
    tf_spv_need(r, tf_spv_group_is_work_group(r, 3),
                "the execution scope must be Workgroup");
    tf_spv_need(r,
                to->kind == TF_SPV_POINTER && from->kind == TF_SPV_POINTER &&
                    to->element && from->element &&
                    to->element->llvm == from->element->llvm,
                "source and destination are not pointers to one type");
    tf_spv_need(r,
                tf_spv_type_of_value_at(r, at)->kind == TF_SPV_INT &&
                    tf_spv_type_of_value_at(r, at + 1)->kind == TF_SPV_INT,
                "a number is no integer");
    const struct tf_spv_arg args[] = {
        {.value = tf_spv_value_at(r, 4), .type = to},
        {.value = tf_spv_value_at(r, 5), .type = from, .is_const = true},
        tf_spv_group_size(r, tf_spv_value_at(r, at)),
        tf_spv_group_size(r, tf_spv_value_at(r, at + 1)),
        event_of(r, at + 2),
    };
    const bool is_dense =
        LLVMIsAConstantInt(args[3].value) && LLVMConstIntGetZExtValue(args[3].value) == 1;
    const struct tf_spv_arg dense[] = {args[0], args[1], args[2], args[4]};
    tf_spv_set_result(r, is_dense ? tf_spv_call(r, "async_work_group_copy",
                                                tf_spv_result_type(r)->llvm, dense, 4)
                                  : tf_spv_call(r, "async_work_group_strided_copy",
                                                tf_spv_result_type(r)->llvm, args, 5));
}

void tf_spv_op_group_wait_events(struct tf_spv *r)
{
    static const struct tf_spv_type event_type = {.kind = TF_SPV_EVENT};
    const struct tf_spv_type *const events =
        tf_spv_pointer_to(r, tf_spv_type_of_value_at(r, 3), &event_type);
    struct tf_spv_arg args[2] = {tf_spv_group_uint(r, 2)};

    tf_spv_need(r, tf_spv_group_is_work_group(r, 1),
                "the execution scope must be Workgroup");
    tf_spv_need(r,
                events->kind == TF_SPV_POINTER && events->element &&
                    events->element->kind == TF_SPV_EVENT,
                "operand is no pointer to events");
    args[0].is_unsigned = false; // an int of OpenCL C
    args[1] = (struct tf_spv_arg){.value = tf_spv_value_at(r, 3), .type = events};
    tf_spv_call(r, "wait_group_events", LLVMVoidTypeInContext(r->context), args, 2);
}
