// SPDX-License-Identifier: MIT
// Stacks and fibers.
#include <check.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "devices/cpu/fiber/cpu_fiber.h"
#include "devices/cpu/fiber/cpu_stack.h"
#include "support/suite.h"

// Sanitizers turn the fault into an exit status of their own.
#if defined(__SANITIZE_THREAD__) || defined(__SANITIZE_ADDRESS__)
#define SANITIZED
#endif

enum { STACK_BYTES = 32 << 10, FIBERS = 50 };

// ---- Stacks ----

START_TEST(stacks_are_reused)
{
    struct tf_stack a, b;

    ck_assert(tf_stack_take(&a, 40000));
    ck_assert_uint_ge(a.bytes, 40000);
    memset(a.low, 1, a.bytes);
    b = a;
    tf_stack_give(&a);
    ck_assert_ptr_null(a.low);
    ck_assert(tf_stack_take(&a, 50000)); // of the same class
    ck_assert_ptr_eq(a.low, b.low);
    ck_assert_uint_eq(a.bytes, b.bytes);
    tf_stack_give(&a);
    tf_stack_give(&a); // empty: allowed
}
END_TEST

#ifndef SANITIZED
START_TEST(guard_page_faults)
{
    struct tf_stack a;

    ck_assert(tf_stack_take(&a, STACK_BYTES));
    ck_assert(a.guarded);
    *(volatile char *)(a.low - 1) = 1;
}
END_TEST
#endif

START_TEST(absurd_stack_is_refused)
{
    struct tf_stack a;

    ck_assert(!tf_stack_take(&a, SIZE_MAX));
    ck_assert_ptr_null(a.low);
    ck_assert(!tf_stack_take(&a, (size_t)1 << 40));
    ck_assert_uint_eq(tf_stack_class_bytes(SIZE_MAX), 0);
    ck_assert_uint_eq(tf_stack_class_bytes(1), 32 << 10);
    ck_assert_uint_eq(tf_stack_class_bytes((32 << 10) + 1), 64 << 10);
}
END_TEST

START_TEST(failed_allocation_is_told)
{
    struct tf_stack a;

    tf_alloc_fail_at(0);
    ck_assert(!tf_stack_take(&a, STACK_BYTES));
    tf_alloc_fail_at(-1);
    ck_assert_ptr_null(a.low);
    ck_assert(tf_stack_take(&a, STACK_BYTES));
    tf_stack_give(&a);
}
END_TEST

START_TEST(more_stacks_than_guards_are_possible)
{
    enum { COUNT = 12500 };
    static struct tf_stack many[COUNT];
    size_t guarded = 0;

    for (size_t i = 0; i < COUNT; i++) {
        ck_assert(tf_stack_take(&many[i], STACK_BYTES));
        guarded += many[i].guarded;
    }
    ck_assert_uint_lt(guarded, COUNT);
    ck_assert_uint_ge(guarded, 10000);
    for (size_t i = 0; i < COUNT; i++)
        tf_stack_give(&many[i]);
}
END_TEST

// ---- Fibers ----

struct traveller {
    struct tf_fiber fiber;
    struct tf_fiber *home;
    int turns;
    uintptr_t frame;
};

static void travel(void *arg)
{
    struct traveller *t = arg;

    for (;;) {
        char here;

        t->frame = (uintptr_t)&here;
        t->turns++;
        tf_fiber_switch(&t->fiber, t->home);
    }
}

START_TEST(fibers_continue_where_they_stopped)
{
    static struct traveller t[FIBERS];
    struct tf_fiber home;

    tf_fiber_init_thread(&home);
    for (size_t i = 0; i < FIBERS; i++) {
        ck_assert(tf_fiber_init(&t[i].fiber, STACK_BYTES, i, true, travel, &t[i]));
        t[i].home = &home;
    }
    for (int turn = 1; turn <= 20; turn++) {
        for (size_t i = 0; i < FIBERS; i++) {
            tf_fiber_switch(&home, &t[i].fiber);
            ck_assert_int_eq(t[i].turns, turn);
            ck_assert_uint_ge(t[i].frame, (uintptr_t)tf_fiber_stack_low(&t[i].fiber));
        }
    }
    for (size_t i = 0; i < FIBERS; i++)
        tf_fiber_finish(&t[i].fiber);
}
END_TEST

START_TEST(colours_move_the_frames)
{
    static struct traveller a, b;
    struct tf_fiber home;

    tf_fiber_init_thread(&home);
    ck_assert(tf_fiber_init(&a.fiber, STACK_BYTES, 0, true, travel, &a));
    ck_assert(tf_fiber_init(&b.fiber, STACK_BYTES, 3, true, travel, &b));
    a.home = b.home = &home;
    tf_fiber_switch(&home, &a.fiber);
    tf_fiber_switch(&home, &b.fiber);
    ck_assert_uint_ne(a.frame % 4096, b.frame % 4096);
    tf_fiber_finish(&a.fiber);
    tf_fiber_finish(&b.fiber);
}
END_TEST

START_TEST(restarted_fiber_begins_again)
{
    static struct traveller t;
    struct tf_fiber home;

    tf_fiber_init_thread(&home);
    ck_assert(tf_fiber_init(&t.fiber, STACK_BYTES, 0, true, travel, &t));
    t.home = &home;
    for (int i = 1; i <= 10; i++) {
        tf_fiber_switch(&home, &t.fiber);
        ck_assert_int_eq(t.turns, i);
        tf_fiber_restart(&t.fiber);
    }
    tf_fiber_finish(&t.fiber);
}
END_TEST

