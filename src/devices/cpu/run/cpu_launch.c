// SPDX-License-Identifier: MIT
#include "devices/cpu/run/cpu_launch.h"

#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/range.h"
#include "base/time.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/check/cpu_check.h"
#include "devices/cpu/move/cpu_apart.h"
#include "devices/cpu/move/cpu_mem.h"
#include "devices/cpu/move/cpu_stream.h"
#include "devices/cpu/pool/cpu_pool.h"
#include "devices/cpu/program/cpu_program.h"
#include "devices/cpu/run/cpu_concurrent.h"
#include "devices/cpu/run/cpu_needs.h"
#include "devices/cpu/run/cpu_pace.h"
#include "devices/cpu/run/cpu_print.h"
#include "devices/cpu/run/cpu_statics.h"
#include "devices/cpu/run/cpu_trace.h"
#include "devices/cpu/tier/cpu_tier.h"
#include "trace/trace.h"

enum {
    ALONE_DIVISOR = 1, // of a launch that is expected to stay with one thread
    // Of quick code.
    SHORT_CHUNK_NS = 100000,
    LONG_CHUNK_NS = 400000,
};

// ---- Services ----

static _Noreturn void trap(const struct tf_launch *launch, struct tf_worker *worker,
                           const char *what)
{
    struct tf_exec *exec = worker->host;

    (void)launch;
    tf_log(TF_LOG_ERROR, "kernel stopped: %s", what);
    tf_unit_fail(exec->unit, CL_OUT_OF_RESOURCES);
    tf_exec_abandon(exec);
}

static void run_fibers(const struct tf_launch *launch, struct tf_worker *worker,
                       const struct tf_group *group, tf_item_entry item)
{
    struct tf_exec *exec = worker->host;

    if (!tf_items_run(&exec->items, &exec->kernel, worker, launch, group, item))
        trap(launch, worker, "work-group larger than the launch said");
}

TF_FIBER_UNCOUNTED static void barrier(struct tf_worker *worker)
{
    struct tf_exec *exec = worker->host;

    tf_items_yield(&exec->items, worker);
}

TF_FIBER_UNCOUNTED static void yield_in_wait(struct tf_worker *worker)
{
    struct tf_exec *exec = worker->host;

    tf_items_yield_in_wait(&exec->items, worker);
}

TF_FIBER_UNCOUNTED static void gather(struct tf_worker *worker)
{
    struct tf_exec *exec = worker->host;

    tf_items_gather(&exec->items, worker);
}

// Only where somebody waits for what is enqueued (family/).
static tf_u64 enqueue(const struct tf_launch *launch, struct tf_worker *worker,
                      const void *record, tf_u32 flags)
{
    enum { CLK_ENQUEUE_FAILURE = -101 };
    struct tf_exec *exec = worker->host;

    return launch->host ? exec->enqueue(launch, worker, record, flags)
                        : (tf_u64)CLK_ENQUEUE_FAILURE;
}

static _Noreturn void fail_assertion(const struct tf_launch *launch,
                                     struct tf_worker *worker,
                                     const struct tf_assert_record *record)
{
    tf_print_assertion(record);
    trap(launch, worker, "an assertion failed");
}

static tf_u64 ask(const struct tf_launch *launch, struct tf_worker *worker,
                  const void *record, tf_u32 op)
{
    struct tf_exec *exec = worker->host;

    if (op == TF_ASK_ASSERT_FAILED)
        fail_assertion(launch, worker, record);
    if (op == TF_ASK_TOO_DEEP)
        trap(launch, worker, "functions call each other too deep");
    if (exec->concurrent && !tf_concurrent_wait(exec->concurrent))
        tf_exec_abandon(exec);
    return 0;
}

static tf_u64 check(const struct tf_launch *launch, struct tf_worker *worker,
                    struct tf_check_item *item, tf_u64 site, tf_u64 address, tf_u64 bytes,
                    tf_u64 base, tf_u64 value)
{
    struct tf_exec *exec = worker->host;
    const tf_u64 about[] = {site, address, bytes, base, value};
    bool fails = false;
    const tf_u64 answer =
        tf_check_ask(&exec->checks, exec->unit->cmd, launch, worker, item, about, &fails);

    if (fails)
        tf_unit_fail(exec->unit, CL_OUT_OF_RESOURCES);
    return answer;
}

static const struct tf_checked_services services = {
    .services =
        {
            .version = TF_CPU_ABI_VERSION,
            .bytes = sizeof(struct tf_checked_services),
            .run_fibers = run_fibers,
            .barrier = barrier,
            .print = tf_print,
            .trap = trap,
            .yield = yield_in_wait,
            .gather = gather,
            .enqueue = enqueue,
            .ask = ask,
        },
    .check = check,
};

