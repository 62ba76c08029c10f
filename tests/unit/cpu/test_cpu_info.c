// SPDX-License-Identifier: MIT
#include <check.h>
#include <string.h>

#include "devices/cpu/facts/cpu_info.h"
#include "support/fake_root.h"
#include "support/suite.h"

START_TEST(threads_that_want_to_run_are_counted)
{
    ck_assert_uint_eq(tf_cpu_info_running(root), 0);
    put("/proc/loadavg", "0.20 0.18 0.12 12/80 11206\n");
    ck_assert_uint_eq(tf_cpu_info_running(root), 12);
    put("/proc/loadavg", "0.20 0.18\n");
    ck_assert_uint_eq(tf_cpu_info_running(root), 0);
    ck_assert_uint_gt(tf_cpu_info_running(""), 0); // this one
}
END_TEST

START_TEST(without_files_there_is_no_limit)
{
    ck_assert_uint_eq(tf_cpu_info_quota(root), 0);
    ck_assert_uint_eq(tf_cpu_info_memory_limit(root), UINT64_MAX);
}
END_TEST

START_TEST(quota_of_version_2_rounds_up)
{
    put("/proc/self/cgroup", "0::/a/b\n");
    put("/sys/fs/cgroup/a/b/cpu.max", "250000 100000\n");
    ck_assert_uint_eq(tf_cpu_info_quota(root), 3);
    put("/sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    ck_assert_uint_eq(tf_cpu_info_quota(root), 0);
    put("/sys/fs/cgroup/a/b/cpu.max", "5000 100000\n");
    ck_assert_uint_eq(tf_cpu_info_quota(root), 1);
}
END_TEST

START_TEST(the_tightest_group_counts)
{
    put("/proc/self/cgroup", "0::/a/b\n");
    put("/sys/fs/cgroup/a/b/cpu.max", "800000 100000\n");
    put("/sys/fs/cgroup/a/cpu.max", "400000 100000\n");
    ck_assert_uint_eq(tf_cpu_info_quota(root), 4);
    put("/sys/fs/cgroup/a/b/memory.max", "max\n");
    put("/sys/fs/cgroup/a/memory.max", "123456789\n");
    ck_assert_uint_eq(tf_cpu_info_memory_limit(root), 123456789);
}
END_TEST

// In a container the group that /proc names lies outside the mounted tree.
START_TEST(top_of_a_container_counts)
{
    put("/proc/self/cgroup", "0::/docker/0123456789abcdef\n");
    put("/sys/fs/cgroup/cpu.max", "200000 100000\n");
    ck_assert_uint_eq(tf_cpu_info_quota(root), 2);
}
END_TEST

START_TEST(quota_of_version_1)
{
    put("/proc/self/cgroup", "7:memory:/m\n4:cpu,cpuacct:/c\n1:name=systemd:/\n");
    put("/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "150000\n");
    put("/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_period_us", "50000\n");
    put("/sys/fs/cgroup/memory/m/memory.limit_in_bytes", "5000000\n");
    ck_assert_uint_eq(tf_cpu_info_quota(root), 3);
    ck_assert_uint_eq(tf_cpu_info_memory_limit(root), 5000000);
    put("/sys/fs/cgroup/cpu,cpuacct/c/cpu.cfs_quota_us", "-1\n");
    ck_assert_uint_eq(tf_cpu_info_quota(root), 0);
}
END_TEST

START_TEST(nonsense_is_no_limit)
{
    const char *const texts[] = {
        "", "\n", "x y\n", "-5 100000\n", "5 0\n", "99999999999999 1"};

    put("/proc/self/cgroup", "0::/a\nrubbish\n::\n");
    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        put("/sys/fs/cgroup/a/cpu.max", texts[i]);
        ck_assert_uint_eq(tf_cpu_info_quota(root), 0);
    }
}
END_TEST

START_TEST(levels_rise)
{
    size_t count;
    const struct tf_arch_level *levels = tf_arch_levels(&count);

    ck_assert_uint_ge(count, 1);
    for (size_t i = 1; i < count; i++)
        ck_assert_uint_ge(levels[i].vector_bits, levels[i - 1].vector_bits);
}
END_TEST

START_TEST(setting_caps_the_level)
{
    size_t count;
    const struct tf_arch_level *levels = tf_arch_levels(&count);
    const unsigned highest = (unsigned)count - 1;

    ck_assert_uint_eq(tf_cpu_info_pick_level(highest, NULL), highest);
    ck_assert_uint_eq(tf_cpu_info_pick_level(highest, levels[0].name), 0);
    ck_assert_uint_eq(tf_cpu_info_pick_level(0, levels[highest].name), 0);
    ck_assert_uint_eq(tf_cpu_info_pick_level(highest, "mmx"), highest);
}
END_TEST

START_TEST(processor_says_what_it_is)
{
    struct tf_arch_facts facts;
    size_t count;

    tf_arch_probe(&facts);
    tf_arch_levels(&count);
    ck_assert_uint_lt(facts.level, count);
    ck_assert_uint_lt(strlen(facts.brand), sizeof(facts.brand));
#if defined(__x86_64__)
    ck_assert_uint_eq(strlen(facts.vendor), 12);
    ck_assert_int_eq(facts.level >= 2, __builtin_cpu_supports("x86-64-v3") != 0);
    ck_assert_int_eq(facts.level >= 3, __builtin_cpu_supports("x86-64-v4") != 0);
#endif
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_info");
    TCase *tcase = tcase_create("control groups");

    tcase_add_checked_fixture(tcase, make_root, remove_root);
    tcase_add_test(tcase, threads_that_want_to_run_are_counted);
    tcase_add_test(tcase, without_files_there_is_no_limit);
    tcase_add_test(tcase, quota_of_version_2_rounds_up);
    tcase_add_test(tcase, the_tightest_group_counts);
    tcase_add_test(tcase, top_of_a_container_counts);
    tcase_add_test(tcase, quota_of_version_1);
    tcase_add_test(tcase, nonsense_is_no_limit);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("processor");
    tcase_add_test(tcase, levels_rise);
    tcase_add_test(tcase, setting_caps_the_level);
    tcase_add_test(tcase, processor_says_what_it_is);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
