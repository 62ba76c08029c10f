// SPDX-License-Identifier: MIT
// Batches on the CPU device: stages, several runs at once, changes, failures.
#include "device/cpu_rig.h"
#include "devices/cpu/batch/cpu_batch.h"
#include "devices/cpu/batch/cpu_batch_steps.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/run/cpu_launch.h"
#include "support/limits.h"

enum { MOST = 400 };

// A batch of commands of rig_kernel(), each a stage of its own.
struct rig_batch {
    struct tf_batch batch;
    struct rig_command made[MOST];
    struct tf_command commands[MOST];
    uint32_t ends[MOST], changed[MOST];
    uint8_t changes[MOST];
    bool watched[MOST];
};

static struct rig_batch batch;

static void begin_batch(void)
{
    memset(&batch, 0, sizeof(batch));
    batch.batch.commands = batch.commands;
    batch.batch.stage_ends = batch.ends;
    batch.batch.changed = batch.changed;
    batch.batch.changes = batch.changes;
    batch.batch.watched = batch.watched;
    tf_mutex_init(&batch.batch.lock, TF_RANK_LEAF);
}

// Groups of 4 items of kernel `index` with the value.
static void add_kernel(struct scene *s, unsigned index, uint32_t value, size_t global)
{
    const size_t at = batch.batch.command_count++;

    scene_kernel(s, &batch.made[at], index, value, global, 4);
    batch.commands[at] = batch.made[at].cmd;
    batch.ends[batch.batch.stage_count++] = (uint32_t)at + 1;
}

// The last command joins the stage before it.
static void join_stages(void)
{
    batch.ends[--batch.batch.stage_count - 1] = (uint32_t)batch.batch.command_count;
}

static void end_batch(void)
{
    struct tf_prepared *prepared = atomic_load(&batch.batch.prepared);

    if (prepared)
        batch.batch.free_prepared(prepared);
    tf_mutex_finish(&batch.batch.lock);
}

static void make_run(struct rig_command *c)
{
    *c =
        (struct rig_command){.cmd = {.kind = TF_CMD_BATCH, .replay.batch = &batch.batch}};
}

static cl_int run_batch(void)
{
    struct rig_command c;

    make_run(&c);
    return rig_run(&c);
}

static void check_all(const struct scene *s, size_t count, uint32_t wanted)
{
    for (size_t i = 0; i < count; i++)
        ck_assert_uint_eq(s->data[i], wanted);
}

START_TEST(stages_run_one_after_the_other)
{
    struct scene s = use_scene(thread_counts[_i], "kernel add kernel reverse", 64);

    begin_batch();
    for (uint32_t i = 0; i < 100; i++) {
        add_kernel(&s, 0, i, 64);
        if (i % 10 == 0) {
            add_kernel(&s, 1, 0, 64);
            use_local(&batch.made[batch.batch.command_count - 1], 0, 16);
            batch.commands[batch.batch.command_count - 1].kernel.local_bytes = 16;
        }
    }
    for (uint32_t run = 1; run <= 3; run++) {
        ck_assert_int_eq(run_batch(), CL_COMPLETE);
        check_all(&s, 64, run * 4950);
    }
    end_batch();
    scene_end(&s);
}
END_TEST

START_TEST(runs_may_overlap)
{
    enum { RUNS = 50 };
    struct scene s = use_scene(thread_counts[_i], "kernel count_groups", 64);
    static struct rig_command runs[RUNS];

    begin_batch();
    for (uint32_t i = 0; i < 20; i++)
        add_kernel(&s, 0, 0, 64);
    for (int i = 0; i < RUNS; i++) {
        make_run(&runs[i]);
        rig_submit(&runs[i]);
        if (i % 5 == 0)
            OPS->help(rig.dev, &runs[i].cmd);
    }
    for (int i = 0; i < RUNS; i++) {
        rig_wait(&runs[i]);
        ck_assert_int_eq(runs[i].status, CL_COMPLETE);
    }
    ck_assert_uint_eq(s.data[0], RUNS * 20 * 64 / 4);
    end_batch();
    scene_end(&s);
}
END_TEST

