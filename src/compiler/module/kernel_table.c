// SPDX-License-Identifier: MIT
#include "compiler/module/kernel_table.h"
#include "compiler/ir/roots.h"

#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>
#include <llvm-c/Core.h>
#include <llvm-c/Target.h>

#include "abi/kernel_info.h"
#include "base/alloc.h"
#include "compiler/clang/clang_frontend.h"
#include "compiler/front/build_log.h"
#include "compiler/front/frontend.h"
#include "compiler/ir/ir_util.h"
#include "compiler/ir/kernel_metadata.h"
#include "compiler/job/arena.h"
#include "compiler/lower/blocks.h"
#include "compiler/lower/constructors.h"
#include "compiler/lower/kept/kept_functions.h"
#include "compiler/module/arg_layout.h"
#include "compiler/module/rounds.h"
#include "compiler/module/sub_group_size.h"

struct table {
    LLVMModuleRef module;
    LLVMTargetDataRef layout;
    const struct tf_compiler_device *device;
    const struct tf_compile_in *source;
    struct tf_str *log;
    struct tf_kernel_info *infos;
    size_t count;
};

static bool has_word(const char *text, const char *word)
{
    const char *const at = strstr(text, word);

    return at && (at == text || at[-1] == ' ') &&
           (at[strlen(word)] == ' ' || !at[strlen(word)]);
}

static uint32_t address_qualifier(uint32_t address_space)
{
    switch (address_space) {
    case 1:
        return CL_KERNEL_ARG_ADDRESS_GLOBAL;
    case 2:
        return CL_KERNEL_ARG_ADDRESS_CONSTANT;
    case 3:
        return CL_KERNEL_ARG_ADDRESS_LOCAL;
    default:
        return CL_KERNEL_ARG_ADDRESS_PRIVATE;
    }
}

static bool describe_qualifiers(LLVMValueRef kernel, unsigned index,
                                struct tf_kernel_arg_info *arg)
{
    char *const type =
        tf_metadata_text(tf_metadata_of(kernel, "kernel_arg_type_qual"), index);
    char *const access =
        tf_metadata_text(tf_metadata_of(kernel, "kernel_arg_access_qual"), index);
    const bool ok = type && access;

    if (ok) {
        arg->type_qualifier =
            (has_word(type, "const") ? CL_KERNEL_ARG_TYPE_CONST : 0) |
            (has_word(type, "restrict") ? CL_KERNEL_ARG_TYPE_RESTRICT : 0) |
            (has_word(type, "volatile") ? CL_KERNEL_ARG_TYPE_VOLATILE : 0) |
            (has_word(type, "pipe") ? CL_KERNEL_ARG_TYPE_PIPE : 0);
        arg->access_qualifier =
            !strcmp(access, "read_only")    ? CL_KERNEL_ARG_ACCESS_READ_ONLY
            : !strcmp(access, "write_only") ? CL_KERNEL_ARG_ACCESS_WRITE_ONLY
            : !strcmp(access, "read_write") ? CL_KERNEL_ARG_ACCESS_READ_WRITE
                                            : CL_KERNEL_ARG_ACCESS_NONE;
    }
    tf_free(type);
    tf_free(access);
    return ok;
}

// By the type that the program's own names stand for.
static bool describe_image(LLVMValueRef kernel, unsigned index,
                           struct tf_kernel_arg_info *arg)
{
    char *const type =
        tf_metadata_text(tf_metadata_of(kernel, "kernel_arg_base_type"), index);

    arg->image_kind = type ? tf_kernel_image_kind(type) : 0;
    tf_free(type);
    return type != NULL;
}

static bool describe_arg(LLVMValueRef kernel, unsigned index,
                         const struct tf_arg_slot *slot, struct tf_kernel_arg_info *arg)
{
    arg->kind = slot->kind;
    arg->size_bytes = slot->kind == TF_ARG_LOCAL ? 0
                      : slot->kind == TF_ARG_IMAGE || slot->kind == TF_ARG_SAMPLER
                          ? sizeof(void *) // of a handle
                          : slot->size_bytes;
    arg->align_bytes = slot->align_bytes;
    arg->block_offset_bytes = slot->block_offset_bytes;
    arg->address_qualifier = address_qualifier(
        tf_metadata_number(tf_metadata_of(kernel, "kernel_arg_addr_space"), index));
    arg->name = tf_metadata_text(tf_metadata_of(kernel, "kernel_arg_name"), index);
    arg->type_name = tf_metadata_text(tf_metadata_of(kernel, "kernel_arg_type"), index);
    if (!describe_qualifiers(kernel, index, arg) || !arg->name || !arg->type_name)
        return false;
    if (arg->type_qualifier & CL_KERNEL_ARG_TYPE_PIPE) {
        arg->kind = TF_ARG_PIPE;
        arg->packet_bytes =
            tf_metadata_number(tf_metadata_of(kernel, TF_CLANG_PACKETS_METADATA), index);
    }
    return arg->kind != TF_ARG_IMAGE || describe_image(kernel, index, arg);
}

