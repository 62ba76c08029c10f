// SPDX-License-Identifier: MIT
#include "base/time.h"

#include <pthread.h>
#include <unistd.h>

#include "support/suite.h"

enum { SLEEP_US = 20000 };

START_TEST(clock_does_not_go_back)
{
    uint64_t last_ns = tf_time_ns();

    for (int i = 0; i < 100000; i++) {
        const uint64_t now_ns = tf_time_ns();

        ck_assert_uint_ge(now_ns, last_ns);
        last_ns = now_ns;
    }
}
END_TEST

START_TEST(clock_counts_nanoseconds_of_sleep)
{
    const uint64_t start_ns = tf_time_ns();

    usleep(SLEEP_US);
    ck_assert_uint_ge(tf_time_ns() - start_ns, SLEEP_US * 1000ull);
    ck_assert_uint_lt(tf_time_ns() - start_ns, 60 * 1000000000ull);
}
END_TEST

static void *use_processor(void *arg)
{
    const uint64_t start_ns = tf_time_cpu_ns();

    (void)arg;
    while (tf_time_cpu_ns() - start_ns < SLEEP_US * 1000ull)
        ;
    return NULL;
}

// Neither sleep nor the work of other threads is time of this thread's processor.
START_TEST(processor_time_is_that_of_the_thread)
{
    const uint64_t start_ns = tf_time_cpu_ns();
    pthread_t thread;

    pthread_create(&thread, NULL, use_processor, NULL);
    pthread_join(thread, NULL);
    usleep(SLEEP_US);
    ck_assert_uint_lt(tf_time_cpu_ns() - start_ns, SLEEP_US * 1000ull);
    use_processor(NULL);
    ck_assert_uint_ge(tf_time_cpu_ns() - start_ns, SLEEP_US * 1000ull);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("time");
    TCase *tcase = tcase_create("time");

    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, clock_does_not_go_back);
    tcase_add_test(tcase, clock_counts_nanoseconds_of_sleep);
    tcase_add_test(tcase, processor_time_is_that_of_the_thread);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
