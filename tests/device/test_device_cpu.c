// SPDX-License-Identifier: MIT
// What the CPU device promises beyond the device interface: fibers, traps, floating-point
// control, progress while kernels spin, code that is made once and in the background.
#include "device/rig.h"

#include <fenv.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>

#include "devices/cpu/cpu_compiler.h"
#include "support/suite.h"

#define OPS (rig.dev->ops)

// ---- Kernels ----

static void fiber_group(const struct tf_launch *launch, const struct tf_group *group,
                        void *arg)
{
    void **worker_and_item = arg;
    const tf_item_entry *item = worker_and_item[1];

    launch->services->run_fibers(launch, worker_and_item[0], group, *item);
}

static void on_fibers(const struct tf_launch *launch, struct tf_worker *worker,
                      tf_u64 first, tf_u64 count, tf_item_entry item)
{
    void *arg[2] = {worker, &item};

    fake_for_each_group(launch, first, count, fiber_group, arg);
}

static uint64_t linear(const struct tf_group *g, tf_u64 x, tf_u64 y, tf_u64 z)
{
    return (z * g->local_size[1] + y) * g->local_size[0] + x;
}

// Reverses the numbers of a group through local memory.
static void reverse_item(const struct tf_launch *launch, struct tf_worker *worker,
                         const struct tf_group *g, tf_u64 x, tf_u64 y, tf_u64 z)
{
    const struct fake_args *args = launch->args;
    uint32_t *scratch = (uint32_t *)(void *)(worker->local + args->scratch);
    const uint64_t n = g->local_size[0] * g->local_size[1] * g->local_size[2];
    const uint64_t at = linear(g, x, y, z);
    uint32_t *data = args->data + g->global_base[0];

    scratch[at] = data[at];
    launch->services->barrier(worker);
    data[at] = scratch[n - 1 - at];
}

static void reverse(const struct tf_launch *launch, struct tf_worker *worker,
                    tf_u64 first, tf_u64 count)
{
    on_fibers(launch, worker, first, count, reverse_item);
}

// for (i = 0; i < lid + 1; i++) if (i == 0) barrier();
static void ragged_loop_item(const struct tf_launch *launch, struct tf_worker *worker,
                             const struct tf_group *g, tf_u64 x, tf_u64 y, tf_u64 z)
{
    const struct fake_args *args = launch->args;

    (void)y, (void)z;
    for (tf_u64 i = 0; i < x + 1; i++) {
        if (i == 0)
            launch->services->barrier(worker);
        args->data[g->global_base[0] + x]++;
    }
}

static void ragged_loop(const struct tf_launch *launch, struct tf_worker *worker,
                        tf_u64 first, tf_u64 count)
{
    on_fibers(launch, worker, first, count, ragged_loop_item);
}

// Items reach different numbers of barriers: undefined in OpenCL, but it ends.
static void mismatched_item(const struct tf_launch *launch, struct tf_worker *worker,
                            const struct tf_group *g, tf_u64 x, tf_u64 y, tf_u64 z)
{
    const struct fake_args *args = launch->args;

    (void)y, (void)z;
    for (tf_u64 i = 0; i < x; i++)
        launch->services->barrier(worker);
    args->data[g->global_base[0] + x] = (uint32_t)x;
}

static void mismatched(const struct tf_launch *launch, struct tf_worker *worker,
                       tf_u64 first, tf_u64 count)
{
    on_fibers(launch, worker, first, count, mismatched_item);
}

static void trap_item(const struct tf_launch *launch, struct tf_worker *worker,
                      const struct tf_group *g, tf_u64 x, tf_u64 y, tf_u64 z)
{
    const struct fake_args *args = launch->args;

    (void)g, (void)y, (void)z;
    launch->services->barrier(worker);
    if (x == args->value)
        launch->services->trap(launch, worker, "test");
    launch->services->barrier(worker);
}

static void trap_on_fiber(const struct tf_launch *launch, struct tf_worker *worker,
                          tf_u64 first, tf_u64 count)
{
    on_fibers(launch, worker, first, count, trap_item);
}

static void trap(const struct tf_launch *launch, struct tf_worker *worker, tf_u64 first,
                 tf_u64 count)
{
    (void)first, (void)count;
    launch->services->trap(launch, worker, "test");
}

