// SPDX-License-Identifier: MIT
// Copies and fills of the CPU device against a loop over bytes, at every level of
// instructions that this processor has, streamed and not; and plans of copy commands,
// done in pieces.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "abi/long16.h"
#include "core/object/error.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/move/cpu_bytes.h"
#include "devices/cpu/move/cpu_copy.h"
#include "devices/cpu/move/cpu_mem.h"
#include "support/suite.h"

enum { ROOM = 8192, SMALL_CACHE = 1 << 20 };

static _Alignas(64) uint8_t from[ROOM], to[ROOM], want[ROOM];

static unsigned highest_level(void)
{
    struct tf_arch_facts facts;

    tf_arch_probe(&facts);
    return facts.level;
}

static void scramble(void)
{
    for (size_t i = 0; i < ROOM; i++) {
        from[i] = (uint8_t)(i * 7 + i / 251);
        want[i] = to[i] = (uint8_t)(i * 3 + 1);
    }
}

static void copy_and_compare(size_t dst, size_t src, size_t bytes, bool stream)
{
    scramble();
    memcpy(want + dst, from + src, bytes);
    tf_bytes_copy(to + dst, from + src, bytes, stream);
    tf_bytes_stream_end();
    ck_assert_mem_eq(to, want, ROOM);
}

START_TEST(copies_move_exactly_their_bytes)
{
    for (unsigned level = 0; level <= highest_level(); level++) {
        tf_bytes_init(SMALL_CACHE, level);
        for (size_t dst = 0; dst < 70; dst += 3) {
            for (size_t bytes = 0; bytes < 700; bytes += 37)
                copy_and_compare(dst, (dst * 5) % 67, bytes, _i);
            copy_and_compare(dst, 0, 4096 + dst, _i);
        }
    }
}
END_TEST

START_TEST(overlapping_copies_are_as_by_memmove)
{
    static const int distances[] = {-600, -64, -1, 1, 63, 500};

    for (size_t i = 0; i < sizeof(distances) / sizeof(*distances); i++) {
        scramble();
        memmove(want + 1024 + distances[i], want + 1024, 2048);
        tf_bytes_copy(to + 1024 + distances[i], to + 1024, 2048, _i);
        tf_bytes_stream_end();
        ck_assert_mem_eq(to, want, ROOM);
    }
}
END_TEST

static void fill_and_compare(size_t dst, size_t bytes, bool stream)
{
    scramble();
    for (size_t i = 0; i < bytes; i++)
        want[dst + i] = from[i % TF_LONG16_BYTES];
    tf_bytes_fill(to + dst, from, bytes, stream);
    tf_bytes_stream_end();
    ck_assert_mem_eq(to, want, ROOM);
}

START_TEST(fills_repeat_their_block)
{
    for (unsigned level = 0; level <= highest_level(); level++) {
        tf_bytes_init(SMALL_CACHE, level);
        for (size_t dst = 0; dst < 70; dst++) {
            for (size_t bytes = 0; bytes < 700; bytes += 29)
                fill_and_compare(dst, bytes, _i);
            fill_and_compare(dst, 5000, _i);
        }
    }
}
END_TEST

START_TEST(only_what_the_caches_cannot_hold_is_streamed)
{
    tf_bytes_init(SMALL_CACHE, 0);
    ck_assert(!tf_bytes_should_stream(SMALL_CACHE / 2 - 1));
    ck_assert(tf_bytes_should_stream(SMALL_CACHE / 2));
    tf_bytes_init(0, 0); // an unknown cache is a usual one
    ck_assert(!tf_bytes_should_stream(1 << 20));
    ck_assert(tf_bytes_should_stream(1 << 30));
}
END_TEST

// ---- Plans ----

static struct tf_devmem *memory_at(void *host, size_t bytes)
{
    const struct tf_mem_desc desc = {
        .flags = CL_MEM_USE_HOST_PTR, .size_bytes = bytes, .host_ptr = host};
    struct tf_devmem *mem = NULL;
    struct tf_err err = {0};

    ck_assert_int_eq(tf_cpu_mem_alloc(&err, NULL, &desc, &mem), CL_SUCCESS);
    return mem;
}

// Does the pieces of a plan from the last to the first, one or three at a time.
static void move_backwards(const struct tf_copy_plan *plan, uint64_t step)
{
    for (uint64_t end = plan->piece_count; end > 0;) {
        const uint64_t count = end < step ? end : step;

        end -= count;
        tf_cpu_copy_pieces(plan, end, count);
    }
}

// A large copy, at offsets that suit nothing, in pieces of `_i`.
START_TEST(pieces_of_a_copy_make_the_whole)
{
    enum { BYTES = (3 << 20) + 77 };
    uint8_t *src = malloc(BYTES + 100);
    uint8_t *dst = calloc(1, BYTES + 100);
    struct tf_devmem *mem = memory_at(dst, BYTES + 100);
    const struct tf_command cmd = {
        .kind = TF_CMD_WRITE, .size_bytes = BYTES, .dst = {mem, 13}, .host_src = src + 5};
    struct tf_copy_plan plan;

    tf_bytes_init(SMALL_CACHE, highest_level());
    for (size_t i = 0; i < BYTES + 100; i++)
        src[i] = (uint8_t)(i * 31 + i / 257);
    ck_assert_int_eq(tf_cpu_copy_plan(&plan, &cmd), CL_COMPLETE);
    ck_assert_uint_gt(plan.piece_count, 3);
    ck_assert(plan.stream);
    move_backwards(&plan, (uint64_t)_i);
    ck_assert_mem_eq(dst + 13, src + 5, BYTES);
    ck_assert_uint_eq(dst[12], 0);
    ck_assert_uint_eq(dst[13 + BYTES], 0);
    tf_cpu_mem_free(NULL, mem);
    free(src);
    free(dst);
}
END_TEST

