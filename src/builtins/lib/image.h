// SPDX-License-Identifier: MIT
// What the functions of images share: from coordinates to texels, from texels to colors
// and back. Everything is told by the descriptor (abi/image_descriptor.h) in branches
// that all work-items take alike; where image or sampler are constants, nothing is left
// of them. No coordinate leads outside the image: indices are clamped before they become
// addresses.
#ifndef TF_BUILTINS_LIB_IMAGE_H
#define TF_BUILTINS_LIB_IMAGE_H

#include "abi/image_descriptor.h"

// Of the module image_srgb.
TF_CONST TF_BODY float tf_srgb_to_linear(uint) __asm__("__tf_b_srgb_to_linear_uint");
TF_CONST TF_BODY uint tf_srgb_from_linear(float) __asm__("__tf_b_srgb_from_linear_float");

typedef constant struct tf_image_desc *tfl_image;
typedef global uchar *tfl_bytes;
// Pixels lie as the host wants them: at any address.
typedef ushort tfl_u16 __attribute__((aligned(1)));
typedef uint tfl_u32 __attribute__((aligned(1)));
typedef uint2 tfl_u64 __attribute__((aligned(1)));
typedef uint4 tfl_u128 __attribute__((aligned(1)));

// What addressing needs of one level.
struct tfl_level {
    tfl_bytes data;
    ulong row, slice;
    int width, height, depth;
};

// The word that each channel lies in.
struct tfl_words {
    uint r, g, b, a;
};

// Up to two neighbours along one axis, and how far the point is beyond the first.
struct tfl_axis {
    int at[2];
    bool inside[2];
    float beyond;
};

TF_HELPER struct tfl_level tfl_level_0(tfl_image i)
{
    return (struct tfl_level){i->data,       i->row_pitch_bytes, i->slice_pitch_bytes,
                              (int)i->width, (int)i->height,     (int)i->depth};
}

TF_HELPER struct tfl_level tfl_level_of(tfl_image i, int number)
{
    global const struct tf_image_level *l =
        (global const struct tf_image_level *)(i->data - TF_IMAGE_LEVELS_BYTES) + number;

    if (i->mip_levels <= 1)
        return tfl_level_0(i);
    return (struct tfl_level){i->data + l->offset_bytes,
                              l->row_pitch_bytes,
                              l->slice_pitch_bytes,
                              (int)l->width,
                              (int)l->height,
                              (int)l->depth};
}

// ---- coordinates

// NaN becomes low.
TF_HELPER float tfl_between(float x, float low, float high)
{
    x = x > low ? x : low;
    return x < high ? x : high;
}
TF_HELPER int tfl_between(int x, int low, int high)
{
    x = x > low ? x : low;
    return x < high ? x : high;
}

// Whether texels outside the image have the border's color.
TF_HELPER bool tfl_has_border(ulong sampler)
{
    ulong mode = sampler & TF_SAMPLER_ADDRESS;

    return mode == TF_SAMPLER_ADDRESS_CLAMP || mode == TF_SAMPLER_ADDRESS_NONE;
}

TF_HELPER void tfl_clamp_texel(struct tfl_axis *axis, int k, int size, bool border)
{
    axis->inside[k] = !border || (uint)axis->at[k] < (uint)size;
    axis->at[k] = tfl_between(axis->at[k], 0, size - 1);
}

// Where s lies in 0 .. size, for the two modes that repeat the image.
TF_HELPER float tfl_repeated(ulong mode, float s, float size)
{
    float part =
        mode == TF_SAMPLER_ADDRESS_REPEAT
            ? s - __builtin_elementwise_floor(s)
            : __builtin_elementwise_abs(s - 2.0f * __builtin_elementwise_rint(0.5f * s));

    return tfl_between(part * size, 0.0f, size);
}

// Farther outside than this all texels are alike.
TF_HELPER float tfl_near(ulong sampler, float s, float size)
{
    return tfl_between(sampler & TF_SAMPLER_NORMALIZED ? s * size : s, -2.0f,
                       size + 1.0f);
}

