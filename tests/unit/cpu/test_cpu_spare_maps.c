// SPDX-License-Identifier: MIT
// Mappings that are kept for the next buffer of their length.
#include <check.h>
#include <pthread.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "core/object/error.h"
#include "devices/cpu/move/cpu_mem.h"
#include "devices/cpu/move/cpu_spare_maps.h"
#include "support/suite.h"

#define STEP TF_SPARE_MAP_STEP_BYTES

static char *map(size_t bytes)
{
    void *block =
        mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

    ck_assert_ptr_ne(block, MAP_FAILED);
    return block;
}

// Whether the system has pages mapped there.
static bool is_mapped(void *block)
{
    return msync(block, STEP, MS_ASYNC) == 0;
}

START_TEST(what_was_given_is_taken_once_and_zeros)
{
    char *block = map(3 * STEP);

    memset(block, 7, 3 * STEP);
    tf_spare_map_give(block, 3 * STEP, true);
    ck_assert_ptr_null(tf_spare_map_take(2 * STEP));
    ck_assert_ptr_null(tf_spare_map_take(4 * STEP));
    ck_assert_ptr_eq(tf_spare_map_take(3 * STEP), block);
    ck_assert_ptr_null(tf_spare_map_take(3 * STEP));
    for (size_t i = 0; i < 3 * STEP; i++)
        ck_assert_int_eq(block[i], 0);
    munmap(block, 3 * STEP);
}
END_TEST

START_TEST(so_many_are_kept_and_dropped_on_demand)
{
    enum { COUNT = 9 };
    char *blocks[COUNT];
    unsigned kept = 0;

    for (size_t i = 0; i < COUNT; i++)
        blocks[i] = map((i + 1) * STEP);
    for (size_t i = 0; i < COUNT; i++)
        tf_spare_map_give(blocks[i], (i + 1) * STEP, false);
    for (size_t i = 0; i < COUNT; i++)
        kept += is_mapped(blocks[i]);
    ck_assert_uint_eq(kept, 4);
    ck_assert(is_mapped(blocks[COUNT - 1])); // the newest stays
    ck_assert(tf_spare_maps_drop());
    for (size_t i = 0; i < COUNT; i++)
        ck_assert(!is_mapped(blocks[i]));
    ck_assert(!tf_spare_maps_drop());
}
END_TEST

START_TEST(odd_and_huge_lengths_are_not_kept)
{
    const size_t odd = STEP + 4096, huge = ((size_t)256 << 20) + STEP;
    char *first = map(odd), *second = map(huge);

    tf_spare_map_give(first, odd, false);
    tf_spare_map_give(second, huge, false);
    ck_assert(!is_mapped(second));
    ck_assert(!tf_spare_maps_drop());
}
END_TEST

START_TEST(locked_pages_are_not_kept)
{
    char *block = map(STEP);

    // Not mlock(), of which the address sanitizer makes nothing.
    if (syscall(SYS_mlock, block, 4096) != 0)
        return; // the system locks nothing: there is nothing to see
    tf_spare_map_give(block, STEP, true);
    ck_assert_ptr_null(tf_spare_map_take(STEP));
}
END_TEST

// What a buffer held is never seen by the next one.
START_TEST(a_buffer_begins_with_zeros)
{
    const struct tf_device_info info = {.global_memory_bytes = (uint64_t)1 << 30};
    const struct tf_mem_desc desc = {.size_bytes = 5 * STEP, .align_bytes = 128};
    struct tf_device dev = {.info = &info};
    void *before = NULL;

    for (int i = 0; i < 3; i++) {
        struct tf_err err = {0};
        struct tf_devmem *mem;
        unsigned char *data;

        ck_assert_int_eq(tf_cpu_mem_alloc(&err, &dev, &desc, &mem), CL_SUCCESS);
        data = i == 1 ? tf_cpu_mem_range(mem, 0, 5 * STEP) : tf_cpu_mem_data(mem);
        ck_assert(i == 0 || data == before); // it is the same one
        for (size_t at = 0; at < 5 * STEP; at += 64)
            ck_assert_uint_eq(data[at], 0);
        memset(data, 1, 5 * STEP);
        before = data;
        tf_cpu_mem_free(&dev, mem);
    }
    ck_assert(tf_spare_maps_drop());
}
END_TEST

static void *take_and_give(void *unused)
{
    (void)unused;
    for (int i = 0; i < 3000; i++) {
        const size_t bytes = (size_t)(i % 3 + 1) * STEP;
        char *block = tf_spare_map_take(bytes);

        if (!block)
            block = map(bytes);
        ck_assert_int_eq(block[bytes - 1], 0);
        block[bytes - 1] = 1; // another owner would find it
        tf_spare_map_give(block, bytes, true);
    }
    return NULL;
}

START_TEST(threads_share_no_mapping)
{
    enum { THREADS = 6 };
    pthread_t threads[THREADS];

    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, take_and_give, NULL), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    tf_spare_maps_drop();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_spare_maps");
    TCase *all = tcase_create("cpu_spare_maps");

    tcase_add_test(all, what_was_given_is_taken_once_and_zeros);
    tcase_add_test(all, so_many_are_kept_and_dropped_on_demand);
    tcase_add_test(all, odd_and_huge_lengths_are_not_kept);
    tcase_add_test(all, locked_pages_are_not_kept);
    tcase_add_test(all, a_buffer_begins_with_zeros);
    tcase_add_test(all, threads_share_no_mapping);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
