// SPDX-License-Identifier: MIT
// Programs of a context with two mock devices.
#include "core/kernel.h"
#include "core/program_build.h"
#include "core/program_query.h"
#include "support/core.h"
#include "support/suite.h"

static struct tf_core core;
static struct tf_mock *second;
static cl_device_id devices[2];
static cl_context both;
static cl_program prog;
static struct tf_err err;

static void begin(void)
{
    err = (struct tf_err){0};
    core = tf_core_begin(1);
    second = tf_mock_create(1);
    ck_assert_ptr_nonnull(second);
}

// The context and its program, once the test has changed the second device.
static void make(const char *text)
{
    const struct tf_context_desc desc = {.devices = devices, .device_count = 2};
    const struct tf_source_desc source = {.count = 1, .strings = &text};

    devices[0] = core.device;
    devices[1] = tf_device_register(&second->dev, NULL);
    ck_assert_int_eq(tf_context_create(&err, &desc, &both), CL_SUCCESS);
    ck_assert_int_eq(tf_program_create_source(&err, both, &source, &prog), CL_SUCCESS);
}

static void end(void)
{
    tf_core_release(prog, &tf_class_program);
    tf_core_release(both, &tf_class_context);
    ck_assert(tf_core_wait_int(&second->closed, 1));
    ck_assert_int_eq(atomic_load(&second->live_programs), 0);
    tf_mock_destroy(second);
    tf_core_end(&core);
}

START_TEST(devices_are_built_one_by_one)
{
    const struct tf_build_desc all = {0};
    struct tf_build_desc on_second = {.device_count = 1};
    cl_build_status status = 1;
    cl_kernel kernel = NULL;
    cl_command_queue q = NULL;
    size_t sizes[2] = {1, 1};

    make("kernel a");
    on_second.devices = &devices[1];
    ck_assert_int_eq(tf_program_build(&err, prog, &on_second), CL_SUCCESS);
    tf_program_get_build_info(&err, prog, 0, CL_PROGRAM_BUILD_STATUS, sizeof(status),
                              &status, NULL);
    ck_assert_int_eq(status, CL_BUILD_NONE);
    ck_assert_int_eq(tf_program_get_info(&err, prog, CL_PROGRAM_BINARY_SIZES,
                                         sizeof(sizes), sizes, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(sizes[0], 0);
    ck_assert_uint_gt(sizes[1], 0);
    ck_assert_int_eq(tf_kernel_create(&err, prog, "a", &kernel), CL_SUCCESS);
    ck_assert_ptr_null(tf_kernel_on(kernel, devices[0]));
    ck_assert_int_eq(
        tf_queue_create(&err, both, &(struct tf_queue_desc){.device = devices[0]}, &q),
        CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(q, kernel, 1, NULL, NULL, NULL, 0, NULL, NULL),
        CL_INVALID_PROGRAM_EXECUTABLE);
    tf_core_release(q, &tf_class_queue);
    ck_assert_ptr_nonnull(tf_kernel_on(kernel, devices[1]));
    tf_core_release(kernel, &tf_class_kernel);
    ck_assert_int_eq(tf_program_build(&err, prog, &all), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create(&err, prog, "a", &kernel), CL_SUCCESS);
    ck_assert_ptr_nonnull(tf_kernel_on(kernel, devices[0]));
    tf_core_release(kernel, &tf_class_kernel);
}
END_TEST

// A table whose only kernel lacks the arguments.
static const struct tf_kernel_info *other_kernels(struct tf_devprog *devprog,
                                                  size_t *count)
{
    static const struct tf_kernel_info other = {.name = "a", .attributes = ""};

    (void)devprog;
    *count = 1;
    return &other;
}

START_TEST(kernels_that_differ_between_devices_are_refused)
{
    const struct tf_build_desc all = {0};
    cl_kernel kernel = NULL;
    cl_uint count = 9;

    second->ops.program_kernels = other_kernels;
    make("kernel a kernel b");
    ck_assert_int_eq(tf_program_build(&err, prog, &all), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create(&(struct tf_err){0}, prog, "a", &kernel),
                     CL_INVALID_KERNEL_DEFINITION);
    ck_assert_int_eq(tf_kernel_create(&(struct tf_err){0}, prog, "b", &kernel),
                     CL_INVALID_KERNEL_NAME); // the second device has none
    ck_assert_int_eq(tf_kernel_create_all(&err, prog, 0, NULL, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 0);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_devices");
    TCase *all = tcase_create("program_devices");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, devices_are_built_one_by_one);
    tcase_add_test(all, kernels_that_differ_between_devices_are_refused);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
