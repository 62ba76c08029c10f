// SPDX-License-Identifier: MIT
// Entry points become kernels: calling convention, name, and the metadata that Clang
// gives kernels, from which the kernel table is made.
#include <stdio.h>
#include <string.h>

#include <llvm-c/Core.h>

#include "compiler/ir/ir_util.h"
#include "compiler/spirv/ops/spirv_handlers.h"
#include "compiler/spirv/read/spirv_enums.h"
#include "compiler/spirv/read/spirv_names.h"
#include "compiler/spirv/spirv_functions.h"

static void set_metadata(struct tf_spv *r, LLVMValueRef kernel, const char *name,
                         LLVMMetadataRef *nodes, size_t count)
{
    LLVMGlobalSetMetadata(
        kernel, LLVMGetMDKindIDInContext(r->context, name, (unsigned)strlen(name)),
        LLVMMDNodeInContext2(r->context, nodes, count));
}

static LLVMMetadataRef number_node(struct tf_spv *r, uint32_t number)
{
    return LLVMValueAsMetadata(
        LLVMConstInt(LLVMInt32TypeInContext(r->context), number, false));
}

static LLVMMetadataRef text_node(struct tf_spv *r, const char *text, size_t bytes)
{
    return LLVMMDStringInContext2(r->context, text, bytes);
}

static bool has_param_attribute(const struct tf_spv *r, uint32_t id, uint32_t attribute)
{
    const struct tf_spv_decoration *at = r->ids[id].decorations;

    while (at &&
           !(at->kind == TF_SPV_DECORATION_FUNC_PARAM_ATTR && at->words[0] == attribute))
        at = at->next;
    return at;
}

static void add_image_name(struct tf_str *out, const struct tf_spv_type *type)
{
    static const char *const dims[] = {
        [TF_SPV_DIM_1D] = "1d", [TF_SPV_DIM_2D] = "2d", [TF_SPV_DIM_3D] = "3d"};
    const uint32_t dim = type->words[1];

    tf_str_printf(out, "image%s%s%s%s_t",
                  dim == TF_SPV_DIM_BUFFER           ? "1d_buffer"
                  : dim < sizeof dims / sizeof *dims ? dims[dim]
                                                     : "",
                  type->words[3] == 1 ? "_array" : "", type->words[4] == 1 ? "_msaa" : "",
                  type->words[2] == 1 ? "_depth" : "");
}

// As OpenCL C writes the type; the signs of integers are not known.
static void add_type_name(struct tf_str *out, const struct tf_spv *r,
                          const struct tf_spv_type *type)
{
    const struct tf_spv_type *const scalar = tf_spv_scalar(type);
    const char *const name = r->ids[type->id].name;

    switch (scalar->kind) {
    case TF_SPV_INT:
        tf_str_add(out, scalar->bits == 8    ? "char"
                        : scalar->bits == 16 ? "short"
                        : scalar->bits == 32 ? "int"
                                             : "long");
        break;
    case TF_SPV_FLOAT:
        tf_str_add(out, scalar->bits == 16   ? "half"
                        : scalar->bits == 32 ? "float"
                                             : "double");
        break;
    case TF_SPV_BOOL:
        tf_str_add(out, "bool");
        break;
    case TF_SPV_STRUCT:
        tf_str_printf(out, "struct %s",
                      name && !strncmp(name, "struct.", 7) ? name + 7
                      : name                               ? name
                                                           : "");
        break;
    case TF_SPV_IMAGE:
        add_image_name(out, scalar);
        break;
    case TF_SPV_SAMPLER:
        tf_str_add(out, "sampler_t");
        break;
    case TF_SPV_EVENT:
        tf_str_add(out, "event_t");
        break;
    case TF_SPV_NAMED_BARRIER:
        tf_str_add(out, "named_barrier_t");
        break;
    case TF_SPV_DEVICE_EVENT:
        tf_str_add(out, "clk_event_t");
        break;
    case TF_SPV_QUEUE:
        tf_str_add(out, "queue_t");
        break;
    case TF_SPV_OPAQUE:
        tf_str_add(out, scalar->name);
        break;
    case TF_SPV_POINTER: // to a pointer
        tf_str_add(out, "void*");
        break;
    case TF_SPV_VECTOR:
    case TF_SPV_ARRAY:
    case TF_SPV_FUNCTION:
    case TF_SPV_VOID:
    case TF_SPV_PIPE:
    case TF_SPV_PIPE_STORAGE:
    case TF_SPV_RESERVE_ID:
    case TF_SPV_SAMPLED_IMAGE:
        tf_str_add(out, "void");
        break;
    }
    if (type->kind == TF_SPV_VECTOR)
        tf_str_printf(out, "%u", tf_spv_components(type));
}