TF_HELPER struct tfl_axis tfl_nearest(ulong sampler, float s, int size)
{
    ulong mode = sampler & TF_SAMPLER_ADDRESS;
    struct tfl_axis axis = {{0, 0}, {true, true}, 0.0f};

    if (mode >= TF_SAMPLER_ADDRESS_REPEAT) {
        // Rounding may lead to the end itself: the first texel again, or the last one.
        int at = (int)tfl_repeated(mode, s, (float)size);

        axis.at[0] = at < size ? at : mode == TF_SAMPLER_ADDRESS_REPEAT ? 0 : size - 1;
    } else {
        axis.at[0] = (int)__builtin_elementwise_floor(tfl_near(sampler, s, (float)size));
        tfl_clamp_texel(&axis, 0, size, tfl_has_border(sampler));
    }
    return axis;
}

TF_HELPER struct tfl_axis tfl_nearest(ulong sampler, int s, int size)
{
    struct tfl_axis axis = {{s, 0}, {true, true}, 0.0f};

    tfl_clamp_texel(&axis, 0, size, tfl_has_border(sampler));
    return axis;
}

TF_HELPER struct tfl_axis tfl_linear(ulong sampler, float s, int size)
{
    ulong mode = sampler & TF_SAMPLER_ADDRESS;
    float u = (mode >= TF_SAMPLER_ADDRESS_REPEAT ? tfl_repeated(mode, s, (float)size)
                                                 : tfl_near(sampler, s, (float)size)) -
              0.5f;
    float whole = __builtin_elementwise_floor(u);
    int at = (int)whole;
    struct tfl_axis axis = {{at, at + 1}, {true, true}, u - whole};

    if (mode == TF_SAMPLER_ADDRESS_REPEAT) {
        axis.at[0] = at < 0 ? size - 1 : at;
        axis.at[1] = at + 1 < size ? at + 1 : 0;
    } else {
        tfl_clamp_texel(&axis, 0, size, tfl_has_border(sampler));
        tfl_clamp_texel(&axis, 1, size, tfl_has_border(sampler));
    }
    return axis;
}

// Layers of arrays: always the nearest one there is.
TF_HELPER int tfl_layer(tfl_image i, float layer)
{
    return (int)__builtin_elementwise_rint(
        tfl_between(layer, 0.0f, (float)((int)i->array_size - 1)));
}
TF_HELPER int tfl_layer(tfl_image i, int layer)
{
    return tfl_between(layer, 0, (int)i->array_size - 1);
}

// ---- texels

struct tfl_texels {
    tfl_bytes row[8];
    int x[8];
    bool inside[8];
    float weight[8];
};

// The texels round a point of 1, 2 or 3 dimensions, 1 << (linear ? dims : 0) of them.
#define TFL_TEXELS(t, level, layer, dims, count, ax, ay, az)             \
    _Pragma("unroll") for (int k = 0; k < (count); k++)                  \
    {                                                                    \
        const int bx = k & 1, by = k >> 1 & 1, bz = k >> 2;              \
        float weight = bx ? (ax).beyond : 1.0f - (ax).beyond;            \
        (t).x[k] = (ax).at[bx];                                          \
        (t).inside[k] = (ax).inside[bx];                                 \
        (t).row[k] = (level).data + (long)(layer) * (long)(level).slice; \
        if ((dims) > 1) {                                                \
            (t).row[k] += (long)(ay).at[by] * (long)(level).row;         \
            (t).inside[k] &= (ay).inside[by];                            \
            weight *= by ? (ay).beyond : 1.0f - (ay).beyond;             \
        }                                                                \
        if ((dims) > 2) {                                                \
            (t).row[k] += (long)(az).at[bz] * (long)(level).slice;       \
            (t).inside[k] &= (az).inside[bz];                            \
            weight *= bz ? (az).beyond : 1.0f - (az).beyond;             \
        }                                                                \
        (t).weight[k] = weight;                                          \
    }

