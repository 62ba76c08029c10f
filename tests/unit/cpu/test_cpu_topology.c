// SPDX-License-Identifier: MIT
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/cpu/facts/cpu_topology.h"
#include "support/fake_root.h"
#include "support/suite.h"

// Writes a file of /sys/devices/system.
static void put_system(const char *path, const char *text)
{
    char full[300];

    snprintf(full, sizeof(full), "/sys/devices/system/%s", path);
    put(full, text);
}

static void put_cache(unsigned cpu, unsigned index, const char *level, const char *type,
                      const char *shared)
{
    const char *const files[] = {"level", "type", "shared_cpu_list"};
    const char *const texts[] = {level, type, shared};
    char path[100];

    for (int i = 0; i < 3; i++) {
        snprintf(path, sizeof(path), "cpu/cpu%u/cache/index%u/%s", cpu, index, files[i]);
        put_system(path, texts[i]);
    }
}

// Two nodes of two L3 of two cores of two threads; threads of a core are n and n + 8.
static void put_machine(void)
{
    put_system("node/online", "0-1\n");
    put_system("node/node0/cpulist", "0-3,8-11\n");
    put_system("node/node1/cpulist", "4-7,12-15\n");
    for (unsigned cpu = 0; cpu < 16; cpu++) {
        const unsigned core = cpu % 8, cluster = core / 2 * 2;
        char one[20], two[20];

        snprintf(one, sizeof(one), "%u,%u\n", core, core + 8);
        snprintf(two, sizeof(two), "%u-%u,%u-%u\n", cluster, cluster + 1, cluster + 8,
                 cluster + 9);
        put_cache(cpu, 0, "1\n", "Data\n", one);
        put_cache(cpu, 1, "1\n", "Instruction\n", "0-15\n");
        put_cache(cpu, 2, "2\n", "Unified\n", one);
        put_cache(cpu, 3, "3\n", "Unified\n", two);
    }
}

static union tf_cpu_set mask_of(uint64_t bits)
{
    union tf_cpu_set mask = {0};

    for (size_t i = 0; i < 64; i++)
        if (bits >> i & 1)
            CPU_SET_S(i, TF_CPU_SET_BYTES, &mask.set);
    return mask;
}

static void get_units(uint64_t bits, struct tf_cpu_unit *units, uint32_t count)
{
    const union tf_cpu_set mask = mask_of(bits);

    ck_assert(tf_cpu_topology_units(root, &mask, units, count));
}

static void check_domains(const struct tf_cpu_unit *units, uint32_t count,
                          enum tf_cpu_level level, uint32_t domains, const char *expected)
{
    uint32_t of_unit[64];

    ck_assert_uint_eq(tf_cpu_topology_domains(units, count, level, of_unit), domains);
    for (uint32_t i = 0; i < count && domains > 0; i++)
        ck_assert_uint_eq(of_unit[i], (uint32_t)(expected[i] - '0'));
}

START_TEST(neighbours_share_caches)
{
    const uint32_t cpus[] = {0, 8, 1, 9, 2, 10, 3, 11, 4, 12, 5, 13, 6, 14, 7, 15};
    struct tf_cpu_unit units[16];

    put_machine();
    get_units(0xffff, units, 16);
    for (int i = 0; i < 16; i++)
        ck_assert_uint_eq(units[i].cpu, cpus[i]);
    check_domains(units, 16, TF_CPU_NODE, 2, "0000000011111111");
    check_domains(units, 16, TF_CPU_L4, 0, "");
    check_domains(units, 16, TF_CPU_L3, 4, "0000111122223333");
    check_domains(units, 16, TF_CPU_L2, 8, "0011223344556677");
    check_domains(units, 16, TF_CPU_L1, 8, "0011223344556677");
}
END_TEST

// CPUs outside the affinity mask are no units; domains that lie outside do not count.
START_TEST(mask_leaves_units_out)
{
    const uint32_t cpus[] = {3, 4, 12, 13};
    struct tf_cpu_unit units[4];

    put_machine();
    get_units(1 << 3 | 1 << 4 | 1 << 12 | 1 << 13, units, 4);
    for (int i = 0; i < 4; i++)
        ck_assert_uint_eq(units[i].cpu, cpus[i]);
    check_domains(units, 4, TF_CPU_NODE, 2, "0111");
    check_domains(units, 4, TF_CPU_L3, 2, "0111");
    check_domains(units, 4, TF_CPU_L1, 3, "0112");
}
END_TEST

START_TEST(fewer_units_take_the_first_cpus)
{
    struct tf_cpu_unit units[3];

    put_machine();
    get_units(0xffff, units, 3);
    ck_assert_uint_eq(units[0].cpu, 0);
    ck_assert_uint_eq(units[1].cpu, 8);
    ck_assert_uint_eq(units[2].cpu, 1);
}
END_TEST