static bool arg_supported(const struct tf_kernel_arg_info *arg)
{
    return arg->kind != TF_ARG_VALUE || arg->size_bytes;
}

static enum tf_compiler_status describe_args(const struct table *t, LLVMValueRef kernel,
                                             struct tf_kernel_info *info)
{
    enum tf_compiler_status status = TF_COMPILER_OK;
    struct tf_arg_slot *slots;

    info->arg_count = LLVMCountParams(kernel);
    info->args = tf_zalloc(info->arg_count * sizeof *info->args);
    slots = tf_zalloc(info->arg_count * sizeof *slots);
    if (!info->args || !slots)
        status = TF_COMPILER_NO_MEMORY;
    else
        info->arg_block_bytes = tf_arg_layout(kernel, t->layout, slots);
    for (unsigned i = 0; i < info->arg_count && status == TF_COMPILER_OK; i++) {
        struct tf_kernel_arg_info *const arg = &info->args[i];

        if (!describe_arg(kernel, i, &slots[i], arg)) {
            status = TF_COMPILER_NO_MEMORY;
        } else if (!arg_supported(arg)) {
            tf_build_log_kernel_error(
                t->log, t->source, info->name,
                "argument '%s' of kernel '%s': type '%s' is not supported", arg->name,
                info->name, arg->type_name);
            status = TF_COMPILER_BAD_SOURCE;
        }
        if (arg->kind == TF_ARG_LOCAL)
            info->flags |= TF_KERNEL_HAS_LOCAL;
    }
    tf_free(slots);
    return status;
}

static void take_size(LLVMValueRef node, uint32_t size[3])
{
    for (unsigned i = 0; node && i < 3; i++)
        size[i] = tf_metadata_number(node, i);
}

static enum tf_compiler_status describe_attributes(const struct table *t,
                                                   LLVMValueRef kernel,
                                                   struct tf_kernel_info *info)
{
    const LLVMValueRef sub_group = tf_metadata_of(kernel, "intel_reqd_sub_group_size");

    take_size(tf_metadata_of(kernel, "reqd_work_group_size"), info->reqd_local_size);
    take_size(tf_metadata_of(kernel, "work_group_size_hint"), info->hint_local_size);
    info->sub_group_size =
        sub_group ? tf_metadata_number(sub_group, 0) : t->device->sub_group_size;
    if (sub_group)
        info->flags |= TF_KERNEL_REQD_SUB_GROUP;
    if (sub_group && t->device->sub_group_size &&
        !tf_sub_group_size_is_valid(info->sub_group_size)) {
        tf_build_log_kernel_error(
            t->log, t->source, info->name,
            "kernel '%s': a sub-group has 4, 8, 16, 32 or 64 work-items, not %u",
            info->name, info->sub_group_size);
        return TF_COMPILER_BAD_SOURCE;
    }
    info->attributes =
        tf_metadata_text(tf_metadata_of(kernel, TF_CLANG_ATTRIBUTES_METADATA), 0);
    if (!info->attributes)
        return TF_COMPILER_NO_MEMORY;
    const uint64_t items = (uint64_t)info->reqd_local_size[0] * info->reqd_local_size[1] *
                           info->reqd_local_size[2];
    if (items > t->device->max_group_size) {
        tf_build_log_kernel_error(
            t->log, t->source, info->name,
            "kernel '%s': required work-group size %llu is above %u", info->name,
            (unsigned long long)items, t->device->max_group_size);
        return TF_COMPILER_BAD_SOURCE;
    }
    return TF_COMPILER_OK;
}

