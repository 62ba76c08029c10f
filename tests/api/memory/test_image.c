// SPDX-License-Identifier: MIT
// Making images and asking for them.
#include <stdbool.h>
#include <string.h>

#include "support/api.h"

#include "support/suite.h"

static cl_int code;
static const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8};
static const cl_image_desc plane = {
    .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 4};
static unsigned char pixels[8 * 4 * 4];

// The code of making and releasing one.
static cl_int try(cl_mem_flags flags, const cl_image_format *format,
                  const cl_image_desc *desc, void *host_ptr)
{
    cl_mem image;

    code = 1;
    image = clCreateImage(tf_api.ctx, flags, format, desc, host_ptr, &code);
    ck_assert_int_eq(image != NULL, code == CL_SUCCESS);
    if (image)
        ck_assert_int_eq(clReleaseMemObject(image), CL_SUCCESS);
    return code;
}

static cl_int create(const cl_image_desc *desc)
{
    return try(0, &rgba, desc, NULL);
}

static cl_int create_on_host(const cl_image_desc *desc)
{
    return try(CL_MEM_USE_HOST_PTR, &rgba, desc, pixels);
}

static cl_mem make(cl_mem_flags flags, const cl_image_format *format,
                   const cl_image_desc *desc, void *host_ptr)
{
    cl_mem image = clCreateImage(tf_api.ctx, flags, format, desc, host_ptr, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

static void drop(cl_mem mem)
{
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}

static size_t info(cl_mem image, cl_image_info what)
{
    size_t value = 0, bytes = 0;

    ck_assert_int_eq(clGetImageInfo(image, what, sizeof(value), &value, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(value));
    return value;
}

static const cl_image_desc volume = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                     .image_width = 2,
                                     .image_height = 3,
                                     .image_depth = 5};
static const cl_image_desc row = {.image_type = CL_MEM_OBJECT_IMAGE1D, .image_width = 2};
static const cl_image_desc rows = {
    .image_type = CL_MEM_OBJECT_IMAGE1D_ARRAY, .image_width = 2, .image_array_size = 7};
static const cl_image_desc planes = {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                     .image_width = 2,
                                     .image_height = 3,
                                     .image_array_size = 7};

START_TEST(images_are_what_they_were_asked_to_be)
{
    static const struct {
        const cl_image_desc *desc;
        size_t row, slice, height, depth, layers, bytes;
    } table[] = {
        {&plane, 32, 0, 4, 0, 0, 128},  {&volume, 8, 24, 3, 5, 0, 120},
        {&row, 8, 0, 0, 0, 0, 8},       {&rows, 8, 8, 0, 0, 7, 56},
        {&planes, 8, 24, 3, 0, 7, 168},
    };

    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        cl_mem image = make(CL_MEM_READ_ONLY, &rgba, table[i].desc, NULL);
        cl_mem_object_type type = 0;
        cl_mem_flags flags = 0;
        cl_image_format format = {0, 0};
        cl_mem other = image;
        cl_uint count = 1;
        size_t bytes = 0;

        ck_assert_uint_eq(info(image, CL_IMAGE_ELEMENT_SIZE), 4);
        ck_assert_uint_eq(info(image, CL_IMAGE_ROW_PITCH), table[i].row);
        ck_assert_uint_eq(info(image, CL_IMAGE_SLICE_PITCH), table[i].slice);
        ck_assert_uint_eq(info(image, CL_IMAGE_WIDTH), table[i].desc->image_width);
        ck_assert_uint_eq(info(image, CL_IMAGE_HEIGHT), table[i].height);
        ck_assert_uint_eq(info(image, CL_IMAGE_DEPTH), table[i].depth);
        ck_assert_uint_eq(info(image, CL_IMAGE_ARRAY_SIZE), table[i].layers);
        clGetImageInfo(image, CL_IMAGE_FORMAT, sizeof(format), &format, NULL);
        ck_assert_mem_eq(&format, &rgba, sizeof(format));
        clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof(other), &other, NULL);
        ck_assert_ptr_null(other);
        clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof(count), &count, NULL);
        ck_assert_uint_eq(count, 0);
        clGetImageInfo(image, CL_IMAGE_NUM_SAMPLES, sizeof(count), &count, NULL);
        ck_assert_uint_eq(count, 0);
        clGetMemObjectInfo(image, CL_MEM_TYPE, sizeof(type), &type, NULL);
        ck_assert_uint_eq(type, table[i].desc->image_type);
        clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof(flags), &flags, NULL);
        ck_assert_uint_eq(flags, CL_MEM_READ_ONLY);
        clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
        ck_assert_uint_eq(bytes, table[i].bytes);
        ck_assert_int_eq(clGetImageInfo(image, CL_MEM_TYPE, sizeof(bytes), &bytes, NULL),
                         CL_INVALID_VALUE);
        ck_assert_int_eq(clGetImageInfo(image, CL_IMAGE_WIDTH, 4, &bytes, NULL),
                         CL_INVALID_VALUE);
        drop(image);
    }
}
END_TEST

