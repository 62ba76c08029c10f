// SPDX-License-Identifier: MIT
#include "abi/image_descriptor.h"

#include <check.h>
#include <math.h>

#include <CL/cl.h>

#include "core/memory/image_format.h"
#include "support/suite.h"

static struct tf_image_desc describe(cl_channel_order order, cl_channel_type type)
{
    const cl_image_format format = {order, type};
    struct tf_image_desc desc = {.width = 3, .mip_levels = 1};
    const size_t bytes = tf_image_format_bytes(&format);

    ck_assert(tf_image_desc_set_format(&desc, order, type, (uint32_t)bytes));
    ck_assert_uint_eq(desc.width, 3);
    ck_assert_uint_eq(desc.mip_levels, 1);
    ck_assert_uint_eq(desc.pixel_bytes, bytes);
    ck_assert_uint_eq(desc.channel_order, order);
    ck_assert_uint_eq(desc.channel_type, type);
    return desc;
}

static int32_t number(const struct tf_image_desc *desc, int c, const uint32_t words[4])
{
    const uint32_t bits = words[desc->word[c]] >> desc->shift[c] & desc->mask[c];

    // Where the number stays in its place, it is worth so much less.
    return (int32_t)((bits ^ desc->sign[c]) + (uint32_t)desc->bias[c]) >>
           (desc->mask[c] ? desc->write_shift[c] - desc->shift[c] : 0);
}

static void expect(cl_channel_order order, cl_channel_type type, const uint32_t words[4],
                   const int32_t color[4])
{
    const struct tf_image_desc desc = describe(order, type);

    for (int c = 0; c < 4; c++)
        ck_assert_int_eq(number(&desc, c, words), color[c]);
}

START_TEST(channels_are_found)
{
    const uint32_t words[4] = {0x81020384u, 0xfffe0506u, 0x11111111u, 0x22222222u};

#define COLOR(...) ((const int32_t[4]){__VA_ARGS__})
    expect(CL_RGBA, CL_UNSIGNED_INT8, words, COLOR(0x84, 3, 2, 0x81));
    expect(CL_RGBA, CL_SIGNED_INT8, words, COLOR(0x84 - 256, 3, 2, 0x81 - 256));
    expect(CL_BGRA, CL_UNORM_INT8, words, COLOR(2, 3, 0x84, 0x81));
    expect(CL_ARGB, CL_UNORM_INT8, words, COLOR(3, 2, 0x81, 0x84));
    expect(CL_ABGR, CL_UNORM_INT8, words, COLOR(0x81, 2, 3, 0x84));
    expect(CL_R, CL_UNORM_INT8, words, COLOR(0x84, 0, 0, 1));
    expect(CL_A, CL_UNORM_INT8, words, COLOR(0, 0, 0, 0x84));
    expect(CL_RA, CL_SNORM_INT16, words, COLOR(0x384, 0, 0, 0x8102 - 65536));
    expect(CL_LUMINANCE, CL_UNORM_INT8, words, COLOR(0x84, 0x84, 0x84, 1));
    expect(CL_INTENSITY, CL_SNORM_INT8, words, COLOR(-124, -124, -124, -124));
    expect(CL_RGBA, CL_SIGNED_INT16, words, COLOR(0x384, 0x8102 - 65536, 0x506, -2));
    expect(CL_RGBA, CL_FLOAT, words,
           COLOR((int32_t)0x81020384, (int32_t)0xfffe0506, 0x11111111, 0x22222222));
    expect(CL_RG, CL_FLOAT, words,
           COLOR((int32_t)0x81020384, (int32_t)0xfffe0506, 0, 0x3f800000));
    expect(CL_R, CL_HALF_FLOAT, words, COLOR(0x384, 0, 0, 0x3c00));
    expect(CL_RGB, CL_UNORM_SHORT_565, words, COLOR(0, 0x384 >> 5 & 63, 4, 1));
    expect(CL_RGB, CL_UNORM_SHORT_555, words, COLOR(0, 0x384 >> 5 & 31, 4, 1));
    expect(CL_RGBx, CL_UNORM_INT_101010, words, COLOR(16, 128, 0x384, 1));
    expect(CL_RGBA, CL_UNORM_INT_101010_2, words, COLOR(0x204, 0x20, 0xe1, 0));
    expect(CL_sBGRA, CL_UNORM_INT8, words, COLOR(2, 3, 0x84, 0x81));
}
END_TEST

// The specification allows 1.5 ulp; both ends are exact.
START_TEST(normalized_numbers_are_within_1_ulp)
{
    static const cl_image_format formats[] = {
        {CL_R, CL_UNORM_INT8},         {CL_R, CL_SNORM_INT8},
        {CL_R, CL_UNORM_INT16},        {CL_R, CL_SNORM_INT16},
        {CL_RGB, CL_UNORM_SHORT_565},  {CL_RGB, CL_UNORM_SHORT_555},
        {CL_RGB, CL_UNORM_INT_101010}, {CL_RGBA, CL_UNORM_INT_101010_2},
        {CL_BGRA, CL_UNORM_INT8}};

    for (size_t i = 0; i < sizeof formats / sizeof formats[0]; i++) {
        const struct tf_image_desc desc =
            describe(formats[i].image_channel_order, formats[i].image_channel_data_type);

        for (int c = 0; c < 4; c++) {
            const int32_t most = (int32_t)desc.write_scale[c];

            for (int32_t x = desc.sign[c] ? -most : 0; most && x <= most; x++) {
                const double in_place =
                    ldexp(x, (int)(desc.write_shift[c] - desc.shift[c]));
                const float value = (float)in_place * desc.scale[c];
                const float nearest = (float)((double)x / (double)most);

                ck_assert((double)fabsf(value - nearest) <=
                          0x1p-23 * fabs((double)nearest));
                ck_assert(abs(x) % most != 0 || value == nearest);
            }
        }
    }
}
END_TEST