START_TEST(more_units_share_cpus)
{
    const uint32_t cpus[] = {0, 0, 0, 8, 8};
    struct tf_cpu_unit units[5];

    put_machine();
    get_units(1 << 0 | 1 << 8, units, 5);
    for (int i = 0; i < 5; i++)
        ck_assert_uint_eq(units[i].cpu, cpus[i]);
    check_domains(units, 5, TF_CPU_L1, 1, "00000");
}
END_TEST

START_TEST(without_files_nothing_is_shared)
{
    struct tf_cpu_unit units[2];

    get_units(1 << 5 | 1 << 2, units, 2);
    ck_assert_uint_eq(units[0].cpu, 2);
    ck_assert_uint_eq(units[1].cpu, 5);
    for (int level = 0; level < TF_CPU_LEVELS; level++)
        check_domains(units, 2, (enum tf_cpu_level)level, 0, "");
}
END_TEST

START_TEST(nonsense_is_not_known)
{
    const char *const lists[] = {"", "\n", "x", "1-", "7-9\n", "-1\n", ",0\n"};
    struct tf_cpu_unit units[1];

    for (size_t i = 0; i < sizeof(lists) / sizeof(lists[0]); i++) {
        put_system("node/online", lists[i]);
        put_system("node/node0/cpulist", lists[i]);
        put_cache(0, 0, "9\n", "Data\n", "0\n");
        put_cache(0, 1, "1\n", "Data\n", lists[i]);
        get_units(1, units, 1);
        check_domains(units, 1, TF_CPU_NODE, 0, "");
        check_domains(units, 1, TF_CPU_L1, 0, "");
    }
}
END_TEST

START_TEST(one_unknown_unit_makes_a_level_unknown)
{
    struct tf_cpu_unit units[2];

    put_cache(0, 0, "2\n", "Unified\n", "0\n");
    get_units(3, units, 2);
    check_domains(units, 2, TF_CPU_L2, 0, "");
}
END_TEST

static void put_siblings(unsigned cpu, const char *list)
{
    char path[100];

    snprintf(path, sizeof(path), "cpu/cpu%u/topology/thread_siblings_list", cpu);
    put_system(path, list);
}

static bool has_cores(uint64_t bits)
{
    const union tf_cpu_set mask = mask_of(bits);

    return tf_cpu_topology_has_cores(root, &mask);
}

START_TEST(threads_of_one_core_are_no_cores)
{
    put_siblings(0, "0,8\n");
    put_siblings(1, "1,9\n");
    put_siblings(2, "2-3\n");
    ck_assert(!has_cores(1));
    ck_assert(!has_cores(1 | 1 << 8));
    ck_assert(!has_cores(1 << 2 | 1 << 3));
    ck_assert(has_cores(3));
    ck_assert(has_cores(1 << 1 | 1 << 8 | 1 << 9));
    ck_assert(has_cores(1 << 2 | 1 << 3 | 1 << 4));
}
END_TEST

START_TEST(cores_are_not_known_without_lists)
{
    put_siblings(4, "nonsense\n");
    put_siblings(5, "6\n");
    ck_assert(!has_cores(3 << 8));
    ck_assert(!has_cores(3 << 4));
    ck_assert(!has_cores(3 << 5));
    ck_assert(!has_cores(0));
}
END_TEST

START_TEST(memory_may_run_out)
{
    const union tf_cpu_set mask = mask_of(3);
    struct tf_cpu_unit units[2];

    tf_alloc_fail_at(0);
    ck_assert(!tf_cpu_topology_units(root, &mask, units, 2));
    tf_alloc_fail_at(-1);
}
END_TEST

START_TEST(mask_is_that_of_the_thread)
{
    union tf_cpu_set mask, one = {0};
    size_t cpu = 0;

    ck_assert(tf_cpu_topology_mask(&mask));
    while (!CPU_ISSET_S(cpu, TF_CPU_SET_BYTES, &mask.set))
        cpu++;
    CPU_SET_S(cpu, TF_CPU_SET_BYTES, &one.set);
    ck_assert_int_eq(sched_setaffinity(0, TF_CPU_SET_BYTES, &one.set), 0);
    ck_assert(tf_cpu_topology_mask(&mask));
    ck_assert(CPU_EQUAL_S(TF_CPU_SET_BYTES, &mask.set, &one.set));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_topology");
    TCase *tcase = tcase_create("topology");

    tcase_add_checked_fixture(tcase, make_root, remove_root);
    tcase_add_test(tcase, neighbours_share_caches);
    tcase_add_test(tcase, mask_leaves_units_out);
    tcase_add_test(tcase, fewer_units_take_the_first_cpus);
    tcase_add_test(tcase, more_units_share_cpus);
    tcase_add_test(tcase, without_files_nothing_is_shared);
    tcase_add_test(tcase, nonsense_is_not_known);
    tcase_add_test(tcase, one_unknown_unit_makes_a_level_unknown);
    tcase_add_test(tcase, threads_of_one_core_are_no_cores);
    tcase_add_test(tcase, cores_are_not_known_without_lists);
    tcase_add_test(tcase, memory_may_run_out);
    tcase_add_test(tcase, mask_is_that_of_the_thread);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
