// SPDX-License-Identifier: MIT
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/platform/platform.h"

static cl_int check_get_platforms(struct tf_err *err, cl_uint num_entries,
                                  const cl_platform_id *platforms,
                                  const cl_uint *num_platforms)
{
    TF_REQUIRE(err, platforms || num_platforms, CL_INVALID_VALUE,
               "platforms and num_platforms are NULL");
    TF_REQUIRE(err, !platforms || num_entries > 0, CL_INVALID_VALUE,
               "platforms is set but num_entries is 0");
    return CL_SUCCESS;
}

static void get_platforms(struct tf_err *err, cl_uint num_entries,
                          cl_platform_id *platforms, cl_uint *num_platforms)
{
    if (check_get_platforms(err, num_entries, platforms, num_platforms))
        return;
    if (platforms)
        platforms[0] = tf_api_platform();
    if (num_platforms)
        *num_platforms = 1;
}

CL_API_ENTRY cl_int CL_API_CALL clGetPlatformIDs(cl_uint num_entries,
                                                 cl_platform_id *platforms,
                                                 cl_uint *num_platforms)
{
    struct tf_err err = {0};

    get_platforms(&err, num_entries, platforms, num_platforms);
    return tf_report(&err, __func__);
}

TF_EXPORT CL_API_ENTRY cl_int CL_API_CALL clIcdGetPlatformIDsKHR(
    cl_uint num_entries, cl_platform_id *platforms, cl_uint *num_platforms)
{
    struct tf_err err = {0};

    get_platforms(&err, num_entries, platforms, num_platforms);
    return tf_report(&err, __func__);
}

static cl_int check_platform(struct tf_err *err, cl_platform_id platform)
{
    TF_REQUIRE(err, tf_object_ok(platform, &tf_class_platform), CL_INVALID_PLATFORM,
               "not a platform");
    return CL_SUCCESS;
}

// NULL is legal: what it means is for the implementation to say (OpenCL 3.0 §4.1).
TF_EXPORT CL_API_ENTRY cl_int CL_API_CALL clGetPlatformInfo(cl_platform_id platform,
                                                            cl_platform_info param_name,
                                                            size_t param_value_size,
                                                            void *param_value,
                                                            size_t *param_value_size_ret)
{
    struct tf_err err = {0};

    if (!platform)
        platform = tf_api_platform();
    if (!check_platform(&err, platform))
        tf_platform_get_info(&err, platform, param_name, param_value_size, param_value,
                             param_value_size_ret);
    return tf_report(&err, __func__);
}
