// SPDX-License-Identifier: MIT
// Samplers (OpenCL 3.1 §5.7).
#include "api/api_common.h"
#include "api/dispatch.h"
#include "api/memory/api_image.h"
#include "core/memory/sampler.h"

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSampler(cl_context context,
                                                    cl_bool normalized_coords,
                                                    cl_addressing_mode addressing_mode,
                                                    cl_filter_mode filter_mode,
                                                    cl_int *errcode_ret)
{
    struct tf_sampler_desc desc = {
        .normalized_coords = normalized_coords,
        .addressing_mode = addressing_mode,
        .filter_mode = filter_mode,
    };
    struct tf_err err = {0};
    cl_sampler sampler = NULL;

    tf_sampler_default_levels(&desc);
    if (!check_context(&err, context) && !check_images_offered(&err, context) &&
        !tf_sampler_check(&err, &desc))
        tf_sampler_create(&err, context, &desc, &sampler);
    return tf_return_object(&err, __func__, sampler, errcode_ret);
}

CL_API_ENTRY cl_sampler CL_API_CALL clCreateSamplerWithProperties(
    cl_context context, const cl_sampler_properties *sampler_properties,
    cl_int *errcode_ret)
{
    struct tf_sampler_desc desc;
    struct tf_err err = {0};
    cl_sampler sampler = NULL;

    if (!check_context(&err, context) && !check_images_offered(&err, context) &&
        !tf_sampler_parse(&err, sampler_properties, &desc) &&
        !tf_sampler_check(&err, &desc))
        tf_sampler_create(&err, context, &desc, &sampler);
    return tf_return_object(&err, __func__, sampler, errcode_ret);
}
