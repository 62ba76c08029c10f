// SPDX-License-Identifier: MIT
#include "core/memory/image_format.h"

#include <math.h>
#include <string.h>

#include "support/suite.h"

enum { PIXEL_BYTES_MAX = 16 };

static size_t bytes(cl_channel_order order, cl_channel_type type)
{
    return tf_image_format_bytes(&(cl_image_format){order, type});
}

START_TEST(pixel_has_the_bytes_of_its_channels)
{
    ck_assert_uint_eq(bytes(CL_R, CL_UNORM_INT8), 1);
    ck_assert_uint_eq(bytes(CL_RG, CL_HALF_FLOAT), 4);
    ck_assert_uint_eq(bytes(CL_Rx, CL_FLOAT), 8);
    ck_assert_uint_eq(bytes(CL_RGBA, CL_UNSIGNED_INT32), 16);
    ck_assert_uint_eq(bytes(CL_BGRA, CL_UNORM_INT8), 4);
    ck_assert_uint_eq(bytes(CL_ABGR, CL_SNORM_INT8), 4);
    ck_assert_uint_eq(bytes(CL_DEPTH, CL_UNORM_INT16), 2);
    ck_assert_uint_eq(bytes(CL_sRGBA, CL_UNORM_INT8), 4);
    ck_assert_uint_eq(bytes(CL_LUMINANCE, CL_SNORM_INT16), 2);
}
END_TEST

START_TEST(channels_that_share_a_word_count_once)
{
    ck_assert_uint_eq(bytes(CL_RGB, CL_UNORM_SHORT_565), 2);
    ck_assert_uint_eq(bytes(CL_RGBx, CL_UNORM_SHORT_555), 2);
    ck_assert_uint_eq(bytes(CL_RGB, CL_UNORM_INT_101010), 4);
    ck_assert_uint_eq(bytes(CL_RGBA, CL_UNORM_INT_101010_2), 4);
}
END_TEST

START_TEST(pairs_without_meaning_have_no_size)
{
    ck_assert_uint_eq(bytes(CL_RGB, CL_UNORM_INT8), 0);
    ck_assert_uint_eq(bytes(CL_R, CL_UNORM_SHORT_565), 0);
    ck_assert_uint_eq(bytes(CL_RGB, CL_UNORM_INT_101010_2), 0);
    ck_assert_uint_eq(bytes(CL_INTENSITY, CL_SIGNED_INT8), 0);
    ck_assert_uint_eq(bytes(CL_DEPTH, CL_UNORM_INT8), 0);
    ck_assert_uint_eq(bytes(CL_DEPTH_STENCIL, CL_UNORM_INT24), 0);
    ck_assert_uint_eq(bytes(CL_RGx, CL_SIGNED_INT16), 0); // 48 bits
    ck_assert_uint_eq(bytes(CL_sRGB, CL_UNORM_INT8), 0);
    ck_assert_uint_eq(bytes(CL_R - 1, CL_FLOAT), 0);
    ck_assert_uint_eq(bytes(CL_ABGR + 1, CL_FLOAT), 0);
    ck_assert_uint_eq(bytes(CL_R, CL_SNORM_INT8 - 1), 0);
    ck_assert_uint_eq(bytes(CL_R, CL_UNORM_INT_101010_2 + 1), 0);
}
END_TEST

// Counted in the table of the specification: 17 orders, not all with all types.
START_TEST(no_other_pair_has_a_size)
{
    int count = 0;
    cl_image_format format;

    for (cl_channel_order order = 0x1000; order < 0x1200; order++)
        for (cl_channel_type type = 0x1000; type < 0x1200; type++)
            count += bytes(order, type) > 0;
    // R A RG RA Rx RGBA: 12 types; RGBA one more; INTENSITY, LUMINANCE: 6;
    // RGB RGBx: 3; BGRA ARGB ABGR: 4; DEPTH: 2; sRGBx sRGBA sBGRA: 1.
    ck_assert_int_eq(count, 6 * 12 + 1 + 2 * 6 + 2 * 3 + 3 * 4 + 2 + 3);
    for (int i = 0; i < count; i++) {
        const size_t n =
            tf_image_format_at(i, &format) ? tf_image_format_bytes(&format) : 0;

        ck_assert(n > 0 && n <= PIXEL_BYTES_MAX && (n & (n - 1)) == 0);
    }
    ck_assert(!tf_image_format_at(count, &format));
}
END_TEST

