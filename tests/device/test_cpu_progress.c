// SPDX-License-Identifier: MIT
// Progress on the CPU device while kernels spin, and what forks and exits do to it.
#include "device/cpu_rig.h"

#include <pthread.h>
#include <string.h>
#include <sys/wait.h>

#include "devices/cpu/loader/jit_interface.h"
#include "devices/cpu/move/cpu_mem_list.h"
#include "devices/cpu/queue/cpu_spare.h"
#include "support/forks.h"
#include "support/limits.h"

// Submits a run that begins with the kernel "spin"; returns once it spins.
static void start_spinning_at(const struct scene *s, struct rig_command *c)
{
    rig_submit(c); // returns although the kernel does not end
    while (!__atomic_load_n(&s->data[0], __ATOMIC_SEQ_CST))
        usleep(100);
}

// Launches the first kernel of a scene's program, "spin"; returns once it spins.
static void start_spinning(const struct scene *s, struct rig_command *c)
{
    scene_kernel(s, c, 0, 0, 1, 1);
    start_spinning_at(s, c);
}

static void stop_spinning(const struct scene *s, struct rig_command *c)
{
    ck_assert(!rig_is_finished(c));
    __atomic_store_n(&s->data[1], 1, __ATOMIC_SEQ_CST);
    rig_wait(c);
    ck_assert_int_eq(c->status, CL_COMPLETE);
}

START_TEST(spinning_kernel_ends_when_the_host_says_so)
{
    struct scene s = use_scene(thread_counts[_i], "kernel spin", 2);
    struct rig_command c;

    start_spinning(&s, &c);
    stop_spinning(&s, &c);
    scene_end(&s);
}
END_TEST

START_TEST(commands_of_other_queues_pass_a_spinning_kernel)
{
    struct scene s = use_scene(2, "kernel spin kernel add", 2);
    uint32_t *sums;
    struct tf_devmem *other = rig_zeros(100, &sums);
    struct rig_command c, add;

    start_spinning(&s, &c);
    for (uint32_t i = 1; i <= 10; i++) {
        rig_kernel(&add, s.prog, 1, other, 1, 100, 4);
        ck_assert_int_eq(rig_run(&add), CL_COMPLETE);
        ck_assert_uint_eq(sums[99], i);
    }
    stop_spinning(&s, &c);
    rig_free(other);
    scene_end(&s);
}
END_TEST

// A host thread that waits for one command works on no other.
// A thread that has done all that it enqueued leaves the next ones to others.
START_TEST(what_is_left_to_a_thread_runs_without_it)
{
    enum { ROUNDS = 40, HELPED = 12 };
    struct scene s = use_scene(thread_counts[_i], "kernel add", 100);
    uint32_t *sums;
    struct tf_devmem *other = rig_zeros(100, &sums);
    struct rig_command c, more[2];

    for (int round = 0; round < ROUNDS; round++) {
        for (int i = 0; i < HELPED; i++) {
            scene_kernel(&s, &c, 0, 1, 100, 4);
            rig_submit(&c);
            OPS->help(rig.dev, &c.cmd);
            rig_wait(&c);
        }
        scene_kernel(&s, &c, 0, 1, 100, 4);
        ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
        scene_kernel(&s, &more[0], 0, 1, 100, 4);
        rig_kernel(&more[1], s.prog, 0, other, 1, 100, 4);
        for (int i = 0; i < 2; i++)
            rig_submit(&more[i]);
        for (int i = 0; i < 2; i++)
            rig_wait(&more[i]);
    }
    ck_assert_uint_eq(sums[99], ROUNDS);
    rig_free(other);
    scene_end(&s);
}
END_TEST

START_TEST(help_is_for_the_command_waited_for)
{
    struct scene s = use_scene(1, "kernel spin kernel add", 2);
    uint32_t *sums;
    struct tf_devmem *other = rig_zeros(100, &sums);
    struct rig_command c, add;

    rig_kernel(&add, s.prog, 1, other, 1, 100, 4);
    ck_assert_int_eq(rig_run(&add), CL_COMPLETE); // its code is there now
    start_spinning(&s, &c);
    rig_kernel(&add, s.prog, 1, other, 1, 100, 4);
    rig_submit(&add);
    OPS->help(rig.dev, &add.cmd); // the only worker spins: the helper does it all
    ck_assert(rig_is_finished(&add));
    ck_assert_uint_eq(sums[99], 2);
    OPS->help(rig.dev, &c.cmd); // no chunk is left: returns at once
    stop_spinning(&s, &c);
    rig_free(other);
    scene_end(&s);
}
END_TEST

