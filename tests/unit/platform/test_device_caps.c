// SPDX-License-Identifier: MIT
// What OpenCL demands of capabilities, and what queries and entry points make of those
// of the mock device.
#include "api/dispatch.h"

#include <stdlib.h>
#include <string.h>

#include "core/platform/device.h"
#include "core/platform/device_query.h"
#include "support/core.h"
#include "support/suite.h"

static struct tf_mock *mock;

static void setup(void)
{
    mock = tf_mock_create(0);
    ck_assert_ptr_nonnull(mock);
}

static void teardown(void)
{
    tf_mock_destroy(mock);
}

static void set(enum tf_feature feature, bool in)
{
    tf_feature_put(&mock->caps.features, feature, in);
}

static const char *fault(void)
{
    return tf_device_caps_fault(&mock->caps);
}

START_TEST(mock_meets_all_demands)
{
    ck_assert_ptr_null(fault());
}
END_TEST

// One thing less than OpenCL demands, or one that contradicts another.
static void no_type(void)
{
    mock->caps.type = 0;
}

static void two_types(void)
{
    mock->caps.type = CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU;
}

static void short_parameters(void)
{
    mock->caps.max_parameter_bytes = 1023;
}

static void small_local_memory(void)
{
    mock->caps.local_memory_bytes = (32 << 10) - 1;
}

static void no_profiling(void)
{
    mock->caps.queue_properties = 0;
}

static void no_long(void)
{
    set(TF_FEATURE_int64, false);
}

static void double_by_halves(void)
{
    set(TF_FEATURE_cl_khr_fp64, false);
}

static void double_without_fma(void)
{
    mock->caps.double_config &= ~(cl_device_fp_config)CL_FP_FMA;
}

static void half_without_arithmetic(void)
{
    mock->caps.half_config = 0;
}

static void no_sub_group_size(void)
{
    mock->caps.sub_group_size = 0;
}

static void few_pipes(void)
{
    mock->caps.pipe_args = 15;
}

static void pipes_without_the_feature(void)
{
    set(TF_FEATURE_pipes, false);
}

static void written_images_without_images(void)
{
    set(TF_FEATURE_read_write_images, true);
}

static void images_without_limits(void)
{
    set(TF_FEATURE_images, true);
}

static void small_images(void)
{
    tf_mock_give_images(mock);
    mock->caps.images.plane_px[1] = 8192;
}

static void few_image_arguments(void)
{
    tf_mock_give_images(mock);
    mock->caps.images.read_write_args = 63;
}

static void volumes_written_by_half(void)
{
    tf_mock_give_images(mock);
    set(TF_FEATURE_cl_khr_3d_image_writes, false);
}

static void seq_cst_without_its_macro(void)
{
    set(TF_FEATURE_atomic_order_seq_cst, false);
}

static void svm_atomics_without_fine_grain(void)
{
    mock->caps.svm = CL_DEVICE_SVM_COARSE_GRAIN_BUFFER | CL_DEVICE_SVM_ATOMICS;
}

static void compiler_without_linker(void)
{
    mock->caps.linker = false;
}

static void opencl_c_of_older_days(void)
{
    mock->caps.opencl_c_max = CL_MAKE_VERSION(3, 0, 0);
}

static void no_rotation_of_sub_groups(void)
{
    set(TF_FEATURE_cl_khr_subgroup_rotate, false);
}

static void spirv_without_its_queries(void)
{
    set(TF_FEATURE_cl_khr_spirv_queries, false);
}

static void (*const faults[])(void) = {
    no_type,
    two_types,
    short_parameters,
    small_local_memory,
    no_profiling,
    no_long,
    double_by_halves,
    double_without_fma,
    half_without_arithmetic,
    no_sub_group_size,
    few_pipes,
    pipes_without_the_feature,
    written_images_without_images,
    images_without_limits,
    small_images,
    few_image_arguments,
    volumes_written_by_half,
    seq_cst_without_its_macro,
    svm_atomics_without_fine_grain,
    compiler_without_linker,
    spirv_without_its_queries,
    opencl_c_of_older_days,
    no_rotation_of_sub_groups,
};

