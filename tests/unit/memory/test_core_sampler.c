// SPDX-License-Identifier: MIT
// Samplers: the rules of their settings, and what happens when memory runs out.
#include <float.h>
#include <string.h>

#include <CL/cl_ext.h>

#include "abi/image_descriptor.h"
#include "base/alloc.h"
#include "core/memory/sampler.h"
#include "support/core.h"
#include "support/suite.h"

static cl_int check(cl_bool normalized, cl_addressing_mode mode, cl_filter_mode filter)
{
    struct tf_sampler_desc desc = {
        .normalized_coords = normalized, .addressing_mode = mode, .filter_mode = filter};
    struct tf_err err = {0};

    tf_sampler_default_levels(&desc);
    return tf_sampler_check(&err, &desc);
}

START_TEST(repeating_needs_normalized_coordinates)
{
    for (cl_addressing_mode mode = CL_ADDRESS_NONE; mode <= CL_ADDRESS_MIRRORED_REPEAT;
         mode++) {
        const bool repeats =
            mode == CL_ADDRESS_REPEAT || mode == CL_ADDRESS_MIRRORED_REPEAT;

        ck_assert_int_eq(check(CL_TRUE, mode, CL_FILTER_LINEAR), CL_SUCCESS);
        ck_assert_int_eq(check(CL_FALSE, mode, CL_FILTER_NEAREST),
                         repeats ? CL_INVALID_VALUE : CL_SUCCESS);
    }
}
END_TEST

