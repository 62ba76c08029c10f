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

// Blocks are not made to wait for, and where arithmetic is loose other code may give
// other bits.
static bool varies_by_size(const struct tf_kernel_info *info)
{
    const uint32_t never = TF_KERNEL_BLOCK | TF_KERNEL_DEBUG_FORM |
                           TF_KERNEL_LOOSE_VALUES | TF_KERNEL_CHECKED;

    return (info->flags & TF_KERNEL_HAS_BARRIER) && !(info->flags & never) &&
           info->reqd_local_size[0] == 0;
}

static enum tf_variant_kind find_kind(const struct tf_kernel_info *info)
{
    for (uint32_t i = 0; i < info->arg_count; i++)
        if (info->args[i].kind == TF_ARG_IMAGE)
            return TF_VARIANT_IMAGES;
    return varies_by_size(info) ? TF_VARIANT_SIZE : TF_VARIANT_NONE;
}

void tf_cpu_variant_settle(struct tf_devprog *prog)
{
    for (size_t i = 0; i < prog->kernel_count; i++)
        prog->kernels[i].variant_kind = (unsigned char)find_kind(&prog->infos[i]);
}

// Sizes of groups that have code; many more are looked for in the cache, and counted.
enum { MOST_SIZES = 4 };

static enum tf_variant_kind kind_of(const struct tf_devprog *prog, size_t index)
{
    return (enum tf_variant_kind)prog->kernels[index].variant_kind;
}

// ---- Keys ----

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

static bool has_formats(const struct tf_kernel_info *info, const char *known,
                        const void *args)
{
    for (uint32_t i = 0; i < info->arg_count; i++) {
        size_t at, bytes;

        if (known_part(&info->args[i], &at, &bytes) &&
            memcmp(known + at, (const char *)args + at, bytes) != 0)
            return false;
    }
    return true;
}

// Groups at the edge of the range may be smaller than the others: no variant is for them.
static bool has_size(const struct tf_launch *launch, const uint32_t local_size[3])
{
    for (int d = 0; d < 3; d++)
        if (launch->local_size[d] != local_size[d] ||
            launch->group_count[d] * launch->local_size[d] != launch->global_size[d])
            return false;
    return true;
}

static bool is_for(const struct tf_devprog *prog, size_t index,
                   const struct tf_variant_key *key, const struct tf_launch *launch)
{
    return key->local_size[0] ? has_size(launch, key->local_size)
                              : has_formats(&prog->infos[index], key->args, launch->args);
}

// NULL when memory ran out.
static struct tf_variant_key *new_key(const struct tf_devprog *prog, size_t index,
                                      const struct tf_launch *launch)
{
    const struct tf_kernel_info *const info = &prog->infos[index];
    const bool images = kind_of(prog, index) == TF_VARIANT_IMAGES;
    const uint32_t arg_bytes = images ? info->arg_block_bytes : 0;
    struct tf_variant_key *const key = tf_zalloc(sizeof(*key) + arg_bytes);

    if (!key)
        return NULL;
    key->arg_bytes = arg_bytes;
    for (int d = 0; d < 3 && !images; d++)
        key->local_size[d] = (uint32_t)launch->local_size[d];
    for (uint32_t i = 0; images && launch->args && i < info->arg_count; i++) {
        size_t at, bytes;

        if (known_part(&info->args[i], &at, &bytes))
            memcpy(key->args + at, (const char *)launch->args + at, bytes);
    }
    return key;
}

// Rows of so few work-items run one by one. Launches without arguments are made to be run
// with others: nobody knows their images.
static bool can_have_variant(const struct tf_devprog *prog, size_t index,
                             const struct tf_launch *launch)
{
    enum { LEAST_ROW = 4 };
    uint32_t own[3];

    if (kind_of(prog, index) != TF_VARIANT_SIZE)
        return kind_of(prog, index) == TF_VARIANT_IMAGES && launch->args;
    for (int d = 0; d < 3; d++)
        own[d] = (uint32_t)launch->local_size[d];
    return launch->local_size[0] >= LEAST_ROW && has_size(launch, own);
}

