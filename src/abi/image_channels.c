// SPDX-License-Identifier: MIT
#include "abi/image_channels.h"

#include <stddef.h>
#include <string.h>

#define BIT(type) (1u << ((type)-CL_SNORM_INT8))
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

// CL_DEPTH_STENCIL, of images that OpenGL shares, is left out.
#define ORDER(order, ...) [order - CL_R] = {#order, __VA_ARGS__}
static const struct tf_image_order orders[TF_IMAGE_ORDERS] = {
    ORDER(CL_R, "r", ANY, false),
    ORDER(CL_A, "a", ANY, false),
    ORDER(CL_RG, "rg", ANY, false),
    ORDER(CL_RA, "ra", ANY, false),
    ORDER(CL_RGB, "rgb", PACKED, false),
    ORDER(CL_RGBA, "rgba", ANY | BIT(CL_UNORM_INT_101010_2), false),
    ORDER(CL_BGRA, "bgra", NORMALIZED_8 | INTEGER_8, false),
    ORDER(CL_ARGB, "argb", NORMALIZED_8 | INTEGER_8, false),
    ORDER(CL_INTENSITY, "i", NORMALIZED | FLOATING, false),
    ORDER(CL_LUMINANCE, "l", NORMALIZED | FLOATING, false),
    ORDER(CL_Rx, "rx", ANY, false),
    ORDER(CL_RGx, "rgx", ANY, false),
    ORDER(CL_RGBx, "rgbx", PACKED, false),
    ORDER(CL_DEPTH, "r", BIT(CL_UNORM_INT16) | BIT(CL_FLOAT), false),
    ORDER(CL_sRGB, "rgb", BIT(CL_UNORM_INT8), true),
    ORDER(CL_sRGBx, "rgbx", BIT(CL_UNORM_INT8), true),
    ORDER(CL_sRGBA, "rgba", BIT(CL_UNORM_INT8), true),
    ORDER(CL_sBGRA, "bgra", BIT(CL_UNORM_INT8), true),
    ORDER(CL_ABGR, "abgr", NORMALIZED_8 | INTEGER_8, false),
};

#define TYPE(type, ...) [type - CL_SNORM_INT8] = {#type, __VA_ARGS__}
static const struct tf_image_type types[TF_IMAGE_TYPES] = {
    TYPE(CL_SNORM_INT8, 1, TF_NUMBER_SNORM, {0}),
    TYPE(CL_SNORM_INT16, 2, TF_NUMBER_SNORM, {0}),
    TYPE(CL_UNORM_INT8, 1, TF_NUMBER_UNORM, {0}),
    TYPE(CL_UNORM_INT16, 2, TF_NUMBER_UNORM, {0}),
    TYPE(CL_UNORM_SHORT_565, 2, TF_NUMBER_UNORM, {5, 6, 5, 0}),
    TYPE(CL_UNORM_SHORT_555, 2, TF_NUMBER_UNORM, {5, 5, 5, 0}),
    TYPE(CL_UNORM_INT_101010, 4, TF_NUMBER_UNORM, {10, 10, 10, 0}),
    TYPE(CL_SIGNED_INT8, 1, TF_NUMBER_SIGNED, {0}),
    TYPE(CL_SIGNED_INT16, 2, TF_NUMBER_SIGNED, {0}),
    TYPE(CL_SIGNED_INT32, 4, TF_NUMBER_SIGNED, {0}),
    TYPE(CL_UNSIGNED_INT8, 1, TF_NUMBER_UNSIGNED, {0}),
    TYPE(CL_UNSIGNED_INT16, 2, TF_NUMBER_UNSIGNED, {0}),
    TYPE(CL_UNSIGNED_INT32, 4, TF_NUMBER_UNSIGNED, {0}),
    TYPE(CL_HALF_FLOAT, 2, TF_NUMBER_HALF, {0}),
    TYPE(CL_FLOAT, 4, TF_NUMBER_FLOAT, {0}),
    TYPE(CL_UNORM_INT_101010_2, 4, TF_NUMBER_UNORM, {10, 10, 10, 2}),
};

const struct tf_image_order *tf_image_order_of(uint32_t order)
{
    const uint32_t at = order - CL_R;

    return at < TF_IMAGE_ORDERS && orders[at].channels ? &orders[at] : NULL;
}

const struct tf_image_type *tf_image_type_of(uint32_t type)
{
    const uint32_t at = type - CL_SNORM_INT8;

    return at < TF_IMAGE_TYPES && types[at].bytes ? &types[at] : NULL;
}

bool tf_image_order_has(uint32_t order, uint32_t type)
{
    const struct tf_image_order *const its = tf_image_order_of(order);

    return its && tf_image_type_of(type) && its->types & BIT(type);
}

int tf_image_channel_of(const struct tf_image_order *order, int c)
{
    const char *const channels = order->channels;
    const char *const at = strchr(channels, "rgba"[c]);

    if (*channels == 'i' || (*channels == 'l' && c < 3))
        return 0;
    return at ? (int)(at - channels) : -1;
}
