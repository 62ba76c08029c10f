// SPDX-License-Identifier: MIT
// Stacks of launches that may begin, and the memory of launches.
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "core/object/error.h"
#include "devices/cpu/queue/cpu_device_queue.h"
#include "devices/cpu/queue/cpu_ready.h"
#include "devices/cpu/queue/cpu_ready_list.h"
#include "devices/cpu/queue/cpu_spare.h"
#include "devices/cpu/queue/cpu_worth.h"
#include "support/suite.h"

enum { NODES = 64, MOST_STOLEN = 16 };

static struct tf_ready own, other;
static struct tf_ready_node nodes[NODES];

static void set_up(void)
{
    tf_ready_init(&own);
    tf_ready_init(&other);
}

static void tear_down(void)
{
    tf_ready_finish(&own);
    tf_ready_finish(&other);
}

static void push_each(struct tf_ready *ready, int first, int end)
{
    for (int i = first; i < end; i++)
        ck_assert_uint_ne(tf_ready_push(ready, &nodes[i], 1), 0);
}

static int number(const struct tf_ready_node *node)
{
    return node ? (int)(node - nodes) : -1;
}

START_TEST(the_latest_is_taken_first)
{
    push_each(&own, 0, 3);
    for (int i = 2; i >= -1; i--)
        ck_assert_int_eq(number(tf_ready_pop(&own, false)), i);
    ck_assert_uint_eq(tf_ready_count(&own), 0);
}
END_TEST

START_TEST(a_list_keeps_its_order)
{
    push_each(&own, 3, 4);
    nodes[0].below = &nodes[1];
    nodes[1].below = &nodes[2];
    ck_assert_uint_eq(tf_ready_push(&own, &nodes[0], 3), 4);
    ck_assert_uint_eq(tf_ready_count(&own), 4);
    for (int i = 0; i < 4; i++)
        ck_assert_int_eq(number(tf_ready_pop(&own, false)), i);
}
END_TEST

START_TEST(the_older_half_is_stolen)
{
    push_each(&other, 0, 5);
    ck_assert_int_eq(number(tf_ready_steal(&other, &own, 1)), 2);
    ck_assert_uint_eq(tf_ready_count(&other), 2);
    ck_assert_int_eq(number(tf_ready_pop(&own, false)), 1);
    ck_assert_int_eq(number(tf_ready_pop(&own, false)), 0);
    ck_assert_int_eq(number(tf_ready_pop(&own, false)), -1);
    ck_assert_int_eq(number(tf_ready_pop(&other, false)), 4);
    ck_assert_int_eq(number(tf_ready_steal(&other, &own, 1)), 3);
    ck_assert_int_eq(number(tf_ready_steal(&other, &own, 1)), -1);
    push_each(&other, 0, 1); // a stack that was emptied from below is a stack
    ck_assert_int_eq(number(tf_ready_pop(&other, false)), 0);
}
END_TEST

START_TEST(few_are_stolen_at_a_time)
{
    push_each(&other, 0, NODES);
    ck_assert_int_eq(number(tf_ready_steal(&other, &own, 1)), MOST_STOLEN - 1);
    ck_assert_uint_eq(tf_ready_count(&own), MOST_STOLEN - 1);
    ck_assert_uint_eq(tf_ready_count(&other), NODES - MOST_STOLEN);
}
END_TEST

START_TEST(stacks_with_too_few_are_left_alone)
{
    push_each(&other, 0, 3);
    ck_assert_int_eq(number(tf_ready_steal(&other, &own, 4)), -1);
    ck_assert_uint_eq(tf_ready_count(&other), 3);
    ck_assert_int_eq(number(tf_ready_steal(&other, &own, 3)), 1);
}
END_TEST

START_TEST(who_has_no_stack_takes_one)
{
    push_each(&other, 0, 5);
    ck_assert_int_eq(number(tf_ready_steal(&other, NULL, 1)), 0);
    ck_assert_uint_eq(tf_ready_count(&other), 4);
}
END_TEST

// Positions begin anew after 65,536.
START_TEST(a_stack_serves_for_any_number)
{
    for (int round = 0; round < 3000; round++) {
        push_each(&own, 0, NODES / 2);
        ck_assert_int_eq(number(tf_ready_steal(&own, &other, 1)), MOST_STOLEN - 1);
        for (int i = MOST_STOLEN - 2; i >= 0; i--)
            ck_assert_int_eq(number(tf_ready_pop(&other, false)), i);
        for (int i = NODES / 2 - 1; i >= MOST_STOLEN; i--)
            ck_assert_int_eq(number(tf_ready_pop(&own, false)), i);
        ck_assert_int_eq(number(tf_ready_pop(&own, false)), -1);
    }
}
END_TEST

