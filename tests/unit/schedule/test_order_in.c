// SPDX-License-Identifier: MIT
// The in-order half of core/schedule/order.h.
#include "support/order_rig.h"

static void setup_order(void)
{
    setup();
    begin_order(tf_order_in_new(NULL));
}

static void teardown_order(void)
{
    end_order();
    teardown();
}

START_TEST(first_command_goes_at_once_and_alone)
{
    cl_event evs[3] = {list_one(), list_one(), list_one()};

    ck_assert_int_eq(submits, 1);
    ck_assert(is_list(0, 1, evs));
    end(evs[0]);
    ck_assert_int_eq(submits, 2);
    ck_assert(is_list(1, 2, evs + 1)); // what came meanwhile, in one piece
    end(evs[1]);
    end(evs[2]);
    ck_assert_int_eq(submits, 2);
    drop_all(3, evs);
}
END_TEST

START_TEST(command_that_waits_ends_a_run)
{
    cl_event user = tf_core_user_event(&core);
    cl_event evs[4] = {list_one(), list_one(),
                       list_after(CL_COMMAND_NATIVE_KERNEL, 0, 1, &user), list_one()};

    end(evs[0]);
    ck_assert(is_list(1, 1, evs + 1));
    end(evs[1]);
    ck_assert_int_eq(submits, 2);
    tf_event_finish(user, CL_COMPLETE);
    ck_assert_int_eq(submits, 3);
    ck_assert(is_list(2, 2, evs + 2));
    end(evs[2]);
    end(evs[3]);
    drop_all(4, evs);
    tf_core_release(user, &tf_class_event);
}
END_TEST

START_TEST(command_that_becomes_ready_early_waits_for_its_turn)
{
    cl_event user = tf_core_user_event(&core);
    cl_event evs[2] = {list_one(), list_after(CL_COMMAND_NATIVE_KERNEL, 0, 1, &user)};

    tf_event_finish(user, CL_COMPLETE);
    ck_assert_int_eq(submits, 1);
    ck_assert_int_eq(tf_event_status(evs[1]), CL_QUEUED);
    end(evs[0]);
    ck_assert(is_list(1, 1, evs + 1));
    end(evs[1]);
    drop_all(2, evs);
    tf_core_release(user, &tf_class_event);
}
END_TEST

START_TEST(markers_end_in_their_turn_and_are_in_no_run)
{
    cl_event evs[4] = {list_one(), list_one(),
                       list_after(CL_COMMAND_MARKER, TF_ENQUEUE_AFTER_ALL, 0, NULL),
                       list_one()};

    end(evs[0]);
    ck_assert(is_list(1, 1, evs + 1));
    ck_assert_int_eq(tf_event_status(evs[2]), CL_QUEUED);
    end(evs[1]);
    ck_assert_int_eq(tf_event_status(evs[2]), CL_COMPLETE);
    ck_assert(is_list(2, 1, evs + 3));
    end(evs[3]);
    drop_all(4, evs);
}
END_TEST

START_TEST(failed_command_ends_in_its_turn_and_later_ones_run)
{
    cl_event user = tf_core_user_event(&core);
    cl_event evs[3] = {list_one(), list_after(CL_COMMAND_NATIVE_KERNEL, 0, 1, &user),
                       list_one()};

    tf_event_finish(user, -5);
    ck_assert_int_eq(tf_event_status(evs[1]), CL_QUEUED);
    end(evs[0]);
    ck_assert_int_eq(tf_event_status(evs[1]),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(submits, 2);
    ck_assert(is_list(1, 1, evs + 2));
    end(evs[2]);
    drop_all(3, evs);
    tf_core_release(user, &tf_class_event);
}
END_TEST

START_TEST(last_is_the_command_that_came_last)
{
    cl_event evs[2] = {list_one(), list_one()}, last;

    ck_assert(order->ops->last(order, &last));
    ck_assert_ptr_eq(last, evs[1]);
    tf_unref(last);
    end(evs[0]);
    end(evs[1]);
    drop_all(2, evs);
}
END_TEST

START_TEST(every_command_comes_after_all_before_it)
{
    cl_event evs[2] = {list_one(), list_one()};

    ck_assert_uint_eq(evs[0]->cmd.order, 1);
    ck_assert_uint_eq(evs[1]->cmd.order, 2);
    ck_assert_uint_eq(evs[1]->cmd.after, 2);
    end(evs[0]);
    end(evs[1]);
    drop_all(2, evs);
}
END_TEST

START_TEST(copy_that_the_caller_waits_for_is_run_here_if_nothing_is_before_it)
{
    const struct tf_event_home home = {.device = core.device, .order = order};
    cl_event ev, before;

    tf_mock_enable_run_here(core.mock);
    for (int busy = 0; busy < 2; busy++) {
        before = busy ? list_one() : NULL;
        ev = tf_event_new(core.ctx, &home, CL_COMMAND_SVM_MEMCPY, TF_ORDER_EDGES, 0);
        ck_assert_ptr_nonnull(ev);
        ev->cmd.kind = TF_CMD_SVM_COPY; // of no bytes
        ev->cmd.host = &busy;
        ev->cmd.host_src = &busy;
        tf_event_publish(tf_ref(ev));
        order->ops->list(order, ev, TF_ENQUEUE_WAITS);
        ck_assert_int_eq(tf_event_status(ev), busy ? CL_QUEUED : CL_COMPLETE);
        ck_assert_int_eq(atomic_load(&core.mock->ran_here), 1);
        if (busy) {
            end(before);
            end(ev);
        }
        tf_unref(ev);
        tf_unref(before);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("order_in");
    TCase *tcase = tcase_create("order_in");

    tcase_add_checked_fixture(tcase, setup_order, teardown_order);
    tcase_add_test(tcase, first_command_goes_at_once_and_alone);
    tcase_add_test(tcase, command_that_waits_ends_a_run);
    tcase_add_test(tcase, command_that_becomes_ready_early_waits_for_its_turn);
    tcase_add_test(tcase, markers_end_in_their_turn_and_are_in_no_run);
    tcase_add_test(tcase, failed_command_ends_in_its_turn_and_later_ones_run);
    tcase_add_test(tcase, last_is_the_command_that_came_last);
    tcase_add_test(tcase, every_command_comes_after_all_before_it);
    tcase_add_test(tcase,
                   copy_that_the_caller_waits_for_is_run_here_if_nothing_is_before_it);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
