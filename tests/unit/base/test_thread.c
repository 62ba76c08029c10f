// SPDX-License-Identifier: MIT
#include "base/thread.h"

#include <fenv.h>
#include <limits.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/suite.h"

static struct tf_mutex queue_lock, event_lock, second_event_lock;
static struct tf_cond changed;

static void setup(void)
{
    tf_mutex_init(&queue_lock, TF_RANK_QUEUE);
    tf_mutex_init(&event_lock, TF_RANK_EVENT);
    tf_mutex_init(&second_event_lock, TF_RANK_EVENT);
    tf_cond_init(&changed);
}

START_TEST(locks_are_taken_in_rising_rank)
{
    tf_lock(&queue_lock);
    tf_lock(&event_lock);
    tf_unlock(&queue_lock); // in any order
    tf_unlock(&event_lock);
    tf_assert_no_locks();
    tf_lock(&event_lock);
    tf_unlock(&event_lock);
    tf_lock(&queue_lock);
    tf_unlock(&queue_lock);
    tf_assert_no_locks();
}
END_TEST

#ifdef TF_DEBUG
START_TEST(falling_rank_aborts)
{
    tf_lock(&event_lock);
    tf_lock(&queue_lock);
    exit(0);
}
END_TEST

START_TEST(equal_rank_aborts)
{
    tf_lock(&event_lock);
    tf_lock(&second_event_lock);
    exit(0);
}
END_TEST

START_TEST(held_lock_before_user_code_aborts)
{
    tf_lock(&event_lock);
    tf_assert_no_locks();
    exit(0);
}
END_TEST
#endif

static atomic_int state;

static void *started(void *arg)
{
    sigset_t mask;
    char name[16];

    tf_lock(&event_lock);
    pthread_getname_np(pthread_self(), name, sizeof(name));
    pthread_sigmask(SIG_SETMASK, NULL, &mask);
    atomic_store(&state, !strcmp(name, "trefoil-test") && sigismember(&mask, SIGINT) &&
                                 sigismember(&mask, SIGTERM) && arg == &state
                             ? 1
                             : 2);
    tf_cond_signal_all(&changed);
    tf_unlock(&event_lock);
    return NULL;
}

START_TEST(thread_has_its_name_and_no_signals)
{
    sigset_t before, after;

    pthread_sigmask(SIG_SETMASK, NULL, &before);
    ck_assert(tf_thread_start("trefoil-test", 1 << 20, started, &state));
    pthread_sigmask(SIG_SETMASK, NULL, &after);
    ck_assert_int_eq(sigismember(&before, SIGINT), sigismember(&after, SIGINT));
    tf_lock(&event_lock);
    while (atomic_load(&state) == 0)
        tf_cond_wait(&changed, &event_lock);
    tf_unlock(&event_lock);
    ck_assert_int_eq(atomic_load(&state), 1);
}
END_TEST

struct signal_state {
    sigset_t mask;
    stack_t stack;
    char *frame;
};

static void *note_signals(void *arg)
{
    struct signal_state *out = arg;

    pthread_sigmask(SIG_SETMASK, NULL, &out->mask);
    sigaltstack(NULL, &out->stack);
    out->frame = __builtin_frame_address(0);
    return NULL;
}

// A blocked one would end the process past the application's handler.
START_TEST(signals_of_a_threads_own_mistakes_are_not_blocked)
{
    static const int own[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGTRAP, SIGSYS};
    static const int others[] = {SIGABRT, SIGINT,  SIGTERM, SIGHUP,  SIGCHLD, SIGALRM,
                                 SIGPROF, SIGUSR1, SIGPIPE, SIGXCPU, SIGQUIT};
    struct signal_state seen = {0};

    ck_assert(tf_thread_run("trefoil-test", 1 << 20, note_signals, &seen));
    for (size_t i = 0; i < sizeof(own) / sizeof(*own); i++)
        ck_assert_int_eq(sigismember(&seen.mask, own[i]), 0);
    for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++)
        ck_assert_int_eq(sigismember(&seen.mask, others[i]), 1);
    for (int i = SIGRTMIN; i <= SIGRTMAX; i++)
        ck_assert_int_eq(sigismember(&seen.mask, i), 1);
}
END_TEST

// Whatever its own size is.
START_TEST(threads_have_a_stack_for_handlers)
{
    const size_t sizes[] = {0, PTHREAD_STACK_MIN, 1 << 20};

    for (size_t i = 0; i < sizeof(sizes) / sizeof(*sizes); i++) {
        struct signal_state seen = {0};
        char *low;

        ck_assert(tf_thread_run("trefoil-test", sizes[i], note_signals, &seen));
        low = seen.stack.ss_sp;
        ck_assert_int_eq(seen.stack.ss_flags, 0);
        ck_assert_uint_ge(seen.stack.ss_size, SIGSTKSZ);
        ck_assert(seen.frame < low || seen.frame >= low + seen.stack.ss_size);
    }
}
END_TEST