// The argument's word of the string "<what>.<kernel>.<word>,<word>,...,", which
// translators add; false: there is none.
static bool told(const struct tf_spv *r, const char *what, const char *kernel,
                 uint32_t index, const char **text, size_t *bytes)
{
    const size_t what_bytes = strlen(what), kernel_bytes = strlen(kernel);

    for (const struct tf_spv_string *s = r->strings; s; s = s->next) {
        const char *at = s->text;

        if (strncmp(at, what, what_bytes) != 0 || at[what_bytes] != '.' ||
            strncmp(at + what_bytes + 1, kernel, kernel_bytes) != 0 ||
            at[what_bytes + 1 + kernel_bytes] != '.')
            continue;
        at += what_bytes + kernel_bytes + 2;
        for (uint32_t i = 0; i < index && at; i++) {
            at = strchr(at, ',');
            at = at ? at + 1 : NULL;
        }
        if (at) {
            *text = at;
            *bytes = strcspn(at, ",");
            return true;
        }
    }
    return false;
}

static LLVMMetadataRef type_node(struct tf_spv *r, const char *kernel, uint32_t index,
                                 uint32_t id)
{
    const struct tf_spv_type *const type = r->ids[id].type;
    struct tf_str name = {0};
    const char *text;
    size_t bytes;

    if (told(r, "kernel_arg_type", kernel, index, &text, &bytes))
        return text_node(r, text, bytes);
    if (type->kind == TF_SPV_POINTER) {
        if (type->element)
            add_type_name(&name, r, type->element);
        else
            tf_str_add(&name, "void");
        if (!has_param_attribute(r, id, TF_SPV_PARAM_BY_VAL))
            tf_str_add(&name, "*");
    } else {
        add_type_name(&name, r, type);
    }
    const LLVMMetadataRef node = text_node(r, name.text ? name.text : "", name.bytes);
    tf_str_finish(&name);
    return node;
}

static LLVMMetadataRef qualifier_node(struct tf_spv *r, const char *kernel,
                                      uint32_t index, uint32_t id)
{
    const struct tf_spv_type *const type = r->ids[id].type;
    const bool is_pointer =
        type->kind == TF_SPV_POINTER && !has_param_attribute(r, id, TF_SPV_PARAM_BY_VAL);
    char words[64] = "";
    const char *text;
    size_t bytes;

    if (told(r, "kernel_arg_type_qual", kernel, index, &text, &bytes))
        return text_node(r, text, bytes);
    if (type->kind == TF_SPV_PIPE)
        strcat(words, " pipe");
    if (is_pointer && (type->storage == TF_SPV_STORAGE_UNIFORM_CONSTANT ||
                       has_param_attribute(r, id, TF_SPV_PARAM_NO_WRITE)))
        strcat(words, " const");
    if (is_pointer && (tf_spv_decoration(r, id, TF_SPV_DECORATION_RESTRICT) ||
                       has_param_attribute(r, id, TF_SPV_PARAM_NO_ALIAS)))
        strcat(words, " restrict");
    if (is_pointer && tf_spv_decoration(r, id, TF_SPV_DECORATION_VOLATILE))
        strcat(words, " volatile");
    return text_node(r, *words ? words + 1 : "", *words ? strlen(words + 1) : 0);
}

static LLVMMetadataRef access_node(struct tf_spv *r, const struct tf_spv_type *type)
{
    static const char *const names[] = {[TF_SPV_ACCESS_READ_ONLY] = "read_only",
                                        [TF_SPV_ACCESS_WRITE_ONLY] = "write_only",
                                        [TF_SPV_ACCESS_READ_WRITE] = "read_write"};
    const char *const name = type->kind == TF_SPV_IMAGE || type->kind == TF_SPV_PIPE
                                 ? names[type->access]
                                 : "none";

    return text_node(r, name, strlen(name));
}

static uint32_t space_of(const struct tf_spv_type *type)
{
    if (type->kind == TF_SPV_IMAGE || type->kind == TF_SPV_PIPE)
        return 1;
    return type->kind == TF_SPV_POINTER ? LLVMGetPointerAddressSpace(type->llvm) : 0;
}

static void check_argument(struct tf_spv *r, uint32_t id, uint32_t index)
{
    const struct tf_spv_type *const type = r->ids[id].type;

    tf_spv_need(
        r,
        type->kind != TF_SPV_POINTER || has_param_attribute(r, id, TF_SPV_PARAM_BY_VAL) ||
            type->storage == TF_SPV_STORAGE_CROSS_WORKGROUP ||
            type->storage == TF_SPV_STORAGE_UNIFORM_CONSTANT ||
            type->storage == TF_SPV_STORAGE_WORKGROUP,
        "argument %u of a kernel cannot point to storage class %u", index, type->storage);
    tf_spv_need(r,
                type->kind != TF_SPV_EVENT && type->kind != TF_SPV_SAMPLED_IMAGE &&
                    type->kind != TF_SPV_DEVICE_EVENT &&
                    type->kind != TF_SPV_PIPE_STORAGE && type->kind != TF_SPV_BOOL &&
                    type->kind != TF_SPV_NAMED_BARRIER && tf_spv_is_plain(type),
                "argument %u of a kernel cannot be of its type", index);
}

