// SPDX-License-Identifier: MIT
#include "support/compiled_kernel.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "abi/cpu_abi.h"
#include "base/alloc.h"
#include "support/features.h"

enum { GUARD_BYTES = TF_LOCAL_MARGIN_BYTES, MAX_ITEMS = 256 };

void test_program_build(struct test_program *out, const char *source, const char *options)
{
    struct tf_compiler_device device = {
        .features =
            features_named("cl_khr_fp64 cl_khr_fp16 cl_khr_int64_base_atomics "
                           "cl_khr_int64_extended_atomics cl_khr_subgroup_ballot "
                           "cl_khr_subgroup_clustered_reduce "
                           "cl_khr_subgroup_extended_types "
                           "cl_khr_subgroup_non_uniform_arithmetic "
                           "cl_khr_subgroup_non_uniform_vote cl_khr_subgroup_shuffle "
                           "cl_intel_required_subgroup_size __opencl_c_fp64 "
                           "__opencl_c_int64 __opencl_c_subgroups "
                           "__opencl_c_generic_address_space "
                           "__opencl_c_atomic_order_acq_rel "
                           "__opencl_c_atomic_order_seq_cst "
                           "__opencl_c_atomic_scope_device "
                           "__opencl_c_atomic_scope_all_devices "
                           "__opencl_c_work_group_collective_functions"),
        .opencl_c_max = 310,
        .device_version = 310,
        .sub_group_size = 8,
        .max_group_size = 4096,
        .max_local_bytes = 1 << 20,
    };
    struct test_build build;

    tf_features_put_images(&device.features, true);
    test_build(&build, source, options, &device);
    ck_assert_msg(build.status == TF_COMPILER_OK, "%s", build.log);
    *out = (struct test_program){build.linked.bitcode, build.kernels, build.kernel_count};
    build.linked.bitcode.data = NULL;
    build.kernels = NULL;
    test_build_finish(&build);
}

void test_program_finish(struct test_program *program)
{
    test_compiler()->release(program->bitcode.data);
    tf_free(program->kernels);
}

const struct tf_kernel_info *test_program_kernel(const struct test_program *program,
                                                 const char *name)
{
    for (size_t i = 0; i < program->kernel_count; i++) {
        if (strcmp(program->kernels[i].name, name) == 0)
            return &program->kernels[i];
    }
    ck_abort_msg("no kernel %s in the table", name);
    return NULL;
}

struct test_variant test_variants[16];