START_TEST(stack_of_a_thread_that_has_one_stays)
{
    char *const own = malloc(TF_HANDLER_STACK_BYTES);
    static char offered[TF_HANDLER_STACK_BYTES];
    const stack_t before = {.ss_sp = own, .ss_size = TF_HANDLER_STACK_BYTES},
                  none = {.ss_flags = SS_DISABLE};
    stack_t sanitizers, after;

    ck_assert_int_eq(sigaltstack(&before, &sanitizers), 0);
    ck_assert(!tf_handler_stack_offer(offered));
    sigaltstack(&none, &after);
    ck_assert_ptr_eq(after.ss_sp, own);
    ck_assert(tf_handler_stack_offer(offered));
    sigaltstack(NULL, &after);
    ck_assert_ptr_eq(after.ss_sp, offered);
    tf_handler_stack_withdraw();
    sigaltstack(NULL, &after);
    ck_assert_int_eq(after.ss_flags, SS_DISABLE);
    sigaltstack(&sanitizers, NULL);
    free(own);
}
END_TEST

static void *set_late(void *arg)
{
    usleep(20000);
    *(int *)arg = 1; // seen without a lock: the thread has ended
    return NULL;
}

START_TEST(thread_that_is_run_has_ended)
{
    int value = 0;

    ck_assert(tf_thread_run("trefoil-test", 1 << 20, set_late, &value));
    ck_assert_int_eq(value, 1);
}
END_TEST

static void *note_floats(void *arg)
{
    int *modes = arg;

    modes[0] = fegetround();
    modes[1] = fegetexcept();
    return NULL;
}

// What the application set for its own thread is not for ours.
START_TEST(threads_begin_with_default_floats)
{
    int modes[2] = {-1, -1};

    fesetround(FE_UPWARD);
    feenableexcept(FE_DIVBYZERO);
    ck_assert(tf_thread_run("trefoil-test", 0, note_floats, modes));
    ck_assert_int_eq(modes[0], FE_TONEAREST);
    ck_assert_int_eq(modes[1], 0);
    ck_assert_int_eq(fegetround(), FE_UPWARD);
    ck_assert_int_eq(fegetexcept(), FE_DIVBYZERO);
}
END_TEST

START_TEST(thread_without_memory_does_not_start)
{
    tf_alloc_fail_at(0);
    ck_assert(!tf_thread_start("trefoil-test", 0, started, NULL));
    tf_alloc_fail_at(0);
    ck_assert(!tf_thread_run("trefoil-test", 0, started, NULL));
}
END_TEST

// ASan takes the frames that a cancelled thread has left for faults.
#ifndef __SANITIZE_ADDRESS__
static struct tf_mutex own_lock;
static struct tf_cond own_changed;
static atomic_int passed;

static void write_byte(int fd)
{
    TF_UNCANCELLED;

    ck_assert_int_eq(write(fd, "", 1), 1);
}

// Cancelled before it begins; what it comes to is counted.
static void *cancelled(void *arg)
{
    const int *ends = arg;
    char byte;

    pthread_setcancelstate(PTHREAD_CANCEL_ENABLE, NULL);
    pthread_cancel(pthread_self());
    {
        TF_UNCANCELLED;

        write_byte(ends[1]); // a block in a block
        ck_assert_int_eq(read(ends[0], &byte, 1), 1);
        atomic_fetch_add(&passed, 1);
    }
    tf_lock(&own_lock);
    while (atomic_load(&passed) < 2)
        tf_cond_wait(&own_changed, &own_lock);
    tf_unlock(&own_lock);
    atomic_fetch_add(&passed, 1);
    pthread_testcancel();
    atomic_fetch_add(&passed, 100);
    return NULL;
}

START_TEST(cancelling_acts_behind_the_block)
{
    pthread_t thread;
    void *end = NULL;
    int ends[2];

    tf_mutex_init(&own_lock, TF_RANK_LEAF);
    tf_cond_init(&own_changed);
    ck_assert_int_eq(pipe(ends), 0);
    ck_assert_int_eq(pthread_create(&thread, NULL, cancelled, ends), 0);
    while (atomic_load(&passed) < 1)
        usleep(1000);
    usleep(10000);
    tf_lock(&own_lock); // nobody took it along
    atomic_fetch_add(&passed, 1);
    tf_cond_signal_all(&own_changed);
    tf_unlock(&own_lock);
    ck_assert_int_eq(pthread_join(thread, &end), 0);
    ck_assert_ptr_eq(end, PTHREAD_CANCELED);
    ck_assert_int_eq(atomic_load(&passed), 3);
    close(ends[0]);
    close(ends[1]);
}
END_TEST
#endif

int main(void)
{
    Suite *suite = suite_create("thread");
    TCase *tcase = tcase_create("thread");

    tcase_add_checked_fixture(tcase, setup, NULL);
    tcase_add_test(tcase, locks_are_taken_in_rising_rank);
#ifdef TF_DEBUG
    tcase_add_test_raise_signal(tcase, falling_rank_aborts, SIGABRT);
    tcase_add_test_raise_signal(tcase, equal_rank_aborts, SIGABRT);
    tcase_add_test_raise_signal(tcase, held_lock_before_user_code_aborts, SIGABRT);
#endif
    tcase_add_test(tcase, thread_has_its_name_and_no_signals);
    tcase_add_test(tcase, signals_of_a_threads_own_mistakes_are_not_blocked);
    tcase_add_test(tcase, threads_have_a_stack_for_handlers);
    tcase_add_test(tcase, stack_of_a_thread_that_has_one_stays);
    tcase_add_test(tcase, thread_that_is_run_has_ended);
    tcase_add_test(tcase, threads_begin_with_default_floats);
    tcase_add_test(tcase, thread_without_memory_does_not_start);
#ifndef __SANITIZE_ADDRESS__
    tcase_add_test(tcase, cancelling_acts_behind_the_block);
#endif
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
