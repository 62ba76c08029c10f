// SPDX-License-Identifier: MIT
// From colors to texels: what the functions that write images share.
#ifndef TF_BUILTINS_LIB_IMAGE_WRITE_H
#define TF_BUILTINS_LIB_IMAGE_WRITE_H

#include "lib/image.h"

TF_HELPER void tfl_store(tfl_image i, tfl_bytes row, int x, uint r, uint g, uint b,
                         uint a)
{
    uint bytes = i->pixel_bytes;

    r = (r & i->write_mask[0]) << i->write_shift[0];
    g = (g & i->write_mask[1]) << i->write_shift[1];
    b = (b & i->write_mask[2]) << i->write_shift[2];
    a = (a & i->write_mask[3]) << i->write_shift[3];
    if (bytes == 4) {
        ((global tfl_u32 *)row)[x] = r | g | b | a;
    } else if (bytes == 8) {
        uint first = (i->word[0] ? 0 : r) | (i->word[1] ? 0 : g) | (i->word[2] ? 0 : b) |
                     (i->word[3] ? 0 : a);
        uint second = (i->word[0] ? r : 0) | (i->word[1] ? g : 0) | (i->word[2] ? b : 0) |
                      (i->word[3] ? a : 0);

        ((global tfl_u64 *)row)[x] = (uint2)(first, second);
    } else if (bytes == 1) {
        row[x] = (uchar)(r | g | b | a);
    } else {
        ((global tfl_u16 *)row)[x] = (ushort)(r | g | b | a);
    }
}

// Colors of 16 bytes are texels as they are.
TF_HELPER void tfl_store_wide(tfl_bytes row, int x, uint4 color)
{
    ((global tfl_u128 *)row)[x] = color;
}

// The nearest number, ties to even; NaN is 0. The sum leaves it in its low bits.
TF_HELPER uint tfl_from_norm(tfl_image i, int c, float x)
{
    float scaled = x * i->write_scale[c];
    float limited = tfl_between(scaled, i->write_low, i->write_scale[c]);

    limited = scaled == scaled ? limited : 0.0f;
    return TF_AS(uint, limited + 0x1.8p23f) - TF_AS(uint, 0x1.8p23f);
}
TF_HELPER uint tfl_from_srgb(tfl_image i, int c, float x)
{
    return c == 3 ? tfl_from_norm(i, c, x) : tf_srgb_from_linear(x);
}
TF_HELPER uint tfl_from_half(tfl_image i, int c, float x)
{
    return TF_AS(ushort, (half)x);
}
TF_HELPER uint tfl_from_float(tfl_image i, int c, float x)
{
    return TF_AS(uint, x);
}

TF_HELPER void tfl_put(tfl_image i, tfl_bytes row, int x, float4 color)
{
    uint r, g, b, a;

    if (i->pixel_bytes == 16) {
        tfl_store_wide(row, x, TF_AS(uint4, color));
        return;
    }
#define TFL_CONVERT(convert)    \
    r = convert(i, 0, color.x); \
    g = convert(i, 1, color.y); \
    b = convert(i, 2, color.z); \
    a = convert(i, 3, color.w)
    if (i->kind == TF_IMAGE_FLOAT) {
        TFL_CONVERT(tfl_from_float);
    } else if (i->kind == TF_IMAGE_HALF) {
        TFL_CONVERT(tfl_from_half);
    } else if (i->kind == TF_IMAGE_SRGB) {
        TFL_CONVERT(tfl_from_srgb);
    } else {
        TFL_CONVERT(tfl_from_norm);
    }
    tfl_store(i, row, x, r, g, b, a);
}
TF_HELPER void tfl_put(tfl_image i, tfl_bytes row, int x, half4 color)
{
    tfl_put(i, row, x,
            (float4)((float)color.x, (float)color.y, (float)color.z, (float)color.w));
}
TF_HELPER uint tfl_from_int(tfl_image i, int number)
{
    return (uint)tfl_between(number, i->int_low, i->int_high);
}
TF_HELPER void tfl_put(tfl_image i, tfl_bytes row, int x, int4 color)
{
    if (i->pixel_bytes == 16) {
        tfl_store_wide(row, x, TF_AS(uint4, color));
        return;
    }
    tfl_store(i, row, x, tfl_from_int(i, color.x), tfl_from_int(i, color.y),
              tfl_from_int(i, color.z), tfl_from_int(i, color.w));
}
TF_HELPER uint tfl_from_uint(tfl_image i, uint number)
{
    return number < i->uint_high ? number : i->uint_high;
}
TF_HELPER void tfl_put(tfl_image i, tfl_bytes row, int x, uint4 color)
{
    if (i->pixel_bytes == 16) {
        tfl_store_wide(row, x, color);
        return;
    }
    tfl_store(i, row, x, tfl_from_uint(i, color.x), tfl_from_uint(i, color.y),
              tfl_from_uint(i, color.z), tfl_from_uint(i, color.w));
}

// What lies outside is not written. Arrays: z is the layer and `depth` their number.
#define TFL_WRITE(i, level, x, y, z, depth_, color)                                     \
    do {                                                                                \
        const struct tfl_level l = (level);                                             \
                                                                                        \
        if ((uint)(x) < (uint)l.width && (uint)(y) < (uint)l.height &&                  \
            (uint)(z) < (uint)(depth_))                                                 \
            tfl_put(i, l.data + (long)(y) * (long)l.row + (long)(z) * (long)l.slice, x, \
                    color);                                                             \
    } while (0)

#endif // TF_BUILTINS_LIB_IMAGE_WRITE_H