TF_HELPER struct tfl_words tfl_one_word(uint word)
{
    return (struct tfl_words){word, word, word, word};
}
TF_HELPER struct tfl_words tfl_two_words(tfl_image i, uint first, uint second)
{
    return (struct tfl_words){i->word[0] ? second : first, i->word[1] ? second : first,
                              i->word[2] ? second : first, i->word[3] ? second : first};
}

// One branch for all texels of a read. Those of 16 bytes are colors as they are.
#define TFL_LOAD_EACH(expression)                     \
    _Pragma("unroll") for (int k = 0; k < count; k++) \
    {                                                 \
        tfl_bytes row = t->row[k];                    \
        int x = t->x[k];                              \
        w[k] = expression;                            \
    }
TF_HELPER void tfl_load(tfl_image i, const struct tfl_texels *t, int count,
                        struct tfl_words *w)
{
    uint bytes = i->pixel_bytes;

    if (bytes == 4) {
        TFL_LOAD_EACH(tfl_one_word(((global tfl_u32 *)row)[x]));
    } else if (bytes == 8) {
#pragma unroll
        for (int k = 0; k < count; k++) {
            uint2 v = ((global tfl_u64 *)t->row[k])[t->x[k]];

            w[k] = tfl_two_words(i, v.x, v.y);
        }
    } else if (bytes == 1) {
        TFL_LOAD_EACH(tfl_one_word(row[x]));
    } else {
        TFL_LOAD_EACH(tfl_one_word(((global tfl_u16 *)row)[x]));
    }
}

// The color of the border: nothing stored, 1 for an alpha that the format lacks.
TF_HELPER void tfl_clear_outside(const struct tfl_texels *t, int count,
                                 struct tfl_words *w)
{
#pragma unroll
    for (int k = 0; k < count; k++) {
        uint mask = -(uint)t->inside[k]; // no branch

        w[k].r &= mask;
        w[k].g &= mask;
        w[k].b &= mask;
        w[k].a &= mask;
    }
}

// ---- colors

TF_HELPER int tfl_number(tfl_image i, int c, uint word)
{
    return (int)((word >> i->shift[c] & i->mask[c]) ^ i->sign[c]) + i->bias[c];
}
TF_HELPER float tfl_norm(tfl_image i, int c, uint word)
{
    float quotient = (float)tfl_number(i, c, word) * i->scale[c];
    float least = i->sign[c] ? -1.0f : -TF_INF;

    return quotient < least ? least : quotient;
}
TF_HELPER float tfl_srgb(tfl_image i, int c, uint word)
{
    return c == 3 ? tfl_norm(i, c, word)
                  : tf_srgb_to_linear((uint)tfl_number(i, c, word));
}
TF_HELPER float tfl_half_bits(tfl_image i, int c, uint word)
{
    return (float)TF_AS(half, (ushort)((word >> i->shift[c] & i->mask[c]) | i->bias[c]));
}
TF_HELPER float tfl_float_bits(tfl_image i, int c, uint word)
{
    return TF_AS(float, (word & i->mask[c]) | i->bias[c]);
}

TF_HELPER float tfl_weighed(float sum, const float *weight, int k, int count, float value)
{
#pragma OPENCL FP_CONTRACT ON
    return count == 1 ? value : k == 0 ? weight[k] * value : sum + weight[k] * value;
}

TF_HELPER uint4 tfl_wide_texel(const struct tfl_texels *t, int k)
{
    return ((global tfl_u128 *)t->row[k])[t->x[k]] & -(uint)t->inside[k];
}
// Whole vectors, which are taken apart where the kernel does that: in lanes a texel is
// one address instead of four.
TF_HELPER float4 tfl_read_wide(const struct tfl_texels *t, int count)
{
#pragma OPENCL FP_CONTRACT ON
    float4 sum = (float4)(0.0f);

#pragma unroll
    for (int k = 0; k < count; k++) {
        float4 value = TF_AS(float4, tfl_wide_texel(t, k));

        sum = count == 1 ? value
              : k == 0   ? t->weight[k] * value
                         : sum + t->weight[k] * value;
    }
    return sum;
}