// data[0]: started; ends when data[1] is set.
static void spin(const struct tf_launch *launch, struct tf_worker *worker, tf_u64 first,
                 tf_u64 count)
{
    const struct fake_args *args = launch->args;

    (void)worker, (void)first, (void)count;
    __atomic_store_n(&args->data[0], 1, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&args->data[1], __ATOMIC_SEQ_CST))
        usleep(100);
}

// data[group] = 1 if the control state is the one that kernels expect; then changes it.
static void check_fp(const struct tf_launch *launch, struct tf_worker *worker,
                     tf_u64 first, tf_u64 count)
{
    const struct fake_args *args = launch->args;

    (void)worker;
    for (tf_u64 n = first; n < first + count; n++) {
        volatile float tiny = 1e-38f, small = 1e-3f, one = 1, three = 3;
        const bool ok = fegetround() == FE_TONEAREST && fegetexcept() == 0 &&
                        tiny * small > 0 && one / three == 0x1.555556p-2f;

        args->data[n] = ok;
        usleep(1000);
    }
}

// Needs much stack, and writes to it.
static void deep(const struct tf_launch *launch, struct tf_worker *worker, tf_u64 first,
                 tf_u64 count)
{
    const struct fake_args *args = launch->args;
    volatile char frame[900000];

    for (size_t i = 0; i < sizeof(frame); i += 1024)
        frame[i] = 1;
    ck_assert_uint_lt((uintptr_t)worker->stack_limit, (uintptr_t)frame);
    for (tf_u64 n = first; n < first + count; n++)
        args->data[n] = (uint32_t)frame[1024];
}

static const struct fake_kernel kernels[] = {
    {"add", rig_add, TF_WG_LOOPS, 4096, 0, 0, 0},
    {"reverse", reverse, TF_WG_FIBERS, 4096, TF_KERNEL_HAS_BARRIER, 64, 0},
    {"ragged_loop", ragged_loop, TF_WG_FIBERS, 4096, TF_KERNEL_HAS_BARRIER, 0, 0},
    {"mismatched", mismatched, TF_WG_FIBERS, 4096, TF_KERNEL_HAS_BARRIER, 0, 0},
    {"trap_on_fiber", trap_on_fiber, TF_WG_FIBERS, 4096, TF_KERNEL_HAS_BARRIER, 0, 0},
    {"trap", trap, TF_WG_LOOPS, 4096, 0, 0, 0},
    {"spin", spin, TF_WG_LOOPS, 4096, 0, 0, 0},
    {"check_fp", check_fp, TF_WG_LOOPS, 4096, 0, 0, 0},
    {"deep", deep, TF_WG_LOOPS, 1000000, 0, 0, 0},
    {"huge", rig_add, TF_WG_LOOPS, (uint64_t)1 << 40, 0, 0, 0},
    {"fails_once", rig_add, TF_WG_LOOPS, 4096, 0, 0, 1},
    {"fails_always", rig_add, TF_WG_LOOPS, 4096, 0, 0, 1000},
};

// ---- Set-up ----

static void use(unsigned threads)
{
    struct tf_device *dev = NULL;
    char text[16];

    snprintf(text, sizeof(text), "%u", threads);
    setenv("TREFOIL_THREADS", text, 1); // the parent of the test has read no setting
    fake_compiler_define(kernels, sizeof(kernels) / sizeof(kernels[0]));
    tf_cpu_compiler_override(fake_compiler_table());
    ck_assert_uint_eq(tf_drivers[0]->probe(&dev, 1), 1);
    ck_assert_uint_eq(dev->info->compute_units, threads);
    rig_use(dev);
}

static const unsigned thread_counts[] = {1, 2, 7};
enum { THREAD_COUNTS = 3 };

static struct tf_devmem *zeros(size_t count, uint32_t **data)
{
    struct tf_devmem *mem = rig_alloc(count * 4);

    *data = rig_address(mem, count * 4);
    memset(*data, 0, count * 4);
    return mem;
}

static void use_local(struct rig_command *c, uint64_t offset, size_t bytes)
{
    memcpy(c->block + 16, &offset, sizeof(offset));
    c->cmd.kernel.local_bytes = bytes;
}

static uint32_t load(const uint32_t *p)
{
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);
}

static void store(uint32_t *p, uint32_t value)
{
    __atomic_store_n(p, value, __ATOMIC_SEQ_CST);
}

// ---- Groups ----