size_t test_variant_count(void)
{
    const struct {
        const char *cpu;
        uint32_t vector_bits;
        bool runs;
    } levels[] = {
        {"x86-64", 128, true},
        {"x86-64-v3", 256,
         __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma")},
        {"x86-64-v4", 512,
         __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl")},
    };
    size_t count = 0;

    for (size_t level = 0; level < 3; level++) {
        for (int i = 0; levels[level].runs && i < 4; i++) {
            test_variants[count++] = (struct test_variant){
                .form = i & 1 ? TF_WG_FIBERS : TF_WG_LOOPS,
                .cpu = levels[level].cpu,
                .vector_bits = levels[level].vector_bits,
                .plain = i & 2,
            };
        }
    }
    return count;
}

static struct tf_generate_out generate(struct test_code *code,
                                       const struct test_program *program,
                                       const char *name,
                                       const struct test_variant *variant,
                                       enum tf_wg_form form)
{
    const struct tf_compiler *compiler = test_compiler();
    const struct tf_generate_in in = {
        .bitcode = program->bitcode,
        .kernel = name,
        .triple = "x86_64-unknown-linux-gnu",
        .cpu = variant->cpu,
        .features = "",
        .vector_bits = variant->vector_bits,
        .form = form,
        .plain = variant->plain,
        .quick = variant->quick,
        .has_fma = variant->vector_bits > 128,
        .width = variant->width,
        .pack_rows = variant->pack_rows,
        .fixed_args = variant->fixed_args,
        .fixed_arg_bytes = variant->fixed_arg_bytes,
        .local_size = {variant->local_size[0], variant->local_size[1],
                       variant->local_size[2]},
    };
    struct tf_generate_out made;
    char entry[300], text[300];
    bool loaded;

    ck_assert_msg(compiler->generate(&in, &made) == TF_COMPILER_OK, "%s: %s", name,
                  made.log);
    ck_assert_str_eq(made.log, "");
    snprintf(entry, sizeof(entry), "tf_wg_%s", name);
    loaded = tf_elf_load(&code->image, made.object.data, made.object.bytes, entry, text,
                         sizeof(text));
    ck_assert_msg(loaded, "%s", text);
    code->scratch = made.scratch;
    compiler->release(made.object.data);
    compiler->release(made.log);
    return made;
}

void test_kernel_generate(struct test_kernel *out, const struct test_program *program,
                          const char *name, const struct test_variant *variant)
{
    const struct tf_generate_out made =
        generate(&out->code, program, name, variant, variant->form);

    out->other = (struct test_code){0};
    if (made.fit.small)
        generate(&out->other, program, name, variant, TF_WG_LOOPS);
    out->fit = made.fit;
    out->info = test_program_kernel(program, name);
    out->form = made.form;
    out->stack_bytes = made.stack_bytes;
    out->fibers = made.fibers;
    out->block = tf_zalloc(out->info->arg_block_bytes);
    out->local_bytes = out->info->local_bytes;
    out->apart = false;
}

void test_kernel_finish(struct test_kernel *kernel)
{
    tf_elf_unload(&kernel->code.image);
    tf_elf_unload(&kernel->other.image);
    tf_free(kernel->block);
}

void test_kernel_arg(struct test_kernel *kernel, uint32_t index, size_t bytes,
                     const void *value)
{
    const struct tf_kernel_arg_info *arg = &kernel->info->args[index];
    char *at = kernel->block + arg->block_offset_bytes;

    ck_assert_uint_lt(index, kernel->info->arg_count);
    if (arg->kind == TF_ARG_LOCAL) {
        const uint64_t align = arg->align_bytes;

        kernel->local_bytes = (kernel->local_bytes + align - 1) / align * align;
        memcpy(at, &kernel->local_bytes, sizeof(kernel->local_bytes));
        kernel->local_bytes += bytes;
        return;
    }
    ck_assert_uint_eq(bytes, tf_arg_block_bytes(arg->kind, arg->size_bytes));
    ck_assert_uint_le(arg->block_offset_bytes + bytes, kernel->info->arg_block_bytes);
    memcpy(at, value, bytes);
}

// Tells kernels where the stack of the thread that runs them lies: what they ask about
// pointers is answered by that.
static void show_stack(struct tf_worker *worker)
{
    static _Thread_local char *low;
    static _Thread_local size_t bytes;

    if (!low) {
        pthread_attr_t attributes;
        void *lowest;

        ck_assert_int_eq(pthread_getattr_np(pthread_self(), &attributes), 0);
        ck_assert_int_eq(pthread_attr_getstack(&attributes, &lowest, &bytes), 0);
        pthread_attr_destroy(&attributes);
        low = lowest;
    }
    worker->stack_limit = low;
    worker->stack_end = low + bytes;
}

// One group whose work-items run as threads, one at a time as fibers do: whoever runs
// holds `lock`. Atomics on local memory rely on it.
struct team {
    const struct tf_launch *launch;
    struct tf_worker *worker;
    const struct tf_group *group;
    tf_item_entry entry;
    pthread_mutex_t lock;
    pthread_cond_t moved;
    uint64_t alive, waiting, round;
    long arrivals;
};

struct member {
    struct team *team;
    uint64_t lid[3];
};

// Everybody who is left has arrived.
static void open_gate(struct team *team)
{
    team->waiting = 0;
    team->round++;
    pthread_cond_broadcast(&team->moved);
}

static void barrier_service(struct tf_worker *worker)
{
    struct team *team = worker->host;
    uint64_t round;

    team->arrivals++;
    round = team->round;
    if (++team->waiting == team->alive)
        open_gate(team);
    while (team->round == round)
        pthread_cond_wait(&team->moved, &team->lock);
    show_stack(worker);
}

// Others that want the lock get it.
static void yield_service(struct tf_worker *worker)
{
    struct team *team = worker->host;

    pthread_mutex_unlock(&team->lock);
    sched_yield();
    pthread_mutex_lock(&team->lock);
    show_stack(worker);
}

static void *run_member(void *arg)
{
    const struct member *m = arg;
    struct team *team = m->team;

    pthread_mutex_lock(&team->lock);
    show_stack(team->worker);
    team->entry(team->launch, team->worker, team->group, m->lid[0], m->lid[1], m->lid[2]);
    team->alive--;
    if (team->alive && team->waiting == team->alive)
        open_gate(team);
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

static void run_fibers(const struct tf_launch *launch, struct tf_worker *worker,
                       const struct tf_group *group, tf_item_entry entry)
{
    const uint64_t *size = group->local_size;
    struct team team = {launch,
                        worker,
                        group,
                        entry,
                        PTHREAD_MUTEX_INITIALIZER,
                        PTHREAD_COND_INITIALIZER,
                        size[0] * size[1] * size[2],
                        0,
                        0,
                        0};
    struct member members[MAX_ITEMS];
    pthread_t threads[MAX_ITEMS];
    long *arrivals = worker->host;
    const uint64_t count = team.alive;

    ck_assert_uint_le(count, MAX_ITEMS);
    worker->host = &team;
    for (uint64_t i = 0; i < count; i++) {
        members[i] = (struct member){
            &team, {i % size[0], i / size[0] % size[1], i / size[0] / size[1]}};
        ck_assert_int_eq(pthread_create(&threads[i], NULL, run_member, &members[i]), 0);
    }
    for (uint64_t i = 0; i < count; i++)
        pthread_join(threads[i], NULL);
    show_stack(worker);
    worker->host = arrivals;
    *arrivals += team.arrivals;
}

static const struct tf_services services = {
    .version = TF_CPU_ABI_VERSION,
    .bytes = sizeof(services),
    .run_fibers = run_fibers,
    .barrier = barrier_service,
    .yield = yield_service,
    .gather = barrier_service,
};

// What the kernel said that a group of this size needs, and a guard behind it.
static uint64_t scratch_bytes(const struct tf_scratch *scratch, const uint64_t local[3])
{
    const uint64_t width = scratch->width ? scratch->width : 1;

    return scratch->fixed_bytes +
           (local[0] + width - 1) / width * local[1] * local[2] * scratch->gang_bytes;
}

static char *new_guarded(uint64_t bytes)
{
    char *memory = tf_alloc_aligned(128, bytes + 2 * GUARD_BYTES);

    ck_assert_ptr_nonnull(memory);
    memset(memory, 0xa5, bytes + 2 * GUARD_BYTES);
    return memory + GUARD_BYTES;
}

static void free_guarded(char *memory, uint64_t bytes)
{
    for (uint64_t i = 0; i < GUARD_BYTES; i++) {
        ck_assert_int_eq((unsigned char)memory[bytes + i], 0xa5);
        ck_assert_int_eq((unsigned char)memory[-1 - (int64_t)i], 0xa5);
    }
    tf_free(memory - GUARD_BYTES);
}

long test_kernel_run(struct test_kernel *kernel, const struct test_range *range)
{
    const struct test_code *code = &kernel->code;
    const uint64_t local_bytes = kernel->local_bytes;
    struct tf_launch launch = {.work_dim = range->work_dim,
                               .flags = kernel->apart ? TF_LAUNCH_APART : 0,
                               .args = kernel->block,
                               .services = &services};
    struct tf_worker worker = {.local_bytes = local_bytes};
    uint64_t groups = 1, chunk;
    tf_wg_entry entry;
    long arrivals = 0;

    for (int d = 0; d < 3; d++) {
        launch.global_size[d] = range->global[d] ? range->global[d] : 1;
        launch.local_size[d] = range->local[d] ? range->local[d] : 1;
        launch.global_offset[d] = range->offset[d];
        launch.group_count[d] =
            (launch.global_size[d] + launch.local_size[d] - 1) / launch.local_size[d];
        groups *= launch.group_count[d];
    }
    if (!tf_fit_can(&kernel->fit, &launch))
        code = &kernel->other;
    entry = (tf_wg_entry)(uintptr_t)code->image.entry;
    worker.host = &arrivals;
    show_stack(&worker);
    worker.local = new_guarded(local_bytes);
    worker.scratch_bytes = scratch_bytes(&code->scratch, launch.local_size);
    worker.scratch = new_guarded(worker.scratch_bytes);
    chunk = range->chunk ? range->chunk : groups;
    for (uint64_t first = 0; first < groups; first += chunk) {
        uint64_t id[3];

        tf_group_id(&launch, first, id);
        entry(&launch, &worker, id, groups - first < chunk ? groups - first : chunk);
    }
    free_guarded(worker.local, local_bytes);
    free_guarded(worker.scratch, worker.scratch_bytes);
    return arrivals;
}
