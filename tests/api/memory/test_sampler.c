// SPDX-License-Identifier: MIT
#include "support/api.h"

#include "support/suite.h"

static cl_int code;

static cl_sampler make(cl_bool normalized, cl_addressing_mode mode, cl_filter_mode filter)
{
    code = 1;
    return clCreateSampler(tf_api.ctx, normalized, mode, filter, &code);
}

static cl_int code_of_list(const cl_sampler_properties *list)
{
    cl_int got = 1;

    ck_assert_ptr_null(clCreateSamplerWithProperties(tf_api.ctx, list, &got));
    return got;
}

START_TEST(sampler_keeps_its_settings)
{
    cl_sampler s = make(CL_TRUE, CL_ADDRESS_REPEAT, CL_FILTER_LINEAR);
    cl_addressing_mode mode = 0;
    cl_filter_mode filter = 0;
    cl_context ctx = NULL;
    cl_bool normalized = 7;
    cl_uint count = 0;
    size_t bytes = 1;

    ck_assert_int_eq(code, CL_SUCCESS);
    clGetSamplerInfo(s, CL_SAMPLER_ADDRESSING_MODE, sizeof(mode), &mode, NULL);
    clGetSamplerInfo(s, CL_SAMPLER_FILTER_MODE, sizeof(filter), &filter, NULL);
    clGetSamplerInfo(s, CL_SAMPLER_NORMALIZED_COORDS, sizeof(normalized), &normalized,
                     NULL);
    clGetSamplerInfo(s, CL_SAMPLER_CONTEXT, sizeof(ctx), &ctx, NULL);
    clGetSamplerInfo(s, CL_SAMPLER_REFERENCE_COUNT, sizeof(count), &count, NULL);
    clGetSamplerInfo(s, CL_SAMPLER_PROPERTIES, 0, NULL, &bytes);
    ck_assert_uint_eq(mode, CL_ADDRESS_REPEAT);
    ck_assert_uint_eq(filter, CL_FILTER_LINEAR);
    ck_assert_uint_eq(normalized, CL_TRUE);
    ck_assert_ptr_eq(ctx, tf_api.ctx);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(bytes, 0);
    ck_assert_int_eq(clReleaseSampler(s), CL_SUCCESS);
}
END_TEST

START_TEST(property_list_is_given_back)
{
    const cl_sampler_properties list[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                          CL_SAMPLER_NORMALIZED_COORDS, CL_FALSE, 0};
    cl_sampler_properties got[8] = {0};
    cl_addressing_mode mode = 0;
    size_t bytes = 0;
    cl_sampler s = clCreateSamplerWithProperties(tf_api.ctx, list, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clGetSamplerInfo(s, CL_SAMPLER_PROPERTIES, sizeof(got), got, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(list));
    ck_assert_mem_eq(got, list, sizeof(list));
    clGetSamplerInfo(s, CL_SAMPLER_ADDRESSING_MODE, sizeof(mode), &mode, NULL);
    ck_assert_uint_eq(mode, CL_ADDRESS_CLAMP);
    ck_assert_int_eq(clReleaseSampler(s), CL_SUCCESS);
    s = clCreateSamplerWithProperties(tf_api.ctx, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clReleaseSampler(s), CL_SUCCESS);
}
END_TEST

START_TEST(wrong_settings_are_refused)
{
    ck_assert_ptr_null(make(2, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(make(CL_TRUE, CL_ADDRESS_NONE - 1, CL_FILTER_NEAREST));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(make(CL_TRUE, CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(make(CL_FALSE, CL_ADDRESS_REPEAT, CL_FILTER_NEAREST));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(
        clCreateSampler(NULL, CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
}
END_TEST

START_TEST(wrong_property_lists_are_refused)
{
    const cl_sampler_properties unknown[] = {CL_SAMPLER_CONTEXT, 1, 0};
    const cl_sampler_properties twice[] = {CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR,
                                           CL_SAMPLER_FILTER_MODE, CL_FILTER_LINEAR, 0};
    const cl_sampler_properties value[] = {CL_SAMPLER_FILTER_MODE, 77, 0};
    const cl_sampler_properties wide[] = {CL_SAMPLER_FILTER_MODE,
                                          CL_FILTER_LINEAR + (1ull << 32), 0};

    ck_assert_int_eq(code_of_list(unknown), CL_INVALID_VALUE);
    ck_assert_int_eq(code_of_list(twice), CL_INVALID_VALUE);
    ck_assert_int_eq(code_of_list(value), CL_INVALID_VALUE);
    ck_assert_int_eq(code_of_list(wide), CL_INVALID_VALUE);
}
END_TEST

START_TEST(second_release_is_an_error)
{
    cl_sampler s = make(CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    cl_bool normalized;

    ck_assert_int_eq(clRetainSampler(s), CL_SUCCESS);
    ck_assert_int_eq(clReleaseSampler(s), CL_SUCCESS);
    ck_assert_int_eq(clReleaseSampler(s), CL_SUCCESS);
    ck_assert_int_eq(clReleaseSampler(s), CL_INVALID_SAMPLER);
    ck_assert_int_eq(clRetainSampler(s), CL_INVALID_SAMPLER);
    ck_assert_int_eq(clGetSamplerInfo(s, CL_SAMPLER_NORMALIZED_COORDS, sizeof(normalized),
                                      &normalized, NULL),
                     CL_INVALID_SAMPLER);
    ck_assert_int_eq(clReleaseSampler(NULL), CL_INVALID_SAMPLER);
    ck_assert_int_eq(clReleaseSampler((cl_sampler)(void *)tf_api.q), CL_INVALID_SAMPLER);
}
END_TEST

START_TEST(unknown_query_is_refused)
{
    cl_sampler s = make(CL_TRUE, CL_ADDRESS_CLAMP, CL_FILTER_NEAREST);
    char small[1];

    ck_assert_int_eq(clGetSamplerInfo(s, CL_MEM_TYPE, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clGetSamplerInfo(s, CL_SAMPLER_CONTEXT, sizeof(small), small, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clReleaseSampler(s), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sampler");
    TCase *t = tcase_create("api");

    tcase_add_checked_fixture(t, tf_api_begin, tf_api_end);
    tcase_add_test(t, sampler_keeps_its_settings);
    tcase_add_test(t, property_list_is_given_back);
    tcase_add_test(t, wrong_settings_are_refused);
    tcase_add_test(t, wrong_property_lists_are_refused);
    tcase_add_test(t, second_release_is_an_error);
    tcase_add_test(t, unknown_query_is_refused);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
