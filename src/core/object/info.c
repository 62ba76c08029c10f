// SPDX-License-Identifier: MIT
#include "core/object/info.h"

#include <string.h>

#include "core/object/error.h"

cl_int tf_info_value(struct tf_err *err, const struct tf_info *info, const void *ptr,
                     size_t bytes)
{
    if (info->value && info->size < bytes)
        return tf_fail(err, CL_INVALID_VALUE, "param_value_size is %zu, %zu needed",
                       info->size, bytes);
    if (info->value && bytes)
        memcpy(info->value, ptr, bytes);
    if (info->size_ret)
        *info->size_ret = bytes;
    return CL_SUCCESS;
}

cl_int tf_info_string(struct tf_err *err, const struct tf_info *info, const char *text)
{
    if (!text)
        text = "";
    return tf_info_value(err, info, text, strlen(text) + 1);
}
