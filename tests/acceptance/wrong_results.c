// SPDX-License-Identifier: MIT
// Loaded in front of the OpenCL loader: what is read from a buffer has one wrong byte.
// check_trefoil_info.py wants to see it noticed.
#include <dlfcn.h>
#include <stdint.h>

#include <CL/cl.h>

typedef cl_int (*read_fn)(cl_command_queue, cl_mem, cl_bool, size_t, size_t, void *,
                          cl_uint, const cl_event *, cl_event *);

__attribute__((visibility("default"))) CL_API_ENTRY cl_int CL_API_CALL
clEnqueueReadBuffer(cl_command_queue queue, cl_mem buffer, cl_bool blocking,
                    size_t offset, size_t bytes, void *out, cl_uint n_waits,
                    const cl_event *waits, cl_event *event)
{
    const read_fn next = (read_fn)(uintptr_t)dlsym(RTLD_NEXT, "clEnqueueReadBuffer");
    const cl_int code =
        next(queue, buffer, blocking, offset, bytes, out, n_waits, waits, event);

    if (code == CL_SUCCESS && bytes > 100)
        ((unsigned char *)out)[100] ^= 1;
    return code;
}