static unsigned access_of(cl_channel_order order, cl_channel_type type,
                          cl_mem_object_type kind)
{
    return tf_image_format_access(&(cl_image_format){order, type}, kind);
}

START_TEST(kernels_read_and_write_what_they_can)
{
    const unsigned all = TF_IMAGE_READ | TF_IMAGE_WRITE | TF_IMAGE_READ_WRITE;

    for (cl_mem_object_type kind = CL_MEM_OBJECT_IMAGE2D;
         kind <= CL_MEM_OBJECT_IMAGE1D_BUFFER; kind++) {
        const bool planes =
            kind == CL_MEM_OBJECT_IMAGE2D || kind == CL_MEM_OBJECT_IMAGE2D_ARRAY;

        ck_assert_uint_eq(access_of(CL_RGBA, CL_UNORM_INT8, kind), all);
        ck_assert_uint_eq(access_of(CL_sRGBA, CL_UNORM_INT8, kind), all);
        ck_assert_uint_eq(access_of(CL_RGB, CL_UNORM_SHORT_565, kind), all);
        ck_assert_uint_eq(access_of(CL_DEPTH, CL_FLOAT, kind), planes ? all : 0);
        ck_assert_uint_eq(access_of(CL_Rx, CL_UNORM_INT8, kind), 0);
        ck_assert_uint_eq(access_of(CL_RGB, CL_UNORM_INT8, kind), 0);
    }
}
END_TEST

static bool views(cl_channel_order as, cl_channel_order of, cl_channel_type type)
{
    return tf_image_format_views(&(cl_image_format){as, type},
                                 &(cl_image_format){of, CL_UNORM_INT8});
}

START_TEST(views_change_nothing_but_srgb_and_depth)
{
    ck_assert(views(CL_sRGBA, CL_RGBA, CL_UNORM_INT8));
    ck_assert(views(CL_RGBA, CL_sRGBA, CL_UNORM_INT8));
    ck_assert(views(CL_sBGRA, CL_BGRA, CL_UNORM_INT8));
    ck_assert(views(CL_BGRA, CL_sBGRA, CL_UNORM_INT8));
    ck_assert(views(CL_DEPTH, CL_R, CL_UNORM_INT8));
    ck_assert(!views(CL_R, CL_DEPTH, CL_UNORM_INT8));
    ck_assert(!views(CL_RGBA, CL_RGBA, CL_UNORM_INT8));
    ck_assert(!views(CL_BGRA, CL_RGBA, CL_UNORM_INT8));
    ck_assert(!views(CL_sRGBA, CL_RGBA, CL_SNORM_INT8));
}
END_TEST

// ---- Pixels ----

static void check_pixel(cl_channel_order order, cl_channel_type type, const void *color,
                        const void *expected)
{
    const cl_image_format format = {order, type};
    uint8_t pixel[PIXEL_BYTES_MAX + 1];

    memset(pixel, 0xa5, sizeof(pixel));
    tf_image_format_pixel(&format, color, pixel);
    ck_assert_mem_eq(pixel, expected, bytes(order, type));
    ck_assert_uint_eq(pixel[bytes(order, type)], 0xa5); // and no more
}

#define BYTES(...) ((const uint8_t[]){__VA_ARGS__})
#define SHORTS(...) ((const uint16_t[]){__VA_ARGS__})
#define WORDS(...) ((const uint32_t[]){__VA_ARGS__})

