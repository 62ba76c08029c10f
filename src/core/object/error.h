// SPDX-License-Identifier: MIT
// Errors, and what an entry point holds. The place that finds an error records it with
// tf_fail(), even under a lock or inside a device; the entry point reports it once
// (core/platform/report_error.h), when no lock is held.
//
// A check that accepts a handle takes a reference with tf_err_hold(): other threads may
// release all they like, what was checked is there until the call ends. Commands take
// references of their own.
#ifndef TF_CORE_OBJECT_ERROR_H
#define TF_CORE_OBJECT_ERROR_H

#include <stddef.h>
#include <stdint.h>

#include <CL/cl.h>

#include "base/attr.h"

struct tf_class;

enum { TF_ERR_HELD = 8 }; // held without taking memory

struct tf_err {
    cl_int code;    // CL_SUCCESS until something fails
    cl_context ctx; // whom to notify; set by the checks once a handle is known to be good
    size_t held_count;
    size_t more_room;
    uint64_t start_ns; // of the call, in a trace: when it held the first object; or 0
    void **more;       // owned: what is held beyond the first ones
    void *held[TF_ERR_HELD];
    char text[240]; // valid if code != CL_SUCCESS
};

// As `struct tf_err err = {0}`, for the calls that an application makes most: clearing
// the text takes longer than all the rest of clSetKernelArg.
static inline void tf_err_begin(struct tf_err *err)
{
    err->code = CL_SUCCESS;
    err->ctx = NULL;
    err->held_count = err->more_room = 0;
    err->more = NULL;
    err->start_ns = 0;
}

// A reference on what `handle` of class `cls` names, until tf_report(): `invalid` if it
// is no live object, CL_OUT_OF_HOST_MEMORY.
cl_int tf_err_hold(struct tf_err *err, void *handle, const struct tf_class *cls,
                   cl_int invalid);

// Records `code` and a printf-style detail; the first failure wins. Allocates nothing.
// Returns `code`.
cl_int tf_fail(struct tf_err *err, cl_int code, const char *fmt, ...) TF_PRINTF(3, 4);

// Drops what is held: the end of tf_report(). No lock may be held.
void tf_err_drop(struct tf_err *err);

// The one macro that hides a return. Only for check_*() functions: they own nothing.
// Returns the code itself, so that an analyzer sees that it is not CL_SUCCESS.
#define TF_REQUIRE(err, cond, code, ...)         \
    do {                                         \
        if (!(cond)) {                           \
            tf_fail((err), (code), __VA_ARGS__); \
            return (code);                       \
        }                                        \
    } while (0)

#endif // TF_CORE_OBJECT_ERROR_H
