// SPDX-License-Identifier: MIT
#include "core/memory/image_format.h"

#include <assert.h>
#include <math.h>
#include <string.h>

// Channel data types as bits, for the table of orders.
#define BIT(type) (1u << ((type)-FIRST_TYPE))
#define NORMALIZED_8 (BIT(CL_SNORM_INT8) | BIT(CL_UNORM_INT8))
#define NORMALIZED (NORMALIZED_8 | BIT(CL_SNORM_INT16) | BIT(CL_UNORM_INT16))
#define FLOATING (BIT(CL_HALF_FLOAT) | BIT(CL_FLOAT))
#define INTEGER_8 (BIT(CL_SIGNED_INT8) | BIT(CL_UNSIGNED_INT8))
#define INTEGER                                                                         \
    (INTEGER_8 | BIT(CL_SIGNED_INT16) | BIT(CL_SIGNED_INT32) | BIT(CL_UNSIGNED_INT16) | \
     BIT(CL_UNSIGNED_INT32))
#define ANY (NORMALIZED | FLOATING | INTEGER)
#define PACKED \
    (BIT(CL_UNORM_SHORT_565) | BIT(CL_UNORM_SHORT_555) | BIT(CL_UNORM_INT_101010))

enum { FIRST_ORDER = CL_R, FIRST_TYPE = CL_SNORM_INT8 };

// By the distance from CL_R; where the channels of a pixel lie, as components of a colour
// (r g b a; an x is a channel that is there and means nothing). The bits of a pixel are a
// power of two, so three channels are packed or none: CL_RGx and CL_sRGB, which no packed
// type has, are left out. So is CL_DEPTH_STENCIL, of images that OpenGL shares.
static const struct {
    char channels[5];
    unsigned types;
} orders[] = {
    [CL_R - FIRST_ORDER] = {"r", ANY},
    [CL_A - FIRST_ORDER] = {"a", ANY},
    [CL_RG - FIRST_ORDER] = {"rg", ANY},
    [CL_RA - FIRST_ORDER] = {"ra", ANY},
    [CL_RGB - FIRST_ORDER] = {"rgb", PACKED},
    [CL_RGBA - FIRST_ORDER] = {"rgba", ANY | BIT(CL_UNORM_INT_101010_2)},
    [CL_BGRA - FIRST_ORDER] = {"bgra", NORMALIZED_8 | INTEGER_8},
    [CL_ARGB - FIRST_ORDER] = {"argb", NORMALIZED_8 | INTEGER_8},
    [CL_INTENSITY - FIRST_ORDER] = {"r", NORMALIZED | FLOATING},
    [CL_LUMINANCE - FIRST_ORDER] = {"r", NORMALIZED | FLOATING},
    [CL_Rx - FIRST_ORDER] = {"rx", ANY},
    [CL_RGBx - FIRST_ORDER] = {"rgbx", PACKED},
    [CL_DEPTH - FIRST_ORDER] = {"r", BIT(CL_UNORM_INT16) | BIT(CL_FLOAT)},
    [CL_sRGBx - FIRST_ORDER] = {"rgbx", BIT(CL_UNORM_INT8)},
    [CL_sRGBA - FIRST_ORDER] = {"rgba", BIT(CL_UNORM_INT8)},
    [CL_sBGRA - FIRST_ORDER] = {"bgra", BIT(CL_UNORM_INT8)},
    [CL_ABGR - FIRST_ORDER] = {"abgr", NORMALIZED_8 | INTEGER_8},
};

enum number { SNORM, UNORM, SIGNED, UNSIGNED, HALF, FLOAT };

// Bytes of one channel, or of the whole pixel where channels share a word: then the bits
// of each, from the word's top.
static const struct {
    unsigned char bytes;
    unsigned char number;
    unsigned char packed_bits[4];
} types[] = {
    [CL_SNORM_INT8 - FIRST_TYPE] = {1, SNORM, {0}},
    [CL_SNORM_INT16 - FIRST_TYPE] = {2, SNORM, {0}},
    [CL_UNORM_INT8 - FIRST_TYPE] = {1, UNORM, {0}},
    [CL_UNORM_INT16 - FIRST_TYPE] = {2, UNORM, {0}},
    [CL_UNORM_SHORT_565 - FIRST_TYPE] = {2, UNORM, {5, 6, 5, 0}},
    [CL_UNORM_SHORT_555 - FIRST_TYPE] = {2, UNORM, {5, 5, 5, 0}},
    [CL_UNORM_INT_101010 - FIRST_TYPE] = {4, UNORM, {10, 10, 10, 0}},
    [CL_SIGNED_INT8 - FIRST_TYPE] = {1, SIGNED, {0}},
    [CL_SIGNED_INT16 - FIRST_TYPE] = {2, SIGNED, {0}},
    [CL_SIGNED_INT32 - FIRST_TYPE] = {4, SIGNED, {0}},
    [CL_UNSIGNED_INT8 - FIRST_TYPE] = {1, UNSIGNED, {0}},
    [CL_UNSIGNED_INT16 - FIRST_TYPE] = {2, UNSIGNED, {0}},
    [CL_UNSIGNED_INT32 - FIRST_TYPE] = {4, UNSIGNED, {0}},
    [CL_HALF_FLOAT - FIRST_TYPE] = {2, HALF, {0}},
    [CL_FLOAT - FIRST_TYPE] = {4, FLOAT, {0}},
    [CL_UNORM_INT_101010_2 - FIRST_TYPE] = {4, UNORM, {10, 10, 10, 2}},
};