static bool is_group_atomic(LLVMValueRef inst)
{
    char scope[32];

    if (!LLVMIsAFenceInst(inst) && !LLVMIsAAtomicRMWInst(inst) &&
        !LLVMIsAAtomicCmpXchgInst(inst) &&
        !((LLVMIsALoadInst(inst) || LLVMIsAStoreInst(inst)) &&
          LLVMGetOrdering(inst) != LLVMAtomicOrderingNotAtomic))
        return false;
    tf_clang_sync_scope(inst, scope, sizeof scope);
    return !strncmp(scope, "workgroup", strlen("workgroup"));
}

// What may give other bits when it is optimized otherwise. NaN and infinity are not among
// it: where they may be left out of account, programs that make some have no meaning.
static bool is_loose(LLVMValueRef inst)
{
    const unsigned strict = LLVMFastMathNoNaNs | LLVMFastMathNoInfs;

    return LLVMCanValueUseFastMathFlags(inst) &&
           (LLVMGetFastMathFlags(inst) & ~strict) != 0;
}

// Of a call of TF_ROOT_ENQUEUE.
static uint32_t waits_group(LLVMValueRef call)
{
    enum { NO_WAIT, WAIT_KERNEL };
    const LLVMValueRef flags = LLVMGetOperand(call, 1);
    const bool is_known =
        LLVMIsAConstantInt(flags) && LLVMConstIntGetZExtValue(flags) <= WAIT_KERNEL;

    return is_known ? 0 : TF_KERNEL_WAITS_GROUP;
}

// Of the kernel, or of a function that it calls.
static void describe_function(const struct table *t, LLVMValueRef function,
                              struct tf_kernel_info *info)
{
    TF_FOR_EACH_INSTRUCTION(inst, function)
    {
        if (tf_root_of(inst) == TF_ROOT_BARRIER)
            info->flags |= TF_KERNEL_HAS_BARRIER;
        if (tf_root_of(inst) == TF_ROOT_ENQUEUE)
            info->flags |= TF_KERNEL_ENQUEUES | waits_group(inst);
        if (is_group_atomic(inst))
            info->flags |= TF_KERNEL_GROUP_ATOMICS;
        if (is_loose(inst))
            info->flags |= TF_KERNEL_LOOSE_VALUES;
        if (LLVMIsAAllocaInst(inst)) {
            const uint64_t each =
                LLVMABISizeOfType(t->layout, LLVMGetAllocatedType(inst));

            info->private_bytes +=
                each * LLVMConstIntGetZExtValue(LLVMGetOperand(inst, 0));
        }
    }
}

static enum tf_compiler_status describe_body(const struct table *t, LLVMValueRef kernel,
                                             struct tf_kernel_info *info)
{
    const struct tf_rounds rounds = tf_rounds_guess(kernel);
    LLVMValueRef *called;
    size_t count;

    if (!tf_kept_functions_of(kernel, &called, &count))
        return TF_COMPILER_NO_MEMORY;
    info->instructions = rounds.instructions;
    info->item_instructions = rounds.item_instructions;
    memcpy(info->loop_args, rounds.loop_args, sizeof(info->loop_args));
    if (rounds.may_be_many || count)
        info->flags |= TF_KERNEL_MAY_RUN_LONG;
    describe_function(t, kernel, info);
    for (size_t i = 0; i < count; i++) {
        info->instructions += tf_rounds_guess(called[i]).instructions;
        describe_function(t, called[i], info);
    }
    tf_free(called);
    return TF_COMPILER_OK;
}

static enum tf_compiler_status describe_memory(const struct table *t, LLVMValueRef kernel,
                                               struct tf_kernel_info *info)
{
    struct tf_local_slot *slots;
    size_t count;

    info->local_bytes = tf_local_layout(kernel, t->layout, &slots, &count);
    tf_free(slots);
    if (info->local_bytes == UINT64_MAX)
        return TF_COMPILER_NO_MEMORY;
    if (count)
        info->flags |= TF_KERNEL_HAS_LOCAL;
    if (info->local_bytes > t->device->max_local_bytes) {
        tf_build_log_kernel_error(
            t->log, t->source, info->name,
            "kernel '%s' has %llu bytes of local memory, the device %llu", info->name,
            (unsigned long long)info->local_bytes,
            (unsigned long long)t->device->max_local_bytes);
        return TF_COMPILER_BAD_SOURCE;
    }
    return TF_COMPILER_OK;
}

