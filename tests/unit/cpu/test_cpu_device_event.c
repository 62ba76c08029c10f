// SPDX-License-Identifier: MIT
#include "devices/cpu/queue/cpu_device_event.h"

#include "support/suite.h"

START_TEST(numbers_out_of_date_are_no_events)
{
    const uint64_t event = tf_device_event_new(1);
    struct tf_device_waiter waiter;
    cl_int status = 0;

    ck_assert_uint_ne(event, 0);
    ck_assert(tf_device_event_is_valid(event));
    ck_assert(!tf_device_event_is_valid(0));
    ck_assert(!tf_device_event_is_valid(~(uint64_t)0));
    ck_assert(!tf_device_event_is_valid(event + ((uint64_t)1 << 32)));
    tf_device_event_retain(event);
    ck_assert_ptr_null(tf_device_event_set(event, CL_COMPLETE));
    tf_device_event_release(event);
    ck_assert(tf_device_event_is_valid(event));
    tf_device_event_release(event);
    ck_assert(!tf_device_event_is_valid(event));
    tf_device_event_release(event);
    ck_assert(!tf_device_event_wait(event, &waiter, &status));
    ck_assert_int_eq(status, 1);
}
END_TEST

START_TEST(who_waits_is_told_once)
{
    const uint64_t event = tf_device_event_new(1);
    struct tf_device_waiter waiters[2], *list;
    cl_int status = 0;

    for (int i = 0; i < 2; i++)
        ck_assert(tf_device_event_wait(event, &waiters[i], &status));
    list = tf_device_event_set(event, -7);
    ck_assert_ptr_eq(list, &waiters[1]);
    ck_assert_ptr_eq(list->next, &waiters[0]);
    ck_assert_ptr_null(list->next->next);
    ck_assert_ptr_null(tf_device_event_set(event, CL_COMPLETE));
    ck_assert(!tf_device_event_wait(event, &waiters[0], &status));
    ck_assert_int_eq(status, -7);
    tf_device_event_release(event);
}
END_TEST

START_TEST(events_of_commands_are_not_set)
{
    const uint64_t event = tf_device_event_new(0);
    const struct tf_device_times times = {100, 130, 190};
    uint64_t before[2] = {0}, after[2] = {0};
    cl_int status = 0;

    ck_assert_ptr_null(tf_device_event_set(event, CL_COMPLETE));
    tf_device_event_capture(event, before);
    ck_assert_uint_eq(before[0], 0);
    ck_assert_ptr_null(tf_device_event_end(event, CL_COMPLETE, &times));
    tf_device_event_capture(event, after);
    for (int i = 0; i < 2; i++)
        ck_assert_uint_eq(before[i], after[i]);
    ck_assert_uint_eq(after[0], 30);
    ck_assert_uint_eq(after[1], 90);
    ck_assert(!tf_device_event_wait(event, NULL, &status));
    ck_assert_int_eq(status, CL_COMPLETE);
    tf_device_event_release(event);
    ck_assert(!tf_device_event_is_valid(event));
}
END_TEST

START_TEST(what_nobody_can_end_is_given_up)
{
    const uint64_t event = tf_device_event_new(77), other = tf_device_event_new(78);
    struct tf_device_waiter waiter, another;
    cl_int status;

    ck_assert(tf_device_event_wait(event, &waiter, &status));
    ck_assert(tf_device_event_wait(other, &another, &status));
    ck_assert_ptr_eq(tf_device_event_give_up(77, -5), &waiter);
    ck_assert_ptr_null(tf_device_event_give_up(77, -5));
    ck_assert_ptr_eq(tf_device_event_set(other, CL_COMPLETE), &another);
    tf_device_event_release(event);
    tf_device_event_release(other);
}
END_TEST

START_TEST(ended_events_make_room)
{
    uint64_t first = 0;

    for (int i = 0; i < TF_DEVICE_EVENTS; i++) {
        const uint64_t event = tf_device_event_new(1);

        ck_assert_uint_ne(event, 0);
        first = first ? first : event;
        tf_device_event_set(event, CL_COMPLETE);
    }
    ck_assert(tf_device_event_is_valid(first));
    ck_assert_uint_ne(tf_device_event_new(1), 0);
    ck_assert(!tf_device_event_is_valid(first));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_device_event");
    TCase *tcase = tcase_create("events");

    tcase_add_test(tcase, numbers_out_of_date_are_no_events);
    tcase_add_test(tcase, who_waits_is_told_once);
    tcase_add_test(tcase, events_of_commands_are_not_set);
    tcase_add_test(tcase, what_nobody_can_end_is_given_up);
    tcase_add_test(tcase, ended_events_make_room);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
