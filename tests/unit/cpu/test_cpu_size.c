// SPDX-License-Identifier: MIT
// Work-group sizes, and what the copies of the CPU device refuse.
#include <check.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "core/platform/device_caps.h"
#include "devices/cpu/move/cpu_copy.h"
#include "devices/cpu/move/cpu_mem.h"
#include "devices/cpu/run/cpu_size.h"
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

static struct tf_devmem *new_mem(size_t bytes)
{
    const struct tf_mem_desc desc = {.size_bytes = bytes, .align_bytes = 128};
    struct tf_devmem *mem;
    struct tf_err err = {0};

    ck_assert_int_eq(tf_cpu_mem_alloc(&err, &dev, &desc, &mem), CL_SUCCESS);
    return mem;
}

START_TEST(memory_refuses_what_cannot_be)
{
    const struct tf_mem_desc bad[] = {
        {.size_bytes = SIZE_MAX, .align_bytes = 128},
        {.size_bytes = SIZE_MAX - 100, .align_bytes = 128},
        {.size_bytes = 100, .align_bytes = 192},
        {.size_bytes = 100, .align_bytes = (size_t)1 << 40},
    };
    struct tf_devmem *mem = NULL;

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        struct tf_err err = {0};

        ck_assert_int_eq(tf_cpu_mem_alloc(&err, &dev, &bad[i], &mem),
                         CL_MEM_OBJECT_ALLOCATION_FAILURE);
        ck_assert_ptr_null(mem);
    }
    tf_cpu_mem_free(&dev, NULL);
    ck_assert_ptr_null(tf_cpu_mem_data(NULL));
    ck_assert_ptr_null(tf_cpu_mem_range(NULL, 0, 0));
}
END_TEST

static cl_int try_alloc(size_t bytes, struct tf_devmem **mem)
{
    const struct tf_mem_desc desc = {.size_bytes = bytes, .align_bytes = 128};
    struct tf_err err = {0};

    return tf_cpu_mem_alloc(&err, &dev, &desc, mem);
}