START_TEST(long_steps_are_for_all_threads)
{
    struct scene s = use_scene(thread_counts[_i], "kernel where kernel add", 400);

    begin_batch();
    add_kernel(&s, 0, 0, 400);
    add_kernel(&s, 1, 0, 400);
    add_kernel(&s, 0, 0, 200);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(run_batch(), CL_COMPLETE);
    end_batch();
    scene_end(&s);
}
END_TEST

START_TEST(kernels_of_a_stage_are_one_row)
{
    struct scene s = use_scene(thread_counts[_i], "kernel add", 256);

    begin_batch();
    add_kernel(&s, 0, 0, 0); // no groups
    for (uint32_t i = 0; i < 30; i++) {
        add_kernel(&s, 0, 1, 64);
        batch.made[batch.batch.command_count - 1].patch.delta_bytes = i % 4 * 64 * 4;
        join_stages();
    }
    // Items of one place are in stages of their own.
    batch.batch.stage_count = 0;
    for (uint32_t end = 5; end < 31; end += 4)
        batch.ends[batch.batch.stage_count++] = end;
    batch.ends[batch.batch.stage_count++] = 31;
    ck_assert_int_eq(run_batch(), CL_COMPLETE);
    for (size_t i = 0; i < 256; i++)
        ck_assert_uint_eq(s.data[i], i < 128 ? 8 : 7);
    end_batch();
    scene_end(&s);
}
END_TEST

START_TEST(copies_stand_between_kernels)
{
    struct scene s = use_scene(thread_counts[_i], "kernel add", 64);
    struct tf_command *copy;

    begin_batch();
    add_kernel(&s, 0, 1, 64);
    add_kernel(&s, 0, 1, 64);
    copy = &batch.commands[1];
    *copy = (struct tf_command){.kind = TF_CMD_SVM_FILL,
                                .host = s.data,
                                .size_bytes = 128,
                                .pattern = {10},
                                .pattern_bytes = 4};
    add_kernel(&s, 0, 1, 64);
    ck_assert_int_eq(run_batch(), CL_COMPLETE);
    for (size_t i = 0; i < 64; i++)
        ck_assert_uint_eq(s.data[i], i < 32 ? 11 : 2);
    end_batch();
    scene_end(&s);
}
END_TEST

START_TEST(changes_are_seen_by_the_next_run)
{
    struct scene s = use_scene(thread_counts[_i], "kernel add", 64);

    begin_batch();
    add_kernel(&s, 0, 1, 64);
    add_kernel(&s, 0, 1, 64);
    ck_assert_int_eq(run_batch(), CL_COMPLETE);
    check_all(&s, 64, 2);
    batch.commands[1].kernel.global_size[0] = 32;
    memset(batch.made[0].block, 0,
           sizeof(uint64_t)); // the address is to be written again
    batch.changes[0] = TF_CHANGED_ADDRESSES;
    batch.changes[1] = TF_CHANGED_RANGE;
    batch.changed[0] = 1;
    batch.changed[1] = 0;
    atomic_store(&batch.batch.changed_count, 2);
    ck_assert_int_eq(run_batch(), CL_COMPLETE);
    ck_assert_uint_eq(atomic_load(&batch.batch.changed_count), 0);
    ck_assert_uint_eq(batch.changes[0] | batch.changes[1], 0);
    for (size_t i = 0; i < 64; i++)
        ck_assert_uint_eq(s.data[i], i < 32 ? 4 : 3);
    end_batch();
    scene_end(&s);
}
END_TEST

static void expect_code(const struct scene *s, enum tf_cpu_slot slot)
{
    const struct tf_prepared *prepared = atomic_load(&batch.batch.prepared);
    const struct tf_cpu_kernel *code = tf_cpu_kernel_peek(s->prog, 0, slot);

    ck_assert_ptr_nonnull(code);
    ck_assert_ptr_eq(prepared->launches[0].made.code, code);
}

