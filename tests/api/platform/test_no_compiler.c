// SPDX-License-Identifier: MIT
// Without libtrefoil-compiler.so, or with something else in its place: the device says
// so, and builds do.
#include "support/api.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "abi/version.h"
#include "support/suite.h"

static cl_bool answer(cl_device_info query)
{
    cl_bool value = 2;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, query, sizeof(value), &value, NULL),
                     CL_SUCCESS);
    return value;
}

START_TEST(device_says_that_there_is_no_compiler)
{
    char version[64];

    ck_assert_uint_eq(answer(CL_DEVICE_COMPILER_AVAILABLE), CL_FALSE);
    ck_assert_uint_eq(answer(CL_DEVICE_LINKER_AVAILABLE), CL_FALSE);
    ck_assert_uint_eq(answer(CL_DEVICE_AVAILABLE), CL_TRUE);
    ck_assert_int_eq(
        clGetDeviceInfo(tf_api.device, CL_DRIVER_VERSION, sizeof(version), version, NULL),
        CL_SUCCESS);
    ck_assert_str_eq(version, TF_VERSION_TEXT); // no build of the compiler
}
END_TEST

START_TEST(builds_say_so_too)
{
    const char *text = "kernel void k(global int *p) { p[0] = 1; }";
    cl_int status = CL_SUCCESS;
    cl_program program = clCreateProgramWithSource(tf_api.ctx, 1, &text, NULL, &status);

    ck_assert_int_eq(status, CL_SUCCESS);
    ck_assert_int_eq(clBuildProgram(program, 0, NULL, NULL, NULL, NULL),
                     CL_COMPILER_NOT_AVAILABLE);
    ck_assert_int_eq(clReleaseProgram(program), CL_SUCCESS);
}
END_TEST

// The environment is read before main(): the program starts itself again, for each place.
int main(int argc, char **argv)
{
    // Nothing, a folder, a file that is no library.
    static const char *const places[] = {"/no such library", "/tmp", "/etc/passwd"};
    const size_t count = sizeof(places) / sizeof(places[0]);
    const char *const at = getenv("TF_PLACE");
    const size_t next = at ? strtoul(at, NULL, 10) : 0;
    Suite *suite = suite_create("no_compiler");
    TCase *tcase = tcase_create("no_compiler");
    char number[20];
    int failed;

    (void)argc;
    if (!at) {
        setenv("TF_PLACE", "1", 1);
        setenv("TREFOIL_COMPILER_LIBRARY", places[0], 1);
        execv("/proc/self/exe", argv);
    }
    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_test(tcase, device_says_that_there_is_no_compiler);
    tcase_add_test(tcase, builds_say_so_too);
    suite_add_tcase(suite, tcase);
    failed = tf_run_suite(suite);
    if (failed || next == count)
        return failed;
    snprintf(number, sizeof(number), "%zu", next + 1);
    setenv("TF_PLACE", number, 1);
    setenv("TREFOIL_COMPILER_LIBRARY", places[next], 1);
    execv("/proc/self/exe", argv);
    return 1;
}
