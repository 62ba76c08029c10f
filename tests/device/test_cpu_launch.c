// SPDX-License-Identifier: MIT
// Launches on the CPU device: groups, barriers, traps, memory, control state.
#include "device/cpu_rig.h"
#include "devices/cpu/run/cpu_launch.h"

START_TEST(each_group_of_a_ragged_range_runs_once)
{
    struct scene s = use_scene(thread_counts[_i], "kernel add", 37 * 11 * 5);
    struct rig_command c;

    scene_kernel(&s, &c, 0, 1, 37, 8);
    c.cmd.kernel.work_dim = 3;
    c.cmd.kernel.global_size[1] = 11;
    c.cmd.kernel.global_size[2] = 5;
    c.cmd.kernel.local_size[1] = 3;
    c.cmd.kernel.local_size[2] = 2;
    c.cmd.kernel.global_offset[0] = 1000;
    c.cmd.kernel.global_offset[2] = 7;
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    for (size_t i = 0; i < 37 * 11 * 5; i++)
        ck_assert_uint_eq(s.data[i], 1);
    scene_end(&s);
}
END_TEST

// Runs kernel `index`, "reverse", whose local memory begins at an offset, and checks it.
static void check_reverse(const struct scene *s, unsigned index, uint32_t global,
                          uint32_t local, size_t offset)
{
    struct rig_command c;

    for (uint32_t i = 0; i < global; i++)
        s->data[i] = i;
    scene_kernel(s, &c, index, 0, global, local);
    use_local(&c, offset, offset + local * 4);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    for (uint32_t i = 0; i < global; i++)
        ck_assert_uint_eq(s->data[i], i / local * local + local - 1 - i % local);
}

START_TEST(barrier_separates_writes_from_reads)
{
    enum { GLOBAL = 64 * 20, LOCAL = 64, OFFSET = 256 };
    struct scene s = use_scene(thread_counts[_i], "kernel reverse", GLOBAL);

    for (unsigned round = 0; round < 5; round++)
        check_reverse(&s, 0, GLOBAL, LOCAL, OFFSET);
    scene_end(&s);
}
END_TEST

START_TEST(barrier_in_one_round_of_a_ragged_loop_completes)
{
    struct scene s = use_scene(thread_counts[_i], "kernel ragged_loop", 96);

    ck_assert_int_eq(scene_run(&s, 0, 0, 96, 32), CL_COMPLETE);
    for (uint32_t i = 0; i < 96; i++)
        ck_assert_uint_eq(s.data[i], i % 32 + 1);
    scene_end(&s);
}
END_TEST

START_TEST(mismatched_barriers_end)
{
    struct scene s = use_scene(2, "kernel mismatched", 40);

    // The last group has 8 items.
    ck_assert_int_eq(scene_run(&s, 0, 0, 40, 16), CL_COMPLETE);
    for (uint32_t i = 0; i < 40; i++)
        ck_assert_uint_eq(s.data[i], i % 16);
    scene_end(&s);
}
END_TEST

START_TEST(trap_ends_the_launch_and_nothing_else)
{
    struct scene s = use_scene(thread_counts[_i],
                               "kernel trap_on_fiber kernel trap kernel reverse", 256);
    struct rig_command c;

    for (uint32_t round = 0; round < 20; round++) {
        ck_assert_int_eq(scene_run(&s, 0, round, 256, 32), CL_OUT_OF_RESOURCES);
        scene_kernel(&s, &c, 1, 0, 256, 32);
        rig_submit(&c);
        OPS->help(rig.dev, &c.cmd);
        rig_wait(&c);
        ck_assert_int_eq(c.status, CL_OUT_OF_RESOURCES);
        check_reverse(&s, 2, 256, 32, 0);
    }
    scene_end(&s);
}
END_TEST

// A fiber for 16 items of a row of each group; where ids pass 2^31, for each item.
// Threads keep the fibers that they have, so the numbers rise.
START_TEST(fibers_are_made_for_gangs_alone)
{
    static const struct {
        size_t local[2], offset;
        uint32_t fibers;
    } cases[] = {{{7, 1}, 0, 1},
                 {{1, 9}, 0, 9},
                 {{200, 1}, 0, 13},
                 {{20, 10}, 0, 20},
                 {{256, 1}, (size_t)1 << 31, 256}};
    struct scene s = use_scene(thread_counts[_i], "kernel gangs", 100);

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct rig_command c;

        scene_kernel(&s, &c, 0, 0, cases[i].local[0] * 50, cases[i].local[0]);
        c.cmd.kernel.work_dim = 2;
        c.cmd.kernel.global_size[1] = cases[i].local[1] * 2;
        c.cmd.kernel.local_size[1] = cases[i].local[1];
        c.cmd.kernel.global_offset[0] = cases[i].offset;
        ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
        for (size_t g = 0; g < 100; g++)
            ck_assert_uint_eq(s.data[g], cases[i].fibers);
    }
    scene_end(&s);
}
END_TEST

START_TEST(deep_frames_have_room)
{
    struct scene s = use_scene(2, "kernel deep", 10);

    ck_assert_int_eq(scene_run(&s, 0, 0, 10, 1), CL_COMPLETE);
    for (size_t i = 0; i < 10; i++)
        ck_assert_uint_eq(s.data[i], 1);
    scene_end(&s);
}
END_TEST

