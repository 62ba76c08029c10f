// SPDX-License-Identifier: MIT
// Errors. The place that finds an error records it with tf_fail(), even under a lock or
// inside a device; the entry point reports it once (core/platform/report_error.h), when
// no lock is held.
#ifndef TF_CORE_OBJECT_ERROR_H
#define TF_CORE_OBJECT_ERROR_H

#include <stddef.h>

#include <CL/cl.h>

#include "base/attr.h"

struct tf_err {
    cl_int code;    // CL_SUCCESS until something fails
    cl_context ctx; // whom to notify; set by the checks once a handle is known to be good
    char text[240]; // valid if code != CL_SUCCESS
};

// As `struct tf_err err = {0}`, for the calls that an application makes most: clearing
// the text takes longer than all the rest of clSetKernelArg.
static inline void tf_err_begin(struct tf_err *err)
{
    err->code = CL_SUCCESS;
    err->ctx = NULL;
}

// Records `code` and a printf-style detail; the first failure wins. Allocates nothing.
// Returns `code`.
cl_int tf_fail(struct tf_err *err, cl_int code, const char *fmt, ...) TF_PRINTF(3, 4);

// The one macro that hides a return. Only for check_*() functions: they own nothing.
#define TF_REQUIRE(err, cond, code, ...)                \
    do {                                                \
        if (!(cond))                                    \
            return tf_fail((err), (code), __VA_ARGS__); \
    } while (0)

#endif // TF_CORE_OBJECT_ERROR_H
