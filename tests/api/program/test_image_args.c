// SPDX-License-Identifier: MIT
// Images and samplers of kernels, as programs name them.
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

enum { SIDE = 4, LOG_BYTES = 2000 };

static cl_mem make_image(cl_mem_object_type type)
{
    const cl_image_format format = {CL_RGBA, CL_UNORM_INT8};
    const cl_image_desc desc = {.image_type = type,
                                .image_width = SIDE,
                                .image_height = SIDE,
                                .image_depth = SIDE,
                                .image_array_size = SIDE};
    cl_int code;
    cl_mem image = clCreateImage(tf_api.ctx, 0, &format, &desc, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

START_TEST(types_with_names_of_their_own_take_the_same_images)
{
    static const cl_mem_object_type types[] = {
        CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE3D, CL_MEM_OBJECT_IMAGE2D_ARRAY};
    cl_program prog =
        tf_api_program("typedef image3d_t volume;\n"
                       "typedef volume tissue;\n"
                       "kernel void look(read_only tissue in, global float4 *out)\n"
                       "{ *out = read_imagef(in, (int4)(0)); }\n",
                       "-cl-std=CL3.0");
    cl_kernel kernel = tf_api_kernel(prog, "look");

    for (int i = 0; i < 3; i++) {
        cl_mem image = make_image(types[i]);

        ck_assert_int_eq(clSetKernelArg(kernel, 0, sizeof(image), &image),
                         types[i] == CL_MEM_OBJECT_IMAGE3D ? CL_SUCCESS
                                                           : CL_INVALID_MEM_OBJECT);
        clReleaseMemObject(image);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
}
END_TEST

START_TEST(sampler_of_a_variable_is_an_error_with_a_reason)
{
    const char *source = "kernel void k(read_only image2d_t i, global float4 *o, int v)\n"
                         "{ sampler_t s = v; *o = read_imagef(i, s, (float2)(0)); }\n";
    char log[LOG_BYTES] = "";
    cl_int code;
    cl_program prog = clCreateProgramWithSource(tf_api.ctx, 1, &source, NULL, &code);

    ck_assert_int_eq(clBuildProgram(prog, 1, &tf_api.device, "-cl-std=CL3.0", NULL, NULL),
                     CL_BUILD_PROGRAM_FAILURE);
    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BUILD_LOG,
                                           sizeof(log), log, NULL),
                     CL_SUCCESS);
    ck_assert_ptr_nonnull(strstr(log, ":2:"));
    ck_assert_ptr_nonnull(strstr(log, "a sampler has to be a constant"));
    ck_assert_ptr_null(strstr(log, "internal"));
    clReleaseProgram(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image_args");
    TCase *tests = tcase_create("names");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, types_with_names_of_their_own_take_the_same_images);
    tcase_add_test(tests, sampler_of_a_variable_is_an_error_with_a_reason);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
