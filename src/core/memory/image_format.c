// SPDX-License-Identifier: MIT
#include "core/memory/image_format.h"

#include <assert.h>
#include <math.h>
#include <string.h>

#include "abi/image_channels.h"

static const struct tf_image_order *order_of(const cl_image_format *format)
{
    return tf_image_order_of(format->image_channel_order);
}

static const struct tf_image_type *type_of(const cl_image_format *format)
{
    return tf_image_type_of(format->image_channel_data_type);
}

// Pixels of three channels would be no power of two, which kernels and fills count on:
// CL_RGx and CL_sRGB, which no packed type has, are left out.
size_t tf_image_format_bytes(const cl_image_format *format)
{
    size_t bytes;

    if (!tf_image_order_has(format->image_channel_order, format->image_channel_data_type))
        return 0;
    bytes = type_of(format)->bytes;
    if (!type_of(format)->packed_bits[0])
        bytes *= strlen(order_of(format)->channels);
    return (bytes & (bytes - 1)) == 0 ? bytes : 0;
}

unsigned tf_image_format_access(const cl_image_format *format, cl_mem_object_type type)
{
    // Two channels by the specification, one by the Khronos suite: who finds the order in
    // the list cannot know how large its pixels are.
    if (!tf_image_format_bytes(format) || format->image_channel_order == CL_Rx)
        return 0;
    if (format->image_channel_order == CL_DEPTH && type != CL_MEM_OBJECT_IMAGE2D &&
        type != CL_MEM_OBJECT_IMAGE2D_ARRAY)
        return 0;
    return TF_IMAGE_READ | TF_IMAGE_WRITE | TF_IMAGE_READ_WRITE;
}

bool tf_image_format_at(size_t index, cl_image_format *format)
{
    for (unsigned i = 0; i < TF_IMAGE_ORDERS * TF_IMAGE_TYPES; i++) {
        *format = (cl_image_format){CL_R + i / TF_IMAGE_TYPES,
                                    CL_SNORM_INT8 + i % TF_IMAGE_TYPES};
        if (tf_image_format_bytes(format) && index-- == 0)
            return true;
    }
    return false;
}

bool tf_image_format_views(const cl_image_format *as, const cl_image_format *of)
{
    static const cl_channel_order pairs[][2] = {
        {CL_sBGRA, CL_BGRA}, {CL_BGRA, CL_sBGRA}, {CL_sRGBA, CL_RGBA},
        {CL_RGBA, CL_sRGBA}, {CL_sRGBx, CL_RGBx}, {CL_RGBx, CL_sRGBx},
        {CL_DEPTH, CL_R},
    };

    if (as->image_channel_data_type != of->image_channel_data_type)
        return false;
    for (size_t i = 0; i < sizeof(pairs) / sizeof(pairs[0]); i++)
        if (as->image_channel_order == pairs[i][0] &&
            of->image_channel_order == pairs[i][1])
            return true;
    return false;
}

enum tf_image_color tf_image_format_color(const cl_image_format *format)
{
    switch ((enum tf_image_number)type_of(format)->number) {
    case TF_NUMBER_SIGNED:
        return TF_IMAGE_COLOR_SIGNED;
    case TF_NUMBER_UNSIGNED:
        return TF_IMAGE_COLOR_UNSIGNED;
    case TF_NUMBER_SNORM:
    case TF_NUMBER_UNORM:
    case TF_NUMBER_HALF:
    case TF_NUMBER_FLOAT:
        break;
    }
    return TF_IMAGE_COLOR_FLOAT;
}

// ---- Pixels ----

// `value` times `scale` in single precision, to the nearest integer, even if two are,
// between `least` and `scale`. NaN is 0. The rounding mode of the thread does not count.
static int32_t normalized(float value, float scale, int32_t least)
{
    const float x = value * scale;
    int32_t whole;
    float rest;

    if (isnan(x))
        return 0;
    if (x >= scale)
        return (int32_t)scale;
    if (x <= (float)least)
        return least;
    whole = (int32_t)floorf(x);
    rest = x - (float)whole;
    return whole + (rest > 0.5f || (rest == 0.5f && whole & 1));
}

// Linear to sRGB (OpenCL C 3.1 §8.3.1.5), as one of 256 numbers, rounded once: no float's
// value lies so near the middle of two that a double would not tell.
static uint32_t srgb_number(float linear)
{
    double value;

    if (!(linear > 0)) // NaN, too
        return 0;
    if (linear >= 1)
        return 255;
    value = linear < 0.0031308f ? 12.92 * (double)linear
                                : 1.055 * pow((double)linear, 1.0 / 2.4) - 0.055;
    return (uint32_t)(255 * value + 0.5);
}

