// SPDX-License-Identifier: MIT
// Images (OpenCL 3.1 §5.3): memory objects with a format and a layout. An image has
// memory of its own, or lies in that of a buffer or of another image (its parent).
#ifndef TF_CORE_MEMORY_IMAGE_H
#define TF_CORE_MEMORY_IMAGE_H

#include "abi/image_descriptor.h"
#include "core/memory/image_format.h"
#include "core/memory/image_layout.h"
#include "core/memory/mem.h"

// What a memory object of kind TF_MEM_IMAGE has besides; owned by it.
struct tf_image {
    cl_image_format format;
    struct tf_image_shape shape;
    struct tf_image_layout layout;
    cl_uint mip_levels_given;  // 0 and 1 mean the same
    struct tf_image_desc desc; // for kernels; without `data`
};

// What an image is to be made of.
struct tf_image_in {
    cl_mem_flags flags;
    const cl_mem_properties *properties; // NULL: none
    size_t property_count;               // with the terminating 0
    const cl_image_format *format;
    const cl_image_desc *desc;
    void *host_ptr;
    struct tf_external external;
};

// ---- Devices ----

// True if some device of the context has images.
bool tf_image_supported(cl_context ctx);

// What a device lets kernels do with an image of that type and format, a mask of enum
// tf_image_access; 0: there are no such images.
unsigned tf_image_access_on(const struct tf_device_caps *caps,
                            const cl_image_format *format, cl_mem_object_type type);

// True if the device takes an image with these extents.
bool tf_image_fits(const struct tf_device_caps *caps, const struct tf_image_shape *shape);

// Whether the device lets a kernel use the image in that way (one of enum
// tf_image_access, or any: 0). CL_INVALID_IMAGE_SIZE, CL_IMAGE_FORMAT_NOT_SUPPORTED.
cl_int tf_image_check_on(struct tf_err *err, cl_mem image,
                         const struct tf_device_caps *caps, unsigned access);

// ---- Objects ----

// The shape that a descriptor and a known format say; nothing is checked.
struct tf_image_shape tf_image_shape_of(const cl_image_format *format,
                                        const cl_image_desc *desc);

// Bytes before level 0.
size_t tf_image_head_bytes(const struct tf_image_shape *shape);

// `in` is checked. CL_MEM_OBJECT_ALLOCATION_FAILURE, CL_OUT_OF_HOST_MEMORY.
cl_int tf_image_create(struct tf_err *err, cl_context ctx, const struct tf_image_in *in,
                       cl_mem *out);

static inline bool tf_mem_is_image(cl_mem mem)
{
    return mem->kind == TF_MEM_IMAGE;
}

// What kernels are told of an image: all but `data`, which is the address of
// tf_image_data_offset() in the image's memory.
static inline const struct tf_image_desc *tf_image_describe(cl_mem mem)
{
    return &mem->image->desc;
}

// Where level 0 begins, from the image's first byte.
size_t tf_image_data_offset(cl_mem image);

// clGetImageInfo (OpenCL 3.1 §5.3.8). CL_INVALID_VALUE.
cl_int tf_image_get_info(struct tf_err *err, cl_mem image, cl_image_info param,
                         size_t size, void *value, size_t *size_ret);

// ---- Regions of pixels ----

// Part of one level.
struct tf_image_box {
    cl_uint level;
    size_t origin[3], region[3]; // in pixels, rows or layers, slices or layers
};

// The mip level that `origin` has behind the coordinates; 0 in images with one level.
size_t tf_image_origin_level(cl_mem image, const size_t *origin);

// True if the box lies inside the image; its level does.
bool tf_image_has_box(cl_mem image, const struct tf_image_box *box);

// True if two boxes in one image share a pixel.
bool tf_image_boxes_overlap(const struct tf_image_box *a, const struct tf_image_box *b);

// The box in the image's memory, and its region in bytes, rows and slices.
struct tf_rect tf_image_rect(cl_mem image, const struct tf_image_box *box,
                             size_t region_out[3]);

#endif // TF_CORE_MEMORY_IMAGE_H
