// SPDX-License-Identifier: MIT
// Entry points by name, and loader-managed dispatch (cl_khr_icd 2.0).
#include "api/dispatch.h"

#include <stdbool.h>

#include "api/api_common.h"
#include "core/platform/platform.h"

TF_EXPORT CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddress(const char *func_name)
{
    struct tf_err err = {0};

    tf_report(&err, __func__);
    return tf_api_address(func_name, true);
}

CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddressForPlatform(cl_platform_id platform, const char *func_name)
{
    struct tf_err err = {0};

    if (!tf_object_ok(platform, &tf_class_platform))
        tf_fail(&err, CL_INVALID_PLATFORM, "not a platform");
    else if (!func_name)
        tf_fail(&err, CL_INVALID_VALUE, "func_name is NULL");
    tf_report(&err, __func__);
    return err.code ? NULL : tf_api_address(func_name, true);
}

// The loader fills its own table for our platform with this: stubs belong there too.
TF_EXPORT CL_API_ENTRY void *CL_API_CALL
clIcdGetFunctionAddressForPlatformKHR(cl_platform_id platform, const char *func_name)
{
    struct tf_err err = {0};

    if (!tf_object_ok(platform, &tf_class_platform))
        tf_fail(&err, CL_INVALID_PLATFORM, "not a platform");
    tf_report(&err, __func__);
    return err.code ? NULL : tf_api_address(func_name, false);
}

TF_EXPORT CL_API_ENTRY cl_int CL_API_CALL
clIcdSetPlatformDispatchDataKHR(cl_platform_id platform, void *dispatch_data)
{
    struct tf_err err = {0};

    if (!tf_object_ok(platform, &tf_class_platform))
        tf_fail(&err, CL_INVALID_PLATFORM, "not a platform");
    else
        tf_platform_set_disp_data(platform, dispatch_data);
    return tf_report(&err, __func__);
}
