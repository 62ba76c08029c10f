// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_program.h"

#include <string.h>

#include "abi/kernel_info.h"
#include "abi/program_data.h"
#include "base/alloc.h"
#include "base/range.h"
#include "core/object/error.h"

struct tf_devprog *tf_cpu_program_new(cl_uint type)
{
    struct tf_devprog *prog = tf_zalloc(sizeof(*prog));

    if (!prog)
        return NULL;
    atomic_init(&prog->refs, 1);
    atomic_init(&prog->statics, TF_STATICS_NONE);
    prog->type = type;
    tf_mutex_init(&prog->lock, TF_RANK_LEAF);
    tf_cond_init(&prog->changed);
    return prog;
}

static void free_kernels(struct tf_cpu_kernel *kernels, size_t count)
{
    for (size_t i = 0; kernels && i < count; i++) {
        tf_elf_unload(&kernels[i].image);
        tf_cpu_code_finish(&kernels[i].code);
        tf_free(atomic_load(&kernels[i].key));
        tf_free(kernels[i].report);
        free_kernels(atomic_load(&kernels[i].variants), TF_VARIANT_SLOTS);
    }
    tf_free(kernels);
}

void tf_cpu_program_unref(struct tf_devprog *prog)
{
    // Release: this owner's writes are done; acquire: the last one sees those of all.
    if (!prog || atomic_fetch_sub_explicit(&prog->refs, 1, memory_order_acq_rel) != 1)
        return;
    free_kernels(prog->kernels, TF_SLOT_VARIANT * prog->kernel_count);
    tf_free(prog->infos);
    tf_free(prog->packed);
    tf_free(prog->packed_data);
    tf_free(prog->data);
    tf_free(prog->other_sections);
    tf_free(prog->bitcode);
    tf_free(prog->build_id);
    tf_cond_finish(&prog->changed);
    tf_mutex_finish(&prog->lock);
    tf_free(prog);
}

bool tf_cpu_program_set_bitcode(struct tf_devprog *prog, const void *bitcode,
                                size_t bytes, const char *build_id)
{
    prog->build_id = tf_strdup(build_id);
    prog->bitcode = tf_memdup(bitcode, bytes);
    prog->bitcode_bytes = bytes;
    prog->bitcode_digest = tf_digest_of(bitcode, bytes);
    return prog->build_id && prog->bitcode;
}

// Its first argument is a literal by value, the others are local memory.
static bool is_block(const struct tf_kernel_info *info)
{
    if (!(info->flags & TF_KERNEL_BLOCK) || info->arg_count == 0 ||
        info->args[0].kind != TF_ARG_VALUE || info->args[0].block_offset_bytes != 0)
        return false;
    for (uint32_t i = 1; i < info->arg_count; i++)
        if (info->args[i].kind != TF_ARG_LOCAL)
            return false;
    return true;
}

// False where blocks are no blocks, or stand between other kernels.
static bool count_host_kernels(struct tf_devprog *prog)
{
    size_t count = 0;

    while (count < prog->kernel_count && !(prog->infos[count].flags & TF_KERNEL_BLOCK))
        count++;
    prog->host_kernel_count = count;
    while (count < prog->kernel_count && is_block(&prog->infos[count]))
        count++;
    return count == prog->kernel_count;
}

// Those of the application come first, then ours. False when these are not as the
// compiler makes them.
static bool count_shown(struct tf_devprog *prog)
{
    const uint32_t ours = TF_KERNEL_CONSTRUCTS | TF_KERNEL_DESTROYS;

    while (prog->shown_count < prog->host_kernel_count &&
           !(prog->infos[prog->shown_count].flags & ours))
        prog->shown_count++;
    for (size_t i = prog->shown_count; i < prog->host_kernel_count; i++)
        if (!(prog->infos[i].flags & ours) || prog->infos[i].arg_count > 0)
            return false;
    if (prog->shown_count < prog->host_kernel_count)
        atomic_store(&prog->statics, TF_STATICS_WAITING);
    return true;
}