// ---- Slots ----

// The slot that is for the launch, else the first without a key (*is_free), else
// TF_SLOT_COUNT. Keys are set in order and stay. Acquire: what the key points to.
static enum tf_cpu_slot find(const struct tf_devprog *prog, size_t index,
                             const struct tf_launch *launch, bool *is_free)
{
    const struct tf_cpu_kernel *const variants =
        tf_cpu_kernel_at(prog, index, TF_SLOT_VARIANT);
    size_t i = 0;

    *is_free = true;
    for (; variants && i < TF_VARIANT_SLOTS; i++) {
        const struct tf_variant_key *const key =
            atomic_load_explicit(&variants[i].key, memory_order_acquire);

        *is_free = !key;
        if (!key || is_for(prog, index, key, launch))
            break;
    }
    return i < TF_VARIANT_SLOTS ? (enum tf_cpu_slot)(TF_SLOT_VARIANT + i) : TF_SLOT_COUNT;
}

// Room for the kernel's variants; false when memory ran out.
static bool make_room(struct tf_devprog *prog, size_t index) TF_REQUIRES(&prog->lock)
{
    struct tf_cpu_kernel *const full = tf_cpu_kernel_at(prog, index, TF_SLOT_FULL);

    if (!atomic_load(&full->variants))
        atomic_store_explicit(&full->variants,
                              tf_zalloc(TF_VARIANT_SLOTS * sizeof(*full)),
                              memory_order_release);
    return atomic_load(&full->variants) != NULL;
}

// *is_free: there was no memory for one.
static enum tf_cpu_slot find_or_give(struct tf_devprog *prog, size_t index,
                                     const struct tf_launch *launch, bool *is_free)
{
    enum tf_cpu_slot slot;

    *is_free = false;
    if (!can_have_variant(prog, index, launch))
        return TF_SLOT_COUNT;
    slot = find(prog, index, launch, is_free);
    if (!*is_free)
        return slot;
    tf_lock(&prog->lock);
    slot = find(prog, index, launch, is_free); // others may have been here
    if (*is_free && make_room(prog, index)) {
        struct tf_cpu_kernel *const kernel = tf_cpu_kernel_at(prog, index, slot);

        atomic_store_explicit(&kernel->key, new_key(prog, index, launch),
                              memory_order_release);
        *is_free = !atomic_load(&kernel->key);
    }
    tf_unlock(&prog->lock);
    return *is_free ? TF_SLOT_COUNT : slot;
}

enum tf_cpu_slot tf_cpu_variant_slot(struct tf_devprog *prog, size_t index,
                                     const struct tf_launch *launch)
{
    bool no_memory;

    return find_or_give(prog, index, launch, &no_memory);
}

enum tf_cpu_slot tf_cpu_variant_slot_of_size(struct tf_devprog *prog, size_t index,
                                             const uint32_t local_size[3],
                                             bool *no_memory)
{
    struct tf_launch launch = {0};

    *no_memory = false;
    if (kind_of(prog, index) != TF_VARIANT_SIZE)
        return TF_SLOT_COUNT;
    for (int d = 0; d < 3; d++) {
        launch.local_size[d] = launch.global_size[d] = local_size[d];
        launch.group_count[d] = 1;
    }
    return find_or_give(prog, index, &launch, no_memory);
}

// Another thread may give a free slot a key, and code, at any time.
const struct tf_cpu_kernel *tf_cpu_variant_peek(const struct tf_devprog *prog,
                                                size_t index,
                                                const struct tf_launch *launch)
{
    bool is_free;
    const enum tf_cpu_slot slot = can_have_variant(prog, index, launch)
                                      ? find(prog, index, launch, &is_free)
                                      : TF_SLOT_COUNT;

    return slot < TF_SLOT_COUNT && !is_free ? tf_cpu_kernel_peek(prog, index, slot)
                                            : NULL;
}

static bool is_made(const struct tf_devprog *prog, size_t index, enum tf_cpu_slot slot)
{
    return atomic_load_explicit(&tf_cpu_kernel_at(prog, index, slot)->state,
                                memory_order_relaxed) != TF_CODE_NONE;
}

