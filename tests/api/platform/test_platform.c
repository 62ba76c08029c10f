// SPDX-License-Identifier: MIT
#include "support/api.h"

#include <string.h>

#include "support/suite.h"

START_TEST(one_platform)
{
    cl_platform_id platforms[4] = {0};
    cl_uint n = 0;

    ck_assert_int_eq(clGetPlatformIDs(4, platforms, &n), CL_SUCCESS);
    ck_assert_uint_eq(n, 1);
    ck_assert_ptr_nonnull(platforms[0]);
    ck_assert_int_eq(clGetPlatformIDs(0, NULL, &n), CL_SUCCESS);
    ck_assert_int_eq(clGetPlatformIDs(1, platforms, NULL), CL_SUCCESS);
    ck_assert_int_eq(clGetPlatformIDs(0, platforms, &n), CL_INVALID_VALUE);
    ck_assert_int_eq(clGetPlatformIDs(1, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clIcdGetPlatformIDsKHR(0, platforms, &n), CL_INVALID_VALUE);
    ck_assert_int_eq(clIcdGetPlatformIDsKHR(1, NULL, NULL), CL_INVALID_VALUE);
}
END_TEST

static const char *text_of(cl_platform_id platform, cl_platform_info what)
{
    static char text[8192];
    size_t size = 0;

    ck_assert_int_eq(clGetPlatformInfo(platform, what, sizeof(text), text, &size),
                     CL_SUCCESS);
    ck_assert_uint_eq(size, strlen(text) + 1);
    return text;
}

START_TEST(queries_answer)
{
    cl_platform_id platform;
    cl_version version = 0;
    cl_ulong resolution = 0;
    cl_name_version names[128];
    size_t size = 0;

    clGetPlatformIDs(1, &platform, NULL);
    ck_assert_str_eq(text_of(platform, CL_PLATFORM_NAME), "Trefoil");
    ck_assert_str_eq(text_of(NULL, CL_PLATFORM_NAME), "Trefoil");
    ck_assert_str_eq(text_of(platform, CL_PLATFORM_VENDOR), "Trefoil");
    ck_assert_str_eq(text_of(platform, CL_PLATFORM_PROFILE), "FULL_PROFILE");
    ck_assert_str_eq(text_of(platform, CL_PLATFORM_ICD_SUFFIX_KHR), "TREFOIL");
    ck_assert_ptr_eq(strstr(text_of(platform, CL_PLATFORM_VERSION), "OpenCL 3.1 "),
                     text_of(platform, CL_PLATFORM_VERSION));
    ck_assert_ptr_nonnull(
        strstr(text_of(platform, CL_PLATFORM_EXTENSIONS), "cl_khr_icd"));
    clGetPlatformInfo(platform, CL_PLATFORM_NUMERIC_VERSION, sizeof(version), &version,
                      NULL);
    ck_assert_uint_eq(version, CL_MAKE_VERSION(3, 1, 0));
    clGetPlatformInfo(platform, CL_PLATFORM_HOST_TIMER_RESOLUTION, sizeof(resolution),
                      &resolution, NULL);
    ck_assert_uint_ge(resolution, 1);
    ck_assert_int_eq(clGetPlatformInfo(platform, CL_PLATFORM_EXTENSIONS_WITH_VERSION,
                                       sizeof(names), names, &size),
                     CL_SUCCESS);
    ck_assert_uint_gt(size, 0);
    for (size_t i = 0; i < size / sizeof(names[0]); i++)
        ck_assert_ptr_nonnull(
            strstr(text_of(platform, CL_PLATFORM_EXTENSIONS), names[i].name));
}
END_TEST

START_TEST(bad_queries_fail)
{
    char text[4];

    tf_api_begin();
    ck_assert_int_eq(clGetPlatformInfo(tf_api.platform, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(
        clGetPlatformInfo(tf_api.platform, CL_PLATFORM_NAME, sizeof(text), text, NULL),
        CL_INVALID_VALUE);
    ck_assert_int_eq(
        clGetPlatformInfo((cl_platform_id)tf_api.ctx, CL_PLATFORM_NAME, 0, NULL, NULL),
        CL_INVALID_PLATFORM);
    tf_api_end();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("platform");
    TCase *tcase = tcase_create("platform");

    tcase_add_test(tcase, one_platform);
    tcase_add_test(tcase, queries_answer);
    tcase_add_test(tcase, bad_queries_fail);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
