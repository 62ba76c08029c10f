// SPDX-License-Identifier: MIT
#include "devices/cpu/facts/cpu_caps.h"

#include <stdlib.h>

#include <check.h>

#include "support/suite.h"

static const struct tf_device_info facts = {
    .name = "Facts",
    .isa = "avx2",
    .compute_units = 3,
    .global_memory_bytes = (uint64_t)8 << 30,
    .local_memory_bytes = 65536,
    .vector_bits = 256,
};

START_TEST(cpu_meets_what_opencl_demands)
{
    struct tf_device_caps caps;
    const char *fault;

    tf_cpu_caps_init(&caps, &facts, _i);
    fault = tf_device_caps_fault(&caps);
    ck_assert_msg(!fault, "not so: %s", fault);
}
END_TEST

START_TEST(capabilities_follow_the_facts)
{
    struct tf_device_info with_fma = facts;
    struct tf_device_caps caps;

    tf_cpu_caps_init(&caps, &facts, true);
    ck_assert_uint_eq(caps.type, CL_DEVICE_TYPE_CPU);
    ck_assert_uint_eq(caps.local_memory_bytes, 65536);
    ck_assert_uint_le(caps.max_alloc_bytes, facts.global_memory_bytes);
    ck_assert(!(caps.single_config & CL_FP_FMA));
    ck_assert(caps.compiler && caps.linker);
    with_fma.has_fma = true;
    tf_cpu_caps_init(&caps, &with_fma, false);
    ck_assert(caps.single_config & CL_FP_FMA);
    ck_assert(!caps.compiler && !caps.linker);
}
END_TEST

START_TEST(all_that_is_made_is_offered)
{
    struct tf_device_caps caps;

    tf_cpu_caps_init(&caps, &facts, true);
    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        ck_assert_int_eq(tf_device_caps_has(&caps, f),
                         tf_features[f].is_ours || tf_features[f].is_of_images);
}
END_TEST

// Not what OpenCL 3.1 demands, nor what other capabilities rest on.
START_TEST(extensions_can_be_hidden)
{
    struct tf_device_caps caps;

    setenv("TREFOIL_HIDE_EXTENSIONS",
           "cl_khr_kernel_clock_not,cl_khr_async_work_group_copy_fence,"
           "cl_khr_subgroup_rotate,cl_khr_fp16,__opencl_c_fp64",
           1);
    tf_cpu_caps_init(&caps, &facts, true);
    ck_assert(!tf_device_caps_has(&caps, TF_FEATURE_cl_khr_async_work_group_copy_fence));
    ck_assert(tf_device_caps_has(&caps, TF_FEATURE_cl_khr_kernel_clock));
    ck_assert(tf_device_caps_has(&caps, TF_FEATURE_cl_khr_subgroup_rotate));
    ck_assert(tf_device_caps_has(&caps, TF_FEATURE_cl_khr_fp16));
    ck_assert(tf_device_caps_has(&caps, TF_FEATURE_fp64));
    ck_assert_ptr_null(tf_device_caps_fault(&caps));
}
END_TEST

// What programs made for one processor take for granted of groups and sub-groups.
START_TEST(sizes_of_groups_can_be_set)
{
    struct tf_device_caps caps;

    setenv("TREFOIL_SUB_GROUP_SIZE", "32", 1);
    setenv("TREFOIL_MAX_WORK_GROUP_SIZE", "1024", 1);
    tf_cpu_caps_init(&caps, &facts, true);
    ck_assert_uint_eq(caps.sub_group_size, 32);
    ck_assert_uint_eq(caps.max_group_size, 1024);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_eq(caps.max_item_sizes[i], 1024);
    ck_assert_ptr_null(tf_device_caps_fault(&caps));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_caps");
    TCase *tcase = tcase_create("cpu_caps");

    tcase_add_loop_test(tcase, cpu_meets_what_opencl_demands, 0, 2);
    tcase_add_test(tcase, capabilities_follow_the_facts);
    tcase_add_test(tcase, all_that_is_made_is_offered);
    tcase_add_test(tcase, extensions_can_be_hidden);
    tcase_add_test(tcase, sizes_of_groups_can_be_set);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
