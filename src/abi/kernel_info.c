// SPDX-License-Identifier: MIT
// Packed form: a header, the kernels, all arguments, then the strings. Numbers are little
// endian as in memory: the reader is the same machine family (binaries carry a target
// tag). Strings are offsets into the string part, each ended by a 0 inside it.
#include "abi/kernel_info.h"

#include <string.h>

#include <CL/cl.h>

#include "abi/image_descriptor.h"
#include "base/alloc.h"

#define MAGIC 0x746b7435u // "5tkt"

struct packed_header {
    uint32_t magic;
    uint32_t kernel_count;
    uint32_t arg_count; // of all kernels together
    uint32_t string_bytes;
};

struct packed_kernel {
    uint32_t name, attributes; // offsets of strings
    uint32_t arg_count;
    uint32_t arg_block_bytes;
    uint32_t flags;
    uint32_t sub_group_size;
    uint32_t reqd_local_size[3];
    uint32_t hint_local_size[3];
    uint64_t local_bytes;
    uint64_t private_bytes;
    uint32_t instructions;
    uint32_t item_instructions;
    uint32_t loop_args[TF_KERNEL_LOOP_ARGS];
};

struct packed_arg {
    uint64_t type_qualifier;
    uint32_t kind;
    uint32_t size_bytes;
    uint32_t align_bytes;
    uint32_t block_offset_bytes;
    uint32_t address_qualifier;
    uint32_t access_qualifier;
    uint32_t name, type_name; // offsets of strings
    uint32_t image_kind;
    uint32_t packet_bytes;
};

struct layout {
    struct packed_header *header;
    struct packed_kernel *kernels;
    struct packed_arg *args;
    char *strings;
    size_t string_used;
};

static size_t text_bytes(const char *text)
{
    return text ? strlen(text) + 1 : 1;
}

static uint32_t put_string(struct layout *to, const char *text)
{
    const size_t at = to->string_used;
    const size_t bytes = text_bytes(text);

    if (text)
        memcpy(to->strings + at, text, bytes);
    to->string_used += bytes; // the block is zeroed: NULL becomes ""
    return (uint32_t)at;
}

static void put_arg(struct layout *to, struct packed_arg *out,
                    const struct tf_kernel_arg_info *arg)
{
    out->type_qualifier = arg->type_qualifier;
    out->kind = (uint32_t)arg->kind;
    out->size_bytes = arg->size_bytes;
    out->align_bytes = arg->align_bytes;
    out->block_offset_bytes = arg->block_offset_bytes;
    out->address_qualifier = arg->address_qualifier;
    out->access_qualifier = arg->access_qualifier;
    out->name = put_string(to, arg->name);
    out->type_name = put_string(to, arg->type_name);
    out->image_kind = arg->image_kind;
    out->packet_bytes = arg->packet_bytes;
}

static void put_kernel(struct layout *to, struct packed_kernel *out,
                       const struct tf_kernel_info *info)
{
    out->name = put_string(to, info->name);
    out->attributes = put_string(to, info->attributes);
    out->arg_count = info->arg_count;
    out->arg_block_bytes = info->arg_block_bytes;
    out->flags = info->flags;
    out->sub_group_size = info->sub_group_size;
    memcpy(out->reqd_local_size, info->reqd_local_size, sizeof(out->reqd_local_size));
    memcpy(out->hint_local_size, info->hint_local_size, sizeof(out->hint_local_size));
    out->local_bytes = info->local_bytes;
    out->private_bytes = info->private_bytes;
    out->instructions = info->instructions;
    out->item_instructions = info->item_instructions;
    memcpy(out->loop_args, info->loop_args, sizeof(out->loop_args));
}

