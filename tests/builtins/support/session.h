// SPDX-License-Identifier: MIT
// The least OpenCL host program that the tests of the built-ins need: one device, one
// in-order queue. Every failure ends the running test with the error's text.
#ifndef TF_TESTS_BUILTINS_SESSION_H
#define TF_TESTS_BUILTINS_SESSION_H

#include <stdbool.h>
#include <stddef.h>

#include <CL/cl.h>

struct session {
    cl_context context;
    cl_device_id device;
    cl_command_queue queue;
};

// The first device of the first platform that the loader finds.
void session_open(struct session *s);
void session_close(struct session *s);
bool session_has_double(const struct session *s);
bool session_has_half(const struct session *s);
// Whether the device has numbers of this type ("half", "float4", "int" ...).
bool session_has(const struct session *s, const char *type);

// `source` is OpenCL C 3.0. Released by the caller; the build log is printed if it fails.
cl_program session_build(struct session *s, const char *source);
// The same with more options.
cl_program session_build_with(struct session *s, const char *source, const char *options);

// A buffer with a copy of `data` (NULL: undefined content). Released by the caller.
cl_mem session_buffer(struct session *s, const void *data, size_t bytes);
void session_write(struct session *s, cl_mem buffer, const void *data, size_t bytes);
void session_read(struct session *s, cl_mem buffer, void *data, size_t bytes);

// Runs `kernel` over `items` work-items with the buffers as its arguments; the list ends
// with NULL. Returns when it is done.
void session_run(struct session *s, cl_program program, const char *kernel, size_t items,
                 ...);
// The same with the buffers in an array that ends with NULL, and the size of a group (0:
// as the device likes).
void session_run_list(struct session *s, cl_program program, const char *kernel,
                      size_t items, size_t local_items, const cl_mem *buffers);

#endif // TF_TESTS_BUILTINS_SESSION_H
