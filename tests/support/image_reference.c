// SPDX-License-Identifier: MIT
#include "support/image_reference.h"

#include <math.h>
#include <string.h>

#include "core/memory/image_format.h"

bool reference_is_signed(const cl_image_format *format)
{
    const cl_channel_type type = format->image_channel_data_type;

    return type == CL_SIGNED_INT8 || type == CL_SIGNED_INT16 || type == CL_SIGNED_INT32;
}

bool reference_is_integer(const cl_image_format *format)
{
    const cl_channel_type type = format->image_channel_data_type;

    return reference_is_signed(format) || type == CL_UNSIGNED_INT8 ||
           type == CL_UNSIGNED_INT16 || type == CL_UNSIGNED_INT32;
}

bool reference_is_normalized(const cl_image_format *format)
{
    const cl_channel_type type = format->image_channel_data_type;

    return !reference_is_integer(format) && type != CL_HALF_FLOAT && type != CL_FLOAT;
}

static double half_value(uint16_t bits)
{
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const double sign = bits & 0x8000 ? -1 : 1;

    if (exponent == 31)
        return fraction ? (double)NAN : sign * (double)INFINITY;
    return sign *
           (exponent ? ldexp(1024 + fraction, exponent - 25) : ldexp(fraction, -24));
}

static int64_t number_at(const unsigned char *p, size_t bytes, bool is_signed)
{
    uint64_t bits = 0;

    for (size_t i = 0; i < bytes; i++)
        bits |= (uint64_t)p[i] << 8 * i;
    if (is_signed && bits >> (8 * bytes - 1))
        return (int64_t)bits - ((int64_t)1 << 8 * bytes);
    return (int64_t)bits;
}

static double quotient(double number, double most)
{
    return fmax((double)(float)(number / most), -1);
}

// Channel `c` of a pixel in memory.
static double channel_value(cl_channel_type type, const unsigned char *pixel, int c)
{
    uint32_t word, wide;
    float single;

    switch (type) {
    case CL_SNORM_INT8:
        return quotient((double)number_at(pixel + c, 1, true), 127);
    case CL_SNORM_INT16:
        return quotient((double)number_at(pixel + 2 * c, 2, true), 32767);
    case CL_UNORM_INT8:
        return quotient((double)number_at(pixel + c, 1, false), 255);
    case CL_UNORM_INT16:
        return quotient((double)number_at(pixel + 2 * c, 2, false), 65535);
    case CL_UNORM_SHORT_565:
        word = (uint32_t)number_at(pixel, 2, false);
        return c == 0   ? quotient(word >> 11, 31)
               : c == 1 ? quotient(word >> 5 & 63, 63)
                        : quotient(word & 31, 31);
    case CL_UNORM_SHORT_555:
        word = (uint32_t)number_at(pixel, 2, false);
        return quotient(word >> (10 - 5 * c) & 31, 31);
    case CL_UNORM_INT_101010:
        memcpy(&wide, pixel, sizeof wide);
        return quotient(wide >> (20 - 10 * c) & 1023, 1023);
    case CL_UNORM_INT_101010_2:
        memcpy(&wide, pixel, sizeof wide);
        return c == 3 ? quotient(wide & 3, 3)
                      : quotient(wide >> (22 - 10 * c) & 1023, 1023);
    case CL_SIGNED_INT8:
        return (double)number_at(pixel + c, 1, true);
    case CL_SIGNED_INT16:
        return (double)number_at(pixel + 2 * c, 2, true);
    case CL_SIGNED_INT32:
        return (double)number_at(pixel + 4 * c, 4, true);
    case CL_UNSIGNED_INT8:
        return (double)number_at(pixel + c, 1, false);
    case CL_UNSIGNED_INT16:
        return (double)number_at(pixel + 2 * c, 2, false);
    case CL_UNSIGNED_INT32:
        return (double)number_at(pixel + 4 * c, 4, false);
    case CL_HALF_FLOAT:
        return half_value((uint16_t)number_at(pixel + 2 * c, 2, false));
    default:
        memcpy(&single, pixel + 4 * c, sizeof single);
        return (double)single;
    }
}

static double srgb(double encoded)
{
    return (double)(float)(encoded <= 0.04045 ? encoded / 12.92
                                              : pow((encoded + 0.055) / 1.055, 2.4));
}

