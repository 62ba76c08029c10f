// SPDX-License-Identifier: MIT
// clCreateProgramWithSource, clCreateProgramWithBuiltInKernels, clBuildProgram,
// clGetProgramInfo, clGetProgramBuildInfo, clUnloadPlatformCompiler.
#include <string.h>

#include "api/program_rig.h"
#include "support/suite.h"

// ---- Making ----

static cl_int with_source(cl_context ctx, cl_uint count, const char **strings)
{
    cl_int code = 1;

    ck_assert_ptr_null(clCreateProgramWithSource(ctx, count, strings, NULL, &code));
    return code;
}

START_TEST(source_arguments_are_checked)
{
    const char *strings[2] = {source, NULL};

    ck_assert_int_eq(with_source(NULL, 1, strings), CL_INVALID_CONTEXT);
    ck_assert_int_eq(with_source(tf_api.ctx, 0, strings), CL_INVALID_VALUE);
    ck_assert_int_eq(with_source(tf_api.ctx, 1, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(with_source(tf_api.ctx, 2, strings), CL_INVALID_VALUE);
}
END_TEST

START_TEST(source_is_joined_from_strings)
{
    const char *strings[] = {"kernel void set(global int *p, int v) {past", " *p = v;",
                             " }"};
    const size_t lengths[] = {39, 0, 2};
    char seen[100];
    cl_int code;
    cl_program prog = clCreateProgramWithSource(tf_api.ctx, 3, strings, lengths, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_SOURCE, sizeof(seen), seen, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(seen, "kernel void set(global int *p, int v) { *p = v; }");
    ck_assert_int_eq(build(prog, NULL), CL_SUCCESS);
    check_runs(prog);
    drop(prog);
}
END_TEST

START_TEST(there_are_no_built_in_kernels)
{
    cl_int code = 1;

    ck_assert_ptr_null(
        clCreateProgramWithBuiltInKernels(NULL, 1, &tf_api.device, "k", &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clCreateProgramWithBuiltInKernels(tf_api.ctx, 0, &tf_api.device, "k", &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBuiltInKernels(tf_api.ctx, 1, NULL, "k", &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBuiltInKernels(tf_api.ctx, 1, &tf_api.device, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBuiltInKernels(tf_api.ctx, 1, &(cl_device_id){NULL}, "k", &code);
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    clCreateProgramWithBuiltInKernels(tf_api.ctx, 1, &tf_api.device, "k", &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
}
END_TEST

START_TEST(references_are_counted)
{
    cl_program prog = make(source);
    cl_uint refs = 0;

    ck_assert_int_eq(clRetainProgram(prog), CL_SUCCESS);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_REFERENCE_COUNT, sizeof(refs), &refs, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(refs, 2);
    drop(prog);
    drop(prog);
    ck_assert_int_eq(clReleaseProgram(prog), CL_INVALID_PROGRAM);
    ck_assert_int_eq(clRetainProgram(NULL), CL_INVALID_PROGRAM);
}
END_TEST

// ---- Building ----

START_TEST(build_makes_a_program_that_runs)
{
    cl_program prog = make(source);
    char options[32], names[32];
    size_t count = 0;

    ck_assert_int_eq(status_of(prog), CL_BUILD_NONE);
    ck_assert_str_eq(log_of(prog), "");
    ck_assert_int_eq(build(prog, "-DX=1"), CL_SUCCESS);
    ck_assert_int_eq(status_of(prog), CL_BUILD_SUCCESS);
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    get_build_info(prog, CL_PROGRAM_BUILD_OPTIONS, sizeof(options), options);
    ck_assert_str_eq(options, "-DX=1");
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(strlen(names), 7);
    ck_assert(strstr(names, "set") && strstr(names, "add") && names[3] == ';');
    check_runs(prog);
    drop(prog);
}
END_TEST

START_TEST(failed_build_says_where)
{
    cl_program prog = make("kernel void set(global int *p) {\n  *p = nothing;\n}\n");

    ck_assert_int_eq(build(prog, NULL), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_int_eq(status_of(prog), CL_BUILD_ERROR);
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_NONE);
    ck_assert_ptr_nonnull(strstr(log_of(prog), ":2:8:"));
    ck_assert_ptr_nonnull(strstr(log_of(prog), "nothing"));
    drop(prog);
}
END_TEST

START_TEST(unknown_option_is_an_error)
{
    cl_program prog = make(source);

    ck_assert_int_eq(build(prog, "-no-such-option"), CL_INVALID_BUILD_OPTIONS);
    ck_assert_int_eq(status_of(prog), CL_BUILD_ERROR);
    ck_assert_int_eq(build(prog, ""), CL_SUCCESS);
    check_runs(prog);
    drop(prog);
}
END_TEST

START_TEST(options_change_the_program)
{
    cl_program prog = make("kernel void set(global int *p, int v) { *p = V; }");

    ck_assert_int_eq(build(prog, NULL), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_int_eq(build(prog, "-D V=v"), CL_SUCCESS);
    check_runs(prog);
    drop(prog);
}
END_TEST

START_TEST(build_arguments_are_checked)
{
    cl_program prog = make(source);
    cl_device_id wrong = (cl_device_id)(void *)tf_api.platform, device = tf_api.device;

    ck_assert_int_eq(build(NULL, NULL), CL_INVALID_PROGRAM);
    ck_assert_int_eq(clBuildProgram(prog, 0, &device, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clBuildProgram(prog, 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clBuildProgram(prog, 0, NULL, NULL, NULL, &prog), CL_INVALID_VALUE);
    ck_assert_int_eq(clBuildProgram(prog, 1, &wrong, NULL, NULL, NULL),
                     CL_INVALID_DEVICE);
    ck_assert_int_eq(clBuildProgram(prog, 1, &device, NULL, NULL, NULL), CL_SUCCESS);
    drop(prog);
}
END_TEST

START_TEST(attached_kernel_forbids_a_build)
{
    cl_program prog = tf_api_program(source, NULL);
    cl_kernel kernel = tf_api_kernel(prog, "set");

    ck_assert_int_eq(build(prog, NULL), CL_INVALID_OPERATION);
    ck_assert_int_eq(clCompileProgram(prog, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(build(prog, NULL), CL_SUCCESS);
    check_runs(prog);
    drop(prog);
}
END_TEST

START_TEST(callback_is_told_of_the_end)
{
    cl_program good = make(source), bad = make("kernel nonsense");
    int one = 1, two = 2, three = 3;

    ck_assert_int_eq(clBuildProgram(good, 0, NULL, NULL, on_built, &one), CL_SUCCESS);
    wait_told(1);
    ck_assert_int_eq(told_status, CL_BUILD_SUCCESS);
    check_runs(good);
    ck_assert_int_eq(clBuildProgram(bad, 0, NULL, NULL, on_built, &two), CL_SUCCESS);
    wait_told(2);
    ck_assert_int_eq(told_status, CL_BUILD_ERROR);
    drop(bad);

    bad = make(source);
    ck_assert_int_eq(clBuildProgram(bad, 0, NULL, NULL, on_built, &three), CL_SUCCESS);
    drop(bad); // released while it is built
    wait_told(3);
    drop(good);
}
END_TEST

// ---- Queries ----

START_TEST(queries_tell_and_check)
{
    cl_program prog = make(source);
    cl_context ctx = NULL;
    cl_device_id device = NULL;
    cl_uint count = 0;
    size_t size = 99;
    cl_bool present = 9;

    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_CONTEXT, sizeof(ctx), &ctx, NULL),
                     CL_SUCCESS);
    ck_assert_ptr_eq(ctx, tf_api.ctx);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_DEVICES, sizeof(device), &device, NULL),
        CL_SUCCESS);
    ck_assert_ptr_eq(device, tf_api.device);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_IL, 0, NULL, &size), CL_SUCCESS);
    ck_assert_uint_eq(size, 0);
    size = 99;
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(size, 0); // not built
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_KERNEL_NAMES, 0, NULL, NULL),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, 0, NULL, NULL),
        CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(clGetProgramInfo(NULL, CL_PROGRAM_DEVICES, 0, NULL, NULL),
                     CL_INVALID_PROGRAM);
    ck_assert_int_eq(clGetProgramInfo(prog, 0x1234, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_SOURCE, 3, log_text, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_BINARIES, 3, log_text, NULL),
                     CL_INVALID_VALUE);

    ck_assert_int_eq(build(prog, NULL), CL_SUCCESS);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT,
                                      sizeof(present), &present, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(present, CL_FALSE);
    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device,
                                           CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                           sizeof(size), &size, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(size, 0);
    ck_assert_int_eq(
        clGetProgramBuildInfo(NULL, tf_api.device, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL),
        CL_INVALID_PROGRAM);
    ck_assert_int_eq(
        clGetProgramBuildInfo(prog, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL),
        CL_INVALID_DEVICE);
    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, 0x1234, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    drop(prog);
}
END_TEST

START_TEST(null_place_skips_a_binary)
{
    cl_program prog = tf_api_program(source, NULL);
    unsigned char *none = NULL;
    size_t bytes = 0;

    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARIES, sizeof(none), &none, &bytes),
        CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(none));
    ck_assert_ptr_null(none);
    drop(prog);
}
END_TEST

START_TEST(unloading_the_compiler_is_a_hint)
{
    cl_program prog;

    ck_assert_int_eq(clUnloadPlatformCompiler(NULL), CL_INVALID_PLATFORM);
    ck_assert_int_eq(clUnloadPlatformCompiler((cl_platform_id)(void *)tf_api.q),
                     CL_INVALID_PLATFORM);
    ck_assert_int_eq(clUnloadPlatformCompiler(tf_api.platform), CL_SUCCESS);
    ck_assert_int_eq(clUnloadCompiler(), CL_SUCCESS);
    prog = tf_api_program(source, NULL);
    check_runs(prog);
    drop(prog);
}
END_TEST

static void add_tests(TCase *all)
{
    tcase_add_test(all, source_arguments_are_checked);
    tcase_add_test(all, source_is_joined_from_strings);
    tcase_add_test(all, there_are_no_built_in_kernels);
    tcase_add_test(all, references_are_counted);
    tcase_add_test(all, build_makes_a_program_that_runs);
    tcase_add_test(all, failed_build_says_where);
    tcase_add_test(all, unknown_option_is_an_error);
    tcase_add_test(all, options_change_the_program);
    tcase_add_test(all, build_arguments_are_checked);
    tcase_add_test(all, attached_kernel_forbids_a_build);
    tcase_add_test(all, callback_is_told_of_the_end);
    tcase_add_test(all, queries_tell_and_check);
    tcase_add_test(all, null_place_skips_a_binary);
    tcase_add_test(all, unloading_the_compiler_is_a_hint);
}

int main(void)
{
    Suite *suite = suite_create("program");
    TCase *all = tcase_create("program");

    tcase_add_checked_fixture(all, tf_api_begin, tf_api_end);
    add_tests(all);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
