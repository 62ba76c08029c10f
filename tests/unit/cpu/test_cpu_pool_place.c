// SPDX-License-Identifier: MIT
// Which CPU a worker that was woken goes on.
#include <check.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/time.h"
#include "devices/cpu/facts/cpu_topology.h"
#include "devices/cpu/pool/cpu_pool_place.h"
#include "support/fake_root.h"
#include "support/suite.h"

#define MS UINT64_C(1000000)

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

// What the system says: so many threads want to run.
static void put_running(unsigned running)
{
    char text[100];

    snprintf(text, sizeof(text), "0.20 0.18 0.12 %u/80 11206\n", running);
    put("/proc/loadavg", text);
}

static unsigned count_all(void)
{
    return (unsigned)CPU_COUNT_S(TF_CPU_SET_BYTES, &all.set);
}

static struct tf_pool_place place;

// Whether a worker on `cpu` moves, which waits at least so long before it does again.
static bool leaves(size_t cpu, uint64_t least_wait_ns)
{
    const uint64_t before_ns = tf_time_ns();
    bool moves;

    stay_on(cpu);
    use_all();
    moves = tf_place_leave(&place, (int)cpu, root);
    ck_assert_uint_ge(place.wait_ns, least_wait_ns);
    ck_assert_uint_ge(place.next_ns, before_ns + place.wait_ns);
    return moves;
}

START_TEST(who_was_woken_from_its_own_cpu_may_move)
{
    stay_on(first_cpu());
    tf_place_woken(&place);
    ck_assert(tf_place_is_shared(&place, 5 * MS));
    place.next_ns = 5 * MS + 1;
    ck_assert(!tf_place_is_shared(&place, 5 * MS));
    ck_assert(tf_place_is_shared(&place, 5 * MS + 1));
    place.waker_cpu++;
    ck_assert(!tf_place_is_shared(&place, 50 * MS));
    place.waker_cpu = -1;
    ck_assert(!tf_place_is_shared(&place, 50 * MS));
}
END_TEST

START_TEST(leaving_a_cpu_takes_none_away)
{
    const size_t cpu = first_cpu();
    bool is_left = count_all() < 2;
    union tf_cpu_set now;

    put_running(2);
    // On a busy machine the system may put it back at once.
    for (int tries = 0; tries < 20 && !is_left; tries++) {
        ck_assert(leaves(cpu, MS));
        is_left = sched_getcpu() != (int)cpu;
    }
    ck_assert(is_left);
    ck_assert(tf_cpu_topology_mask(&now));
    ck_assert(CPU_EQUAL_S(TF_CPU_SET_BYTES, &now.set, &all.set));
}
END_TEST

START_TEST(without_an_idle_cpu_nobody_moves)
{
    const size_t cpu = first_cpu();

    ck_assert(!leaves(cpu, MS)); // nothing is known
    put_running(count_all() + 1);
    ck_assert(!leaves(cpu, 2 * MS));
    put("/proc/loadavg", "nonsense\n");
    ck_assert(!leaves(cpu, 4 * MS));
    put("/proc/loadavg", "1 2 x/80\n");
    for (int i = 0; i < 5; i++)
        ck_assert(!leaves(cpu, 8 * MS));
    ck_assert_uint_eq(place.wait_ns, 32 * MS);
    place.wait_ns = 512 * MS; // moves took long
    ck_assert(!leaves(cpu, 512 * MS));
}
END_TEST

START_TEST(who_is_alone_stays)
{
    const size_t cpu = first_cpu();

    put_running(1);
    ck_assert(!leaves(cpu, MS));
}
END_TEST

START_TEST(who_may_use_one_cpu_stays)
{
    const size_t cpu = first_cpu();
    union tf_cpu_set now;

    stay_on(cpu);
    put("/proc/loadavg", "0 0 0 2/80 1\n");
    ck_assert(!tf_place_leave(&place, (int)cpu, root));
    ck_assert(tf_cpu_topology_mask(&now));
    ck_assert_int_eq(CPU_COUNT_S(TF_CPU_SET_BYTES, &now.set), 1);
    ck_assert_int_eq(sched_getcpu(), (int)cpu);
}
END_TEST

START_TEST(unknown_cpus_are_not_left)
{
    (void)first_cpu();
    put_running(2);
    ck_assert(!tf_place_leave(&place, -1, root));
    ck_assert(!tf_place_leave(&place, TF_CPU_MAX, root));
    ck_assert(!tf_place_leave(&place, TF_CPU_MAX - 1, root)); // none of its CPUs
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_pool_place");
    TCase *tcase = tcase_create("place");

    tcase_add_checked_fixture(tcase, make_root, remove_root);
    tcase_add_test(tcase, who_was_woken_from_its_own_cpu_may_move);
    tcase_add_test(tcase, leaving_a_cpu_takes_none_away);
    tcase_add_test(tcase, without_an_idle_cpu_nobody_moves);
    tcase_add_test(tcase, who_is_alone_stays);
    tcase_add_test(tcase, who_may_use_one_cpu_stays);
    tcase_add_test(tcase, unknown_cpus_are_not_left);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