// What of the color the channels in memory are, in their order: "bgra"; x means nothing.
static const char *channels_of(cl_channel_order order)
{
    switch (order) {
    case CL_A:
        return "a";
    case CL_R:
    case CL_DEPTH:
        return "r";
    case CL_Rx:
        return "rx";
    case CL_RG:
        return "rg";
    case CL_RGx:
        return "rgx";
    case CL_RA:
        return "ra";
    case CL_RGB:
    case CL_sRGB:
        return "rgb";
    case CL_RGBx:
    case CL_sRGBx:
        return "rgbx";
    case CL_BGRA:
    case CL_sBGRA:
        return "bgra";
    case CL_ARGB:
        return "argb";
    case CL_ABGR:
        return "abgr";
    case CL_INTENSITY:
        return "i";
    case CL_LUMINANCE:
        return "l";
    default:
        return "rgba";
    }
}

// Alpha is 1 wherever the format has none, as for texels. For the orders with an x the
// specification says 0 and the Khronos suite 1 (doc/conformance.md).
static struct reference_color border(const cl_image_format *format)
{
    const bool has_alpha = strpbrk(channels_of(format->image_channel_order), "ai");

    return has_alpha ? (struct reference_color){{0}, {0}}
                     : (struct reference_color){{0, 0, 0, 1}, {0, 0, 0, 1}};
}

static struct reference_color decode(const cl_image_format *format,
                                     const unsigned char *pixel)
{
    const char *const channels = channels_of(format->image_channel_order);
    const bool is_srgb =
        format->image_channel_order >= CL_sRGB && format->image_channel_order <= CL_sBGRA;
    struct reference_color color = {{0, 0, 0, 1}, {0, 0, 0, 1}};

    for (int c = 0; channels[c]; c++) {
        static const char names[] = "rgba";
        double value;

        if (channels[c] == 'x')
            continue;
        value = channel_value(format->image_channel_data_type, pixel, c);
        if (is_srgb && channels[c] != 'a')
            value = srgb(pixel[c] / 255.0);
        for (int i = 0; i < 4; i++)
            if (names[i] == channels[c] || channels[c] == 'i' ||
                (channels[c] == 'l' && i < 3))
                color.f[i] = value;
    }
    for (int i = 0; i < 4; i++)
        color.i[i] = reference_is_integer(format) ? (int64_t)color.f[i] : 0;
    return color;
}

struct reference_color reference_texel(const struct reference_image *image,
                                       const int at[3], int layer)
{
    const size_t pixel_bytes = tf_image_format_bytes(&image->format);
    const size_t slice = (size_t)(image->layers ? layer : at[2]);

    for (int d = 0; d < image->dims; d++)
        if (at[d] < 0 || at[d] >= image->size[d])
            return border(&image->format);
    return decode(
        &image->format,
        image->pixels + (size_t)at[0] * pixel_bytes +
            (image->dims > 1 ? (size_t)at[1] * image->row_pitch_bytes : 0) +
            (image->dims > 2 || image->layers ? slice * image->slice_pitch_bytes : 0));
}

// The texels that a coordinate stands for, and the share of the second.
struct place {
    int at[2];
    float share;
};

// Any number outside of the image is as good as another there.
static int to_int(float x)
{
    return x >= 1e9f ? 1000000000 : x <= -1e9f ? -1000000000 : isnan(x) ? -5 : (int)x;
}

static int limit(int at, int size, cl_addressing_mode mode)
{
    if (mode == CL_ADDRESS_CLAMP_TO_EDGE)
        return at < 0 ? 0 : at >= size ? size - 1 : at;
    return at;
}

static struct place place_of(float s, int size, const struct reference_sampler *sampler)
{
    const bool linear = sampler->linear;
    struct place p;
    float u;

