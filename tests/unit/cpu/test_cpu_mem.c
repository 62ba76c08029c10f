// SPDX-License-Identifier: MIT
// Memory of the CPU device, and what its copies refuse.
#include <check.h>
#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "devices/cpu/move/cpu_copy.h"
#include "devices/cpu/move/cpu_mem.h"
#include "support/suite.h"

static const struct tf_device_info info = {.global_memory_bytes = 1 << 20};
static struct tf_device dev = {.info = &info};

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
    Suite *suite = suite_create("cpu_mem");
    TCase *tcase = tcase_create("memory");

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
