// SPDX-License-Identifier: MIT
#include "core/platform/report_error.h"

#include <stdio.h>

#include "base/log.h"
#include "base/thread.h"
#include "base/time.h"
#include "core/object/error.h"
#include "core/object/error_names.h"
#include "core/platform/context.h"
#include "trace/trace.h"

static void notify(const struct tf_err *err, const char *entry_point)
{
    char message[384];

    tf_assert_no_locks();
    snprintf(message, sizeof(message), "%s: error %d (%s): %s", entry_point, err->code,
             tf_error_name(err->code), err->text);
    tf_log(TF_LOG_ERROR, "%s", message);
    if (err->ctx && err->ctx->notify)
        err->ctx->notify(message, &err->code, sizeof(err->code), err->ctx->notify_data);
}

// A call without objects has no length: nobody has looked when it began.
static void trace(const struct tf_err *err, const char *entry_point)
{
    const uint64_t now_ns = tf_time_ns();

    tf_trace_put(
        &(struct tf_trace_record){.kind = TF_TRACE_CALL,
                                  .name = entry_point,
                                  .start_ns = err->start_ns ? err->start_ns : now_ns,
                                  .end_ns = now_ns,
                                  .status = (int16_t)err->code});
}

cl_int tf_report(struct tf_err *err, const char *entry_point)
{
    if (tf_trace_on())
        trace(err, entry_point);
    if (tf_log_on(TF_LOG_API))
        tf_log(TF_LOG_API, "%s: %d", entry_point, err->code);
    if (err->code)
        notify(err, entry_point);
    tf_err_drop(err);
    return err->code;
}