cl_int tf_cpu_program_set_kernels(struct tf_err *err, struct tf_devprog *prog,
                                  const void *packed, size_t bytes)
{
    bool is_damaged;

    prog->infos = tf_kernel_info_unpack(packed, bytes, &prog->kernel_count, &is_damaged);
    if (is_damaged)
        return tf_fail(err, CL_INVALID_BINARY, "damaged kernel table");
    if (!count_host_kernels(prog) || !count_shown(prog)) {
        prog->kernel_count = 0; // there is no code of them
        return tf_fail(err, CL_INVALID_BINARY, "damaged kernel table");
    }
    prog->kernels =
        tf_zalloc(TF_SLOT_VARIANT * prog->kernel_count * sizeof(*prog->kernels));
    prog->packed = tf_memdup(packed, bytes);
    prog->packed_bytes = bytes;
    if (!prog->kernels)
        prog->kernel_count = 0;
    if (!prog->infos || !prog->kernels || !prog->packed)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "kernel table");
    return CL_SUCCESS;
}

// ---- Program-scope variables ----

// Where the parts of a packed block lie; false when they do not fit `bytes`.
static bool read_data(struct tf_program_data *head, size_t *pointers_at,
                      const void *packed, size_t bytes)
{
    size_t at = sizeof(*head), padded;

    if (bytes < at)
        return false;
    memcpy(head, packed, sizeof(*head));
    if (head->align_bytes < sizeof(void *) || head->align_bytes > 1 << 21 ||
        (head->align_bytes & (head->align_bytes - 1)) != 0 ||
        head->image_bytes > head->block_bytes ||
        head->block_bytes > TF_PROGRAM_DATA_MAX_BYTES || head->image_bytes > bytes)
        return false;
    padded = (head->image_bytes + 7) & ~(size_t)7;
    if (padded > bytes - at)
        return false;
    at += padded;
    *pointers_at = at;
    return head->pointer_count == (bytes - at) / sizeof(struct tf_program_pointer) &&
           (bytes - at) % sizeof(struct tf_program_pointer) == 0;
}

// Puts the addresses of variables into variables; false when one lies outside.
static bool set_pointers(void *data, const struct tf_program_data *head,
                         const char *packed)
{
    for (uint64_t i = 0; i < head->pointer_count; i++) {
        struct tf_program_pointer pointer;
        uint64_t address;

        memcpy(&pointer, packed + i * sizeof(pointer), sizeof(pointer));
        if (!tf_range_ok(pointer.offset_bytes, sizeof(address), head->block_bytes))
            return false;
        address = (uint64_t)(uintptr_t)data + pointer.target_bytes;
        memcpy((char *)data + pointer.offset_bytes, &address, sizeof(address));
    }
    return true;
}

cl_int tf_cpu_program_set_data(struct tf_err *err, struct tf_devprog *prog,
                               const void *packed, size_t bytes)
{
    struct tf_program_data head;
    size_t at;

    if (bytes == 0)
        return CL_SUCCESS;
    TF_REQUIRE(err, read_data(&head, &at, packed, bytes), CL_INVALID_BINARY,
               "damaged program data");
    prog->packed_data = tf_memdup(packed, bytes);
    prog->packed_data_bytes = bytes;
    prog->data = tf_alloc_aligned(head.align_bytes, head.block_bytes);
    TF_REQUIRE(err, prog->packed_data && prog->data, CL_OUT_OF_HOST_MEMORY,
               "program data");
    memcpy(prog->data, (const char *)packed + sizeof(head), head.image_bytes);
    memset((char *)prog->data + head.image_bytes, 0, head.block_bytes - head.image_bytes);
    TF_REQUIRE(err, set_pointers(prog->data, &head, (const char *)packed + at),
               CL_INVALID_BINARY, "damaged program data");
    prog->variable_bytes = head.variable_bytes;
    return CL_SUCCESS;
}
