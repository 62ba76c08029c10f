// SPDX-License-Identifier: MIT
// Sub-devices of the CPU device: where their commands run, and their life.
#include "device/cpu_rig.h"

#include <sys/wait.h>

#include "devices/cpu/facts/cpu_topology.h"
#include "support/forks.h"
#include "support/limits.h"

enum { MAX_UNITS = 64 };

static struct tf_device *whole;

static struct tf_device *sub_device(const uint32_t *units, uint32_t count)
{
    struct tf_device *sub = NULL;
    struct tf_err err = {0};

    ck_assert_int_eq(whole->ops->sub_device_new(&err, whole, units, count, &sub),
                     CL_SUCCESS);
    ck_assert_ptr_nonnull(sub);
    ck_assert_uint_eq(sub->info->compute_units, count);
    return sub;
}

static struct tf_device *sub_device_of_unit(uint32_t unit)
{
    return sub_device(&unit, 1);
}

// From here on the rig's functions are about the sub-device.
static void use_sub(struct tf_device *sub)
{
    rig_use(sub);
}

static void use_whole(unsigned threads)
{
    use(threads);
    whole = rig.dev;
}

static void stop_using(struct tf_device *sub)
{
    sub->ops->close(sub);
    sub->ops->sub_device_free(sub);
    rig.dev = whole;
}

// The CPU that all groups of a launch ran on, or -1 if they ran on several.
static long only_cpu(const struct scene *s, size_t groups)
{
    ck_assert_int_eq(scene_run(s, 0, 0, groups, 1), CL_COMPLETE);
    for (size_t i = 1; i < groups; i++)
        if (s->data[i] != s->data[0])
            return -1;
    return s->data[0];
}

START_TEST(commands_stay_on_the_cpus_of_the_sub_device)
{
    union tf_cpu_set cpus;
    long seen[MAX_UNITS];
    uint32_t count;
    struct scene s;

    ck_assert(tf_cpu_topology_mask(&cpus));
    count = (uint32_t)CPU_COUNT_S(TF_CPU_SET_BYTES, &cpus.set);
    if (count > MAX_UNITS)
        count = MAX_UNITS;
    use_whole(count);
    s = scene_begin("kernel where", 100);
    for (uint32_t unit = 0; unit < count; unit++) {
        use_sub(sub_device_of_unit(unit));
        seen[unit] = only_cpu(&s, 100);
        ck_assert_int_ge(seen[unit], 0);
        for (uint32_t other = 0; other < unit; other++)
            ck_assert_int_ne(seen[unit], seen[other]);
        stop_using(rig.dev);
    }
    scene_end(&s);
}
END_TEST

// The workers of a device are not where the thread is that was the first to submit.
START_TEST(whole_device_ignores_the_mask_of_who_submits)
{
    union tf_cpu_set one = {0}, before;
    struct scene s;
    unsigned on_cpu[2] = {0};

    use_whole(2);
    s = scene_begin("kernel where", 200);
    ck_assert(tf_cpu_topology_mask(&before));
    if (CPU_COUNT_S(TF_CPU_SET_BYTES, &before.set) > 1) {
        size_t cpu = 0;

        while (!CPU_ISSET_S(cpu, TF_CPU_SET_BYTES, &before.set))
            cpu++;
        CPU_SET_S(cpu, TF_CPU_SET_BYTES, &one.set);
        ck_assert_int_eq(sched_setaffinity(0, TF_CPU_SET_BYTES, &one.set), 0);
        // The system spreads them sooner or later.
        while (!on_cpu[0] || !on_cpu[1]) {
            ck_assert_int_eq(scene_run(&s, 0, 0, 200, 1), CL_COMPLETE);
            for (int i = 0; i < 200; i++)
                on_cpu[s.data[i] == cpu]++;
        }
    }
    scene_end(&s);
}
END_TEST

START_TEST(sub_devices_work_at_the_same_time)
{
    struct tf_device *subs[2];
    struct rig_command c[2];
    struct scene s[2];

    use_whole(2);
    for (uint32_t i = 0; i < 2; i++) {
        subs[i] = sub_device_of_unit(i);
        use_sub(subs[i]);
        s[i] = scene_begin("kernel spin", 2);
        scene_kernel(&s[i], &c[i], 0, 0, 1, 1);
        rig_submit(&c[i]);
    }
    for (int i = 0; i < 2; i++)
        while (!__atomic_load_n(&s[i].data[0], __ATOMIC_SEQ_CST))
            usleep(100);
    for (int i = 0; i < 2; i++) {
        ck_assert(!rig_is_finished(&c[i]));
        __atomic_store_n(&s[i].data[1], 1, __ATOMIC_SEQ_CST);
        rig_wait(&c[i]);
        scene_end(&s[i]);
        stop_using(subs[i]);
    }
}
END_TEST

