// SPDX-License-Identifier: MIT
// clCreateImage2D and clCreateImage3D, the deprecated forms of OpenCL 1.0: the images
// that they make, and each of their errors.
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

static const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8};
static unsigned char pixels[8 * 4 * 2 * 4];

static size_t limit(cl_device_info what)
{
    size_t value = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, what, sizeof(value), &value, NULL),
                     CL_SUCCESS);
    return value;
}

struct call {
    cl_mem_flags flags;
    const cl_image_format *format;
    size_t width, height, depth, row_pitch, slice_pitch; // depth 0: a plane
    void *host_ptr;
};

static cl_mem make(cl_context context, const struct call *c, cl_int *code)
{
    return c->depth ? clCreateImage3D(context, c->flags, c->format, c->width, c->height,
                                      c->depth, c->row_pitch, c->slice_pitch, c->host_ptr,
                                      code)
                    : clCreateImage2D(context, c->flags, c->format, c->width, c->height,
                                      c->row_pitch, c->host_ptr, code);
}

static size_t info(cl_mem image, cl_image_info what)
{
    size_t value = 0;

    ck_assert_int_eq(clGetImageInfo(image, what, sizeof(value), &value, NULL),
                     CL_SUCCESS);
    return value;
}

START_TEST(images_are_those_of_clCreateImage)
{
    static const struct call calls[] = {
        {0, &rgba, 8, 4, 0, 0, 0, NULL},
        {CL_MEM_WRITE_ONLY, &rgba, 8, 4, 2, 0, 0, NULL},
        {CL_MEM_COPY_HOST_PTR, &rgba, 7, 4, 0, 32, 0, pixels},
        {CL_MEM_USE_HOST_PTR, &rgba, 7, 3, 2, 32, 128, pixels},
        {CL_MEM_COPY_HOST_PTR, &rgba, 8, 4, 2, 0, 0, pixels},
    };

    for (size_t i = 0; i < sizeof(pixels); i++)
        pixels[i] = (unsigned char)(i * 7);
    for (size_t i = 0; i < sizeof(calls) / sizeof(calls[0]); i++) {
        const struct call *const c = &calls[i];
        const size_t last[3] = {c->width - 1, c->height - 1, c->depth ? c->depth - 1 : 0};
        const size_t one[3] = {1, 1, 1};
        const size_t row = c->row_pitch ? c->row_pitch : c->width * 4;
        const size_t slice = c->slice_pitch ? c->slice_pitch : row * c->height;
        unsigned char texel[4] = {1};
        cl_mem_object_type type = 0;
        cl_mem_flags flags = 0;
        cl_int code = 1;
        cl_mem image = make(tf_api.ctx, c, &code);

        ck_assert_int_eq(code, CL_SUCCESS);
        clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof(type), &type, NULL);
        ck_assert_uint_eq(type, c->depth ? CL_MEM_OBJECT_IMAGE3D : CL_MEM_OBJECT_IMAGE2D);
        clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof(flags), &flags, NULL);
        ck_assert_uint_eq(flags & CL_MEM_WRITE_ONLY, c->flags & CL_MEM_WRITE_ONLY);
        ck_assert_uint_eq(info(image, CL_IMAGE_WIDTH), c->width);
        ck_assert_uint_eq(info(image, CL_IMAGE_HEIGHT), c->height);
        ck_assert_uint_eq(info(image, CL_IMAGE_DEPTH), c->depth);
        ck_assert_uint_eq(info(image, CL_IMAGE_ROW_PITCH), row);
        ck_assert_uint_eq(info(image, CL_IMAGE_SLICE_PITCH), c->depth ? slice : 0);
        ck_assert_int_eq(clEnqueueReadImage(tf_api.q, image, CL_TRUE, last, one, 0, 0,
                                            texel, 0, NULL, NULL),
                         CL_SUCCESS);
        if (c->host_ptr)
            ck_assert_mem_eq(texel,
                             pixels + last[0] * 4 + last[1] * row + last[2] * slice, 4);
        ck_assert_int_eq(clReleaseMemObject(image), CL_SUCCESS);
    }
}
END_TEST

