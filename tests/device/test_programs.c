// SPDX-License-Identifier: MIT
// Facts of every device, its programs and launches, threads that share it.
#include "device/every_device.h"

#include <sys/wait.h>
#include <unistd.h>

#include "support/forks.h"
#include "support/limits.h"

START_TEST(facts_are_filled)
{
    const struct tf_device_info *info;

    use(_i);
    info = rig.dev->info;
    ck_assert_int_ne(info->name[0], '\0');
    ck_assert_int_ne(info->name[0], ' ');
    ck_assert_int_ne(info->name[strlen(info->name) - 1], ' ');
    ck_assert_int_ne(info->vendor[0], '\0');
    ck_assert_int_ne(info->isa[0], '\0');
    ck_assert_uint_ge(info->compute_units, 1);
    ck_assert_uint_ge(info->cache_line_bytes, 16);
    ck_assert_uint_ge(info->global_memory_bytes, 1 << 20);
    ck_assert_uint_ge(info->local_memory_bytes, 32 << 10);
    ck_assert(info->vector_bits == 128 || info->vector_bits == 256 ||
              info->vector_bits == 512);
}
END_TEST

static struct tf_program_info info_of(struct tf_devprog *prog)
{
    struct tf_program_info info;

    OPS->program_info(prog, &info);
    return info;
}

