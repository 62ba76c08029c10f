// SPDX-License-Identifier: MIT
// Which object an access is made to: the one that its address was computed from, where
// the compiler has seen that; or else the one that the address lies in.
#include <stdio.h>
#include <string.h>

#include "abi/program_data.h"
#include "devices/cpu/check/check_state.h"
#include "devices/cpu/move/cpu_mem.h"
#include "devices/cpu/move/cpu_mem_list.h"
#include "devices/cpu/program/cpu_program.h"

static const struct tf_kernel_arg_info *arg_of(const struct tf_check_question *q,
                                               uint32_t index)
{
    return q->info && index < q->info->arg_count ? &q->info->args[index] : NULL;
}

static uint64_t block_word(const struct tf_check_question *q,
                           const struct tf_kernel_arg_info *arg)
{
    uint64_t word;

    memcpy(&word, (const char *)q->launch->args + arg->block_offset_bytes, sizeof(word));
    return word;
}

static void name_arg(struct tf_check_object *out, const char *what, uint32_t index,
                     const struct tf_kernel_arg_info *arg)
{
    if (arg->name && arg->name[0])
        snprintf(out->name, sizeof(out->name), "%s argument %u '%.80s'", what, index,
                 arg->name);
    else
        snprintf(out->name, sizeof(out->name), "%s argument %u", what, index);
}

// Local memory: the offset, and above it the size.
static void local_arg(const struct tf_check_question *q, uint32_t index,
                      const struct tf_kernel_arg_info *arg, struct tf_check_object *out)
{
    const uint64_t word = block_word(q, arg);

    out->is_known = true;
    out->start = (uintptr_t)q->worker->local + (uint32_t)word;
    out->bytes = word >> TF_ARG_LOCAL_SIZE_SHIFT;
    name_arg(out, "local", index, arg);
}

static bool patched_arg(const struct tf_check_question *q,
                        const struct tf_kernel_arg_info *arg, struct tf_check_object *out)
{
    for (size_t i = 0; i < q->kernel->patch_count; i++) {
        const struct tf_arg_patch *patch = &q->kernel->patches[i];

        if (patch->block_offset_bytes != arg->block_offset_bytes)
            continue;
        out->is_known = true;
        out->is_read_only = patch->is_read_only;
        out->start = (uintptr_t)tf_cpu_mem_data(patch->mem) + patch->delta_bytes;
        out->bytes = patch->size_bytes;
        return true;
    }
    return false;
}

// A buffer, or an address of shared memory, which the application may have from anywhere.
static void buffer_arg(const struct tf_check_question *q, uint32_t index,
                       const struct tf_kernel_arg_info *arg, struct tf_check_object *out)
{
    const uint64_t address = block_word(q, arg);
    uintptr_t start;
    size_t bytes;

    name_arg(out, "the buffer of", index, arg);
    if (q->kernel && patched_arg(q, arg, out))
        return;
    if (!address) {
        out->is_known = true;
        name_arg(out, "NULL, which is", index, arg);
    } else if (tf_mem_list_find(address, &start, &bytes)) {
        out->is_known = true;
        out->start = start;
        out->bytes = bytes;
        name_arg(out, "the memory of", index, arg);
    }
}

static bool lies_in(uint64_t address, const void *start, uint64_t bytes,
                    struct tf_check_object *out, const char *name)
{
    if (address - (uintptr_t)start >= bytes)
        return false;
    out->is_known = true;
    out->start = (uintptr_t)start;
    out->bytes = bytes;
    snprintf(out->name, sizeof(out->name), "%s", name);
    return true;
}