START_TEST(channels_lie_in_the_order_of_the_format)
{
    const uint32_t rgba[4] = {1, 2, 3, 4};
    const float gray[4] = {0.5f, 1, 1, 1}, white = 1;

    check_pixel(CL_R, CL_UNSIGNED_INT8, rgba, BYTES(1));
    check_pixel(CL_A, CL_UNSIGNED_INT8, rgba, BYTES(4));
    check_pixel(CL_RG, CL_UNSIGNED_INT8, rgba, BYTES(1, 2));
    check_pixel(CL_RA, CL_UNSIGNED_INT8, rgba, BYTES(1, 4));
    check_pixel(CL_Rx, CL_UNSIGNED_INT8, rgba, BYTES(1, 4));
    check_pixel(CL_RGBA, CL_UNSIGNED_INT8, rgba, BYTES(1, 2, 3, 4));
    check_pixel(CL_BGRA, CL_UNSIGNED_INT8, rgba, BYTES(3, 2, 1, 4));
    check_pixel(CL_ARGB, CL_UNSIGNED_INT8, rgba, BYTES(4, 1, 2, 3));
    check_pixel(CL_ABGR, CL_UNSIGNED_INT8, rgba, BYTES(4, 3, 2, 1));
    check_pixel(CL_RGBA, CL_UNSIGNED_INT16, rgba, SHORTS(1, 2, 3, 4));
    check_pixel(CL_RGBA, CL_UNSIGNED_INT32, rgba, WORDS(1, 2, 3, 4));
    check_pixel(CL_INTENSITY, CL_UNORM_INT8, gray, BYTES(128));
    check_pixel(CL_LUMINANCE, CL_FLOAT, gray, WORDS(0x3f000000));
    check_pixel(CL_DEPTH, CL_FLOAT, &white, WORDS(0x3f800000)); // reads one float
    check_pixel(CL_DEPTH, CL_UNORM_INT16, &white, SHORTS(0xffff));
}
END_TEST

START_TEST(normalized_numbers_round_to_nearest_even)
{
    // k + 0.5 of 255 that single precision has exactly: 127.5 and 63.75.
    const float color[4] = {0.5f, 0.25f, 0.00392156886f, 2};
    const float edges[4] = {-1, NAN, INFINITY, -INFINITY};

    check_pixel(CL_RGBA, CL_UNORM_INT8, color, BYTES(128, 64, 1, 255));
    check_pixel(CL_RGBA, CL_UNORM_INT8, edges, BYTES(0, 0, 255, 0));
    check_pixel(CL_RGBA, CL_SNORM_INT8, color,
                BYTES(64, 32, 0, 127)); // 63.5, 31.75, .498
    check_pixel(CL_RGBA, CL_SNORM_INT8, edges, BYTES(0x81, 0, 127, 0x80));
    // 32767.5, 16383.75, 257
    check_pixel(CL_RGBA, CL_UNORM_INT16, color, SHORTS(32768, 16384, 257, 65535));
    // 16383.5, 8191.75, 128.498
    check_pixel(CL_RGBA, CL_SNORM_INT16, color, SHORTS(16384, 8192, 128, 32767));
    check_pixel(CL_RGBA, CL_SNORM_INT16, edges, SHORTS(0x8001, 0, 32767, 0x8000));
}
END_TEST

START_TEST(odd_halves_round_up_and_even_ones_down)
{
    const float odd[4] = {0.5f, -0.5f, 1.5f / 127, 2.5f / 127};

    check_pixel(CL_RGBA, CL_SNORM_INT8, odd, BYTES(64, 0xc0, 2, 2)); // 63.5 -63.5 1.5 2.5
}
END_TEST