static void change_value(uint32_t value)
{
    memcpy(batch.made[0].block + sizeof(uint64_t), &value, sizeof(value));
    batch.changes[0] = TF_CHANGED_VALUES;
    batch.changed[0] = 0;
    atomic_store(&batch.batch.changed_count, 1);
    ck_assert_int_eq(run_batch(), CL_COMPLETE);
    ck_assert_uint_eq(atomic_load(&batch.batch.changed_count), 0);
}

// A batch of one kernel, whose value decides which code serves.
static struct scene begin_by_value(unsigned threads, const char *kernel)
{
    struct scene s;

    fake_compiler_fit = (struct tf_fit){.spacings = {sizeof(uint64_t) + 1}};
    s = use_scene(threads, kernel, 64);
    begin_batch();
    add_kernel(&s, 0, 1, 64);
    return s;
}

static void end_by_value(struct scene *s)
{
    end_batch();
    scene_end(s);
    fake_compiler_fit = (struct tf_fit){0};
}

START_TEST(code_is_chosen_anew_where_values_decide_it)
{
    struct scene s = begin_by_value(thread_counts[_i], "kernel add");

    ck_assert_int_eq(run_batch(), CL_COMPLETE);
    ck_assert(batch.watched[0]);
    expect_code(&s, TF_SLOT_FULL);
    change_value(3);
    expect_code(&s, TF_SLOT_SINGLE);
    change_value(4);
    expect_code(&s, TF_SLOT_SINGLE);
    change_value(1);
    expect_code(&s, TF_SLOT_FULL);
    check_all(&s, 64, 9);
    end_by_value(&s);
}
END_TEST

// Code for groups of one size has values of its own that decide.
START_TEST(code_for_one_size_is_chosen_anew_too)
{
    struct scene s = begin_by_value(thread_counts[_i], "kernel turn");

    use_local(&batch.made[0], 0, 64);
    batch.commands[0] = batch.made[0].cmd;
    ck_assert(!tf_launch_is_lasting_ready(&batch.commands[0].kernel));
    ck_assert_ptr_null(
        tf_cpu_kernel_at(s.prog, 0, TF_SLOT_VARIANT)); // who looks asks nothing
    ck_assert_int_eq(run_batch(), CL_COMPLETE);
    expect_code(&s, TF_SLOT_VARIANT);
    ck_assert(tf_launch_is_lasting_ready(&batch.commands[0].kernel));
    ck_assert(batch.watched[0]);
    change_value(3);
    expect_code(&s, TF_SLOT_SINGLE);
    change_value(1);
    expect_code(&s, TF_SLOT_VARIANT);
    end_by_value(&s);
}
END_TEST

START_TEST(values_are_not_watched_elsewhere)
{
    struct scene s = use_scene(thread_counts[_i], "kernel add", 64);

    begin_batch();
    add_kernel(&s, 0, 1, 64);
    ck_assert_int_eq(run_batch(), CL_COMPLETE);
    ck_assert(!batch.watched[0]);
    end_batch();
    scene_end(&s);
}
END_TEST

START_TEST(trap_ends_the_run_and_nothing_else)
{
    struct scene s =
        use_scene(thread_counts[_i], "kernel add kernel trap kernel trap_on_fiber", 64);

    for (unsigned kind = 1; kind <= 2; kind++) {
        memset(s.data, 0, 64 * 4);
        begin_batch();
        add_kernel(&s, 0, 1, 64);
        add_kernel(&s, kind, 1, 64);
        add_kernel(&s, 0, 1, 64);
        ck_assert_int_eq(run_batch(), CL_OUT_OF_RESOURCES);
        check_all(&s, 64, 1);
        ck_assert_int_eq(run_batch(), CL_OUT_OF_RESOURCES);
        ck_assert_int_eq(scene_run(&s, 0, 1, 64, 4), CL_COMPLETE);
        check_all(&s, 64, 3);
        end_batch();
    }
    scene_end(&s);
}
END_TEST

