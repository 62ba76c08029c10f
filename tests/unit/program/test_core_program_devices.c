// SPDX-License-Identifier: MIT
// Programs of a context with two mock devices.
#include <string.h>

#include "base/alloc.h"
#include "core/program/kernel.h"
#include "core/program/program_binary.h"
#include "core/program/program_build.h"
#include "core/program/program_query.h"
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

// Binary of the program for both devices: sizes[] and data[], owned.
static size_t binary_sizes[2];
static unsigned char *binaries[2];

static void take_binaries(void)
{
    ck_assert_int_eq(tf_program_get_info(&err, prog, CL_PROGRAM_BINARY_SIZES,
                                         sizeof(binary_sizes), binary_sizes, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < 2; i++)
        binaries[i] = tf_zalloc(binary_sizes[i]);
    ck_assert_int_eq(tf_program_get_info(&err, prog, CL_PROGRAM_BINARIES,
                                         sizeof(binaries), binaries, NULL),
                     CL_SUCCESS);
}

static cl_int load(cl_int status[2], cl_program *out)
{
    const struct tf_binary_desc desc = {.device_count = 2,
                                        .devices = devices,
                                        .lengths = binary_sizes,
                                        .binaries = (const unsigned char **)binaries,
                                        .status = status};

    return tf_program_create_binary(&(struct tf_err){0}, both, &desc, out);
}

START_TEST(each_device_has_its_own_binary)
{
    struct tf_build_desc one = {.device_count = 1};
    cl_program again = NULL;
    cl_int status[2] = {1, 1};
    cl_kernel kernel = NULL;

    make("kernel a");
    one.devices = &devices[0];
    ck_assert_int_eq(tf_program_build(&err, prog, &one), CL_SUCCESS);
    one.devices = &devices[1];
    ck_assert_int_eq(tf_program_compile(&err, prog, &one), CL_SUCCESS);
    take_binaries();
    ck_assert_int_eq(load(status, &again), CL_SUCCESS);
    ck_assert_int_eq(status[0], CL_SUCCESS);
    ck_assert_int_eq(status[1], CL_SUCCESS);
    one.devices = &devices[1]; // holds a compiled object
    ck_assert_int_eq(tf_program_build(&(struct tf_err){0}, again, &one),
                     CL_INVALID_BINARY);
    ck_assert_int_eq(
        tf_program_build(&(struct tf_err){0}, again, &(struct tf_build_desc){0}),
        CL_INVALID_BINARY);
    one.devices = &devices[0];
    ck_assert_int_eq(tf_program_build(&err, again, &one), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create(&err, again, "a", &kernel), CL_SUCCESS);
    ck_assert_ptr_nonnull(tf_kernel_on(kernel, devices[0]));
    ck_assert_ptr_null(tf_kernel_on(kernel, devices[1]));
    tf_core_release(kernel, &tf_class_kernel);
    tf_core_release(again, &tf_class_program);
    tf_free(binaries[0]);
    tf_free(binaries[1]);
}
END_TEST

START_TEST(status_tells_which_binary_is_damaged)
{
    cl_program again = NULL;
    cl_int status[2] = {1, 1};

    make("kernel a");
    ck_assert_int_eq(tf_program_build(&err, prog, &(struct tf_build_desc){0}),
                     CL_SUCCESS);
    take_binaries();
    binaries[0][binary_sizes[0] - 1] ^= 1;
    ck_assert_int_eq(load(status, &again), CL_INVALID_BINARY);
    ck_assert_ptr_null(again);
    ck_assert_int_eq(status[0], CL_INVALID_BINARY);
    ck_assert_int_eq(status[1], CL_SUCCESS);
    tf_free(binaries[0]);
    tf_free(binaries[1]);
}
END_TEST

// The container says one thing, what is in it another.
START_TEST(binary_of_another_type_than_it_says_is_refused)
{
    struct tf_program_binary content;
    cl_program again = NULL;
    cl_int status[2] = {1, 1};
    void *whole;

    make("kernel a");
    ck_assert_int_eq(tf_program_build(&err, prog, &(struct tf_build_desc){0}),
                     CL_SUCCESS);
    take_binaries();
    whole = binaries[1];
    ck_assert_int_eq(tf_program_binary_read(&err, whole, binary_sizes[1], &content),
                     CL_SUCCESS);
    content.type = CL_PROGRAM_BINARY_TYPE_LIBRARY;
    binaries[1] = tf_program_binary_write(&content, &binary_sizes[1]);
    ck_assert_int_eq(load(status, &again), CL_INVALID_BINARY);
    ck_assert_int_eq(status[0], CL_SUCCESS);
    ck_assert_int_eq(status[1], CL_INVALID_BINARY);
    tf_free(whole);
    tf_free(binaries[0]);
    tf_free(binaries[1]);
}
END_TEST

static cl_int use_binaries(void)
{
    cl_program again = NULL;
    struct tf_err own = {0};
    char names[16];
    const cl_int code = load(NULL, &again);

    if (!again)
        return code;
    if (!tf_program_build(&own, again, &(struct tf_build_desc){0}))
        tf_program_get_info(&own, again, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names,
                            NULL);
    tf_core_release(again, &tf_class_program);
    return own.code;
}

START_TEST(running_out_of_memory_for_binaries_is_an_error_code)
{
    int failures = 0;
    cl_int code;

    make("kernel a");
    ck_assert_int_eq(tf_program_build(&err, prog, &(struct tf_build_desc){0}),
                     CL_SUCCESS);
    take_binaries();
    for (long n = 0; n < 50; n++) {
        tf_alloc_fail_at(n);
        code = use_binaries();
        tf_alloc_fail_at(-1);
        ck_assert_msg(code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY, "n %ld: %d", n,
                      code);
        failures += code != CL_SUCCESS;
    }
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_gt(failures, 8);
    tf_free(binaries[0]);
    tf_free(binaries[1]);
}
END_TEST

// A table whose only kernel lacks the arguments.
static void other_kernels(struct tf_devprog *devprog, struct tf_program_info *out)
{
    static const struct tf_kernel_info other = {.name = "a", .attributes = ""};

    (void)devprog;
    *out = (struct tf_program_info){
        .type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE, .kernels = &other, .kernel_count = 1};
}

START_TEST(kernels_that_differ_between_devices_are_refused)
{
    const struct tf_build_desc all = {0};
    cl_kernel kernel = NULL;
    cl_uint count = 9;

    second->ops.program_info = other_kernels;
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

// Tables of one kernel that has the mock's arguments but for one detail.
static struct tf_kernel_arg_info changed_args[TF_MOCK_ARGS];
static struct tf_kernel_info changed = {.name = "a",
                                        .attributes = "",
                                        .args = changed_args,
                                        .arg_count = TF_MOCK_ARGS,
                                        .arg_block_bytes = TF_MOCK_BLOCK_BYTES};

static void changed_kernels(struct tf_devprog *devprog, struct tf_program_info *out)
{
    (void)devprog;
    *out = (struct tf_program_info){.type = CL_PROGRAM_BINARY_TYPE_EXECUTABLE,
                                    .kernels = &changed,
                                    .kernel_count = 1};
}

static void change(int detail)
{
    memcpy(changed_args, tf_mock_args, sizeof(changed_args));
    if (detail == 0)
        changed_args[0].kind = TF_ARG_LOCAL;
    else if (detail == 1)
        changed_args[1].size_bytes = 2;
    else if (detail == 2)
        changed_args[1].block_offset_bytes = 12;
    else if (detail == 3)
        changed_args[0].address_qualifier = CL_KERNEL_ARG_ADDRESS_CONSTANT;
    else if (detail == 4)
        changed_args[0].access_qualifier = CL_KERNEL_ARG_ACCESS_READ_ONLY;
    else if (detail == 5)
        changed_args[1].type_name = "int";
}

enum { DETAILS = 6 };

START_TEST(argument_that_differs_between_devices_is_refused)
{
    cl_kernel kernel = NULL;
    const bool alike = _i == DETAILS;

    change(_i);
    second->ops.program_info = changed_kernels;
    make("kernel a");
    ck_assert_int_eq(tf_program_build(&err, prog, &(struct tf_build_desc){0}),
                     CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create(&(struct tf_err){0}, prog, "a", &kernel),
                     alike ? CL_SUCCESS : CL_INVALID_KERNEL_DEFINITION);
    if (kernel)
        tf_core_release(kernel, &tf_class_kernel);
}
END_TEST

START_TEST(kernels_that_all_devices_have_are_made)
{
    cl_kernel kernel = NULL;
    cl_uint count = 0;

    change(DETAILS);
    second->ops.program_info = changed_kernels;
    make("kernel b kernel a kernel c");
    ck_assert_int_eq(tf_program_build(&err, prog, &(struct tf_build_desc){0}),
                     CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create_all(&err, prog, 1, &kernel, &count), CL_SUCCESS);
    ck_assert_uint_eq(count, 1);
    ck_assert_str_eq(kernel->info->name, "a");
    tf_core_release(kernel, &tf_class_kernel);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_devices");
    TCase *all = tcase_create("program_devices");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, devices_are_built_one_by_one);
    tcase_add_test(all, each_device_has_its_own_binary);
    tcase_add_test(all, status_tells_which_binary_is_damaged);
    tcase_add_test(all, binary_of_another_type_than_it_says_is_refused);
    tcase_add_test(all, running_out_of_memory_for_binaries_is_an_error_code);
    tcase_add_test(all, kernels_that_differ_between_devices_are_refused);
    tcase_add_loop_test(all, argument_that_differs_between_devices_is_refused, 0,
                        DETAILS + 1);
    tcase_add_test(all, kernels_that_all_devices_have_are_made);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