START_TEST(helper_hands_back_what_comes_after)
{
    enum { COUNT = 50 };
    static struct rig_command c[COUNT];
    struct scene s = use_scene(thread_counts[_i], "kernel add", 100);

    for (unsigned round = 1; round <= 20; round++) {
        for (unsigned i = 0; i < COUNT; i++) {
            scene_kernel(&s, &c[i], 0, 1, 100, 10);
            if (i > 0)
                c[i - 1].cmd.dev_next = &c[i].cmd;
        }
        rig_submit(&c[0]);
        OPS->help(rig.dev, &c[10].cmd);
        for (unsigned i = 0; i < COUNT; i++)
            rig_wait(&c[i]);
        for (unsigned i = 1; i < COUNT; i++)
            ck_assert_uint_lt(c[i - 1].order, c[i].order);
        for (unsigned i = 0; i < 100; i++)
            ck_assert_uint_eq(s.data[i], COUNT * round);
    }
    scene_end(&s);
}
END_TEST

// One worker, a long run, and another run that comes while the first is under way.
START_TEST(long_run_gives_way)
{
    enum { COUNT = 200 };
    static struct rig_command c[COUNT];
    struct scene s = use_scene(1, "kernel spin kernel add", 2);
    uint32_t *sums;
    struct tf_devmem *other = rig_zeros(100, &sums);
    struct rig_command late;

    scene_kernel(&s, &c[0], 0, 0, 1, 1);
    for (unsigned i = 1; i < COUNT; i++) {
        rig_kernel(&c[i], s.prog, 1, other, 1, 100, 100);
        c[i - 1].cmd.dev_next = &c[i].cmd;
    }
    start_spinning_at(&s, &c[0]);
    rig_kernel(&late, s.prog, 1, other, 1, 100, 100);
    rig_submit(&late);
    stop_spinning(&s, &c[0]);
    rig_wait(&late);
    rig_wait(&c[COUNT - 1]);
    ck_assert_uint_lt(late.order, c[COUNT - 1].order);
    for (unsigned i = 1; i < COUNT; i++)
        ck_assert_uint_lt(c[i - 1].order, c[i].order);
    ck_assert_uint_eq(sums[99], COUNT);
    rig_free(other);
    scene_end(&s);
}
END_TEST

static void check_child_succeeds(pid_t pid)
{
    int status;

    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
}

static void run_one_add(void)
{
    struct scene s = scene_begin("kernel add", 100);

    ck_assert_int_eq(scene_run(&s, 0, 4, 100, 2), CL_COMPLETE);
    ck_assert_uint_eq(s.data[99], 4);
    scene_end(&s);
}

START_TEST(forked_child_works)
{
    use(2);
    run_one_add();
    for (int i = 0; i < 5; i++) {
        const pid_t pid = tf_fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
            alarm(TEST_LIMIT_S);
            OPS->forked(rig.dev);
            run_one_add();
            _exit(0);
        }
        check_child_succeeds(pid);
    }
    run_one_add();
}
END_TEST

// What threads share. Without Check, which forked children must not meet in the middle
// of a message; true if it works.
static bool hand_blocks_on(void)
{
    enum { BLOCKS = 256 }; // two batches and more
    static _Thread_local struct tf_spares spares;
    void *blocks[BLOCKS];
    bool has_all = true;

    for (int i = 0; i < BLOCKS; i++) {
        blocks[i] = tf_spare_take(&spares);
        has_all &= blocks[i] != NULL;
    }
    for (int i = 0; i < BLOCKS; i++)
        tf_spare_give(&spares, blocks[i]);
    tf_spares_finish(&spares);
    return has_all;
}

static bool list_memory(void)
{
    char data[64] = {0};
    struct tf_mem_entry *entry = tf_mem_list_add(data, sizeof(data), true);

    tf_mem_list_written(data, sizeof(data));
    tf_mem_list_remove(entry);
    return entry;
}

static bool tell_debuggers(void)
{
    struct tf_jit_entry *entry = tf_jit_register(tf_zalloc(1), 1);

    tf_jit_unregister(entry);
    return entry;
}

