// SPDX-License-Identifier: MIT
// cl_ext_buffer_device_address.
#include <stdint.h>
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

static const char source[] =
    "kernel void where(global char *p, global ulong *out) { *out = (ulong)p; }\n"
    "kernel void follow(global ulong *address, int by)\n"
    "{ ((global int *)*address)[get_global_id(0)] += by; }\n"
    "kernel void add(global int *p, local int *l, constant int *c, int by)\n"
    "{ p[get_global_id(0)] += by; }\n";

enum { COUNT = 64, BYTES = COUNT * sizeof(cl_int) };

static const cl_mem_properties fixed[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
static cl_program prog;
static cl_mem mem;
static cl_int zeros[COUNT], code;

static void begin(void)
{
    tf_api_begin();
    prog = tf_api_program(source, NULL);
    mem = clCreateBufferWithProperties(tf_api.ctx, fixed, CL_MEM_COPY_HOST_PTR, BYTES,
                                       zeros, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
}

static void end(void)
{
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
    tf_api_end();
}

static cl_mem_device_address_ext address_of(cl_mem of)
{
    cl_mem_device_address_ext address = 0;
    size_t bytes = 0;

    ck_assert_int_eq(clGetMemObjectInfo(of, CL_MEM_DEVICE_ADDRESS_EXT, sizeof(address),
                                        &address, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(address)); // one for the one device
    ck_assert_uint_ne(address, 0);
    return address;
}

static void run(cl_kernel kernel, size_t global)
{
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &global, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}

START_TEST(function_is_found_by_name)
{
    ck_assert_ptr_nonnull(clGetExtensionFunctionAddressForPlatform(
        tf_api.platform, "clSetKernelArgDevicePointerEXT"));
}
END_TEST

START_TEST(kernels_see_the_queried_address)
{
    cl_kernel where = tf_api_kernel(prog, "where");
    cl_mem out = tf_api_buffer(0, sizeof(cl_ulong), NULL);
    cl_ulong seen = 0;

    tf_api_set_arg(where, 0, sizeof(mem), &mem);
    tf_api_set_arg(where, 1, sizeof(out), &out);
    run(where, 1);
    tf_api_read(out, 0, sizeof(seen), &seen);
    ck_assert_uint_eq(seen, address_of(mem));
    ck_assert_int_eq(clReleaseMemObject(out), CL_SUCCESS);
}
END_TEST

START_TEST(kernels_follow_addresses_in_memory)
{
    cl_kernel follow = tf_api_kernel(prog, "follow");
    cl_mem_device_address_ext address = address_of(mem);
    cl_mem place = tf_api_buffer(CL_MEM_COPY_HOST_PTR, sizeof(address), &address);
    const cl_int by = 6;
    cl_int seen[COUNT];

    tf_api_set_arg(follow, 0, sizeof(place), &place);
    tf_api_set_arg(follow, 1, sizeof(by), &by);
    ck_assert_int_eq(clSetKernelExecInfo(follow, CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT,
                                         sizeof(address), &address),
                     CL_SUCCESS);
    run(follow, COUNT);
    tf_api_read(mem, 0, BYTES, seen);
    for (int i = 0; i < COUNT; i++)
        ck_assert_int_eq(seen[i], 6);
    ck_assert_int_eq(clReleaseMemObject(place), CL_SUCCESS);
}
END_TEST

static cl_kernel add_kernel(void)
{
    cl_kernel add = tf_api_kernel(prog, "add");
    const cl_int by = 4;
    cl_mem none = NULL;

    tf_api_set_arg(add, 1, 16, NULL);
    tf_api_set_arg(add, 2, sizeof(none), &none);
    tf_api_set_arg(add, 3, sizeof(by), &by);
    return add;
}

START_TEST(address_is_an_argument)
{
    cl_kernel add = add_kernel();
    cl_int seen[COUNT];

    ck_assert_int_eq(
        clSetKernelArgDevicePointerEXT(add, 0, address_of(mem) + 8 * sizeof(cl_int)),
        CL_SUCCESS);
    run(add, 8);
    tf_api_read(mem, 0, BYTES, seen);
    for (int i = 0; i < COUNT; i++)
        ck_assert_int_eq(seen[i], i >= 8 && i < 16 ? 4 : 0);
}
END_TEST

START_TEST(arguments_are_checked)
{
    cl_kernel add = add_kernel();

    ck_assert_rejects(CL_INVALID_KERNEL, clSetKernelArgDevicePointerEXT(bad, 0, 0),
                      tf_api.q);
    for (cl_uint i = 1; i < 5; i++) // local, constant, a value, none
        ck_assert_int_eq(clSetKernelArgDevicePointerEXT(add, i, 0), CL_INVALID_ARG_INDEX);
    ck_assert_int_eq(clSetKernelArgDevicePointerEXT(add, 0, 12345), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(add), CL_SUCCESS);
}
END_TEST

START_TEST(properties_are_checked)
{
    const cl_mem_properties neither[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, 2, 0};
    const cl_mem_properties twice[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE,
                                       CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_TRUE, 0};
    cl_mem_properties seen[3] = {0};

    ck_assert_ptr_null(
        clCreateBufferWithProperties(tf_api.ctx, neither, 0, 64, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_PROPERTY);
    ck_assert_ptr_null(
        clCreateBufferWithProperties(tf_api.ctx, twice, 0, 64, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_PROPERTY);
    ck_assert_int_eq(clGetMemObjectInfo(mem, CL_MEM_PROPERTIES, sizeof(seen), seen, NULL),
                     CL_SUCCESS);
    ck_assert_mem_eq(seen, fixed, sizeof(fixed));
}
END_TEST

START_TEST(only_buffers_made_for_it_tell_their_address)
{
    const cl_mem_properties no[] = {CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT, CL_FALSE, 0};
    cl_mem plain = tf_api_buffer(0, 64, NULL), refused;
    cl_mem_device_address_ext address;

    refused = clCreateBufferWithProperties(tf_api.ctx, no, 0, 64, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clGetMemObjectInfo(plain, CL_MEM_DEVICE_ADDRESS_EXT, sizeof(address),
                                        &address, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clGetMemObjectInfo(refused, CL_MEM_DEVICE_ADDRESS_EXT,
                                        sizeof(address), &address, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(
        clGetMemObjectInfo(mem, CL_MEM_DEVICE_ADDRESS_EXT, 4, &address, NULL),
        CL_INVALID_VALUE);
    ck_assert_int_eq(clReleaseMemObject(plain), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(refused), CL_SUCCESS);
}
END_TEST

START_TEST(sub_buffers_lie_in_their_parent)
{
    const cl_buffer_region region = {.origin = 128, .size = 64};
    cl_mem part = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &region, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(address_of(part), address_of(mem) + 128);
    ck_assert_int_eq(clReleaseMemObject(part), CL_SUCCESS);
}
END_TEST

START_TEST(buffer_on_svm_has_its_address)
{
    void *ptr = clSVMAlloc(tf_api.ctx, 0, 256, 0);
    cl_mem on_svm = clCreateBufferWithProperties(tf_api.ctx, fixed, CL_MEM_USE_HOST_PTR,
                                                 256, ptr, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(address_of(on_svm), (uintptr_t)ptr);
    ck_assert_int_eq(clReleaseMemObject(on_svm), CL_SUCCESS);
    clSVMFree(tf_api.ctx, ptr);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device_address");
    TCase *tc = tcase_create("device_address");

    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, function_is_found_by_name);
    tcase_add_test(tc, kernels_see_the_queried_address);
    tcase_add_test(tc, kernels_follow_addresses_in_memory);
    tcase_add_test(tc, address_is_an_argument);
    tcase_add_test(tc, arguments_are_checked);
    tcase_add_test(tc, properties_are_checked);
    tcase_add_test(tc, only_buffers_made_for_it_tell_their_address);
    tcase_add_test(tc, sub_buffers_lie_in_their_parent);
    tcase_add_test(tc, buffer_on_svm_has_its_address);
    suite_add_tcase(suite, tc);
    return tf_run_suite(suite);
}
