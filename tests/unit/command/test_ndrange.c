// SPDX-License-Identifier: MIT
#include <stdint.h>

#include "core/command/ndrange.h"
#include "core/object/error.h"
#include "core/platform/device_caps.h"
#include "support/suite.h"

// A device that suggests what a test wants.
static size_t suggested[3];
static size_t largest_group;

static size_t group_size(struct tf_device *dev, const struct tf_kernel_info *kernel,
                         cl_uint work_dim, const size_t global_size[3], size_t local[3])
{
    (void)dev, (void)kernel, (void)global_size;
    for (cl_uint d = 0; local && d < 3; d++)
        local[d] = d < work_dim ? suggested[d] : 1;
    return largest_group;
}

static const struct tf_device_ops ops = {.group_size = group_size};
static struct tf_device_caps caps;
static struct tf_device device = {.ops = &ops, .caps = &caps};
static struct tf_kernel_info kernel;
static struct tf_ndrange range;

static void begin(void)
{
    suggested[0] = suggested[1] = suggested[2] = 1;
    largest_group = 256;
    caps = (struct tf_device_caps){.max_item_sizes = {128, 64, 32}};
    kernel = (struct tf_kernel_info){.name = "k"};
}

static cl_int resolve(cl_uint dims, const size_t *offset, const size_t *global,
                      const size_t *local)
{
    const struct tf_ndrange_desc desc = {dims, offset, global, local};
    struct tf_err err = {0};

    return tf_ndrange_resolve(&err, &device, &kernel, &desc, &range);
}

START_TEST(dimensions_are_one_to_three)
{
    const size_t global[4] = {1, 1, 1, 1};

    ck_assert_int_eq(resolve(0, NULL, global, NULL), CL_INVALID_WORK_DIMENSION);
    ck_assert_int_eq(resolve(4, NULL, global, NULL), CL_INVALID_WORK_DIMENSION);
    for (cl_uint d = 1; d <= 3; d++)
        ck_assert_int_eq(resolve(d, NULL, global, NULL), CL_SUCCESS);
}
END_TEST

START_TEST(unused_dimensions_are_one_item_at_zero)
{
    const size_t offset[3] = {7, 8, 9}, global[3] = {6, 5, 4}, local[3] = {3, 5, 4};

    ck_assert_int_eq(resolve(1, offset, global, local), CL_SUCCESS);
    ck_assert_uint_eq(range.global_offset[0], 7);
    ck_assert_uint_eq(range.global_size[0], 6);
    ck_assert_uint_eq(range.local_size[0], 3);
    for (int d = 1; d < 3; d++) {
        ck_assert_uint_eq(range.global_offset[d], 0);
        ck_assert_uint_eq(range.global_size[d], 1);
        ck_assert_uint_eq(range.local_size[d], 1);
    }
    ck_assert(!range.empty);
}
END_TEST

START_TEST(offset_plus_size_does_not_wrap)
{
    const size_t global[2] = {16, 16};

    ck_assert_int_eq(resolve(2, (size_t[]){0, SIZE_MAX - 15}, global, NULL),
                     CL_INVALID_GLOBAL_OFFSET);
    ck_assert_int_eq(resolve(2, (size_t[]){0, SIZE_MAX - 16}, global, NULL), CL_SUCCESS);
}
END_TEST

START_TEST(no_or_zero_global_size_is_empty)
{
    ck_assert_int_eq(resolve(2, NULL, NULL, NULL), CL_SUCCESS);
    ck_assert(range.empty);
    ck_assert_int_eq(resolve(2, NULL, (size_t[]){4, 0}, NULL), CL_SUCCESS);
    ck_assert(range.empty);
    ck_assert_int_eq(resolve(2, NULL, (size_t[]){4, 0}, (size_t[]){4, 1}), CL_SUCCESS);
    ck_assert(range.empty);
}
END_TEST

