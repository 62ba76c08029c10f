// SPDX-License-Identifier: MIT
// Programs on the CPU device: when code is made. Of the two tiers (test_cpu_tier.c)
// mostly the optimized one alone.
#include "base/alloc.h"
#include "device/cpu_rig.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/tier/cpu_tier.h"
#include "support/limits.h"

// As use_scene(), without quick code.
static struct scene use_full(unsigned threads, const char *source, size_t count)
{
    setenv("TREFOIL_TIER", "1", 1);
    return use_scene(threads, source, count);
}

START_TEST(code_is_made_once)
{
    struct scene s = use_full(2, "kernel add", 1000);

    for (size_t i = 1; i <= 100; i++)
        ck_assert_int_eq(scene_run(&s, 0, (uint32_t)i, i * 10, i), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 1);
    scene_end(&s);
}
END_TEST

START_TEST(no_size_makes_code_again)
{
    const size_t sizes[][2] = {{1000, 1}, {994, 7}, {960, 64}, {1000, 200}, {997, 997}};
    const size_t group = (size_t)1 << 31;
    struct scene s = use_full(2, "kernel add kernel where", 1000);

    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++)
        ck_assert_int_eq(scene_run(&s, 0, 1, sizes[i][0], sizes[i][1]), CL_COMPLETE);
    // Writes one word a group.
    ck_assert_int_eq(scene_run(&s, 1, 1, 4, 1), CL_COMPLETE);
    ck_assert_int_eq(scene_run(&s, 1, 1, 4 * group, group), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    ck_assert_uint_eq(tf_cpu_tier_blocked_launches(), 0);
    scene_end(&s);
}
END_TEST

static void expect_generated(int count)
{
    ck_assert(TEST_UNTIL(atomic_load(&fake_compiler_generated) >= count));
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), count);
}

START_TEST(few_items_a_row_run_at_once_and_get_code_of_their_own)
{
    struct scene s;

    fake_compiler_fit = (struct tf_fit){.small = 1, .least_row = 2};
    s = use_full(2, "kernel add", 1000);
    ck_assert_int_eq(scene_run(&s, 0, 1, 1000, 2), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 1);
    for (int i = 0; i < 10; i++)
        ck_assert_int_eq(scene_run(&s, 0, 1, 100, 1), CL_COMPLETE);
    expect_generated(2);
    ck_assert_int_eq(scene_run(&s, 0, 1, 100, 1), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    ck_assert_uint_eq(tf_cpu_tier_blocked_launches(), 0);
    scene_end(&s);
    fake_compiler_fit = (struct tf_fit){0};
}
END_TEST

START_TEST(large_launches_wait_once_for_code_of_their_own)
{
    const size_t group = (size_t)1 << 31;
    struct scene s;

    fake_compiler_fit = (struct tf_fit){.small = 1};
    s = use_full(2, "kernel where", 1000);
    ck_assert_int_eq(scene_run(&s, 0, 1, 4, 1), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 1);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(scene_run(&s, 0, 1, 4 * group, group), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    ck_assert_uint_eq(tf_cpu_tier_blocked_launches(), 0);
    scene_end(&s);
    fake_compiler_fit = (struct tf_fit){0};
}
END_TEST

// Takes the code away, which no product does, to see that the count would tell.
START_TEST(launches_that_wait_again_are_counted)
{
    struct scene s = use_full(2, "kernel add", 10);
    struct tf_cpu_kernel *kernel = &s.prog->kernels[0];

    ck_assert_int_eq(scene_run(&s, 0, 1, 10, 1), CL_COMPLETE);
    ck_assert_uint_eq(tf_cpu_tier_blocked_launches(), 0);
    tf_elf_unload(&kernel->image);
    tf_cpu_code_finish(&kernel->code);
    atomic_store(&kernel->state, TF_CODE_NONE);
    ck_assert_int_eq(scene_run(&s, 0, 1, 10, 1), CL_COMPLETE);
    ck_assert_uint_eq(tf_cpu_tier_blocked_launches(), 1);
    scene_end(&s);
}
END_TEST

START_TEST(code_is_made_before_the_launch_that_is_expected)
{
    struct tf_devprog *prog;

    use(2);
    prog = rig_build("kernel add kernel reverse kernel where");
    OPS->kernel_expected(rig.dev, prog, 0);
    OPS->kernel_expected(rig.dev, prog, 2);
    OPS->kernel_expected(rig.dev, prog, 2);
    expect_generated(2);
    usleep(20000); // and no more than that
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated_quickly), 2);
    ck_assert_ptr_null(tf_cpu_kernel_peek(prog, 1, TF_SLOT_QUICK));
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(failed_code_is_tried_again_plainly)
{
    struct scene s = use_full(2, "kernel fails_once kernel fails_always", 10);

    ck_assert_int_eq(scene_run(&s, 0, 4, 10, 1), CL_COMPLETE);
    ck_assert_uint_eq(s.data[9], 4);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(scene_run(&s, 1, 4, 10, 1), CL_OUT_OF_RESOURCES);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 4);
    scene_end(&s);
}
END_TEST