// Whether code for one more may be made.
static bool has_room(const struct tf_devprog *prog, size_t index)
{
    const size_t sizes = tf_cpu_variant_sizes(prog, index);
    unsigned made = 0;

    for (size_t k = 0; k < sizes; k++)
        made += is_made(prog, index, (enum tf_cpu_slot)(TF_SLOT_VARIANT + k));
    return made < MOST_SIZES;
}

bool tf_cpu_variant_may_be_made(const struct tf_devprog *prog, size_t index,
                                enum tf_cpu_slot slot)
{
    return kind_of(prog, index) != TF_VARIANT_SIZE || is_made(prog, index, slot) ||
           has_room(prog, index);
}

bool tf_cpu_variant_is_there(const struct tf_devprog *prog, size_t index)
{
    const size_t sizes = tf_cpu_variant_sizes(prog, index);

    for (size_t k = 0; k < sizes; k++)
        if (tf_cpu_kernel_peek(prog, index, (enum tf_cpu_slot)(TF_SLOT_VARIANT + k)))
            return true;
    return false;
}

bool tf_cpu_variant_may_come(const struct tf_devprog *prog, size_t index,
                             const struct tf_launch *launch)
{
    bool is_free;
    const enum tf_cpu_slot slot = can_have_variant(prog, index, launch)
                                      ? find(prog, index, launch, &is_free)
                                      : TF_SLOT_COUNT;

    if (slot == TF_SLOT_COUNT)
        return false;
    if (is_free)
        return has_room(prog, index);
    return tf_cpu_variant_may_be_made(prog, index, slot) &&
           atomic_load_explicit(&tf_cpu_kernel_at(prog, index, slot)->state,
                                memory_order_relaxed) != TF_CODE_FAILED;
}

size_t tf_cpu_variant_sizes(const struct tf_devprog *prog, size_t index)
{
    const struct tf_cpu_kernel *const variants =
        tf_cpu_kernel_at(prog, index, TF_SLOT_VARIANT);
    size_t count = 0;

    if (!variants || kind_of(prog, index) != TF_VARIANT_SIZE)
        return 0;
    while (count < TF_VARIANT_SLOTS &&
           atomic_load_explicit(&variants[count].key, memory_order_acquire))
        count++;
    return count;
}

// ---- What is said of them ----

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

static void add_size(struct tf_str *text, const struct tf_variant_key *key)
{
    tf_str_printf(text, "work-groups of %u x %u x %u", key->local_size[0],
                  key->local_size[1], key->local_size[2]);
}

char *tf_cpu_variant_text(const struct tf_devprog *prog, size_t index,
                          enum tf_cpu_slot slot)
{
    const struct tf_kernel_info *const info = &prog->infos[index];
    const struct tf_variant_key *const key =
        atomic_load(&tf_cpu_kernel_at(prog, index, slot)->key);
    struct tf_str text = {0};
    const char *between = "";

    if (kind_of(prog, index) == TF_VARIANT_SIZE) {
        add_size(&text, key);
        return tf_str_take(&text);
    }
    for (uint32_t i = 0; i < info->arg_count; i++) {
        const struct tf_kernel_arg_info *const arg = &info->args[i];
        uint64_t bits;

        if (arg->kind != TF_ARG_IMAGE && arg->kind != TF_ARG_SAMPLER)
            continue;
        tf_str_printf(&text, "%s%s ", between, arg->name);
        between = ", ";
        memcpy(&bits, key->args + arg->block_offset_bytes, sizeof(bits));
        if (arg->kind == TF_ARG_IMAGE)
            add_image(&text, key->args + arg->block_offset_bytes);
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
        for (size_t k = 0;
             k < TF_VARIANT_SLOTS && tf_cpu_kernel_at(prog, i, TF_SLOT_VARIANT); k++)
            add_report(&report, prog, i, (enum tf_cpu_slot)(TF_SLOT_VARIANT + k));
    return report.bytes ? tf_str_take(&report) : NULL;
}