START_TEST(device_with_a_fault_is_left_out)
{
    faults[_i]();
    ck_assert_ptr_nonnull(fault());
    ck_assert_ptr_null(tf_device_register(&mock->dev, NULL));
}
END_TEST

static cl_device_id registered(void)
{
    cl_device_id device = tf_device_register(&mock->dev, NULL);

    ck_assert_ptr_nonnull(device);
    return device;
}

static cl_bool answer(cl_device_id device, cl_device_info param)
{
    struct tf_err err = {0};
    cl_bool value = 2;

    ck_assert_int_eq(tf_device_get_info(&err, device, param, sizeof(value), &value, NULL),
                     CL_SUCCESS);
    return value;
}

static void check_words(cl_device_id device, const char *word, bool there)
{
    struct tf_err err = {0};
    char text[8192];

    ck_assert_int_eq(
        tf_device_get_info(&err, device, CL_DEVICE_EXTENSIONS, sizeof(text), text, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(strstr(text, word) != NULL, there);
    ck_assert_ptr_null(strstr(text, "  "));
    ck_assert_ptr_null(strstr(text, "__opencl_c"));
}

START_TEST(queries_answer_what_the_device_has)
{
    cl_device_id device;

    mock->caps.type = CL_DEVICE_TYPE_GPU;
    mock->caps.compiler = mock->caps.linker = false;
    tf_mock_give_images(mock);
    set(TF_FEATURE_cl_khr_fp16, false);
    mock->caps.half_config = 0;
    device = registered();
    ck_assert_uint_eq(answer(device, CL_DEVICE_IMAGE_SUPPORT), CL_TRUE);
    ck_assert_uint_eq(answer(device, CL_DEVICE_COMPILER_AVAILABLE), CL_FALSE);
    ck_assert_uint_eq(answer(device, CL_DEVICE_LINKER_AVAILABLE), CL_FALSE);
    ck_assert_uint_eq(answer(device, CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF), 0);
    check_words(device, "cl_khr_fp16", false);
    check_words(device, "cl_khr_fp64", true);
}
END_TEST

START_TEST(query_of_an_extension_that_the_device_lacks_is_unknown)
{
    struct tf_err err = {0};
    cl_device_id device;
    size_t bytes;

    set(TF_FEATURE_cl_khr_kernel_clock, false);
    mock->caps.kernel_clocks = 0;
    device = registered();
    ck_assert_int_eq(tf_device_get_info(&err, device, 0x1076, 0, NULL, &bytes),
                     CL_INVALID_VALUE);
}
END_TEST

START_TEST(versions_of_opencl_c_end_with_the_newest)
{
    cl_name_version versions[8];
    struct tf_err err = {0};
    cl_device_id device = registered();
    size_t bytes, count;

    ck_assert_int_eq(tf_device_get_info(&err, device, CL_DEVICE_OPENCL_C_ALL_VERSIONS,
                                        sizeof(versions), versions, &bytes),
                     CL_SUCCESS);
    count = bytes / sizeof(versions[0]);
    ck_assert_uint_eq(count, 5);
    ck_assert_uint_eq(versions[0].version, CL_MAKE_VERSION(1, 0, 0));
    ck_assert_uint_eq(versions[count - 1].version, CL_MAKE_VERSION(3, 1, 0));
    ck_assert_str_eq(versions[0].name, "OpenCL C");
}
END_TEST

// The macros of its features are of OpenCL C 3.0: all of it, or none.
START_TEST(opencl_c_2_0_is_listed_with_all_its_features)
{
    cl_name_version versions[8];
    struct tf_err err = {0};
    cl_device_id device;
    size_t bytes;

    tf_mock_give_images(mock);
    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        if (tf_features[f].is_2_0)
            set(f, true);
    device = registered();
    ck_assert_int_eq(tf_device_get_info(&err, device, CL_DEVICE_OPENCL_C_ALL_VERSIONS,
                                        sizeof(versions), versions, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes / sizeof(versions[0]), 6);
    ck_assert_uint_eq(versions[3].version, CL_MAKE_VERSION(2, 0, 0));
}
END_TEST

START_TEST(settings_override)
{
    struct tf_err err = {0};
    cl_device_id device;
    char text[64];

    setenv("TREFOIL_VENDOR_ID", "0x8086", 1);
    setenv("TREFOIL_DRIVER_VERSION", "9.8.7", 1);
    device = registered();
    ck_assert_uint_eq(answer(device, CL_DEVICE_VENDOR_ID), 0x8086);
    ck_assert_int_eq(
        tf_device_get_info(&err, device, CL_DRIVER_VERSION, sizeof(text), text, NULL),
        CL_SUCCESS);
    ck_assert_str_eq(text, "9.8.7");
}
END_TEST

static cl_context make_context(cl_device_id device)
{
    const struct tf_context_desc desc = {.devices = &device, .device_count = 1};
    struct tf_err err = {0};
    cl_context ctx = NULL;

    ck_assert_int_eq(tf_context_create(&err, &desc, &ctx), CL_SUCCESS);
    return ctx;
}

START_TEST(queue_out_of_order_needs_a_device_that_can)
{
    const cl_command_queue_properties flags = CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE;
    const cl_queue_properties list[] = {CL_QUEUE_PROPERTIES, flags, 0};
    cl_int status = CL_SUCCESS;
    cl_device_id device;
    cl_command_queue q;
    cl_context ctx;

    mock->caps.queue_properties = CL_QUEUE_PROFILING_ENABLE;
    device = registered();
    ctx = make_context(device);
    ck_assert_ptr_null(clCreateCommandQueue(ctx, device, flags, &status));
    ck_assert_int_eq(status, CL_INVALID_QUEUE_PROPERTIES);
    ck_assert_ptr_null(clCreateCommandQueueWithProperties(ctx, device, list, &status));
    ck_assert_int_eq(status, CL_INVALID_QUEUE_PROPERTIES);
    q = clCreateCommandQueue(ctx, device, CL_QUEUE_PROFILING_ENABLE, &status);
    ck_assert_int_eq(status, CL_SUCCESS);
    tf_core_release(q, &tf_class_queue);
    tf_core_release(ctx, &tf_class_context);
}
END_TEST

static void CL_CALLBACK nothing(void *arg)
{
    (void)arg;
}

START_TEST(native_kernel_needs_a_device_that_runs_them)
{
    cl_int status = CL_SUCCESS;
    cl_device_id device;
    cl_command_queue q;
    cl_context ctx;

    mock->caps.execution = CL_EXEC_KERNEL;
    device = registered();
    ctx = make_context(device);
    q = clCreateCommandQueue(ctx, device, 0, &status);
    ck_assert_int_eq(
        clEnqueueNativeKernel(q, nothing, NULL, 0, 0, NULL, NULL, 0, NULL, NULL),
        CL_INVALID_OPERATION);
    tf_core_release(q, &tf_class_queue);
    tf_core_release(ctx, &tf_class_context);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device_caps");
    TCase *tcase = tcase_create("device_caps");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_add_test(tcase, mock_meets_all_demands);
    tcase_add_loop_test(tcase, device_with_a_fault_is_left_out, 0,
                        sizeof(faults) / sizeof(faults[0]));
    tcase_add_test(tcase, queries_answer_what_the_device_has);
    tcase_add_test(tcase, query_of_an_extension_that_the_device_lacks_is_unknown);
    tcase_add_test(tcase, versions_of_opencl_c_end_with_the_newest);
    tcase_add_test(tcase, opencl_c_2_0_is_listed_with_all_its_features);
    tcase_add_test(tcase, settings_override);
    tcase_add_test(tcase, queue_out_of_order_needs_a_device_that_can);
    tcase_add_test(tcase, native_kernel_needs_a_device_that_runs_them);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