START_TEST(each_group_of_a_ragged_range_runs_once)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(thread_counts[_i]);
    prog = rig_build("kernel add");
    mem = zeros(37 * 11 * 5, &data);
    rig_kernel(&c, prog, 0, mem, 1, 37, 8);
    c.cmd.kernel.work_dim = 3;
    c.cmd.kernel.global_size[1] = 11;
    c.cmd.kernel.global_size[2] = 5;
    c.cmd.kernel.local_size[1] = 3;
    c.cmd.kernel.local_size[2] = 2;
    c.cmd.kernel.global_offset[0] = 1000;
    c.cmd.kernel.global_offset[2] = 7;
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    for (size_t i = 0; i < 37 * 11 * 5; i++)
        ck_assert_uint_eq(data[i], 1);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(barrier_separates_writes_from_reads)
{
    enum { GLOBAL = 64 * 20, LOCAL = 64, OFFSET = 256 };
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(thread_counts[_i]);
    prog = rig_build("kernel reverse");
    mem = zeros(GLOBAL, &data);
    for (uint32_t i = 0; i < GLOBAL; i++)
        data[i] = i;
    for (unsigned round = 1; round <= 5; round++) {
        rig_kernel(&c, prog, 0, mem, 0, GLOBAL, LOCAL);
        use_local(&c, OFFSET, OFFSET + LOCAL * 4);
        ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
        for (uint32_t i = 0; i < GLOBAL; i++)
            ck_assert_uint_eq(data[i],
                              round % 2 ? i / LOCAL * LOCAL + LOCAL - 1 - i % LOCAL : i);
    }
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(barrier_in_one_round_of_a_ragged_loop_completes)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(thread_counts[_i]);
    prog = rig_build("kernel ragged_loop");
    mem = zeros(96, &data);
    rig_kernel(&c, prog, 0, mem, 0, 96, 32);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    for (uint32_t i = 0; i < 96; i++)
        ck_assert_uint_eq(data[i], i % 32 + 1);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(mismatched_barriers_end)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(2);
    prog = rig_build("kernel mismatched");
    mem = zeros(40, &data);
    rig_kernel(&c, prog, 0, mem, 0, 40, 16); // the last group has 8 items
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    for (uint32_t i = 0; i < 40; i++)
        ck_assert_uint_eq(data[i], i % 16);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(trap_ends_the_launch_and_nothing_else)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(thread_counts[_i]);
    prog = rig_build("kernel trap_on_fiber kernel trap kernel reverse");
    mem = zeros(256, &data);
    for (uint32_t round = 0; round < 20; round++) {
        rig_kernel(&c, prog, 0, mem, round, 256, 32);
        ck_assert_int_eq(rig_run(&c), CL_OUT_OF_RESOURCES);
        rig_kernel(&c, prog, 1, mem, 0, 256, 32);
        rig_submit(&c);
        OPS->help(rig.dev, &c.cmd);
        rig_wait(&c);
        ck_assert_int_eq(c.status, CL_OUT_OF_RESOURCES);
        for (uint32_t i = 0; i < 256; i++)
            data[i] = i;
        rig_kernel(&c, prog, 2, mem, 0, 256, 32);
        use_local(&c, 0, 32 * 4);
        ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
        for (uint32_t i = 0; i < 256; i++)
            ck_assert_uint_eq(data[i], i / 32 * 32 + 31 - i % 32);
    }
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(deep_frames_have_room)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(2);
    prog = rig_build("kernel deep");
    mem = zeros(10, &data);
    rig_kernel(&c, prog, 0, mem, 0, 10, 1);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    for (size_t i = 0; i < 10; i++)
        ck_assert_uint_eq(data[i], 1);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(stack_that_nobody_has_is_an_error)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(2);
    prog = rig_build("kernel huge");
    mem = zeros(10, &data);
    rig_kernel(&c, prog, 0, mem, 0, 10, 1);
    ck_assert_int_eq(rig_run(&c), CL_OUT_OF_RESOURCES);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
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

START_TEST(want_of_memory_is_an_error_never_a_crash)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    unsigned failed = 0;
    uint32_t *data;
    cl_int status;
    long n = 0;

    use(1);
    prog = rig_build("kernel reverse");
    mem = zeros(64, &data);
    do {
        rig_kernel(&c, prog, 0, mem, 0, 64, 16);
        use_local(&c, 0, 16 * 4);
        tf_alloc_fail_at(n++);
        status = rig_run(&c);
        failed += status != CL_COMPLETE;
        if (status != CL_COMPLETE)
            ck_assert_int_eq(status, CL_OUT_OF_RESOURCES);
        ck_assert_int_lt(n, 1000);
    } while (status != CL_COMPLETE);
    tf_alloc_fail_at(-1);
    ck_assert_uint_ge(failed, 1);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
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

// ---- Progress ----

START_TEST(spinning_kernel_ends_when_the_host_says_so)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(thread_counts[_i]);
    prog = rig_build("kernel spin");
    mem = zeros(2, &data);
    rig_kernel(&c, prog, 0, mem, 0, 1, 1);
    rig_submit(&c); // returns although the kernel does not end
    while (!load(&data[0]))
        usleep(100);
    ck_assert(!rig_is_finished(&c));
    store(&data[1], 1);
    rig_wait(&c);
    ck_assert_int_eq(c.status, CL_COMPLETE);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(commands_of_other_queues_pass_a_spinning_kernel)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem, *other;
    struct rig_command c, add;
    uint32_t *data, *sums;

    use(2);
    prog = rig_build("kernel spin kernel add");
    mem = zeros(2, &data);
    other = zeros(100, &sums);
    rig_kernel(&c, prog, 0, mem, 0, 1, 1);
    rig_submit(&c);
    while (!load(&data[0]))
        usleep(100);
    for (uint32_t i = 1; i <= 10; i++) {
        rig_kernel(&add, prog, 1, other, 1, 100, 4);
        ck_assert_int_eq(rig_run(&add), CL_COMPLETE);
        ck_assert_uint_eq(sums[99], i);
    }
    ck_assert(!rig_is_finished(&c));
    store(&data[1], 1);
    rig_wait(&c);
    rig_free(mem);
    rig_free(other);
    OPS->program_free(rig.dev, prog);
}
END_TEST

