// SPDX-License-Identifier: MIT
// What lies in a pool: which work a worker takes, and which a host thread that waits.
#include "devices/cpu/pool/cpu_work_list.h"

#include "support/suite.h"

static struct tf_work_list list;
static struct tf_command a, b, c;
static struct tf_unit unit;
static int stream;

static bool all_but_native(const struct tf_command *run)
{
    return run->kind != TF_CMD_NATIVE;
}

static struct tf_pool_task awaited(const struct tf_command *cmd)
{
    return tf_work_take_awaited(&list, cmd, all_but_native);
}

START_TEST(runs_come_first_and_in_their_order)
{
    struct tf_pool_task task;

    unit.total = 2;
    tf_work_add_unit(&list, &unit);
    tf_work_add_run(&list, &a);
    tf_work_add_run(&list, &b);
    ck_assert_uint_eq(atomic_load(&list.run_count), 2);
    ck_assert_ptr_eq(tf_work_take(&list).run, &a);
    ck_assert_ptr_eq(tf_work_take(&list).run, &b);
    task = tf_work_take(&list);
    ck_assert_ptr_null(task.run);
    ck_assert_ptr_eq(task.unit, &unit);
    ck_assert_uint_eq(unit.users, 1);
    ck_assert(tf_work_is_left(&list));
}
END_TEST

START_TEST(unit_without_pieces_is_not_joined)
{
    struct tf_pool_task task;

    unit.total = 1;
    tf_work_add_unit(&list, &unit);
    tf_unit_fail(&unit, CL_OUT_OF_RESOURCES);
    task = tf_work_take(&list);
    ck_assert_ptr_null(task.unit);
    ck_assert(!tf_work_is_left(&list));
    tf_work_remove_unit(&list, &unit);
    tf_work_remove_unit(&list, &unit);
    ck_assert_ptr_null(list.first_unit);
}
END_TEST

// Of one stream what comes before the command, of others nothing.
START_TEST(waiting_thread_takes_what_its_command_waits_for)
{
    a = (struct tf_command){.stream = &list, .order = 1};
    b = (struct tf_command){.stream = &stream, .order = 1};
    c = (struct tf_command){.stream = &stream, .order = 2, .after = 2};
    tf_work_add_run(&list, &a);
    tf_work_add_run(&list, &b);
    tf_work_add_run(&list, &c);
    ck_assert_ptr_eq(awaited(&c).run, &b);
    ck_assert_ptr_eq(awaited(&c).run, &c);
    ck_assert_ptr_null(awaited(&c).run);
    ck_assert_ptr_eq(tf_work_take(&list).run, &a);
    ck_assert_ptr_null(list.last_run);
}
END_TEST

START_TEST(waiting_thread_takes_no_run_that_is_not_for_it)
{
    a = (struct tf_command){.kind = TF_CMD_NATIVE, .stream = &stream, .order = 1};
    tf_work_add_run(&list, &a);
    ck_assert_ptr_null(awaited(&a).run);
    ck_assert_ptr_eq(tf_work_drop_runs(&list), &a);
    ck_assert_uint_eq(atomic_load(&list.run_count), 0);
}
END_TEST

// Without a stream a command waits for the run that it is in.
START_TEST(waiting_thread_joins_the_unit_that_its_command_comes_after)
{
    b.dev_next = &c;
    unit = (struct tf_unit){.total = 3, .cmd = &a, .rest = &b};
    tf_work_add_unit(&list, &unit);
    ck_assert_ptr_eq(awaited(&c).unit, &unit);
    ck_assert_ptr_eq(awaited(&a).unit, &unit);
    ck_assert_uint_eq(unit.users, 2);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_work_list");
    TCase *tcase = tcase_create("work");

    tcase_add_test(tcase, runs_come_first_and_in_their_order);
    tcase_add_test(tcase, unit_without_pieces_is_not_joined);
    tcase_add_test(tcase, waiting_thread_takes_what_its_command_waits_for);
    tcase_add_test(tcase, waiting_thread_takes_no_run_that_is_not_for_it);
    tcase_add_test(tcase, waiting_thread_joins_the_unit_that_its_command_comes_after);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
