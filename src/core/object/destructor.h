// SPDX-License-Identifier: MIT
// Callbacks of the application for the death of an object. The notifier runs them, newest
// first.
#ifndef TF_CORE_OBJECT_DESTRUCTOR_H
#define TF_CORE_OBJECT_DESTRUCTOR_H

#include <CL/cl.h>

#include "base/job_thread.h"

struct tf_err;

// Of one of both; the bare handle: the object is gone when the callback runs.
struct tf_destructor {
    struct tf_job job; // private
    cl_mem mem;
    void(CL_CALLBACK *mem_fn)(cl_mem, void *);
    cl_context ctx;
    void(CL_CALLBACK *ctx_fn)(cl_context, void *);
    void *data;
};

// Those of one object.
struct tf_destructors {
    _Atomic(struct tf_job *) newest;
};

// Adds a copy of `d`. CL_OUT_OF_HOST_MEMORY.
cl_int tf_destructors_add(struct tf_err *err, struct tf_destructors *to,
                          const struct tf_destructor *d);
// The object is dead. No lock may be held.
void tf_destructors_run(struct tf_destructors *of);

#endif // TF_CORE_OBJECT_DESTRUCTOR_H