static void leave(void *arg)
{
    struct traveller *t = arg;

    t->turns++;
    tf_fiber_leave(&t->fiber, t->home);
}

START_TEST(fiber_leaves_for_good)
{
    static struct traveller t;
    struct tf_fiber home;

    tf_fiber_init_thread(&home);
    ck_assert(tf_fiber_init(&t.fiber, STACK_BYTES, 0, true, leave, &t));
    t.home = &home;
    tf_fiber_switch(&home, &t.fiber);
    ck_assert_int_eq(t.turns, 1);
    tf_fiber_restart(&t.fiber);
    tf_fiber_switch(&home, &t.fiber);
    ck_assert_int_eq(t.turns, 2);
    tf_fiber_finish(&t.fiber);
}
END_TEST

static struct traveller wanderer;

static void *resume_elsewhere(void *arg)
{
    struct tf_fiber home;

    (void)arg;
    tf_fiber_init_thread(&home);
    wanderer.home = &home;
    tf_fiber_switch(&home, &wanderer.fiber);
    return NULL;
}

START_TEST(fiber_moves_between_threads)
{
    ck_assert(tf_fiber_init(&wanderer.fiber, STACK_BYTES, 0, true, travel, &wanderer));
    for (int i = 1; i <= 5; i++) {
        pthread_t thread;

        ck_assert_int_eq(pthread_create(&thread, NULL, resume_elsewhere, NULL), 0);
        pthread_join(thread, NULL);
        ck_assert_int_eq(wanderer.turns, i);
    }
    tf_fiber_finish(&wanderer.fiber);
}
END_TEST

static uintptr_t misaligned_by;

// What generated code relies on: it stores whole vector registers to its stack.
static void look_at_alignment(void *arg)
{
    struct traveller *t = arg;

    misaligned_by = (uintptr_t)__builtin_frame_address(0) % 16;
    tf_fiber_leave(&t->fiber, t->home);
}

START_TEST(stack_of_a_fiber_is_aligned)
{
    static struct traveller t;
    struct tf_fiber home;

    tf_fiber_init_thread(&home);
    for (size_t colour = 0; colour < 4; colour++) {
        misaligned_by = 1;
        ck_assert(
            tf_fiber_init(&t.fiber, STACK_BYTES, colour, true, look_at_alignment, &t));
        t.home = &home;
        tf_fiber_switch(&home, &t.fiber);
        ck_assert_uint_eq(misaligned_by, 0);
        tf_fiber_finish(&t.fiber);
    }
}
END_TEST

static bool blocked_inside;

static void look_at_mask(void *arg)
{
    struct traveller *t = arg;
    sigset_t mask;

    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    blocked_inside = sigismember(&mask, SIGUSR1);
    tf_fiber_leave(&t->fiber, t->home);
}

// Both where switches keep a mask for each fiber and where they leave the thread's alone.
START_TEST(fiber_has_the_mask_of_its_thread)
{
    static struct traveller t;
    struct tf_fiber home;
    sigset_t mask;

    tf_fiber_init_thread(&home);
    ck_assert(tf_fiber_init(&t.fiber, STACK_BYTES, 0, true, look_at_mask, &t));
    t.home = &home;
    sigemptyset(&mask);
    sigaddset(&mask, SIGUSR1);
    pthread_sigmask(SIG_SETMASK, &mask, NULL);
    tf_fiber_set_mask(&t.fiber, &mask);
    tf_fiber_switch(&home, &t.fiber);
    ck_assert(blocked_inside);
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    ck_assert(sigismember(&mask, SIGUSR1));
    ck_assert(!sigismember(&mask, SIGUSR2));
    tf_fiber_finish(&t.fiber);
}
END_TEST

START_TEST(fiber_without_memory_is_empty)
{
    struct tf_fiber fiber;

    tf_alloc_fail_at(0);
    ck_assert(!tf_fiber_init(&fiber, STACK_BYTES, 0, true, travel, NULL));
    tf_alloc_fail_at(-1);
    ck_assert(!tf_fiber_init(&fiber, SIZE_MAX, 0, true, travel, NULL));
    tf_fiber_finish(&fiber); // allowed
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_fiber");
    TCase *tcase = tcase_create("stacks");

    tcase_add_test(tcase, stacks_are_reused);
#ifndef SANITIZED
    tcase_add_test_raise_signal(tcase, guard_page_faults, SIGSEGV);
#endif
    tcase_add_test(tcase, absurd_stack_is_refused);
    tcase_add_test(tcase, failed_allocation_is_told);
    tcase_add_test(tcase, more_stacks_than_guards_are_possible);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("fibers");
    tcase_add_test(tcase, fibers_continue_where_they_stopped);
    tcase_add_test(tcase, colours_move_the_frames);
    tcase_add_test(tcase, restarted_fiber_begins_again);
    tcase_add_test(tcase, fiber_leaves_for_good);
    tcase_add_test(tcase, fiber_moves_between_threads);
    tcase_add_test(tcase, stack_of_a_fiber_is_aligned);
    tcase_add_test(tcase, fiber_has_the_mask_of_its_thread);
    tcase_add_test(tcase, fiber_without_memory_is_empty);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
