// SPDX-License-Identifier: MIT
#include "core/object/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/log.h"
#include "base/thread.h"
#include "core/platform/context.h"

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

cl_int tf_report(const struct tf_err *err, const char *entry_point)
{
    char message[320];

    if (tf_log_on(TF_LOG_API))
        tf_log(TF_LOG_API, "%s: %d", entry_point, err->code);
    if (!err->code)
        return CL_SUCCESS;
    tf_assert_no_locks();
    snprintf(message, sizeof(message), "%s: error %d: %s", entry_point, err->code,
             err->text);
    tf_log(TF_LOG_ERROR, "%s", message);
    if (err->ctx && err->ctx->notify)
        err->ctx->notify(message, &err->code, sizeof(err->code), err->ctx->notify_data);
    return err->code;
}
