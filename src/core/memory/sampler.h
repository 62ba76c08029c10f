// SPDX-License-Identifier: MIT
// Sampler objects: their settings and the properties that these came from.
#ifndef TF_CORE_MEMORY_SAMPLER_H
#define TF_CORE_MEMORY_SAMPLER_H

#include "core/object/object.h"

// Pairs of CL_SAMPLER_{NORMALIZED_COORDS, ADDRESSING_MODE, FILTER_MODE}, those of mip
// levels (cl_khr_mipmap_image), and the final 0.
#define TF_SAMPLER_PROPERTIES_MAX 13

struct tf_sampler_desc {
    cl_bool normalized_coords;
    cl_addressing_mode addressing_mode;
    cl_filter_mode filter_mode, mip_filter_mode;
    cl_float lod_min, lod_max;
    cl_sampler_properties properties[TF_SAMPLER_PROPERTIES_MAX]; // as given, with the 0
    size_t property_count; // 0: made by clCreateSampler, or from NULL
};

struct _cl_sampler {
    struct tf_object obj;
    struct tf_sampler_desc desc;
};

// Parses a 0-terminated list (NULL is legal) into *out, with the defaults of
// clCreateSamplerWithProperties (OpenCL 3.1 §5.7.1). CL_INVALID_VALUE for a name or value
// that does not exist, or a name given twice.
cl_int tf_sampler_parse(struct tf_err *err, const cl_sampler_properties *list,
                        struct tf_sampler_desc *out);

// What clCreateSampler and properties that are not given leave to the samplers of mip
// levels.
void tf_sampler_default_levels(struct tf_sampler_desc *desc);

// The settings as kernels have them (abi/image_descriptor.h).
uint64_t tf_sampler_bits(const struct tf_sampler_desc *desc);

// CL_INVALID_VALUE for a setting that does not exist.
cl_int tf_sampler_check(struct tf_err *err, const struct tf_sampler_desc *desc);

cl_int tf_sampler_create(struct tf_err *err, cl_context ctx,
                         const struct tf_sampler_desc *desc, cl_sampler *out);

cl_int tf_sampler_get_info(struct tf_err *err, cl_sampler sampler, cl_sampler_info param,
                           size_t size, void *value, size_t *size_ret);

#endif // TF_CORE_MEMORY_SAMPLER_H
