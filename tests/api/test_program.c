// SPDX-License-Identifier: MIT
// clCreateProgramWith*, clBuildProgram, clCompileProgram, clLinkProgram,
// clGetProgramInfo, clGetProgramBuildInfo, clUnloadPlatformCompiler.
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "support/api.h"
#include "support/suite.h"

static const char source[] = "kernel void set(global int *p, int v) { *p = v; }\n"
                             "kernel void add(global int *p, int v) { *p += v; }\n";

static cl_program make_in(cl_context ctx, const char *text)
{
    cl_int code;
    cl_program prog = clCreateProgramWithSource(ctx, 1, &text, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return prog;
}

static cl_program make(const char *text)
{
    return make_in(tf_api.ctx, text);
}

static void drop(cl_program prog)
{
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}

static cl_int build(cl_program prog, const char *options)
{
    return clBuildProgram(prog, 0, NULL, options, NULL, NULL);
}

static cl_int status_of(cl_program prog)
{
    cl_build_status status = 100;

    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BUILD_STATUS,
                                           sizeof(status), &status, NULL),
                     CL_SUCCESS);
    return status;
}

static cl_uint type_of(cl_program prog)
{
    cl_program_binary_type type = 100;

    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BINARY_TYPE,
                                           sizeof(type), &type, NULL),
                     CL_SUCCESS);
    return type;
}

static char log_text[8000];

static const char *log_of(cl_program prog)
{
    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BUILD_LOG,
                                           sizeof(log_text), log_text, NULL),
                     CL_SUCCESS);
    return log_text;
}

// Runs kernel "set" of a built program: the proof that it is one.
static void check_runs(cl_program prog)
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

// ---- Making ----

static cl_int with_source(cl_context ctx, cl_uint count, const char **strings)
{
    cl_int code = 1;

    ck_assert_ptr_null(clCreateProgramWithSource(ctx, count, strings, NULL, &code));
    return code;
}