START_TEST(packed_pixels_have_red_on_top)
{
    const float red[4] = {1, 0, 0, 0}, green[4] = {0, 1, 0, 0}, blue[4] = {0, 0, 1, 0};
    const float alpha[4] = {0, 0, 0, 1}, half[4] = {0.5f, 0.5f, 0.5f, 0.5f};

    check_pixel(CL_RGB, CL_UNORM_SHORT_565, red, SHORTS(0xf800));
    check_pixel(CL_RGB, CL_UNORM_SHORT_565, green, SHORTS(0x07e0));
    check_pixel(CL_RGB, CL_UNORM_SHORT_565, blue, SHORTS(0x001f));
    check_pixel(CL_RGBx, CL_UNORM_SHORT_555, red, SHORTS(0x7c00));
    check_pixel(CL_RGBx, CL_UNORM_SHORT_555, green, SHORTS(0x03e0));
    check_pixel(CL_RGBx, CL_UNORM_SHORT_555, blue, SHORTS(0x001f));
    check_pixel(CL_RGB, CL_UNORM_INT_101010, red, WORDS(0x3ff00000));
    check_pixel(CL_RGB, CL_UNORM_INT_101010, green, WORDS(0x000ffc00));
    check_pixel(CL_RGB, CL_UNORM_INT_101010, blue, WORDS(0x000003ff));
    check_pixel(CL_RGBA, CL_UNORM_INT_101010_2, red, WORDS(0xffc00000));
    check_pixel(CL_RGBA, CL_UNORM_INT_101010_2, green, WORDS(0x003ff000));
    check_pixel(CL_RGBA, CL_UNORM_INT_101010_2, blue, WORDS(0x00000ffc));
    check_pixel(CL_RGBA, CL_UNORM_INT_101010_2, alpha, WORDS(3));
    // 15.5 and 31.5 of 5 and 6 bits, 511.5 of 10, 1.5 of 2
    check_pixel(CL_RGB, CL_UNORM_SHORT_565, half, SHORTS(16 << 11 | 32 << 5 | 16));
    check_pixel(CL_RGBA, CL_UNORM_INT_101010_2, half,
                WORDS(512u << 22 | 512 << 12 | 512 << 2 | 2));
}
END_TEST

START_TEST(integers_saturate)
{
    const int32_t low[4] = {INT32_MIN, -129, -32769, -1},
                  high[4] = {INT32_MAX, 128, 32768, 1};
    const uint32_t large[4] = {UINT32_MAX, 256, 65536, 255};

    check_pixel(CL_RGBA, CL_SIGNED_INT8, low, BYTES(0x80, 0x80, 0x80, 0xff));
    check_pixel(CL_RGBA, CL_SIGNED_INT8, high, BYTES(127, 127, 127, 1));
    check_pixel(CL_RGBA, CL_SIGNED_INT16, low, SHORTS(0x8000, 0xff7f, 0x8000, 0xffff));
    check_pixel(CL_RGBA, CL_SIGNED_INT16, high, SHORTS(0x7fff, 128, 0x7fff, 1));
    check_pixel(CL_RGBA, CL_SIGNED_INT32, low, low);
    check_pixel(CL_RGBA, CL_UNSIGNED_INT8, large, BYTES(255, 255, 255, 255));
    check_pixel(CL_RGBA, CL_UNSIGNED_INT16, large, SHORTS(65535, 256, 65535, 255));
    check_pixel(CL_RGBA, CL_UNSIGNED_INT32, large, large);
}
END_TEST

