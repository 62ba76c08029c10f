// SPDX-License-Identifier: MIT
// Units of work: how their pieces are handed out.
#include "abi/launch_fit.h"
#include "devices/cpu/pool/cpu_unit.h"

#include <pthread.h>
#include <string.h>

#include "support/suite.h"

enum { PIECES = 1000, THREADS = 4 };

struct work {
    struct tf_unit unit;
    unsigned char taken[PIECES];
};

static void *take_all(void *arg)
{
    struct work *work = arg;
    uint64_t first, count;

    while (tf_unit_take(&work->unit, &first, &count))
        for (uint64_t i = first; i < first + count; i++)
            work->taken[i]++;
    return NULL;
}

// Each thread is given its own of `args`.
static void run_threads(void *(*body)(void *arg), void *const args[THREADS])
{
    pthread_t threads[THREADS];

    for (unsigned i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, body, args[i]), 0);
    for (unsigned i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}

static void expect_all_once(const struct work *work)
{
    for (unsigned i = 0; i < PIECES; i++)
        ck_assert_uint_eq(work->taken[i], 1);
    ck_assert(!tf_unit_is_left(&work->unit));
    ck_assert_uint_eq(tf_unit_left(&work->unit), 0);
}

START_TEST(each_piece_is_taken_once)
{
    static struct work work;

    memset(&work, 0, sizeof(work));
    work.unit.total = PIECES;
    work.unit.divisor = THREADS * 4;
    run_threads(take_all, (void *[THREADS]){&work, &work, &work, &work});
    expect_all_once(&work);
    ck_assert_int_eq(tf_unit_status(&work.unit), CL_COMPLETE);
}
END_TEST

struct near_work {
    struct work *work;
    unsigned near;
};

static void *take_all_near(void *arg)
{
    struct near_work *own = arg;
    uint64_t first, count;

    while (tf_unit_take_near(&own->work->unit, &own->near, UINT64_MAX, &first, &count))
        for (uint64_t i = first; i < first + count; i++)
            own->work->taken[i]++;
    return NULL;
}

START_TEST(each_piece_of_shares_is_taken_once)
{
    static struct work work;
    static struct tf_unit_share shares[THREADS];
    struct near_work own[THREADS];
    void *args[THREADS];

    memset(&work, 0, sizeof(work));
    work.unit.total = PIECES;
    tf_unit_deal(&work.unit, shares, THREADS);
    ck_assert_uint_eq(tf_unit_left(&work.unit), PIECES);
    ck_assert(tf_unit_is_left(&work.unit));
    for (unsigned i = 0; i < THREADS; i++) {
        own[i] = (struct near_work){&work, 7 * i}; // any number will do
        args[i] = &own[i];
    }
    run_threads(take_all_near, args);
    expect_all_once(&work);
}
END_TEST

START_TEST(a_thread_begins_with_its_share_and_goes_on_with_others)
{
    static struct tf_unit_share shares[4];
    struct tf_unit unit = {.total = PIECES};
    uint64_t first, count;
    unsigned near = 2;

    tf_unit_deal(&unit, shares, 4);
    ck_assert(tf_unit_take_near(&unit, &near, UINT64_MAX, &first, &count));
    ck_assert_uint_eq(first, PIECES / 2);
    ck_assert_uint_eq(count, PIECES / 4 / TF_UNIT_SHARE_DIVISOR);
    for (uint64_t at = first + count; at < PIECES; at += count) {
        ck_assert(tf_unit_take_near(&unit, &near, UINT64_MAX, &first, &count));
        ck_assert_uint_eq(first, at);
    }
    for (uint64_t at = 0; at < PIECES / 2; at += count) {
        ck_assert_uint_eq(tf_unit_left(&unit), PIECES / 2 - at);
        ck_assert(tf_unit_take_near(&unit, &near, 100, &first, &count));
        ck_assert_uint_eq(first, at);
        ck_assert_uint_le(count, 100);
    }
    ck_assert(!tf_unit_take_near(&unit, &near, UINT64_MAX, &first, &count));
}
END_TEST

