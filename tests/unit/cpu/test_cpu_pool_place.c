// SPDX-License-Identifier: MIT
// Which CPU a worker that was woken goes on.
#include <check.h>
#include <pthread.h>

#include "devices/cpu/facts/cpu_topology.h"
#include "devices/cpu/pool/cpu_pool_place.h"
#include "support/suite.h"

enum { MS = 1000000 };

static union tf_cpu_set all;

static void stay_on(size_t cpu)
{
    union tf_cpu_set one = {0};

    CPU_SET_S(cpu, TF_CPU_SET_BYTES, &one.set);
    ck_assert_int_eq(pthread_setaffinity_np(pthread_self(), TF_CPU_SET_BYTES, &one.set),
                     0);
}

static void use_all(void)
{
    ck_assert_int_eq(pthread_setaffinity_np(pthread_self(), TF_CPU_SET_BYTES, &all.set),
                     0);
}

static size_t first_cpu(void)
{
    size_t cpu = 0;

    ck_assert(tf_cpu_topology_mask(&all));
    while (!CPU_ISSET_S(cpu, TF_CPU_SET_BYTES, &all.set))
        cpu++;
    return cpu;
}

START_TEST(who_was_woken_from_its_own_cpu_moves)
{
    struct tf_pool_place place = {0};

    stay_on(first_cpu());
    tf_place_woken(&place);
    ck_assert(tf_place_is_shared(&place, 5 * MS));
    place.waker_cpu++;
    ck_assert(!tf_place_is_shared(&place, 50 * MS));
}
END_TEST

START_TEST(who_was_put_back_soon_stays_for_a_while)
{
    struct tf_pool_place place = {0};

    stay_on(first_cpu());
    tf_place_woken(&place);
    ck_assert(tf_place_is_shared(&place, 5 * MS));
    ck_assert(!tf_place_is_shared(&place, 5 * MS + 1));
    ck_assert(!tf_place_is_shared(&place, 5 * MS + MS / 2));
    ck_assert(tf_place_is_shared(&place, 7 * MS));
}
END_TEST

START_TEST(leaving_a_cpu_takes_none_away)
{
    const size_t cpu = first_cpu();
    bool is_left = CPU_COUNT_S(TF_CPU_SET_BYTES, &all.set) < 2;
    union tf_cpu_set now;

    // On a busy machine the system may put it back at once.
    for (int tries = 0; tries < 20 && !is_left; tries++) {
        stay_on(cpu);
        use_all();
        tf_place_leave((int)cpu);
        is_left = sched_getcpu() != (int)cpu;
    }
    ck_assert(is_left);
    ck_assert(tf_cpu_topology_mask(&now));
    ck_assert(CPU_EQUAL_S(TF_CPU_SET_BYTES, &now.set, &all.set));
}
END_TEST

START_TEST(who_may_use_one_cpu_stays)
{
    const size_t cpu = first_cpu();
    union tf_cpu_set now;

    stay_on(cpu);
    tf_place_leave((int)cpu);
    ck_assert(tf_cpu_topology_mask(&now));
    ck_assert_int_eq(CPU_COUNT_S(TF_CPU_SET_BYTES, &now.set), 1);
    ck_assert_int_eq(sched_getcpu(), (int)cpu);
}
END_TEST

START_TEST(unknown_cpus_are_not_left)
{
    struct tf_pool_place place = {.waker_cpu = -1};
    union tf_cpu_set now;

    (void)first_cpu();
    ck_assert(!tf_place_is_shared(&place, 5 * MS));
    tf_place_leave(-1);
    tf_place_leave(TF_CPU_MAX);
    ck_assert(tf_cpu_topology_mask(&now));
    ck_assert(CPU_EQUAL_S(TF_CPU_SET_BYTES, &now.set, &all.set));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_pool_place");
    TCase *tcase = tcase_create("place");

    tcase_add_test(tcase, who_was_woken_from_its_own_cpu_moves);
    tcase_add_test(tcase, who_was_put_back_soon_stays_for_a_while);
    tcase_add_test(tcase, leaving_a_cpu_takes_none_away);
    tcase_add_test(tcase, who_may_use_one_cpu_stays);
    tcase_add_test(tcase, unknown_cpus_are_not_left);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
