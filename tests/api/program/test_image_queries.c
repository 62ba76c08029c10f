// SPDX-License-Identifier: MIT
// What images of every kind and access say of themselves in kernels.
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

enum { WIDTH = 9, HEIGHT = 5, DEPTH = 3, LAYERS = 4, ANSWERS = 11, SOURCE_BYTES = 8000 };

static const struct kind {
    const char *name;
    cl_mem_object_type type;
    bool tall, deep, layered, has_levels;
    cl_image_format format;
    cl_uint levels;
} kinds[] = {
    {"image1d_t", CL_MEM_OBJECT_IMAGE1D, .has_levels = true, .levels = 4,
     .format = {CL_RGBA, CL_SIGNED_INT16}},
    {"image1d_buffer_t", CL_MEM_OBJECT_IMAGE1D_BUFFER, .format = {CL_R, CL_FLOAT}},
    {"image1d_array_t", CL_MEM_OBJECT_IMAGE1D_ARRAY, .layered = true, .has_levels = true,
     .levels = 2, .format = {CL_RG, CL_UNSIGNED_INT8}},
    {"image2d_t", CL_MEM_OBJECT_IMAGE2D, .tall = true, .has_levels = true,
     .format = {CL_BGRA, CL_UNORM_INT8}},
    {"image2d_array_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, .tall = true, .layered = true,
     .has_levels = true, .levels = 3, .format = {CL_RGBA, CL_HALF_FLOAT}},
    {"image3d_t", CL_MEM_OBJECT_IMAGE3D, .tall = true, .deep = true, .has_levels = true,
     .levels = 2, .format = {CL_RGBA, CL_UNSIGNED_INT32}},
    {"image2d_depth_t", CL_MEM_OBJECT_IMAGE2D, .tall = true, .has_levels = true,
     .levels = 2, .format = {CL_DEPTH, CL_FLOAT}},
    {"image2d_array_depth_t", CL_MEM_OBJECT_IMAGE2D_ARRAY, .tall = true, .layered = true,
     .has_levels = true, .format = {CL_DEPTH, CL_UNORM_INT16}},
};
enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

// One kernel that asks images of all kinds; `access` is theirs.
static void write_source(char *text, const char *access)
{
    int at = snprintf(text, SOURCE_BYTES,
                      "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
                      "#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n"
                      "kernel void ask(global int *o");

    for (int k = 0; k < KINDS; k++)
        at += snprintf(text + at, (size_t)(SOURCE_BYTES - at), ", %s %s i%d", access,
                       kinds[k].name, k);
    at += snprintf(text + at, (size_t)(SOURCE_BYTES - at), ")\n{\n");
    for (int k = 0; k < KINDS; k++) {
        at += snprintf(text + at, (size_t)(SOURCE_BYTES - at),
                       "    o[0] = get_image_width(i%d);\n"
                       "    o[1] = get_image_channel_data_type(i%d);\n"
                       "    o[2] = get_image_channel_order(i%d);\n",
                       k, k, k);
        if (kinds[k].tall)
            at += snprintf(text + at, (size_t)(SOURCE_BYTES - at),
                           "    o[3] = get_image_height(i%d);\n"
                           "    o[4] = get_image_dim(i%d).x;\n"
                           "    o[5] = get_image_dim(i%d).y;\n",
                           k, k, k);
        if (kinds[k].deep)
            at += snprintf(text + at, (size_t)(SOURCE_BYTES - at),
                           "    o[6] = get_image_depth(i%d);\n"
                           "    o[7] = get_image_dim(i%d).z;\n"
                           "    o[8] = get_image_dim(i%d).w;\n",
                           k, k, k);
        if (kinds[k].layered)
            at += snprintf(text + at, (size_t)(SOURCE_BYTES - at),
                           "    o[9] = (int)get_image_array_size(i%d);\n", k);
        if (kinds[k].has_levels)
            at += snprintf(text + at, (size_t)(SOURCE_BYTES - at),
                           "    o[10] = get_image_num_mip_levels(i%d);\n", k);
        at += snprintf(text + at, (size_t)(SOURCE_BYTES - at), "    o += %d;\n", ANSWERS);
    }
    snprintf(text + at, (size_t)(SOURCE_BYTES - at), "}\n");
}

static cl_mem make_image(const struct kind *kind, cl_mem texels)
{
    const bool in_buffer = kind->type == CL_MEM_OBJECT_IMAGE1D_BUFFER;
    const cl_image_desc desc = {.image_type = kind->type,
                                .image_width = WIDTH,
                                .image_height = HEIGHT,
                                .image_depth = DEPTH,
                                .image_array_size = LAYERS,
                                .num_mip_levels = kind->levels,
                                .buffer = in_buffer ? texels : NULL};
    cl_int code;
    cl_mem image = clCreateImage(tf_api.ctx, 0, &kind->format, &desc, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

static void expect_answers(const struct kind *kind, const cl_int *got)
{
    const cl_int none = -1;
    const cl_int want[ANSWERS] = {
        WIDTH,
        (cl_int)kind->format.image_channel_data_type,
        (cl_int)kind->format.image_channel_order,
        kind->tall ? HEIGHT : none,
        kind->tall ? WIDTH : none,
        kind->tall ? HEIGHT : none,
        kind->deep ? DEPTH : none,
        kind->deep ? DEPTH : none,
        kind->deep ? 0 : none,
        kind->layered ? LAYERS : none,
        !kind->has_levels ? none
        : kind->levels    ? (cl_int)kind->levels
                          : 1,
    };

    for (int i = 0; i < ANSWERS; i++)
        ck_assert_msg(got[i] == want[i], "%s: answer %d is %d, not %d", kind->name, i,
                      got[i], want[i]);
}

START_TEST(images_of_every_kind_answer_every_question)
{
    static const char *const accesses[] = {"read_only", "write_only", "read_write"};
    static char source[SOURCE_BYTES];
    const size_t one = 1;
    const cl_int none = -1;
    cl_int got[KINDS * ANSWERS];
    cl_mem texels = tf_api_buffer(0, WIDTH * sizeof(float), NULL), images[KINDS];
    cl_mem out = tf_api_buffer(0, sizeof(got), NULL);
    cl_kernel kernel;
    cl_program prog;

    write_source(source, accesses[_i]);
    prog = tf_api_program(source, "-cl-std=CL3.0");
    kernel = tf_api_kernel(prog, "ask");
    tf_api_set_arg(kernel, 0, sizeof(out), &out);
    for (cl_uint k = 0; k < KINDS; k++) {
        images[k] = make_image(&kinds[k], texels);
        tf_api_set_arg(kernel, k + 1, sizeof(images[k]), &images[k]);
    }
    ck_assert_int_eq(clEnqueueFillBuffer(tf_api.q, out, &none, sizeof(none), 0,
                                         sizeof(got), 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &one, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_read(out, 0, sizeof(got), got);
    for (cl_uint k = 0; k < KINDS; k++) {
        expect_answers(&kinds[k], got + k * ANSWERS);
        ck_assert_int_eq(clReleaseMemObject(images[k]), CL_SUCCESS);
    }
    ck_assert_int_eq(clReleaseMemObject(texels), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("image_queries");
    TCase *t = tcase_create("queries");

    tcase_add_checked_fixture(t, tf_api_begin, tf_api_end);
    tcase_add_loop_test(t, images_of_every_kind_answer_every_question, 0, 3);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
