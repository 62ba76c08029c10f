// SPDX-License-Identifier: MIT
// What ICD loaders rely on.
#include <CL/cl_trefoil.h> // before any other may include cl_ext.h as it is

#include <CL/cl_icd.h>
#include <stddef.h>
#include <string.h>

// Before support/api.h gives the names of functions another meaning.
enum {
    SLOT_FINISH = offsetof(cl_icd_dispatch, clFinish) / sizeof(void *),
    SLOT_UNLOAD = offsetof(cl_icd_dispatch, clUnloadCompiler) / sizeof(void *),
    SLOT_LAST =
        offsetof(cl_icd_dispatch, clSetContextDestructorCallback) / sizeof(void *),
};

#include "support/api.h"

#include "support/suite.h"

struct object { // as a loader sees it
    void **dispatch;
    void *loader_data;
};

START_TEST(every_object_begins_with_the_table)
{
    cl_event event = tf_api_user_event();
    void **table = ((struct object *)tf_api.platform)->dispatch;

    ck_assert_ptr_nonnull(table);
    ck_assert_ptr_eq(((struct object *)tf_api.device)->dispatch, table);
    ck_assert_ptr_eq(((struct object *)tf_api.ctx)->dispatch, table);
    ck_assert_ptr_eq(((struct object *)tf_api.q)->dispatch, table);
    ck_assert_ptr_eq(((struct object *)event)->dispatch, table);
    for (int i = 0; i < TF_TEST_TABLE_ENTRIES; i++)
        ck_assert_ptr_nonnull(table[i]);
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
    ck_assert_ptr_eq(((struct object *)event)->dispatch, table); // of a dead one, too
}
END_TEST

START_TEST(table_has_the_order_of_the_system_headers)
{
    static const char *const names[] = {
#define TF_ENTRY(state, failure, type, name, params) #name,
#include "api/entrypoints.def"
    };
    void **table = ((struct object *)tf_api.platform)->dispatch;

    ck_assert_str_eq(names[SLOT_FINISH], "clFinish");
    ck_assert_str_eq(names[SLOT_LAST], "clSetContextDestructorCallback");
    ck_assert_uint_eq(SLOT_LAST + 2, TF_TEST_TABLE_ENTRIES); // 3.1 adds one
    for (int i = 1; i < TF_TEST_TABLE_ENTRIES; i++)
        if (strcmp(names[i], "clUnloadCompiler"))
            ck_assert_ptr_eq(table[i], clIcdGetFunctionAddressForPlatformKHR(
                                           tf_api.platform, names[i]));
}
END_TEST

START_TEST(table_carries_the_mark_of_icd_2)
{
    void **table = ((struct object *)tf_api.platform)->dispatch;

    ck_assert_uint_eq((uintptr_t)table[0], CL_ICD2_TAG_KHR);
    ck_assert_uint_eq((uintptr_t)table[SLOT_UNLOAD], CL_ICD2_TAG_KHR);
}
END_TEST

START_TEST(loader_data_reaches_every_object)
{
    static int data;
    cl_int code;
    cl_context ctx;

    ck_assert_int_eq(clIcdSetPlatformDispatchDataKHR(tf_api.platform, &data), CL_SUCCESS);
    ck_assert_ptr_eq(((struct object *)tf_api.platform)->loader_data, &data);
    ck_assert_ptr_eq(((struct object *)tf_api.device)->loader_data, &data);
    ctx = clCreateContext(NULL, 1, &tf_api.device, NULL, NULL, &code);
    ck_assert_ptr_eq(((struct object *)ctx)->loader_data, &data);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
    ck_assert_rejects(CL_INVALID_PLATFORM, clIcdSetPlatformDispatchDataKHR(bad, &data),
                      tf_api.ctx);
    ck_assert_int_eq(clIcdSetPlatformDispatchDataKHR(tf_api.platform, NULL), CL_SUCCESS);
}
END_TEST

START_TEST(names_are_looked_up)
{
    ck_assert_ptr_nonnull(clGetExtensionFunctionAddress("clIcdGetPlatformIDsKHR"));
    ck_assert_ptr_nonnull(clGetExtensionFunctionAddressForPlatform(
        tf_api.platform, "clCreateCommandQueueWithPropertiesKHR"));
    ck_assert_ptr_nonnull(clGetExtensionFunctionAddressForPlatform(
        tf_api.platform, "clIcdGetFunctionAddressForPlatformKHR"));
    ck_assert_ptr_nonnull(clGetExtensionFunctionAddressForPlatform(
        tf_api.platform, "clGetKernelSuggestedLocalWorkSizeKHR"));
    ck_assert_ptr_nonnull(clGetExtensionFunctionAddressForPlatform(
        tf_api.platform, "clGetKernelSubGroupInfoKHR"));
    // Functions of extensions that are not listed
    ck_assert_ptr_null(clGetExtensionFunctionAddress("clCreateFromGLBuffer"));
    ck_assert_ptr_null(clGetExtensionFunctionAddress("clNoSuchFunction"));
    ck_assert_ptr_null(clGetExtensionFunctionAddress(NULL));
    ck_assert_ptr_null(clGetExtensionFunctionAddressForPlatform(tf_api.platform, NULL));
    ck_assert_ptr_null(clGetExtensionFunctionAddressForPlatform(NULL, "clFinish"));
    ck_assert_ptr_null(clIcdGetFunctionAddressForPlatformKHR(NULL, "clFinish"));
    // A loader fills a whole table with these
    ck_assert_ptr_nonnull(
        clIcdGetFunctionAddressForPlatformKHR(tf_api.platform, "clCreateFromGLBuffer"));
}
END_TEST

START_TEST(extension_that_is_not_offered_says_so)
{
    cl_int code = 1;

    ck_assert_ptr_null(clCreateFromGLBuffer(tf_api.ctx, 0, 1, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    ck_assert_ptr_null(clCreateFromGLBuffer(tf_api.ctx, 0, 1, NULL));
    ck_assert_int_eq(clEnqueueAcquireGLObjects(tf_api.q, 0, NULL, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("icd");
    TCase *tcase = tcase_create("icd");

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_test(tcase, every_object_begins_with_the_table);
    tcase_add_test(tcase, table_has_the_order_of_the_system_headers);
    tcase_add_test(tcase, table_carries_the_mark_of_icd_2);
    tcase_add_test(tcase, loader_data_reaches_every_object);
    tcase_add_test(tcase, names_are_looked_up);
    tcase_add_test(tcase, extension_that_is_not_offered_says_so);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