// A host thread that waits for one command works on no other.
START_TEST(help_is_for_the_command_waited_for)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem, *other;
    struct rig_command c, add;
    uint32_t *data, *sums;

    use(1);
    prog = rig_build("kernel spin kernel add");
    mem = zeros(2, &data);
    other = zeros(100, &sums);
    rig_kernel(&add, prog, 1, other, 1, 100, 4);
    ck_assert_int_eq(rig_run(&add), CL_COMPLETE); // its code is there now
    rig_kernel(&c, prog, 0, mem, 0, 1, 1);
    rig_submit(&c);
    while (!load(&data[0]))
        usleep(100);
    rig_kernel(&add, prog, 1, other, 1, 100, 4);
    rig_submit(&add);
    OPS->help(rig.dev, &add.cmd); // the only worker spins: the helper does it all
    ck_assert(rig_is_finished(&add));
    ck_assert_uint_eq(sums[99], 2);
    OPS->help(rig.dev, &c.cmd); // no chunk is left: returns at once
    ck_assert(!rig_is_finished(&c));
    store(&data[1], 1);
    rig_wait(&c);
    rig_free(mem);
    rig_free(other);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(helper_hands_back_what_comes_after)
{
    enum { COUNT = 50 };
    static struct rig_command c[COUNT];
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    uint32_t *data;

    use(thread_counts[_i]);
    prog = rig_build("kernel add");
    mem = zeros(100, &data);
    for (unsigned round = 1; round <= 20; round++) {
        for (unsigned i = 0; i < COUNT; i++) {
            rig_kernel(&c[i], prog, 0, mem, 1, 100, 10);
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
            ck_assert_uint_eq(data[i], COUNT * round);
    }
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

// ---- Floating-point control ----

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
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    pthread_attr_t attr;
    pthread_t thread;
    uint32_t *data;

    use(thread_counts[_i]);
    prog = rig_build("kernel check_fp");
    mem = zeros(64, &data);
    rig_kernel(&fp.c, prog, 0, mem, 0, 64, 1);
    ck_assert_int_eq(rig_run(&fp.c), CL_COMPLETE); // code is there: the host may help
    memset(data, 0, 64 * 4);
    rig_kernel(&fp.c, prog, 0, mem, 0, 64, 1);
    pthread_attr_init(&attr);
    pthread_attr_setstacksize(&attr, 64 << 10);
    ck_assert_int_eq(pthread_create(&thread, &attr, help_with_odd_control, NULL), 0);
    pthread_join(thread, NULL);
    pthread_attr_destroy(&attr);
    rig_wait(&fp.c);
    ck_assert(fp.kept);
    for (size_t i = 0; i < 64; i++)
        ck_assert_uint_eq(data[i], 1);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

// ---- Code ----

START_TEST(code_is_made_once)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(2);
    prog = rig_build("kernel add");
    mem = zeros(1000, &data);
    for (size_t i = 1; i <= 100; i++) {
        rig_kernel(&c, prog, 0, mem, (uint32_t)i, i * 10, i);
        ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    }
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 1);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(code_is_made_before_anyone_asks)
{
    struct tf_devprog *prog;

    use(2);
    prog = rig_build("kernel add kernel reverse");
    for (int i = 0; i < 5000 && atomic_load(&fake_compiler_generated) < 2; i++)
        usleep(1000);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(failed_code_is_tried_again_plainly)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(2);
    prog = rig_build("kernel fails_once kernel fails_always");
    mem = zeros(10, &data);
    rig_kernel(&c, prog, 0, mem, 4, 10, 1);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    ck_assert_uint_eq(data[9], 4);
    for (int i = 0; i < 2; i++) {
        rig_kernel(&c, prog, 1, mem, 4, 10, 1);
        ck_assert_int_eq(rig_run(&c), CL_OUT_OF_RESOURCES);
    }
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 4);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(program_dies_while_its_code_is_made)
{
    use(2);
    atomic_store(&fake_compiler_delay_us, 500);
    for (int i = 0; i < 100; i++)
        OPS->program_free(rig.dev, rig_build("kernel add kernel reverse kernel trap"));
    // What nobody holds is not made: far fewer than 300.
    usleep(10000);
    ck_assert_int_lt(atomic_load(&fake_compiler_generated), 150);
}
END_TEST

START_TEST(submit_does_not_wait_for_code)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(1);
    atomic_store(&fake_compiler_delay_us, 200000);
    prog = rig_build("kernel add");
    mem = zeros(10, &data);
    rig_kernel(&c, prog, 0, mem, 4, 10, 1);
    rig_submit(&c);
    OPS->help(rig.dev, &c.cmd);
    ck_assert(!rig_is_finished(&c));
    rig_wait(&c);
    ck_assert_int_eq(c.status, CL_COMPLETE);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(loaded_program_needs_no_compiler)
{
    struct tf_devprog *prog, *again = NULL;
    struct tf_devmem *mem;
    struct rig_command c;
    struct tf_err err = {0};
    uint32_t *data;
    size_t bytes;
    void *blob;

    use(2);
    prog = rig_build("kernel add kernel reverse");
    ck_assert_int_eq(OPS->program_save(&err, rig.dev, prog, &blob, &bytes), CL_SUCCESS);
    OPS->program_free(rig.dev, prog);
    tf_cpu_compiler_override(NULL);
    ck_assert_int_eq(OPS->program_load(&err, rig.dev, blob, bytes, &again), CL_SUCCESS);
    mem = zeros(64, &data);
    rig_kernel(&c, again, 0, mem, 4, 64, 2);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    ck_assert_uint_eq(data[63], 4);
    rig_kernel(&c, again, 1, mem, 0, 64, 64);
    use_local(&c, 0, 256);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&fake_compiler_generated), 2);
    rig_free(mem);
    OPS->program_free(rig.dev, again);
    tf_free(blob);
}
END_TEST