// Rounds to nearest even.
static uint16_t half_of(float value)
{
    uint32_t bits, magnitude, sign, dropped, kept;
    int exponent, shift;

    memcpy(&bits, &value, sizeof(bits));
    sign = bits >> 16 & 0x8000;
    magnitude = bits & 0x7fffffff;
    if (magnitude > 0x7f800000) // NaN: quiet, with the top of what it carries
        return (uint16_t)(sign | 0x7e00 | (magnitude >> 13 & 0x3ff));
    if (magnitude >= 0x477ff000) // rounds to 65536 or more
        return (uint16_t)(sign | 0x7c00);
    exponent = (int)(magnitude >> 23) - 127;
    if (exponent < -25)
        return (uint16_t)sign;
    // Below 2^-14 the result is a multiple of 2^-24, without the implied bit.
    shift = exponent < -14 ? -1 - exponent : 13;
    kept = exponent < -14 ? (magnitude & 0x7fffff) | 0x800000 : magnitude - 0x38000000;
    dropped = kept & ((1u << shift) - 1);
    kept >>= shift;
    kept += dropped > 1u << (shift - 1) || (dropped == 1u << (shift - 1) && kept & 1);
    return (uint16_t)(sign | kept);
}

static int32_t clamp_signed(int32_t value, unsigned bytes)
{
    const int32_t most = INT32_MAX >> (32 - 8 * bytes);

    return value > most ? most : value < -most - 1 ? -most - 1 : value;
}

static uint32_t clamp_unsigned(uint32_t value, unsigned bytes)
{
    const uint32_t most = UINT32_MAX >> (32 - 8 * bytes);

    return value > most ? most : value;
}

union component {
    float f;
    int32_t i;
    uint32_t u;
};

// The bits of a channel, in the low bytes.
static uint32_t channel_bits(const struct tf_image_type *type, union component value)
{
    const unsigned bytes = type->bytes;
    uint32_t bits;

    switch ((enum tf_image_number)type->number) {
    case TF_NUMBER_SNORM:
        return (uint32_t)(bytes == 1 ? normalized(value.f, 127.0f, -128)
                                     : normalized(value.f, 32767.0f, -32768));
    case TF_NUMBER_UNORM:
        return (uint32_t)normalized(value.f, bytes == 1 ? 255.0f : 65535.0f, 0);
    case TF_NUMBER_SIGNED:
        return (uint32_t)clamp_signed(value.i, bytes);
    case TF_NUMBER_UNSIGNED:
        return clamp_unsigned(value.u, bytes);
    case TF_NUMBER_HALF:
        return half_of(value.f);
    case TF_NUMBER_FLOAT:
        break;
    }
    memcpy(&bits, &value.f, sizeof(bits));
    return bits;
}

static uint32_t packed_word(const struct tf_image_type *type,
                            const union component rgba[4])
{
    uint32_t word = 0;

    for (unsigned c = 0; c < 4; c++) {
        const unsigned bits = type->packed_bits[c];

        word =
            word << bits | (uint32_t)normalized(rgba[c].f, (float)((1u << bits) - 1), 0);
    }
    return word;
}

// Which component of a color a channel is; of intensity and luminance red is stored.
static unsigned component_of(char channel)
{
    return channel == 'g'                     ? 1
           : channel == 'b'                   ? 2
           : channel == 'a' || channel == 'x' ? 3
                                              : 0;
}

void tf_image_format_pixel(const cl_image_format *format, const void *color,
                           uint8_t *pixel)
{
    const struct tf_image_type *const type = type_of(format);
    const struct tf_image_order *const order = order_of(format);
    const char *channels = order->channels;
    union component rgba[4] = {{0}};
    uint32_t bits;

    assert(tf_image_format_bytes(format));
    memcpy(rgba, color,
           format->image_channel_order == CL_DEPTH ? sizeof(rgba[0]) : sizeof(rgba));
    if (type->packed_bits[0]) {
        bits = packed_word(type, rgba);
        memcpy(pixel, &bits, type->bytes); // little endian, as every machine we run on
        return;
    }
    for (; *channels; channels++, pixel += type->bytes) {
        const unsigned c = component_of(*channels);

        bits = order->is_srgb && c < 3 ? srgb_number(rgba[c].f)
                                       : channel_bits(type, rgba[c]);
        memcpy(pixel, &bits, type->bytes);
    }
}