START_TEST(local_size_limits_hold)
{
    const size_t global[3] = {256, 256, 256};

    ck_assert_int_eq(resolve(2, NULL, global, (size_t[]){1, 0}),
                     CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(resolve(2, NULL, global, (size_t[]){1, 128}),
                     CL_INVALID_WORK_ITEM_SIZE);
    ck_assert_int_eq(resolve(2, NULL, global, (size_t[]){128, 2}), CL_SUCCESS);
    ck_assert_int_eq(resolve(2, NULL, global, (size_t[]){128, 4}),
                     CL_INVALID_WORK_GROUP_SIZE);
}
END_TEST

START_TEST(group_product_does_not_wrap)
{
    const size_t third = (size_t)1 << 22;
    const size_t local[3] = {third, third, third}; // product is 2^66

    for (int d = 0; d < 3; d++)
        caps.max_item_sizes[d] = third;
    largest_group = 1000;
    ck_assert_int_eq(resolve(3, NULL, local, local), CL_INVALID_WORK_GROUP_SIZE);
}
END_TEST

START_TEST(uniform_groups_must_divide)
{
    const size_t global = 100, local = 8;

    ck_assert_int_eq(resolve(1, NULL, &global, &local), CL_INVALID_WORK_GROUP_SIZE);
    caps.non_uniform_groups = true;
    ck_assert_int_eq(resolve(1, NULL, &global, &local), CL_SUCCESS);
    kernel.flags = TF_KERNEL_UNIFORM_GROUPS;
    ck_assert_int_eq(resolve(1, NULL, &global, &local), CL_INVALID_WORK_GROUP_SIZE);
}
END_TEST

START_TEST(required_size_must_match)
{
    const size_t global[2] = {64, 64};

    kernel.reqd_local_size[0] = 8;
    kernel.reqd_local_size[1] = 4;
    kernel.reqd_local_size[2] = 1;
    ck_assert_int_eq(resolve(2, NULL, global, (size_t[]){8, 4}), CL_SUCCESS);
    ck_assert_int_eq(resolve(2, NULL, global, (size_t[]){4, 8}),
                     CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(resolve(1, NULL, global, (size_t[]){8}), CL_INVALID_WORK_GROUP_SIZE);
}
END_TEST

START_TEST(required_size_is_taken_for_no_local_size)
{
    kernel.reqd_local_size[0] = 8;
    kernel.reqd_local_size[1] = 4;
    kernel.reqd_local_size[2] = 1;
    ck_assert_int_eq(resolve(2, NULL, (size_t[]){64, 64}, NULL), CL_SUCCESS);
    ck_assert_uint_eq(range.local_size[0], 8);
    ck_assert_uint_eq(range.local_size[1], 4);
    ck_assert_uint_eq(range.local_size[2], 1);
    ck_assert_int_eq(resolve(2, NULL, (size_t[]){64, 63}, NULL),
                     CL_INVALID_WORK_GROUP_SIZE);
    ck_assert_int_eq(resolve(1, NULL, (size_t[]){64}, NULL), CL_INVALID_WORK_GROUP_SIZE);
}
END_TEST

START_TEST(device_suggestion_is_taken)
{
    suggested[0] = 16;
    suggested[1] = 2;
    ck_assert_int_eq(resolve(2, NULL, (size_t[]){64, 6}, NULL), CL_SUCCESS);
    ck_assert_uint_eq(range.local_size[0], 16);
    ck_assert_uint_eq(range.local_size[1], 2);
}
END_TEST

START_TEST(group_count_does_not_wrap)
{
    const size_t half = (size_t)1 << 32, one[2] = {1, 1};

    ck_assert_int_eq(resolve(2, NULL, (size_t[]){half, half}, one), CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(resolve(2, NULL, (size_t[]){half, half / 2}, one), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("ndrange");
    TCase *rules = tcase_create("rules");

    tcase_add_checked_fixture(rules, begin, NULL);
    tcase_add_test(rules, dimensions_are_one_to_three);
    tcase_add_test(rules, unused_dimensions_are_one_item_at_zero);
    tcase_add_test(rules, offset_plus_size_does_not_wrap);
    tcase_add_test(rules, no_or_zero_global_size_is_empty);
    tcase_add_test(rules, local_size_limits_hold);
    tcase_add_test(rules, group_product_does_not_wrap);
    tcase_add_test(rules, uniform_groups_must_divide);
    tcase_add_test(rules, required_size_must_match);
    tcase_add_test(rules, required_size_is_taken_for_no_local_size);
    tcase_add_test(rules, device_suggestion_is_taken);
    tcase_add_test(rules, group_count_does_not_wrap);
    suite_add_tcase(suite, rules);
    return tf_run_suite(suite);
}
