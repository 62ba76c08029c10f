// SPDX-License-Identifier: MIT
// The two tiers of code: which one launches get, and how a running launch changes over.
#include "device/cpu_rig.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/tier/cpu_tier.h"
#include "support/limits.h"

enum { GROUPS = 4000, QUICK = 1, FULL = 1000 };

static struct scene use_tier(const char *tier, unsigned threads, const char *source)
{
    setenv("TREFOIL_TIER", tier, 1);
    return use_scene(threads, source, GROUPS);
}

// How many groups of a launch ran in each tier; each ran once.
static void count_tiers(const struct scene *s, unsigned *quick, unsigned *full)
{
    *quick = *full = 0;
    for (size_t i = 0; i < GROUPS; i++) {
        ck_assert(s->data[i] == QUICK || s->data[i] == FULL);
        ++*(s->data[i] == QUICK ? quick : full);
    }
    memset(s->data, 0, GROUPS * sizeof(*s->data));
}

// Less than a millisecond, by the clock of the device: of some launches one is as short,
// whatever the machine does beside.
START_TEST(short_launches_stay_with_quick_code)
{
    enum { FEW = 40, TRIES = 200, HOT_NS = 1000000 };
    struct scene s = use_tier("auto", 2, "kernel tier");
    int shorts = 0;

    for (int i = 0; i < TRIES && shorts < 3; i++) {
        struct tf_cpu_kernel *full = tf_cpu_kernel_at(s.prog, 0, TF_SLOT_FULL);
        struct tf_cpu_kernel *quick = tf_cpu_kernel_at(s.prog, 0, TF_SLOT_QUICK);
        bool is_wanted;

        ck_assert_int_eq(scene_run(&s, 0, 0, FEW, 1), CL_COMPLETE);
        is_wanted =
            atomic_load(&full->asked) || atomic_load(&full->state) != TF_CODE_NONE;
        if (atomic_load(&quick->ran_ns) < HOT_NS) {
            ck_assert(!is_wanted);
            for (size_t g = 0; g < FEW; g++)
                ck_assert_uint_eq(s.data[g], QUICK);
            shorts++;
        }
        scene_end(&s);
        s = scene_begin("kernel tier", GROUPS);
    }
    ck_assert_int_eq(shorts, 3);
    scene_end(&s);
}
END_TEST

static struct tf_devprog *watched;

// As tier_quick() of cpu_rig.h; but its second half waits for optimized code.
static void tier_that_waits(const struct tf_launch *launch, struct tf_worker *worker,
                            const tf_u64 first[3], tf_u64 count)
{
    tier_quick(launch, worker, first, count);
    if (fake_group_number(launch, first) >= GROUPS / 2)
        (void)TEST_UNTIL(tf_cpu_kernel_peek(watched, 0, TF_SLOT_FULL));
}

static const struct fake_kernel waiting = {"tier", tier, TF_WG_LOOPS, 4096,           0,
                                           0,      0,    {0, 0},      tier_that_waits};

START_TEST(long_launch_takes_up_optimized_code_while_it_runs)
{
    struct scene s;
    unsigned quick, full;

    atomic_store(&fake_compiler_delay_us, 2000);
    s = use_tier("auto", thread_counts[_i], "kernel tier");
    fake_compiler_define(&waiting, 1);
    watched = s.prog;
    // Some 80 us each: a third of a second on one thread.
    ck_assert_int_eq(scene_run(&s, 0, 20, GROUPS, 1), CL_COMPLETE);
    count_tiers(&s, &quick, &full);
    ck_assert_uint_gt(quick, 0);
    ck_assert_uint_gt(full, GROUPS / 4);
    ck_assert_int_eq(scene_run(&s, 0, 20, GROUPS, 1), CL_COMPLETE);
    count_tiers(&s, &quick, &full);
    ck_assert_uint_eq(quick, 0);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated_quickly), 1);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    ck_assert_uint_eq(tf_cpu_tier_blocked_launches(), 0);
    scene_end(&s);
}
END_TEST

START_TEST(many_short_launches_are_optimized_in_the_end)
{
    struct scene s = use_tier("auto", 2, "kernel tier");
    const time_t begin = time(NULL);
    unsigned quick = GROUPS, full = 0;

    while (quick && test_is_early(begin)) {
        ck_assert_int_eq(scene_run(&s, 0, 1, 5, 1), CL_COMPLETE);
        quick = 0;
        for (size_t g = 0; g < 5; g++)
            quick += s.data[g] == QUICK;
        memset(s.data, 0, 5 * sizeof(*s.data));
    }
    ck_assert_uint_eq(quick, 0);
    ck_assert_int_eq(scene_run(&s, 0, 1, GROUPS, 1), CL_COMPLETE);
    count_tiers(&s, &quick, &full);
    ck_assert_uint_eq(full, GROUPS);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    scene_end(&s);
}
END_TEST

