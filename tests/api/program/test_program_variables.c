// SPDX-License-Identifier: MIT
// Program-scope variables across programs: built, linked, loaded from a binary.
#include <stdio.h>
#include <string.h>

#include "api/program_rig.h"
#include "support/suite.h"

static const char counter_source[] =
    "global int counter = 100; global int *where = &counter; global char text[] = "
    "\"ab\";\n"
    "kernel void up(global int *out) { out[0] = ++counter; out[1] = *where; }\n"
    "kernel void twice(global int *out) { counter += 2; up(out); out[0] += text[1] - "
    "'b'; }\n";

// Runs the kernel once and expects the counter that it returns.
static void expect(cl_program prog, const char *name, cl_int value)
{
    cl_kernel kernel = tf_api_kernel(prog, name);
    cl_mem mem = tf_api_buffer(0, 8, NULL);
    cl_int seen[2] = {0, 0};

    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, kernel, 0, NULL, NULL), CL_SUCCESS);
    tf_api_read(mem, 0, 8, seen);
    ck_assert_int_eq(seen[0], value);
    ck_assert_int_eq(seen[1], value);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}

static size_t total(cl_program prog)
{
    size_t bytes = 12345;

    get_build_info(prog, CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE, sizeof(bytes),
                   &bytes);
    return bytes;
}

START_TEST(kernels_of_a_program_share_variables)
{
    cl_program prog = tf_api_program(counter_source, "-cl-std=CL3.0");

    expect(prog, "up", 101);
    expect(prog, "twice", 104);
    expect(prog, "up", 105);
    ck_assert_uint_eq(total(prog), 4 + 8 + 3);
    drop(prog);
}
END_TEST

START_TEST(programs_have_variables_of_their_own)
{
    cl_program prog = tf_api_program(counter_source, "-cl-std=CL3.0");
    cl_program other = tf_api_program(counter_source, "-cl-std=CL3.0");

    expect(prog, "up", 101);
    expect(prog, "up", 102);
    expect(other, "up", 101);
    expect(prog, "up", 103);
    drop(prog);
    expect(other, "up", 102);
    drop(other);
}
END_TEST

START_TEST(binaries_hold_initial_values)
{
    cl_program prog = tf_api_program(counter_source, "-cl-std=CL3.0"), again;
    cl_int status, code;

    expect(prog, "up", 101);
    take_binary(prog);
    again = with_binary(binary, binary_bytes, &status, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(build(again, NULL), CL_SUCCESS);
    expect(again, "twice", 103);
    expect(again, "up", 104);
    expect(prog, "up", 102);
    ck_assert_uint_eq(total(again), total(prog));
    drop(prog);
    drop(again);
    free(binary);
}
END_TEST

START_TEST(linked_parts_share_variables)
{
    cl_program parts[2] = {
        make("global int counter = 7;\n"
             "kernel void up(global int *out) { out[1] = out[0] = ++counter; }\n"),
        make("extern global int counter; static global int own[3] = {0, 1};\n"
             "kernel void twice(global int *out)\n"
             "{ counter += 1 + own[1]; out[1] = out[0] = counter; }\n")};
    cl_program whole;
    cl_int code;

    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(clCompileProgram(parts[i], 0, NULL, "-cl-std=CL3.0", 0, NULL,
                                          NULL, NULL, NULL),
                         CL_SUCCESS);
        ck_assert_uint_eq(total(parts[i]), 0); // nothing has a place yet
    }
    whole = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    expect(whole, "up", 8);
    expect(whole, "twice", 10);
    expect(whole, "up", 11);
    ck_assert_uint_eq(total(whole), 4 + 12);
    drop(parts[0]);
    drop(parts[1]);
    drop(whole);
}
END_TEST

START_TEST(programs_without_variables_have_none)
{
    cl_program prog = tf_api_program(source, NULL);

    ck_assert_uint_eq(total(prog), 0);
    drop(prog);
}
END_TEST

START_TEST(variables_above_the_limit_are_refused)
{
    size_t most = 0;
    char text[200];
    cl_program prog;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_GLOBAL_VARIABLE_SIZE,
                                     sizeof(most), &most, NULL),
                     CL_SUCCESS);
    ck_assert_uint_ge(most, 65536);
    snprintf(text, sizeof(text),
             "global char big[%zu]; kernel void up(global int *out)\n"
             "{ big[get_global_size(0) * %zu - 1]++; out[1] = out[0] = big[%zu]; }\n",
             most, most, most - 1);
    prog = tf_api_program(text, "-cl-std=CL3.0");
    expect(prog, "up", 1);
    ck_assert_uint_eq(total(prog), most);
    drop(prog);
    snprintf(
        text, sizeof(text),
        "global char big[%zu]; kernel void up(global int *out) { *out = big[*out]; }\n",
        most + 1);
    prog = make(text);
    ck_assert_int_eq(build(prog, "-cl-std=CL3.0"), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_ptr_nonnull(strstr(log_of(prog), "big"));
    drop(prog);
}
END_TEST

START_TEST(variables_are_limited_in_all)
{
    // 17 of 64 MiB: each is small enough, together they are not.
    cl_program prog = make(
        "#define V(n) global char v##n[1 << 26];\n"
        "#define F(m) m(0) m(1) m(2) m(3) m(4) m(5) m(6) m(7) m(8) m(9) m(10) m(11) \\\n"
        "  m(12) m(13) m(14) m(15) m(16)\n"
        "F(V)\n"
        "#define U(n) v##n[*out]++;\n"
        "kernel void up(global int *out) { F(U) }\n");

    ck_assert_int_eq(build(prog, "-cl-std=CL3.0"), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_ptr_nonnull(strstr(log_of(prog), "in all"));
    drop(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_variables");
    TCase *all = tcase_create("program_variables");

    tcase_add_checked_fixture(all, tf_api_begin, tf_api_end);
    tcase_add_test(all, kernels_of_a_program_share_variables);
    tcase_add_test(all, programs_have_variables_of_their_own);
    tcase_add_test(all, binaries_hold_initial_values);
    tcase_add_test(all, linked_parts_share_variables);
    tcase_add_test(all, programs_without_variables_have_none);
    tcase_add_test(all, variables_above_the_limit_are_refused);
    tcase_add_test(all, variables_are_limited_in_all);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