// ---- Running ----

// A thread takes what is left divided by this at a time. Where what a group enqueues
// waits for its end, the end is seen after each.
static uint64_t divisor_of(const struct tf_cpu_launch *launch)
{
    const struct tf_kernel_info *info = &launch->program->infos[launch->kernel_index];

    return info->flags & TF_KERNEL_WAITS_GROUP ? UINT64_MAX
                                               : (uint64_t)launch->threads * 4;
}

// What tf_launch_new() makes: with room for a share of each thread.
struct shared_launch {
    struct tf_cpu_launch launch;
    struct tf_unit_share shares[];
};

// One thread, as long as it runs one piece of code.
struct turn {
    struct tf_cpu_launch *launch;
    unsigned near;                           // of tf_unit_take_near()
    const struct tf_cpu_kernel *code, *next; // next: code, or what comes after it
    bool watches;                            // whether better code may come up
    uint64_t groups;                         // that it has run
    uint64_t start_ns;                       // 0: nobody wants to know
};

void tf_launch_run(tf_wg_entry entry, const struct tf_launch *launch,
                   struct tf_exec *exec, size_t zeroed_bytes, uint64_t first,
                   uint64_t count)
{
    const uint64_t each = zeroed_bytes > 0 ? 1 : count;
    uint64_t id[3];

    for (; count > 0; first += each, count -= each) {
        tf_group_id(launch, first, id);
        tf_launch_run_from(entry, launch, exec, zeroed_bytes, id, each);
    }
}

static void run_chunk(struct tf_exec *exec, const struct turn *turn, uint64_t first,
                      uint64_t count)
{
    const struct tf_cpu_launch *launch = turn->launch;

    tf_launch_run((tf_wg_entry)(uintptr_t)turn->code->image.entry, &launch->abi, exec,
                  tf_launch_zeroed_bytes(launch), first, count);
}

// Chunks so long that looking at the clock costs nothing, and so short that other code
// has not to wait for long.
static uint64_t next_limit(uint64_t limit, uint64_t ns)
{
    if (ns < SHORT_CHUNK_NS && limit < UINT64_MAX / 2)
        return limit * 2;
    return ns > LONG_CHUNK_NS && limit > 1 ? limit / 2 : limit;
}

// Whether the launch is to end here: nobody begins another group then.
static bool is_stopped(struct tf_unit *unit)
{
    const cl_int status = tf_command_stopped(unit->cmd);

    if (status)
        tf_unit_fail(unit, status);
    return status;
}

// How long the groups that nobody has begun will take all threads, at the pace of `count`
// in `ns`.
static uint64_t left_ns(const struct tf_cpu_launch *launch, uint64_t count, uint64_t ns)
{
    const uint64_t left = tf_unit_left(&launch->unit);
    const double all = (double)ns / (double)count * (double)left / launch->threads;

    return all < (double)INT64_MAX ? (uint64_t)all : INT64_MAX;
}

static void run_watching(struct tf_exec *exec, struct turn *turn)
{
    struct tf_cpu_launch *launch = turn->launch;
    uint64_t first, count, limit = 1, at_ns = tf_time_ns();

    while (!is_stopped(&launch->unit) &&
           tf_unit_take_near(&launch->unit, &turn->near, limit, &first, &count)) {
        const uint64_t start_ns = at_ns;
        uint64_t ns;

        run_chunk(exec, turn, first, count);
        tf_launch_end_chunk(exec);
        turn->groups += count;
        at_ns = tf_time_ns();
        ns = at_ns - start_ns;
        limit = next_limit(limit, ns);
        if (!turn->watches)
            continue;
        turn->next = tf_cpu_tier_next(launch->program, launch->kernel_index, &launch->abi,
                                      turn->code, ns, left_ns(launch, count, ns));
        if (turn->next != turn->code)
            return;
    }
}

// A launch that was expected to be short, and that others may join if it is not.
static void call_others_if_late(struct tf_cpu_launch *launch, uint64_t start_ns)
{
    struct tf_pool *pool = launch->unit.later;

    if (tf_time_ns() - start_ns < TF_PACE_LATE_NS || !tf_unit_is_left(&launch->unit))
        return;
    launch->unit.later = NULL;
    launch->unit.divisor = divisor_of(launch);
    tf_pool_offer(pool, &launch->unit);
}

