// SPDX-License-Identifier: MIT
#include "devices/cpu/check/check_image.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "abi/image_descriptor.h"
#include "base/str.h"

struct access {
    unsigned what; // TF_CHECK_IMAGE_*
    unsigned dims;
    const struct tf_image_desc *image;
    uint64_t sampler;
    uint32_t words[4];   // coordinates, and the level
    uint32_t extents[3]; // of the level
    int32_t level;
};

static bool has_level(const struct access *a)
{
    return !(a->what & TF_CHECK_IMAGE_LEVEL) || (uint32_t)a->level < a->image->mip_levels;
}

static void find_extents(struct access *a)
{
    const struct tf_image_desc *image = a->image;
    const char *levels = (const char *)(uintptr_t)image->data - TF_IMAGE_LEVELS_BYTES;
    struct tf_image_level level = {
        .width = image->width, .height = image->height, .depth = image->depth};

    if (image->mip_levels > 1 && a->what & TF_CHECK_IMAGE_LEVEL && has_level(a))
        memcpy(&level, levels + (size_t)a->level * sizeof(level), sizeof(level));
    a->extents[0] = level.width;
    a->extents[1] = level.height;
    a->extents[2] = level.depth;
}

static float real_of(uint32_t word)
{
    float x;

    memcpy(&x, &word, sizeof(x));
    return x;
}

// NaN is nowhere.
static bool is_inside(const struct access *a, unsigned d)
{
    const float size = a->sampler & TF_SAMPLER_NORMALIZED ? 1.0f : (float)a->extents[d];

    if (!(a->what & TF_CHECK_IMAGE_FLOAT))
        return a->words[d] < a->extents[d];
    return real_of(a->words[d]) >= 0.0f && real_of(a->words[d]) < size;
}

// Where there is a sampler the layer is the nearest there is.
static bool has_layer(const struct access *a)
{
    return !(a->what & TF_CHECK_IMAGE_ARRAY) || a->what & TF_CHECK_IMAGE_SAMPLER ||
           a->words[a->dims] < a->image->array_size;
}

static bool is_defined(const struct access *a)
{
    if (a->what & TF_CHECK_IMAGE_SAMPLER &&
        (a->sampler & TF_SAMPLER_ADDRESS) != TF_SAMPLER_ADDRESS_NONE)
        return true;
    for (unsigned d = 0; d < a->dims; d++) {
        if (!is_inside(a, d))
            return false;
    }
    return has_layer(a) && has_level(a);
}

// ---- Text ----

static void name_image(const struct tf_check_question *q, char *text, size_t bytes)
{
    const uint32_t arg = q->site->arg;

    if (q->site->base != TF_CHECK_ARG || !q->info || arg >= q->info->arg_count)
        snprintf(text, bytes, "an image");
    else if (q->info->args[arg].name && q->info->args[arg].name[0])
        snprintf(text, bytes, "the image of argument %u '%.80s'", arg,
                 q->info->args[arg].name);
    else
        snprintf(text, bytes, "the image of argument %u", arg);
}

static void add_place(const struct access *a, struct tf_str *text)
{
    const bool is_real = a->what & TF_CHECK_IMAGE_FLOAT;

    for (unsigned d = 0; d < a->dims; d++) {
        tf_str_add(text, d ? ", " : "at (");
        if (is_real)
            tf_str_printf(text, "%g", (double)real_of(a->words[d]));
        else
            tf_str_printf(text, "%" PRId32, (int32_t)a->words[d]);
    }
    tf_str_add(text, ")");
    if (a->sampler & TF_SAMPLER_NORMALIZED)
        tf_str_add(text, ", normalized,");
    if (a->what & TF_CHECK_IMAGE_ARRAY && is_real)
        tf_str_printf(text, ", layer %g,", (double)real_of(a->words[a->dims]));
    else if (a->what & TF_CHECK_IMAGE_ARRAY)
        tf_str_printf(text, ", layer %" PRId32 ",", (int32_t)a->words[a->dims]);
    if (a->what & TF_CHECK_IMAGE_LEVEL)
        tf_str_printf(text, ", level %" PRId32 ",", a->level);
}

static void add_extents(const struct access *a, struct tf_str *text)
{
    if (!has_level(a)) {
        tf_str_printf(text, ", which has %" PRIu32 " level%s", a->image->mip_levels,
                      a->image->mip_levels == 1 ? "" : "s");
        return;
    }
    for (unsigned d = 0; d < a->dims; d++)
        tf_str_printf(text, "%s%" PRIu32, d ? " x " : ", which has ", a->extents[d]);
    tf_str_add(text, " pixels");
    if (a->what & TF_CHECK_IMAGE_ARRAY)
        tf_str_printf(text, " and %" PRIu32 " layer%s", a->image->array_size,
                      a->image->array_size == 1 ? "" : "s");
}

static void tell(struct tf_check_question *q, const struct access *a)
{
    struct tf_str where = {0};
    char name[160];

    if (!tf_check_is_new(q, "memory", 0))
        return;
    name_image(q, name, sizeof(name));
    add_place(a, &where);
    tf_str_printf(&where, " of %s", name);
    add_extents(a, &where);
    tf_check_tell(q, "memory",
                  a->what & TF_CHECK_IMAGE_WRITE ? "invalid write to an image"
                                                 : "invalid read of an image",
                  where.text && !where.failed ? where.text : "");
    tf_str_finish(&where);
}

void tf_check_image(struct tf_check_question *q)
{
    struct access a = {
        .what = (unsigned)q->site->object_bytes,
        .dims = (unsigned)q->site->object_bytes & TF_CHECK_IMAGE_DIMS,
        .image = (const struct tf_image_desc *)(uintptr_t)q->address,
        .sampler = q->value,
        .words = {(uint32_t)q->bytes, (uint32_t)(q->bytes >> 32), (uint32_t)q->base,
                  (uint32_t)(q->base >> 32)},
    };

    a.level = (int32_t)a.words[3];
    if (!a.image)
        return;
    find_extents(&a);
    if (!is_defined(&a))
        tell(q, &a);
}