START_TEST(tier_0_is_never_optimized)
{
    struct scene s = use_tier("0", 2, "kernel tier");
    unsigned quick, full;

    ck_assert_int_eq(scene_run(&s, 0, 5, GROUPS, 1), CL_COMPLETE);
    count_tiers(&s, &quick, &full);
    ck_assert_uint_eq(quick, GROUPS);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 1);
    scene_end(&s);
}
END_TEST

static void expect_optimized_only(const char *tier, const char *source)
{
    struct scene s = use_tier(tier, 2, source);
    unsigned quick, full;

    OPS->kernel_expected(rig.dev, s.prog, 0);
    ck_assert_int_eq(scene_run(&s, 0, 5, GROUPS, 1), CL_COMPLETE);
    count_tiers(&s, &quick, &full);
    ck_assert_uint_eq(full, GROUPS);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated_quickly), 0);
    scene_end(&s);
}

START_TEST(tier_1_is_never_quick)
{
    expect_optimized_only("1", "kernel tier");
}
END_TEST

START_TEST(loose_arithmetic_has_one_tier)
{
    expect_optimized_only("auto", "kernel tier_of_loose");
}
END_TEST

// In groups that may last, with hardly any to change over at.
START_TEST(few_groups_with_loops_begin_optimized)
{
    enum { FEW = 40 };
    struct scene s = use_tier("auto", 2, "kernel tier_of_loops");

    OPS->kernel_expected(rig.dev, s.prog, 0);
    ck_assert_int_eq(scene_run(&s, 0, 1, FEW, 1), CL_COMPLETE);
    for (size_t i = 0; i < FEW; i++)
        ck_assert_uint_eq(s.data[i], FULL);
    ck_assert_uint_eq(tf_cpu_tier_blocked_launches(), 0);
    scene_end(&s);
}
END_TEST

// Of few groups, by the instructions of a round: the launch's second argument has them
// all. Quick where any of them were: no one knows which are the first.
static unsigned tier_of_round(uint32_t instructions, uint32_t limit_arg)
{
    enum { FEW = 40 };
    struct scene s = scene_begin("kernel tier_of_loops", GROUPS);
    unsigned tier = FULL;

    s.prog->infos[0].item_instructions = instructions;
    s.prog->infos[0].loop_args[0] = limit_arg;
    ck_assert_int_eq(scene_run(&s, 0, 1, FEW, 1), CL_COMPLETE);
    for (size_t g = 0; g < FEW; g++) {
        if (s.data[g] == QUICK)
            tier = QUICK;
    }
    scene_end(&s);
    return tier;
}

START_TEST(few_groups_with_loops_of_few_rounds_by_arguments_begin_quick)
{
    // Once: what a round asked for may be generated during the next.
    struct scene s = use_tier("auto", 2, "kernel tier_of_loops");

    scene_end(&s);
    ck_assert_uint_eq(tier_of_round(1000, 2), QUICK);
    ck_assert_uint_eq(tier_of_round(1u << 30, 2), FULL);
    ck_assert_uint_eq(tier_of_round(1000, 0), FULL);
    ck_assert_uint_eq(tier_of_round(1000, 1), FULL); // an address
    ck_assert_uint_eq(tier_of_round(1000, 99), FULL);
}
END_TEST

// Quick code would take longer than optimized code to be made.
START_TEST(launches_of_many_instructions_begin_optimized)
{
    struct scene s = use_tier("auto", 2, "kernel tier");
    unsigned quick, full;

    s.prog->infos[0].item_instructions = 1u << 31;
    OPS->kernel_expected(rig.dev, s.prog, 0);
    ck_assert_int_eq(scene_run(&s, 0, 0, GROUPS, 1), CL_COMPLETE);
    count_tiers(&s, &quick, &full);
    ck_assert_uint_eq(full, GROUPS);
    ck_assert_uint_eq(tf_cpu_tier_blocked_launches(), 0);
    scene_end(&s);
}
END_TEST

START_TEST(many_groups_with_loops_begin_quick)
{
    struct scene s = use_tier("auto", 2, "kernel tier_of_loops");
    unsigned quick, full;

    ck_assert_int_eq(scene_run(&s, 0, 0, GROUPS, 1), CL_COMPLETE);
    count_tiers(&s, &quick, &full);
    ck_assert_uint_gt(quick, 0);
    // Nor does a later one wait.
    ck_assert_int_eq(scene_run(&s, 0, 0, 40, 1), CL_COMPLETE);
    ck_assert_uint_eq(tf_cpu_tier_blocked_launches(), 0);
    scene_end(&s);
}
END_TEST

START_TEST(mix_runs_both_in_every_launch)
{
    struct scene s = use_tier("mix", thread_counts[_i], "kernel tier");
    unsigned quick, full;

    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(scene_run(&s, 0, 0, GROUPS, 1), CL_COMPLETE);
        count_tiers(&s, &quick, &full);
        ck_assert_uint_gt(quick, GROUPS / 20);
        ck_assert_uint_gt(full, GROUPS / 20);
    }
    scene_end(&s);
}
END_TEST