// Ids of the function's parameters, which stand behind it.
static const uint32_t *parameters(struct tf_spv *r,
                                  const struct tf_spv_function *function)
{
    const uint32_t count = function->type->member_count;
    uint32_t *const ids = TF_SPV_NEW(r, uint32_t, count);
    uint32_t at = function->start;

    for (uint32_t i = 0; i < count;) {
        at += r->words[at] >> 16;
        if ((r->words[at] & 0xffff) == TF_SPV_OP_FunctionParameter) // not OpLine
            ids[i++] = r->words[at + 2];
    }
    return ids;
}

static void describe_arguments(struct tf_spv *r, const struct tf_spv_function *function,
                               const char *kernel, LLVMValueRef value)
{
    const uint32_t count = function->type->member_count;
    const uint32_t *const ids = parameters(r, function);
    LLVMMetadataRef *const nodes = TF_SPV_NEW(r, LLVMMetadataRef, (size_t)count * 5);

    for (uint32_t i = 0; i < count; i++) {
        const struct tf_spv_type *const type = r->ids[ids[i]].type;
        const char *const name = r->ids[ids[i]].name;

        check_argument(r, ids[i], i);
        nodes[i] = number_node(r, space_of(type));
        nodes[count + i] = access_node(r, type);
        nodes[2 * count + i] = type_node(r, kernel, i, ids[i]);
        nodes[3 * count + i] = qualifier_node(r, kernel, i, ids[i]);
        nodes[4 * count + i] = text_node(r, name ? name : "", name ? strlen(name) : 0);
    }
    set_metadata(r, value, "kernel_arg_addr_space", nodes, count);
    set_metadata(r, value, "kernel_arg_access_qual", nodes + count, count);
    set_metadata(r, value, "kernel_arg_type", nodes + 2 * (size_t)count, count);
    set_metadata(r, value, "kernel_arg_base_type", nodes + 2 * (size_t)count, count);
    set_metadata(r, value, "kernel_arg_type_qual", nodes + 3 * (size_t)count, count);
    set_metadata(r, value, "kernel_arg_name", nodes + 4 * (size_t)count, count);
}

// Literals, or with `ids` constants.
static void describe_sizes(struct tf_spv *r, LLVMValueRef value, const char *name,
                           uint32_t count, bool ids)
{
    LLVMMetadataRef nodes[3];

    for (uint32_t i = 0; i < count; i++)
        nodes[i] = number_node(r, ids ? (uint32_t)tf_spv_constant_at(r, 3 + i)
                                      : tf_spv_word(r, 3 + i));
    set_metadata(r, value, name, nodes, count);
}

static void describe_mode(struct tf_spv *r, LLVMValueRef value)
{
    const uint32_t mode = tf_spv_word(r, 2);

    switch (mode) {
    case TF_SPV_MODE_LOCAL_SIZE:
    case TF_SPV_MODE_LOCAL_SIZE_ID:
        describe_sizes(r, value, "reqd_work_group_size", 3,
                       mode == TF_SPV_MODE_LOCAL_SIZE_ID);
        break;
    case TF_SPV_MODE_LOCAL_SIZE_HINT:
    case TF_SPV_MODE_LOCAL_SIZE_HINT_ID:
        describe_sizes(r, value, "work_group_size_hint", 3,
                       mode == TF_SPV_MODE_LOCAL_SIZE_HINT_ID);
        break;
    case TF_SPV_MODE_SUBGROUP_SIZE:
        describe_sizes(r, value, "intel_reqd_sub_group_size", 1, false);
        break;
    case TF_SPV_MODE_VEC_TYPE_HINT:
    case TF_SPV_MODE_MAX_WORKGROUP_SIZE: // promises that nothing is made of
    case TF_SPV_MODE_MAX_WORK_DIM:
    case TF_SPV_MODE_NO_GLOBAL_OFFSET:
    case TF_SPV_MODE_NUM_SIMD_WORKITEMS:
    case TF_SPV_MODE_CONTRACTION_OFF: // nothing is contracted without being told to
    case TF_SPV_MODE_DENORM_PRESERVE:
    case TF_SPV_MODE_DENORM_FLUSH_TO_ZERO:
    case TF_SPV_MODE_SIGNED_ZERO_INF_NAN_PRESERVE:
    case TF_SPV_MODE_ROUNDING_MODE_RTE:
        break;
    default:
        tf_spv_fail(r, "execution mode %u is not supported", mode);
    }
}