// Places the parts of a block that starts at `base`; returns its size.
static size_t place(struct layout *to, char *base, size_t kernels, size_t args,
                    size_t string_bytes)
{
    size_t at = sizeof(*to->header);

    to->header = (struct packed_header *)(void *)base;
    to->kernels = (struct packed_kernel *)(void *)(base + at);
    at += kernels * sizeof(*to->kernels);
    to->args = (struct packed_arg *)(void *)(base + at);
    at += args * sizeof(*to->args);
    to->strings = base + at;
    to->string_used = 0;
    return at + string_bytes;
}

void *tf_kernel_info_pack(const struct tf_kernel_info *infos, size_t count,
                          size_t *bytes_out)
{
    struct layout to = {0};
    size_t args = 0, strings = 0, bytes, next_arg = 0;
    char *block;

    for (size_t k = 0; k < count; k++) {
        args += infos[k].arg_count;
        strings += text_bytes(infos[k].name) + text_bytes(infos[k].attributes);
        for (uint32_t a = 0; a < infos[k].arg_count; a++)
            strings += text_bytes(infos[k].args[a].name) +
                       text_bytes(infos[k].args[a].type_name);
    }
    bytes = sizeof(struct packed_header) + count * sizeof(struct packed_kernel) +
            args * sizeof(struct packed_arg) + strings;
    block = tf_zalloc(bytes);
    if (!block)
        return NULL;
    place(&to, block, count, args, strings);
    *to.header =
        (struct packed_header){MAGIC, (uint32_t)count, (uint32_t)args, (uint32_t)strings};
    for (size_t k = 0; k < count; k++) {
        put_kernel(&to, &to.kernels[k], &infos[k]);
        for (uint32_t a = 0; a < infos[k].arg_count; a++)
            put_arg(&to, &to.args[next_arg++], &infos[k].args[a]);
    }
    *bytes_out = bytes;
    return block;
}

static bool is_power_of_two(uint32_t n)
{
    return n && !(n & (n - 1));
}

uint64_t tf_arg_block_bytes(enum tf_arg_kind kind, uint32_t size_bytes)
{
    return kind == TF_ARG_VALUE   ? size_bytes
           : kind == TF_ARG_IMAGE ? sizeof(struct tf_image_desc)
                                  : sizeof(uint64_t);
}

uint32_t tf_kernel_image_kind(const char *type_name)
{
    static const struct {
        const char *name;
        uint32_t kind;
    } types[] = {
        {"image1d_t", CL_MEM_OBJECT_IMAGE1D},
        {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER},
        {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY},
        {"image2d_t", CL_MEM_OBJECT_IMAGE2D},
        {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY},
        {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D | TF_IMAGE_KIND_DEPTH},
        {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY | TF_IMAGE_KIND_DEPTH},
        {"image3d_t", CL_MEM_OBJECT_IMAGE3D},
    };
    const char *const space = strrchr(type_name, ' ');

    for (size_t i = 0; i < sizeof(types) / sizeof(types[0]); i++)
        if (strcmp(space ? space + 1 : type_name, types[i].name) == 0)
            return types[i].kind;
    return 0;
}

static bool arg_ok(const struct packed_arg *arg, const struct packed_kernel *kernel,
                   uint32_t string_bytes)
{
    const uint64_t slot_bytes =
        tf_arg_block_bytes((enum tf_arg_kind)arg->kind, arg->size_bytes);

    return arg->kind <= TF_ARG_QUEUE && arg->name < string_bytes &&
           arg->type_name < string_bytes && is_power_of_two(arg->align_bytes) &&
           arg->block_offset_bytes + slot_bytes <= kernel->arg_block_bytes;
}

static bool tables_ok(const struct layout *from)
{
    const struct packed_header *h = from->header;
    uint64_t args = 0;

    if (h->string_bytes && from->strings[h->string_bytes - 1] != 0)
        return false;
    for (uint32_t k = 0; k < h->kernel_count; k++) {
        const struct packed_kernel *kernel = &from->kernels[k];

        if (kernel->name >= h->string_bytes || kernel->attributes >= h->string_bytes ||
            kernel->arg_count > h->arg_count - args)
            return false;
        for (uint32_t a = 0; a < kernel->arg_count; a++)
            if (!arg_ok(&from->args[args + a], kernel, h->string_bytes))
                return false;
        args += kernel->arg_count;
    }
    return args == h->arg_count;
}