START_TEST(source_arguments_are_checked)
{
    const char *strings[2] = {source, NULL};

    ck_assert_int_eq(with_source(NULL, 1, strings), CL_INVALID_CONTEXT);
    ck_assert_int_eq(with_source(tf_api.ctx, 0, strings), CL_INVALID_VALUE);
    ck_assert_int_eq(with_source(tf_api.ctx, 1, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(with_source(tf_api.ctx, 2, strings), CL_INVALID_VALUE);
}
END_TEST

START_TEST(source_is_joined_from_strings)
{
    const char *strings[] = {"kernel void set(global int *p, int v) {XXX", " *p = v;",
                             " }"};
    const size_t lengths[] = {39, 0, 2};
    char seen[100];
    cl_int code;
    cl_program prog = clCreateProgramWithSource(tf_api.ctx, 3, strings, lengths, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_SOURCE, sizeof(seen), seen, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(seen, "kernel void set(global int *p, int v) { *p = v; }");
    ck_assert_int_eq(build(prog, NULL), CL_SUCCESS);
    check_runs(prog);
    drop(prog);
}
END_TEST

START_TEST(there_are_no_built_in_kernels)
{
    cl_int code = 1;

    ck_assert_ptr_null(
        clCreateProgramWithBuiltInKernels(NULL, 1, &tf_api.device, "k", &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clCreateProgramWithBuiltInKernels(tf_api.ctx, 0, &tf_api.device, "k", &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBuiltInKernels(tf_api.ctx, 1, NULL, "k", &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBuiltInKernels(tf_api.ctx, 1, &tf_api.device, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBuiltInKernels(tf_api.ctx, 1, &(cl_device_id){NULL}, "k", &code);
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    clCreateProgramWithBuiltInKernels(tf_api.ctx, 1, &tf_api.device, "k", &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
}
END_TEST

START_TEST(references_are_counted)
{
    cl_program prog = make(source);
    cl_uint refs = 0;

    ck_assert_int_eq(clRetainProgram(prog), CL_SUCCESS);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_REFERENCE_COUNT, sizeof(refs), &refs, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(refs, 2);
    drop(prog);
    drop(prog);
    ck_assert_int_eq(clReleaseProgram(prog), CL_INVALID_PROGRAM);
    ck_assert_int_eq(clRetainProgram(NULL), CL_INVALID_PROGRAM);
}
END_TEST

// ---- Building ----

START_TEST(build_makes_a_program_that_runs)
{
    cl_program prog = make(source);
    char options[32], names[32];
    size_t count = 0;

    ck_assert_int_eq(status_of(prog), CL_BUILD_NONE);
    ck_assert_str_eq(log_of(prog), "");
    ck_assert_int_eq(build(prog, "-DX=1"), CL_SUCCESS);
    ck_assert_int_eq(status_of(prog), CL_BUILD_SUCCESS);
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BUILD_OPTIONS,
                                           sizeof(options), options, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(options, "-DX=1");
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(strlen(names), 7);
    ck_assert(strstr(names, "set") && strstr(names, "add") && names[3] == ';');
    check_runs(prog);
    drop(prog);
}
END_TEST

START_TEST(failed_build_says_where)
{
    cl_program prog = make("kernel void set(global int *p) {\n  *p = nothing;\n}\n");

    ck_assert_int_eq(build(prog, NULL), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_int_eq(status_of(prog), CL_BUILD_ERROR);
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_NONE);
    ck_assert_ptr_nonnull(strstr(log_of(prog), ":2:8:"));
    ck_assert_ptr_nonnull(strstr(log_of(prog), "nothing"));
    drop(prog);
}
END_TEST

START_TEST(unknown_option_is_an_error)
{
    cl_program prog = make(source);

    ck_assert_int_eq(build(prog, "-no-such-option"), CL_INVALID_BUILD_OPTIONS);
    ck_assert_int_eq(status_of(prog), CL_BUILD_ERROR);
    ck_assert_int_eq(build(prog, ""), CL_SUCCESS);
    check_runs(prog);
    drop(prog);
}
END_TEST

START_TEST(options_change_the_program)
{
    cl_program prog = make("kernel void set(global int *p, int v) { *p = V; }");

    ck_assert_int_eq(build(prog, NULL), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_int_eq(build(prog, "-D V=v"), CL_SUCCESS);
    check_runs(prog);
    drop(prog);
}
END_TEST

START_TEST(build_arguments_are_checked)
{
    cl_program prog = make(source);
    cl_device_id wrong = (cl_device_id)(void *)tf_api.platform, device = tf_api.device;

    ck_assert_int_eq(build(NULL, NULL), CL_INVALID_PROGRAM);
    ck_assert_int_eq(clBuildProgram(prog, 0, &device, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clBuildProgram(prog, 1, NULL, NULL, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clBuildProgram(prog, 0, NULL, NULL, NULL, &prog), CL_INVALID_VALUE);
    ck_assert_int_eq(clBuildProgram(prog, 1, &wrong, NULL, NULL, NULL),
                     CL_INVALID_DEVICE);
    ck_assert_int_eq(clBuildProgram(prog, 1, &device, NULL, NULL, NULL), CL_SUCCESS);
    drop(prog);
}
END_TEST

START_TEST(attached_kernel_forbids_a_build)
{
    cl_program prog = tf_api_program(source, NULL);
    cl_kernel kernel = tf_api_kernel(prog, "set");

    ck_assert_int_eq(build(prog, NULL), CL_INVALID_OPERATION);
    ck_assert_int_eq(clCompileProgram(prog, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(build(prog, NULL), CL_SUCCESS);
    check_runs(prog);
    drop(prog);
}
END_TEST

static atomic_int told;
static cl_build_status told_status;

static void CL_CALLBACK on_built(cl_program prog, void *data)
{
    told_status = status_of(prog);
    atomic_store(&told, *(int *)data);
}

static void wait_told(int value)
{
    for (int i = 0; i < 20000 && atomic_load(&told) != value; i++)
        usleep(1000);
    ck_assert_int_eq(atomic_load(&told), value);
}

START_TEST(callback_is_told_of_the_end)
{
    cl_program good = make(source), bad = make("kernel nonsense");
    int one = 1, two = 2, three = 3;

    ck_assert_int_eq(clBuildProgram(good, 0, NULL, NULL, on_built, &one), CL_SUCCESS);
    wait_told(1);
    ck_assert_int_eq(told_status, CL_BUILD_SUCCESS);
    check_runs(good);
    ck_assert_int_eq(clBuildProgram(bad, 0, NULL, NULL, on_built, &two), CL_SUCCESS);
    wait_told(2);
    ck_assert_int_eq(told_status, CL_BUILD_ERROR);
    drop(bad);

    bad = make(source);
    ck_assert_int_eq(clBuildProgram(bad, 0, NULL, NULL, on_built, &three), CL_SUCCESS);
    drop(bad); // released while it is built
    wait_told(3);
    drop(good);
}
END_TEST

// ---- Binaries ----

static unsigned char *binary;
static size_t binary_bytes;

static void take_binary(cl_program prog)
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

static cl_program with_binary(const unsigned char *data, size_t size, cl_int *status,
                              cl_int *code)
{
    return clCreateProgramWithBinary(tf_api.ctx, 1, &tf_api.device, &size, &data, status,
                                     code);
}

START_TEST(binary_comes_back_as_a_program)
{
    cl_program prog = tf_api_program(source, NULL), again;
    cl_int status = 1, code = 1;
    char text[4];

    take_binary(prog);
    drop(prog);
    again = with_binary(binary, binary_bytes, &status, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(status, CL_SUCCESS);
    ck_assert_uint_eq(type_of(again), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_int_eq(clGetProgramInfo(again, CL_PROGRAM_SOURCE, sizeof(text), text, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(text, "");
    ck_assert_ptr_null(clCreateKernel(again, "set", &code));
    ck_assert_int_eq(code, CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(build(again, NULL), CL_SUCCESS);
    check_runs(again);
    ck_assert_int_eq(clCompileProgram(again, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_INVALID_OPERATION);
    drop(again);
    free(binary);
}
END_TEST

START_TEST(damaged_binaries_are_refused)
{
    cl_program prog = tf_api_program(source, NULL);
    cl_int status, code;

    take_binary(prog);
    drop(prog);
    for (size_t i = 0; i < binary_bytes; i += 1 + binary_bytes / 200) {
        status = code = 1;
        binary[i] ^= 0x10;
        ck_assert_ptr_null(with_binary(binary, binary_bytes, &status, &code));
        ck_assert_int_eq(code, CL_INVALID_BINARY);
        ck_assert_int_eq(status, CL_INVALID_BINARY);
        binary[i] ^= 0x10;
        ck_assert_ptr_null(with_binary(binary, i + 1, NULL, &code));
        ck_assert_int_eq(code, CL_INVALID_BINARY);
    }
    free(binary);
}
END_TEST

START_TEST(binary_arguments_are_checked)
{
    const unsigned char *data = (const unsigned char *)"x", *none = NULL;
    const cl_device_id wrong = NULL, *device = &tf_api.device;
    const size_t size = 1, zero = 0;
    cl_int status = 1, code = 1;

    clCreateProgramWithBinary(NULL, 1, device, &size, &data, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clCreateProgramWithBinary(tf_api.ctx, 0, device, &size, &data, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBinary(tf_api.ctx, 1, NULL, &size, &data, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBinary(tf_api.ctx, 1, &wrong, &size, &data, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    clCreateProgramWithBinary(tf_api.ctx, 1, device, NULL, &data, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBinary(tf_api.ctx, 1, device, &size, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBinary(tf_api.ctx, 1, device, &size, &none, &status, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_int_eq(status, CL_INVALID_VALUE);
    clCreateProgramWithBinary(tf_api.ctx, 1, device, &zero, &data, &status, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(with_binary(data, size, &status, &code));
    ck_assert_int_eq(code, CL_INVALID_BINARY);
}
END_TEST

// ---- Separate compilation ----

static cl_int compile(cl_program prog, cl_uint n, const cl_program *headers,
                      const char **names)
{
    return clCompileProgram(prog, 0, NULL, NULL, n, headers, names, NULL, NULL);
}

static cl_program link_all(const char *options, cl_uint n, const cl_program *inputs,
                           cl_int *code)
{
    return clLinkProgram(tf_api.ctx, 0, NULL, options, n, inputs, NULL, NULL, code);
}

START_TEST(parts_are_compiled_and_linked)
{
    cl_program header = make("int twice(int v);\n#define ONE 1\n");
    cl_program parts[2] = {make("#include \"dir/twice.h\"\n"
                                "kernel void set(global int *p, int v)"
                                "{ *p = twice(v) / 2 * ONE; }"),
                           make("int twice(int v) { return v + v; }")};
    const char *name = "dir/twice.h";
    cl_program whole, library;
    cl_int code = 1;

    ck_assert_int_eq(compile(parts[0], 0, NULL, NULL), CL_COMPILE_PROGRAM_FAILURE);
    ck_assert_int_eq(compile(parts[0], 1, &header, &name), CL_SUCCESS);
    ck_assert_uint_eq(type_of(parts[0]), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    ck_assert_int_eq(compile(parts[1], 0, NULL, NULL), CL_SUCCESS);

    whole = link_all(NULL, 2, parts, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(type_of(whole), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    check_runs(whole);
    ck_assert_int_eq(build(whole, NULL), CL_INVALID_OPERATION);
    drop(whole);

    library = link_all("-create-library", 1, &parts[1], &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(type_of(library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    drop(parts[1]);
    parts[1] = library;
    whole = link_all(NULL, 2, parts, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    check_runs(whole);
    drop(whole);
    drop(library);
    drop(parts[0]);
    drop(header);
}
END_TEST

START_TEST(compiled_object_travels_as_a_binary)
{
    cl_program part = make(source), again, whole;
    cl_int code;

    ck_assert_int_eq(compile(part, 0, NULL, NULL), CL_SUCCESS);
    take_binary(part);
    drop(part);
    again = with_binary(binary, binary_bytes, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(type_of(again), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    ck_assert_int_eq(build(again, NULL), CL_INVALID_BINARY);
    whole = link_all(NULL, 1, &again, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    check_runs(whole);
    drop(whole);
    drop(again);
    free(binary);
}
END_TEST

START_TEST(failed_link_hands_out_a_program_with_a_log)
{
    cl_program part = make("int missing(int);\n"
                           "kernel void set(global int *p, int v) { *p = missing(v); }");
    cl_program whole;
    cl_int code = 1;

    ck_assert_int_eq(compile(part, 0, NULL, NULL), CL_SUCCESS);
    whole = link_all(NULL, 1, &part, &code);
    ck_assert_int_eq(code, CL_LINK_PROGRAM_FAILURE);
    ck_assert_ptr_nonnull(whole);
    ck_assert_int_eq(status_of(whole), CL_BUILD_ERROR);
    ck_assert_ptr_nonnull(strstr(log_of(whole), "missing"));
    drop(whole);
    drop(part);
}
END_TEST

START_TEST(compile_arguments_are_checked)
{
    cl_program prog = make(source), header = make(""),
               foreign = make_in(tf_api.other_ctx, "");
    cl_program none = NULL, linked;
    cl_device_id device = tf_api.device, wrong = NULL;
    const char *name = "h", *no_name = NULL;
    cl_int code;

    ck_assert_int_eq(compile(NULL, 0, NULL, NULL), CL_INVALID_PROGRAM);
    ck_assert_int_eq(compile(prog, 1, NULL, &name), CL_INVALID_VALUE);
    ck_assert_int_eq(compile(prog, 1, &header, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(compile(prog, 0, &header, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(compile(prog, 0, NULL, &name), CL_INVALID_VALUE);
    ck_assert_int_eq(compile(prog, 1, &none, &name), CL_INVALID_PROGRAM);
    ck_assert_int_eq(compile(prog, 1, &foreign, &name), CL_INVALID_CONTEXT);
    ck_assert_int_eq(compile(prog, 1, &header, &no_name), CL_INVALID_VALUE);
    ck_assert_int_eq(clCompileProgram(prog, 0, &device, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCompileProgram(prog, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCompileProgram(prog, 0, NULL, NULL, 0, NULL, NULL, NULL, &code),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCompileProgram(prog, 1, &wrong, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_INVALID_DEVICE);
    ck_assert_int_eq(
        clCompileProgram(prog, 0, NULL, "-no-such-option", 0, NULL, NULL, NULL, NULL),
        CL_INVALID_COMPILER_OPTIONS);
    ck_assert_int_eq(compile(prog, 0, NULL, NULL), CL_SUCCESS);
    linked = link_all(NULL, 1, &prog, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(compile(linked, 0, NULL, NULL), CL_INVALID_OPERATION);
    ck_assert_int_eq(compile(prog, 1, &linked, &name), CL_INVALID_OPERATION);
    drop(linked);
    drop(foreign);
    drop(header);
    drop(prog);
}
END_TEST

START_TEST(link_arguments_are_checked)
{
    cl_program prog = make(source), foreign = make_in(tf_api.other_ctx, ""), none = NULL;
    cl_program both[2] = {prog, make(source)};
    cl_device_id device = tf_api.device, wrong = NULL;
    cl_int code;

    ck_assert_int_eq(compile(prog, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_ptr_null(clLinkProgram(NULL, 0, NULL, NULL, 1, &prog, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clLinkProgram(tf_api.ctx, 0, &device, NULL, 1, &prog, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clLinkProgram(tf_api.ctx, 1, NULL, NULL, 1, &prog, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(link_all(NULL, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(link_all(NULL, 0, &prog, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(link_all(NULL, 1, &none, &code));
    ck_assert_int_eq(code, CL_INVALID_PROGRAM);
    ck_assert_ptr_null(link_all(NULL, 1, &foreign, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clLinkProgram(tf_api.ctx, 0, NULL, NULL, 1, &prog, NULL, &code, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clLinkProgram(tf_api.ctx, 1, &wrong, NULL, 1, &prog, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    ck_assert_ptr_null(link_all("-no-such-option", 1, &prog, &code));
    ck_assert_int_eq(code, CL_INVALID_LINKER_OPTIONS);
    ck_assert_ptr_null(link_all(NULL, 2, both, &code)); // the second is not compiled
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    drop(both[1]);
    drop(foreign);
    drop(prog);
}
END_TEST

START_TEST(compile_and_link_call_back)
{
    cl_program prog = make(source), linked;
    int one = 11, two = 12;
    cl_int code;

    ck_assert_int_eq(clCompileProgram(prog, 0, NULL, NULL, 0, NULL, NULL, on_built, &one),
                     CL_SUCCESS);
    wait_told(11);
    ck_assert_int_eq(told_status, CL_BUILD_SUCCESS);
    linked = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 1, &prog, on_built, &two, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    wait_told(12);
    ck_assert_int_eq(told_status, CL_BUILD_SUCCESS);
    check_runs(linked);
    drop(linked);
    drop(prog);
}
END_TEST

// ---- Queries ----

START_TEST(queries_tell_and_check)
{
    cl_program prog = make(source);
    cl_context ctx = NULL;
    cl_device_id device = NULL;
    cl_uint count = 0;
    size_t size = 99;
    cl_bool present = 9;

    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_CONTEXT, sizeof(ctx), &ctx, NULL),
                     CL_SUCCESS);
    ck_assert_ptr_eq(ctx, tf_api.ctx);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_NUM_DEVICES, sizeof(count), &count, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(count, 1);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_DEVICES, sizeof(device), &device, NULL),
        CL_SUCCESS);
    ck_assert_ptr_eq(device, tf_api.device);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_IL, 0, NULL, &size), CL_SUCCESS);
    ck_assert_uint_eq(size, 0);
    size = 99;
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARY_SIZES, sizeof(size), &size, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(size, 0); // not built
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_NUM_KERNELS, 0, NULL, NULL),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_KERNEL_NAMES, 0, NULL, NULL),
                     CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT, 0, NULL, NULL),
        CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(clGetProgramInfo(NULL, CL_PROGRAM_DEVICES, 0, NULL, NULL),
                     CL_INVALID_PROGRAM);
    ck_assert_int_eq(clGetProgramInfo(prog, 0x1234, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_SOURCE, 3, log_text, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_BINARIES, 3, log_text, NULL),
                     CL_INVALID_VALUE);

    ck_assert_int_eq(build(prog, NULL), CL_SUCCESS);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT,
                                      sizeof(present), &present, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(present, CL_FALSE);
    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device,
                                           CL_PROGRAM_BUILD_GLOBAL_VARIABLE_TOTAL_SIZE,
                                           sizeof(size), &size, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(size, 0);
    ck_assert_int_eq(
        clGetProgramBuildInfo(NULL, tf_api.device, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL),
        CL_INVALID_PROGRAM);
    ck_assert_int_eq(
        clGetProgramBuildInfo(prog, NULL, CL_PROGRAM_BUILD_LOG, 0, NULL, NULL),
        CL_INVALID_DEVICE);
    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, 0x1234, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    drop(prog);
}
END_TEST

START_TEST(null_place_skips_a_binary)
{
    cl_program prog = tf_api_program(source, NULL);
    unsigned char *none = NULL;
    size_t bytes = 0;

    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARIES, sizeof(none), &none, &bytes),
        CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(none));
    ck_assert_ptr_null(none);
    drop(prog);
}
END_TEST

START_TEST(unloading_the_compiler_is_a_hint)
{
    cl_program prog;

    ck_assert_int_eq(clUnloadPlatformCompiler(NULL), CL_INVALID_PLATFORM);
    ck_assert_int_eq(clUnloadPlatformCompiler((cl_platform_id)(void *)tf_api.q),
                     CL_INVALID_PLATFORM);
    ck_assert_int_eq(clUnloadPlatformCompiler(tf_api.platform), CL_SUCCESS);
    ck_assert_int_eq(clUnloadCompiler(), CL_SUCCESS);
    prog = tf_api_program(source, NULL);
    check_runs(prog);
    drop(prog);
}
END_TEST

static void add_tests(TCase *all)
{
    tcase_add_test(all, source_arguments_are_checked);
    tcase_add_test(all, source_is_joined_from_strings);
    tcase_add_test(all, there_are_no_built_in_kernels);
    tcase_add_test(all, references_are_counted);
    tcase_add_test(all, build_makes_a_program_that_runs);
    tcase_add_test(all, failed_build_says_where);
    tcase_add_test(all, unknown_option_is_an_error);
    tcase_add_test(all, options_change_the_program);
    tcase_add_test(all, build_arguments_are_checked);
    tcase_add_test(all, attached_kernel_forbids_a_build);
    tcase_add_test(all, callback_is_told_of_the_end);
    tcase_add_test(all, binary_comes_back_as_a_program);
    tcase_add_test(all, damaged_binaries_are_refused);
    tcase_add_test(all, binary_arguments_are_checked);
    tcase_add_test(all, parts_are_compiled_and_linked);
    tcase_add_test(all, compiled_object_travels_as_a_binary);
    tcase_add_test(all, failed_link_hands_out_a_program_with_a_log);
    tcase_add_test(all, compile_arguments_are_checked);
    tcase_add_test(all, link_arguments_are_checked);
    tcase_add_test(all, compile_and_link_call_back);
    tcase_add_test(all, queries_tell_and_check);
    tcase_add_test(all, null_place_skips_a_binary);
    tcase_add_test(all, unloading_the_compiler_is_a_hint);
}

int main(void)
{
    Suite *suite = suite_create("program");
    TCase *all = tcase_create("program");

    tcase_add_checked_fixture(all, tf_api_begin, tf_api_end);
    add_tests(all);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
