// SPDX-License-Identifier: MIT
#include "core/object/error.h"

#include <stdarg.h>
#include <stdio.h>

#include "base/alloc.h"
#include "base/time.h"
#include "core/object/object.h"
#include "trace/trace.h"

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

static bool make_room(struct tf_err *err)
{
    const size_t room = err->more_room > 0 ? 2 * err->more_room : 2 * TF_ERR_HELD;
    void **more;

    if (err->held_count - TF_ERR_HELD < err->more_room)
        return true;
    more = tf_realloc(err->more, room * sizeof(*more));
    if (!more)
        return false;
    err->more = more;
    err->more_room = room;
    return true;
}

cl_int tf_err_hold(struct tf_err *err, void *handle, const struct tf_class *cls,
                   cl_int invalid)
{
    if (tf_trace_on() && err->start_ns == 0)
        err->start_ns = tf_time_ns();
    if (!tf_object_take(handle, cls))
        return tf_fail(err, invalid, "not a live %s", cls->name);
    if (err->held_count < TF_ERR_HELD) {
        err->held[err->held_count++] = handle;
    } else if (make_room(err)) {
        err->more[err->held_count++ - TF_ERR_HELD] = handle;
    } else {
        tf_unref(handle);
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "more than %zu handles",
                       err->held_count);
    }
    return CL_SUCCESS;
}

void tf_err_drop(struct tf_err *err)
{
    for (; err->held_count > TF_ERR_HELD; err->held_count--)
        tf_unref(err->more[err->held_count - 1 - TF_ERR_HELD]);
    for (; err->held_count > 0; err->held_count--)
        tf_unref(err->held[err->held_count - 1]);
    tf_free(err->more);
    err->more = NULL;
    err->more_room = 0;
}
