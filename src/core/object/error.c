// SPDX-License-Identifier: MIT
#include "core/object/error.h"

#include <stdarg.h>
#include <stdio.h>

cl_int tf_fail(struct tf_err *err, cl_int code, const char *fmt, ...)
{
    va_list args;

    if (err->code)
        return code;
    err->code = code;
    va_start(args, fmt);
    vsnprintf(err->text, sizeof(err->text), fmt, args);
    va_end(args);
    return code;
}