// A word of 0 is the border's color: alpha is 1 where the format lacks it.
START_TEST(words_of_0_are_the_border)
{
    static const uint32_t outside[4];

    expect(CL_R, CL_UNORM_INT8, outside, COLOR(0, 0, 0, 1));
    expect(CL_RGB, CL_UNORM_SHORT_565, outside, COLOR(0, 0, 0, 1));
    expect(CL_RGBx, CL_UNORM_SHORT_565, outside, COLOR(0, 0, 0, 1));
    expect(CL_LUMINANCE, CL_FLOAT, outside, COLOR(0, 0, 0, 0x3f800000));
    expect(CL_RGBA, CL_HALF_FLOAT, outside, COLOR(0, 0, 0, 0));
}
END_TEST

START_TEST(writes_have_limits)
{
    const struct tf_image_desc s8 = describe(CL_RGBA, CL_SIGNED_INT8);
    const struct tf_image_desc u32 = describe(CL_RG, CL_UNSIGNED_INT32);
    const struct tf_image_desc snorm = describe(CL_INTENSITY, CL_SNORM_INT16);

    ck_assert_int_eq(s8.int_low, -128);
    ck_assert_int_eq(s8.int_high, 127);
    ck_assert_uint_eq(u32.uint_high, 0xffffffffu);
    ck_assert_uint_eq(describe(CL_R, CL_UNSIGNED_INT16).uint_high, 0xffff);
    ck_assert_int_eq(describe(CL_R, CL_SIGNED_INT32).int_low, INT32_MIN);
    ck_assert_int_eq(describe(CL_R, CL_SIGNED_INT32).int_high, INT32_MAX);
    ck_assert(snorm.write_low == -32768 && snorm.write_scale[0] == 32767);
    ck_assert_uint_eq(snorm.write_mask[0], 0xffff);
    ck_assert_uint_eq(snorm.write_mask[3], 0);
}
END_TEST

START_TEST(alpha_pads_what_is_never_read)
{
    const uint32_t words[4] = {0x81020384u};
    const struct tf_image_desc desc = describe(CL_sRGBx, CL_UNORM_INT8);

    ck_assert_int_eq(number(&desc, 3, words), 1);
    ck_assert_uint_eq(desc.write_shift[3], 24);
    ck_assert_uint_eq(desc.write_mask[3], 0xff);
    ck_assert_float_eq(desc.write_scale[3], 255);
}
END_TEST

START_TEST(meaningless_formats_are_refused)
{
    struct tf_image_desc desc = {.width = 3};

    ck_assert(!tf_image_desc_set_format(&desc, CL_DEPTH_STENCIL, CL_FLOAT, 4));
    ck_assert(!tf_image_desc_set_format(&desc, CL_RGBA, CL_UNORM_INT24, 4));
    ck_assert(!tf_image_desc_set_format(&desc, CL_RGBA, CL_UNORM_SHORT_565, 4));
    ck_assert_uint_eq(desc.pixel_bytes, 0);
}
END_TEST

START_TEST(levels_of_detail_are_limited)
{
    ck_assert_uint_eq(tf_sampler_lod_bits(0, MAXFLOAT), 0); // as in literal samplers
    ck_assert_uint_eq(tf_sampler_lod_bits(1, 2),
                      (uint64_t)1 << (24 + TF_SAMPLER_LOD_MIN_SHIFT) |
                          (uint64_t)(0xfffffff - (2 << 24)) << TF_SAMPLER_LOD_MAX_SHIFT);
    ck_assert_uint_eq(tf_sampler_lod_bits(-1, NAN),
                      (uint64_t)0xfffffff << TF_SAMPLER_LOD_MAX_SHIFT);
    // The least and the greatest of the floats that need all bits.
    ck_assert_uint_eq(tf_sampler_lod_bits(0x1.000002p-1f, MAXFLOAT),
                      (uint64_t)0x800001 << TF_SAMPLER_LOD_MIN_SHIFT);
    ck_assert_uint_eq(tf_sampler_lod_bits(0x1.fffffep3f, MAXFLOAT),
                      (uint64_t)0xffffff0 << TF_SAMPLER_LOD_MIN_SHIFT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image_descriptor");
    TCase *tcase = tcase_create("image_descriptor");

    tcase_add_test(tcase, channels_are_found);
    tcase_add_test(tcase, normalized_numbers_are_within_1_ulp);
    tcase_add_test(tcase, words_of_0_are_the_border);
    tcase_add_test(tcase, writes_have_limits);
    tcase_add_test(tcase, alpha_pads_what_is_never_read);
    tcase_add_test(tcase, meaningless_formats_are_refused);
    tcase_add_test(tcase, levels_of_detail_are_limited);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
