// SPDX-License-Identifier: MIT
// Images without image support: what is wrong is told first, the want of images last.
#include <stdbool.h>

#include "support/api.h"

#include "support/suite.h"

static cl_int code;
static const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8};
static const cl_image_desc plane = {
    .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
static unsigned char pixels[8 * 4 * 4];

static cl_int create(const cl_image_desc *desc)
{
    code = 1;
    ck_assert_ptr_null(clCreateImage(tf_api.ctx, 0, &rgba, desc, NULL, &code));
    return code;
}

static cl_int create_on_host(const cl_image_desc *desc)
{
    code = 1;
    ck_assert_ptr_null(
        clCreateImage(tf_api.ctx, CL_MEM_USE_HOST_PTR, &rgba, desc, pixels, &code));
    return code;
}

START_TEST(good_image_is_an_operation_nobody_offers)
{
    const cl_image_desc volume = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                  .image_width = 2,
                                  .image_height = 2,
                                  .image_depth = 1};
    const cl_image_desc row = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 2};
    const cl_image_desc rows = {.image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY,
                                .image_width = 2,
                                .image_array_size = 2};
    const cl_image_desc planes = {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                  .image_width = 2,
                                  .image_height = 2,
                                  .image_array_size = 2};

    ck_assert_int_eq(create(&plane), CL_INVALID_OPERATION);
    ck_assert_int_eq(create(&volume), CL_INVALID_OPERATION);
    ck_assert_int_eq(create(&row), CL_INVALID_OPERATION);
    ck_assert_int_eq(create(&rows), CL_INVALID_OPERATION);
    ck_assert_int_eq(create(&planes), CL_INVALID_OPERATION);
    ck_assert_ptr_null(clCreateImage(tf_api.ctx, 0, &rgba, &plane, NULL, NULL));
    ck_assert_ptr_null(
        clCreateImageWithProperties(tf_api.ctx, NULL, 0, &rgba, &plane, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    ck_assert_ptr_null(clCreateImage2D(tf_api.ctx, 0, &rgba, 8, 4, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    ck_assert_ptr_null(clCreateImage3D(tf_api.ctx, 0, &rgba, 8, 4, 2, 0, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
}
END_TEST

START_TEST(context_properties_and_flags_are_checked_first)
{
    const cl_mem_properties unknown[] = {77, 1, 0}, none[] = {0};

    ck_assert_ptr_null(clCreateImage(NULL, ~0ull, NULL, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    ck_assert_ptr_null(
        clCreateImageWithProperties(tf_api.ctx, unknown, ~0ull, NULL, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_PROPERTY);
    ck_assert_ptr_null(
        clCreateImageWithProperties(tf_api.ctx, none, ~0ull, NULL, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(clCreateImage(tf_api.ctx, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
                                     &rgba, &plane, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
}
END_TEST

START_TEST(format_must_mean_something)
{
    const cl_image_format wrong[] = {
        {CL_RGBA, CL_UNORM_SHORT_565}, {CL_RGB, CL_FLOAT},  {CL_BGRA, CL_FLOAT},
        {CL_DEPTH, CL_HALF_FLOAT},     {0, CL_FLOAT},       {CL_R, 0},
        {CL_R, CL_UNORM_INT24},        {CL_sRGBA, CL_FLOAT}};

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        ck_assert_ptr_null(clCreateImage(tf_api.ctx, 0, &wrong[i], &plane, NULL, &code));
        ck_assert_int_eq(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    }
    ck_assert_ptr_null(clCreateImage(tf_api.ctx, 0, NULL, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    ck_assert_ptr_null(clCreateImage2D(tf_api.ctx, 0, NULL, 8, 4, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}
END_TEST

START_TEST(sizes_must_not_be_zero)
{
    static const cl_mem_object_type types[] = {
        CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
        CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
    // Which of width, height, depth, array size each type needs.
    static const unsigned needs[] = {1, 9, 3, 11, 7};

    ck_assert_int_eq(create(NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    for (size_t t = 0; t < 5; t++) {
        for (unsigned missing = 0; missing < 4; missing++) {
            const cl_image_desc desc = {.image_type = types[t],
                                        .image_width = missing != 0,
                                        .image_height = missing != 1,
                                        .image_depth = missing != 2,
                                        .image_array_size = missing != 3};

            ck_assert_int_eq(create(&desc), needs[t] & 1u << missing
                                                ? CL_INVALID_IMAGE_DESCRIPTOR
                                                : CL_INVALID_OPERATION);
        }
    }
    ck_assert_ptr_null(clCreateImage2D(tf_api.ctx, 0, &rgba, 0, 4, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_SIZE);
    ck_assert_ptr_null(clCreateImage3D(tf_api.ctx, 0, &rgba, 8, 4, 1, 0, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_SIZE); // one slice is a 2D image
}
END_TEST

START_TEST(type_and_counts_are_checked)
{
    cl_image_desc desc = plane;

    desc.image_type = CL_MEM_OBJECT_BUFFER;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_type = CL_MEM_OBJECT_PIPE;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc = plane;
    desc.num_mip_levels = 2;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc = plane;
    desc.num_samples = 2;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
}
END_TEST

START_TEST(pitches_fit_pixels_and_rows)
{
    cl_image_desc desc = plane;
    cl_image_desc planes = {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                            .image_width = 4,
                            .image_height = 2,
                            .image_array_size = 2};

    desc.image_row_pitch = 32;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR); // no host_ptr
    ck_assert_int_eq(create_on_host(&desc), CL_INVALID_OPERATION);
    desc.image_row_pitch = 28;
    ck_assert_int_eq(create_on_host(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_row_pitch = 34;
    ck_assert_int_eq(create_on_host(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    planes.image_slice_pitch = 32;
    ck_assert_int_eq(create(&planes), CL_INVALID_IMAGE_DESCRIPTOR);
    ck_assert_int_eq(create_on_host(&planes), CL_INVALID_OPERATION);
    planes.image_slice_pitch = 16;
    ck_assert_int_eq(create_on_host(&planes), CL_INVALID_IMAGE_DESCRIPTOR);
    planes.image_slice_pitch = 36;
    ck_assert_int_eq(create_on_host(&planes), CL_INVALID_IMAGE_DESCRIPTOR);
    ck_assert_ptr_null(clCreateImage2D(tf_api.ctx, 0, &rgba, 8, 4, 32, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_SIZE);
    desc.image_row_pitch = 0;
    desc.image_width = SIZE_MAX / 2;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR); // wraps
}
END_TEST

START_TEST(storage_comes_from_a_buffer_that_is_large_enough)
{
    cl_mem mem = tf_api_buffer(0, 64, NULL), other = tf_api_other_buffer(64);
    cl_image_desc row = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16, .buffer = mem};
    cl_image_desc desc = plane;

    ck_assert_int_eq(create(&row), CL_INVALID_OPERATION);
    row.image_width = 17;
    ck_assert_int_eq(create(&row), CL_INVALID_IMAGE_DESCRIPTOR);
    row.image_width = 16;
    row.buffer = NULL;
    ck_assert_int_eq(create(&row), CL_INVALID_IMAGE_DESCRIPTOR);
    row.buffer = (cl_mem)(void *)tf_api.q;
    ck_assert_int_eq(create(&row), CL_INVALID_IMAGE_DESCRIPTOR);
    row.buffer = other;
    ck_assert_int_eq(create(&row), CL_INVALID_CONTEXT);
    desc.buffer = mem;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR); // 128 bytes
    desc.image_height = 2;
    ck_assert_int_eq(create(&desc), CL_INVALID_OPERATION);
    desc.image_type = CL_MEM_OBJECT_IMAGE1D;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(other), CL_SUCCESS);
}
END_TEST

START_TEST(host_pointer_and_flags_belong_together)
{
    ck_assert_ptr_null(
        clCreateImage(tf_api.ctx, CL_MEM_COPY_HOST_PTR, &rgba, &plane, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_HOST_PTR);
    ck_assert_ptr_null(clCreateImage(tf_api.ctx, 0, &rgba, &plane, pixels, &code));
    ck_assert_int_eq(code, CL_INVALID_HOST_PTR);
}
END_TEST

START_TEST(nothing_is_an_image)
{
    cl_mem mem = tf_api_buffer(0, 64, NULL);
    size_t width;

    ck_assert_int_eq(clGetImageInfo(mem, CL_IMAGE_WIDTH, sizeof(width), &width, NULL),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_rejects(CL_INVALID_MEM_OBJECT,
                      clGetImageInfo(bad, CL_IMAGE_WIDTH, sizeof(width), &width, NULL),
                      tf_api.ctx);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}
END_TEST

// ---- Commands ----

static const size_t at[3], box[3] = {1, 1, 1};

typedef cl_int (*command_fn)(cl_command_queue q, cl_mem image, cl_mem other, cl_uint n,
                             const cl_event *list);

static cl_int read_image(cl_command_queue q, cl_mem image, cl_mem other, cl_uint n,
                         const cl_event *list)
{
    (void)other;
    return clEnqueueReadImage(q, image, CL_TRUE, at, box, 0, 0, pixels, n, list, NULL);
}

static cl_int write_image(cl_command_queue q, cl_mem image, cl_mem other, cl_uint n,
                          const cl_event *list)
{
    (void)other;
    return clEnqueueWriteImage(q, image, CL_TRUE, at, box, 0, 0, pixels, n, list, NULL);
}

static cl_int fill_image(cl_command_queue q, cl_mem image, cl_mem other, cl_uint n,
                         const cl_event *list)
{
    const cl_float color[4] = {0};

    (void)other;
    return clEnqueueFillImage(q, image, color, at, box, n, list, NULL);
}

static cl_int copy_image(cl_command_queue q, cl_mem image, cl_mem other, cl_uint n,
                         const cl_event *list)
{
    return clEnqueueCopyImage(q, image, other, at, at, box, n, list, NULL);
}

static cl_int copy_to_buffer(cl_command_queue q, cl_mem image, cl_mem other, cl_uint n,
                             const cl_event *list)
{
    return clEnqueueCopyImageToBuffer(q, image, other, at, box, 0, n, list, NULL);
}

static cl_int copy_from_buffer(cl_command_queue q, cl_mem image, cl_mem other, cl_uint n,
                               const cl_event *list)
{
    return clEnqueueCopyBufferToImage(q, other, image, 0, at, box, n, list, NULL);
}

static cl_int map_image(cl_command_queue q, cl_mem image, cl_mem other, cl_uint n,
                        const cl_event *list)
{
    size_t row = 0, slice = 0;

    (void)other;
    code = 1;
    ck_assert_ptr_null(clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_READ, at, box, &row,
                                         &slice, n, list, NULL, &code));
    return code;
}

static const struct {
    command_fn call;
    bool takes_other;
} commands[] = {
    {read_image, false},      {write_image, false}, {fill_image, false},
    {map_image, false},       {copy_image, true},   {copy_to_buffer, true},
    {copy_from_buffer, true},
};

START_TEST(command_checks_its_handles)
{
    const command_fn call = commands[_i].call;
    cl_mem mem = tf_api_buffer(0, 64, NULL), strange = tf_api_other_buffer(64);

    ck_assert_int_eq(call(tf_api.q, mem, mem, 0, NULL), CL_INVALID_OPERATION);
    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE, call(bad, mem, mem, 0, NULL), tf_api.ctx);
    ck_assert_rejects(CL_INVALID_MEM_OBJECT, call(tf_api.q, bad, mem, 0, NULL), tf_api.q);
    ck_assert_int_eq(call(tf_api.q, strange, mem, 0, NULL), CL_INVALID_CONTEXT);
    if (commands[_i].takes_other) {
        ck_assert_rejects(CL_INVALID_MEM_OBJECT, call(tf_api.q, mem, bad, 0, NULL),
                          tf_api.q);
        ck_assert_int_eq(call(tf_api.q, mem, strange, 0, NULL), CL_INVALID_CONTEXT);
    }
#define CALL(n, list) call(tf_api.q, mem, mem, n, list)
    TF_API_CHECK_WAIT_LIST(CALL);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(strange), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("image");
    TCase *t = tcase_create("api");

    tcase_add_checked_fixture(t, tf_api_begin, tf_api_end);
    tcase_add_test(t, good_image_is_an_operation_nobody_offers);
    tcase_add_test(t, context_properties_and_flags_are_checked_first);
    tcase_add_test(t, format_must_mean_something);
    tcase_add_test(t, sizes_must_not_be_zero);
    tcase_add_test(t, type_and_counts_are_checked);
    tcase_add_test(t, pitches_fit_pixels_and_rows);
    tcase_add_test(t, storage_comes_from_a_buffer_that_is_large_enough);
    tcase_add_test(t, host_pointer_and_flags_belong_together);
    tcase_add_test(t, nothing_is_an_image);
    tcase_add_loop_test(t, command_checks_its_handles, 0, 7);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
