// SPDX-License-Identifier: MIT
// What the device and its kernels say of sub-groups.
#include <CL/cl_trefoil.h>

#include "api/program_rig.h"
#include "support/suite.h"

static const char text[] =
    "kernel void plain(global int *out) { out[get_global_id(0)] = get_sub_group_id(); }\n"
    "__attribute__((intel_reqd_sub_group_size(32)))\n"
    "kernel void demands(global int *out) { out[get_global_id(0)] = 1; }\n";

static size_t ask(cl_kernel kernel, cl_kernel_sub_group_info param, const size_t *input,
                  size_t input_bytes)
{
    size_t out = 77, again = 78, bytes = 0;

    ck_assert_int_eq(clGetKernelSubGroupInfo(kernel, tf_api.device, param, input_bytes,
                                             input, sizeof(out), &out, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(out));
    ck_assert_int_eq(clGetKernelSubGroupInfoKHR(kernel, tf_api.device, param, input_bytes,
                                                input, sizeof(again), &again, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(again, out);
    return out;
}

START_TEST(device_lists_sizes)
{
    size_t sizes[8], bytes = 0, group_max = 0;
    cl_uint count = 0;
    cl_bool progress = 7;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, CL_DEVICE_SUB_GROUP_SIZES_INTEL,
                                     sizeof(sizes), sizes, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, 5 * sizeof(size_t));
    for (size_t i = 0; i < 5; i++)
        ck_assert_uint_eq(sizes[i], (size_t)4 << i);
    clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_WORK_GROUP_SIZE, sizeof(group_max),
                    &group_max, NULL);
    clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_NUM_SUB_GROUPS, sizeof(count), &count,
                    NULL);
    ck_assert_uint_eq(count, group_max / sizes[0]);
    clGetDeviceInfo(tf_api.device, CL_DEVICE_SUB_GROUP_INDEPENDENT_FORWARD_PROGRESS,
                    sizeof(progress), &progress, NULL);
    ck_assert_uint_eq(progress, CL_TRUE);
    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_NAMED_BARRIER_COUNT_KHR,
                                     sizeof(count), &count, NULL),
                     CL_SUCCESS);
    ck_assert_uint_ge(count, 8);
}
END_TEST

START_TEST(kernels_have_sizes)
{
    const size_t local[2] = {20, 4};
    cl_program prog = tf_api_program(text, "-cl-std=CL3.0");
    cl_kernel plain = tf_api_kernel(prog, "plain"),
              other = tf_api_kernel(prog, "demands");

    ck_assert_uint_eq(ask(plain, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local, 16),
                      16);
    ck_assert_uint_eq(ask(plain, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local, 16), 5);
    ck_assert_uint_eq(ask(plain, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NULL, 0), 0);
    ck_assert_uint_eq(ask(other, CL_KERNEL_MAX_SUB_GROUP_SIZE_FOR_NDRANGE, local, 16),
                      32);
    ck_assert_uint_eq(ask(other, CL_KERNEL_SUB_GROUP_COUNT_FOR_NDRANGE, local, 16), 3);
    ck_assert_uint_eq(ask(other, CL_KERNEL_COMPILE_SUB_GROUP_SIZE_INTEL, NULL, 0), 32);
    ck_assert_int_eq(clReleaseKernel(plain), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(other), CL_SUCCESS);
    drop(prog);
}
END_TEST

// cl_intel_required_subgroup_size adds it to the work-group queries.
START_TEST(spilled_memory_has_a_size)
{
    cl_program prog = tf_api_program(text, "-cl-std=CL3.0");
    cl_kernel plain = tf_api_kernel(prog, "plain");
    cl_ulong spilled = 77, private_bytes = 77;
    size_t bytes = 0;

    ck_assert_int_eq(clGetKernelWorkGroupInfo(plain, tf_api.device,
                                              CL_KERNEL_SPILL_MEM_SIZE_INTEL,
                                              sizeof(spilled), &spilled, &bytes),
                     CL_SUCCESS);
    ck_assert_uint_eq(bytes, sizeof(spilled));
    clGetKernelWorkGroupInfo(plain, tf_api.device, CL_KERNEL_PRIVATE_MEM_SIZE,
                             sizeof(private_bytes), &private_bytes, NULL);
    ck_assert_uint_le(spilled, private_bytes);
    clReleaseKernel(plain);
    clReleaseProgram(prog);
}
END_TEST

START_TEST(handles_are_checked)
{
    cl_program prog = tf_api_program(text, "-cl-std=CL3.0");
    cl_kernel kernel = tf_api_kernel(prog, "plain");
    size_t count;

#define QUERY(kernel, device)                                                      \
    clGetKernelSubGroupInfo(kernel, device, CL_KERNEL_MAX_NUM_SUB_GROUPS, 0, NULL, \
                            sizeof(count), &count, NULL)
    ck_assert_int_eq(QUERY(kernel, tf_api.device), CL_SUCCESS);
    ck_assert_int_eq(QUERY(kernel, NULL), CL_SUCCESS);
    ck_assert_int_eq(QUERY(kernel, (cl_device_id)(void *)tf_api.q), CL_INVALID_DEVICE);
    ck_assert_rejects(CL_INVALID_KERNEL, QUERY(bad, tf_api.device), prog);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    drop(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sub_groups");
    TCase *tests = tcase_create("sub_groups");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, device_lists_sizes);
    tcase_add_test(tests, kernels_have_sizes);
    tcase_add_test(tests, spilled_memory_has_a_size);
    tcase_add_test(tests, handles_are_checked);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
