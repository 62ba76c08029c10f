// SPDX-License-Identifier: MIT
// Programs from SPIR-V through the entry points: what is refused, builds, constants,
// linking with OpenCL C, binaries.
#include <float.h>
#include <math.h>
#include <stdbool.h>

#include "api/program_rig.h"
#include "support/spirv_words.h"
#include "support/spirv_writer.h"
#include "support/suite.h"

static struct spirv_writer w;
static cl_int code;

// kernel void set(global int *p, int v) { *p = v + <SpecId 3, 100 unless it is set>; }
// With `imports`, the sum is that of a function add_up(int, int) of another object.
static size_t write_set(bool imports)
{
    enum {
        VOID = 1,
        INT,
        POINTER,
        TYPE,
        SET,
        CONSTANT,
        P,
        V,
        LABEL,
        SUM,
        FUNCTION,
        ADD,
        A,
        B
    };

    spirv_start(&w, 0);
    w.bound = 20;
    spirv_op(&w, 17, 4);
    spirv_op(&w, 17, 5);
    spirv_op(&w, 17, 6);
    spirv_op(&w, 14, 2, 2);
    spirv_begin(&w, 15);
    spirv_word(&w, 6);
    spirv_word(&w, SET);
    spirv_text(&w, "set");
    spirv_op(&w, 71, CONSTANT, 1, 3);
    if (imports) {
        spirv_begin(&w, 71);
        spirv_word(&w, ADD);
        spirv_word(&w, 41);
        spirv_text(&w, "add_up");
        spirv_word(&w, 1);
    }
    spirv_op(&w, 19, VOID);
    spirv_op(&w, 21, INT, 32, 0);
    spirv_op(&w, 32, POINTER, 5, INT);
    spirv_op(&w, 33, TYPE, VOID, POINTER, INT);
    spirv_op(&w, 33, FUNCTION, INT, INT, INT);
    spirv_op(&w, 50, INT, CONSTANT, 100);
    if (imports) {
        spirv_op(&w, 54, INT, ADD, 0, FUNCTION);
        spirv_op(&w, 55, INT, A);
        spirv_op(&w, 55, INT, B);
        spirv_begin(&w, 56);
    }
    spirv_op(&w, 54, VOID, SET, 0, TYPE);
    spirv_op(&w, 55, POINTER, P);
    spirv_op(&w, 55, INT, V);
    spirv_op(&w, 248, LABEL);
    if (imports)
        spirv_op(&w, 57, INT, SUM, ADD, V, CONSTANT);
    else
        spirv_op(&w, 128, INT, SUM, V, CONSTANT);
    spirv_op(&w, 62, P, SUM);
    spirv_begin(&w, 253);
    spirv_begin(&w, 56);
    return spirv_finish(&w);
}

static cl_program make_set(bool imports)
{
    const size_t bytes = write_set(imports);
    cl_program prog = clCreateProgramWithIL(tf_api.ctx, w.words, bytes, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return prog;
}

// What kernel "set" stores for 4.
static cl_int run_set(cl_program prog)
{
    cl_kernel kernel = tf_api_kernel(prog, "set");
    cl_mem mem = tf_api_buffer(0, 4, NULL);
    const cl_int value = 4;
    cl_int seen = 0;

    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    tf_api_set_arg(kernel, 1, sizeof(value), &value);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, kernel, 0, NULL, NULL), CL_SUCCESS);
    tf_api_read(mem, 0, 4, &seen);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    return seen;
}