static bool (*const shared[])(void) = {hand_blocks_on, list_memory, tell_debuggers};
static atomic_bool ends;

static void *do_it_all_the_time(void *arg)
{
    bool (*const *body)(void) = arg;

    while (!atomic_load(&ends)) {
        for (int i = 0; i < 200; i++)
            (*body)();
        usleep(100); // tf_fork() may wait for it
    }
    return NULL;
}

START_TEST(forked_child_waits_for_no_lock_of_the_parent)
{
    // Where tf_fork() waits until others sleep it would wait for ever, and no lock were
    // held: with sanitizers the child's way alone is looked at.
    enum { THREADS = TEST_SLOWER > 1 ? 0 : 4, FORKS = TEST_SLOWER > 1 ? 10 : 400 };
    bool (*const *const body)(void) = &shared[_i];
    pthread_t threads[THREADS + 1];

    setenv("TREFOIL_CHECK", "all", 1); // memory is listed
    use(1);
    for (int i = 0; i < THREADS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, do_it_all_the_time, (void *)body), 0);
    for (int i = 0; i < FORKS; i++) {
        const pid_t pid = tf_fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
            alarm(TEST_LIMIT_S);
            OPS->forked(rig.dev);
            _exit((*body)() ? 0 : 1);
        }
        check_child_succeeds(pid);
    }
    atomic_store(&ends, true);
    for (int i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
}
END_TEST

// Locks inside the compiler that the parent's threads held are held for good.
START_TEST(child_of_a_compiling_process_has_no_compiler)
{
    const struct tf_build_in in = {.kind = TF_BUILD_WHOLE,
                                   .source = "kernel add",
                                   .source_bytes = 10,
                                   .options = ""};
    struct tf_devprog *prog;
    pid_t pid;

    use(2);
    fake_compiler_hold();
    prog = rig_build("kernel add");
    OPS->kernel_expected(rig.dev, prog, 0);
    while (!atomic_load(&fake_compiler_generated))
        usleep(100);
    pid = tf_fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        struct tf_build_out out = {0};
        struct tf_err err = {0};

        alarm(TEST_LIMIT_S);
        OPS->forked(rig.dev);
        OPS->program_build(&err, rig.dev, &in, &out);
        _exit(err.code == CL_COMPILER_NOT_AVAILABLE ? 0 : 1);
    }
    check_child_succeeds(pid);
    fake_compiler_let_go();
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(process_exits_with_work_in_flight)
{
    use(thread_counts[_i]);
    for (unsigned i = 0; i < 10; i++) {
        const pid_t pid = tf_fork();

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
            static struct rig_command c[3];
            struct tf_devprog *prog;
            uint32_t *data;

            alarm(TEST_LIMIT_S);
            prog = rig_build("kernel spin kernel add kernel reverse");
            rig_kernel(&c[0], prog, 0, rig_zeros(2, &data), 0, 16, 1);
            rig_kernel(&c[1], prog, 1, rig_zeros(100000, &data), 1, 100000, 16);
            rig_kernel(&c[2], prog, 2, rig_zeros(100000, &data), 1, 65536, 64);
            use_local(&c[2], 0, 256);
            for (unsigned n = 0; n < 3; n++)
                rig_submit(&c[(n + i) % 3]);
            usleep(i * 500);
            exit(0);
        }
        check_child_succeeds(pid);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_progress");
    TCase *tcase = tcase_create("progress");

    FOR_THREADS(spinning_kernel_ends_when_the_host_says_so);
    tcase_add_test(tcase, commands_of_other_queues_pass_a_spinning_kernel);
    FOR_THREADS(what_is_left_to_a_thread_runs_without_it);
    tcase_add_test(tcase, help_is_for_the_command_waited_for);
    FOR_THREADS(helper_hands_back_what_comes_after);
    tcase_add_test(tcase, long_run_gives_way);
    tcase_add_test(tcase, forked_child_works);
    tcase_add_loop_test(tcase, forked_child_waits_for_no_lock_of_the_parent, 0,
                        sizeof(shared) / sizeof(shared[0]));
    tcase_add_test(tcase, child_of_a_compiling_process_has_no_compiler);
    FOR_THREADS(process_exits_with_work_in_flight);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