// Of an argument, by address: what is said of it holds for whoever got there otherwise.
static bool lies_in_arg(const struct tf_check_question *q, struct tf_check_object *out)
{
    for (uint32_t i = 0; q->info && i < q->info->arg_count; i++) {
        const struct tf_kernel_arg_info *arg = &q->info->args[i];
        struct tf_check_object object = {0};

        if (arg->kind == TF_ARG_LOCAL)
            local_arg(q, i, arg, &object);
        else if ((arg->kind == TF_ARG_BUFFER || arg->kind == TF_ARG_IMAGE ||
                  arg->kind == TF_ARG_PIPE) &&
                 q->kernel && patched_arg(q, arg, &object))
            name_arg(&object, "the memory of", i, arg);
        if (!object.is_known || q->address - object.start >= object.bytes)
            continue;
        // What lies in an image, and who may write there, says its descriptor.
        if (arg->kind != TF_ARG_BUFFER)
            object.is_read_only = false;
        *out = object;
        return true;
    }
    return false;
}

static bool lies_in_list(uint64_t address, struct tf_check_object *out)
{
    uintptr_t start;
    size_t bytes;

    return tf_mem_list_find(address, &start, &bytes) &&
           lies_in(address, (const void *)start, bytes, out, "memory of the device");
}

// The block of program-scope variables.
static uint64_t block_bytes(const struct tf_devprog *prog)
{
    struct tf_program_data head;

    if (!prog->data || prog->packed_data_bytes < sizeof(head))
        return 0;
    memcpy(&head, prog->packed_data, sizeof(head));
    return head.block_bytes;
}

static bool lies_in_own(const struct tf_check_question *q, struct tf_check_object *out)
{
    const struct tf_worker *w = q->worker;
    const char *low = w->stack_limit, *end = w->stack_end;
    const struct tf_devprog *prog = q->kernel ? q->kernel->program : NULL;

    return lies_in(q->address, w->local, w->local_bytes, out, "local memory") ||
           lies_in(q->address, low, (uint64_t)(end - low), out, "private memory") ||
           lies_in(q->address, w->scratch, w->scratch_bytes, out, "private memory") ||
           (prog && lies_in(q->address, q->launch->args, q->info->arg_block_bytes, out,
                            "the arguments")) ||
           (prog && lies_in(q->address, prog->data, block_bytes(prog), out,
                            "program-scope variables"));
}

// Constants lie in the code's object; what its size is only the loader knows.
static bool may_be_constant(const struct tf_check_question *q)
{
    enum { REACH = 1 << 24 };
    const uint64_t table = (uintptr_t)q->item->table;

    return q->site->op == TF_CHECK_READ && q->address - table + REACH < 2 * REACH;
}

void tf_check_find_object(const struct tf_check_question *q, struct tf_check_object *out)
{
    const struct tf_kernel_arg_info *arg;

    memset(out, 0, sizeof(*out));
    switch ((enum tf_check_base)q->site->base) {
    case TF_CHECK_VARIABLE:
        out->is_known = true;
        out->start = q->base;
        out->bytes = q->site->object_bytes;
        return;
    case TF_CHECK_ARG:
        arg = arg_of(q, q->site->arg);
        if (arg && arg->kind == TF_ARG_LOCAL)
            local_arg(q, q->site->arg, arg, out);
        else if (arg)
            buffer_arg(q, q->site->arg, arg, out);
        return;
    case TF_CHECK_ANY:
    case TF_CHECK_CAPTURED:
    case TF_CHECK_BASES:
        break;
    }
    // Of launches of which nothing is known, memory may be anywhere.
    if (lies_in_arg(q, out) || lies_in_own(q, out) || lies_in_list(q->address, out) ||
        may_be_constant(q) || !q->kernel || !tf_mem_list_checks())
        return;
    // Past an end of what the block has a pointer to; or
    if (q->site->base == TF_CHECK_CAPTURED && lies_in_list(q->base, out)) {
        snprintf(out->name, sizeof(out->name), "memory that was captured");
        return;
    }
    // nowhere: no byte of it may be touched.
    out->is_known = true;
    snprintf(out->name, sizeof(out->name), "no memory of the kernel");
}