START_TEST(damaged_program_is_refused)
{
    struct tf_devprog *prog, *again = NULL;
    struct tf_err err = {0};
    unsigned char *blob;
    void *saved;
    size_t bytes;

    use(1);
    prog = rig_build("kernel add kernel reverse");
    ck_assert_int_eq(OPS->program_save(&err, rig.dev, prog, &saved, &bytes), CL_SUCCESS);
    OPS->program_free(rig.dev, prog);
    blob = saved;
    for (size_t i = 0; i < bytes; i++) {
        err = (struct tf_err){0};
        ck_assert_int_eq(OPS->program_load(&err, rig.dev, blob, i, &again),
                         CL_INVALID_BINARY);
        for (int bit = 0; bit < 8; bit += 3) {
            err = (struct tf_err){0};
            blob[i] ^= (unsigned char)(1u << bit);
            ck_assert_int_eq(OPS->program_load(&err, rig.dev, blob, bytes, &again),
                             CL_INVALID_BINARY);
            blob[i] ^= (unsigned char)(1u << bit);
        }
        ck_assert_ptr_null(again);
    }
    err = (struct tf_err){0};
    ck_assert_int_eq(OPS->program_load(&err, rig.dev, blob, bytes, &again), CL_SUCCESS);
    OPS->program_free(rig.dev, again);
    tf_free(saved);
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

// ---- Processes ----

#ifndef __SANITIZE_THREAD__ // it starts no threads in the child of a process with threads
static void run_one_add(void)
{
    struct tf_devprog *prog = rig_build("kernel add");
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    mem = zeros(100, &data);
    rig_kernel(&c, prog, 0, mem, 4, 100, 2);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    ck_assert_uint_eq(data[99], 4);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}

START_TEST(forked_child_works)
{
    use(2);
    run_one_add();
    for (int i = 0; i < 5; i++) {
        const pid_t pid = fork();
        int status;

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
            alarm(20);
            OPS->forked(rig.dev);
            run_one_add();
            _exit(0);
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(status, 0);
    }
    run_one_add();
}
END_TEST
#endif

START_TEST(process_exits_with_work_in_flight)
{
    use(thread_counts[_i]);
    for (unsigned i = 0; i < 10; i++) {
        const pid_t pid = fork();
        int status;

        ck_assert_int_ge(pid, 0);
        if (pid == 0) {
            static struct rig_command c[3];
            struct tf_devprog *prog;
            uint32_t *data;

            alarm(20);
            prog = rig_build("kernel spin kernel add kernel reverse");
            rig_kernel(&c[0], prog, 0, zeros(2, &data), 0, 16, 1);
            rig_kernel(&c[1], prog, 1, zeros(100000, &data), 1, 100000, 16);
            rig_kernel(&c[2], prog, 2, zeros(100000, &data), 1, 65536, 64);
            use_local(&c[2], 0, 256);
            for (unsigned n = 0; n < 3; n++)
                rig_submit(&c[(n + i) % 3]);
            usleep(i * 500);
            exit(0);
        }
        ck_assert_int_eq(waitpid(pid, &status, 0), pid);
        ck_assert_int_eq(status, 0);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device_cpu");
    TCase *tcase = tcase_create("cpu");

#define FOR_THREADS(test) tcase_add_loop_test(tcase, test, 0, THREAD_COUNTS)
    FOR_THREADS(each_group_of_a_ragged_range_runs_once);
    FOR_THREADS(barrier_separates_writes_from_reads);
    FOR_THREADS(barrier_in_one_round_of_a_ragged_loop_completes);
    tcase_add_test(tcase, mismatched_barriers_end);
    FOR_THREADS(trap_ends_the_launch_and_nothing_else);
    tcase_add_test(tcase, deep_frames_have_room);
    tcase_add_test(tcase, stack_that_nobody_has_is_an_error);
    tcase_add_test(tcase, too_many_groups_are_an_error);
    tcase_add_test(tcase, want_of_memory_is_an_error_never_a_crash);
    tcase_add_test(tcase, range_outside_its_memory_is_an_error);
    FOR_THREADS(spinning_kernel_ends_when_the_host_says_so);
    tcase_add_test(tcase, commands_of_other_queues_pass_a_spinning_kernel);
    tcase_add_test(tcase, help_is_for_the_command_waited_for);
    FOR_THREADS(helper_hands_back_what_comes_after);
    FOR_THREADS(kernels_have_their_control_state_and_hosts_keep_theirs);
    tcase_add_test(tcase, code_is_made_once);
    tcase_add_test(tcase, code_is_made_before_anyone_asks);
    tcase_add_test(tcase, failed_code_is_tried_again_plainly);
    tcase_add_test(tcase, program_dies_while_its_code_is_made);
    tcase_add_test(tcase, submit_does_not_wait_for_code);
    tcase_add_test(tcase, loaded_program_needs_no_compiler);
    tcase_add_test(tcase, damaged_program_is_refused);
    tcase_add_test(tcase, missing_compiler_has_its_code_and_text);
    tcase_add_test(tcase, bad_options_have_the_code_of_their_entry_point);
#ifndef __SANITIZE_THREAD__
    tcase_add_test(tcase, forked_child_works);
#endif
    FOR_THREADS(process_exits_with_work_in_flight);
#undef FOR_THREADS
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