START_TEST(pieces_of_a_fill_keep_its_phase)
{
    enum { BYTES = (2 << 20) + 48 };
    uint8_t *dst = calloc(1, BYTES + 100);
    struct tf_devmem *mem = memory_at(dst, BYTES + 100);
    struct tf_command cmd = {.kind = TF_CMD_FILL,
                             .size_bytes = BYTES,
                             .dst = {mem, 16},
                             .pattern = "sixteen bytes..",
                             .pattern_bytes = 16};
    struct tf_copy_plan plan;

    tf_bytes_init(SMALL_CACHE, highest_level());
    ck_assert_int_eq(tf_cpu_copy_plan(&plan, &cmd), CL_COMPLETE);
    ck_assert_uint_gt(plan.piece_count, 3);
    move_backwards(&plan, (uint64_t)_i);
    for (size_t i = 0; i < BYTES; i += 16)
        ck_assert_mem_eq(dst + 16 + i, cmd.pattern, 16);
    ck_assert_uint_eq(dst[15], 0);
    ck_assert_uint_eq(dst[16 + BYTES], 0);
    tf_cpu_mem_free(NULL, mem);
    free(dst);
}
END_TEST

// Boxes of every shape against a loop over bytes: rows that join, rows that do not, rows
// longer than a piece.
static void move_box(const size_t region[3], size_t row_gap, size_t slice_gap,
                     uint64_t step)
{
    const size_t row = region[0] + row_gap, slice = row * (region[1] + slice_gap);
    const size_t bytes = slice * region[2] + 64;
    uint8_t *src = malloc(bytes), *dst = calloc(1, bytes), *expected = calloc(1, bytes);
    struct tf_devmem *mem = memory_at(dst, bytes);
    struct tf_command cmd = {.kind = TF_CMD_WRITE_RECT,
                             .dst = {mem, 0},
                             .host_src = src,
                             .src_rect = {{3, 0, 0}, row, slice},
                             .dst_rect = {{7, 0, 0}, row, slice}};
    struct tf_copy_plan plan;

    memcpy(cmd.region, region, sizeof(cmd.region));
    for (size_t i = 0; i < bytes; i++)
        src[i] = (uint8_t)(i * 13 + i / 255 + 1);
    for (size_t z = 0; z < region[2]; z++)
        for (size_t y = 0; y < region[1]; y++)
            memcpy(expected + 7 + z * slice + y * row, src + 3 + z * slice + y * row,
                   region[0]);
    ck_assert_int_eq(tf_cpu_copy_plan(&plan, &cmd), CL_COMPLETE);
    move_backwards(&plan, step);
    ck_assert_mem_eq(dst, expected, bytes);
    tf_cpu_mem_free(NULL, mem);
    free(src);
    free(dst);
    free(expected);
}

START_TEST(pieces_of_boxes_make_the_whole)
{
    const uint64_t step = (uint64_t)_i;

    tf_bytes_init(SMALL_CACHE, highest_level());
    move_box((size_t[]){100, 7, 5}, 0, 0, step);
    move_box((size_t[]){100, 7, 5}, 28, 0, step);
    move_box((size_t[]){100, 7, 5}, 0, 3, step);
    move_box((size_t[]){1, 300, 2}, 1, 1, step);
    move_box((size_t[]){4096, 1, 200}, 0, 0, step);
    move_box((size_t[]){2048, 300, 2}, 2048, 0, step);
    move_box((size_t[]){600000, 3, 1}, 9, 0, step);
}
END_TEST

START_TEST(copy_within_itself_stays_whole)
{
    enum { BYTES = 2 << 20 };
    uint8_t *storage = malloc(BYTES + 100), *expected = malloc(BYTES + 100);
    const struct tf_command cmd = {.kind = TF_CMD_SVM_COPY,
                                   .size_bytes = BYTES,
                                   .host = storage + 100,
                                   .host_src = storage};
    struct tf_copy_plan plan;

    tf_bytes_init(SMALL_CACHE, highest_level());
    for (size_t i = 0; i < BYTES + 100; i++)
        expected[i] = storage[i] = (uint8_t)(i * 11 + i / 253);
    memmove(expected + 100, expected, BYTES);
    ck_assert_int_eq(tf_cpu_copy_plan(&plan, &cmd), CL_COMPLETE);
    ck_assert_uint_eq(plan.piece_count, 1);
    tf_cpu_copy_pieces(&plan, 0, 1);
    ck_assert_mem_eq(storage, expected, BYTES + 100);
    free(storage);
    free(expected);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_bytes");
    TCase *tcase = tcase_create("bytes");

    tcase_set_timeout(tcase, 120);
    tcase_add_loop_test(tcase, copies_move_exactly_their_bytes, 0, 2);
    tcase_add_loop_test(tcase, overlapping_copies_are_as_by_memmove, 0, 2);
    tcase_add_loop_test(tcase, fills_repeat_their_block, 0, 2);
    tcase_add_test(tcase, only_what_the_caches_cannot_hold_is_streamed);
    tcase_add_loop_test(tcase, pieces_of_a_copy_make_the_whole, 1, 4);
    tcase_add_loop_test(tcase, pieces_of_a_fill_keep_its_phase, 1, 4);
    tcase_add_loop_test(tcase, pieces_of_boxes_make_the_whole, 1, 4);
    tcase_add_test(tcase, copy_within_itself_stays_whole);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
