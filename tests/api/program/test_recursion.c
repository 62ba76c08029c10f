// SPDX-License-Identifier: MIT
// Functions that call themselves deeper than the frames of a work-item reach.
#include "api/program_rig.h"
#include "support/suite.h"

enum { ITEMS = 64, LOCAL = 16, WRONG_ITEM = 37, RIGHT = 300, TOO_DEEP = 100000000 };

static const char text[] =
    "int descend(int n, global const int *weights)\n"
    "{\n"
    "    int rest;\n"
    "    if (n == 0)\n"
    "        return 0;\n"
    "    rest = descend(n - 1, weights);\n"
    "    return rest / 3 * 3 + rest % 3 + weights[n & 7];\n"
    "}\n"
    "kernel void plain(global const int *weights, global const int *depths,\n"
    "                  global int *out)\n"
    "{\n"
    "    out[get_global_id(0)] = descend(depths[get_global_id(0)], weights);\n"
    "}\n"
    "int together(int n, local int *row)\n"
    "{\n"
    "    int rest, other;\n"
    "    const int i = get_local_id(0);\n"
    "    if (n == 0)\n"
    "        return 0;\n"
    "    row[i] = n;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    other = row[i ^ 1];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    rest = together(n - 1, row);\n"
    "    return rest / 3 * 3 + rest % 3 + (other == n);\n"
    "}\n"
    "kernel void barriers(global const int *weights, global const int *depths,\n"
    "                     global int *out)\n"
    "{\n"
    "    local int row[16];\n"
    "    out[get_global_id(0)] = together(depths[0], row);\n"
    "}\n"
    // A frame of more than half of what others have in all.
    "int large(int n, global int *out)\n"
    "{\n"
    "    int all[40000], sum = 0;\n"
    "    for (int i = 0; i < 40000; i++)\n"
    "        all[i] = i + n + out[0];\n"
    "    if (n > 0)\n"
    "        sum = large(n - 1, out);\n"
    "    for (int i = 0; i < 40000; i += 100)\n"
    "        sum += all[i] - i;\n"
    "    return sum;\n"
    "}\n"
    "kernel void wide(global const int *weights, global const int *depths,\n"
    "                 global int *out)\n"
    "{\n"
    "    const int i = get_global_id(0);\n"
    "    out[i] = 0;\n"
    "    out[i] = large(i % 3 + depths[0] / 1000, out + i);\n"
    "}\n";

static cl_program program;
static cl_mem weights, depths, out;

static void setup(void)
{
    cl_int ones[8];

    for (int i = 0; i < 8; i++)
        ones[i] = 1;
    tf_api_begin();
    program = tf_api_program(text, "");
    weights = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(ones), ones);
    depths = tf_api_buffer(CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL);
    out = tf_api_buffer(CL_MEM_READ_WRITE, ITEMS * sizeof(cl_int), NULL);
}

static void teardown(void)
{
    ck_assert_int_eq(clReleaseMemObject(weights), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(depths), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
    drop(program);
    tf_api_end();
}

// All are as deep as is right, but maybe one work-item. The status of the command.
static cl_int launch(cl_kernel kernel, int item, cl_int depth)
{
    const size_t global = ITEMS, local = LOCAL;
    cl_int all[ITEMS], status;
    cl_event ev;

    for (int i = 0; i < ITEMS; i++)
        all[i] = i == item ? depth : RIGHT;
    ck_assert_int_eq(clEnqueueWriteBuffer(tf_api.q, depths, CL_TRUE, 0, sizeof(all), all,
                                          0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &global, &local, 0, NULL, &ev),
        CL_SUCCESS);
    clWaitForEvents(1, &ev);
    status = tf_api_event_status(ev);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
    return status;
}

static cl_kernel kernel_of(const char *name)
{
    cl_kernel kernel = tf_api_kernel(program, name);

    tf_api_set_arg(kernel, 0, sizeof(weights), &weights);
    tf_api_set_arg(kernel, 1, sizeof(depths), &depths);
    tf_api_set_arg(kernel, 2, sizeof(out), &out);
    return kernel;
}

// Wrong by `item` once, right before and behind.
static void check_depths(const char *name, int item)
{
    cl_kernel kernel = kernel_of(name);
    cl_int seen[ITEMS];

    for (int wrong = 0; wrong < 3; wrong++) {
        ck_assert_int_eq(launch(kernel, item, wrong == 1 ? TOO_DEEP : RIGHT),
                         wrong == 1 ? CL_OUT_OF_RESOURCES : CL_COMPLETE);
        if (wrong == 1)
            continue;
        tf_api_read(out, 0, sizeof(seen), seen);
        for (int i = 0; i < ITEMS; i++)
            ck_assert_int_eq(seen[i], RIGHT);
    }
    clReleaseKernel(kernel);
}

START_TEST(too_deep_ends_the_launch)
{
    check_depths("plain", WRONG_ITEM);
}
END_TEST

START_TEST(too_deep_with_barriers_ends_the_launch)
{
    check_depths("barriers", 0);
}
END_TEST

START_TEST(large_frames_have_room)
{
    cl_kernel kernel = kernel_of("wide");
    cl_int seen[ITEMS];

    ck_assert_int_eq(launch(kernel, 0, RIGHT), CL_COMPLETE);
    tf_api_read(out, 0, sizeof(seen), seen);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(seen[i], 400 * (i % 3 == 2 ? 3 : i % 3));
    ck_assert_int_eq(launch(kernel, 0, TOO_DEEP), CL_OUT_OF_RESOURCES);
    clReleaseKernel(kernel);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("recursion");
    TCase *tests = tcase_create("recursion");

    tcase_add_checked_fixture(tests, setup, teardown);
    tcase_add_test(tests, too_deep_ends_the_launch);
    tcase_add_test(tests, too_deep_with_barriers_ends_the_launch);
    tcase_add_test(tests, large_frames_have_room);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
