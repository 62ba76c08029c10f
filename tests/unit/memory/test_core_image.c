// SPDX-License-Identifier: MIT
// Images on the mock device: what kernels are told of them, and what a device that has
// less than another says.
#include "api/dispatch.h"

#include "core/memory/image.h"
#include "core/platform/device.h"
#include "support/core.h"
#include "support/suite.h"

static struct tf_mock *mock;
static cl_device_id device;
static cl_context ctx;
static cl_command_queue q;
static const cl_image_format rgba = {CL_RGBA, CL_UNORM_INT8};

static void begin(void)
{
    const struct tf_context_desc desc = {.devices = &device, .device_count = 1};
    struct tf_err err = {0};

    mock = tf_mock_create(1);
    tf_mock_give_images(mock);
    device = tf_device_register(&mock->dev, NULL);
    ck_assert_ptr_nonnull(device);
    ck_assert_int_eq(tf_context_create(&err, &desc, &ctx), CL_SUCCESS);
    q = tf_core_queue(&(struct tf_core){mock, device, ctx}, 0);
}

static void end(void)
{
    struct tf_core core = {mock, device, ctx};

    tf_core_release(q, &tf_class_queue);
    tf_core_end(&core);
}

static cl_mem make(const cl_image_format *format, const cl_image_desc *desc)
{
    cl_int code = 1;
    cl_mem image = clCreateImage(ctx, 0, format, desc, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

static void drop(cl_mem mem)
{
    tf_core_release(mem, &tf_class_mem);
}

START_TEST(descriptor_has_what_the_layout_says)
{
    const cl_image_desc planes = {.image_type = CL_MEM_OBJECT_IMAGE2D_ARRAY,
                                  .image_width = 5,
                                  .image_height = 3,
                                  .image_array_size = 7};
    cl_mem image = make(&rgba, &planes);
    const struct tf_image_desc desc = *tf_image_describe(image);

    ck_assert_uint_eq(desc.data, 0);
    ck_assert_uint_eq(desc.width, 5);
    ck_assert_uint_eq(desc.height, 3);
    ck_assert_uint_eq(desc.depth, 1);
    ck_assert_uint_eq(desc.array_size, 7);
    ck_assert_uint_eq(desc.row_pitch_bytes, 20);
    ck_assert_uint_eq(desc.slice_pitch_bytes, 60);
    ck_assert_uint_eq(desc.pixel_bytes, 4);
    ck_assert_uint_eq(desc.channel_order, CL_RGBA);
    ck_assert_uint_eq(desc.channel_type, CL_UNORM_INT8);
    ck_assert_uint_eq(desc.mip_levels, 1);
    ck_assert_uint_eq(tf_image_data_offset(image), 0);
    drop(image);
}
END_TEST

START_TEST(levels_stand_before_the_pixels)
{
    const cl_image_desc volume = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                  .image_width = 8,
                                  .image_height = 4,
                                  .image_depth = 2,
                                  .num_mip_levels = 4};
    cl_mem image = make(&rgba, &volume);
    const struct tf_image_level *levels = tf_mock_address(image->devmem);

    ck_assert_uint_eq(tf_image_describe(image)->mip_levels, 4);
    ck_assert_uint_eq(tf_image_data_offset(image), TF_IMAGE_LEVELS_BYTES);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_eq(levels[i].width, 8 >> i);
        ck_assert_uint_eq(levels[i].height, 4 >> i ? 4 >> i : 1);
        ck_assert_uint_eq(levels[i].depth, 2 >> i ? 2 >> i : 1);
        ck_assert_uint_eq(levels[i].row_pitch_bytes, 32 >> i);
        ck_assert_int_eq(levels[i].offset_bytes % 128, 0);
    }
    ck_assert_int_eq(levels[0].offset_bytes, 0);
    ck_assert_int_eq(levels[1].offset_bytes, 8 * 4 * 2 * 4);
    drop(image);
}
END_TEST

// Every format that can be made can be described.
START_TEST(all_formats_are_described)
{
    const cl_image_desc plane = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 1, .image_height = 1};
    cl_image_format format;

    for (size_t i = 0; tf_image_format_at(i, &format); i++) {
        cl_mem image;

        if (!tf_image_format_access(&format, CL_MEM_OBJECT_IMAGE2D))
            continue;
        image = make(&format, &plane);
        ck_assert_uint_eq(tf_image_describe(image)->pixel_bytes,
                          tf_image_format_bytes(&format));
        drop(image);
    }
}
END_TEST