// The device says 1 MiB: no more is handed out at a time, however much there is.
START_TEST(memory_beyond_the_limit_is_refused)
{
    struct tf_devmem *first, *second;

    ck_assert_int_eq(try_alloc((1 << 20) + 1, &first), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    ck_assert_int_eq(try_alloc(700 << 10, &first), CL_SUCCESS);
    ck_assert_int_eq(try_alloc(700 << 10, &second), CL_MEM_OBJECT_ALLOCATION_FAILURE);
    ck_assert_ptr_null(second);
    ck_assert_int_eq(try_alloc(324 << 10, &second), CL_SUCCESS);
    tf_cpu_mem_free(&dev, first);
    ck_assert_int_eq(try_alloc(700 << 10, &first), CL_SUCCESS);
    tf_cpu_mem_free(&dev, first);
    tf_cpu_mem_free(&dev, second);
}
END_TEST

START_TEST(refused_memory_does_not_count)
{
    struct tf_devmem *mem;

    for (long n = 0; n < 2; n++) {
        tf_alloc_fail_at(n);
        ck_assert_int_ne(try_alloc(1 << 20, &mem), CL_SUCCESS);
        ck_assert_ptr_null(mem);
    }
    tf_alloc_fail_at(-1);
    ck_assert_int_eq(try_alloc(1 << 20, &mem), CL_SUCCESS);
    tf_cpu_mem_free(&dev, mem);
}
END_TEST

START_TEST(memory_of_the_host_does_not_count)
{
    static char storage[2 << 20];
    const struct tf_mem_desc desc = {
        .flags = CL_MEM_USE_HOST_PTR, .size_bytes = sizeof(storage), .host_ptr = storage};
    struct tf_err err = {0};
    struct tf_devmem *mem, *own;

    ck_assert_int_eq(tf_cpu_mem_alloc(&err, &dev, &desc, &mem), CL_SUCCESS);
    ck_assert_int_eq(try_alloc(1 << 20, &own), CL_SUCCESS);
    tf_cpu_mem_free(&dev, own);
    tf_cpu_mem_free(&dev, mem);
}
END_TEST

START_TEST(whole_pages_are_aligned_to_pages)
{
    struct tf_devmem *mem = new_mem(4096);

    ck_assert_uint_eq((uintptr_t)tf_cpu_mem_data(mem) % 4096, 0);
    tf_cpu_mem_free(&dev, mem);
}
END_TEST

START_TEST(ranges_outside_are_refused)
{
    struct tf_devmem *mem = new_mem(64);
    struct tf_err err = {0};
    void *host;

    ck_assert_ptr_nonnull(tf_cpu_mem_range(mem, 64, 0));
    ck_assert_ptr_null(tf_cpu_mem_range(mem, 65, 0));
    ck_assert_ptr_null(tf_cpu_mem_range(mem, 8, SIZE_MAX));
    ck_assert_int_eq(tf_cpu_mem_map(&err, &dev, mem, 60, 5, CL_MAP_READ, &host),
                     CL_INVALID_VALUE);
    tf_cpu_mem_free(&dev, mem);
}
END_TEST

static void refused(struct tf_command cmd)
{
    ck_assert_int_eq(tf_cpu_copy_run(&cmd), CL_INVALID_VALUE);
}

START_TEST(copies_outside_are_refused)
{
    struct tf_devmem *mem = new_mem(64);
    char host[64];

    refused((struct tf_command){
        .kind = TF_CMD_READ, .src = {mem, 60}, .size_bytes = 5, .host = host});
    refused((struct tf_command){.kind = TF_CMD_READ, .src = {mem, 0}, .size_bytes = 5});
    refused((struct tf_command){
        .kind = TF_CMD_WRITE, .dst = {mem, SIZE_MAX}, .size_bytes = 5, .host_src = host});
    refused((struct tf_command){
        .kind = TF_CMD_COPY, .src = {mem, 0}, .dst = {NULL, 0}, .size_bytes = 5});
    refused((struct tf_command){
        .kind = TF_CMD_FILL, .dst = {mem, 0}, .size_bytes = 10, .pattern_bytes = 4});
    refused((struct tf_command){.kind = TF_CMD_FILL, .dst = {mem, 0}, .size_bytes = 8});
    tf_cpu_mem_free(&dev, mem);
}
END_TEST

START_TEST(rectangles_that_wrap_are_refused)
{
    struct tf_devmem *mem = new_mem(64);
    char host[64];
    const struct tf_rect good = {{0, 0, 0}, 8, 64};
    const struct tf_rect bad[] = {
        {{0, 8, 0}, 8, 64},        {{SIZE_MAX, 0, 0}, 8, 64},
        {{0, SIZE_MAX, 0}, 8, 64}, {{0, 0, 2}, 8, SIZE_MAX / 2 + 1},
        {{0, 0, 0}, SIZE_MAX, 64},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
        refused((struct tf_command){.kind = TF_CMD_READ_RECT,
                                    .src = {mem, 0},
                                    .src_rect = bad[i],
                                    .host = host,
                                    .dst_rect = good,
                                    .region = {4, 3, 1}});
    refused((struct tf_command){.kind = TF_CMD_WRITE_RECT,
                                .dst = {mem, SIZE_MAX - 8},
                                .dst_rect = good,
                                .host_src = host,
                                .src_rect = good,
                                .region = {4, 3, 1}});
    tf_cpu_mem_free(&dev, mem);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_size");
    TCase *tcase = tcase_create("groups");

    tcase_add_test(tcase, large_ranges_get_large_groups);
    tcase_add_test(tcase, large_groups_of_planes_have_several_rows);
    tcase_add_test(tcase, small_ranges_leave_groups_for_every_worker);
    tcase_add_test(tcase, uniform_groups_divide);
    tcase_add_test(tcase, uniform_groups_may_be_larger_than_wanted);
    tcase_add_test(tcase, primes_get_ragged_groups_where_that_is_allowed);
    tcase_add_test(tcase, groups_are_smaller_where_private_memory_is_large);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("memory");
    tcase_add_test(tcase, memory_refuses_what_cannot_be);
    tcase_add_test(tcase, memory_beyond_the_limit_is_refused);
    tcase_add_test(tcase, refused_memory_does_not_count);
    tcase_add_test(tcase, memory_of_the_host_does_not_count);
    tcase_add_test(tcase, whole_pages_are_aligned_to_pages);
    tcase_add_test(tcase, ranges_outside_are_refused);
    tcase_add_test(tcase, copies_outside_are_refused);
    tcase_add_test(tcase, rectangles_that_wrap_are_refused);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
