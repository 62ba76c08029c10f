// SPDX-License-Identifier: MIT
// Set-up of the CPU device for its own tests: kernels that are C functions, and a number
// of worker threads. Included by one source file of each test program.
#ifndef TF_TESTS_DEVICE_CPU_RIG_H
#define TF_TESTS_DEVICE_CPU_RIG_H

#include <fenv.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/rig.h"
#include "devices/cpu/program/cpu_compiler.h"
#include "devices/cpu/run/cpu_exec.h"
#include "support/suite.h"

// ---- Kernels ----

static inline void fiber_group(const struct tf_launch *launch,
                               const struct tf_group *group, void *arg)
{
    void **worker_and_item = arg;
    const tf_item_entry *item = worker_and_item[1];

    launch->services->run_fibers(launch, worker_and_item[0], group, *item);
}

static inline void on_fibers(const struct tf_launch *launch, struct tf_worker *worker,
                             const tf_u64 first[3], tf_u64 count, tf_item_entry item)
{
    void *arg[2] = {worker, &item};

    fake_for_each_group(launch, first, count, fiber_group, arg);
}

// Defines kernel `name`, each of whose work-items is one call of `item` on its own stack.
#define FIBER_KERNEL(name, item)                                               \
    static void name(const struct tf_launch *launch, struct tf_worker *worker, \
                     const tf_u64 first[3], tf_u64 count)                      \
    {                                                                          \
        on_fibers(launch, worker, first, count, item);                         \
    }

static inline uint64_t linear(const struct tf_group *g, tf_u64 x, tf_u64 y, tf_u64 z)
{
    return (z * g->local_size[1] + y) * g->local_size[0] + x;
}

// data[group] += 1000 if optimized, 1 if quick, which takes `value` microseconds more.
static void mark(const struct tf_launch *launch, const tf_u64 first[3], tf_u64 count,
                 uint32_t number, unsigned us)
{
    const struct fake_args *args = launch->args;
    const uint64_t from = fake_group_number(launch, first);

    for (tf_u64 n = from; n < from + count; n++) {
        __atomic_fetch_add(&args->data[n], number, __ATOMIC_RELAXED);
        if (us)
            usleep(us);
    }
}

static void tier(const struct tf_launch *launch, struct tf_worker *worker,
                 const tf_u64 first[3], tf_u64 count)
{
    (void)worker;
    mark(launch, first, count, 1000, 0);
}