static uint32_t form_flags(const struct table *t, LLVMValueRef kernel)
{
    static const char uniform[] = "uniform-work-group-size";
    const LLVMAttributeRef attribute = LLVMGetStringAttributeAtIndex(
        kernel, LLVMAttributeFunctionIndex, uniform, sizeof uniform - 1);
    uint32_t flags = 0;

    if (attribute) {
        unsigned bytes;
        const char *const value = LLVMGetStringAttributeValue(attribute, &bytes);

        if (bytes != strlen("false") || memcmp(value, "false", bytes) != 0)
            flags |= TF_KERNEL_UNIFORM_GROUPS;
    }
    if (!strcmp(tf_ir_name(kernel), TF_CONSTRUCT_KERNEL))
        flags |= TF_KERNEL_CONSTRUCTS;
    if (!strcmp(tf_ir_name(kernel), TF_DESTROY_KERNEL))
        flags |= TF_KERNEL_DESTROYS;
    if (LLVMGetNamedMetadataNumOperands(t->module, TF_DEBUG_FORM_METADATA) > 0)
        flags |= TF_KERNEL_DEBUG_FORM;
    if (tf_check_modes_of(t->module))
        flags |= TF_KERNEL_CHECKED;
    return flags;
}

static enum tf_compiler_status describe_kernel(const struct table *t, LLVMValueRef kernel,
                                               struct tf_kernel_info *info)
{
    enum tf_compiler_status status = TF_COMPILER_OK;

    info->name = tf_strdup(tf_ir_name(kernel));
    if (!info->name)
        return TF_COMPILER_NO_MEMORY;
    info->flags = form_flags(t, kernel);
    if (tf_blocks_number(kernel) >= 0)
        info->flags |= TF_KERNEL_BLOCK;
    status = describe_args(t, kernel, info);
    if (status == TF_COMPILER_OK)
        status = describe_attributes(t, kernel, info);
    if (status == TF_COMPILER_OK)
        status = describe_memory(t, kernel, info);
    if (status == TF_COMPILER_OK)
        status = describe_body(t, kernel, info);
    return status;
}

static bool is_of_program(LLVMValueRef kernel)
{
    return strcmp(tf_ir_name(kernel), TF_CONSTRUCT_KERNEL) != 0 &&
           strcmp(tf_ir_name(kernel), TF_DESTROY_KERNEL) != 0;
}

static void release_infos(struct table *t)
{
    for (size_t i = 0; i < t->count; i++) {
        struct tf_kernel_info *const info = &t->infos[i];

        for (size_t k = 0; info->args && k < info->arg_count; k++) {
            tf_free((char *)info->args[k].name);
            tf_free((char *)info->args[k].type_name);
        }
        tf_free(info->args);
        tf_free((char *)info->name);
        tf_free((char *)info->attributes);
    }
    tf_free(t->infos);
}

enum tf_compiler_status tf_kernel_table(LLVMModuleRef module,
                                        const struct tf_compiler_device *device,
                                        const struct tf_compile_in *source,
                                        struct tf_compiler_bytes *out, struct tf_str *log)
{
    struct table t = {.module = module, .device = device, .source = source, .log = log};
    enum tf_compiler_status status = TF_COMPILER_OK;
    size_t kernels = 0, blocks = 0, public = 0;

    TF_FOR_EACH_FUNCTION(f, module)
    {
        kernels += tf_ir_is_kernel(f);
        blocks += tf_ir_is_kernel(f) && tf_blocks_number(f) >= 0;
    }
    t.layout = LLVMGetModuleDataLayout(module);
    t.infos = tf_zalloc(kernels * sizeof *t.infos);
    if (!t.infos)
        return TF_COMPILER_NO_MEMORY;
    t.count = kernels;
    for (int ours = 0; ours < 2; ours++) {
        for (LLVMValueRef f = LLVMGetFirstFunction(module); f && status == TF_COMPILER_OK;
             f = LLVMGetNextFunction(f)) {
            const int block = tf_ir_is_kernel(f) ? tf_blocks_number(f) : -1;

            if (block >= 0 && !ours)
                status =
                    describe_kernel(&t, f, &t.infos[kernels - blocks + (size_t)block]);
            else if (block < 0 && tf_ir_is_kernel(f) && is_of_program(f) != (ours == 1))
                status = describe_kernel(&t, f, &t.infos[public ++]);
        }
    }
    if (status == TF_COMPILER_OK) {
        out->data = tf_kernel_info_pack(t.infos, t.count, &out->bytes);
        if (!out->data)
            status = TF_COMPILER_NO_MEMORY;
    }
    release_infos(&t);
    return status;
}
