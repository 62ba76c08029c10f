// SPDX-License-Identifier: MIT
/* A thin layer over the OpenCL API: every error ends the benchmark with a report. */
#ifndef CLBENCH_OPENCL_H
#define CLBENCH_OPENCL_H

#define CL_TARGET_OPENCL_VERSION 300
#define CL_USE_DEPRECATED_OPENCL_1_2_APIS
#include <CL/cl.h>

#include <stdbool.h>
#include <stddef.h>

#include "harness/benchmark.h"

struct opencl {
    cl_platform_id platform;
    cl_device_id device;
    cl_context context;
    cl_command_queue queue; /* in-order */
};

const char *opencl_error_name(cl_int error);

/* Reports `call` as failed unless error is CL_SUCCESS. */
void opencl_check(cl_int error, const char *call);
#define CHECK(call) opencl_check((call), #call)

cl_platform_id opencl_find_platform(const char *wanted);
cl_device_id opencl_find_device(cl_platform_id platform, const char *wanted);
cl_context opencl_create_context(cl_device_id device);
cl_command_queue opencl_create_queue(cl_context context, cl_device_id device,
                                     cl_command_queue_properties properties);

/* All of the above with the options' platform and device, and an in-order queue. */
struct opencl opencl_open(const struct options *options);

bool opencl_device_has_extension(cl_device_id device, const char *name);

/* The text lives until the next call. */
const char *opencl_device_text(cl_device_id device, cl_device_info parameter);
const char *opencl_platform_text(cl_platform_id platform, cl_platform_info parameter);

cl_program opencl_build(const struct opencl *cl, const char *source,
                        const char *build_options);

struct kernel_argument {
    size_t size;
    const void *value; /* NULL for local memory */
};
#define ARG(variable)                 \
    {                                 \
        sizeof(variable), &(variable) \
    }
#define LOCAL_ARG(bytes) \
    {                    \
        (bytes), NULL    \
    }

cl_kernel opencl_kernel(cl_program program, const char *name, size_t count,
                        const struct kernel_argument *arguments);
#define KERNEL(program, name, ...)                                  \
    opencl_kernel((program), (name),                                \
                  sizeof((struct kernel_argument[]){__VA_ARGS__}) / \
                      sizeof(struct kernel_argument),               \
                  (struct kernel_argument[]){__VA_ARGS__})

/* A read-write buffer, holding a copy of contents unless that is NULL. */
cl_mem opencl_buffer(const struct opencl *cl, size_t size, const void *contents);

#endif