static void tier_quick(const struct tf_launch *launch, struct tf_worker *worker,
                       const tf_u64 first[3], tf_u64 count)
{
    (void)worker;
    mark(launch, first, count, 1, ((const struct fake_args *)launch->args)->value);
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
FIBER_KERNEL(reverse, reverse_item)

// The same without fibers, as quick code may have it.
static void reverse_group(const struct tf_launch *launch, const struct tf_group *g,
                          void *arg)
{
    const struct fake_args *args = launch->args;
    uint32_t *data = args->data + g->global_base[0];

    (void)arg;
    for (uint64_t i = 0, k = g->local_size[0] - 1; i < k; i++, k--) {
        const uint32_t number = data[i];

        data[i] = data[k];
        data[k] = number;
    }
}

static void reverse_quick(const struct tf_launch *launch, struct tf_worker *worker,
                          const tf_u64 first[3], tf_u64 count)
{
    (void)worker;
    fake_for_each_group(launch, first, count, reverse_group, NULL);
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
FIBER_KERNEL(ragged_loop, ragged_loop_item)

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
FIBER_KERNEL(mismatched, mismatched_item)

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
FIBER_KERNEL(trap_on_fiber, trap_item)

static void trap(const struct tf_launch *launch, struct tf_worker *worker,
                 const tf_u64 first[3], tf_u64 count)
{
    (void)first, (void)count;
    launch->services->trap(launch, worker, "test");
}

// data[0]: started; ends when data[1] is set.
static void spin(const struct tf_launch *launch, struct tf_worker *worker,
                 const tf_u64 first[3], tf_u64 count)
{
    const struct fake_args *args = launch->args;

    (void)worker, (void)first, (void)count;
    __atomic_store_n(&args->data[0], 1, __ATOMIC_SEQ_CST);
    while (!__atomic_load_n(&args->data[1], __ATOMIC_SEQ_CST))
        usleep(100);
}

// data[group] = 1 if the control state is the one that kernels expect; then changes it.
static void check_fp(const struct tf_launch *launch, struct tf_worker *worker,
                     const tf_u64 first[3], tf_u64 count)
{
    const struct fake_args *args = launch->args;
    const uint64_t from = fake_group_number(launch, first);

    (void)worker;
    for (tf_u64 n = from; n < from + count; n++) {
        volatile float tiny = 1e-38f, small = 1e-3f, one = 1, three = 3;
        const bool ok = fegetround() == FE_TONEAREST && fegetexcept() == 0 &&
                        tiny * small > 0 && one / three == 0x1.555556p-2f;

        args->data[n] = ok;
        usleep(1000);
    }
}

// Needs much stack, and writes to it.
static void deep(const struct tf_launch *launch, struct tf_worker *worker,
                 const tf_u64 first[3], tf_u64 count)
{
    const struct fake_args *args = launch->args;
    const uint64_t from = fake_group_number(launch, first);
    volatile char frame[900000];

    for (size_t i = 0; i < sizeof(frame); i += 1024)
        frame[i] = 1;
    ck_assert_uint_lt((uintptr_t)worker->stack_limit, (uintptr_t)frame);
    for (tf_u64 n = from; n < from + count; n++)
        args->data[n] = (uint32_t)frame[1024];
}

// data[group] = the CPU that runs it.
static void where(const struct tf_launch *launch, struct tf_worker *worker,
                  const tf_u64 first[3], tf_u64 count)
{
    const struct fake_args *args = launch->args;
    const uint64_t from = fake_group_number(launch, first);

    (void)worker;
    for (tf_u64 n = from; n < from + count; n++) {
        usleep(100);
        args->data[n] = (uint32_t)sched_getcpu();
    }
}

// data[group] = the fibers that the thread has.
static void gangs(const struct tf_launch *launch, struct tf_worker *worker,
                  const tf_u64 first[3], tf_u64 count)
{
    const struct fake_args *args = launch->args;
    const uint64_t from = fake_group_number(launch, first);
    const struct tf_exec *exec = worker->host;

    for (tf_u64 n = from; n < from + count; n++)
        args->data[n] = (uint32_t)exec->items.count;
}

// data[0] += groups, whoever else does so.
static void count_groups(const struct tf_launch *launch, struct tf_worker *worker,
                         const tf_u64 first[3], tf_u64 count)
{
    const struct fake_args *args = launch->args;

    (void)worker, (void)first;
    __atomic_fetch_add(&args->data[0], (uint32_t)count, __ATOMIC_RELAXED);
}

static const struct fake_kernel kernels[] = {
    {"count_groups", count_groups, TF_WG_LOOPS, 4096, 0, 0, 0, {0, 0}, NULL},
    {"add", rig_add, TF_WG_LOOPS, 4096, 0, 0, 0, {0, 0}, NULL},
    {"reverse", reverse, TF_WG_FIBERS, 4096, TF_KERNEL_HAS_BARRIER, 64, 0, {0, 0}, NULL},
    {"ragged_loop",
     ragged_loop,
     TF_WG_FIBERS,
     4096,
     TF_KERNEL_HAS_BARRIER,
     0,
     0,
     {0, 0},
     NULL},
    {"mismatched",
     mismatched,
     TF_WG_FIBERS,
     4096,
     TF_KERNEL_HAS_BARRIER,
     0,
     0,
     {0, 0},
     NULL},
    {"trap_on_fiber",
     trap_on_fiber,
     TF_WG_FIBERS,
     4096,
     TF_KERNEL_HAS_BARRIER,
     0,
     0,
     {0, 0},
     NULL},
    {"trap", trap, TF_WG_LOOPS, 4096, 0, 0, 0, {0, 0}, NULL},
    {"spin", spin, TF_WG_LOOPS, 4096, 0, 0, 0, {0, 0}, NULL},
    {"check_fp", check_fp, TF_WG_LOOPS, 4096, 0, 0, 0, {0, 0}, NULL},
    {"where", where, TF_WG_LOOPS, 4096, 0, 0, 0, {0, 0}, NULL},
    {"deep", deep, TF_WG_LOOPS, 1000000, 0, 0, 0, {0, 0}, NULL},
    {"huge", rig_add, TF_WG_LOOPS, (uint64_t)1 << 40, 0, 0, 0, {0, 0}, NULL},
    {"fails_once", rig_add, TF_WG_LOOPS, 4096, 0, 0, 1, {0, 0}, NULL},
    {"fails_always", rig_add, TF_WG_LOOPS, 4096, 0, 0, 1000, {0, 0}, NULL},
    {"only_plain", rig_add, TF_WG_LOOPS, 4096, 0, 0, -1, {0, 0}, NULL},
    {"tier", tier, TF_WG_LOOPS, 4096, 0, 0, 0, {0, 0}, tier_quick},
    {"turn",
     reverse,
     TF_WG_FIBERS,
     4096,
     TF_KERNEL_HAS_BARRIER,
     0,
     0,
     {0, 0},
     reverse_quick},
    {"tier_of_loops",
     tier,
     TF_WG_LOOPS,
     4096,
     TF_KERNEL_MAY_RUN_LONG,
     0,
     0,
     {0, 0},
     tier_quick},
    {"tier_of_loose",
     tier,
     TF_WG_LOOPS,
     4096,
     TF_KERNEL_LOOSE_VALUES,
     0,
     0,
     {0, 0},
     tier_quick},
    {"gangs", gangs, TF_WG_SIMT, 4096, TF_KERNEL_HAS_BARRIER, 0, 0, {16, 1}, NULL},
};

// ---- Set-up ----

static inline void use(unsigned threads)
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

// A loop test over them.
#define FOR_THREADS(test) tcase_add_loop_test(tcase, test, 0, THREAD_COUNTS)

// A scene on the device with so many worker threads.
static inline struct scene use_scene(unsigned threads, const char *source, size_t count)
{
    use(threads);
    return scene_begin(source, count);
}

static inline void use_local(struct rig_command *c, uint64_t offset, size_t bytes)
{
    memcpy(c->block + 16, &offset, sizeof(offset));
    c->cmd.kernel.local_bytes = bytes;
}

#endif // TF_TESTS_DEVICE_CPU_RIG_H
