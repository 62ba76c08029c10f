// SPDX-License-Identifier: MIT
// Sub-devices of every device that has them.
#include "device/every_device.h"

enum { MAX_UNITS = 1024 };

static struct tf_device *whole;

static bool use_whole(int which)
{
    use(which);
    whole = rig.dev;
    return OPS->sub_device_new != NULL;
}

// The first `count` compute units of `dev`, opened: from here on the rig's functions are
// about it. Memory and programs stay those of the whole.
static void use_part(struct tf_device *dev, uint32_t count)
{
    static uint32_t units[MAX_UNITS];
    struct tf_device *part = NULL;
    struct tf_err err = {0};

    for (uint32_t i = 0; i < count; i++)
        units[i] = i;
    ck_assert_int_eq(OPS->sub_device_new(&err, dev, units, count, &part), CL_SUCCESS);
    ck_assert_ptr_nonnull(part);
    rig_use(part);
}

static void free_part(struct tf_device *part)
{
    OPS->close(part);
    OPS->sub_device_free(part);
    rig.dev = whole;
}

// Numbers from 0 in the order of their first unit; the same every time.
static void check_domains(struct tf_device *dev, cl_device_affinity_domain level)
{
    static uint32_t of_unit[MAX_UNITS], again[MAX_UNITS];
    const uint32_t units = dev->info->compute_units;
    const uint32_t domains = OPS->affinity(dev, level, of_unit);
    uint32_t next = 0;

    ck_assert_uint_eq(OPS->affinity(dev, level, again), domains);
    for (uint32_t unit = 0; unit < units && domains > 0; unit++) {
        ck_assert_uint_eq(again[unit], of_unit[unit]);
        ck_assert_uint_le(of_unit[unit], next);
        next += of_unit[unit] == next;
    }
    ck_assert_uint_eq(next, domains);
}

START_TEST(domains_are_numbered_from_0)
{
    static const cl_device_affinity_domain levels[] = {
        CL_DEVICE_AFFINITY_DOMAIN_NUMA, CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE, CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE,
        CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE};
    uint32_t of_unit[MAX_UNITS];

    if (!use_whole(_i))
        return;
    ck_assert_uint_le(whole->info->compute_units, MAX_UNITS);
    use_part(whole, 1);
    for (size_t i = 0; i < sizeof(levels) / sizeof(levels[0]); i++) {
        check_domains(whole, levels[i]);
        check_domains(rig.dev, levels[i]);
    }
    ck_assert_uint_eq(OPS->affinity(whole, 0, of_unit), 0);
    free_part(rig.dev);
}
END_TEST

START_TEST(part_runs_programs_of_the_whole_in_memory_of_the_whole)
{
    struct scene s;

    if (!use_whole(_i))
        return;
    s = scene_begin("kernel add", 100);
    use_part(whole, 1);
    ck_assert_uint_eq(rig.dev->info->compute_units, 1);
    ck_assert_str_eq(rig.dev->info->name, whole->info->name);
    ck_assert_mem_eq(rig.dev->info->uuid, whole->info->uuid, sizeof(whole->info->uuid));
    ck_assert_int_eq(scene_run(&s, 0, 3, 100, 10), CL_COMPLETE);
    free_part(rig.dev);
    ck_assert_int_eq(scene_run(&s, 0, 4, 100, 10), CL_COMPLETE);
    for (size_t i = 0; i < 100; i++)
        ck_assert_uint_eq(s.data[i], 7);
    scene_end(&s);
}
END_TEST

START_TEST(part_is_divided_again)
{
    struct tf_device *all;
    struct scene s;

    if (!use_whole(_i))
        return;
    s = scene_begin("kernel add", 100);
    use_part(whole, whole->info->compute_units);
    all = rig.dev;
    use_part(all, 1);
    ck_assert_int_eq(scene_run(&s, 0, 1, 100, 10), CL_COMPLETE);
    free_part(rig.dev);
    free_part(all);
    ck_assert_uint_eq(s.data[99], 1);
    scene_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("sub_device");
    TCase *tcase = tcase_create("devices");

    FOR_DEVICES(domains_are_numbered_from_0);
    FOR_DEVICES(part_runs_programs_of_the_whole_in_memory_of_the_whole);
    FOR_DEVICES(part_is_divided_again);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