#define TFL_SUM(convert)                                                \
    _Pragma("unroll") for (int k = 0; k < count; k++)                   \
    {                                                                   \
        r = tfl_weighed(r, t->weight, k, count, convert(i, 0, w[k].r)); \
        g = tfl_weighed(g, t->weight, k, count, convert(i, 1, w[k].g)); \
        b = tfl_weighed(b, t->weight, k, count, convert(i, 2, w[k].b)); \
        a = tfl_weighed(a, t->weight, k, count, convert(i, 3, w[k].a)); \
    }
TF_HELPER float4 tfl_read_f(tfl_image i, const struct tfl_texels *t, int count)
{
    struct tfl_words w[8];
    float r = 0.0f, g = 0.0f, b = 0.0f, a = 0.0f;

    if (i->pixel_bytes == 16)
        return tfl_read_wide(t, count);
    tfl_load(i, t, count, w);
    tfl_clear_outside(t, count, w);
    if (i->kind == TF_IMAGE_FLOAT) {
        TFL_SUM(tfl_float_bits);
    } else if (i->kind == TF_IMAGE_HALF) {
        TFL_SUM(tfl_half_bits);
    } else if (i->kind == TF_IMAGE_SRGB) {
        TFL_SUM(tfl_srgb);
    } else {
        TFL_SUM(tfl_norm);
    }
    return (float4)(r, g, b, a);
}
TF_HELPER int4 tfl_read_i(tfl_image i, const struct tfl_texels *t)
{
    struct tfl_words w[1];

    if (i->pixel_bytes == 16)
        return TF_AS(int4, tfl_wide_texel(t, 0));
    tfl_load(i, t, 1, w);
    tfl_clear_outside(t, 1, w);
    return (int4)(tfl_number(i, 0, w[0].r), tfl_number(i, 1, w[0].g),
                  tfl_number(i, 2, w[0].b), tfl_number(i, 3, w[0].a));
}
TF_HELPER uint4 tfl_read_ui(tfl_image i, const struct tfl_texels *t)
{
    return TF_AS(uint4, tfl_read_i(i, t));
}
TF_HELPER half4 tfl_to_half(float4 color)
{
    return (half4)((half)color.x, (half)color.y, (half)color.z, (half)color.w);
}

typedef float4 tfl_color_f;
typedef int4 tfl_color_i;
typedef uint4 tfl_color_ui;
typedef half4 tfl_color_h;

// ---- reads: f(image, level, sampler, dimensions, x, y, z, layer)