START_TEST(dealt_shares_keep_together_what_belongs_together)
{
    static struct tf_unit_share shares[TF_UNIT_MOST_SHARES];
    struct tf_unit some = {.total = PIECES, .together = 24};
    struct tf_unit many = {.total = 999983}, few = {.total = 3};
    struct tf_unit most = {.total = UINT64_MAX};

    tf_unit_deal(&some, shares, 4);
    for (unsigned i = 0; i < 4; i++) {
        ck_assert_uint_eq(shares[i].next % 24, 0);
        ck_assert_uint_eq(shares[i].end, i < 3 ? shares[i + 1].next : PIECES);
    }
    tf_unit_deal(&many, shares, 4);
    ck_assert_uint_eq(tf_unit_left(&many), many.total);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_uint_eq(shares[i].next % TF_UNIT_EVEN, 0);
    tf_unit_deal(&few, shares, 4); // one counter for all
    ck_assert_uint_eq(few.share_count, 0);
    ck_assert(tf_unit_is_left(&few));
    tf_unit_deal(&most, shares, TF_UNIT_MOST_SHARES);
    ck_assert_uint_eq(tf_unit_left(&most), UINT64_MAX);
    ck_assert_uint_eq(shares[TF_UNIT_MOST_SHARES - 1].end, UINT64_MAX);
    ck_assert_uint_gt(shares[1].next, UINT64_MAX / 65);
}
END_TEST

START_TEST(after_a_failure_no_share_is_left)
{
    static struct tf_unit_share shares[3];
    struct tf_unit unit = {.total = PIECES};
    uint64_t first, count;
    unsigned near = 1;

    tf_unit_deal(&unit, shares, 3);
    ck_assert(tf_unit_take_near(&unit, &near, UINT64_MAX, &first, &count));
    tf_unit_fail(&unit, CL_OUT_OF_RESOURCES);
    ck_assert(!tf_unit_take_near(&unit, &near, UINT64_MAX, &first, &count));
    ck_assert(!tf_unit_is_left(&unit));
    ck_assert_uint_eq(tf_unit_left(&unit), 0);
}
END_TEST

START_TEST(shares_become_smaller_and_end_with_single_pieces)
{
    struct tf_unit unit = {.total = PIECES, .divisor = 8};
    uint64_t first, count, before = PIECES / 8, at = 0;

    while (tf_unit_take(&unit, &first, &count)) {
        ck_assert_uint_eq(first, at);
        ck_assert_uint_le(count, before);
        ck_assert_uint_ge(count, 1);
        before = count;
        at += count;
    }
    ck_assert_uint_eq(at, PIECES);
    ck_assert_uint_eq(before, 1);
}
END_TEST

START_TEST(pieces_that_belong_together_are_taken_together)
{
    struct tf_unit unit = {.total = PIECES, .divisor = 8, .together = 24};
    uint64_t first, count, at = 0;

    // Whoever was to take fewer leaves the next one to begin where it should.
    ck_assert(tf_unit_take_at_most(&unit, 7, &first, &count));
    ck_assert_uint_eq(count, 7);
    at = count;
    while (tf_unit_take(&unit, &first, &count)) {
        ck_assert_uint_eq(first, at);
        at += count;
        ck_assert(at % 24 == 0 || at == PIECES);
    }
    ck_assert_uint_eq(at, PIECES);
}
END_TEST

START_TEST(large_shares_begin_at_whole_cache_lines)
{
    struct tf_unit unit = {.total = 999983, .divisor = 8};
    uint64_t first, count, large = 0, at = 0;

    while (tf_unit_take_at_most(&unit, large < 3 ? 5000 : UINT64_MAX, &first, &count)) {
        ck_assert_uint_eq(first, at);
        if (count >= TF_UNIT_MANY) {
            ck_assert_uint_eq(first % TF_UNIT_EVEN, 0);
            large++;
        }
        at += count;
    }
    ck_assert_uint_eq(at, unit.total);
    ck_assert_uint_gt(large, 10);
}
END_TEST

START_TEST(large_shares_keep_together_what_belongs_together)
{
    struct tf_unit unit = {.total = 999983, .divisor = 8, .together = 24};
    uint64_t first, count;

    while (tf_unit_take(&unit, &first, &count))
        ck_assert_uint_eq(first % 24, 0);
}
END_TEST

// The share of `groups` groups of `x` by `y` work-items, `row` of them side by side, for
// two threads and code that runs 4 rows of 64 at once.
static uint64_t share(uint64_t x, uint64_t y, uint64_t row, uint64_t groups)
{
    const struct tf_fit fit = {.through_groups = 1, .columns = 64, .rows = 4};
    const struct tf_launch launch = {.local_size = {x, y, 1},
                                     .group_count = {row, groups / row, 1}};

    return tf_fit_share(&fit, &launch, groups, 2);
}

