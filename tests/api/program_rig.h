// SPDX-License-Identifier: MIT
// Short ways for the tests of programs. Each fails the test if it cannot do its job.
#ifndef TF_TESTS_API_PROGRAM_RIG_H
#define TF_TESTS_API_PROGRAM_RIG_H

#include <stdatomic.h>
#include <stdlib.h>
#include <unistd.h>

#include "support/api.h"
#include "support/limits.h"

#define MAY_BE_UNUSED __attribute__((unused))

MAY_BE_UNUSED static const char source[] =
    "kernel void set(global int *p, int v) { *p = v; }\n"
    "kernel void add(global int *p, int v) { *p += v; }\n";

static inline cl_program make_in(cl_context ctx, const char *text)
{
    cl_int code;
    cl_program prog = clCreateProgramWithSource(ctx, 1, &text, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return prog;
}

static inline cl_program make(const char *text)
{
    return make_in(tf_api.ctx, text);
}

static inline void drop(cl_program prog)
{
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}

static inline cl_int build(cl_program prog, const char *options)
{
    return clBuildProgram(prog, 0, NULL, options, NULL, NULL);
}

static inline void get_build_info(cl_program prog, cl_program_build_info what,
                                  size_t size, void *value)
{
    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, what, size, value, NULL),
                     CL_SUCCESS);
}

static inline cl_int status_of(cl_program prog)
{
    cl_build_status status = 100;

    get_build_info(prog, CL_PROGRAM_BUILD_STATUS, sizeof(status), &status);
    return status;
}

static inline cl_uint type_of(cl_program prog)
{
    cl_program_binary_type type = 100;

    get_build_info(prog, CL_PROGRAM_BINARY_TYPE, sizeof(type), &type);
    return type;
}

MAY_BE_UNUSED static char log_text[100000];

static inline const char *log_of(cl_program prog)
{
    get_build_info(prog, CL_PROGRAM_BUILD_LOG, sizeof(log_text), log_text);
    return log_text;
}

// Runs kernel "set" of a built program: the proof that it is one.
static inline void check_runs(cl_program prog)
{
    cl_kernel kernel = tf_api_kernel(prog, "set");
    cl_mem mem = tf_api_buffer(0, 4, NULL);
    const cl_int value = 4711;
    cl_int seen = 0;

    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    tf_api_set_arg(kernel, 1, sizeof(value), &value);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, kernel, 0, NULL, NULL), CL_SUCCESS);
    tf_api_read(mem, 0, 4, &seen);
    ck_assert_int_eq(seen, value);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}

// ---- Callbacks ----

MAY_BE_UNUSED static atomic_int told;
MAY_BE_UNUSED static cl_build_status told_status;

static inline void CL_CALLBACK on_built(cl_program prog, void *data)
{
    told_status = status_of(prog);
    atomic_store(&told, *(int *)data);
}

static inline void wait_told(int value)
{
    ck_assert(TEST_UNTIL(atomic_load(&told) == value));
}

// ---- Binaries ----

MAY_BE_UNUSED static unsigned char *binary;
MAY_BE_UNUSED static size_t binary_bytes;

static inline void take_binary(cl_program prog)
{
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_BINARY_SIZES, sizeof(binary_bytes),
                                      &binary_bytes, NULL),
                     CL_SUCCESS);
    ck_assert_uint_gt(binary_bytes, 0);
    binary = malloc(binary_bytes);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL),
        CL_SUCCESS);
}

static inline cl_program with_binary(const unsigned char *data, size_t size,
                                     cl_int *status, cl_int *code)
{
    return clCreateProgramWithBinary(tf_api.ctx, 1, &tf_api.device, &size, &data, status,
                                     code);
}

#endif // TF_TESTS_API_PROGRAM_RIG_H
