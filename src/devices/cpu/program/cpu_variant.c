// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_variant.h"

#include <inttypes.h>
#include <string.h>

#include "abi/image_channels.h"
#include "abi/image_descriptor.h"
#include "base/alloc.h"
#include "base/env.h"
#include "base/str.h"

// Relaxed: whoever reads it first finds the same.
enum tf_variant_policy tf_cpu_variant_policy(void)
{
    static atomic_int policy_plus_1;
    int known = atomic_load_explicit(&policy_plus_1, memory_order_relaxed);

    if (known == 0) {
        const char *text = tf_env_text(TF_ENV_VARIANTS);

        known = 1 + (int)(!text                  ? TF_VARIANTS_AUTO
                          : !strcmp(text, "0")   ? TF_VARIANTS_NONE
                          : !strcmp(text, "all") ? TF_VARIANTS_ALL
                                                 : TF_VARIANTS_AUTO);
        atomic_store_explicit(&policy_plus_1, known, memory_order_relaxed);
    }
    return (enum tf_variant_policy)(known - 1);
}

bool tf_cpu_variant_helps(const struct tf_devprog *prog, size_t index)
{
    const struct tf_kernel_info *const info = &prog->infos[index];

    for (uint32_t i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == TF_ARG_IMAGE)
            return true;
    return false;
}

// The part of an argument that a variant takes for known; false: none.
static bool known_part(const struct tf_kernel_arg_info *arg, size_t *at, size_t *bytes)
{
    *at = arg->block_offset_bytes;
    *bytes = sizeof(uint64_t);
    if (arg->kind == TF_ARG_IMAGE) {
        *at += TF_IMAGE_FIXED_FROM;
        *bytes = sizeof(struct tf_image_desc) - TF_IMAGE_FIXED_FROM;
    }
    return arg->kind == TF_ARG_IMAGE || arg->kind == TF_ARG_SAMPLER;
}

static bool is_for(const struct tf_kernel_info *info, const void *key, const void *args)
{
    for (uint32_t i = 0; i < info->arg_count; i++) {
        size_t at, bytes;

        if (known_part(&info->args[i], &at, &bytes) &&
            memcmp((const char *)key + at, (const char *)args + at, bytes) != 0)
            return false;
    }
    return true;
}

// A block with nothing in it but what is known; NULL when memory ran out.
static void *new_key(const struct tf_kernel_info *info, const void *args)
{
    char *const key = tf_zalloc(info->arg_block_bytes);

    for (uint32_t i = 0; key && i < info->arg_count; i++) {
        size_t at, bytes;

        if (known_part(&info->args[i], &at, &bytes))
            memcpy(key + at, (const char *)args + at, bytes);
    }
    return key;
}

// The slot that is for `args`, else the first without a key (*is_free), else
// TF_SLOT_COUNT. Keys are set in order and stay. Acquire: what the key points to.
static int find(const struct tf_devprog *prog, size_t index, const void *args,
                bool *is_free)
{
    const struct tf_cpu_kernel *const variants =
        tf_cpu_kernel_at(prog, index, TF_SLOT_VARIANT);
    int slot = TF_SLOT_VARIANT;

    *is_free = true;
    for (; variants && slot < TF_SLOT_COUNT; slot++) {
        const void *const key = atomic_load_explicit(
            &variants[slot - TF_SLOT_VARIANT].key, memory_order_acquire);

        *is_free = !key;
        if (!key || is_for(&prog->infos[index], key, args))
            return slot;
    }
    return slot;
}

// Room for the kernel's variants; false when memory ran out.
static bool make_room(struct tf_devprog *prog, size_t index) TF_REQUIRES(&prog->lock)
{
    struct tf_cpu_kernel *const full = tf_cpu_kernel_at(prog, index, TF_SLOT_FULL);

    if (!atomic_load(&full->variants))
        atomic_store_explicit(
            &full->variants, tf_zalloc((TF_SLOT_COUNT - TF_SLOT_VARIANT) * sizeof(*full)),
            memory_order_release);
    return atomic_load(&full->variants) != NULL;
}