static struct tf_ready_node most[TF_READY_MOST + 1];

START_TEST(a_stack_grows_up_to_its_most)
{
    push_each(&own, 0, 5); // nothing lies where it will
    for (int i = 0; i < 5; i++)
        tf_ready_pop(&own, false);
    for (unsigned i = 0; i < TF_READY_MOST; i++)
        ck_assert_uint_eq(tf_ready_push(&own, &most[i], 1), i + 1);
    ck_assert_uint_eq(tf_ready_push(&own, &most[TF_READY_MOST], 1), 0);
    for (unsigned i = TF_READY_MOST; i-- > 0;)
        ck_assert_ptr_eq(tf_ready_pop(&own, false), &most[i]);
    ck_assert_ptr_null(tf_ready_pop(&own, false));
    for (unsigned i = 0; i < TF_READY_MOST; i++)
        most[i].below = &most[i + 1];
    ck_assert_uint_eq(tf_ready_push(&own, &most[0], TF_READY_MOST + 1), 0);
}
END_TEST

START_TEST(a_stack_without_memory_keeps_what_it_has)
{
    push_each(&own, 0, NODES);
    tf_alloc_fail_at(0);
    ck_assert_uint_eq(tf_ready_push(&own, &most[0], 1), 0);
    tf_alloc_fail_at(-1);
    ck_assert_uint_eq(tf_ready_push(&own, &most[0], 1), NODES + 1);
    ck_assert_ptr_eq(tf_ready_pop(&own, false), &most[0]);
    ck_assert_int_eq(number(tf_ready_pop(&own, false)), NODES - 1);
}
END_TEST

// The latest first, with all that nobody else sees.
START_TEST(what_is_kept_is_above_all_others)
{
    push_each(&own, 0, 3);
    for (int i = 3; i < 3 + TF_READY_KEPT; i++)
        ck_assert(tf_ready_keep(&own, &nodes[i]));
    ck_assert(!tf_ready_keep(&own, &nodes[NODES - 1]));
    ck_assert_uint_eq(tf_ready_count(&own), 3);
    ck_assert_uint_eq(tf_ready_show(&own, 2), 5);
    ck_assert_uint_eq(tf_ready_show(&own, TF_READY_KEPT), 3 + TF_READY_KEPT);
    ck_assert_uint_eq(tf_ready_show(&own, TF_READY_KEPT), 0);
    for (int i = 3 + TF_READY_KEPT; i-- > 0;)
        ck_assert_int_eq(number(tf_ready_pop(&own, i % 5 == 0)), i);
    ck_assert_int_eq(number(tf_ready_pop(&own, true)), -1);
}
END_TEST

START_TEST(what_is_kept_is_not_stolen)
{
    push_each(&other, 0, 12);
    ck_assert_int_eq(number(tf_ready_pop(&other, true)), 11);
    ck_assert_uint_eq(tf_ready_count(&other), 12 - TF_READY_KEPT / 2);
    ck_assert_int_eq(number(tf_ready_steal(&other, &own, 5)), -1);
    ck_assert_uint_eq(tf_ready_show(&other, 3), 7);
    ck_assert_int_eq(number(tf_ready_steal(&other, &own, 5)), 3);
    for (int i = 10; i > 3; i--)
        ck_assert_int_eq(number(tf_ready_pop(&other, false)), i);
    ck_assert_int_eq(number(tf_ready_pop(&other, false)), -1);
}
END_TEST

START_TEST(what_is_kept_stays_without_memory)
{
    push_each(&own, 0, NODES);
    ck_assert(tf_ready_keep(&own, &most[0]));
    tf_alloc_fail_at(0);
    ck_assert_uint_eq(tf_ready_show(&own, 1), 0);
    tf_alloc_fail_at(-1);
    ck_assert_ptr_eq(tf_ready_pop(&own, false), &most[0]);
    ck_assert_int_eq(number(tf_ready_pop(&own, false)), NODES - 1);
}
END_TEST

START_TEST(a_list_for_all_is_a_stack)
{
    struct tf_ready_list list;

    tf_ready_list_init(&list);
    nodes[0].below = &nodes[1];
    tf_ready_list_push(&list, &nodes[2], &nodes[2], 1);
    tf_ready_list_push(&list, &nodes[0], &nodes[1], 2);
    ck_assert_uint_eq(tf_ready_list_count(&list), 3);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(number(tf_ready_list_pop(&list)), i);
    ck_assert_int_eq(number(tf_ready_list_pop(&list)), -1);
    tf_ready_list_finish(&list);
}
END_TEST

// ---- Threads ----

enum { THREADS = 3, EACH = 20000 };

