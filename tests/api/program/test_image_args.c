// SPDX-License-Identifier: MIT
// Images and samplers of kernels, as programs name them.
#include <stdlib.h>
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

START_TEST(arguments_say_their_type_and_access)
{
    static const struct {
        const char *type;
        cl_kernel_arg_access_qualifier access;
    } args[] = {{"image2d_t", CL_KERNEL_ARG_ACCESS_READ_ONLY},
                {"image3d_t", CL_KERNEL_ARG_ACCESS_WRITE_ONLY},
                {"image1d_array_t", CL_KERNEL_ARG_ACCESS_READ_WRITE},
                {"image2d_depth_t", CL_KERNEL_ARG_ACCESS_READ_ONLY},
                {"sampler_t", CL_KERNEL_ARG_ACCESS_NONE}};
    cl_program prog =
        tf_api_program("kernel void k(image2d_t a, write_only image3d_t b,\n"
                       "              read_write image1d_array_t c,\n"
                       "              read_only image2d_depth_t d, sampler_t s) {}\n",
                       "-cl-std=CL3.0");
    cl_kernel kernel = tf_api_kernel(prog, "k");

    for (cl_uint i = 0; i < sizeof(args) / sizeof(args[0]); i++) {
        cl_kernel_arg_access_qualifier access = 0;
        char type[40] = "";

        ck_assert_int_eq(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_TYPE_NAME,
                                            sizeof(type), type, NULL),
                         CL_SUCCESS);
        ck_assert_int_eq(clGetKernelArgInfo(kernel, i, CL_KERNEL_ARG_ACCESS_QUALIFIER,
                                            sizeof(access), &access, NULL),
                         CL_SUCCESS);
        ck_assert_str_eq(type, args[i].type);
        ck_assert_uint_eq(access, args[i].access);
    }
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
}
END_TEST

static const char sampled[] =
    "constant sampler_t edge = CLK_ADDRESS_CLAMP_TO_EDGE | CLK_FILTER_NEAREST;\n"
    "kernel void look(read_only image2d_t in, sampler_t s, write_only image2d_t to)\n"
    "{\n"
    "    int2 at = (int2)(get_global_id(0), get_global_id(1));\n"
    "    write_imagef(to, at, read_imagef(in, s, convert_float2(at)) * 0.5f\n"
    "                         + read_imagef(in, edge, at + 1) * 0.25f);\n"
    "}\n";

// What the kernel makes of an image, SIDE x SIDE of 4 bytes.
static void look(cl_program prog, cl_sampler sampler, unsigned char *out)
{
    const size_t origin[3] = {0}, region[3] = {SIDE, SIDE, 1};
    cl_kernel kernel = tf_api_kernel(prog, "look");
    cl_mem in = make_image(CL_MEM_OBJECT_IMAGE2D);
    cl_mem to = make_image(CL_MEM_OBJECT_IMAGE2D);
    unsigned char texels[SIDE * SIDE * 4];

    for (size_t i = 0; i < sizeof(texels); i++)
        texels[i] = (unsigned char)(i * 7);
    ck_assert_int_eq(clEnqueueWriteImage(tf_api.q, in, CL_TRUE, origin, region, 0, 0,
                                         texels, 0, NULL, NULL),
                     CL_SUCCESS);
    tf_api_set_arg(kernel, 0, sizeof(in), &in);
    tf_api_set_arg(kernel, 1, sizeof(sampler), &sampler);
    tf_api_set_arg(kernel, 2, sizeof(to), &to);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 2, NULL, region, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clEnqueueReadImage(tf_api.q, to, CL_TRUE, origin, region, 0, 0, out,
                                        0, NULL, NULL),
                     CL_SUCCESS);
    clReleaseMemObject(in);
    clReleaseMemObject(to);
    clReleaseKernel(kernel);
}

START_TEST(binaries_take_images_and_samplers)
{
    static unsigned char seen[2][SIDE * SIDE * 4];
    cl_program prog = tf_api_program(sampled, "-cl-std=CL3.0"), other;
    cl_int code, status;
    cl_sampler sampler =
        clCreateSampler(tf_api.ctx, CL_FALSE, CL_ADDRESS_CLAMP, CL_FILTER_LINEAR, &code);
    size_t bytes = 0;
    unsigned char *binary;

    ck_assert_int_eq(code, CL_SUCCESS);
    clGetProgramInfo(prog, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL);
    binary = malloc(bytes);
    ck_assert_ptr_nonnull(binary);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL),
        CL_SUCCESS);
    other = clCreateProgramWithBinary(tf_api.ctx, 1, &tf_api.device, &bytes,
                                      (const unsigned char **)&binary, &status, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clBuildProgram(other, 1, &tf_api.device, "", NULL, NULL),
                     CL_SUCCESS);
    look(prog, sampler, seen[0]);
    look(other, sampler, seen[1]);
    ck_assert_mem_eq(seen[0], seen[1], sizeof(seen[0]));
    ck_assert_uint_ne(seen[0][sizeof(seen[0]) - 1], 0);
    free(binary);
    clReleaseSampler(sampler);
    clReleaseProgram(prog);
    clReleaseProgram(other);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image_args");
    TCase *tests = tcase_create("names");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, types_with_names_of_their_own_take_the_same_images);
    tcase_add_test(tests, sampler_of_a_variable_is_an_error_with_a_reason);
    tcase_add_test(tests, arguments_say_their_type_and_access);
    tcase_add_test(tests, binaries_take_images_and_samplers);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