// One on fibers, the other not: stacks and fibers come with the change.
START_TEST(tiers_of_different_form_share_a_launch)
{
    enum { GROUP = 10 };
    struct scene s = use_tier("mix", thread_counts[_i], "kernel turn");
    struct rig_command c;

    for (uint32_t i = 0; i < GROUPS; i++)
        s.data[i] = i;
    rig_kernel(&c, s.prog, 0, s.mem, 0, GROUPS, GROUP);
    use_local(&c, 0, 256);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    for (uint32_t i = 0; i < GROUPS; i++)
        ck_assert_uint_eq(s.data[i], i / GROUP * GROUP + (GROUP - 1 - i % GROUP));
    scene_end(&s);
}
END_TEST

START_TEST(code_that_cannot_be_optimized_stays_quick)
{
    struct scene s = use_tier("auto", 2, "kernel fails_always");

    // Two attempts of each tier, by the launch, which is the first; none by the second.
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(scene_run(&s, 0, 4, 10, 1), CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 4);
    scene_end(&s);
}
END_TEST

// What does not fit a launch is no reason to wait where quick code, which fits, is there.
START_TEST(large_launches_of_quick_code_do_not_wait)
{
    const size_t group = (size_t)1 << 31;
    struct scene s;

    fake_compiler_fit = (struct tf_fit){.small = 1};
    s = use_tier("auto", 2, "kernel where");
    ck_assert_int_eq(scene_run(&s, 0, 1, 4, 1), CL_COMPLETE);
    ck_assert_ptr_nonnull(tf_cpu_kernel_wait(s.prog, 0, TF_SLOT_FULL));
    ck_assert_int_eq(scene_run(&s, 0, 1, 4 * group, group), CL_COMPLETE);
    ck_assert_ptr_nonnull(tf_cpu_kernel_wait(s.prog, 0, TF_SLOT_SINGLE));
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 3);
    ck_assert_uint_eq(tf_cpu_tier_blocked_launches(), 0);
    scene_end(&s);
    fake_compiler_fit = (struct tf_fit){0};
}
END_TEST

// Whoever looks holds the pool's lock, under which nothing may be asked for: it could be
// made there and then.
START_TEST(looking_whether_a_launch_is_ready_asks_for_nothing)
{
    const struct tf_launch small = {.work_dim = 1,
                                    .global_size = {4, 1, 1},
                                    .local_size = {1, 1, 1},
                                    .group_count = {4, 1, 1}};
    struct tf_launch large = small;
    struct scene s;

    large.global_size[0] = large.group_count[0] = (size_t)1 << 40;
    fake_compiler_fit = (struct tf_fit){.small = 1, .least_row = 2};
    s = use_tier("1", 2, "kernel where");
    ck_assert_ptr_nonnull(tf_cpu_kernel_wait(s.prog, 0, TF_SLOT_FULL));
    ck_assert(tf_cpu_tier_is_ready(s.prog, 0, &small)); // if not with the best code
    ck_assert(!tf_cpu_tier_is_ready(s.prog, 0, &large));
    ck_assert(!atomic_load(&tf_cpu_kernel_at(s.prog, 0, TF_SLOT_SINGLE)->asked));
    ck_assert_int_eq(scene_run(&s, 0, 1, 4, 1), CL_COMPLETE); // which asks
    ck_assert_ptr_nonnull(tf_cpu_kernel_wait(s.prog, 0, TF_SLOT_SINGLE));
    ck_assert(atomic_load(&tf_cpu_kernel_at(s.prog, 0, TF_SLOT_SINGLE)->asked));
    scene_end(&s);
    fake_compiler_fit = (struct tf_fit){0};
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_tier");
    TCase *tcase = tcase_create("tier");

    tcase_add_test(tcase, short_launches_stay_with_quick_code);
    FOR_THREADS(long_launch_takes_up_optimized_code_while_it_runs);
    tcase_add_test(tcase, many_short_launches_are_optimized_in_the_end);
    tcase_add_test(tcase, tier_0_is_never_optimized);
    tcase_add_test(tcase, tier_1_is_never_quick);
    tcase_add_test(tcase, loose_arithmetic_has_one_tier);
    tcase_add_test(tcase, few_groups_with_loops_begin_optimized);
    tcase_add_test(tcase, few_groups_with_loops_of_few_rounds_by_arguments_begin_quick);
    tcase_add_test(tcase, launches_of_many_instructions_begin_optimized);
    tcase_add_test(tcase, many_groups_with_loops_begin_quick);
    FOR_THREADS(mix_runs_both_in_every_launch);
    FOR_THREADS(tiers_of_different_form_share_a_launch);
    tcase_add_test(tcase, code_that_cannot_be_optimized_stays_quick);
    tcase_add_test(tcase, large_launches_of_quick_code_do_not_wait);
    tcase_add_test(tcase, looking_whether_a_launch_is_ready_asks_for_nothing);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