// What both forms refuse, with the code of OpenCL 1.1, 5.3.1; depth 2 is the form for
// volumes. Pitches and extents share a code there.
START_TEST(every_error_has_its_code)
{
    static const cl_image_format meaningless = {CL_RGBA, CL_UNORM_SHORT_565};
    static const cl_image_format odd = {CL_Rx, CL_UNORM_INT8}; // that no device has
    const struct {
        struct call call;
        cl_int code;
    } wrong[] = {
        {{~0ull, &rgba, 8, 4, 0, 0, 0, NULL}, CL_INVALID_VALUE},
        {{CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, &rgba, 8, 4, 2, 0, 0, NULL},
         CL_INVALID_VALUE},
        {{CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, &rgba, 8, 4, 2, 0, 0, pixels},
         CL_INVALID_VALUE},
        {{0, NULL, 8, 4, 0, 0, 0, NULL}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
        {{0, NULL, 8, 4, 2, 0, 0, NULL}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
        {{0, &meaningless, 8, 4, 0, 0, 0, NULL}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
        {{0, &meaningless, 8, 4, 2, 0, 0, NULL}, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR},
        {{0, &odd, 8, 4, 0, 0, 0, NULL}, CL_IMAGE_FORMAT_NOT_SUPPORTED},
        {{0, &odd, 8, 4, 2, 0, 0, NULL}, CL_IMAGE_FORMAT_NOT_SUPPORTED},
        {{0, &rgba, 0, 4, 0, 0, 0, NULL}, CL_INVALID_IMAGE_SIZE},
        {{0, &rgba, 8, 0, 0, 0, 0, NULL}, CL_INVALID_IMAGE_SIZE},
        {{0, &rgba, 0, 4, 2, 0, 0, NULL}, CL_INVALID_IMAGE_SIZE},
        {{0, &rgba, 8, 0, 2, 0, 0, NULL}, CL_INVALID_IMAGE_SIZE},
        {{0, &rgba, 8, 4, 1, 0, 0, NULL}, CL_INVALID_IMAGE_SIZE}, // a plane
        {{0, &rgba, limit(CL_DEVICE_IMAGE2D_MAX_WIDTH) + 1, 1, 0, 0, 0, NULL},
         CL_INVALID_IMAGE_SIZE},
        {{0, &rgba, 1, limit(CL_DEVICE_IMAGE2D_MAX_HEIGHT) + 1, 0, 0, 0, NULL},
         CL_INVALID_IMAGE_SIZE},
        {{0, &rgba, limit(CL_DEVICE_IMAGE3D_MAX_WIDTH) + 1, 1, 2, 0, 0, NULL},
         CL_INVALID_IMAGE_SIZE},
        {{0, &rgba, 1, limit(CL_DEVICE_IMAGE3D_MAX_HEIGHT) + 1, 2, 0, 0, NULL},
         CL_INVALID_IMAGE_SIZE},
        {{0, &rgba, 1, 1, limit(CL_DEVICE_IMAGE3D_MAX_DEPTH) + 1, 0, 0, NULL},
         CL_INVALID_IMAGE_SIZE},
        // Pitches without memory of the host, too short, no multiples.
        {{0, &rgba, 8, 4, 0, 32, 0, NULL}, CL_INVALID_IMAGE_SIZE},
        {{0, &rgba, 8, 4, 2, 32, 0, NULL}, CL_INVALID_IMAGE_SIZE},
        {{0, &rgba, 8, 4, 2, 0, 128, NULL}, CL_INVALID_IMAGE_SIZE},
        {{CL_MEM_COPY_HOST_PTR, &rgba, 8, 4, 0, 28, 0, pixels}, CL_INVALID_IMAGE_SIZE},
        {{CL_MEM_COPY_HOST_PTR, &rgba, 8, 4, 0, 34, 0, pixels}, CL_INVALID_IMAGE_SIZE},
        {{CL_MEM_COPY_HOST_PTR, &rgba, 8, 4, 2, 28, 0, pixels}, CL_INVALID_IMAGE_SIZE},
        {{CL_MEM_COPY_HOST_PTR, &rgba, 8, 4, 2, 34, 0, pixels}, CL_INVALID_IMAGE_SIZE},
        {{CL_MEM_COPY_HOST_PTR, &rgba, 8, 4, 2, 32, 96, pixels}, CL_INVALID_IMAGE_SIZE},
        {{CL_MEM_COPY_HOST_PTR, &rgba, 8, 4, 2, 32, 130, pixels}, CL_INVALID_IMAGE_SIZE},
        {{CL_MEM_USE_HOST_PTR, &rgba, 8, 4, 0, 0, 0, NULL}, CL_INVALID_HOST_PTR},
        {{CL_MEM_COPY_HOST_PTR, &rgba, 8, 4, 2, 0, 0, NULL}, CL_INVALID_HOST_PTR},
        {{0, &rgba, 8, 4, 0, 0, 0, pixels}, CL_INVALID_HOST_PTR},
        {{0, &rgba, 8, 4, 2, 0, 0, pixels}, CL_INVALID_HOST_PTR},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        cl_int code = 1;

        ck_assert_ptr_null(make(tf_api.ctx, &wrong[i].call, &code));
        ck_assert_msg(code == wrong[i].code, "line %zu: %d, not %d", i, code,
                      wrong[i].code);
        ck_assert_ptr_null(make(tf_api.ctx, &wrong[i].call, NULL));
    }
}
END_TEST

START_TEST(contexts_are_checked_first)
{
    const struct call calls[] = {{~0ull, NULL, 0, 0, 0, 1, 0, NULL},
                                 {~0ull, NULL, 0, 0, 2, 1, 1, NULL}};
    cl_int code = 1;

    for (int i = 0; i < 2; i++)
        ck_assert_rejects(CL_INVALID_CONTEXT, (make(bad, &calls[i], &code), code),
                          tf_api.q);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("image_1_0");
    TCase *t = tcase_create("deprecated");

    tcase_add_checked_fixture(t, tf_api_begin, tf_api_end);
    tcase_add_test(t, images_are_those_of_clCreateImage);
    tcase_add_test(t, every_error_has_its_code);
    tcase_add_test(t, contexts_are_checked_first);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