    if (sampler->address == CL_ADDRESS_REPEAT) {
        u = (s - floorf(s)) * (float)size;
        u = isnan(u) ? 0 : u;
        p.at[0] = to_int(floorf(linear ? u - 0.5f : u));
        p.at[1] = p.at[0] + 1;
        if (linear && p.at[0] < 0)
            p.at[0] += size;
        if (p.at[0] > size - 1)
            p.at[0] -= size;
        if (p.at[1] > size - 1)
            p.at[1] -= size;
    } else if (sampler->address == CL_ADDRESS_MIRRORED_REPEAT) {
        u = fabsf(s - 2.0f * rintf(0.5f * s)) * (float)size;
        u = isnan(u) ? 0 : u;
        p.at[0] = to_int(floorf(linear ? u - 0.5f : u));
        p.at[1] = p.at[0] + 1;
        for (int i = 0; i < 2; i++)
            p.at[i] = p.at[i] < 0 ? 0 : p.at[i] > size - 1 ? size - 1 : p.at[i];
    } else {
        u = sampler->normalized ? s * (float)size : s;
        u = isnan(u) || u < -1e9f ? -1e9f : u > 1e9f ? 1e9f : u;
        p.at[0] = to_int(floorf(linear ? u - 0.5f : u));
        p.at[1] = limit(p.at[0] + 1, size, sampler->address);
        p.at[0] = limit(p.at[0], size, sampler->address);
    }
    p.share = (u - 0.5f) - floorf(u - 0.5f);
    return p;
}

static int layer_of(const struct reference_image *image, float at)
{
    const float most = (float)(image->layers - 1);

    return image->layers ? (int)rintf(!(at > 0) ? 0 : at > most ? most : at) : 0;
}

struct reference_color reference_read(const struct reference_image *image,
                                      const struct reference_sampler *sampler,
                                      const float at[4], double error[4])
{
    struct reference_color sum = {{0}, {0}};
    struct place p[3] = {{{0}, 0}};
    const int layer = layer_of(image, at[image->dims]);
    const int texels = sampler->linear ? 1 << image->dims : 1;

    for (int d = 0; d < image->dims; d++)
        p[d] = place_of(at[d], image->size[d], sampler);
    memset(error, 0, 4 * sizeof *error);
    for (int t = 0; t < texels; t++) {
        const int texel[3] = {p[0].at[t & 1], p[1].at[t >> 1 & 1], p[2].at[t >> 2]};
        const struct reference_color color = reference_texel(image, texel, layer);
        double weight = 1;

        if (texels == 1)
            return color;
        for (int d = 0; d < image->dims; d++)
            weight *= t >> d & 1 ? (double)p[d].share : 1 - (double)p[d].share;
        for (int c = 0; c < 4; c++) {
            sum.f[c] += weight * color.f[c];
            error[c] += 5 * 0x1p-23 * fabs(color.f[c]) + 1e-40;
        }
    }
    return sum;
}

struct reference_color reference_read_at(const struct reference_image *image,
                                         const struct reference_sampler *sampler,
                                         const int at[4])
{
    int texel[3] = {0};

    for (int d = 0; d < image->dims; d++)
        texel[d] = limit(at[d], image->size[d], sampler->address);
    return reference_texel(image, texel, layer_of(image, (float)at[image->dims]));
}

// NaN is `low`.
static float limited(float x, float low, float high)
{
    return !(x > low) ? low : x < high ? x : high;
}

struct reference_color reference_read_lod(const struct reference_image *levels, int count,
                                          const struct reference_sampler *sampler,
                                          const struct reference_mip *mip,
                                          const float at[4], float lod, double error[4])
{
    struct reference_color sum, next;
    double next_error[4], part;
    int level;

    lod = limited(lod, mip->lod_min, mip->lod_max);
    lod = limited(lod, 0, (float)(count - 1));
    if (!mip->linear || reference_is_integer(&levels->format)) {
        level = (int)ceil((double)lod + 0.5) - 1;
        return reference_read(&levels[level < 0 ? 0 : level], sampler, at, error);
    }
    level = (int)lod;
    part = (double)lod - level;
    sum = reference_read(&levels[level], sampler, at, error);
    if (part == 0)
        return sum;
    next = reference_read(&levels[level + 1], sampler, at, next_error);
    for (int c = 0; c < 4; c++) {
        error[c] += next_error[c] + 0x1p-22 * (fabs(sum.f[c]) + fabs(next.f[c]));
        sum.f[c] = (1 - part) * sum.f[c] + part * next.f[c];
    }
    return sum;
}

double reference_gradient_lod(const struct reference_image *image, const float x[3],
                              const float y[3])
{
    double square_x = 0, square_y = 0;

    for (int d = 0; d < image->dims; d++) {
        square_x += pow((double)x[d] * image->size[d], 2);
        square_y += pow((double)y[d] * image->size[d], 2);
    }
    return 0.5 * log2(fmax(square_x, square_y));
}