START_TEST(other_values_are_refused)
{
    ck_assert_int_eq(check(2, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR), CL_INVALID_VALUE);
    ck_assert_int_eq(check(CL_TRUE, CL_ADDRESS_NONE - 1, CL_FILTER_LINEAR),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(check(CL_TRUE, CL_ADDRESS_MIRRORED_REPEAT + 1, CL_FILTER_LINEAR),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(check(CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST - 1),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(check(CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR + 1),
                     CL_INVALID_VALUE);
}
END_TEST

static cl_int parse(const cl_sampler_properties *list, struct tf_sampler_desc *out)
{
    struct tf_err err = {0};

    return tf_sampler_parse(&err, list, out);
}

START_TEST(list_sets_what_it_names)
{
    const cl_sampler_properties all[] = {CL_SAMPLER_NORMALIZED_COORDS,
                                         CL_FALSE,
                                         CL_SAMPLER_ADDRESSING_MODE,
                                         CL_ADDRESS_NONE,
                                         CL_SAMPLER_FILTER_MODE,
                                         CL_FILTER_LINEAR,
                                         0};
    struct tf_sampler_desc desc;

    ck_assert_int_eq(parse(all, &desc), CL_SUCCESS);
    ck_assert_uint_eq(desc.normalized_coords, CL_FALSE);
    ck_assert_uint_eq(desc.addressing_mode, CL_ADDRESS_NONE);
    ck_assert_uint_eq(desc.filter_mode, CL_FILTER_LINEAR);
    ck_assert_uint_eq(desc.property_count, 7);
    ck_assert_int_eq(parse(all + 6, &desc), CL_SUCCESS); // the final 0 alone
    ck_assert_uint_eq(desc.normalized_coords, CL_TRUE);
    ck_assert_uint_eq(desc.property_count, 1);
}
END_TEST

START_TEST(list_knows_six_names)
{
    const cl_sampler_properties names[] = {CL_SAMPLER_NORMALIZED_COORDS - 1,
                                           CL_SAMPLER_LOD_MAX_KHR + 1, 1ull << 32};
    struct tf_sampler_desc desc;

    for (size_t i = 0; i < 3; i++) {
        const cl_sampler_properties list[] = {names[i], 0, 0};

        ck_assert_int_eq(parse(list, &desc), CL_INVALID_VALUE);
    }
}
END_TEST

static cl_sampler_properties bits_of(float value)
{
    cl_uint bits;

    memcpy(&bits, &value, sizeof(bits));
    return bits;
}

START_TEST(levels_of_detail_are_floats)
{
    const cl_sampler_properties list[] = {CL_SAMPLER_MIP_FILTER_MODE_KHR,
                                          CL_FILTER_LINEAR,
                                          CL_SAMPLER_LOD_MIN_KHR,
                                          bits_of(1.5f),
                                          CL_SAMPLER_LOD_MAX_KHR,
                                          bits_of(3.0f),
                                          0};
    struct tf_sampler_desc desc;
    struct tf_err err = {0};

    ck_assert_int_eq(parse(NULL, &desc), CL_SUCCESS);
    ck_assert_uint_eq(desc.mip_filter_mode, CL_FILTER_NEAREST);
    ck_assert(desc.lod_min == 0 && desc.lod_max == FLT_MAX);
    ck_assert_int_eq(parse(list, &desc), CL_SUCCESS);
    ck_assert_uint_eq(desc.mip_filter_mode, CL_FILTER_LINEAR);
    ck_assert(desc.lod_min == 1.5f && desc.lod_max == 3.0f);
    ck_assert_int_eq(tf_sampler_check(&err, &desc), CL_SUCCESS);
    desc.lod_max = 1.0f;
    ck_assert_int_eq(tf_sampler_check(&err, &desc), CL_INVALID_VALUE);
    desc.lod_max = 3.0f;
    desc.mip_filter_mode = CL_FILTER_LINEAR + 1;
    ck_assert_int_eq(tf_sampler_check(&err, &desc), CL_INVALID_VALUE);
}
END_TEST

START_TEST(kernels_have_settings_as_literals_have_them)
{
    static const struct {
        cl_addressing_mode mode;
        uint32_t bits;
    } modes[] = {{CL_ADDRESS_NONE, TF_SAMPLER_ADDRESS_NONE},
                 {CL_ADDRESS_CLAMP_TO_EDGE, TF_SAMPLER_ADDRESS_CLAMP_TO_EDGE},
                 {CL_ADDRESS_CLAMP, TF_SAMPLER_ADDRESS_CLAMP},
                 {CL_ADDRESS_REPEAT, TF_SAMPLER_ADDRESS_REPEAT},
                 {CL_ADDRESS_MIRRORED_REPEAT, TF_SAMPLER_ADDRESS_MIRRORED_REPEAT}};
    struct tf_sampler_desc desc;

    ck_assert_int_eq(parse(NULL, &desc), CL_SUCCESS);
    for (int i = 0; i < 5; i++) {
        desc.addressing_mode = modes[i].mode;
        ck_assert_uint_eq(tf_sampler_bits(&desc), modes[i].bits | TF_SAMPLER_NORMALIZED |
                                                      TF_SAMPLER_FILTER_NEAREST);
    }
    desc.normalized_coords = CL_FALSE;
    desc.addressing_mode = CL_ADDRESS_NONE;
    desc.filter_mode = desc.mip_filter_mode = CL_FILTER_LINEAR;
    desc.lod_min = 1;
    ck_assert_uint_eq(tf_sampler_bits(&desc),
                      TF_SAMPLER_FILTER_LINEAR | TF_SAMPLER_MIP_LINEAR |
                          (uint64_t)1 << (24 + TF_SAMPLER_LOD_MIN_SHIFT));
}
END_TEST

START_TEST(running_out_of_memory_is_an_error_code)
{
    struct tf_core core = tf_core_begin(1);
    cl_sampler samplers[200] = {NULL};
    struct tf_sampler_desc desc;
    int made = 0;

    ck_assert_int_eq(parse(NULL, &desc), CL_SUCCESS);
    // Headers come from slabs: the first that needs a new slab fails.
    tf_alloc_fail_at(0);
    while (made < 200) {
        struct tf_err err = {0};

        if (tf_sampler_create(&err, core.ctx, &desc, &samplers[made])) {
            ck_assert_int_eq(err.code, CL_OUT_OF_HOST_MEMORY);
            ck_assert_ptr_null(samplers[made]);
            break;
        }
        made++;
    }
    tf_alloc_fail_at(-1);
    ck_assert_int_lt(made, 200);
    while (made-- > 0)
        tf_core_release(samplers[made], &tf_class_sampler);
    tf_core_end(&core);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("core_sampler");
    TCase *all = tcase_create("core_sampler");

    tcase_add_test(all, repeating_needs_normalized_coordinates);
    tcase_add_test(all, other_values_are_refused);
    tcase_add_test(all, list_sets_what_it_names);
    tcase_add_test(all, list_knows_six_names);
    tcase_add_test(all, levels_of_detail_are_floats);
    tcase_add_test(all, kernels_have_settings_as_literals_have_them);
    tcase_add_test(all, running_out_of_memory_is_an_error_code);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
