// SPDX-License-Identifier: MIT
// cl_khr_initialize_memory: kernels that read what nobody wrote find zeros.
#include "support/api.h"

#include <string.h>

#include "support/suite.h"

enum { ITEMS = 4096, LOCAL = 64 };

static const char source[] =
    // Each group leaves its local memory dirty for the next one on the same thread.
    "kernel void locals(global uint *out, local uint *given) {\n"
    "    local uint own[64];\n"
    "    size_t l = get_local_id(0);\n"
    "    out[get_global_id(0)] = own[l] | given[l];\n"
    "    own[l] = 0xdead0000 | (uint)l;\n"
    "    given[l] = 0xbeef0000 | (uint)l;\n"
    "}\n"
    "kernel void meeting(global uint *out, local uint *given) {\n"
    "    local uint own[64];\n"
    "    size_t l = get_local_id(0);\n"
    "    uint seen = own[l];\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    own[63 - l] = 0xdead0000 | (uint)l;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    out[get_global_id(0)] = seen | given[l];\n"
    "    given[l] = own[l];\n"
    "}\n"
    "struct mixed { char c; float f; long l[3]; };\n"
    "kernel void privates(global uint *out, uint never) {\n"
    "    uint x, room[40];\n"
    "    float4 v;\n"
    "    struct mixed m;\n"
    "    if (never == 77) { x = 5; v = 3.0f; m.l[2] = 9; }\n"
    "    for (uint i = 0; i < never; i++) room[i * 7 % 40] = i + 1;\n"
    "    out[get_global_id(0)] = x | room[get_global_id(0) % 40] | as_uint(v.z) |\n"
    "                            (uint)m.l[2] | (uint)m.c | as_uint(m.f);\n"
    "}\n";

static cl_context ctx;
static cl_command_queue q;
static cl_mem mem;
static cl_program prog;

static void begin(cl_bitfield zeroes, const char *options)
{
    const cl_context_properties properties[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR,
                                                (cl_context_properties)zeroes, 0};
    const char *text = source;
    char kept[64] = "x";
    cl_int code;

    ctx = clCreateContext(properties, 1, &tf_api.device, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    q = clCreateCommandQueue(ctx, tf_api.device, 0, &code);
    mem = clCreateBuffer(ctx, 0, ITEMS * sizeof(cl_uint), NULL, &code);
    prog = clCreateProgramWithSource(ctx, 1, &text, NULL, &code);
    ck_assert_int_eq(clBuildProgram(prog, 0, NULL, options, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(clGetProgramBuildInfo(prog, tf_api.device, CL_PROGRAM_BUILD_OPTIONS,
                                           sizeof(kept), kept, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(kept, options); // the application's, and no other
}

static void end(void)
{
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseContext(ctx), CL_SUCCESS);
}

static void only_zeros(void)
{
    static cl_uint seen[ITEMS];

    ck_assert_int_eq(
        clEnqueueReadBuffer(q, mem, CL_TRUE, 0, sizeof(seen), seen, 0, NULL, NULL),
        CL_SUCCESS);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_msg(seen[i] == 0, "item %d found 0x%x", i, seen[i]);
}

static const char *const option_sets[] = {"", "-cl-opt-disable", "-cl-std=CL3.0 -g"};

START_TEST(local_memory_is_zeros_in_every_group)
{
    const size_t items = ITEMS, local = LOCAL;
    static const char *const names[] = {"locals", "meeting"};

    begin(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR, option_sets[_i]);
    for (int k = 0; k < 2; k++) {
        cl_kernel kernel = tf_api_kernel(prog, names[k]);

        tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
        tf_api_set_arg(kernel, 1, LOCAL * sizeof(cl_uint), NULL);
        for (int round = 0; round < 20; round++) {
            ck_assert_int_eq(
                clEnqueueNDRangeKernel(q, kernel, 1, NULL, &items, &local, 0, NULL, NULL),
                CL_SUCCESS);
            only_zeros();
        }
        ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    }
    end();
}
END_TEST

START_TEST(local_memory_is_zeros_in_command_buffers)
{
    const size_t items = ITEMS, local = LOCAL;
    cl_command_buffer_khr buffer;
    cl_kernel kernel;
    cl_int code;

    begin(CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR, "");
    kernel = tf_api_kernel(prog, "locals");
    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    tf_api_set_arg(kernel, 1, LOCAL * sizeof(cl_uint), NULL);
    buffer = clCreateCommandBufferKHR(1, &q, NULL, &code);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, kernel, 1, NULL,
                                                   &items, &local, 0, NULL, NULL, NULL),
                         CL_SUCCESS);
    ck_assert_int_eq(clFinalizeCommandBufferKHR(buffer), CL_SUCCESS);
    for (int round = 0; round < 20; round++) {
        ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL),
                         CL_SUCCESS);
        only_zeros();
    }
    ck_assert_int_eq(clReleaseCommandBufferKHR(buffer), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(private_variables_begin_as_zeros)
{
    const size_t items = ITEMS;
    const cl_uint never = 0;
    cl_kernel kernel;

    begin(CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR, option_sets[_i]);
    kernel = tf_api_kernel(prog, "privates");
    tf_api_set_arg(kernel, 0, sizeof(mem), &mem);
    tf_api_set_arg(kernel, 1, sizeof(never), &never);
    for (int round = 0; round < 5; round++) {
        ck_assert_int_eq(
            clEnqueueNDRangeKernel(q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
            CL_SUCCESS);
        only_zeros();
    }
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    end();
}
END_TEST

START_TEST(the_property_is_checked)
{
    const cl_context_properties strange[] = {CL_CONTEXT_MEMORY_INITIALIZE_KHR, 4, 0};
    cl_int code = 0;

    ck_assert_ptr_null(clCreateContext(strange, 1, &tf_api.device, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_PROPERTY);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("initialized memory");
    TCase *tcase = tcase_create("initialized memory");
    const int sets = sizeof(option_sets) / sizeof(option_sets[0]);

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_loop_test(tcase, local_memory_is_zeros_in_every_group, 0, sets);
    tcase_add_test(tcase, local_memory_is_zeros_in_command_buffers);
    tcase_add_loop_test(tcase, private_variables_begin_as_zeros, 0, sets);
    tcase_add_test(tcase, the_property_is_checked);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
