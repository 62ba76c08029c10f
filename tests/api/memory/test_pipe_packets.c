// SPDX-License-Identifier: MIT
// Kernels that are given a pipe with packets of another size than they declare.
#include "support/api.h"
#include "support/suite.h"

static const char source[] =
    "kernel void put(write_only pipe uint p) {\n"
    "    for (uint value = 5; value < 7; value++)\n"
    "        write_pipe(p, &value);\n"
    "}\n"
    "kernel void get(read_only pipe uint p, global uint *out) {\n"
    "    for (int i = 0; i < 3; i++)\n"
    "        read_pipe(p, &out[i]);\n"
    "}\n"
    "kernel void put_wide(write_only pipe ulong p, global int *out) {\n"
    "    ulong value = 0x4141414142424242;\n"
    "    reserve_id_t id = reserve_write_pipe(p, 1);\n"
    "    out[0] = write_pipe(p, &value) < 0;\n"
    "    out[1] = !is_valid_reserve_id(id);\n"
    "    id = work_group_reserve_write_pipe(p, 1);\n"
    "    out[2] = !is_valid_reserve_id(id);\n"
    "    id = sub_group_reserve_write_pipe(p, 1);\n"
    "    out[3] = !is_valid_reserve_id(id);\n"
    "}\n"
    "kernel void get_wide(read_only pipe ulong p, global int *out) {\n"
    "    ulong value = 7;\n"
    "    reserve_id_t id = reserve_read_pipe(p, 1);\n"
    "    out[0] = read_pipe(p, &value) < 0 && value == 7;\n"
    "    out[1] = !is_valid_reserve_id(id);\n"
    "    id = work_group_reserve_read_pipe(p, 1);\n"
    "    out[2] = !is_valid_reserve_id(id);\n"
    "    id = sub_group_reserve_read_pipe(p, 1);\n"
    "    out[3] = !is_valid_reserve_id(id);\n"
    "}\n"
    "kernel void mix(write_only pipe uint p, write_only pipe ulong q,\n"
    "                global int *out) {\n"
    "    ulong value = 0x4141414142424242;\n"
    "    uint half_of_it = 0x42424242;\n"
    "    reserve_id_t id = reserve_write_pipe(p, 1);\n"
    "    out[0] = is_valid_reserve_id(id);\n"
    "    out[1] = write_pipe(q, id, 0, &value) < 0;\n"
    "    out[2] = write_pipe(p, id, 0, &half_of_it) == 0;\n"
    "    commit_write_pipe(p, id);\n"
    "    out[3] = 1;\n"
    "}\n";

static cl_program prog;

static void begin(void)
{
    tf_api_begin();
    prog = tf_api_program(source, "-cl-std=CL3.0");
}

static void end(void)
{
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    tf_api_end();
}

// Runs one work-item with these memory objects as its arguments.
static void run(const char *name, cl_uint count, const cl_mem *args)
{
    cl_kernel kernel = tf_api_kernel(prog, name);
    const size_t one = 1;

    for (cl_uint i = 0; i < count; i++)
        tf_api_set_arg(kernel, i, sizeof(args[i]), &args[i]);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &one, &one, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}

// The kernel has found all four as they should be.
static void check_found(cl_mem out)
{
    const cl_int wanted[4] = {1, 1, 1, 1};
    cl_int found[4] = {0};

    tf_api_read(out, 0, sizeof(found), found);
    ck_assert_mem_eq(found, wanted, sizeof(wanted));
}

// Two packets are in a pipe of three, and stay as they are.
START_TEST(packets_of_another_size_are_left_alone)
{
    cl_int code;
    cl_mem pipe = clCreatePipe(tf_api.ctx, 0, sizeof(cl_uint), 3, NULL, &code);
    cl_mem out = tf_api_buffer(0, 4 * sizeof(cl_int), NULL);
    const cl_mem one_pipe[] = {pipe, out}, two_pipes[] = {pipe, pipe, out};
    const cl_uint wanted[] = {5, 6, 0x42424242};
    cl_uint values[3] = {0};

    ck_assert_int_eq(code, CL_SUCCESS);
    run("put", 1, one_pipe);
    run("put_wide", 2, one_pipe);
    check_found(out);
    run("get_wide", 2, one_pipe);
    check_found(out);
    run("mix", 3, two_pipes);
    check_found(out);
    run("get", 2, one_pipe);
    tf_api_read(out, 0, sizeof(values), values);
    ck_assert_mem_eq(values, wanted, sizeof(wanted));
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(pipe), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sizes of packets");
    TCase *tcase = tcase_create("sizes of packets");

    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, begin, end);
    tcase_add_test(tcase, packets_of_another_size_are_left_alone);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