// Begins with one group, since the launch may be none of those that it was expected to
// be.
static void run_alone(struct tf_exec *exec, struct turn *turn)
{
    uint64_t first, count;

    for (uint64_t limit = 1;
         turn->launch->unit.later &&
         tf_unit_take_at_most(&turn->launch->unit, limit, &first, &count);
         limit *= 2) {
        run_chunk(exec, turn, first, count);
        tf_launch_end_chunk(exec);
        turn->groups += count;
        call_others_if_late(turn->launch, turn->start_ns);
    }
}

static void run_groups(struct tf_exec *exec, void *arg)
{
    struct turn *turn = arg;
    uint64_t first, count;

    if (turn->watches || turn->launch->unit.cmd->stop) {
        run_watching(exec, turn);
        return;
    }
    if (turn->launch->unit.later)
        run_alone(exec, turn);
    while (
        tf_unit_take_near(&turn->launch->unit, &turn->near, UINT64_MAX, &first, &count)) {
        run_chunk(exec, turn, first, count);
        tf_launch_end_chunk(exec);
        turn->groups += count;
    }
}

// What a thread did, for a trace.
static void trace_turn(const struct turn *turn, uint64_t end_ns)
{
    const struct tf_cpu_launch *launch = turn->launch;
    const struct tf_command *cmd = launch->unit.cmd;

    tf_cpu_trace_work(&(struct tf_cpu_work){
        .cmd = cmd,
        .program = launch->program,
        .kernel_index = launch->kernel_index,
        .code = turn->code,
        .launch = launch->trace_launch,
        .groups = turn->groups,
        .start_ns = turn->start_ns,
        .end_ns = end_ns,
    });
}

static void end_turn(const struct turn *turn, bool traces)
{
    const uint64_t end_ns = tf_time_ns();

    if (traces)
        trace_turn(turn, end_ns);
    if (turn->launch->is_timed)
        atomic_fetch_add_explicit(&turn->launch->busy_ns, end_ns - turn->start_ns,
                                  memory_order_relaxed);
}

static bool run_turn(struct tf_exec *exec, struct turn *turn)
{
    struct tf_cpu_launch *launch = turn->launch;
    const bool traces = tf_trace_on();
    struct tf_exec_needs needs = launch->needs;
    bool ok;

    turn->next = turn->code;
    turn->groups = 0;
    turn->start_ns = traces || launch->is_timed ? tf_time_ns() : 0;
    turn->watches = !atomic_load_explicit(&launch->stays, memory_order_relaxed) &&
                    tf_cpu_tier_watches(launch->program, launch->kernel_index,
                                        &launch->abi, turn->code);
    exec->unit = &launch->unit;
    ok =
        (turn->code == launch->first ||
         tf_launch_needs(&needs, &launch->abi, launch->local_bytes, &turn->code->code)) &&
        tf_exec_run(exec, &needs, run_groups, turn);
    if (turn->start_ns > 0 && turn->groups > 0)
        end_turn(turn, traces);
    return ok;
}

bool tf_launch_work(struct tf_cpu_launch *launch, struct tf_exec *exec)
{
    struct turn turn = {
        .launch = launch, .near = tf_unit_nearest(&launch->unit), .code = launch->first};

    if (!run_turn(exec, &turn))
        return false;
    while (turn.next != turn.code) {
        turn.code = turn.next;
        if (run_turn(exec, &turn))
            continue;
        atomic_store_explicit(&launch->stays, true, memory_order_relaxed);
        turn.code = launch->first;
        if (!run_turn(exec, &turn)) { // some of its memory may be gone
            tf_unit_fail(&launch->unit, CL_OUT_OF_RESOURCES);
            break;
        }
    }
    tf_print_flush(exec);
    return true;
}

static bool run_unit(struct tf_unit *unit, struct tf_exec *exec)
{
    return tf_launch_work(tf_container_of(unit, struct tf_cpu_launch, unit), exec);
}

static void drop(struct tf_exec *exec, struct tf_cpu_launch *launch)
{
    if (!exec->spare)
        exec->spare = launch;
    else
        tf_free(launch);
}

static uint64_t count_items(const struct tf_launch *launch)
{
    uint64_t items = 1;

    for (int i = 0; i < 3; i++)
        if (tf_mul_overflow(items, launch->global_size[i], &items))
            return UINT64_MAX;
    return items;
}

static struct tf_command *end_unit(struct tf_unit *unit, struct tf_exec *exec)
{
    struct tf_command *cmd = unit->cmd;
    struct tf_command *rest = unit->rest;
    const cl_int status = tf_unit_status(unit);
    struct tf_cpu_launch *launch = tf_container_of(unit, struct tf_cpu_launch, unit);