static void get_arg(struct tf_kernel_arg_info *out, const struct packed_arg *arg,
                    const char *strings)
{
    *out = (struct tf_kernel_arg_info){
        .kind = (enum tf_arg_kind)arg->kind,
        .size_bytes = arg->size_bytes,
        .align_bytes = arg->align_bytes,
        .block_offset_bytes = arg->block_offset_bytes,
        .address_qualifier = arg->address_qualifier,
        .access_qualifier = arg->access_qualifier,
        .type_qualifier = arg->type_qualifier,
        .name = strings + arg->name,
        .type_name = strings + arg->type_name,
        .image_kind = arg->image_kind,
        .packet_bytes = arg->packet_bytes,
    };
}

static void get_kernel(struct tf_kernel_info *out, const struct packed_kernel *kernel,
                       struct tf_kernel_arg_info *args, const char *strings)
{
    *out = (struct tf_kernel_info){
        .name = strings + kernel->name,
        .attributes = strings + kernel->attributes,
        .args = args,
        .arg_count = kernel->arg_count,
        .arg_block_bytes = kernel->arg_block_bytes,
        .flags = kernel->flags,
        .sub_group_size = kernel->sub_group_size,
        .local_bytes = kernel->local_bytes,
        .private_bytes = kernel->private_bytes,
        .instructions = kernel->instructions,
        .item_instructions = kernel->item_instructions,
    };
    memcpy(out->reqd_local_size, kernel->reqd_local_size, sizeof(out->reqd_local_size));
    memcpy(out->hint_local_size, kernel->hint_local_size, sizeof(out->hint_local_size));
    memcpy(out->loop_args, kernel->loop_args, sizeof(out->loop_args));
}

// An aligned copy of the packed bytes follows the unpacked tables in one block: the copy
// holds the strings, and untrusted input may lie at any address.
struct tf_kernel_info *tf_kernel_info_unpack(const void *packed, size_t bytes,
                                             size_t *count_out, bool *is_damaged)
{
    struct packed_header h;
    struct layout from = {0};
    struct tf_kernel_info *infos;
    struct tf_kernel_arg_info *args;
    uint64_t need;
    char *copy;

    *count_out = 0;
    *is_damaged = true;
    if (bytes < sizeof(h))
        return NULL;
    memcpy(&h, packed, sizeof(h));
    need = sizeof(h) + (uint64_t)h.kernel_count * sizeof(struct packed_kernel) +
           (uint64_t)h.arg_count * sizeof(struct packed_arg) + h.string_bytes;
    if (h.magic != MAGIC || need != bytes)
        return NULL;
    infos =
        tf_zalloc(h.kernel_count * sizeof(*infos) + h.arg_count * sizeof(*args) + bytes);
    *is_damaged = infos != NULL;
    if (!infos)
        return NULL;
    args = (struct tf_kernel_arg_info *)(void *)(infos + h.kernel_count);
    copy = (char *)(args + h.arg_count);
    memcpy(copy, packed, bytes);
    place(&from, copy, h.kernel_count, h.arg_count, h.string_bytes);
    if (!tables_ok(&from)) {
        tf_free(infos);
        return NULL;
    }
    for (uint32_t k = 0, a = 0; k < h.kernel_count; k++) {
        get_kernel(&infos[k], &from.kernels[k], &args[a], from.strings);
        for (uint32_t end = a + from.kernels[k].arg_count; a < end; a++)
            get_arg(&args[a], &from.args[a], from.strings);
    }
    *count_out = h.kernel_count;
    *is_damaged = false;
    return infos;
}