static struct tf_ready stacks[THREADS];
static struct tf_ready_node many[THREADS][EACH];
static atomic_uint seen[THREADS][EACH];
static atomic_uint left;

static void note(const struct tf_ready_node *node)
{
    const size_t at = (size_t)(node - many[0]);

    atomic_fetch_add(&seen[at / EACH][at % EACH], 1);
    atomic_fetch_sub(&left, 1);
}

// Only who has nothing steals.
static struct tf_ready_node *steal(size_t at)
{
    return tf_ready_count(&stacks[at]) == 0 && stacks[at].kept_count == 0
               ? tf_ready_steal(&stacks[(at + 1) % THREADS], &stacks[at], 1)
               : NULL;
}

static void *work(void *stack)
{
    const size_t at = (size_t)((struct tf_ready *)stack - stacks);
    struct tf_ready_node *node;

    for (size_t i = 0; i < EACH; i++) {
        if (i % 4 == 0 && tf_ready_keep(stack, &many[at][i]))
            continue;
        tf_ready_show(stack, TF_READY_KEPT);
        if (tf_ready_push(stack, &many[at][i], 1) == 0)
            abort();
        // Every now and then it has none.
        while (i % 512 < 256 && i % 3 == 0 && (node = tf_ready_pop(stack, i % 2 == 0)))
            note(node);
        if (i % 7 == 0 && (node = steal(at)))
            note(node);
    }
    while (atomic_load(&left) > 0) {
        node = tf_ready_pop(stack, false);
        if (!node)
            node = steal(at);
        if (node)
            note(node);
    }
    return NULL;
}

START_TEST(threads_take_each_once)
{
    pthread_t threads[THREADS];

    atomic_store(&left, THREADS * EACH);
    for (int i = 0; i < THREADS; i++)
        tf_ready_init(&stacks[i]);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(pthread_create(&threads[i], NULL, work, &stacks[i]), 0);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (int i = 0; i < THREADS; i++)
        tf_ready_finish(&stacks[i]);
    for (int i = 0; i < THREADS; i++)
        for (int n = 0; n < EACH; n++)
            ck_assert_uint_eq(atomic_load(&seen[i][n]), 1);
}
END_TEST

// ---- What is worth it ----

static void take_for(struct tf_worth *worth, struct tf_worth_view *view, uint64_t ns)
{
    tf_worth_taken(view, 4, tf_worth_least(worth), 1000);
    tf_worth_idle(worth, view, 1000 + 4 * ns);
}

START_TEST(others_with_short_launches_are_left_alone)
{
    struct tf_worth_view view = {0};
    struct tf_worth worth;

    tf_worth_init(&worth);
    take_for(&worth, &view, TF_WORTH_LONG_NS);
    ck_assert_uint_eq(tf_worth_least(&worth), 1);
    take_for(&worth, &view, 1);
    ck_assert_uint_eq(tf_worth_least(&worth), 16);
    tf_worth_idle(&worth, &view, 2000); // of nothing new
    ck_assert_uint_eq(tf_worth_least(&worth), 16);
    for (int i = 0; i < 10; i++)
        take_for(&worth, &view, 1);
    ck_assert_uint_gt(tf_worth_least(&worth), TF_READY_MOST);
    take_for(&worth, &view, TF_WORTH_LONG_NS);
    ck_assert_uint_eq(tf_worth_least(&worth), 1);
}
END_TEST

// How many launches of so long begin until others shall know of what is there.
static unsigned count_until_told(uint64_t ns)
{
    struct tf_worth_view view = {0};
    struct tf_worth worth = {16};
    uint64_t now_ns = 1;
    bool is_sample;

    while (!tf_worth_begin(&worth, &view, &is_sample) ||
           !tf_worth_look(&worth, &view, now_ns))
        now_ns += ns;
    ck_assert_uint_eq(tf_worth_least(&worth), 1);
    return view.begun;
}

START_TEST(long_launches_are_told_of_again)
{
    ck_assert_uint_eq(count_until_told(TF_WORTH_LONG_NS), 2 * TF_WORTH_LOOK);
    ck_assert_uint_eq(count_until_told(1), TF_WORTH_TRY);
}
END_TEST

START_TEST(what_is_worth_it_depends_on_how_long_launches_take)
{
    struct tf_worth_view view = {0};
    struct tf_worth worth;

    tf_worth_init(&worth);
    tf_worth_started(100); // 7 of them
    take_for(&worth, &view, 600);
    ck_assert_uint_eq(tf_worth_least(&worth), 16);
    tf_worth_started(50);
    tf_worth_started(90); // one that was held up
    tf_worth_started(0);  // less than the clock tells
    take_for(&worth, &view, 600);
    ck_assert_uint_eq(tf_worth_least(&worth), 1);
}
END_TEST