    if (launch->is_timed && status == CL_COMPLETE)
        tf_pace_note(launch->program, launch->kernel_index, count_items(&launch->abi),
                     atomic_load_explicit(&launch->busy_ns, memory_order_relaxed));
    drop(exec, launch);
    tf_command_finished(cmd, status);
    return rest;
}

// ---- Set-up ----

static void set_sizes(struct tf_launch *launch, const struct tf_command_kernel *k)
{
    for (int i = 0; i < 3; i++) {
        const uint64_t local = k->local_size[i] ? k->local_size[i] : 1;
        const uint64_t global = k->global_size[i];

        launch->global_size[i] = global;
        launch->global_offset[i] = k->global_offset[i];
        launch->local_size[i] = local;
        // Most dimensions are 1, and a division is dear.
        launch->group_count[i] =
            local == 1 ? global : global / local + (global % local != 0);
    }
}

// Groups in all; false when the number does not fit.
static bool count_groups(const struct tf_launch *launch, uint64_t *groups)
{
    *groups = 1;
    for (int i = 0; i < 3; i++)
        if (tf_mul_overflow(*groups, launch->group_count[i], groups))
            return false;
    return true;
}

uint32_t tf_launch_flags(const struct tf_command_kernel *k,
                         const struct tf_cpu_kernel *code)
{
    const struct tf_kernel_info *info = &k->program->infos[k->kernel_index];
    uint32_t flags = 0;

    if (k->is_concurrent)
        flags |= TF_LAUNCH_CONCURRENT;
    if (tf_launch_is_apart(k, info))
        flags |= TF_LAUNCH_APART;
    if (code && tf_launch_streams(&code->code.fit, k->global_size))
        flags |= TF_LAUNCH_STREAMS;
    if (tf_arch_ask_valgrind(TF_VALGRIND_RUNS, NULL, 0) > 0)
        flags |= TF_LAUNCH_WATCHED;
    return flags;
}

// What the sizes do not say.
static void set_inputs(struct tf_launch *launch, const struct tf_command_kernel *k,
                       const struct tf_cpu_kernel *code)
{
    launch->work_dim = k->work_dim;
    launch->flags = tf_launch_flags(k, code);
    launch->args = k->arg_block;
    launch->program_data = k->program->data;
    launch->services = &services.services;
}

bool tf_launch_patch(const struct tf_command_kernel *k)
{
    for (size_t i = 0; i < k->patch_count; i++) {
        const struct tf_arg_patch *patch = &k->patches[i];
        const uint64_t address =
            patch->mem
                ? (uint64_t)(uintptr_t)tf_cpu_mem_data(patch->mem) + patch->delta_bytes
                : 0;

        if (!tf_range_ok(patch->block_offset_bytes, sizeof(address), k->arg_block_bytes))
            return false;
        memcpy((char *)k->arg_block + patch->block_offset_bytes, &address,
               sizeof(address));
    }
    return true;
}

static bool fill(struct tf_cpu_launch *launch, const struct tf_command_kernel *k,
                 unsigned threads)
{
    launch->program = k->program;
    launch->kernel_index = k->kernel_index;
    launch->local_bytes = k->local_bytes;
    launch->abi.args = k->arg_block;
    launch->first = tf_cpu_tier_first(k->program, k->kernel_index, &launch->abi);
    if (!launch->first || !tf_statics_construct(k->program) ||
        !tf_launch_needs(&launch->needs, &launch->abi, k->local_bytes,
                         &launch->first->code) ||
        !tf_launch_patch(k))
        return false;
    set_inputs(&launch->abi, k, launch->first);
    tf_check_launch_begin(k, &launch->checks);
    launch->abi.reserved = &launch->checks;
    launch->threads = threads;
    launch->unit.divisor = divisor_of(launch);
    launch->unit.together =
        tf_fit_share(&launch->first->code.fit, &launch->abi, launch->unit.total, threads);
    return true;
}

bool tf_launch_set(struct tf_cpu_launch *launch, const struct tf_command_kernel *k,
                   unsigned threads, cl_int *status)
{
    // Behind it lie cache lines that are filled up.
    memset(launch, 0, offsetof(struct tf_cpu_launch, unit.next_piece));
    atomic_init(&launch->unit.next_piece, 0);
    atomic_init(&launch->unit.status, CL_COMPLETE);
    *status = CL_OUT_OF_RESOURCES;
    set_sizes(&launch->abi, k);
    if (!count_groups(&launch->abi, &launch->unit.total))
        return false;
    if (launch->unit.total > 0)
        return fill(launch, k, threads);
    *status = CL_COMPLETE;
    return false;
}

