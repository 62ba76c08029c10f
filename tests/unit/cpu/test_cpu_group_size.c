// SPDX-License-Identifier: MIT
// Work-group sizes of the CPU device.
#include <check.h>
#include <stdint.h>

#include "core/platform/device_caps.h"
#include "devices/cpu/run/cpu_group_size.h"
#include "support/suite.h"

static const struct tf_device_info info = {.compute_units = 8,
                                           .global_memory_bytes = 1 << 20};
static const struct tf_device_caps caps = {.max_group_size = 4096,
                                           .max_item_sizes = {4096, 4096, 4096}};
static struct tf_device dev = {.info = &info, .caps = &caps};

static size_t largest(const struct tf_kernel_info *kernel)
{
    return tf_cpu_group_size(&dev, kernel, 0, NULL, NULL);
}

static size_t pick(uint32_t flags, size_t x, size_t y, size_t z, size_t out[3])
{
    const struct tf_kernel_info kernel = {.flags = flags};
    const size_t global[3] = {x, y, z};

    tf_cpu_group_size(&dev, &kernel, 3, global, out);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_ge(out[i], 1);
    return out[0] * out[1] * out[2];
}

START_TEST(large_ranges_get_large_groups)
{
    size_t out[3];

    ck_assert_uint_eq(pick(0, 1 << 20, 1, 1, out), 256);
    ck_assert_uint_eq(out[0], 256);
    ck_assert_uint_eq(pick(TF_KERNEL_HAS_BARRIER, 1 << 20, 1, 1, out), 256);
}
END_TEST

START_TEST(large_groups_of_planes_have_several_rows)
{
    size_t out[3];

    ck_assert_uint_eq(pick(0, 1024, 1024, 1, out), 256);
    ck_assert_uint_eq(out[0], 64);
    ck_assert_uint_eq(out[1], 4);
    pick(0, 1 << 20, 3, 1, out); // not enough of them
    ck_assert_uint_eq(out[0], 256);
}
END_TEST

START_TEST(small_ranges_leave_groups_for_every_worker)
{
    size_t out[3];

    pick(0, 1024, 1, 1, out);
    ck_assert_uint_ge(1024 / out[0], 8);
    ck_assert_uint_eq(pick(0, 1, 1, 1, out), 1);
    ck_assert_uint_eq(pick(0, 0, 5, 5, out), 1);
}
END_TEST

START_TEST(uniform_groups_divide)
{
    size_t out[3];

    pick(TF_KERNEL_UNIFORM_GROUPS, 1000003, 12, 1, out); // a prime
    ck_assert_uint_eq(out[0], 1);
    ck_assert_uint_eq(12 % out[1], 0);
    ck_assert_uint_gt(out[1], 1);
    pick(TF_KERNEL_UNIFORM_GROUPS, 1920, 1080, 1, out);
    ck_assert_uint_eq(1920 % out[0], 0);
    ck_assert_uint_eq(1080 % out[1], 0);
    ck_assert_uint_ge(out[0] * out[1], 128);
}
END_TEST

// 509 and 1009 are all that divides it: not 1, but more items than wanted otherwise.
START_TEST(uniform_groups_may_be_larger_than_wanted)
{
    size_t out[3];

    ck_assert_uint_eq(pick(TF_KERNEL_UNIFORM_GROUPS, 509 * 1009, 1, 1, out), 509);
    ck_assert_uint_eq(
        pick(TF_KERNEL_UNIFORM_GROUPS | TF_KERNEL_HAS_BARRIER, 509 * 1009, 1, 1, out),
        509);
    // Two primes leave the items to the third dimension.
    pick(TF_KERNEL_UNIFORM_GROUPS, 1000003, 4099, 64, out);
    ck_assert_uint_eq(out[0] * out[1], 1);
    ck_assert_uint_eq(out[2], 64);
}
END_TEST

START_TEST(primes_get_ragged_groups_where_that_is_allowed)
{
    size_t out[3];

    pick(0, 1000003, 1, 1, out);
    ck_assert_uint_eq(out[0], 256);
}
END_TEST

// Whatever form the kernel gets later: its private memory counts, stacks do not.
START_TEST(groups_are_smaller_where_private_memory_is_large)
{
    struct tf_kernel_info kernel = {.flags = TF_KERNEL_HAS_BARRIER};

    ck_assert_uint_eq(largest(&kernel), 4096);
    kernel.private_bytes = 64 << 10;
    ck_assert_uint_eq(largest(&kernel), 4096);
    kernel.private_bytes = 1 << 20;
    ck_assert_uint_eq(largest(&kernel), 256);
    kernel.private_bytes = UINT64_MAX;
    ck_assert_uint_eq(largest(&kernel), 1);
    kernel.flags = 0;
    ck_assert_uint_eq(largest(&kernel), 4096);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_group_size");
    TCase *tcase = tcase_create("groups");

    tcase_add_test(tcase, large_ranges_get_large_groups);
    tcase_add_test(tcase, large_groups_of_planes_have_several_rows);
    tcase_add_test(tcase, small_ranges_leave_groups_for_every_worker);
    tcase_add_test(tcase, uniform_groups_divide);
    tcase_add_test(tcase, uniform_groups_may_be_larger_than_wanted);
    tcase_add_test(tcase, primes_get_ragged_groups_where_that_is_allowed);
    tcase_add_test(tcase, groups_are_smaller_where_private_memory_is_large);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
