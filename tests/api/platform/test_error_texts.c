// SPDX-License-Identifier: MIT
// What an error says beside its code, as the context's callback hears it: which object,
// which value, and what would have been right.
#include <stdio.h>
#include <string.h>

#include "api/program_rig.h"
#include "support/suite.h"

static char text[400];
static cl_context ctx;
static cl_command_queue queue;
static cl_int code;

static const char kernels[] =
    "kernel void set(global int *p, int value) { *p = value; }\n"
    "kernel void shared(local int *part, global int *p) { p[0] = part[0]; }\n";

static void CL_CALLBACK notify(const char *message, const void *data, size_t bytes,
                               void *user)
{
    (void)data, (void)bytes, (void)user;
    snprintf(text, sizeof(text), "%s", message);
}

static void setup(void)
{
    tf_api_begin();
    ctx = clCreateContext(NULL, 1, &tf_api.device, notify, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    queue = clCreateCommandQueueWithProperties(ctx, tf_api.device, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
}

static void teardown(void)
{
    clReleaseCommandQueue(queue);
    clReleaseContext(ctx);
    tf_api_end();
}

#define SAYS(wanted) \
    ck_assert_msg(strstr(text, wanted), "\"%s\" does not say \"%s\"", text, wanted)

START_TEST(builds_say_what_is_wrong_first)
{
    cl_program prog = make_in(ctx, "kernel void k(global int *p) { p[0] = missing; }");

    ck_assert_int_eq(build(prog, ""), CL_BUILD_PROGRAM_FAILURE);
    SAYS("see the build log: ");
    SAYS(":1:39: error: use of undeclared identifier 'missing'");
    ck_assert_int_eq(build(prog, "-no-such-thing"), CL_INVALID_BUILD_OPTIONS);
    SAYS("unknown build option: '-no-such-thing'");
    drop(prog);
}
END_TEST

START_TEST(kernels_are_named)
{
    cl_program prog = make_in(ctx, kernels);

    ck_assert_int_eq(build(prog, ""), CL_SUCCESS);
    ck_assert_ptr_null(clCreateKernel(prog, "sets", &code));
    SAYS("no kernel \"sets\" on device 0, but set, shared");
    drop(prog);
}
END_TEST

START_TEST(arguments_say_kernel_type_and_name)
{
    const cl_long wide = 1;
    const size_t one = 1;
    cl_program prog = make_in(ctx, kernels);
    cl_mem mem = clCreateBuffer(ctx, CL_MEM_READ_WRITE, 4, NULL, &code);
    cl_kernel set, shared;

    ck_assert_int_eq(build(prog, ""), CL_SUCCESS);
    set = clCreateKernel(prog, "set", &code);
    shared = clCreateKernel(prog, "shared", &code);
    ck_assert_int_eq(clSetKernelArg(set, 1, sizeof(wide), &wide), CL_INVALID_ARG_SIZE);
    SAYS("argument 1 of set, int value, has 4 bytes, not 8");
    ck_assert_int_eq(clSetKernelArg(set, 2, sizeof(wide), &wide), CL_INVALID_ARG_INDEX);
    SAYS("argument 2 of set, which has 2 from 0 on");
    ck_assert_int_eq(clSetKernelArg(shared, 0, (size_t)1 << 40, NULL), CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArg(shared, 1, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(queue, shared, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_OUT_OF_RESOURCES);
    SAYS("an argument of 1099511627776 bytes");
    clReleaseKernel(set);
    clReleaseKernel(shared);
    clReleaseMemObject(mem);
    drop(prog);
}
END_TEST

START_TEST(memory_says_what_would_be_right)
{
    const cl_image_format wrong = {CL_RGB, CL_FLOAT}, right = {CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 4, .image_height = 3};
    const size_t origin[3] = {1, 0, 0}, region[3] = {4, 3, 1};
    const cl_buffer_region inner = {3, 8};
    cl_mem mem = clCreateBuffer(ctx, CL_MEM_READ_WRITE, 64, NULL, &code), image;
    char pixels[4 * 3 * 16];

    ck_assert_ptr_null(clCreateSubBuffer(mem, CL_MEM_READ_WRITE,
                                         CL_BUFFER_CREATE_TYPE_REGION, &inner, &code));
    ck_assert_int_eq(code, CL_MISALIGNED_SUB_BUFFER_OFFSET);
    SAYS("origin 3 is no multiple of 128 bytes");
    ck_assert_ptr_null(clCreateImage(ctx, CL_MEM_READ_WRITE, &wrong, &desc, NULL, &code));
    SAYS("channel order 0x10b4 with data type 0x10de is no format");
    ck_assert_ptr_null(clCreateImage(ctx, CL_MEM_READ_WRITE, NULL, &desc, NULL, &code));
    SAYS("image_format is NULL");
    image = clCreateImage(ctx, CL_MEM_READ_WRITE, &right, &desc, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clEnqueueReadImage(queue, image, CL_TRUE, origin, region, 0, 0,
                                        pixels, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    SAYS("4 x 3 x 1 at 1, 0, 0: outside of the image, 4 x 3 x 1, layers: 1");
    clReleaseMemObject(image);
    clReleaseMemObject(mem);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("error_texts");
    TCase *tcase = tcase_create("error_texts");

    tcase_add_checked_fixture(tcase, setup, teardown);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, builds_say_what_is_wrong_first);
    tcase_add_test(tcase, kernels_are_named);
    tcase_add_test(tcase, arguments_say_kernel_type_and_name);
    tcase_add_test(tcase, memory_says_what_would_be_right);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