// One group has nobody to share with.
static void set_pace(struct tf_cpu_launch *launch)
{
    struct tf_unit *unit = &launch->unit;

    launch->is_timed = unit->total > 1 && launch->threads > 1 && !unit->cmd->thread;
    unit->is_short = launch->is_timed && !unit->cmd->stop &&
                     divisor_of(launch) != UINT64_MAX &&
                     tf_pace_is_short(launch->program, launch->kernel_index,
                                      count_items(&launch->abi)) &&
                     !tf_cpu_tier_watches(launch->program, launch->kernel_index,
                                          &launch->abi, launch->first);
    if (unit->is_short)
        unit->divisor = ALONE_DIVISOR;
}

// Groups that may wait for others find those before them begun.
static void deal(struct shared_launch *made)
{
    const struct tf_cpu_launch *launch = &made->launch;
    const struct tf_unit *unit = &launch->unit;

    if (!unit->is_short && !unit->cmd->thread && !launch->first->code.fit.in_order &&
        divisor_of(launch) != UINT64_MAX)
        tf_unit_deal(&made->launch.unit, made->shares,
                     tf_unit_most_shares(launch->threads));
}

static struct tf_cpu_launch *launch_room(unsigned threads)
{
    return tf_alloc_aligned(_Alignof(struct shared_launch),
                            sizeof(struct shared_launch) +
                                tf_unit_most_shares(threads) *
                                    sizeof(struct tf_unit_share));
}

struct tf_unit *tf_launch_new(struct tf_exec *exec, struct tf_command *cmd,
                              unsigned threads, cl_int *status)
{
    struct tf_cpu_launch *launch = exec->spare;

    exec->spare = NULL;
    if (!launch)
        launch = launch_room(threads);
    *status = CL_OUT_OF_RESOURCES;
    if (!launch)
        return NULL;
    if (tf_launch_set(launch, &cmd->kernel, threads, status)) {
        launch->unit.cmd = cmd;
        launch->unit.run = run_unit;
        launch->unit.ended = end_unit;
        set_pace(launch);
        deal(tf_container_of(launch, struct shared_launch, launch));
        return &launch->unit;
    }
    drop(exec, launch);
    return NULL;
}

bool tf_launch_is_ready(const struct tf_command *cmd)
{
    struct tf_launch launch = {.args = cmd->kernel.arg_block};

    set_sizes(&launch, &cmd->kernel);
    return tf_cpu_tier_is_ready(cmd->kernel.program, cmd->kernel.kernel_index, &launch);
}

// ---- Launches that come again and again ----

static bool fill_lasting(struct tf_made_launch *made, const struct tf_command_kernel *k)
{
    const struct tf_cpu_kernel *kernel =
        tf_cpu_tier_lasting(k->program, k->kernel_index, &made->abi);

    if (!kernel ||
        !tf_launch_needs(&made->needs, &made->abi, k->local_bytes, &kernel->code))
        return false;
    made->entry = (tf_wg_entry)(uintptr_t)kernel->image.entry;
    made->zeroed_bytes = k->zero_local ? k->local_bytes : 0;
    made->program = k->program;
    made->kernel_index = k->kernel_index;
    made->code = kernel;
    set_inputs(&made->abi, k, kernel);
    made->abi.reserved = tf_check_launch_again(k);
    return true;
}

cl_int tf_launch_make(struct tf_made_launch *made, const struct tf_command_kernel *k)
{
    return tf_statics_construct(k->program) ? tf_launch_make_own(made, k)
                                            : CL_OUT_OF_RESOURCES;
}

cl_int tf_launch_make_own(struct tf_made_launch *made, const struct tf_command_kernel *k)
{
    memset(made, 0, sizeof(*made));
    set_sizes(&made->abi, k);
    made->abi.args = k->arg_block; // images decide which code it is
    if (!count_groups(&made->abi, &made->groups))
        return CL_OUT_OF_RESOURCES;
    return made->groups == 0 || fill_lasting(made, k) ? CL_COMPLETE : CL_OUT_OF_RESOURCES;
}

bool tf_launch_is_lasting_ready(const struct tf_command_kernel *k)
{
    struct tf_launch launch = {.args = k->arg_block};

    set_sizes(&launch, k);
    return tf_cpu_tier_is_lasting_ready(k->program, k->kernel_index, &launch);
}

void tf_launch_expect(const struct tf_command_kernel *k)
{
    struct tf_launch launch = {.args = k->arg_block};

    set_sizes(&launch, k);
    tf_cpu_tier_expect_lasting(k->program, k->kernel_index, &launch);
}