enum {
    ORDERS = sizeof(orders) / sizeof(orders[0]),
    TYPES = sizeof(types) / sizeof(types[0]),
};

static cl_channel_order order_of(const cl_image_format *format)
{
    return format->image_channel_order - FIRST_ORDER;
}

static cl_channel_type type_of(const cl_image_format *format)
{
    return format->image_channel_data_type - FIRST_TYPE;
}

size_t tf_image_format_bytes(const cl_image_format *format)
{
    const cl_channel_order order = order_of(format);
    const cl_channel_type type = type_of(format);

    if (order >= ORDERS || type >= TYPES || !(orders[order].types & 1u << type))
        return 0;
    return types[type].packed_bits[0]
               ? types[type].bytes
               : types[type].bytes * strlen(orders[order].channels);
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
    for (unsigned i = 0; i < ORDERS * TYPES; i++) {
        *format = (cl_image_format){FIRST_ORDER + i / TYPES, FIRST_TYPE + i % TYPES};
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
    switch ((enum number)types[type_of(format)].number) {
    case SIGNED:
        return TF_IMAGE_COLOR_SIGNED;
    case UNSIGNED:
        return TF_IMAGE_COLOR_UNSIGNED;
    case SNORM:
    case UNORM:
    case HALF:
    case FLOAT:
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

// Linear to sRGB (OpenCL C 3.1 §8.3.1.5): the value, between 0 and 1.
static float srgb_of(float linear)
{
    if (!(linear > 0)) // NaN, too
        return 0;
    if (linear >= 1)
        return 1;
    if (linear < 0.0031308f)
        return (float)(12.92 * linear);
    return (float)(1.055 * pow(linear, 1.0 / 2.4) - 0.055);
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
static uint32_t channel_bits(unsigned type, union component value)
{
    const unsigned bytes = types[type].bytes;
    uint32_t bits;

    switch ((enum number)types[type].number) {
    case SNORM:
        return (uint32_t)(bytes == 1 ? normalized(value.f, 127.0f, -128)
                                     : normalized(value.f, 32767.0f, -32768));
    case UNORM:
        return (uint32_t)normalized(value.f, bytes == 1 ? 255.0f : 65535.0f, 0);
    case SIGNED:
        return (uint32_t)clamp_signed(value.i, bytes);
    case UNSIGNED:
        return clamp_unsigned(value.u, bytes);
    case HALF:
        return half_of(value.f);
    case FLOAT:
        break;
    }
    memcpy(&bits, &value.f, sizeof(bits));
    return bits;
}

static uint32_t packed_word(unsigned type, const union component rgba[4])
{
    uint32_t word = 0;

    for (unsigned c = 0; c < 4; c++) {
        const unsigned bits = types[type].packed_bits[c];

        word =
            word << bits | (uint32_t)normalized(rgba[c].f, (float)((1u << bits) - 1), 0);
    }
    return word;
}

static bool is_srgb(cl_channel_order order)
{
    return order == CL_sRGBA || order == CL_sBGRA || order == CL_sRGBx;
}

// Which component of a colour a channel is.
static unsigned component_of(char channel)
{
    return channel == 'r' ? 0 : channel == 'g' ? 1 : channel == 'b' ? 2 : 3;
}

void tf_image_format_pixel(const cl_image_format *format, const void *color,
                           uint8_t *pixel)
{
    const unsigned type = type_of(format);
    const char *channels = orders[order_of(format)].channels;
    const unsigned bytes = types[type].bytes;
    union component rgba[4] = {{0}};
    uint32_t bits;

    assert(tf_image_format_bytes(format));
    memcpy(rgba, color,
           format->image_channel_order == CL_DEPTH ? sizeof(rgba[0]) : sizeof(rgba));
    for (unsigned c = 0; c < 3 && is_srgb(format->image_channel_order); c++)
        rgba[c].f = srgb_of(rgba[c].f);
    if (types[type].packed_bits[0]) {
        bits = packed_word(type, rgba);
        memcpy(pixel, &bits, bytes); // little endian, as every machine we run on
        return;
    }
    for (; *channels; channels++, pixel += bytes) {
        bits = channel_bits(type, rgba[component_of(*channels)]);
        memcpy(pixel, &bits, bytes);
    }
}
