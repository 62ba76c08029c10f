// SPDX-License-Identifier: MIT
#include "abi/image_descriptor.h"

#include <stddef.h>
#include <string.h>

#include <CL/cl.h>

#include "abi/image_channels.h"

_Static_assert(sizeof(struct tf_image_desc) == 224, "OpenCL C sees the same");
_Static_assert(offsetof(struct tf_image_desc, data) == 0, "filled as a buffer's address");
_Static_assert(offsetof(struct tf_image_desc, pixel_bytes) == TF_IMAGE_FIXED_FROM,
               "what is known of a format");
_Static_assert(sizeof(struct tf_image_level) * TF_IMAGE_LEVELS == TF_IMAGE_LEVELS_BYTES,
               "OpenCL C sees the same");

// The bits that stand for 1 where a format lacks a channel.
static tf_image_i32 one_of(uint32_t kind)
{
    return kind == TF_IMAGE_HALF ? 0x3c00 : kind == TF_IMAGE_FLOAT ? 0x3f800000 : 1;
}

static bool is_signed(const struct tf_image_type *type)
{
    return type->number == TF_NUMBER_SNORM || type->number == TF_NUMBER_SIGNED;
}

// A component that the format lacks.
static void set_constant(struct tf_image_desc *desc, int c)
{
    desc->bias[c] = c == 3 ? one_of(desc->kind) : 0;
    desc->scale[c] = 1;
}

// Spares the shift, where the number is positive as an int.
static void leave_in_place(struct tf_image_desc *desc, int c, uint32_t mask)
{
    const uint64_t in_place = (uint64_t)mask << desc->shift[c];

    if (in_place > INT32_MAX)
        return;
    desc->mask[c] = (uint32_t)in_place;
    desc->scale[c] /= (float)((uint32_t)1 << desc->shift[c]);
    desc->shift[c] = 0;
}

static uint32_t bits_of(const struct tf_image_type *type, int channel)
{
    return type->packed_bits[0] ? type->packed_bits[channel] : 8u * type->bytes;
}

// The lowest bit of a channel in the pixel.
static uint32_t first_bit(const struct tf_image_type *type, int channel)
{
    uint32_t first = 0;

    if (!type->packed_bits[0])
        return (uint32_t)channel * 8u * type->bytes;
    for (int below = channel + 1; below < 4; below++)
        first += type->packed_bits[below];
    return first;
}

static void set_channel(struct tf_image_desc *desc, int c, int channel,
                        const struct tf_image_type *type)
{
    const uint32_t bits = bits_of(type, channel), first = first_bit(type, channel);
    const uint32_t mask = (uint32_t)(((uint64_t)1 << bits) - 1);
    const uint32_t sign = is_signed(type) ? (uint32_t)1 << (bits - 1) : 0;

    desc->word[c] = first / 32;
    desc->shift[c] = desc->write_shift[c] = first % 32;
    desc->mask[c] = desc->write_mask[c] = mask;
    desc->sign[c] = sign;
    desc->bias[c] = (tf_image_i32)(0 - sign);
    desc->scale[c] = 1;
    if (desc->kind == TF_IMAGE_NORM || desc->kind == TF_IMAGE_SRGB) {
        desc->write_scale[c] = (float)(mask >> is_signed(type));
        desc->scale[c] = 1 / desc->write_scale[c];
    }
    if (desc->kind == TF_IMAGE_NORM && !sign)
        leave_in_place(desc, c, mask);
}

// What pads a pixel is written as if it were alpha, though it is never read: nothing else
// would be less surprising to see in memory, and the Khronos suite looks.
static void let_alpha_pad(struct tf_image_desc *desc)
{
    desc->write_shift[3] = 24;
    desc->write_mask[3] = 0xff;
    desc->write_scale[3] = 0xff;
}

static void set_limits(struct tf_image_desc *desc, const struct tf_image_type *type)
{
    const uint32_t bits = bits_of(type, 0);
    const int64_t half = (int64_t)1 << (bits - 1);

    desc->int_low = is_signed(type) ? (tf_image_i32)-half : 0;
    desc->int_high =
        (tf_image_i32)(is_signed(type) || bits == 32 ? half - 1 : 2 * half - 1);
    desc->uint_high = (tf_image_u32)(is_signed(type) ? half - 1 : 2 * half - 1);
    if (desc->kind == TF_IMAGE_NORM && is_signed(type))
        desc->write_low = (float)-half;
}

static uint32_t kind_of(const struct tf_image_order *order,
                        const struct tf_image_type *type)
{
    switch ((enum tf_image_number)type->number) {
    case TF_NUMBER_SIGNED:
    case TF_NUMBER_UNSIGNED:
        return TF_IMAGE_INTEGER;
    case TF_NUMBER_HALF:
        return TF_IMAGE_HALF;
    case TF_NUMBER_FLOAT:
        return TF_IMAGE_FLOAT;
    case TF_NUMBER_SNORM:
    case TF_NUMBER_UNORM:
        break;
    }
    return order->is_srgb ? TF_IMAGE_SRGB : TF_IMAGE_NORM;
}

// What does not follow from the format.
static struct tf_image_desc without_format(const struct tf_image_desc *desc)
{
    return (struct tf_image_desc){.data = desc->data,
                                  .row_pitch_bytes = desc->row_pitch_bytes,
                                  .slice_pitch_bytes = desc->slice_pitch_bytes,
                                  .width = desc->width,
                                  .height = desc->height,
                                  .depth = desc->depth,
                                  .array_size = desc->array_size,
                                  .mip_levels = desc->mip_levels,
                                  .samples = desc->samples};
}

bool tf_image_desc_set_format(struct tf_image_desc *desc, uint32_t order, uint32_t type,
                              uint32_t pixel_bytes)
{
    const struct tf_image_order *const channels = tf_image_order_of(order);
    const struct tf_image_type *const bits = tf_image_type_of(type);

    if (!tf_image_order_has(order, type))
        return false;
    *desc = without_format(desc);
    desc->pixel_bytes = pixel_bytes;
    desc->channel_order = order;
    desc->channel_type = type;
    desc->kind = kind_of(channels, bits);
    for (int c = 0; c < 4; c++) {
        const int channel = tf_image_channel_of(channels, c);

        if (channel < 0)
            set_constant(desc, c);
        else
            set_channel(desc, c, channel, bits);
        // Of components that share a channel the first is stored.
        if (c > 0 && channel == 0 && strchr("il", *channels->channels))
            desc->write_mask[c] = 0;
    }
    if (order == CL_sRGBx)
        let_alpha_pad(desc);
    set_limits(desc, bits);
    return true;
}

// A level of detail in 1/TF_SAMPLER_LOD_UNIT. NaN is 0.
static uint64_t lod_units(float lod)
{
    const double units = (double)lod * (double)TF_SAMPLER_LOD_UNIT;

    return !(units > 0)                      ? 0
           : units >= TF_SAMPLER_LOD_HIGHEST ? TF_SAMPLER_LOD_HIGHEST
                                             : (uint64_t)(units + 0.5);
}

uint64_t tf_sampler_lod_bits(float lod_min, float lod_max)
{
    return lod_units(lod_min) << TF_SAMPLER_LOD_MIN_SHIFT |
           (TF_SAMPLER_LOD_HIGHEST - lod_units(lod_max)) << TF_SAMPLER_LOD_MAX_SHIFT;
}
