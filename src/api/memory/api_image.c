// SPDX-License-Identifier: MIT
// Making images, asking for them (OpenCL 3.1 §5.3). No device has images yet: everything
// that can be wrong is checked, then the answer is CL_INVALID_OPERATION.
#include "api/memory/api_image.h"
#include "api/dispatch.h"

#include "api/api_common.h"

static cl_int check_create(struct tf_err *err, cl_context ctx,
                           const struct tf_image_desc *image)
{
    return check_image_desc(err, ctx, image) ? err->code : check_images_offered(err);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                              const cl_image_format *image_format,
                                              const cl_image_desc *image_desc,
                                              void *host_ptr, cl_int *errcode_ret)
{
    const struct tf_image_desc image = {
        .flags = flags, .format = image_format, .desc = image_desc, .host_ptr = host_ptr};
    struct tf_err err = {0};

    check_create(&err, context, &image);
    return tf_return_object(&err, __func__, NULL, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *image_format, const cl_image_desc *image_desc, void *host_ptr,
    cl_int *errcode_ret)
{
    const struct tf_image_desc image = {.flags = flags,
                                        .properties = properties,
                                        .format = image_format,
                                        .desc = image_desc,
                                        .host_ptr = host_ptr};
    struct tf_err err = {0};

    check_create(&err, context, &image);
    return tf_return_object(&err, __func__, NULL, errcode_ret);
}

// The forms of OpenCL 1.0 have another code for sizes and pitches.
static cl_int check_create_1_0(struct tf_err *err, cl_context ctx,
                               const struct tf_image_desc *image)
{
    if (check_create(err, ctx, image) == CL_INVALID_IMAGE_DESCRIPTOR)
        err->code = CL_INVALID_IMAGE_SIZE;
    return err->code;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage2D(cl_context context, cl_mem_flags flags,
                                                const cl_image_format *image_format,
                                                size_t image_width, size_t image_height,
                                                size_t image_row_pitch, void *host_ptr,
                                                cl_int *errcode_ret)
{
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE2D,
                                .image_width = image_width,
                                .image_height = image_height,
                                .image_row_pitch = image_row_pitch};
    const struct tf_image_desc image = {
        .flags = flags, .format = image_format, .desc = &desc, .host_ptr = host_ptr};
    struct tf_err err = {0};

    check_create_1_0(&err, context, &image);
    return tf_return_object(&err, __func__, NULL, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage3D(
    cl_context context, cl_mem_flags flags, const cl_image_format *image_format,
    size_t image_width, size_t image_height, size_t image_depth, size_t image_row_pitch,
    size_t image_slice_pitch, void *host_ptr, cl_int *errcode_ret)
{
    const cl_image_desc desc = {.image_type = CL_MEM_OBJECT_IMAGE3D,
                                .image_width = image_width,
                                .image_height = image_height,
                                // One slice is a 2D image there.
                                .image_depth = image_depth > 1 ? image_depth : 0,
                                .image_row_pitch = image_row_pitch,
                                .image_slice_pitch = image_slice_pitch};
    const struct tf_image_desc image = {
        .flags = flags, .format = image_format, .desc = &desc, .host_ptr = host_ptr};
    struct tf_err err = {0};

    check_create_1_0(&err, context, &image);
    return tf_return_object(&err, __func__, NULL, errcode_ret);
}

static cl_int check_image(struct tf_err *err, cl_mem mem)
{
    if (check_mem(err, mem))
        return err->code;
    return tf_fail(err, CL_INVALID_MEM_OBJECT, "the memory object is not an image");
}

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name,
                                               size_t param_value_size, void *param_value,
                                               size_t *param_value_size_ret)
{
    struct tf_err err = {0};

    (void)param_name, (void)param_value_size;
    (void)param_value, (void)param_value_size_ret;
    check_image(&err, image);
    return tf_report(&err, __func__);
}

static cl_int check_image_query(struct tf_err *err, cl_context ctx, cl_mem_flags flags,
                                cl_mem_object_type type, cl_uint room,
                                const cl_image_format *formats)
{
    const cl_mem_flags access = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY |
                                CL_MEM_KERNEL_READ_AND_WRITE;
    const cl_mem_flags known = access | CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR |
                               CL_MEM_COPY_HOST_PTR | CL_MEM_HOST_WRITE_ONLY |
                               CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS;

    if (check_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, !(flags & ~known), CL_INVALID_VALUE, "flags 0x%llx",
               (unsigned long long)flags);
    TF_REQUIRE(err, ((flags & access) & ((flags & access) - 1)) == 0, CL_INVALID_VALUE,
               "flags 0x%llx: several ways of access", (unsigned long long)flags);
    TF_REQUIRE(err, type >= CL_MEM_OBJECT_IMAGE2D && type <= CL_MEM_OBJECT_IMAGE1D_BUFFER,
               CL_INVALID_VALUE, "image type 0x%x", type);
    TF_REQUIRE(err, room > 0 || !formats, CL_INVALID_VALUE,
               "num_entries is 0 but image_formats is set");
    return CL_SUCCESS;
}

// No device has images yet: the list of their formats is empty.
CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(
    cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
    cl_uint num_entries, cl_image_format *image_formats, cl_uint *num_image_formats)
{
    struct tf_err err = {0};

    if (!check_image_query(&err, context, flags, image_type, num_entries,
                           image_formats) &&
        num_image_formats)
        *num_image_formats = 0;
    return tf_report(&err, __func__);
}