START_TEST(stack_that_nobody_has_is_an_error)
{
    struct scene s = use_scene(2, "kernel huge", 10);

    ck_assert_int_eq(scene_run(&s, 0, 0, 10, 1), CL_OUT_OF_RESOURCES);
    scene_end(&s);
}
END_TEST

START_TEST(too_many_groups_are_an_error)
{
    struct tf_devprog *prog;
    struct rig_command c;

    use(2);
    prog = rig_build("kernel add");
    rig_kernel(&c, prog, 0, NULL, 0, SIZE_MAX, 1);
    c.cmd.kernel.work_dim = 2;
    c.cmd.kernel.global_size[1] = 3;
    ck_assert_int_eq(rig_run(&c), CL_OUT_OF_RESOURCES);
    OPS->program_free(rig.dev, prog);
}
END_TEST

// The background thread that generates a kernel allocates too, and a launch does without
// its help when that failed: with the code there, all that may fail is the launch's own.
static void wait_for_code(const struct rig_command *c)
{
    OPS->kernel_expected(rig.dev, c->cmd.kernel.program, c->cmd.kernel.kernel_index);
    while (!tf_launch_is_ready(&c->cmd))
        usleep(100);
}

// A thread that cannot be had is done without: some runs end well before the last.
START_TEST(want_of_memory_is_an_error_never_a_crash)
{
    struct scene s = use_scene(1, "kernel reverse", 64);
    struct rig_command c;
    unsigned failed = 0, well = 0;
    cl_int status;
    long n = 0;

    do {
        scene_kernel(&s, &c, 0, 0, 64, 16);
        use_local(&c, 0, 16 * 4);
        wait_for_code(&c);
        tf_alloc_fail_at(n++);
        status = rig_run(&c);
        failed += status != CL_COMPLETE;
        well = status == CL_COMPLETE ? well + 1 : 0;
        if (status != CL_COMPLETE)
            ck_assert_int_eq(status, CL_OUT_OF_RESOURCES);
        ck_assert_int_lt(n, 1000);
    } while (well < 20);
    tf_alloc_fail_at(-1);
    ck_assert_uint_ge(failed, 1);
    scene_end(&s);
}
END_TEST

START_TEST(range_outside_its_memory_is_an_error)
{
    struct rig_command c = {0};
    struct tf_devmem *mem;
    char out[64];

    use(1);
    mem = rig_alloc(64);
    c.cmd = (struct tf_command){
        .kind = TF_CMD_READ, .src = {mem, SIZE_MAX - 8}, .size_bytes = 16, .host = out};
    ck_assert_int_eq(rig_run(&c), CL_INVALID_VALUE);
    c = (struct rig_command){.cmd = {.kind = TF_CMD_READ_RECT,
                                     .src = {mem, 0},
                                     .host = out,
                                     .src_rect = {{0, 1, 0}, SIZE_MAX / 2, SIZE_MAX},
                                     .dst_rect = {{0, 0, 0}, 4, 8},
                                     .region = {4, 3, 1}}};
    ck_assert_int_eq(rig_run(&c), CL_INVALID_VALUE);
    rig_free(mem);
}
END_TEST

static struct {
    struct rig_command c;
    bool kept;
} fp;

static void *help_with_odd_control(void *arg)
{
    (void)arg;
    fesetround(FE_UPWARD);
    feenableexcept(FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    rig_submit(&fp.c);
    for (int i = 0; i < 100 && !rig_is_finished(&fp.c); i++) {
        OPS->help(rig.dev, &fp.c.cmd);
        usleep(1000);
    }
    fp.kept = fegetround() == FE_UPWARD &&
              fegetexcept() == (FE_DIVBYZERO | FE_INVALID | FE_OVERFLOW);
    return NULL;
}

START_TEST(kernels_have_their_control_state_and_hosts_keep_theirs)
{
    struct scene s = use_scene(thread_counts[_i], "kernel check_fp", 64);
    pthread_attr_t attr;
    pthread_t thread;

    ck_assert_int_eq(scene_run(&s, 0, 0, 64, 1), CL_COMPLETE);
    // Its code is there: the host may help.
    memset(s.data, 0, 64 * 4);
    scene_kernel(&s, &fp.c, 0, 0, 64, 1);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 10);
    ck_assert_int_eq(pthread_create(&thread, &attr, help_with_odd_control, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    rig_wait(&fp.c);
    ck_assert(fp.kept);
    for (size_t i = 0; i < 64; i++)
        ck_assert_uint_eq(s.data[i], 1);
    scene_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_launch");
    TCase *tcase = tcase_create("launches");

    FOR_THREADS(each_group_of_a_ragged_range_runs_once);
    FOR_THREADS(barrier_separates_writes_from_reads);
    FOR_THREADS(barrier_in_one_round_of_a_ragged_loop_completes);
    FOR_THREADS(fibers_are_made_for_gangs_alone);
    tcase_add_test(tcase, mismatched_barriers_end);
    FOR_THREADS(trap_ends_the_launch_and_nothing_else);
    tcase_add_test(tcase, deep_frames_have_room);
    tcase_add_test(tcase, stack_that_nobody_has_is_an_error);
    tcase_add_test(tcase, too_many_groups_are_an_error);
    tcase_add_test(tcase, want_of_memory_is_an_error_never_a_crash);
    tcase_add_test(tcase, range_outside_its_memory_is_an_error);
    FOR_THREADS(kernels_have_their_control_state_and_hosts_keep_theirs);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
