// SPDX-License-Identifier: MIT
#include "core/memory/image_format.h"

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

// By the distance from CL_R. CL_DEPTH_STENCIL is left out: only images that are shared
// with OpenGL have it. An x is a channel that is there and means nothing.
static const struct {
    unsigned char channels;
    unsigned types;
} orders[] = {
    [CL_R - FIRST_ORDER] = {1, ANY},
    [CL_A - FIRST_ORDER] = {1, ANY},
    [CL_RG - FIRST_ORDER] = {2, ANY},
    [CL_RA - FIRST_ORDER] = {2, ANY},
    [CL_RGB - FIRST_ORDER] = {3, PACKED},
    [CL_RGBA - FIRST_ORDER] = {4, ANY | BIT(CL_UNORM_INT_101010_2)},
    [CL_BGRA - FIRST_ORDER] = {4, NORMALIZED_8 | INTEGER_8},
    [CL_ARGB - FIRST_ORDER] = {4, NORMALIZED_8 | INTEGER_8},
    [CL_INTENSITY - FIRST_ORDER] = {1, NORMALIZED | FLOATING},
    [CL_LUMINANCE - FIRST_ORDER] = {1, NORMALIZED | FLOATING},
    [CL_Rx - FIRST_ORDER] = {2, ANY},
    [CL_RGx - FIRST_ORDER] = {3, ANY},
    [CL_RGBx - FIRST_ORDER] = {4, PACKED},
    [CL_DEPTH - FIRST_ORDER] = {1, BIT(CL_UNORM_INT16) | BIT(CL_FLOAT)},
    [CL_sRGB - FIRST_ORDER] = {3, BIT(CL_UNORM_INT8)},
    [CL_sRGBx - FIRST_ORDER] = {4, BIT(CL_UNORM_INT8)},
    [CL_sRGBA - FIRST_ORDER] = {4, BIT(CL_UNORM_INT8)},
    [CL_sBGRA - FIRST_ORDER] = {4, BIT(CL_UNORM_INT8)},
    [CL_ABGR - FIRST_ORDER] = {4, NORMALIZED_8 | INTEGER_8},
};

// Bytes of one channel, or of the whole pixel where channels share a word.
static const struct {
    unsigned char bytes;
    bool packed;
} types[] = {
    [CL_SNORM_INT8 - FIRST_TYPE] = {1, false},
    [CL_SNORM_INT16 - FIRST_TYPE] = {2, false},
    [CL_UNORM_INT8 - FIRST_TYPE] = {1, false},
    [CL_UNORM_INT16 - FIRST_TYPE] = {2, false},
    [CL_UNORM_SHORT_565 - FIRST_TYPE] = {2, true},
    [CL_UNORM_SHORT_555 - FIRST_TYPE] = {2, true},
    [CL_UNORM_INT_101010 - FIRST_TYPE] = {4, true},
    [CL_SIGNED_INT8 - FIRST_TYPE] = {1, false},
    [CL_SIGNED_INT16 - FIRST_TYPE] = {2, false},
    [CL_SIGNED_INT32 - FIRST_TYPE] = {4, false},
    [CL_UNSIGNED_INT8 - FIRST_TYPE] = {1, false},
    [CL_UNSIGNED_INT16 - FIRST_TYPE] = {2, false},
    [CL_UNSIGNED_INT32 - FIRST_TYPE] = {4, false},
    [CL_HALF_FLOAT - FIRST_TYPE] = {2, false},
    [CL_FLOAT - FIRST_TYPE] = {4, false},
    [CL_UNORM_INT_101010_2 - FIRST_TYPE] = {4, true},
};

size_t tf_image_format_bytes(const cl_image_format *format)
{
    const cl_channel_order order = format->image_channel_order - FIRST_ORDER;
    const cl_channel_type type = format->image_channel_data_type - FIRST_TYPE;

    if (order >= sizeof(orders) / sizeof(orders[0]) ||
        type >= sizeof(types) / sizeof(types[0]) || !(orders[order].types & 1u << type))
        return 0;
    return types[type].packed ? types[type].bytes
                              : (size_t)types[type].bytes * orders[order].channels;
}