enum tf_cpu_slot tf_cpu_variant_slot(struct tf_devprog *prog, size_t index,
                                     const void *args)
{
    bool is_free;
    int slot = find(prog, index, args, &is_free);

    if (!is_free)
        return (enum tf_cpu_slot)slot;
    tf_lock(&prog->lock);
    slot = find(prog, index, args, &is_free); // others may have been here
    if (is_free && make_room(prog, index)) {
        struct tf_cpu_kernel *const kernel =
            tf_cpu_kernel_at(prog, index, (enum tf_cpu_slot)slot);

        atomic_store_explicit(&kernel->key, new_key(&prog->infos[index], args),
                              memory_order_release);
        is_free = !atomic_load(&kernel->key);
    }
    tf_unlock(&prog->lock);
    return is_free ? TF_SLOT_COUNT : (enum tf_cpu_slot)slot;
}

const struct tf_cpu_kernel *tf_cpu_variant_peek(const struct tf_devprog *prog,
                                                size_t index, const void *args)
{
    bool is_free;
    const int slot = find(prog, index, args, &is_free);

    // Another thread may give a free slot a key, and code, at any time.
    return slot < TF_SLOT_COUNT && !is_free
               ? tf_cpu_kernel_peek(prog, index, (enum tf_cpu_slot)slot)
               : NULL;
}

static void add_image(struct tf_str *text, const char *key)
{
    const struct tf_image_order *order;
    const struct tf_image_type *type;
    struct tf_image_desc desc;

    memcpy(&desc, key, sizeof(desc));
    order = tf_image_order_of(desc.channel_order);
    type = tf_image_type_of(desc.channel_type);
    tf_str_printf(text, "%s %s", order ? order->name : "?", type ? type->name : "?");
}

char *tf_cpu_variant_text(const struct tf_devprog *prog, size_t index,
                          enum tf_cpu_slot slot)
{
    const struct tf_kernel_info *const info = &prog->infos[index];
    const char *const key = atomic_load(&tf_cpu_kernel_at(prog, index, slot)->key);
    struct tf_str text = {0};
    const char *between = "";

    for (uint32_t i = 0; i < info->arg_count; i++) {
        const struct tf_kernel_arg_info *const arg = &info->args[i];
        uint64_t bits;

        if (arg->kind != TF_ARG_IMAGE && arg->kind != TF_ARG_SAMPLER)
            continue;
        tf_str_printf(&text, "%s%s ", between, arg->name);
        between = ", ";
        memcpy(&bits, key + arg->block_offset_bytes, sizeof(bits));
        if (arg->kind == TF_ARG_IMAGE)
            add_image(&text, key + arg->block_offset_bytes);
        else
            tf_str_printf(&text, "sampler 0x%" PRIx64, bits);
    }
    return tf_str_take(&text);
}

static void add_report(struct tf_str *report, const struct tf_devprog *prog, size_t index,
                       enum tf_cpu_slot slot)
{
    const struct tf_cpu_kernel *const code = tf_cpu_kernel_peek(prog, index, slot);
    char *text;

    if (!code || !atomic_load_explicit(&code->launched, memory_order_relaxed))
        return;
    text = tf_cpu_variant_text(prog, index, slot);
    tf_str_printf(report, "kernel %s: launches ran the variant for %s\n%s",
                  prog->infos[index].name, text ? text : "",
                  code->report ? code->report : "");
    tf_free(text);
}

char *tf_cpu_variant_report(struct tf_devprog *prog)
{
    struct tf_str report = {0};

    for (size_t i = 0; prog->reports && i < prog->shown_count; i++)
        for (int slot = TF_SLOT_VARIANT;
             slot < TF_SLOT_COUNT && tf_cpu_kernel_at(prog, i, TF_SLOT_VARIANT); slot++)
            add_report(&report, prog, i, (enum tf_cpu_slot)slot);
    return report.bytes ? tf_str_take(&report) : NULL;
}
