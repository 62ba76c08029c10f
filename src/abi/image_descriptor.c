// SPDX-License-Identifier: MIT
#include "abi/image_descriptor.h"

#include <stddef.h>

#include <CL/cl.h>

_Static_assert(sizeof(struct tf_image_desc) == 232, "OpenCL C sees the same");
_Static_assert(offsetof(struct tf_image_desc, data) == 0, "filled as a buffer's address");
_Static_assert(offsetof(struct tf_image_desc, pixel_bytes) == TF_IMAGE_FIXED_FROM,
               "what is known of a format");
_Static_assert(sizeof(struct tf_image_level) * TF_IMAGE_LEVELS == TF_IMAGE_LEVELS_BYTES,
               "OpenCL C sees the same");

// Where a component of the color comes from: a channel of the pixel by its number in
// memory, or a constant.
enum { ZERO = -1, ONE = -2 };

struct order {
    uint32_t number;
    signed char from[4];      // of r, g, b, a
    unsigned char only_reads; // components that a write leaves out, one bit each
    bool border_clear;        // alpha is 1, but 0 outside the image
};

static const struct order *find_order(uint32_t number)
{
    static const struct order orders[] = {
        {CL_R, {0, ZERO, ZERO, ONE}, 0, false},
        {CL_Rx, {0, ZERO, ZERO, ONE}, 0, true},
        {CL_A, {ZERO, ZERO, ZERO, 0}, 0, false},
        {CL_INTENSITY, {0, 0, 0, 0}, 0xe, false},
        {CL_LUMINANCE, {0, 0, 0, ONE}, 0xe, false},
        {CL_DEPTH, {0, ZERO, ZERO, ONE}, 0, false},
        {CL_RG, {0, 1, ZERO, ONE}, 0, false},
        {CL_RGx, {0, 1, ZERO, ONE}, 0, true},
        {CL_RA, {0, ZERO, ZERO, 1}, 0, false},
        {CL_RGB, {0, 1, 2, ONE}, 0, false},
        {CL_sRGB, {0, 1, 2, ONE}, 0, false},
        {CL_RGBx, {0, 1, 2, ONE}, 0, true},
        {CL_sRGBx, {0, 1, 2, ONE}, 0, true},
        {CL_RGBA, {0, 1, 2, 3}, 0, false},
        {CL_sRGBA, {0, 1, 2, 3}, 0, false},
        {CL_BGRA, {2, 1, 0, 3}, 0, false},
        {CL_sBGRA, {2, 1, 0, 3}, 0, false},
        {CL_ARGB, {1, 2, 3, 0}, 0, false},
        {CL_ABGR, {3, 2, 1, 0}, 0, false},
    };

    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++)
        if (orders[i].number == number)
            return &orders[i];
    return NULL;
}

struct type {
    unsigned char kind;
    bool is_signed;
    unsigned char bits[4], shift[4]; // of the channels of a pixel; packed types only
    unsigned char channel_bits;      // of all channels; 0: packed
};

static bool find_type(uint32_t type, struct type *found)
{
    static const struct {
        uint32_t number;
        struct type type;
    } types[] = {
        {CL_SNORM_INT8, {.kind = TF_IMAGE_NORM, .is_signed = true, .channel_bits = 8}},
        {CL_SNORM_INT16, {.kind = TF_IMAGE_NORM, .is_signed = true, .channel_bits = 16}},
        {CL_UNORM_INT8, {.kind = TF_IMAGE_NORM, .channel_bits = 8}},
        {CL_UNORM_INT16, {.kind = TF_IMAGE_NORM, .channel_bits = 16}},
        {CL_UNORM_SHORT_565,
         {.kind = TF_IMAGE_NORM, .bits = {5, 6, 5}, .shift = {11, 5, 0}}},
        {CL_UNORM_SHORT_555,
         {.kind = TF_IMAGE_NORM, .bits = {5, 5, 5}, .shift = {10, 5, 0}}},
        {CL_UNORM_INT_101010,
         {.kind = TF_IMAGE_NORM, .bits = {10, 10, 10}, .shift = {20, 10, 0}}},
        {CL_UNORM_INT_101010_2,
         {.kind = TF_IMAGE_NORM, .bits = {10, 10, 10, 2}, .shift = {22, 12, 2, 0}}},
        {CL_SIGNED_INT8, {.is_signed = true, .channel_bits = 8}},
        {CL_SIGNED_INT16, {.is_signed = true, .channel_bits = 16}},
        {CL_SIGNED_INT32, {.is_signed = true, .channel_bits = 32}},
        {CL_UNSIGNED_INT8, {.channel_bits = 8}},
        {CL_UNSIGNED_INT16, {.channel_bits = 16}},
        {CL_UNSIGNED_INT32, {.channel_bits = 32}},
        {CL_HALF_FLOAT, {.kind = TF_IMAGE_HALF, .channel_bits = 16}},
        {CL_FLOAT, {.kind = TF_IMAGE_FLOAT, .channel_bits = 32}},
    };

    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++)
        if (types[i].number == type) {
            *found = types[i].type;
            return true;
        }
    return false;
}

