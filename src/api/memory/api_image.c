// SPDX-License-Identifier: MIT
// Making images, asking for them (OpenCL 3.1 §5.3).
#include "api/memory/api_image.h"
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/platform/context.h"
#include "core/platform/device.h"

static cl_mem create(struct tf_err *err, cl_context ctx, struct tf_image_in *in)
{
    cl_mem mem = NULL;

    if (!check_image_in(err, ctx, in))
        tf_image_create(err, ctx, in, &mem);
    return mem;
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImage(cl_context context, cl_mem_flags flags,
                                              const cl_image_format *image_format,
                                              const cl_image_desc *image_desc,
                                              void *host_ptr, cl_int *errcode_ret)
{
    struct tf_image_in in = {
        .flags = flags, .format = image_format, .desc = image_desc, .host_ptr = host_ptr};
    struct tf_err err = {0};
    const cl_mem mem = create(&err, context, &in);

    return tf_return_object(&err, __func__, mem, errcode_ret);
}

CL_API_ENTRY cl_mem CL_API_CALL clCreateImageWithProperties(
    cl_context context, const cl_mem_properties *properties, cl_mem_flags flags,
    const cl_image_format *image_format, const cl_image_desc *image_desc, void *host_ptr,
    cl_int *errcode_ret)
{
    struct tf_image_in in = {.flags = flags,
                             .properties = properties,
                             .format = image_format,
                             .desc = image_desc,
                             .host_ptr = host_ptr};
    struct tf_err err = {0};
    const cl_mem mem = create(&err, context, &in);

    return tf_return_object(&err, __func__, mem, errcode_ret);
}

// The forms of OpenCL 1.0 have another code for pitches.
static cl_mem create_1_0(struct tf_err *err, cl_context ctx, struct tf_image_in *in)
{
    const cl_mem mem = create(err, ctx, in);

    if (err->code == CL_INVALID_IMAGE_DESCRIPTOR)
        err->code = CL_INVALID_IMAGE_SIZE;
    return mem;
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
    struct tf_image_in in = {
        .flags = flags, .format = image_format, .desc = &desc, .host_ptr = host_ptr};
    struct tf_err err = {0};
    const cl_mem mem = create_1_0(&err, context, &in);

    return tf_return_object(&err, __func__, mem, errcode_ret);
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
    struct tf_image_in in = {
        .flags = flags, .format = image_format, .desc = &desc, .host_ptr = host_ptr};
    struct tf_err err = {0};
    const cl_mem mem = create_1_0(&err, context, &in);

    return tf_return_object(&err, __func__, mem, errcode_ret);
}

CL_API_ENTRY cl_int CL_API_CALL clGetImageInfo(cl_mem image, cl_image_info param_name,
                                               size_t param_value_size, void *param_value,
                                               size_t *param_value_size_ret)
{
    struct tf_err err = {0};

    if (!check_image(&err, image))
        tf_image_get_info(&err, image, param_name, param_value_size, param_value,
                          param_value_size_ret);
    return tf_report(&err, __func__);
}

// ---- Formats ----

static const cl_mem_flags access_flags = CL_MEM_READ_WRITE | CL_MEM_READ_ONLY |
                                         CL_MEM_WRITE_ONLY | CL_MEM_KERNEL_READ_AND_WRITE;

static cl_int check_image_query(struct tf_err *err, cl_context ctx, cl_mem_flags flags,
                                cl_mem_object_type type, cl_uint room,
                                const cl_image_format *formats)
{
    const cl_mem_flags access = flags & access_flags;
    const cl_mem_flags known = access_flags | CL_MEM_USE_HOST_PTR |
                               CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR |
                               CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_READ_ONLY |
                               CL_MEM_HOST_NO_ACCESS | CL_MEM_IMMUTABLE_EXT;

    if (check_any_context(err, ctx))
        return err->code;
    TF_REQUIRE(err, !(flags & ~known), CL_INVALID_VALUE, "flags 0x%llx",
               (unsigned long long)flags);
    TF_REQUIRE(err, (access & (access - 1)) == 0, CL_INVALID_VALUE,
               "flags 0x%llx: several ways of access", (unsigned long long)flags);
    TF_REQUIRE(err, tf_image_type_exists(type), CL_INVALID_VALUE, "image type 0x%x",
               type);
    TF_REQUIRE(err, room > 0 || !formats, CL_INVALID_VALUE,
               "num_entries is 0 but image_formats is set");
    return CL_SUCCESS;
}

// What kernels must be able to do with an image of these flags.
static unsigned wanted_access(cl_mem_flags flags)
{
    if (flags & CL_MEM_IMMUTABLE_EXT)
        return TF_IMAGE_READ;
    switch (flags & access_flags) {
    case CL_MEM_READ_ONLY:
        return TF_IMAGE_READ;
    case CL_MEM_WRITE_ONLY:
        return TF_IMAGE_WRITE;
    case CL_MEM_KERNEL_READ_AND_WRITE:
        return TF_IMAGE_READ_WRITE;
    default:
        return TF_IMAGE_READ | TF_IMAGE_WRITE;
    }
}

// What some device of the context has.
static bool offers(cl_context ctx, const cl_image_format *format, cl_mem_object_type type,
                   unsigned access)
{
    for (cl_uint i = 0; i < ctx->device_count; i++)
        if (!(access & ~tf_image_access_on(ctx->devices[i]->caps, format, type)))
            return true;
    return false;
}

CL_API_ENTRY cl_int CL_API_CALL clGetSupportedImageFormats(
    cl_context context, cl_mem_flags flags, cl_mem_object_type image_type,
    cl_uint num_entries, cl_image_format *image_formats, cl_uint *num_image_formats)
{
    struct tf_err err = {0};
    cl_image_format format;
    cl_uint count = 0;

    if (!check_image_query(&err, context, flags, image_type, num_entries,
                           image_formats)) {
        for (size_t i = 0; tf_image_format_at(i, &format); i++) {
            if (!offers(context, &format, image_type, wanted_access(flags)))
                continue;
            if (image_formats && count < num_entries)
                image_formats[count] = format;
            count++;
        }
        if (num_image_formats)
            *num_image_formats = count;
    }
    return tf_report(&err, __func__);
}
