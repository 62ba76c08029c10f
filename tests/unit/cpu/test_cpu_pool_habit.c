// SPDX-License-Identifier: MIT
// When a run is left to the thread that has enqueued it.
#include "devices/cpu/pool/cpu_pool_habit.h"

#include "support/suite.h"

static struct tf_pool_habit habit;

// After so long.
static bool waits(bool takes_run, uint64_t ns)
{
    return tf_habit_waits(&habit, takes_run, habit.left_ns + ns);
}

static void set_up(void)
{
    habit = (struct tf_pool_habit){.has_napper = true};
}

// Enqueues and waits at once; how often until runs are left.
static unsigned count_until_left(void)
{
    unsigned times = 0;

    while (!tf_habit_leaves(&habit, true)) {
        ck_assert(!waits(true, 100));
        times++;
    }
    return times;
}

START_TEST(who_waits_at_once_is_left_alone)
{
    ck_assert_uint_eq(count_until_left(), TF_HABIT_LEAST);
    ck_assert(!waits(true, 100));
    ck_assert_uint_eq(count_until_left(), 0);
}
END_TEST

START_TEST(where_nobody_naps_or_more_waits_nothing_is_left)
{
    count_until_left();
    waits(true, 100);
    habit.has_napper = false;
    ck_assert(!tf_habit_leaves(&habit, true));
    waits(true, 100);
    habit.has_napper = true;
    ck_assert(!tf_habit_leaves(&habit, false));
}
END_TEST

START_TEST(a_second_run_breaks_it)
{
    count_until_left();
    ck_assert(!tf_habit_leaves(&habit, true));
    waits(true, 100);
    ck_assert_uint_ge(count_until_left(), 2 * TF_HABIT_LEAST - 1);
}
END_TEST

START_TEST(a_worker_that_had_to_take_it_breaks_it)
{
    count_until_left();
    tf_habit_taken(&habit);
    ck_assert(!waits(false, 100));
    ck_assert(!tf_habit_holds(&habit));
    ck_assert_uint_eq(habit.needed, 2 * TF_HABIT_LEAST);
}
END_TEST

START_TEST(who_waits_for_something_else_has_a_worker_woken)
{
    count_until_left();
    ck_assert(waits(false, 100));
    ck_assert(!waits(false, 100));
    ck_assert(!tf_habit_holds(&habit));
}
END_TEST

START_TEST(who_comes_late_has_no_habit)
{
    count_until_left();
    ck_assert(!waits(true, TF_HABIT_PROMPT_NS + 1));
    ck_assert(!tf_habit_holds(&habit));
}
END_TEST

START_TEST(streams_are_no_habit)
{
    for (unsigned i = 0; i < 2 * TF_HABIT_LEAST; i++)
        ck_assert(!tf_habit_leaves(&habit, true));
}
END_TEST

// Whoever asks again and again whether something has ended: what is left lies there until
// the nap is over, more and more seldom.
START_TEST(who_never_waits_loses_little)
{
    enum { RUNS = 100000 };
    unsigned left = 0;

    for (unsigned i = 0; i < RUNS; i++) {
        left += tf_habit_leaves(&habit, true);
        tf_habit_taken(&habit);
    }
    ck_assert_uint_ge(left, 1);
    ck_assert_uint_lt(left, 16);
}
END_TEST

START_TEST(a_habit_kept_for_long_is_trusted_again)
{
    habit.needed = 4 * TF_HABIT_LEAST;
    for (unsigned i = 0; i < 3 * TF_HABIT_LONG; i++) {
        tf_habit_leaves(&habit, true);
        waits(true, 100);
        habit.left_ns = 0;
    }
    ck_assert_uint_le(habit.needed, 2 * TF_HABIT_LEAST);
}
END_TEST

START_TEST(naps_for_nothing_end_it)
{
    count_until_left();
    waits(true, 100);
    for (unsigned i = 0; i < TF_HABIT_NAPS; i++) {
        ck_assert(tf_habit_holds(&habit));
        tf_habit_napped(&habit);
    }
    ck_assert(!tf_habit_holds(&habit));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_pool_habit");
    TCase *tcase = tcase_create("habit");

    tcase_add_checked_fixture(tcase, set_up, NULL);
    tcase_add_test(tcase, who_waits_at_once_is_left_alone);
    tcase_add_test(tcase, where_nobody_naps_or_more_waits_nothing_is_left);
    tcase_add_test(tcase, a_second_run_breaks_it);
    tcase_add_test(tcase, a_worker_that_had_to_take_it_breaks_it);
    tcase_add_test(tcase, who_waits_for_something_else_has_a_worker_woken);
    tcase_add_test(tcase, who_comes_late_has_no_habit);
    tcase_add_test(tcase, streams_are_no_habit);
    tcase_add_test(tcase, who_never_waits_loses_little);
    tcase_add_test(tcase, a_habit_kept_for_long_is_trusted_again);
    tcase_add_test(tcase, naps_for_nothing_end_it);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
