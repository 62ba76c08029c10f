// SPDX-License-Identifier: MIT
// Bodies of the entry points of extensions that are not offered: they fail and say so in
// the log (TREFOIL_LOG=error).
#include "api/dispatch.h"

#include "core/object/error.h"
#include "core/platform/report_error.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static cl_int not_offered(const char *entry_point)
{
    struct tf_err err = {0};

    tf_fail(&err, CL_INVALID_OPERATION,
            "its extension is not offered (doc/api-status.md)");
    return tf_report(&err, entry_point);
}

#define FAIL_CODE(name) return not_offered(name);
#define FAIL_OBJECT(name)                      \
    {                                          \
        const cl_int code = not_offered(name); \
                                               \
        if (errcode_ret)                       \
            *errcode_ret = code;               \
        return NULL;                           \
    }

#define BODY_done(failure, type, name, params)
#define BODY_absent(failure, type, name, params) \
    CL_API_ENTRY type CL_API_CALL name params    \
    {                                            \
        FAIL_##failure(#name)                    \
    }
#define TF_ENTRY(state, failure, type, name, params) \
    BODY_##state(failure, type, name, params)
#define TF_BY_NAME TF_ENTRY
#include "api/entrypoints.def"