START_TEST(program_has_its_kernels)
{
    struct tf_devprog *prog;
    struct tf_program_info info;

    use(_i);
    prog = rig_build("kernel add kernel other");
    info = info_of(prog);
    ck_assert_uint_eq(info.kernel_count, 2);
    ck_assert_str_eq(info.kernels[0].name, "add");
    ck_assert_str_eq(info.kernels[1].name, "other");
    ck_assert_uint_eq(info.kernels[0].arg_count, 3);
    ck_assert_uint_eq(info.type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_uint_eq(info.variable_bytes, 0);
    ck_assert_uint_ge(OPS->group_size(rig.dev, &info.kernels[0], 0, NULL, NULL), 1);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(kernels_may_be_expected_and_never_launched)
{
    struct tf_devprog *prog;

    use(_i);
    prog = rig_build("kernel add kernel other");
    for (uint32_t i = 0; OPS->kernel_expected && i < 6; i++)
        OPS->kernel_expected(rig.dev, prog, i % 2);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(failed_build_has_code_and_log)
{
    const struct tf_build_in in = {
        .kind = TF_BUILD_WHOLE, .source = "error", .source_bytes = 5, .options = ""};
    struct tf_build_out out = {0};
    struct tf_err err = {0};

    use(_i);
    ck_assert_int_eq(OPS->program_build(&err, rig.dev, &in, &out),
                     CL_BUILD_PROGRAM_FAILURE);
    ck_assert_ptr_null(out.program);
    ck_assert_ptr_nonnull(strstr(out.log, "error"));
    tf_free(out.log);
}
END_TEST

static struct tf_devprog *build_kind(enum tf_build_kind kind, const char *source,
                                     struct tf_devprog *const *objects,
                                     size_t object_count)
{
    const struct tf_build_in in = {.kind = kind,
                                   .source = source,
                                   .source_bytes = source ? strlen(source) : 0,
                                   .options = "",
                                   .objects = objects,
                                   .object_count = object_count};
    struct tf_build_out out = {0};
    struct tf_err err = {0};

    ck_assert_int_eq(OPS->program_build(&err, rig.dev, &in, &out), CL_SUCCESS);
    ck_assert_ptr_nonnull(out.log);
    tf_free(out.log);
    return out.program;
}

START_TEST(objects_link_to_libraries_and_executables)
{
    struct tf_devprog *objects[2], *parts[2], *prog;

    use(_i);
    objects[0] = build_kind(TF_BUILD_COMPILE, "kernel add ", NULL, 0);
    objects[1] = build_kind(TF_BUILD_COMPILE, "kernel other ", NULL, 0);
    ck_assert_uint_eq(info_of(objects[0]).type, CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    ck_assert_uint_eq(info_of(objects[0]).kernel_count, 0);
    parts[0] = build_kind(TF_BUILD_LIBRARY, NULL, objects, 1);
    parts[1] = objects[1];
    ck_assert_uint_eq(info_of(parts[0]).type, CL_PROGRAM_BINARY_TYPE_LIBRARY);
    ck_assert_uint_eq(info_of(parts[0]).kernel_count, 0);
    prog = build_kind(TF_BUILD_LINK, NULL, parts, 2);
    ck_assert_uint_eq(info_of(prog).type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_uint_eq(info_of(prog).kernel_count, 2);
    OPS->program_free(rig.dev, prog);
    OPS->program_free(rig.dev, parts[0]);
    OPS->program_free(rig.dev, objects[0]);
    OPS->program_free(rig.dev, objects[1]);
}
END_TEST

// Adds 5 to each of 1,000 numbers and checks them. The program is given.
static void check_add(struct tf_devprog *prog)
{
    struct scene s = scene_of(prog, 1000);

    for (uint32_t i = 0; i < 1000; i++)
        s.data[i] = i;
    ck_assert_int_eq(scene_run(&s, 0, 5, 1000, 8), CL_COMPLETE);
    for (uint32_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(s.data[i], i + 5);
    scene_end(&s);
}

START_TEST(saved_program_loads_and_runs)
{
    struct tf_devprog *prog, *again = NULL;
    struct tf_err err = {0};
    void *blob = NULL;
    size_t bytes;

    use(_i);
    prog = rig_build("kernel add kernel other");
    ck_assert_int_eq(OPS->program_save(&err, rig.dev, prog, &blob, &bytes), CL_SUCCESS);
    OPS->program_free(rig.dev, prog);
    ck_assert_int_eq(OPS->program_load(&err, rig.dev, blob, bytes, &again), CL_SUCCESS);
    ck_assert_uint_eq(info_of(again).kernel_count, 2);
    ck_assert_uint_eq(info_of(again).type, CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    check_add(again);
    tf_free(blob);
}
END_TEST

START_TEST(other_bytes_are_no_program)
{
    struct tf_devprog *prog = NULL;
    struct tf_err err = {0};

    use(_i);
    ck_assert_int_eq(OPS->program_load(&err, rig.dev, "", 0, &prog), CL_INVALID_BINARY);
    err = (struct tf_err){0};
    ck_assert_int_eq(OPS->program_load(&err, rig.dev, "abcdefghijklmnop", 16, &prog),
                     CL_INVALID_BINARY);
    ck_assert_ptr_null(prog);
}
END_TEST

START_TEST(kernel_runs_over_the_range)
{
    use(_i);
    check_add(rig_build("kernel add"));
}
END_TEST

START_TEST(argument_address_has_its_delta)
{
    struct rig_command c;
    struct scene s;

    use(_i);
    s = scene_begin("kernel add", 100);
    scene_kernel(&s, &c, 0, 3, 4, 2);
    c.patch.delta_bytes = 128;
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    for (size_t i = 0; i < 100; i++)
        ck_assert_uint_eq(s.data[i], i >= 32 && i < 36 ? 3 : 0);
    scene_end(&s);
}
END_TEST

START_TEST(empty_range_does_nothing)
{
    struct scene s;

    use(_i);
    s = scene_begin("kernel add", 4);
    ck_assert_int_eq(scene_run(&s, 0, 1, 0, 1), CL_COMPLETE);
    ck_assert_uint_eq(s.data[0], 0);
    scene_end(&s);
}
END_TEST

START_TEST(run_of_kernels_keeps_its_order)
{
    enum { COUNT = 200 };
    static struct rig_command c[COUNT];
    struct scene s;

    use(_i);
    s = scene_begin("kernel add", 64);
    for (unsigned i = 0; i < COUNT; i++) {
        scene_kernel(&s, &c[i], 0, i, 64, 4);
        if (i > 0)
            c[i - 1].cmd.dev_next = &c[i].cmd;
    }
    rig_submit(&c[0]);
    rig_wait(&c[COUNT - 1]);
    for (unsigned i = 0; i < COUNT; i++) {
        rig_wait(&c[i]);
        ck_assert_int_eq(c[i].status, CL_COMPLETE);
        ck_assert_uint_eq(c[i].order, i + 1);
    }
    for (unsigned i = 0; i < 64; i++)
        ck_assert_uint_eq(s.data[i], COUNT * (COUNT - 1) / 2);
    scene_end(&s);
}
END_TEST

static void CL_CALLBACK count_up(void *arg)
{
    atomic_fetch_add(*(atomic_int **)arg, 1);
}

START_TEST(native_function_gets_its_arguments)
{
    atomic_int calls = 0;
    atomic_int *args = &calls;
    struct rig_command c = {0};

    use(_i);
    c.cmd.kind = TF_CMD_NATIVE;
    c.cmd.native_fn = count_up;
    c.cmd.native_args = &args;
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&calls), 1);
}
END_TEST

START_TEST(local_size_divides_and_repeats)
{
    const size_t sizes[] = {1,           2, 7, 64, 1000, 1021, 1 << 20, (1 << 20) - 3,
                            SIZE_MAX / 8};
    struct tf_kernel_info kernel = {.flags = TF_KERNEL_UNIFORM_GROUPS};

    use(_i);
    for (size_t i = 0; i < sizeof(sizes) / sizeof(sizes[0]); i++) {
        const size_t global[3] = {sizes[i], 6, 1};
        size_t a[3], b[3], most;

        most = OPS->group_size(rig.dev, &kernel, 2, global, a);
        ck_assert_uint_eq(OPS->group_size(rig.dev, &kernel, 2, global, b), most);
        ck_assert_uint_eq(OPS->group_size(rig.dev, &kernel, 0, NULL, NULL), most);
        ck_assert_mem_eq(a, b, sizeof(a));
        for (int d = 0; d < 3; d++) {
            ck_assert_uint_ge(a[d], 1);
            ck_assert_uint_eq(global[d] % a[d], 0);
        }
        ck_assert_uint_le(a[0] * a[1] * a[2], most);
    }
}
END_TEST

enum { THREADS = 4, PER_THREAD = 100 };

static struct {
    struct tf_devprog *prog;
    struct tf_devmem *mem[THREADS];
} shared;

static void *submit_many(void *arg)
{
    const size_t which = (size_t)(uintptr_t)arg;

    for (unsigned i = 0; i < PER_THREAD; i++) {
        struct rig_command *c = tf_alloc_aligned(128, sizeof(*c));

        rig_kernel(c, shared.prog, 0, shared.mem[which], 1, 256, 16);
        rig_submit(c);
        if (OPS->help && i % 2)
            OPS->help(rig.dev, &c->cmd);
        rig_wait(c);
        tf_free(c);
    }
    return NULL;
}

START_TEST(threads_submit_and_help_at_the_same_time)
{
    pthread_t threads[THREADS];

    use(_i);
    shared.prog = rig_build("kernel add");
    for (size_t i = 0; i < THREADS; i++) {
        shared.mem[i] = rig_alloc(256 * 4);
        memset(rig_address(shared.mem[i], 256 * 4), 0, 256 * 4);
    }
    for (size_t i = 0; i < THREADS; i++)
        ck_assert_int_eq(
            pthread_create(&threads[i], NULL, submit_many, (void *)(uintptr_t)i), 0);
    for (size_t i = 0; i < THREADS; i++)
        pthread_join(threads[i], NULL);
    for (size_t i = 0; i < THREADS; i++) {
        const uint32_t *data = rig_address(shared.mem[i], 256 * 4);

        for (size_t j = 0; j < 256; j++)
            ck_assert_uint_eq(data[j], PER_THREAD);
        rig_free(shared.mem[i]);
    }
    OPS->program_free(rig.dev, shared.prog);
}
END_TEST

START_TEST(clock_runs_forward)
{
    uint64_t last;

    use(_i);
    last = OPS->now_ns(rig.dev);
    for (int i = 0; i < 1000; i++) {
        const uint64_t now = OPS->now_ns(rig.dev);

        ck_assert_uint_ge(now, last);
        last = now;
    }
}
END_TEST

START_TEST(device_closes_and_opens_again)
{
    struct tf_err err = {0};

    use(_i);
    OPS->close(rig.dev);
    ck_assert_int_eq(OPS->open(&err, rig.dev), CL_SUCCESS);
    check_add(rig_build("kernel add"));
    OPS->close(rig.dev);
}
END_TEST

START_TEST(forked_child_opens_the_device_again)
{
    struct tf_err err = {0};
    struct scene s;
    int status;
    pid_t pid;

    use(_i);
    s = scene_begin("kernel add", 10);
    ck_assert_int_eq(scene_run(&s, 0, 1, 10, 5), CL_COMPLETE);
    pid = tf_fork();
    ck_assert_int_ge(pid, 0);
    if (pid == 0) {
        alarm(TEST_LIMIT_S);
        if (OPS->forked)
            OPS->forked(rig.dev);
        ck_assert_int_eq(OPS->open(&err, rig.dev), CL_SUCCESS);
        ck_assert_int_eq(scene_run(&s, 0, 1, 10, 5), CL_COMPLETE);
        ck_assert_uint_eq(s.data[9], 2);
        _exit(0);
    }
    ck_assert_int_eq(waitpid(pid, &status, 0), pid);
    ck_assert_int_eq(status, 0);
    ck_assert_int_eq(scene_run(&s, 0, 1, 10, 5), CL_COMPLETE);
    scene_end(&s);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("programs");
    TCase *tcase = tcase_create("devices");

    FOR_DEVICES(facts_are_filled);
    FOR_DEVICES(program_has_its_kernels);
    FOR_DEVICES(kernels_may_be_expected_and_never_launched);
    FOR_DEVICES(failed_build_has_code_and_log);
    FOR_DEVICES(objects_link_to_libraries_and_executables);
    FOR_DEVICES(saved_program_loads_and_runs);
    FOR_DEVICES(other_bytes_are_no_program);
    FOR_DEVICES(kernel_runs_over_the_range);
    FOR_DEVICES(argument_address_has_its_delta);
    FOR_DEVICES(empty_range_does_nothing);
    FOR_DEVICES(run_of_kernels_keeps_its_order);
    FOR_DEVICES(native_function_gets_its_arguments);
    FOR_DEVICES(local_size_divides_and_repeats);
    FOR_DEVICES(threads_submit_and_help_at_the_same_time);
    FOR_DEVICES(clock_runs_forward);
    FOR_DEVICES(device_closes_and_opens_again);
    FOR_DEVICES(forked_child_opens_the_device_again);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