START_TEST(buffers_of_images_are_aligned)
{
    cl_int code;
    static _Alignas(128) unsigned char host[256];
    cl_mem aligned = clCreateBuffer(ctx, CL_MEM_USE_HOST_PTR, 128, host, &code);
    cl_mem odd = clCreateBuffer(ctx, CL_MEM_USE_HOST_PTR, 128, host + 4, &code);
    cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                          .image_width = 4,
                          .image_height = 2,
                          .image_row_pitch = 20,
                          .buffer = aligned};

    ck_assert_ptr_null(clCreateImage(ctx, 0, &rgba, &desc, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR); // four pixels are wanted
    desc.image_row_pitch = 32;
    drop(make(&rgba, &desc));
    desc.buffer = odd;
    ck_assert_ptr_null(clCreateImage(ctx, 0, &rgba, &desc, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_IMAGE_FORMAT_DESCRIPTOR);
    drop(aligned);
    drop(odd);
}
END_TEST

// ---- A device with less than that for which the image was made ----

static cl_int read_pixel(cl_mem image)
{
    const size_t at[3] = {0}, one[3] = {1, 1, 1};
    unsigned char out[16];

    return clEnqueueReadImage(q, image, CL_TRUE, at, one, 0, 0, out, 0, NULL, NULL);
}

START_TEST(device_says_what_it_lacks)
{
    const cl_image_desc plane = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 100, .image_height = 1};
    const size_t at[3] = {0}, one[3] = {1, 1, 1};
    const float color[4] = {0};
    cl_mem image = make(&rgba, &plane);
    cl_int code;
    size_t row;

    ck_assert_int_eq(read_pixel(image), CL_SUCCESS);
    mock->caps.images.plane_px[0] = 99;
    ck_assert_int_eq(read_pixel(image), CL_INVALID_IMAGE_SIZE);
    mock->caps.images.plane_px[0] = 100;
    ck_assert_int_eq(read_pixel(image), CL_SUCCESS);
    tf_feature_put(&mock->caps.features, TF_FEATURE_images, false);
    ck_assert_int_eq(read_pixel(image), CL_INVALID_OPERATION);
    ck_assert_int_eq(clEnqueueFillImage(q, image, color, at, one, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clEnqueueCopyImage(q, image, image, at, at, one, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_ptr_null(clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_READ, at, one, &row,
                                         NULL, 0, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    ck_assert_ptr_null(clCreateImage(ctx, 0, &rgba, &plane, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    ck_assert_ptr_null(
        clCreateSampler(ctx, CL_FALSE, CL_ADDRESS_NONE, CL_FILTER_NEAREST, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    ck_assert_ptr_null(clCreateSamplerWithProperties(ctx, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    drop(image);
}
END_TEST

START_TEST(formats_follow_the_features)
{
    cl_uint count = 1;

    tf_feature_put(&mock->caps.features, TF_FEATURE_read_write_images, false);
    clGetSupportedImageFormats(ctx, CL_MEM_KERNEL_READ_AND_WRITE, CL_MEM_OBJECT_IMAGE2D,
                               0, NULL, &count);
    ck_assert_uint_eq(count, 0);
    tf_feature_put(&mock->caps.features, TF_FEATURE_3d_image_writes, false);
    clGetSupportedImageFormats(ctx, CL_MEM_WRITE_ONLY, CL_MEM_OBJECT_IMAGE3D, 0, NULL,
                               &count);
    ck_assert_uint_eq(count, 0);
    clGetSupportedImageFormats(ctx, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE3D, 0, NULL,
                               &count);
    ck_assert_uint_gt(count, 90);
    tf_feature_put(&mock->caps.features, TF_FEATURE_images, false);
    clGetSupportedImageFormats(ctx, CL_MEM_READ_ONLY, CL_MEM_OBJECT_IMAGE2D, 0, NULL,
                               &count);
    ck_assert_uint_eq(count, 0);
}
END_TEST

// The mock's memory is not the host's: a mapping is a command there.
START_TEST(mapping_is_a_command_where_memory_is_apart)
{
    const cl_image_desc plane = {
        .image_type = CL_MEM_OBJECT_IMAGE2D, .image_width = 8, .image_height = 8};
    const size_t at[3] = {1, 2, 0}, box[3] = {3, 4, 1};
    cl_mem image = make(&rgba, &plane);
    const int before = atomic_load(&mock->finished) + atomic_load(&mock->ran_here);
    cl_int code;
    size_t row = 0;
    void *host = clEnqueueMapImage(q, image, CL_TRUE, CL_MAP_WRITE, at, box, &row, NULL,
                                   0, NULL, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(row, 32);
    ck_assert_ptr_eq(host, (char *)tf_mock_address(image->devmem) + 2 * 32 + 4);
    ck_assert_int_eq(atomic_load(&mock->finished) + atomic_load(&mock->ran_here),
                     before + 1);
    ck_assert_int_eq(clEnqueueUnmapMemObject(q, image, host, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(clFinish(q), CL_SUCCESS);
    drop(image);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("core_image");
    TCase *t = tcase_create("unit");

    tcase_add_checked_fixture(t, begin, end);
    tcase_add_test(t, descriptor_has_what_the_layout_says);
    tcase_add_test(t, levels_stand_before_the_pixels);
    tcase_add_test(t, all_formats_are_described);
    tcase_add_test(t, buffers_of_images_are_aligned);
    tcase_add_test(t, device_says_what_it_lacks);
    tcase_add_test(t, formats_follow_the_features);
    tcase_add_test(t, mapping_is_a_command_where_memory_is_apart);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