#define TFL_SAMPLERS(coordinate)                                                        \
    TF_HELPER void tfl_nearest_texel(struct tfl_texels *t, struct tfl_level l,          \
                                     ulong sampler, int dims, coordinate x,             \
                                     coordinate y, coordinate z, int layer)             \
    {                                                                                   \
        struct tfl_axis ax = tfl_nearest(sampler, x, l.width);                          \
        struct tfl_axis ay = tfl_nearest(sampler, y, l.height);                         \
        struct tfl_axis az = tfl_nearest(sampler, z, l.depth);                          \
                                                                                        \
        TFL_TEXELS(*t, l, layer, dims, 1, ax, ay, az);                                  \
    }                                                                                   \
    TF_HELPER int4 tfl_sample_i(tfl_image i, struct tfl_level l, ulong sampler,         \
                                int dims, coordinate x, coordinate y, coordinate z,     \
                                int layer)                                              \
    {                                                                                   \
        struct tfl_texels t;                                                            \
                                                                                        \
        tfl_nearest_texel(&t, l, sampler, dims, x, y, z, layer);                        \
        return tfl_read_i(i, &t);                                                       \
    }                                                                                   \
    TF_HELPER uint4 tfl_sample_ui(tfl_image i, struct tfl_level l, ulong sampler,       \
                                  int dims, coordinate x, coordinate y, coordinate z,   \
                                  int layer)                                            \
    {                                                                                   \
        return TF_AS(uint4, tfl_sample_i(i, l, sampler, dims, x, y, z, layer));         \
    }                                                                                   \
    TF_HELPER float4 tfl_sample_nearest(tfl_image i, struct tfl_level l, ulong sampler, \
                                        int dims, coordinate x, coordinate y,           \
                                        coordinate z, int layer)                        \
    {                                                                                   \
        struct tfl_texels t;                                                            \
                                                                                        \
        tfl_nearest_texel(&t, l, sampler, dims, x, y, z, layer);                        \
        return tfl_read_f(i, &t, 1);                                                    \
    }                                                                                   \
    TF_HELPER half4 tfl_sample_h(tfl_image i, struct tfl_level l, ulong sampler,        \
                                 int dims, coordinate x, coordinate y, coordinate z,    \
                                 int layer)                                             \
    {                                                                                   \
        return tfl_to_half(tfl_sample_f(i, l, sampler, dims, x, y, z, layer));          \
    }

TF_HELPER float4 tfl_sample_f(tfl_image i, struct tfl_level l, ulong sampler, int dims,
                              float x, float y, float z, int layer);
TF_HELPER float4 tfl_sample_f(tfl_image i, struct tfl_level l, ulong sampler, int dims,
                              int x, int y, int z, int layer);
TFL_SAMPLERS(float)
TFL_SAMPLERS(int)

// A point between texels is for the nearest ones of them by their share. Nobody filters
// at whole coordinates.
TF_HELPER float4 tfl_sample_f(tfl_image i, struct tfl_level l, ulong sampler, int dims,
                              int x, int y, int z, int layer)
{
    return tfl_sample_nearest(i, l, sampler, dims, x, y, z, layer);
}
TF_HELPER float4 tfl_sample_f(tfl_image i, struct tfl_level l, ulong sampler, int dims,
                              float x, float y, float z, int layer)
{
    if ((sampler & TF_SAMPLER_FILTER) == TF_SAMPLER_FILTER_LINEAR) {
        struct tfl_axis ax = tfl_linear(sampler, x, l.width);
        struct tfl_axis ay = tfl_linear(sampler, y, l.height);
        struct tfl_axis az = tfl_linear(sampler, z, l.depth);
        struct tfl_texels t;

        TFL_TEXELS(t, l, layer, dims, 1 << dims, ax, ay, az);
        return tfl_read_f(i, &t, 1 << dims);
    }
    return tfl_sample_nearest(i, l, sampler, dims, x, y, z, layer);
}

// ---- levels of detail

// A limit of the sampler: exact, for it was a float.
TF_HELPER float tfl_lod_limit(ulong units)
{
    return (float)(int)(units & TF_SAMPLER_LOD_HIGHEST) * (1.0f / TF_SAMPLER_LOD_UNIT);
}
TF_HELPER float tfl_lod(tfl_image i, ulong sampler, float lod)
{
    lod = tfl_between(lod, tfl_lod_limit(sampler >> TF_SAMPLER_LOD_MIN_SHIFT),
                      tfl_lod_limit(~sampler >> TF_SAMPLER_LOD_MAX_SHIFT));
    return tfl_between(lod, 0.0f, (float)((int)i->mip_levels - 1));
}

TF_HELPER int tfl_lod_nearest(tfl_image i, float lod)
{
    int level = (int)__builtin_elementwise_ceil(lod + 0.5f) - 1;

    return tfl_between(level, 0, (int)i->mip_levels - 1);
}