START_TEST(sub_device_may_be_divided_again)
{
    const uint32_t units[] = {1, 2, 3};
    struct tf_device *middle, *inner;
    struct scene s;

    use_whole(4);
    middle = sub_device(units, 3);
    use_sub(middle);
    whole = middle;
    inner = sub_device_of_unit(2);
    use_sub(inner);
    s = scene_begin("kernel add", 10);
    ck_assert_int_eq(scene_run(&s, 0, 3, 10, 1), CL_COMPLETE);
    ck_assert_uint_eq(s.data[9], 3);
    scene_end(&s);
    stop_using(inner);
    stop_using(middle);
}
END_TEST

START_TEST(unused_sub_device_is_freed)
{
    const uint32_t units[] = {0, 1};
    struct tf_device *sub;

    use_whole(2);
    sub = sub_device(units, 2);
    sub->ops->sub_device_free(sub); // it was never opened
    sub = sub_device(units, 2);
    use_sub(sub);
    stop_using(sub); // it has no worker
}
END_TEST

// Their threads end with them: many more than a process may have.
START_TEST(many_sub_devices_come_and_go)
{
    struct scene s;

    use_whole(2);
    s = scene_begin("kernel add", 10);
    for (uint32_t i = 1; i <= 2000; i++) {
        use_sub(sub_device_of_unit(i % 2));
        ck_assert_int_eq(scene_run(&s, 0, 1, 10, 5), CL_COMPLETE);
        ck_assert_uint_eq(s.data[9], i);
        stop_using(rig.dev);
    }
    scene_end(&s);
}
END_TEST

START_TEST(memory_may_run_out)
{
    const uint32_t units[] = {0, 1};
    struct tf_device *sub = NULL;
    struct tf_err err;
    cl_int code;

    use_whole(2);
    for (int n = 0;; n++) {
        err = (struct tf_err){0};
        tf_alloc_fail_at(n);
        code = OPS->sub_device_new(&err, rig.dev, units, 2, &sub);
        tf_alloc_fail_at(-1);
        if (code == CL_SUCCESS)
            break;
        ck_assert_int_eq(code, CL_OUT_OF_HOST_MEMORY);
        ck_assert_ptr_null(sub);
        ck_assert_int_lt(n, 20);
    }
    err = (struct tf_err){0};
    tf_alloc_fail_at(0);
    code = OPS->open(&err, sub);
    tf_alloc_fail_at(-1);
    ck_assert_int_eq(code, CL_OUT_OF_HOST_MEMORY);
    sub->ops->sub_device_free(sub);
}
END_TEST

START_TEST(forked_child_uses_and_frees_the_parents_sub_device)
{
    struct scene s;
    int status;
    pid_t pid;

    use_whole(2);
    s = scene_begin("kernel add", 10);
    use_sub(sub_device_of_unit(1));
    ck_assert_int_eq(scene_run(&s, 0, 1, 10, 5), CL_COMPLETE);
    pid = tf_fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        alarm(TEST_LIMIT_S);
        whole->ops->forked(whole);
        ck_assert_int_eq(scene_run(&s, 0, 1, 10, 5), CL_COMPLETE);
        ck_assert_uint_eq(s.data[9], 2);
        stop_using(rig.dev);
        ck_assert_int_eq(scene_run(&s, 0, 1, 10, 5), CL_COMPLETE);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    stop_using(rig.dev);
    scene_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_sub_device");
    TCase *tcase = tcase_create("sub_device");

    tcase_add_test(tcase, commands_stay_on_the_cpus_of_the_sub_device);
    tcase_add_test(tcase, whole_device_ignores_the_mask_of_who_submits);
    tcase_add_test(tcase, sub_devices_work_at_the_same_time);
    tcase_add_test(tcase, sub_device_may_be_divided_again);
    tcase_add_test(tcase, unused_sub_device_is_freed);
    tcase_add_test(tcase, many_sub_devices_come_and_go);
    tcase_add_test(tcase, memory_may_run_out);
    tcase_add_test(tcase, forked_child_uses_and_frees_the_parents_sub_device);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