// ---- Memory ----

START_TEST(what_one_thread_frees_another_takes)
{
    enum { BLOCKS = 200 }; // of which one keeps fewer than 128
    struct tf_spares here = {0}, there = {0};
    char *blocks[BLOCKS];
    unsigned again = 0;

    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = tf_spare_take(&here);
        ck_assert_ptr_nonnull(blocks[i]);
        memset(blocks[i], i, TF_SPARE_BYTES);
    }
    for (int i = 0; i < BLOCKS; i++)
        tf_spare_give(&there, blocks[i]);
    ck_assert_uint_lt(there.count, 128);
    for (int i = 0; i < BLOCKS; i++) {
        char *block = tf_spare_take(&here);

        for (int n = 0; n < BLOCKS; n++)
            again += blocks[n] == block;
        tf_spare_give(&there, block);
    }
    ck_assert_uint_ge(again, BLOCKS - 128);
    tf_spares_finish(&here);
    tf_spares_finish(&there);
}
END_TEST

START_TEST(room_in_hand_is_room_of_the_queue)
{
    enum { BYTES = 512, COUNT = 40 };
    struct tf_devqueue queue = {.size_bytes = COUNT * BYTES, .in_hand_bytes = 8 * BYTES};
    struct tf_device_room room = {0};

    for (int round = 0; round < 2; round++) {
        for (int i = 0; i < COUNT; i++)
            ck_assert(tf_device_room_take(&room, &queue, BYTES));
        ck_assert(!tf_device_room_take(&room, &queue, BYTES));
        for (int i = 0; i < COUNT; i++)
            tf_device_room_give(&room, &queue, BYTES);
    }
    tf_device_room_leave(&room);
    ck_assert_uint_eq(atomic_load(&queue.used_bytes), 0);
}
END_TEST

// Threads that have nothing to do yet, or much, keep room that launches of others need.
START_TEST(small_queues_have_room_whatever_threads_have_in_hand)
{
    enum { BYTES = 512, COUNT = 32, WORKERS = 5 };
    const struct tf_device_info info = {.compute_units = WORKERS};
    struct tf_device dev = {.info = &info};
    struct tf_device_room rooms[WORKERS] = {0};
    struct tf_devqueue *queue = NULL;
    struct tf_err err = {0};

    ck_assert_int_eq(tf_cpu_device_queue_new(&err, &dev, COUNT * BYTES, false, &queue),
                     CL_SUCCESS);
    for (int w = 0; w < WORKERS; w++) {
        for (int i = 0; i < COUNT; i++)
            ck_assert(tf_device_room_take(&rooms[w], queue, BYTES));
        for (int i = 0; i < COUNT; i++)
            tf_device_room_give(&rooms[w], queue, BYTES);
    }
    tf_device_room_leave(&rooms[0]);
    for (int i = 0; i < COUNT * 7 / 8; i++)
        ck_assert(tf_device_room_take(&rooms[0], queue, BYTES));
    tf_cpu_device_queue_free(&dev, queue);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_ready");
    TCase *tests = tcase_create("cpu_ready");

    tcase_add_checked_fixture(tests, set_up, tear_down);
    tcase_add_test(tests, the_latest_is_taken_first);
    tcase_add_test(tests, a_list_keeps_its_order);
    tcase_add_test(tests, the_older_half_is_stolen);
    tcase_add_test(tests, few_are_stolen_at_a_time);
    tcase_add_test(tests, stacks_with_too_few_are_left_alone);
    tcase_add_test(tests, who_has_no_stack_takes_one);
    tcase_add_test(tests, a_stack_serves_for_any_number);
    tcase_add_test(tests, a_stack_grows_up_to_its_most);
    tcase_add_test(tests, a_stack_without_memory_keeps_what_it_has);
    tcase_add_test(tests, what_is_kept_is_above_all_others);
    tcase_add_test(tests, what_is_kept_is_not_stolen);
    tcase_add_test(tests, what_is_kept_stays_without_memory);
    tcase_add_test(tests, a_list_for_all_is_a_stack);
    tcase_add_test(tests, threads_take_each_once);
    tcase_add_test(tests, others_with_short_launches_are_left_alone);
    tcase_add_test(tests, long_launches_are_told_of_again);
    tcase_add_test(tests, what_is_worth_it_depends_on_how_long_launches_take);
    tcase_add_test(tests, what_one_thread_frees_another_takes);
    tcase_add_test(tests, room_in_hand_is_room_of_the_queue);
    tcase_add_test(tests, small_queues_have_room_whatever_threads_have_in_hand);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