START_TEST(shares_are_whole_gangs_and_packs)
{
    // Each group has whole ones.
    ck_assert_uint_eq(share(64, 4, 12, 12 * 192), 0);
    ck_assert_uint_eq(share(256, 16, 3, 3 * 48), 0);
    // Several groups of a row make one; rows that are no multiple are whole.
    ck_assert_uint_eq(share(16, 16, 48, 48 * 48), 4);
    ck_assert_uint_eq(share(48, 4, 16, 16 * 192), 4);
    ck_assert_uint_eq(share(16, 16, 50, 50 * 50), 50);
    ck_assert_uint_eq(share(1, 4, 4096, 4096), 64);
    // Several rows of groups make one.
    ck_assert_uint_eq(share(64, 1, 12, 12 * 768), 4 * 12);
    ck_assert_uint_eq(share(64, 6, 12, 12 * 128), 2 * 12);
    // Few groups are for all threads.
    ck_assert_uint_eq(share(64, 1, 12, 12 * 31), 0);
    ck_assert_uint_eq(share(16, 4, 16, 16), 2);
    ck_assert_uint_eq(share(16, 4, 4, 4), 0);
}
END_TEST

START_TEST(groups_that_end_rows_have_no_share)
{
    const struct tf_fit fit = {.columns = 64, .rows = 4};
    const struct tf_launch launch = {.local_size = {16, 16, 1},
                                     .group_count = {48, 48, 1}};

    ck_assert_uint_eq(tf_fit_share(&fit, &launch, 48 * 48, 2), 0);
}
END_TEST

START_TEST(lanes_along_dimension_1_take_whole_rows)
{
    const struct tf_fit fit = {.least_row = 8, .dimension = 1, .through_groups = 1};
    const struct tf_launch launch = {.local_size = {16, 4, 1},
                                     .group_count = {10, 100, 1}};

    ck_assert_uint_eq(tf_fit_share(&fit, &launch, 1000, 2), 8 * 10);
    ck_assert_uint_eq(tf_fit_share(&fit, &launch, 1000, 20), 2 * 10);
}
END_TEST

START_TEST(arguments_that_space_lanes_out_are_better_served_one_by_one)
{
    const struct {
        uint64_t address;
        uint32_t by;
        uint32_t count;
        uint64_t other;
    } one = {0, 1, 7, 1}, two = {0, 2, 7, 1}, far = {0, 1, 7, 5};
    const struct tf_fit fit = {.spacings = {8 + 1, 16 + 1}}, none = {0};
    struct tf_launch launch = {.args = &one, .local_size = {1, 1, 1}};

    ck_assert(tf_fit_pays(&fit, &launch));
    launch.args = &two;
    ck_assert(!tf_fit_pays(&fit, &launch));
    ck_assert(tf_fit_pays(&none, &launch));
    ck_assert(tf_fit_can(&fit, &launch));
    launch.args = &far;
    ck_assert(!tf_fit_pays(&fit, &launch));
    launch.args = NULL;
    ck_assert(tf_fit_pays(&fit, &launch));
}
END_TEST

START_TEST(after_a_failure_nothing_is_taken_and_the_first_one_counts)
{
    struct tf_unit unit = {.total = PIECES, .divisor = 8};
    uint64_t first, count;

    ck_assert(tf_unit_take(&unit, &first, &count));
    tf_unit_fail(&unit, CL_OUT_OF_RESOURCES);
    tf_unit_fail(&unit, CL_OUT_OF_HOST_MEMORY);
    ck_assert(!tf_unit_take(&unit, &first, &count));
    ck_assert(!tf_unit_is_left(&unit));
    ck_assert_int_eq(tf_unit_status(&unit), CL_OUT_OF_RESOURCES);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_unit");
    TCase *tcase = tcase_create("pieces");

    tcase_add_test(tcase, each_piece_is_taken_once);
    tcase_add_test(tcase, each_piece_of_shares_is_taken_once);
    tcase_add_test(tcase, a_thread_begins_with_its_share_and_goes_on_with_others);
    tcase_add_test(tcase, dealt_shares_keep_together_what_belongs_together);
    tcase_add_test(tcase, after_a_failure_no_share_is_left);
    tcase_add_test(tcase, shares_become_smaller_and_end_with_single_pieces);
    tcase_add_test(tcase, pieces_that_belong_together_are_taken_together);
    tcase_add_test(tcase, large_shares_begin_at_whole_cache_lines);
    tcase_add_test(tcase, large_shares_keep_together_what_belongs_together);
    tcase_add_test(tcase, shares_are_whole_gangs_and_packs);
    tcase_add_test(tcase, groups_that_end_rows_have_no_share);
    tcase_add_test(tcase, lanes_along_dimension_1_take_whole_rows);
    tcase_add_test(tcase, after_a_failure_nothing_is_taken_and_the_first_one_counts);
    tcase_add_test(tcase, arguments_that_space_lanes_out_are_better_served_one_by_one);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