START_TEST(kernel_without_code_fails_the_run)
{
    struct scene s = use_scene(2, "kernel add kernel fails_always", 64);

    begin_batch();
    add_kernel(&s, 0, 0, 64);
    add_kernel(&s, 1, 0, 64);
    ck_assert_int_eq(run_batch(), CL_OUT_OF_RESOURCES);
    check_all(&s, 64, 0);
    end_batch();
    scene_end(&s);
}
END_TEST

START_TEST(long_batch_gives_way)
{
    struct scene s = use_scene(1, "kernel where kernel add kernel spin", 64);
    static struct rig_command run, other;
    uint32_t *sums;
    struct tf_devmem *mem = rig_zeros(64, &sums);

    begin_batch();
    add_kernel(&s, 2, 0, 4);
    for (int i = 1; i < MOST; i++)
        add_kernel(&s, 0, 0, 4);
    __atomic_store_n(&s.data[1], 1, __ATOMIC_SEQ_CST);
    ck_assert_int_eq(run_batch(), CL_COMPLETE); // code is there from here on
    __atomic_store_n(&s.data[1], 0, __ATOMIC_SEQ_CST);
    make_run(&run);
    rig_kernel(&other, s.prog, 1, mem, 0, 64, 4);
    rig_submit(&run);
    rig_submit(&other);
    __atomic_store_n(&s.data[1], 1, __ATOMIC_SEQ_CST);
    rig_wait(&run);
    rig_wait(&other);
    ck_assert_int_eq(run.status, CL_COMPLETE);
    ck_assert_uint_lt(other.order, run.order);
    rig_free(mem);
    end_batch();
    scene_end(&s);
}
END_TEST

// A thread that cannot be had is done without: some runs end well before the last.
START_TEST(want_of_memory_is_an_error_never_a_crash)
{
    struct scene s = use_scene(1, "kernel add kernel reverse", 64);
    unsigned failed = 0, well = 0;
    cl_int status;
    long n = 0;

    begin_batch();
    add_kernel(&s, 0, 0, 64);
    add_kernel(&s, 1, 0, 64);
    use_local(&batch.made[1], 0, 16);
    batch.commands[1].kernel.local_bytes = 16;
    for (size_t i = 0; i < 2; i++)
        tf_launch_expect(&batch.commands[i].kernel);
    ck_assert(TEST_UNTIL(tf_batch_is_ready(&batch.batch)));
    do {
        tf_alloc_fail_at(n++);
        status = run_batch();
        failed += status != CL_COMPLETE;
        well = status == CL_COMPLETE ? well + 1 : 0;
        ck_assert_int_lt(n, 1000);
    } while (well < 20);
    tf_alloc_fail_at(-1);
    ck_assert_uint_ge(failed, 1);
    end_batch();
    scene_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cpu_batch");
    TCase *tcase = tcase_create("cpu_batch");

    FOR_THREADS(stages_run_one_after_the_other);
    FOR_THREADS(runs_may_overlap);
    FOR_THREADS(long_steps_are_for_all_threads);
    FOR_THREADS(kernels_of_a_stage_are_one_row);
    FOR_THREADS(copies_stand_between_kernels);
    FOR_THREADS(changes_are_seen_by_the_next_run);
    FOR_THREADS(code_is_chosen_anew_where_values_decide_it);
    FOR_THREADS(code_for_one_size_is_chosen_anew_too);
    FOR_THREADS(values_are_not_watched_elsewhere);
    FOR_THREADS(trap_ends_the_run_and_nothing_else);
    tcase_add_test(tcase, kernel_without_code_fails_the_run);
    tcase_add_test(tcase, long_batch_gives_way);
    tcase_add_test(tcase, want_of_memory_is_an_error_never_a_crash);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
