// SPDX-License-Identifier: MIT
#include "core/platform/report_error.h"

#include <stdio.h>

#include "base/log.h"
#include "base/thread.h"
#include "core/object/error.h"
#include "core/platform/context.h"

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
