// SPDX-License-Identifier: MIT
// What the build option -cl-trefoil-report adds to the build log.
#include <stdio.h>
#include <string.h>

#include "api/program_rig.h"
#include "support/suite.h"

static const char report_source[] =
    "kernel void lanes(global float *out, global const float *in, global const int *at)\n"
    "{\n"
    "    int i = get_global_id(0);\n"
    "    float x = in[at[i]];\n"
    "    for (int k = 0; k < 100; k++)\n"
    "        x = x * x + k;\n"
    "    if (x > 3)\n"
    "        out[at[i]] = x;\n"
    "}\n"
    "kernel void waits(volatile global int *lock, global int *out)\n"
    "{\n"
    "    while (atomic_cmpxchg(lock, 0, 1))\n"
    "        ;\n"
    "    out[get_global_id(0)]++;\n"
    "    atomic_xchg(lock, 0);\n"
    "}\n"
    "kernel void set(global int *p, int v) { *p = v; }\n";

static void check_log(const char *log)
{
    ck_assert_msg(strstr(log, "kernel lanes: simt"), "%s", log);
    ck_assert_msg(strstr(log, " lanes"), "%s", log);
    ck_assert_msg(strstr(log, "kernel.cl:4: 1 gather\n"), "%s", log);
    ck_assert_msg(strstr(log, "kernel.cl:7: 1 divergent branch\n"), "%s", log);
    ck_assert_msg(strstr(log, "kernel.cl:8: 1 scatter\n"), "%s", log);
    ck_assert_msg(strstr(log, "kernel waits: loops: not widened: a loop waits"), "%s",
                  log);
    ck_assert_msg(strstr(log, "kernel set: "), "%s", log);
}

START_TEST(report_says_what_each_line_became)
{
    cl_program prog = make(report_source);

    ck_assert_int_eq(build(prog, "-D X=1 -cl-trefoil-report"), CL_SUCCESS);
    check_log(log_of(prog));
    check_runs(prog);
    drop(prog);
}
END_TEST

START_TEST(report_is_made_when_objects_are_linked)
{
    cl_program object = make(report_source), prog;
    cl_int code;

    ck_assert_int_eq(clCompileProgram(object, 0, NULL, "-cl-trefoil-report", 0, NULL,
                                      NULL, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(log_of(object), "");
    prog = clLinkProgram(tf_api.ctx, 0, NULL, "-cl-trefoil-report", 1, &object, NULL,
                         NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    check_log(log_of(prog));
    check_runs(prog);
    drop(prog);
    drop(object);
}
END_TEST

START_TEST(mistakes_without_a_message_are_named)
{
    cl_program prog = make("kernel void k(global float3 *points, global float *out)\n"
                           "{ out[0] = out[1] * 2.0 + points[0].x; }\n");
    const char *log;

    ck_assert_int_eq(build(prog, "-cl-trefoil-report"), CL_SUCCESS);
    log = log_of(prog);
    ck_assert_msg(strstr(log, "hint: kernel k, argument points: "), "%s", log);
    ck_assert_msg(strstr(log, "apart as those of float4"), "%s", log);
    ck_assert_msg(strstr(log, "hint: a constant without f is a double"), "%s", log);
    drop(prog);
}
END_TEST

// A kernel without loops, which has lanes by itself; one that never would.
START_TEST(hints_set_the_lanes)
{
    static const struct {
        const char *hint, *kernel, *report;
    } rows[] = {{"1", "copy", "kernel copy: loops"},
                {"4", "copy", ": 4 lanes"},
                {"8", "copy", ": 8 lanes"},
                {"16", "copy", ": 16 lanes"},
                {"4", "far", ": 4 lanes"}};

    for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
        cl_program prog =
            make("__attribute__((intel_vec_len_hint(HINT))) kernel void copy(global int "
                 "*p) { p[get_global_id(0)]++; }\n"
                 "__attribute__((intel_vec_len_hint(HINT))) kernel void far(global int "
                 "*p) { p[p[p[get_global_id(0) * 99]]] = 1; }\n");
        char options[64], text[64] = "", expected[64];
        cl_kernel kernel;

        snprintf(options, sizeof(options), "-cl-trefoil-report -D HINT=%s", rows[i].hint);
        ck_assert_int_eq(build(prog, options), CL_SUCCESS);
        const char *const at =
            strstr(strstr(log_of(prog), rows[i].kernel) - strlen("kernel "), "kernel");
        ck_assert_msg(at && strstr(at, rows[i].report), "%s", log_of(prog));
        kernel = tf_api_kernel(prog, rows[i].kernel);
        ck_assert_int_eq(
            clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(text), text, NULL),
            CL_SUCCESS);
        snprintf(expected, sizeof(expected), "intel_vec_len_hint(%s)", rows[i].hint);
        ck_assert_str_eq(text, expected);
        clReleaseKernel(kernel);
        drop(prog);
    }
}
END_TEST

START_TEST(log_is_empty_without_the_option)
{
    cl_program prog = make(report_source);

    ck_assert_int_eq(build(prog, "-D NAME=-cl-trefoil-reports"), CL_SUCCESS);
    ck_assert_str_eq(log_of(prog), "");
    check_runs(prog);
    drop(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("report");
    TCase *tests = tcase_create("report");

    setenv("TREFOIL_WG", "auto", 1);
    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, report_says_what_each_line_became);
    tcase_add_test(tests, report_is_made_when_objects_are_linked);
    tcase_add_test(tests, mistakes_without_a_message_are_named);
    tcase_add_test(tests, hints_set_the_lanes);
    tcase_add_test(tests, log_is_empty_without_the_option);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