START_TEST(every_way_to_make_one_works)
{
    const cl_mem_properties none[] = {0};
    cl_mem image;
    size_t bytes = 1;

    image = clCreateImageWithProperties(tf_api.ctx, none, 0, &rgba, &plane, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clGetMemObjectInfo(image, CL_MEM_PROPERTIES, 0, NULL, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(none));
    drop(image);
    image = clCreateImage2D(tf_api.ctx, 0, &rgba, 8, 4, 0, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(info(image, CL_IMAGE_HEIGHT), 4);
    drop(image);
    image = clCreateImage3D(tf_api.ctx, 0, &rgba, 8, 4, 2, 0, 0, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(info(image, CL_IMAGE_DEPTH), 2);
    drop(image);
    image = clCreateImage(tf_api.ctx, 0, &rgba, &plane, NULL, NULL);
    ck_assert_ptr_nonnull(image);
    drop(image);
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
        ck_assert_int_eq(try(0, &wrong[i], &plane, NULL),
                         CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    }
    ck_assert_ptr_null(clCreateImage(tf_api.ctx, 0, NULL, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    ck_assert_ptr_null(clCreateImage2D(tf_api.ctx, 0, NULL, 8, 4, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
}
END_TEST

START_TEST(formats_that_nobody_has_are_not_supported)
{
    const cl_image_format depth = {CL_DEPTH, CL_FLOAT}, rx = {CL_Rx, CL_UNORM_INT8};

    ck_assert_int_eq(try(0, &depth, &plane, NULL), CL_SUCCESS);
    ck_assert_int_eq(try(0, &depth, &planes, NULL), CL_SUCCESS);
    ck_assert_int_eq(try(0, &depth, &volume, NULL), CL_IMAGE_FORMAT_NOT_SUPPORTED);
    ck_assert_int_eq(try(0, &rx, &plane, NULL), CL_IMAGE_FORMAT_NOT_SUPPORTED);
}
END_TEST

START_TEST(extents_must_not_be_zero)
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
                                                ? CL_INVALID_IMAGE_SIZE
                                                : CL_SUCCESS);
        }
    }
    ck_assert_ptr_null(clCreateImage2D(tf_api.ctx, 0, &rgba, 0, 4, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_SIZE);
    ck_assert_ptr_null(clCreateImage3D(tf_api.ctx, 0, &rgba, 8, 4, 1, 0, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_SIZE); // one slice is a 2D image
}
END_TEST

static size_t limit(cl_device_info what)
{
    size_t value = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, what, sizeof(value), &value, NULL),
                     CL_SUCCESS);
    return value;
}

START_TEST(extents_have_the_limits_that_queries_tell)
{
    const size_t width = limit(CL_DEVICE_IMAGE2D_MAX_WIDTH);
    const size_t height = limit(CL_DEVICE_IMAGE2D_MAX_HEIGHT);
    const size_t layers = limit(CL_DEVICE_IMAGE_MAX_ARRAY_SIZE);
    const size_t deep[3] = {limit(CL_DEVICE_IMAGE3D_MAX_WIDTH),
                            limit(CL_DEVICE_IMAGE3D_MAX_HEIGHT),
                            limit(CL_DEVICE_IMAGE3D_MAX_DEPTH)};
    const struct {
        cl_mem_object_type type;
        size_t width, height, depth, layers;
        bool fits;
    } table[] = {
        {CL_MEM_OBJECT_IMAGE1D, width, 0, 0, 0, true},
        {CL_MEM_OBJECT_IMAGE1D, width + 1, 0, 0, 0, false},
        {CL_MEM_OBJECT_IMAGE2D, width, 1, 0, 0, true},
        {CL_MEM_OBJECT_IMAGE2D, width + 1, 1, 0, 0, false},
        {CL_MEM_OBJECT_IMAGE2D, 1, height, 0, 0, true},
        {CL_MEM_OBJECT_IMAGE2D, 1, height + 1, 0, 0, false},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, 0, 0, layers, true},
        {CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, 0, 0, layers + 1, false},
        {CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, 0, layers, true},
        {CL_MEM_OBJECT_IMAGE2D_ARRAY, 1, 1, 0, layers + 1, false},
        {CL_MEM_OBJECT_IMAGE3D, deep[0], 1, 1, 0, true},
        {CL_MEM_OBJECT_IMAGE3D, deep[0] + 1, 1, 1, 0, false},
        {CL_MEM_OBJECT_IMAGE3D, 1, deep[1] + 1, 1, 0, false},
        {CL_MEM_OBJECT_IMAGE3D, 1, 1, deep[2], 0, true},
        {CL_MEM_OBJECT_IMAGE3D, 1, 1, deep[2] + 1, 0, false},
        {CL_MEM_OBJECT_IMAGE1D, SIZE_MAX / 2, 0, 0, 0, false},
    };

    ck_assert(width >= 16384 && height >= 16384 && layers >= 2048);
    ck_assert(deep[0] >= 2048 && deep[1] >= 2048 && deep[2] >= 2048);
    for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
        const cl_image_desc desc = {.image_type = table[i].type,
                                    .image_width = table[i].width,
                                    .image_height = table[i].height,
                                    .image_depth = table[i].depth,
                                    .image_array_size = table[i].layers};

        ck_assert_int_eq(create(&desc),
                         table[i].fits ? CL_SUCCESS : CL_INVALID_IMAGE_SIZE);
    }
}
END_TEST

START_TEST(type_and_samples_are_checked)
{
    cl_image_desc desc = plane;

    desc.image_type = CL_MEM_OBJECT_BUFFER;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_type = CL_MEM_OBJECT_PIPE;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc = plane;
    desc.num_samples = 2;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
}
END_TEST

START_TEST(mip_levels_are_not_for_all_images)
{
    const cl_image_format depth = {CL_DEPTH, CL_FLOAT};
    cl_image_desc desc = plane;
    cl_mem image;
    cl_uint count = 0;

    desc.num_mip_levels = 4; // 8, 4, 2, 1
    image = make(0, &rgba, &desc, NULL);
    clGetImageInfo(image, CL_IMAGE_NUM_MIP_LEVELS, sizeof(count), &count, NULL);
    ck_assert_uint_eq(count, 4);
    drop(image);
    ck_assert_int_eq(try(0, &depth, &desc, NULL), CL_SUCCESS); // OpenCL C reads them
    ck_assert_int_eq(create_on_host(&desc), CL_INVALID_VALUE);
    desc.num_mip_levels = 16;
    ck_assert_int_eq(create(&desc), CL_SUCCESS);
    desc.num_mip_levels = 17;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.num_mip_levels = 1;
    ck_assert_int_eq(create_on_host(&desc), CL_SUCCESS);
}
END_TEST

START_TEST(pitches_fit_pixels_and_rows)
{
    size_t bytes = 0;
    cl_mem image;
    cl_image_desc desc = plane;
    cl_image_desc layers = {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                            .image_width = 4,
                            .image_height = 2,
                            .image_array_size = 2};

    desc.image_row_pitch = 32;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR); // no host_ptr
    ck_assert_int_eq(create_on_host(&desc), CL_SUCCESS);
    desc.image_row_pitch = 28;
    ck_assert_int_eq(create_on_host(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_row_pitch = 34;
    ck_assert_int_eq(create_on_host(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_row_pitch = 0;
    desc.image_slice_pitch = 1; // says nothing of an image without slices
    image = make(CL_MEM_COPY_HOST_PTR, &rgba, &desc, pixels);
    clGetMemObjectInfo(image, CL_MEM_SIZE, sizeof(bytes), &bytes, NULL);
    ck_assert_uint_eq(bytes, sizeof(pixels));
    drop(image);
    layers.image_slice_pitch = 32;
    ck_assert_int_eq(create(&layers), CL_INVALID_IMAGE_DESCRIPTOR);
    ck_assert_int_eq(create_on_host(&layers), CL_SUCCESS);
    layers.image_slice_pitch = 16;
    ck_assert_int_eq(create_on_host(&layers), CL_INVALID_IMAGE_DESCRIPTOR);
    layers.image_slice_pitch = 36;
    ck_assert_int_eq(create_on_host(&layers), CL_INVALID_IMAGE_DESCRIPTOR);
    ck_assert_ptr_null(clCreateImage2D(tf_api.ctx, 0, &rgba, 8, 4, 32, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_SIZE);
}
END_TEST

// Rows of 2 pixels in 12 bytes, slices of 3 rows in 48.
START_TEST(pitches_of_the_host_are_the_images)
{
    static unsigned char host[5 * 48];
    const cl_mem_flags flags[] = {CL_MEM_USE_HOST_PTR, CL_MEM_COPY_HOST_PTR,
                                  CL_MEM_COPY_HOST_PTR | CL_MEM_ALLOC_HOST_PTR};
    const size_t at[3] = {1, 2, 4}, one[3] = {1, 1, 1};
    cl_image_desc desc = volume;

    desc.image_row_pitch = 12;
    desc.image_slice_pitch = 48;
    for (size_t i = 0; i < sizeof(host); i++)
        host[i] = (unsigned char)(i * 7);
    for (int i = 0; i < 3; i++) {
        cl_mem image = make(flags[i], &rgba, &desc, host);
        unsigned char got[4] = {0};
        void *ptr = NULL;

        ck_assert_uint_eq(info(image, CL_IMAGE_ROW_PITCH), 12);
        ck_assert_uint_eq(info(image, CL_IMAGE_SLICE_PITCH), 48);
        ck_assert_int_eq(clEnqueueReadImage(tf_api.q, image, CL_TRUE, at, one, 0, 0, got,
                                            0, NULL, NULL),
                         CL_SUCCESS);
        ck_assert_mem_eq(got, host + 4 + 2 * 12 + 4 * 48, 4);
        clGetMemObjectInfo(image, CL_MEM_HOST_PTR, sizeof(ptr), &ptr, NULL);
        ck_assert_ptr_eq(ptr, i == 0 ? host : NULL);
        drop(image);
    }
}
END_TEST

START_TEST(new_pixels_are_zeros)
{
    const size_t at[3] = {0}, all[3] = {2, 3, 5};
    unsigned char got[2 * 3 * 5 * 4], zeros[sizeof(got)] = {0};
    cl_mem image = make(0, &rgba, &volume, NULL);

    memset(got, 1, sizeof(got));
    ck_assert_int_eq(
        clEnqueueReadImage(tf_api.q, image, CL_TRUE, at, all, 0, 0, got, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_mem_eq(got, zeros, sizeof(got));
    drop(image);
}
END_TEST

START_TEST(image_of_a_buffer_needs_one_that_is_large_enough)
{
    cl_mem mem = tf_api_buffer(0, 64, NULL), other = tf_api_other_buffer(64);
    cl_image_desc texels = {
        .image_type = CL_MEM_OBJECT_IMAGE1D_BUFFER, .image_width = 16, .buffer = mem};
    cl_image_desc desc = plane;

    ck_assert_int_eq(create(&texels), CL_SUCCESS);
    texels.image_width = 17;
    ck_assert_int_eq(create(&texels), CL_INVALID_IMAGE_DESCRIPTOR);
    texels.image_width = limit(CL_DEVICE_IMAGE_MAX_BUFFER_SIZE) + 1;
    ck_assert_int_eq(create(&texels), CL_INVALID_IMAGE_SIZE);
    texels.image_width = 16;
    texels.buffer = NULL;
    ck_assert_int_eq(create(&texels), CL_INVALID_IMAGE_DESCRIPTOR);
    texels.buffer = (cl_mem)(void *)tf_api.q;
    ck_assert_int_eq(create(&texels), CL_INVALID_IMAGE_DESCRIPTOR);
    texels.buffer = other;
    ck_assert_int_eq(create(&texels), CL_INVALID_CONTEXT);
    desc.buffer = mem;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR); // 128 bytes
    desc.image_height = 2;
    ck_assert_int_eq(create(&desc), CL_SUCCESS);
    desc.num_mip_levels = 2; // whose places the buffer would have to say
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.num_mip_levels = 0;
    desc.image_height = 1;
    desc.image_row_pitch = 64;
    ck_assert_int_eq(create(&desc), CL_SUCCESS);
    desc.image_row_pitch = 68;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    desc.image_row_pitch = 0;
    desc.image_type = CL_MEM_OBJECT_IMAGE1D;
    ck_assert_int_eq(create(&desc), CL_INVALID_IMAGE_DESCRIPTOR);
    drop(mem);
    drop(other);
}
END_TEST

START_TEST(image_of_a_buffer_shares_its_bytes)
{
    const cl_buffer_region part = {128, 128};
    const size_t at[3] = {1, 2, 0}, one[3] = {1, 1, 1};
    const unsigned char in[4] = {1, 2, 3, 4};
    cl_mem mem = tf_api_buffer(CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY, 256, NULL);
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &part, &code);
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 3,
                          .image_height = 4,
                          .image_row_pitch = 20,
                          .buffer = sub};
    cl_mem image = make(0, &rgba, &desc, NULL), got = NULL;
    cl_mem_flags flags = 0;
    cl_mem view;
    size_t offset = 1;
    unsigned char *host;

    clGetImageInfo(image, CL_IMAGE_BUFFER, sizeof(got), &got, NULL);
    ck_assert_ptr_eq(got, sub);
    clGetMemObjectInfo(image, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(got), &got, NULL);
    ck_assert_ptr_eq(got, sub);
    clGetMemObjectInfo(image, CL_MEM_FLAGS, sizeof(flags), &flags, NULL);
    ck_assert_uint_eq(flags, CL_MEM_READ_ONLY | CL_MEM_HOST_WRITE_ONLY);
    clGetMemObjectInfo(image, CL_MEM_OFFSET, sizeof(offset), &offset, NULL);
    ck_assert_uint_eq(offset, 0);
    ck_assert_uint_eq(info(image, CL_IMAGE_ROW_PITCH), 20);
    desc.buffer = image;
    view = make(0, &(cl_image_format){CL_sRGBA, CL_UNORM_INT8}, &desc, NULL);
    drop(image);
    drop(sub);
    ck_assert_int_eq(
        clEnqueueWriteImage(tf_api.q, view, CL_TRUE, at, one, 0, 0, in, 0, NULL, NULL),
        CL_SUCCESS);
    host = clEnqueueMapBuffer(tf_api.q, mem, CL_TRUE, CL_MAP_WRITE, 0, 256, 0, NULL, NULL,
                              &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_mem_eq(host + 128 + 2 * 20 + 4, in, 4);
    ck_assert_int_eq(clEnqueueUnmapMemObject(tf_api.q, mem, host, 0, NULL, NULL),
                     CL_SUCCESS);
    drop(view);
    drop(mem);
}
END_TEST

START_TEST(image_in_another_object_has_no_more_rights)
{
    static const struct {
        cl_mem_flags parent, child;
    } wrong[] = {
        {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE},
        {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY},
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY},
        {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY},
        {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY},
        {0, CL_MEM_ALLOC_HOST_PTR},
        {0, CL_MEM_USE_HOST_PTR},
        {0, CL_MEM_COPY_HOST_PTR},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        cl_mem mem = tf_api_buffer(wrong[i].parent, 128, NULL);
        cl_image_desc desc = plane;

        desc.buffer = mem;
        ck_assert_int_eq(try(wrong[i].child, &rgba, &desc, NULL), CL_INVALID_VALUE);
        drop(mem);
    }
}
END_TEST

START_TEST(image_of_an_image_shows_the_same_pixels_in_another_order)
{
    const cl_image_format srgba = {CL_sRGBA, CL_UNORM_INT8};
    const cl_image_format bgra = {CL_BGRA, CL_UNORM_INT8};
    const cl_image_format snorm = {CL_sRGBA, CL_SNORM_INT8};
    cl_image_desc desc = plane;
    cl_mem image, view, got = NULL;

    desc.image_row_pitch = 32;
    image = make(CL_MEM_USE_HOST_PTR, &rgba, &desc, pixels);
    desc.mem_object = image;
    view = make(0, &srgba, &desc, NULL);
    clGetMemObjectInfo(view, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(got), &got, NULL);
    ck_assert_ptr_eq(got, image);
    got = image;
    clGetImageInfo(view, CL_IMAGE_BUFFER, sizeof(got), &got, NULL);
    ck_assert_ptr_null(got);
    drop(view);
    ck_assert_int_eq(try(0, &rgba, &desc, NULL), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    ck_assert_int_eq(try(0, &bgra, &desc, NULL), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    ck_assert_int_eq(try(0, &snorm, &desc, NULL), CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    desc.image_width = 7;
    ck_assert_int_eq(try(0, &srgba, &desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    desc = plane;
    desc.mem_object = image;
    desc.image_row_pitch = 36;
    ck_assert_int_eq(try(0, &srgba, &desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    desc = rows;
    desc.mem_object = image;
    ck_assert_int_eq(try(0, &srgba, &desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    drop(image);
    image = make(0, &rgba, &volume, NULL);
    desc = plane;
    desc.mem_object = image;
    ck_assert_int_eq(try(0, &srgba, &desc, NULL), CL_INVALID_IMAGE_DESCRIPTOR);
    drop(image);
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

START_TEST(buffers_are_no_images)
{
    cl_mem mem = tf_api_buffer(0, 64, NULL);
    size_t width;

    ck_assert_int_eq(clGetImageInfo(mem, CL_IMAGE_WIDTH, sizeof(width), &width, NULL),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_rejects(CL_INVALID_MEM_OBJECT,
                      clGetImageInfo(bad, CL_IMAGE_WIDTH, sizeof(width), &width, NULL),
                      tf_api.ctx);
    drop(mem);
}
END_TEST

// ---- Formats ----

static const cl_mem_object_type all_types[] = {
    CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_BUFFER, CL_MEM_OBJECT_IMAGE1D_ARRAY,
    CL_MEM_OBJECT_IMAGE2D, CL_MEM_OBJECT_IMAGE2D_ARRAY,  CL_MEM_OBJECT_IMAGE3D};
static const cl_mem_flags all_access[] = {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY,
                                          CL_MEM_READ_WRITE, CL_MEM_KERNEL_READ_AND_WRITE,
                                          0};

START_TEST(listed_formats_make_images)
{
    cl_image_format formats[256];
    cl_uint count = 0, again = 0;
    cl_mem mem = tf_api_buffer(0, 64, NULL);
    cl_image_desc desc = {.image_type = all_types[_i],
                          .image_width = 1,
                          .image_height = 1,
                          .image_depth = 1,
                          .image_array_size = 1};

    if (all_types[_i] == CL_MEM_OBJECT_IMAGE1D_BUFFER)
        desc.buffer = mem;
    for (size_t a = 0; a < sizeof(all_access) / sizeof(all_access[0]); a++) {
        ck_assert_int_eq(clGetSupportedImageFormats(tf_api.ctx, all_access[a],
                                                    all_types[_i], 256, formats, &count),
                         CL_SUCCESS);
        ck_assert(count > 90 && count <= 256);
        for (cl_uint i = 0; i < count; i++) {
            ck_assert_int_eq(try(0, &formats[i], &desc, NULL), CL_SUCCESS);
            for (cl_uint k = 0; k < i; k++)
                ck_assert(memcmp(&formats[i], &formats[k], sizeof(formats[i])) != 0);
        }
        memset(formats, 0, sizeof(formats));
        ck_assert_int_eq(clGetSupportedImageFormats(tf_api.ctx, all_access[a],
                                                    all_types[_i], 3, formats, &again),
                         CL_SUCCESS);
        ck_assert_uint_eq(again, count);
        ck_assert(formats[2].image_channel_order && !formats[3].image_channel_order);
        ck_assert_int_eq(clGetSupportedImageFormats(tf_api.ctx, all_access[a],
                                                    all_types[_i], 0, NULL, NULL),
                         CL_SUCCESS);
    }
    drop(mem);
}
END_TEST

START_TEST(wrong_questions_for_formats_are_refused)
{
    cl_image_format format;
    cl_uint count;
    const struct {
        cl_mem_flags flags;
        cl_mem_object_type type;
    } wrong[] = {
        {1ull << 40, CL_MEM_OBJECT_IMAGE2D},
        {CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE2D},
        {CL_MEM_READ_ONLY | CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D},
        {0, CL_MEM_OBJECT_BUFFER},
        {0, CL_MEM_OBJECT_PIPE},
    };

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++)
        ck_assert_int_eq(clGetSupportedImageFormats(tf_api.ctx, wrong[i].flags,
                                                    wrong[i].type, 1, &format, &count),
                         CL_INVALID_VALUE);
    ck_assert_int_eq(clGetSupportedImageFormats(tf_api.ctx, 0, CL_MEM_OBJECT_IMAGE2D, 0,
                                                &format, &count),
                     CL_INVALID_VALUE);
    ck_assert_rejects(
        CL_INVALID_CONTEXT,
        clGetSupportedImageFormats(bad, 0, CL_MEM_OBJECT_IMAGE2D, 1, &format, &count),
        tf_api.q);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("image");
    TCase *t = tcase_create("api");

    tcase_add_checked_fixture(t, tf_api_begin, tf_api_end);
    tcase_add_test(t, images_are_what_they_were_asked_to_be);
    tcase_add_test(t, every_way_to_make_one_works);
    tcase_add_test(t, context_properties_and_flags_are_checked_first);
    tcase_add_test(t, format_must_mean_something);
    tcase_add_test(t, formats_that_nobody_has_are_not_supported);
    tcase_add_test(t, extents_must_not_be_zero);
    tcase_add_test(t, extents_have_the_limits_that_queries_tell);
    tcase_add_test(t, type_and_samples_are_checked);
    tcase_add_test(t, mip_levels_are_not_for_all_images);
    tcase_add_test(t, pitches_fit_pixels_and_rows);
    tcase_add_test(t, pitches_of_the_host_are_the_images);
    tcase_add_test(t, new_pixels_are_zeros);
    tcase_add_test(t, image_of_a_buffer_needs_one_that_is_large_enough);
    tcase_add_test(t, image_of_a_buffer_shares_its_bytes);
    tcase_add_test(t, image_in_another_object_has_no_more_rights);
    tcase_add_test(t, image_of_an_image_shows_the_same_pixels_in_another_order);
    tcase_add_test(t, host_pointer_and_flags_belong_together);
    tcase_add_test(t, buffers_are_no_images);
    tcase_add_loop_test(t, listed_formats_make_images, 0, 6);
    tcase_add_test(t, wrong_questions_for_formats_are_refused);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