START_TEST(what_is_no_module_is_refused)
{
    const size_t bytes = write_set(false);

    clCreateProgramWithIL(NULL, w.words, bytes, &code);
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clCreateProgramWithIL((cl_context)(void *)tf_api.q, w.words, bytes, &code);
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    ck_assert_ptr_null(clCreateProgramWithIL(tf_api.ctx, NULL, bytes, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithIL(tf_api.ctx, w.words, 0, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithILKHR(tf_api.ctx, w.words, bytes - 1, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    w.words[1] = 0x00010700; // version 1.7
    ck_assert_ptr_null(clCreateProgramWithIL(tf_api.ctx, w.words, bytes, NULL));
}
END_TEST

START_TEST(module_builds_and_runs)
{
    cl_program prog = make_set(false);
    char text[8] = "x";
    size_t size = 0;

    ck_assert_int_eq(status_of(prog), CL_BUILD_NONE);
    ck_assert_int_eq(build(prog, "-cl-std=CL3.0 -DX=1"), CL_SUCCESS);
    ck_assert_uint_eq(type_of(prog), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_int_eq(run_set(prog), 104);
    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_SOURCE, sizeof(text), text, &size),
                     CL_SUCCESS);
    ck_assert_str_eq(text, "");
    // What is for OpenCL C alone is ignored, whether the device has it or not.
    ck_assert_int_eq(build(prog, "-cl-std=CL2.0 -cl-single-precision-constant -I/x"),
                     CL_SUCCESS);
    ck_assert_int_eq(build(prog, "-cl-std=CL9.9"), CL_INVALID_BUILD_OPTIONS);
    ck_assert_int_eq(build(prog, "-no-such-option"), CL_INVALID_BUILD_OPTIONS);
    drop(prog);
    write_set(false);
    prog = clCreateProgramWithILKHR(tf_api.ctx, w.words, w.count * 4, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    drop(prog);
}
END_TEST

// Groups of a module's kernels may be of unequal size unless an option forbids it.
START_TEST(groups_are_uniform_where_an_option_says_so)
{
    cl_program prog = make_set(false);
    cl_mem mem = tf_api_buffer(0, 4, NULL);
    const size_t items = 5, local = 2;
    const cl_int value = 4;

    for (int uniform = 0; uniform < 2; uniform++) {
        cl_kernel kernel;

        ck_assert_int_eq(build(prog, uniform ? "-cl-uniform-work-group-size" : ""),
                         CL_SUCCESS);
        kernel = tf_api_kernel(prog, "set");
        tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
        tf_api_set_arg(kernel, 1, sizeof(value), &value);
        ck_assert_int_eq(clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, &local,
                                                0, NULL, NULL),
                         uniform ? CL_INVALID_WORK_GROUP_SIZE : CL_SUCCESS);
        ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    }
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    drop(prog);
}
END_TEST

START_TEST(words_of_the_other_order_are_read)
{
    const size_t bytes = write_set(false);
    cl_program prog;

    for (uint32_t i = 0; i < w.count; i++)
        w.words[i] = __builtin_bswap32(w.words[i]);
    prog = clCreateProgramWithIL(tf_api.ctx, w.words, bytes, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(build(prog, ""), CL_SUCCESS);
    ck_assert_int_eq(run_set(prog), 104);
    drop(prog);
}
END_TEST

START_TEST(constants_are_taken_by_the_next_build)
{
    cl_program prog = make_set(false), from_source = make(source);
    const cl_int value = 1000;

    ck_assert_int_eq(clSetProgramSpecializationConstant(prog, 3, 4, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clSetProgramSpecializationConstant(prog, 3, 8, &value),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clSetProgramSpecializationConstant(prog, 4, 4, &value),
                     CL_INVALID_SPEC_ID);
    ck_assert_int_eq(clSetProgramSpecializationConstant(from_source, 3, 4, &value),
                     CL_INVALID_PROGRAM);
    ck_assert_rejects(CL_INVALID_PROGRAM,
                      clSetProgramSpecializationConstant(bad, 3, 4, &value), tf_api.q);
    ck_assert_int_eq(build(prog, ""), CL_SUCCESS);
    ck_assert_int_eq(clSetProgramSpecializationConstant(prog, 3, 4, &value), CL_SUCCESS);
    ck_assert_int_eq(run_set(prog), 104); // what was built before stays
    ck_assert_int_eq(build(prog, ""), CL_SUCCESS);
    ck_assert_int_eq(run_set(prog), 1004);
    drop(prog);
    drop(from_source);
}
END_TEST

static void run_on(cl_context ctx, cl_device_id device, cl_program prog, cl_int expected)
{
    cl_command_queue q = clCreateCommandQueueWithProperties(ctx, device, NULL, &code);
    cl_mem mem = clCreateBuffer(ctx, 0, 4, NULL, &code);
    cl_kernel kernel = tf_api_kernel(prog, "set");
    const cl_int value = 4;
    cl_int seen = 0;

    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    tf_api_set_arg(kernel, 1, sizeof(value), &value);
    ck_assert_int_eq(clEnqueueTask(q, kernel, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(clEnqueueReadBuffer(q, mem, CL_TRUE, 0, 4, &seen, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(seen, expected);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}

START_TEST(module_builds_for_every_device_of_its_context)
{
    static const cl_device_partition_property ones[] = {CL_DEVICE_PARTITION_BY_COUNTS, 1,
                                                        1, 0, 0};
    const size_t bytes = write_set(false);
    const cl_int value = 7;
    cl_device_id parts[2];
    cl_context ctx;
    cl_program prog;

    if (clCreateSubDevices(tf_api.device, ones, 2, parts, NULL) != CL_SUCCESS)
        return; // of a machine with one processor
    ctx = clCreateContext(NULL, 2, parts, NULL, NULL, &code);
    prog = clCreateProgramWithIL(ctx, w.words, bytes, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clSetProgramSpecializationConstant(prog, 3, 4, &value), CL_SUCCESS);
    ck_assert_int_eq(build(prog, ""), CL_SUCCESS);
    for (int i = 0; i < 2; i++)
        run_on(ctx, parts[i], prog, 11);
    drop(prog);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(clReleaseDevice(parts[i]), CL_SUCCESS);
}
END_TEST

START_TEST(module_comes_back_from_a_query)
{
    cl_program prog = make_set(false), from_source = make(source);
    static uint32_t back[SPIRV_WORDS_MAX];
    size_t size = 77;

    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_IL, sizeof(back), back, &size),
                     CL_SUCCESS);
    ck_assert_uint_eq(size, w.count * 4);
    ck_assert_mem_eq(back, w.words, size);
    ck_assert_int_eq(
        clGetProgramInfo(from_source, CL_PROGRAM_IL, sizeof(back), back, &size),
        CL_SUCCESS);
    ck_assert_uint_eq(size, 0);
    drop(prog);
    drop(from_source);
}
END_TEST

START_TEST(module_links_with_opencl_c)
{
    const char *name = "never.h";
    cl_program parts[2] = {make_set(true),
                           make("int add_up(int a, int b) { return a * 10 + b; }")};
    cl_program linked;

    // Headers are for source: they are not looked at.
    ck_assert_int_eq(clCompileProgram(parts[0], 0, NULL, "", 1, NULL, &name, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(type_of(parts[0]), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    ck_assert_int_eq(clCompileProgram(parts[1], 0, NULL, "", 0, NULL, NULL, NULL, NULL),
                     CL_SUCCESS);
    linked = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(run_set(linked), 140);
    drop(linked);
    linked = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 1, parts, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_LINK_PROGRAM_FAILURE);
    ck_assert_ptr_nonnull(strstr(log_of(linked), "add_up"));
    drop(linked);
    ck_assert_int_eq(build(parts[0], ""), CL_BUILD_PROGRAM_FAILURE);
    drop(parts[0]);
    drop(parts[1]);
}
END_TEST

START_TEST(module_is_no_header)
{
    cl_program prog = make(source), header = make_set(false);
    const char *name = "h.h";

    ck_assert_int_eq(clCompileProgram(prog, 0, NULL, "", 1, &header, &name, NULL, NULL),
                     CL_INVALID_OPERATION);
    drop(prog);
    drop(header);
}
END_TEST

START_TEST(binary_of_a_module_is_one_like_any)
{
    cl_program prog = make_set(false), again;
    cl_int status = 1;

    ck_assert_int_eq(build(prog, ""), CL_SUCCESS);
    take_binary(prog);
    drop(prog);
    again = with_binary(binary, binary_bytes, &status, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(build(again, ""), CL_SUCCESS);
    ck_assert_int_eq(run_set(again), 104);
    drop(again);
    free(binary);
}
END_TEST

START_TEST(kernel_of_a_module_tells_what_the_module_says)
{
    cl_program prog = make_set(false);
    cl_kernel kernel;
    char text[16] = "x";
    cl_uint args = 0;

    ck_assert_int_eq(build(prog, "-cl-kernel-arg-info"), CL_SUCCESS);
    kernel = tf_api_kernel(prog, "set");
    ck_assert_int_eq(
        clGetKernelArgInfo(kernel, 0, CL_KERNEL_ARG_NAME, sizeof(text), text, NULL),
        CL_KERNEL_ARG_INFO_NOT_AVAILABLE);
    ck_assert_int_eq(
        clGetKernelInfo(kernel, CL_KERNEL_NUM_ARGS, sizeof(args), &args, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(args, 2);
    ck_assert_int_eq(
        clGetKernelInfo(kernel, CL_KERNEL_ATTRIBUTES, sizeof(text), text, NULL),
        CL_SUCCESS);
    ck_assert_str_eq(text, "");
    clReleaseKernel(kernel);
    drop(prog);
}
END_TEST

// Exports ushort2 to_bfloat(float2) and float2 from_bfloat(ushort2), which spirv-as does
// not know yet.
static cl_program make_bfloat(void)
{
    enum { FLOAT = 1, SHORT, V2F, V2S, TO, FROM, TO_TYPE, FROM_TYPE, FIRST_FREE };
    static const uint32_t capabilities[] = {4, 5, 6, 22, 6115};
    static const char *const names[] = {"to_bfloat", "from_bfloat"};
    cl_program prog;

    spirv_start(&w, 0);
    w.bound = FIRST_FREE;
    for (int i = 0; i < 5; i++)
        spirv_op(&w, 17, capabilities[i]);
    spirv_begin(&w, 10);
    spirv_text(&w, "SPV_INTEL_bfloat16_conversion");
    spirv_op(&w, 14, 2, 2);
    for (uint32_t i = 0; i < 2; i++) {
        spirv_begin(&w, 71);
        spirv_word(&w, TO + i);
        spirv_word(&w, 41); // LinkageAttributes
        spirv_text(&w, names[i]);
        spirv_word(&w, 0); // Export
    }
    spirv_op(&w, 22, FLOAT, 32);
    spirv_op(&w, 21, SHORT, 16, 0);
    spirv_op(&w, 23, V2F, FLOAT, 2);
    spirv_op(&w, 23, V2S, SHORT, 2);
    spirv_op(&w, 33, TO_TYPE, V2S, V2F);
    spirv_op(&w, 33, FROM_TYPE, V2F, V2S);
    for (uint32_t i = 0; i < 2; i++) {
        const uint32_t value = spirv_id(&w), result = spirv_id(&w);

        spirv_op(&w, 54, i ? V2F : V2S, TO + i, 0, TO_TYPE + i);
        spirv_op(&w, 55, i ? V2S : V2F, value);
        spirv_op(&w, 248, spirv_id(&w));
        spirv_op(&w, 6116 + i, i ? V2F : V2S, result, value);
        spirv_op(&w, 254, result);
        spirv_begin(&w, 56);
    }
    prog = clCreateProgramWithIL(tf_api.ctx, w.words, spirv_finish(&w), &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return prog;
}

START_TEST(bfloat_is_rounded_to_the_nearest_even)
{
    static float in[] = {1.0f, 1.00390625f, 1.01171875f, -3.4e38f, 0.0f, 65280.0f};
    static const cl_ushort expected[] = {0x3f80, 0x3f80, 0x3f82, 0xff80, 0, 0x477f};
    cl_program parts[2] = {
        make_bfloat(),
        make(
            "ushort2 to_bfloat(float2 x); float2 from_bfloat(ushort2 x);\n"
            "kernel void k(global float *x, global ushort *to, global float *back)\n"
            "{ size_t i = get_global_id(0); ushort2 b = to_bfloat((float2)(x[i], NAN));\n"
            "  to[i] = b.x; back[i] = (b.y & 0x7fff) > 0x7f80 ? from_bfloat(b).x : -1; "
            "}")};
    cl_program linked;
    cl_kernel kernel;
    cl_mem x = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(in), in);
    cl_mem to = tf_api_buffer(0, sizeof(expected), NULL);
    cl_mem back = tf_api_buffer(0, sizeof(in), NULL);
    const size_t items = 6;
    cl_ushort seen[6];
    cl_uint reals[6];

    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(
            clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL),
            CL_SUCCESS);
    linked = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    kernel = tf_api_kernel(linked, "k");
    tf_api_set_arg(kernel, 0, sizeof(x), &x);
    tf_api_set_arg(kernel, 1, sizeof(to), &to);
    tf_api_set_arg(kernel, 2, sizeof(back), &back);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_read(to, 0, sizeof(seen), seen);
    tf_api_read(back, 0, sizeof(reals), reals);
    for (int i = 0; i < 6; i++) {
        ck_assert_uint_eq(seen[i], expected[i]);
        ck_assert_uint_eq(reals[i], (cl_uint)expected[i] << 16);
    }
    clReleaseKernel(kernel);
    clReleaseMemObject(x);
    clReleaseMemObject(to);
    clReleaseMemObject(back);
    drop(linked);
    drop(parts[0]);
    drop(parts[1]);
}
END_TEST

// Exports float2 sigmoid(float2), by an instruction that spirv-as does not know yet.
static cl_program make_sigmoid(void)
{
    enum { FLOAT = 1, PAIR, FUNCTION, TYPE, X, RESULT, LABEL, FIRST_FREE };
    static const uint32_t capabilities[] = {4, 5, 6, 6167};
    cl_program prog;

    spirv_start(&w, 0);
    w.bound = FIRST_FREE;
    for (int i = 0; i < 4; i++)
        spirv_op(&w, 17, capabilities[i]);
    spirv_begin(&w, 10);
    spirv_text(&w, "SPV_INTEL_sigmoid");
    spirv_op(&w, 14, 2, 2);
    spirv_begin(&w, 71);
    spirv_word(&w, FUNCTION);
    spirv_word(&w, 41); // LinkageAttributes
    spirv_text(&w, "sigmoid");
    spirv_word(&w, 0); // Export
    spirv_op(&w, 22, FLOAT, 32);
    spirv_op(&w, 23, PAIR, FLOAT, 2);
    spirv_op(&w, 33, TYPE, PAIR, PAIR);
    spirv_op(&w, 54, PAIR, FUNCTION, 0, TYPE);
    spirv_op(&w, 55, PAIR, X);
    spirv_op(&w, 248, LABEL);
    spirv_op(&w, 6168, PAIR, RESULT, X);
    spirv_op(&w, 254, RESULT);
    spirv_begin(&w, 56);
    prog = clCreateProgramWithIL(tf_api.ctx, w.words, spirv_finish(&w), &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return prog;
}

START_TEST(sigmoid_is_that_of_its_formula)
{
    static float in[] = {0, 1, -1, 20, -20, -95, 200, -200, INFINITY, -INFINITY};
    enum { COUNT = sizeof(in) / sizeof(in[0]) };
    cl_program parts[2] = {
        make_sigmoid(),
        make("float2 sigmoid(float2 x);\n"
             "kernel void k(global float *x)\n"
             "{ size_t i = get_global_id(0); x[i] = sigmoid((float2)(NAN, x[i])).y; }")};
    cl_program linked;
    cl_mem x = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(in), in);
    const size_t items = COUNT;
    float seen[COUNT];
    cl_kernel kernel;

    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(
            clCompileProgram(parts[i], 0, NULL, "", 0, NULL, NULL, NULL, NULL),
            CL_SUCCESS);
    linked = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    kernel = tf_api_kernel(linked, "k");
    tf_api_set_arg(kernel, 0, sizeof(x), &x);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_read(x, 0, sizeof(seen), seen);
    for (int i = 0; i < COUNT; i++) {
        const double expected = 1 / (1 + exp(-(double)in[i]));

        ck_assert_double_le(fabs(seen[i] - expected), expected * 1e-6 + FLT_MIN * 1e-6);
    }
    clReleaseKernel(kernel);
    clReleaseMemObject(x);
    drop(linked);
    drop(parts[0]);
    drop(parts[1]);
}
END_TEST

// A module whose words are whole but say nothing sensible fails at the build.
START_TEST(wrong_module_has_a_log)
{
    static const uint32_t words[] = {SPIRV_HEADER(0, 9), OP(17, 2), 6, OP(17, 2), 1};
    cl_program prog = clCreateProgramWithIL(tf_api.ctx, words, sizeof(words), &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(build(prog, ""), CL_BUILD_PROGRAM_FAILURE);
    ck_assert_ptr_nonnull(strstr(log_of(prog), "word 7"));
    ck_assert_ptr_nonnull(strstr(log_of(prog), "capability Shader"));
    drop(prog);
}
END_TEST

static void CL_CALLBACK never(cl_program prog, void *data)
{
    (void)prog, (void)data;
    ck_abort_msg("called");
}

START_TEST(program_objects_have_no_destructors)
{
    cl_program prog = make(source);

    ck_assert_int_eq(clSetProgramReleaseCallback(prog, never, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clSetProgramReleaseCallback(prog, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_rejects(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(bad, never, NULL),
                      tf_api.q);
    drop(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("il");
    TCase *tests = tcase_create("il");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, what_is_no_module_is_refused);
    tcase_add_test(tests, module_builds_and_runs);
    tcase_add_test(tests, groups_are_uniform_where_an_option_says_so);
    tcase_add_test(tests, words_of_the_other_order_are_read);
    tcase_add_test(tests, constants_are_taken_by_the_next_build);
    tcase_add_test(tests, module_builds_for_every_device_of_its_context);
    tcase_add_test(tests, module_comes_back_from_a_query);
    tcase_add_test(tests, module_links_with_opencl_c);
    tcase_add_test(tests, module_is_no_header);
    tcase_add_test(tests, binary_of_a_module_is_one_like_any);
    tcase_add_test(tests, kernel_of_a_module_tells_what_the_module_says);
    tcase_add_test(tests, bfloat_is_rounded_to_the_nearest_even);
    tcase_add_test(tests, sigmoid_is_that_of_its_formula);
    tcase_add_test(tests, wrong_module_has_a_log);
    tcase_add_test(tests, program_objects_have_no_destructors);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
