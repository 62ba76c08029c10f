// SPDX-License-Identifier: MIT
#include "api/dispatch.h"

#include "core/object/error.h"
#include "core/object/object.h"

TF_EXPORT CL_API_ENTRY void *CL_API_CALL
clGetExtensionFunctionAddress(const char *func_name)
{
    struct tf_err err = {0};

    tf_report(&err, __func__);
    return tf_api_address(func_name, 1);
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
    return err.code ? NULL : tf_api_address(func_name, 1);
}