START_TEST(program_dies_while_its_code_is_made)
{
    struct tf_devprog *last;

    use(2); // which have one thread that makes code
    fake_compiler_hold();
    for (int i = 0; i < 100; i++) {
        struct tf_devprog *prog = rig_build("kernel add kernel reverse kernel trap");

        for (uint32_t k = 0; k < 3; k++)
            OPS->kernel_expected(rig.dev, prog, k);
        if (i == 0)
            expect_generated(1); // it has begun
        OPS->program_free(rig.dev, prog);
    }
    last = rig_build("kernel add");
    OPS->kernel_expected(rig.dev, last, 0);
    fake_compiler_let_go();
    // What nobody holds is not made, and the last one comes after all of it.
    ck_assert(TEST_UNTIL(tf_cpu_kernel_peek(last, 0, TF_SLOT_QUICK)));
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    OPS->program_free(rig.dev, last);
}
END_TEST

START_TEST(submit_does_not_wait_for_code)
{
    struct rig_command c;
    struct scene s;

    use(1);
    fake_compiler_hold();
    s = scene_begin("kernel add", 10);
    scene_kernel(&s, &c, 0, 4, 10, 1);
    rig_submit(&c);
    OPS->help(rig.dev, &c.cmd);
    ck_assert(!rig_is_finished(&c));
    fake_compiler_let_go();
    rig_wait(&c);
    ck_assert_int_eq(c.status, CL_COMPLETE);
    scene_end(&s);
}
END_TEST

// ---- Errors of builds ----

START_TEST(damage_is_not_called_want_of_memory)
{
    const struct tf_build_in in = {.kind = TF_BUILD_WHOLE,
                                   .source = "kernel add",
                                   .source_bytes = 10,
                                   .options = ""};
    struct tf_build_out out = {0};
    struct tf_err err = {0};

    use(2);
    atomic_store(&fake_compiler_damages, true);
    ck_assert_int_eq(OPS->program_build(&err, rig.dev, &in, &out),
                     CL_BUILD_PROGRAM_FAILURE);
    ck_assert_ptr_null(out.program);
    tf_free(out.log);
}
END_TEST

START_TEST(missing_compiler_has_its_code_and_text)
{
    const struct tf_build_in in = {.kind = TF_BUILD_WHOLE,
                                   .source = "kernel add",
                                   .source_bytes = 10,
                                   .options = ""};
    struct tf_build_out out = {0};
    struct tf_err err = {0};

    use(1);
    tf_cpu_compiler_override(NULL);
    ck_assert_int_eq(OPS->program_build(&err, rig.dev, &in, &out),
                     CL_COMPILER_NOT_AVAILABLE);
    ck_assert_ptr_null(out.program);
    ck_assert_ptr_nonnull(strstr(out.log, "not available"));
    tf_free(out.log);
    for (int kind = TF_BUILD_LINK; kind <= TF_BUILD_LIBRARY; kind++) {
        const struct tf_build_in link = {.kind = (enum tf_build_kind)kind, .options = ""};

        err = (struct tf_err){0};
        ck_assert_int_eq(OPS->program_build(&err, rig.dev, &link, &out),
                         CL_LINKER_NOT_AVAILABLE);
        ck_assert_ptr_null(out.program);
        tf_free(out.log);
    }
}
END_TEST

START_TEST(bad_options_have_the_code_of_their_entry_point)
{
    const struct {
        enum tf_build_kind kind;
        cl_int code;
    } cases[] = {{TF_BUILD_WHOLE, CL_INVALID_BUILD_OPTIONS},
                 {TF_BUILD_COMPILE, CL_INVALID_COMPILER_OPTIONS}};

    use(1);
    for (size_t i = 0; i < 2; i++) {
        const struct tf_build_in in = {.kind = cases[i].kind,
                                       .source = "kernel add",
                                       .source_bytes = 10,
                                       .options = "-bad"};
        struct tf_build_out out = {0};
        struct tf_err err = {0};

        ck_assert_int_eq(OPS->program_build(&err, rig.dev, &in, &out), cases[i].code);
        ck_assert_ptr_nonnull(strstr(out.log, "unknown option"));
        tf_free(out.log);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_code");
    TCase *tcase = tcase_create("code");

    tcase_add_test(tcase, code_is_made_once);
    tcase_add_test(tcase, no_size_makes_code_again);
    tcase_add_test(tcase, few_items_a_row_run_at_once_and_get_code_of_their_own);
    tcase_add_test(tcase, large_launches_wait_once_for_code_of_their_own);
    tcase_add_test(tcase, launches_that_wait_again_are_counted);
    tcase_add_test(tcase, code_is_made_before_the_launch_that_is_expected);
    tcase_add_test(tcase, failed_code_is_tried_again_plainly);
    tcase_add_test(tcase, program_dies_while_its_code_is_made);
    tcase_add_test(tcase, submit_does_not_wait_for_code);
    tcase_add_test(tcase, damage_is_not_called_want_of_memory);
    tcase_add_test(tcase, missing_compiler_has_its_code_and_text);
    tcase_add_test(tcase, bad_options_have_the_code_of_their_entry_point);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
