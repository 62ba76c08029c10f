// SPDX-License-Identifier: MIT
// The out-of-order half of core/schedule/order.h.
#include "base/alloc.h"
#include "support/order_rig.h"

static void setup_order(void)
{
    setup();
    begin_order(tf_order_out_new(core.ctx, NULL));
}

static void teardown_order(void)
{
    end_order();
    teardown();
}

static cl_event list_marker(cl_command_type type, unsigned flags)
{
    return list_after(type, flags, 0, NULL);
}

START_TEST(commands_go_one_by_one_as_they_come)
{
    cl_event evs[3] = {list_one(), list_one(), list_one()};

    ck_assert_int_eq(submits, 3);
    for (int i = 0; i < 3; i++)
        ck_assert(is_list(i, 1, evs + i));
    for (int i = 2; i >= 0; i--)
        end(evs[i]);
    drop_all(3, evs);
}
END_TEST

START_TEST(marker_ends_when_all_before_it_have)
{
    cl_event evs[2] = {list_one(), list_one()};
    cl_event marker = list_marker(CL_COMMAND_MARKER, TF_ENQUEUE_AFTER_ALL);
    cl_event later = list_one();

    ck_assert_int_eq(submits, 3); // a marker holds nothing
    end(later);
    end(evs[1]);
    ck_assert_int_eq(tf_event_status(marker), CL_QUEUED);
    end(evs[0]);
    ck_assert_int_eq(tf_event_status(marker), CL_COMPLETE);
    drop_all(2, evs);
    tf_unref(marker);
    tf_unref(later);
}
END_TEST

START_TEST(marker_waits_for_a_marker_before_it)
{
    cl_event ev = list_one();
    cl_event first = list_marker(CL_COMMAND_MARKER, TF_ENQUEUE_AFTER_ALL);
    cl_event second = list_marker(CL_COMMAND_MARKER, TF_ENQUEUE_AFTER_ALL);

    ck_assert_int_eq(tf_event_status(second), CL_QUEUED);
    end(ev);
    ck_assert_int_eq(tf_event_status(first), CL_COMPLETE);
    ck_assert_int_eq(tf_event_status(second), CL_COMPLETE);
    tf_unref(ev);
    tf_unref(first);
    tf_unref(second);
}
END_TEST

START_TEST(barrier_holds_what_comes_later)
{
    cl_event before = list_one();
    cl_event barrier =
        list_marker(CL_COMMAND_BARRIER, TF_ENQUEUE_AFTER_ALL | TF_ENQUEUE_BARRIER);
    cl_event after = list_one();

    ck_assert_int_eq(submits, 1);
    ck_assert_uint_eq(after->cmd.after, barrier->cmd.order);
    end(before);
    ck_assert_int_eq(tf_event_status(barrier), CL_COMPLETE);
    ck_assert_int_eq(submits, 2);
    end(after);
    tf_unref(before);
    tf_unref(barrier);
    tf_unref(after);
}
END_TEST

START_TEST(barrier_that_has_ended_is_waited_for_no_more)
{
    cl_event barrier =
        list_marker(CL_COMMAND_BARRIER, TF_ENQUEUE_AFTER_ALL | TF_ENQUEUE_BARRIER);
    cl_event after;

    ck_assert_int_eq(tf_event_status(barrier), CL_COMPLETE);
    after = list_one();
    ck_assert_uint_eq(after->cmd.after, 0);
    ck_assert_uint_eq(after->edge_count, 0);
    end(after);
    tf_unref(barrier);
    tf_unref(after);
}
END_TEST

START_TEST(last_knows_whether_there_is_something_but_not_what)
{
    cl_event ev = list_one(), last;

    ck_assert(order->ops->last(order, &last));
    ck_assert_ptr_null(last);
    end(ev);
    ck_assert(!order->ops->last(order, &last));
    tf_unref(ev);
}
END_TEST

START_TEST(prepare_says_when_memory_is_out)
{
    const struct tf_event_home home = {.device = core.device, .order = order};
    cl_event ev =
        tf_event_new(core.ctx, &home, CL_COMMAND_MARKER, TF_ORDER_EDGES, TF_ORDER_HELD);

    ck_assert_ptr_nonnull(ev);
    tf_alloc_fail_at(0);
    ck_assert(!order->ops->prepare(order, ev));
    tf_alloc_fail_at(-1);
    tf_unref(ev);
}
END_TEST

START_TEST(command_that_is_given_up_leaves_nothing)
{
    const struct tf_event_home home = {.device = core.device, .order = order};
    cl_event ev =
        tf_event_new(core.ctx, &home, CL_COMMAND_MARKER, TF_ORDER_EDGES, TF_ORDER_HELD);

    ck_assert_ptr_nonnull(ev);
    ck_assert(order->ops->prepare(order, ev));
    tf_unref(ev); // with the epoch that was made for it: teardown counts
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("order_out");
    TCase *tcase = tcase_create("order_out");

    tcase_add_checked_fixture(tcase, setup_order, teardown_order);
    tcase_add_test(tcase, commands_go_one_by_one_as_they_come);
    tcase_add_test(tcase, marker_ends_when_all_before_it_have);
    tcase_add_test(tcase, marker_waits_for_a_marker_before_it);
    tcase_add_test(tcase, barrier_holds_what_comes_later);
    tcase_add_test(tcase, barrier_that_has_ended_is_waited_for_no_more);
    tcase_add_test(tcase, last_knows_whether_there_is_something_but_not_what);
    tcase_add_test(tcase, prepare_says_when_memory_is_out);
    tcase_add_test(tcase, command_that_is_given_up_leaves_nothing);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
