// SPDX-License-Identifier: MIT
// The first launch of a kernel with images, if it is a long one, begins with its variant:
// code for all formats would take many times as long to be made.
#include "api/log_lines.h"
#include "support/api.h"
#include "support/suite.h"

enum { SIDE = 2048, SMALL = 8 };

static const char source[] =
    "kernel void blur(read_only image2d_t from, write_only image2d_t to)\n"
    "{\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imagef(to, at, 0.5f * (read_imagef(from, at + (int2)(1, 0)) +\n"
    "                                 read_imagef(from, at + (int2)(0, 1))));\n"
    "}\n";

// Read once, maybe when entry points are looked up: fewer units make a launch longer.
__attribute__((constructor(101))) static void use_one_thread(void)
{
    setenv("TREFOIL_THREADS", "1", 1);
    setenv("TREFOIL_VARIANTS", "auto", 1);
}

static void begin(void)
{
    log_lines_begin();
    tf_api_begin();
}

static cl_mem make_image(cl_channel_order order, size_t side)
{
    const cl_image_format format = {order, CL_UNORM_INT8};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = side, .image_height = side};
    cl_int code;
    cl_mem image = clCreateImage(tf_api.ctx, 0, &format, &desc, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

static void launch(cl_kernel kernel, cl_channel_order order, size_t side)
{
    const size_t items[2] = {side, side};
    cl_mem from = make_image(order, side), to = make_image(order, side);

    tf_api_set_arg(kernel, 0, sizeof(from), &from);
    tf_api_set_arg(kernel, 1, sizeof(to), &to);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 2, NULL, items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    clReleaseMemObject(from);
    clReleaseMemObject(to);
}

START_TEST(long_first_launch_waits_for_its_variant)
{
    cl_program prog = tf_api_program(source, "-cl-std=CL3.0");
    cl_kernel kernel = tf_api_kernel(prog, "blur");

    launch(kernel, CL_R, SIDE);
    ck_assert_int_eq(log_lines_count("kernel blur: its first launch waits for code"), 1);
    ck_assert_int_eq(log_lines_count("kernel blur: runs the variant for from CL_R "), 1);
    // Another format finds quick code.
    launch(kernel, CL_RGBA, SMALL);
    ck_assert_int_eq(log_lines_count("kernel blur: blocking compilation"), 0);
    ck_assert_int_eq(log_lines_count("kernel blur: generated in"), 0);
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("image_first_launch");
    TCase *t = tcase_create("first_launch");

    tcase_add_checked_fixture(t, begin, tf_api_end);
    tcase_add_test(t, long_first_launch_waits_for_its_variant);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