START_TEST(halves_round_to_nearest_even)
{
    static const struct {
        float value;
        uint16_t half;
    } known[] = {
        {0, 0},
        {-0.0f, 0x8000},
        {1, 0x3c00},
        {-2, 0xc000},
        {65504, 0x7bff},
        {65519.996f, 0x7bff},
        {65520, 0x7c00},
        {-1e30f, 0xfc00},
        {INFINITY, 0x7c00},
        {0x1.002p0f, 0x3c00},      // halfway above 1
        {0x1.006p0f, 0x3c02},      // halfway above the next
        {0x1.002002p0f, 0x3c01},   // a little more than halfway
        {0x1p-14f, 0x0400},        // least normal
        {0x1.ff8p-15f, 0x03ff},    // greatest below
        {0x1.ffcp-15f, 0x0400},    // halfway to it
        {0x1p-24f, 0x0001},        // least of all
        {0x1p-25f, 0x0000},        // half of it
        {0x1.000002p-25f, 0x0001}, // a little more
        {0x1.8p-24f, 0x0002},
        {0x1p-40f, 0},
    };
    float nan = NAN;
    uint16_t bits;
    const cl_image_format format = {CL_R, CL_HALF_FLOAT};

    for (size_t i = 0; i < sizeof(known) / sizeof(known[0]); i++) {
        const float color[4] = {known[i].value};

        check_pixel(CL_R, CL_HALF_FLOAT, color, &known[i].half);
    }
    tf_image_format_pixel(&format, (const float[4]){nan}, (uint8_t *)&bits);
    ck_assert((bits & 0x7c00) == 0x7c00 && bits & 0x3ff);
}
END_TEST

// Values between the curve's steps, from its formula with a pocket calculator; alpha is
// linear.
static long double srgb_curve(float linear)
{
    return linear < 0.0031308f ? 12.92L * (long double)linear
                               : 1.055L * powl((long double)linear, 1 / 2.4L) - 0.055L;
}

// The least float that becomes a number, and the one before it: as kernels write them.
START_TEST(srgb_is_rounded_once)
{
    for (int number = 1; number < 256; number++) {
        float least = (float)number / 255;
        float color[4] = {0};

        while (255 * srgb_curve(least) >= (long double)number - 0.5L)
            least *= 0.999f;
        while (255 * srgb_curve(least) < (long double)number - 0.5L)
            least *= 1.0001f;
        while (255 * srgb_curve(least) >= (long double)number - 0.5L)
            least = nextafterf(least, 0);
        color[0] = least;
        color[1] = nextafterf(least, 1);
        check_pixel(CL_sRGBA, CL_UNORM_INT8, color,
                    BYTES((uint8_t)(number - 1), (uint8_t)number, 0, 0));
    }
}
END_TEST

START_TEST(srgb_has_its_curve)
{
    const float color[4] = {0.5f, 0.0031f, 0.2f, 0.5f};
    const float edges[4] = {-1, NAN, 2, 1}, small[4] = {0.0003f, 1, 0.001f, 0};

    check_pixel(CL_sRGBA, CL_UNORM_INT8, color, BYTES(188, 10, 124, 128));
    check_pixel(CL_sBGRA, CL_UNORM_INT8, color, BYTES(124, 10, 188, 128));
    check_pixel(CL_sRGBx, CL_UNORM_INT8, color, BYTES(188, 10, 124, 128));
    check_pixel(CL_sRGBA, CL_UNORM_INT8, edges, BYTES(0, 0, 255, 255));
    check_pixel(CL_sRGBA, CL_UNORM_INT8, small, BYTES(1, 255, 3, 0));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("image_format");
    TCase *t = tcase_create("unit");

    tcase_add_test(t, pixel_has_the_bytes_of_its_channels);
    tcase_add_test(t, channels_that_share_a_word_count_once);
    tcase_add_test(t, pairs_without_meaning_have_no_size);
    tcase_add_test(t, no_other_pair_has_a_size);
    tcase_add_test(t, kernels_read_and_write_what_they_can);
    tcase_add_test(t, views_change_nothing_but_srgb_and_depth);
    tcase_add_test(t, channels_lie_in_the_order_of_the_format);
    tcase_add_test(t, normalized_numbers_round_to_nearest_even);
    tcase_add_test(t, odd_halves_round_up_and_even_ones_down);
    tcase_add_test(t, packed_pixels_have_red_on_top);
    tcase_add_test(t, integers_saturate);
    tcase_add_test(t, halves_round_to_nearest_even);
    tcase_add_test(t, srgb_is_rounded_once);
    tcase_add_test(t, srgb_has_its_curve);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