static void describe_modes(struct tf_spv *r, uint32_t function, LLVMValueRef value)
{
    for (struct tf_spv_mode *mode = r->modes; mode; mode = mode->next)
        if (mode->function == function) {
            r->op = mode->op;
            describe_mode(r, value);
        }
}

// Whatever has the kernel's name already is known by it in this module only.
static void take_name(struct tf_spv *r, LLVMValueRef kernel, const char *name)
{
    LLVMValueRef other = LLVMGetNamedFunction(r->module, name);

    if (!other)
        other = LLVMGetNamedGlobal(r->module, name);
    if (other && other != kernel) {
        tf_spv_need(r, !LLVMIsDeclaration(other) || LLVMIsAFunction(other),
                    "'%s' is a variable elsewhere", name);
        LLVMSetValueName2(other, "", 0);
        LLVMSetLinkage(other, LLVMInternalLinkage);
    }
    LLVMSetValueName2(kernel, name, strlen(name));
}

// Of a function that has several kernels, or that others call: a kernel that calls it. (A
// kernel itself cannot be called.)
static LLVMValueRef make_caller(struct tf_spv *r, const struct tf_spv_function *function)
{
    const uint32_t count = function->type->member_count;
    const LLVMTypeRef type = function->type->llvm;
    const LLVMValueRef outer = LLVMAddFunction(r->module, "", type);
    LLVMValueRef *const params = TF_SPV_NEW(r, LLVMValueRef, count);
    const unsigned byval = LLVMGetEnumAttributeKindForName("byval", 5);

    LLVMPositionBuilderAtEnd(r->builder,
                             LLVMAppendBasicBlockInContext(r->context, outer, ""));
    LLVMGetParams(outer, params);
    const LLVMValueRef call =
        LLVMBuildCall2(r->builder, type, function->value, params, count, "");
    LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
    for (uint32_t i = 0; i < count; i++) {
        const LLVMAttributeRef value =
            LLVMGetEnumAttributeAtIndex(function->value, i + 1, byval);

        if (value) {
            LLVMAddAttributeAtIndex(outer, i + 1, value);
            LLVMAddCallSiteAttribute(call, i + 1, value);
        }
    }
    LLVMBuildRetVoid(r->builder);
    tf_ir_add_attribute(outer, "convergent");
    tf_ir_add_attribute(outer, "nounwind");
    return outer;
}

static struct tf_spv_function *function_of(struct tf_spv *r,
                                           const struct tf_spv_entry *entry)
{
    const struct tf_spv_id *const id = &r->ids[entry->function];

    r->op = (struct tf_spv_op){.offset = entry->offset, .name = "EntryPoint"};
    tf_spv_need(r, id->kind == TF_SPV_ID_FUNCTION, "id %u is no function",
                entry->function);
    tf_spv_need(r, id->is.function->type->element->kind == TF_SPV_VOID,
                "a kernel returns nothing");
    tf_spv_need(r, !tf_spv_symbol(r, entry->function).imported,
                "the kernel is not in this module");
    tf_spv_need(r,
                strncmp(entry->name, "llvm.", 5) != 0 &&
                    strncmp(entry->name, "trefoil.", 8) != 0,
                "'%s' cannot be a name", entry->name);
    return id->is.function;
}

// llvm-spirv makes entry points of the kernels of blocks, too. No host can launch them,
// because none has an argument for the block, and what is enqueued gets a kernel of its
// own.
static bool is_of_a_block(const struct tf_spv *r, const struct tf_spv_type *type)
{
    return r->device_enqueue && type->member_count > 0 &&
           type->members[0]->kind == TF_SPV_POINTER &&
           type->members[0]->storage == TF_SPV_STORAGE_GENERIC;
}

void tf_spv_entry_points(struct tf_spv *r)
{
    for (const struct tf_spv_entry *entry = r->entries; entry; entry = entry->next)
        function_of(r, entry)->kernels++;
    for (const struct tf_spv_entry *entry = r->entries; entry; entry = entry->next) {
        const struct tf_spv_function *const function = function_of(r, entry);

        if (is_of_a_block(r, function->type))
            continue;
        const bool direct = function->kernels == 1 && !r->ids[entry->function].called;
        const LLVMValueRef value = direct ? function->value : make_caller(r, function);

        LLVMSetFunctionCallConv(value, LLVMSPIRKERNELCallConv);
        LLVMSetLinkage(value, LLVMExternalLinkage);
        take_name(r, value, entry->name);
        describe_arguments(r, function, entry->name, value);
        describe_modes(r, entry->function, value);
    }
}
