// SPDX-License-Identifier: MIT
// Pipes with packets of another size than the kernel declares. What the functions of
// pipes do where only they can notice, test_il_pipes.c has: SPIR-V does not say the size
// at the argument.
#include "support/api.h"
#include "support/suite.h"

static const char source[] =
    "typedef struct { int a; char b; } pair;\n"
    "typedef read_only pipe pair pipe_of_pairs;\n"
    "kernel void words(global int *out, write_only pipe uint p) {}\n"
    "kernel void longs(global int *out, read_only pipe ulong p) {}\n"
    "kernel void threes(global int *out, read_only pipe float3 p) {}\n"
    "kernel void bytes(global int *out, read_only pipe char p) {}\n"
    "kernel void pairs(global int *out, pipe_of_pairs p) {}\n";

static const struct {
    const char *kernel;
    cl_uint packet_bytes;
} kernels[] = {
    {"words", 4}, {"longs", 8}, {"threes", 16}, {"bytes", 1}, {"pairs", 8},
};
enum { KERNELS = sizeof kernels / sizeof *kernels };

static cl_mem create(cl_uint packet_bytes)
{
    cl_int code;
    cl_mem pipe = clCreatePipe(tf_api.ctx, 0, packet_bytes, 3, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return pipe;
}

static void check_kernels(cl_program prog)
{
    for (int i = 0; i < KERNELS; i++) {
        cl_kernel kernel = tf_api_kernel(prog, kernels[i].kernel);

        for (cl_uint bytes = 1; bytes <= 32; bytes++) {
            cl_mem pipe = create(bytes);

            ck_assert_int_eq(clSetKernelArg(kernel, 1, sizeof(pipe), &pipe),
                             bytes == kernels[i].packet_bytes ? CL_SUCCESS
                                                              : CL_INVALID_MEM_OBJECT);
            ck_assert_int_eq(clReleaseMemObject(pipe), CL_SUCCESS);
        }
        ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    }
}

START_TEST(pipe_with_packets_of_another_size_is_no_argument)
{
    cl_program prog = tf_api_program(source, "-cl-std=CL3.0");

    check_kernels(prog);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}
END_TEST

START_TEST(binary_keeps_the_sizes_of_packets)
{
    cl_program prog = tf_api_program(source, "-cl-std=CL2.0");
    unsigned char *binary;
    size_t bytes;
    cl_int code;

    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARY_SIZES, sizeof(bytes), &bytes, NULL),
        CL_SUCCESS);
    binary = malloc(bytes);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_BINARIES, sizeof(binary), &binary, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    prog = clCreateProgramWithBinary(tf_api.ctx, 1, &tf_api.device, &bytes,
                                     (const unsigned char **)&binary, NULL, &code);
    free(binary);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clBuildProgram(prog, 0, NULL, NULL, NULL, NULL), CL_SUCCESS);
    check_kernels(prog);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sizes of packets");
    TCase *tcase = tcase_create("sizes of packets");

    tcase_set_timeout(tcase, 120);
    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_test(tcase, pipe_with_packets_of_another_size_is_no_argument);
    tcase_add_test(tcase, binary_keeps_the_sizes_of_packets);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
