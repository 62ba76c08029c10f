// SPDX-License-Identifier: MIT
// Workers of the CPU device do not stay on the CPU of the thread that wakes them, and may
// use all of theirs nevertheless.
#include "device/cpu_rig.h"

#include <pthread.h>

// The calling thread stays on one CPU.
static void stay_on(unsigned cpu)
{
    cpu_set_t one;

    CPU_ZERO(&one);
    CPU_SET(cpu, &one);
    ck_assert_int_eq(pthread_setaffinity_np(pthread_self(), sizeof(one), &one), 0);
}

static unsigned count_cpus(void)
{
    cpu_set_t now;

    ck_assert_int_eq(pthread_getaffinity_np(pthread_self(), sizeof(now), &now), 0);
    return (unsigned)CPU_COUNT(&now);
}

// Puts the worker on one CPU, which it may leave.
static void stay(const struct tf_launch *launch, struct tf_worker *worker,
                 const tf_u64 first[3], tf_u64 count)
{
    cpu_set_t own;

    (void)worker, (void)first, (void)count;
    ck_assert_int_eq(pthread_getaffinity_np(pthread_self(), sizeof(own), &own), 0);
    stay_on(((const struct fake_args *)launch->args)->value);
    ck_assert_int_eq(pthread_setaffinity_np(pthread_self(), sizeof(own), &own), 0);
}

// data[0] = the CPU of the worker, data[1] = how many it may use.
static void place(const struct tf_launch *launch, struct tf_worker *worker,
                  const tf_u64 first[3], tf_u64 count)
{
    const struct fake_args *args = launch->args;

    (void)worker, (void)first, (void)count;
    args->data[0] = (uint32_t)sched_getcpu();
    args->data[1] = count_cpus();
}

static const struct fake_kernel own_kernels[] = {
    {"stay", stay, TF_WG_LOOPS, 4096, 0, 0, 0, {0, 0}, NULL},
    {"place", place, TF_WG_LOOPS, 4096, 0, 0, 0, {0, 0}, NULL},
};

// The waiting thread keeps its CPU: where it slept, the system could put the worker
// there.
static void run_and_spin(const struct scene *s, unsigned index, uint32_t value)
{
    struct rig_command c;

    scene_kernel(s, &c, index, value, 1, 1);
    rig_submit(&c);
    while (!rig_is_finished(&c))
        continue;
    rig_wait(&c);
    ck_assert_int_eq(c.status, CL_COMPLETE);
}

// Threads of the whole system that want to run.
static unsigned count_running(void)
{
    unsigned running = 0;
    FILE *f = fopen("/proc/loadavg", "re");

    if (f && fscanf(f, "%*s %*s %*s %u", &running) != 1)
        running = 0;
    if (f)
        fclose(f);
    return running;
}

START_TEST(woken_workers_leave_the_cpu_to_who_woke_them)
{
    enum { ROUNDS = 40, QUIET = 30, LEAST = 3 };
    const unsigned cpus = count_cpus();
    const unsigned cpu = (unsigned)sched_getcpu();
    unsigned left = 0, quiet = 0;
    struct scene s;

    use(1);
    fake_compiler_define(own_kernels, sizeof(own_kernels) / sizeof(own_kernels[0]));
    s = scene_begin("kernel stay kernel place", 2);
    stay_on(cpu);
    for (int round = 0; round < ROUNDS; round++) {
        bool is_quiet;

        run_and_spin(&s, 0, cpu);
        usleep(20000); // it sleeps, and has not moved for long
        is_quiet = count_running() == 1;
        run_and_spin(&s, 1, 0);
        is_quiet &= count_running() == 1;
        quiet += is_quiet;
        left += s.data[0] != cpu;
        ck_assert_uint_eq(s.data[1], cpus);
    }
    // Where others run it may stay, or be put back at once; where it takes long to move
    // it does so seldom.
    if (cpus > 1 && quiet >= QUIET)
        ck_assert_uint_ge(left, LEAST);
    scene_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_place");
    TCase *tcase = tcase_create("place");

    tcase_add_test(tcase, woken_workers_leave_the_cpu_to_who_woke_them);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
