// SPDX-License-Identifier: MIT
// What a kernel finds in memory that nobody wrote: zeros, in every run, whatever the
// memory held before.
#include <malloc.h>
#include <stdlib.h>
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

enum { ROUNDS = 4 };

static const size_t sizes[] = {1,    3,     127,    128,     129,          4095,
                               4096, 70000, 300000, 1 << 20, (5 << 20) + 1};
enum { SIZES = sizeof(sizes) / sizeof(sizes[0]) };

static const char source[] =
    "kernel void copy(global const uchar *from, global uchar *to)\n"
    "{ to[get_global_id(0)] = from[get_global_id(0)]; }\n"
    "kernel void soil(global uchar *to) { to[get_global_id(0)] = 0xff; }\n";

static cl_kernel copy, soil;
static unsigned char *seen; // what the kernel copied out, behind `out`
static cl_mem out;

static void begin(void)
{
    cl_program program;

    mallopt(M_PERTURB, 0x5a); // what malloc gives and takes is full of rubbish
    tf_api_begin();
    program = tf_api_program(source, "");
    copy = tf_api_kernel(program, "copy");
    soil = tf_api_kernel(program, "soil");
    clReleaseProgram(program);
    seen = malloc(sizes[SIZES - 1]);
    ck_assert_ptr_nonnull(seen);
    out = tf_api_buffer(CL_MEM_USE_HOST_PTR, sizes[SIZES - 1], seen);
    tf_api_set_arg(copy, 1, sizeof(out), &out);
}

static void end(void)
{
    clReleaseMemObject(out);
    clReleaseKernel(copy);
    clReleaseKernel(soil);
    tf_api_end();
    free(seen);
}

static void run(cl_kernel kernel, size_t items)
{
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
}

// Of arguments that are set: looks, then leaves dirt behind.
static void check_zeros(size_t bytes)
{
    size_t zeros = 0;

    memset(seen, 1, bytes);
    run(copy, bytes);
    while (zeros < bytes && seen[zeros] == 0)
        zeros++;
    ck_assert_uint_eq(zeros, bytes);
    run(soil, bytes);
}

START_TEST(buffers_are_zeros)
{
    for (int round = 0; round < ROUNDS; round++) {
        cl_mem mem = tf_api_buffer(0, sizes[_i], NULL);

        tf_api_set_arg(copy, 0, sizeof(mem), &mem);
        tf_api_set_arg(soil, 0, sizeof(mem), &mem);
        check_zeros(sizes[_i]);
        clReleaseMemObject(mem);
    }
}
END_TEST

START_TEST(sub_buffers_are_zeros)
{
    for (int round = 0; round < ROUNDS; round++) {
        cl_mem mem = tf_api_buffer(0, 2 * 4096 + sizes[_i], NULL), part;
        const cl_buffer_region region = {4096, sizes[_i]};

        part = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, NULL);
        ck_assert_ptr_nonnull(part);
        tf_api_set_arg(copy, 0, sizeof(part), &part);
        tf_api_set_arg(soil, 0, sizeof(part), &part);
        check_zeros(sizes[_i]);
        clReleaseMemObject(part);
        clReleaseMemObject(mem);
    }
}
END_TEST

static void check_pointer(void *memory, size_t bytes)
{
    ck_assert_ptr_nonnull(memory);
    ck_assert_int_eq(clSetKernelArgSVMPointer(copy, 0, memory), CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArgSVMPointer(soil, 0, memory), CL_SUCCESS);
    check_zeros(bytes);
}

START_TEST(svm_is_zeros)
{
    const cl_svm_mem_flags flags[] = {CL_MEM_READ_WRITE,
                                      CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER};

    for (int round = 0; round < ROUNDS; round++) {
        void *memory =
            clSVMAlloc(tf_api.ctx, flags[round % 2], sizes[_i], round < 2 ? 0 : 4096);

        check_pointer(memory, sizes[_i]);
        clSVMFree(tf_api.ctx, memory);
    }
}
END_TEST

static void *usm_of_kind(int kind, size_t bytes)
{
    if (kind == 0)
        return clHostMemAllocINTEL(tf_api.ctx, NULL, bytes, 0, NULL);
    return (kind == 1 ? clDeviceMemAllocINTEL : clSharedMemAllocINTEL)(
        tf_api.ctx, tf_api.device, NULL, bytes, 0, NULL);
}

START_TEST(usm_is_zeros)
{
    for (int round = 0; round < 2 * 3; round++) {
        void *memory = usm_of_kind(round % 3, sizes[_i]);

        check_pointer(memory, sizes[_i]);
        ck_assert_int_eq(clMemFreeINTEL(tf_api.ctx, memory), CL_SUCCESS);
    }
}
END_TEST

// The bytes behind the application's are nobody's business, but a copy is a copy.
START_TEST(copied_buffers_hold_the_copy)
{
    unsigned char *given = malloc(sizes[_i]);

    ck_assert_ptr_nonnull(given);
    for (size_t i = 0; i < sizes[_i]; i++)
        given[i] = (unsigned char)(i * 7 + 1);
    for (int round = 0; round < ROUNDS; round++) {
        cl_mem mem = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizes[_i], given);

        tf_api_set_arg(copy, 0, sizeof(mem), &mem);
        tf_api_set_arg(soil, 0, sizeof(mem), &mem);
        memset(seen, 0, sizes[_i]);
        run(copy, sizes[_i]);
        ck_assert_mem_eq(seen, given, sizes[_i]);
        run(soil, sizes[_i]);
        clReleaseMemObject(mem);
    }
    free(given);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("fresh_memory");
    TCase *tcase = tcase_create("memory");

    tcase_add_checked_fixture(tcase, begin, end);
    tcase_add_loop_test(tcase, buffers_are_zeros, 0, SIZES);
    tcase_add_loop_test(tcase, sub_buffers_are_zeros, 0, SIZES);
    tcase_add_loop_test(tcase, svm_is_zeros, 0, SIZES);
    tcase_add_loop_test(tcase, usm_is_zeros, 0, SIZES);
    tcase_add_loop_test(tcase, copied_buffers_hold_the_copy, 0, SIZES);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