// 1 / most as the sum of two floats, the first so short that its product with any number
// up to `most` is exact.
static void split_reciprocal(uint32_t most, float *high, float *low)
{
    const double reciprocal = 1.0 / most;
    double unit = 0x1p-20; // of the last place of the short one

    while (reciprocal / unit < 128)
        unit /= 2;
    *high = (float)((double)(uint64_t)(reciprocal / unit) * unit);
    *low = (float)(reciprocal - (double)*high);
}

// The bits that stand for 1 where a format lacks a channel.
static tf_image_i32 one_of(uint32_t kind)
{
    return kind == TF_IMAGE_HALF ? 0x3c00 : kind == TF_IMAGE_FLOAT ? 0x3f800000 : 1;
}

static void set_constant(struct tf_image_desc *desc, int c, int from)
{
    desc->bias[c] = from == ONE ? one_of(desc->kind) : 0;
    desc->scale[c] = 1;
}

static void set_channel(struct tf_image_desc *desc, int c, int from,
                        const struct type *type)
{
    const uint32_t bits = type->channel_bits ? type->channel_bits : type->bits[from];
    const uint32_t first = type->channel_bits ? (uint32_t)from * bits : type->shift[from];
    const uint32_t mask = (uint32_t)(((uint64_t)1 << bits) - 1);
    const uint32_t sign = type->is_signed ? (uint32_t)1 << (bits - 1) : 0;

    desc->word[c] = first / 32;
    desc->shift[c] = first % 32;
    desc->mask[c] = mask;
    desc->sign[c] = sign;
    desc->bias[c] = (tf_image_i32)(0 - sign);
    desc->scale[c] = 1;
    if (desc->kind == TF_IMAGE_NORM || desc->kind == TF_IMAGE_SRGB) {
        split_reciprocal(mask >> type->is_signed, &desc->scale[c], &desc->scale_low[c]);
        desc->write_scale[c] = (float)(mask >> type->is_signed);
    }
}

// What pads a pixel is written as if it were alpha, though it is never read: nothing else
// would be less surprising to see in memory, and the Khronos suite looks.
static void let_alpha_pad(struct tf_image_desc *desc)
{
    desc->shift[3] = 24;
    desc->write_mask[3] = 0xff;
    desc->write_scale[3] = 0xff;
}

static void set_limits(struct tf_image_desc *desc, const struct type *type)
{
    const uint32_t bits = type->channel_bits ? type->channel_bits : type->bits[0];
    const int64_t half = (int64_t)1 << (bits - 1);

    desc->int_low = type->is_signed ? (tf_image_i32)-half : 0;
    desc->int_high =
        (tf_image_i32)(type->is_signed || bits == 32 ? half - 1 : 2 * half - 1);
    desc->uint_high = (tf_image_u32)(type->is_signed ? half - 1 : 2 * half - 1);
    if (desc->kind == TF_IMAGE_NORM && type->is_signed)
        desc->write_low = (float)-half;
}

bool tf_image_desc_set_format(struct tf_image_desc *desc, uint32_t order, uint32_t type,
                              uint32_t pixel_bytes)
{
    const bool is_srgb = order >= CL_sRGB && order <= CL_sBGRA;
    struct tf_image_desc made = {0};
    const struct order *const orders = find_order(order);
    struct type types;

    if (!orders || !find_type(type, &types))
        return false;
    made.data = desc->data;
    made.row_pitch_bytes = desc->row_pitch_bytes;
    made.slice_pitch_bytes = desc->slice_pitch_bytes;
    made.width = desc->width;
    made.height = desc->height;
    made.depth = desc->depth;
    made.array_size = desc->array_size;
    made.mip_levels = desc->mip_levels;
    made.samples = desc->samples;
    made.pixel_bytes = pixel_bytes;
    made.channel_order = order;
    made.channel_type = type;
    made.kind = is_srgb && types.kind == TF_IMAGE_NORM ? TF_IMAGE_SRGB : types.kind;
    for (int c = 0; c < 4; c++) {
        const int from = orders->from[c];

        if (from >= 0 && !types.channel_bits && !types.bits[from])
            return false; // a packed type with fewer channels
        if (from < 0)
            set_constant(&made, c, from);
        else
            set_channel(&made, c, from, &types);
        made.write_mask[c] = orders->only_reads & 1u << c ? 0 : made.mask[c];
    }
    if (order == CL_sRGBx)
        let_alpha_pad(&made);
    set_limits(&made, &types);
    made.border_alpha = orders->border_clear ? 0 : made.bias[3];
    *desc = made;
    return true;
}

// A level of detail in 1/TF_SAMPLER_LOD_UNIT. NaN is 0.
static uint32_t lod_units(float lod)
{
    const float units = lod * TF_SAMPLER_LOD_UNIT;

    return !(units > 0)                      ? 0
           : units >= TF_SAMPLER_LOD_HIGHEST ? TF_SAMPLER_LOD_HIGHEST
                                             : (uint32_t)(units + 0.5f);
}

uint32_t tf_sampler_lod_bits(float lod_min, float lod_max)
{
    return lod_units(lod_min) << TF_SAMPLER_LOD_MIN_SHIFT |
           (TF_SAMPLER_LOD_HIGHEST - lod_units(lod_max)) << TF_SAMPLER_LOD_MAX_SHIFT;
}