#define TFL_SAMPLE_LOD(color, name)                                                      \
    TF_HELPER color tfl_sample_lod_##name(tfl_image i, ulong sampler, int dims, float x, \
                                          float y, float z, int layer, float lod)        \
    {                                                                                    \
        int level = tfl_lod_nearest(i, tfl_lod(i, sampler, lod));                        \
                                                                                         \
        return tfl_sample_##name(i, tfl_level_of(i, level), sampler, dims, x, y, z,      \
                                 layer);                                                 \
    }
TFL_SAMPLE_LOD(int4, i)
TFL_SAMPLE_LOD(uint4, ui)

// One level's color is what it is; of two, each has its share, unless that is nothing.
TF_HELPER float4 tfl_sample_lod_f(tfl_image i, ulong sampler, int dims, float x, float y,
                                  float z, int layer, float lod)
{
    const bool blend = sampler & TF_SAMPLER_MIP_LINEAR;
    float part, limited = tfl_lod(i, sampler, lod);
    int level = blend ? (int)limited : tfl_lod_nearest(i, limited);
    float4 color = (float4)(0.0f);

    part = limited - (float)level;
#pragma clang loop unroll(disable)
    for (int k = 0; k < (blend ? 2 : 1); k++) {
        int at = tfl_between(level + k, 0, (int)i->mip_levels - 1);
        float4 its = tfl_sample_f(i, tfl_level_of(i, at), sampler, dims, x, y, z, layer);

        color = k == 0 ? its : part > 0.0f ? (1.0f - part) * color + part * its : color;
    }
    return color;
}
TF_HELPER half4 tfl_sample_lod_h(tfl_image i, ulong sampler, int dims, float x, float y,
                                 float z, int layer, float lod)
{
    return tfl_to_half(tfl_sample_lod_f(i, sampler, dims, x, y, z, layer, lod));
}

// log2 of a positive number: the exponent, and of the fraction, brought near to 1, the
// logarithm by its odd series in (m - 1) / (m + 1). Error below 2^-23 and the rounding of
// the sum.
TF_HELPER float tfl_log2(float x)
{
    int bits = TF_AS(int, x);
    int exponent = (bits - 0x3f3504f3) >> 23; // m from sqrt(1/2) to sqrt(2)
    float m = TF_AS(float, bits - (exponent << 23));
    float s = (m - 1.0f) / (m + 1.0f), square = s * s;
    float p =
        s * (2.88539008f +
             square * (0.961796694f + square * (0.577078016f + square * 0.41219858f)));

    return x > 0.0f ? (float)exponent + p : -127.0f;
}
// From the squares of how far a texel reaches in both directions of the screen.
TF_HELPER float tfl_lod_of(float square_x, float square_y)
{
    return 0.5f * tfl_log2(square_x > square_y ? square_x : square_y);
}
TF_HELPER float tfl_square(float gradient, uint size)
{
    return gradient * (float)size * (gradient * (float)size);
}
TF_HELPER float tfl_gradient_lod(tfl_image i, float x, float y)
{
    return tfl_lod_of(tfl_square(x, i->width), tfl_square(y, i->width));
}
TF_HELPER float tfl_gradient_lod(tfl_image i, float2 x, float2 y)
{
    return tfl_lod_of(tfl_square(x.x, i->width) + tfl_square(x.y, i->height),
                      tfl_square(y.x, i->width) + tfl_square(y.y, i->height));
}
TF_HELPER float tfl_gradient_lod(tfl_image i, float4 x, float4 y)
{
    return tfl_lod_of(tfl_square(x.x, i->width) + tfl_square(x.y, i->height) +
                          tfl_square(x.z, i->depth),
                      tfl_square(y.x, i->width) + tfl_square(y.y, i->height) +
                          tfl_square(y.z, i->depth));
}

// ---- reads without a sampler: outside there is the border

#define TFL_PLAIN TF_SAMPLER_ADDRESS_NONE

#endif // TF_BUILTINS_LIB_IMAGE_H
