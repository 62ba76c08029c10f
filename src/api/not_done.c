// SPDX-License-Identifier: MIT
// Bodies of the entry points that entrypoints.def does not call done: they fail and say
// so in the log (TREFOIL_LOG=error).
#include "api/dispatch.h"

#include "core/error.h"

#pragma GCC diagnostic ignored "-Wunused-parameter"

static cl_int not_done(const char *entry_point)
{
    struct tf_err err = {0};

    tf_fail(&err, CL_INVALID_OPERATION,
            "this version of Trefoil does not have it (doc/api-status.md)");
    return tf_report(&err, entry_point);
}

#define FAIL_CODE(name) return not_done(name);
#define FAIL_OBJECT(name)                   \
    {                                       \
        const cl_int code = not_done(name); \
                                            \
        if (errcode_ret)                    \
            *errcode_ret = code;            \
        return NULL;                        \
    }
#define FAIL_NIL(name) \
    not_done(name);    \
    return NULL;
#define FAIL_VOID(name) not_done(name);

#define BODY_done(failure, type, name, params)
#define BODY_later(failure, type, name, params) \
    CL_API_ENTRY type CL_API_CALL name params   \
    {                                           \
        FAIL_##failure(#name)                   \
    }
#define BODY_absent BODY_later
#define TF_ENTRY(state, failure, type, name, params) \
    BODY_##state(failure, type, name, params)
#define TF_BY_NAME TF_ENTRY
#include "api/entrypoints.def"
