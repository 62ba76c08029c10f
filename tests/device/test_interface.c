// SPDX-License-Identifier: MIT
// What every device must do (doc/devices.md), run on the CPU device and on the mock
// device. The CPU device gets a compiler that turns the mock device's programs into
// native code.
#include "device/rig.h"

#include <stdlib.h>

#include "devices/cpu/cpu_compiler.h"
#include "devices/mock/mock.h"
#include "support/suite.h"

static const struct fake_kernel kernels[] = {
    {.name = "add", .entry = rig_add, .form = TF_WG_LOOPS, .stack_bytes = 4096},
    {.name = "other", .entry = rig_add, .form = TF_WG_LOOPS, .stack_bytes = 4096},
};

enum { DEVICE_CPU, DEVICE_MOCK, DEVICE_COUNT };

// Every test is a loop test: _i is the device.
static void use(int which)
{
    struct tf_device *dev = NULL;

    if (which == DEVICE_MOCK) {
        // One thread: with more it does not keep the order of a run.
        struct tf_mock *mock = tf_mock_create(1);

        ck_assert_ptr_nonnull(mock);
        dev = &mock->dev;
    } else {
        fake_compiler_define(kernels, 2);
        tf_cpu_compiler_override(fake_compiler_table());
        for (size_t i = 0; tf_drivers[i] && !dev; i++) {
            if (!strcmp(tf_drivers[i]->name, "cpu"))
                ck_assert_uint_eq(tf_drivers[i]->probe(&dev, 1), 1);
        }
    }
    ck_assert_ptr_nonnull(dev);
    rig_use(dev);
}

#define OPS (rig.dev->ops)

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
    ck_assert_uint_ge(info->page_bytes, 4096);
    ck_assert(info->vector_bits == 128 || info->vector_bits == 256 ||
              info->vector_bits == 512);
}
END_TEST

START_TEST(memory_is_aligned_and_mapped_in_place)
{
    struct tf_devmem *mem;
    char *host;

    use(_i);
    for (size_t bytes = 1; bytes < 100000; bytes = bytes * 3 + 1) {
        mem = rig_alloc(bytes);
        host = rig_address(mem, bytes);
        ck_assert_uint_eq((uintptr_t)host % 128, 0);
        memset(host, 1, bytes);
        rig.dev->ops->mem_unmap(rig.dev, mem, host);
        rig_free(mem);
    }
}
END_TEST

START_TEST(host_memory_is_used_in_place)
{
    char storage[256];
    const struct tf_mem_desc desc = {.flags = CL_MEM_USE_HOST_PTR,
                                     .size_bytes = sizeof(storage),
                                     .align_bytes = 128,
                                     .host_ptr = storage};
    struct tf_devmem *mem = NULL;
    struct tf_err err = {0};

    use(_i);
    ck_assert_int_eq(OPS->mem_alloc(&err, rig.dev, &desc, &mem), CL_SUCCESS);
    ck_assert_ptr_eq(rig_address(mem, sizeof(storage)), storage);
    rig_free(mem);
}
END_TEST

START_TEST(memory_that_is_not_there_is_an_error)
{
    const struct tf_mem_desc desc = {.size_bytes = 5000, .align_bytes = 128};
    struct tf_devmem *mem = NULL;
    unsigned failed = 0;

    use(_i);
    for (long n = 0; !mem; n++) {
        struct tf_err err = {0};

        tf_alloc_fail_at(n);
        if (OPS->mem_alloc(&err, rig.dev, &desc, &mem)) {
            failed++;
            ck_assert_ptr_null(mem);
            ck_assert(err.code == CL_MEM_OBJECT_ALLOCATION_FAILURE ||
                      err.code == CL_OUT_OF_HOST_MEMORY);
        }
    }
    tf_alloc_fail_at(-1);
    ck_assert_uint_ge(failed, 1);
    rig_free(mem);
}
END_TEST

START_TEST(bytes_go_out_and_come_back)
{
    struct rig_command write = {0}, copy = {0}, read = {0};
    struct tf_devmem *a, *b;
    char in[100], out[100] = "";

    use(_i);
    a = rig_alloc(300);
    b = rig_alloc(300);
    for (size_t i = 0; i < sizeof(in); i++)
        in[i] = (char)(i + 1);
    write.cmd = (struct tf_command){.kind = TF_CMD_WRITE,
                                    .size_bytes = 100,
                                    .dst = {a, 50},
                                    .host_src = in,
                                    .dev_next = &copy.cmd};
    copy.cmd = (struct tf_command){.kind = TF_CMD_COPY,
                                   .size_bytes = 90,
                                   .src = {a, 60},
                                   .dst = {b, 7},
                                   .dev_next = &read.cmd};
    read.cmd = (struct tf_command){
        .kind = TF_CMD_READ, .size_bytes = 90, .src = {b, 7}, .host = out};
    rig_submit(&write);
    rig_wait(&read);
    rig_wait(&copy);
    rig_wait(&write);
    ck_assert_int_eq(read.status, CL_COMPLETE);
    ck_assert_mem_eq(out, in + 10, 90);
    ck_assert_uint_lt(write.order, copy.order);
    ck_assert_uint_lt(copy.order, read.order);
    rig_free(a);
    rig_free(b);
}
END_TEST

START_TEST(fill_repeats_patterns_of_every_size)
{
    struct tf_devmem *mem;
    unsigned char *bytes;

    use(_i);
    mem = rig_alloc(70000);
    bytes = rig_address(mem, 70000);
    for (size_t n = 1; n <= 128; n *= 2) {
        struct rig_command fill = {0};
        const size_t size = 66000 / n * n;
        size_t equal = 0;

        memset(bytes, 0xee, 70000);
        fill.cmd.kind = TF_CMD_FILL;
        fill.cmd.dst = (struct tf_devrange){mem, 128};
        fill.cmd.size_bytes = size;
        fill.cmd.pattern_bytes = n;
        for (size_t i = 0; i < n; i++)
            fill.cmd.pattern[i] = (uint8_t)(i * 7 + n);
        ck_assert_int_eq(rig_run(&fill), CL_COMPLETE);
        for (size_t i = 0; i < size; i += n)
            equal += !memcmp(bytes + 128 + i, fill.cmd.pattern, n);
        ck_assert_uint_eq(equal, size / n);
        ck_assert_uint_eq(bytes[127], 0xee);
        ck_assert_uint_eq(bytes[128 + size], 0xee);
    }
    rig_free(mem);
}
END_TEST

// Boxes of 3 x 2 x 2 bytes between a host cube and memory, at different origins.
START_TEST(rectangles_land_where_they_should)
{
    enum { ROW = 10, SLICE = 60, TOTAL = 300, FIRST = 16 };
    const struct tf_rect host_box = {{1, 2, 1}, ROW, SLICE};
    const struct tf_rect mem_box = {{4, 1, 0}, 20, 100};
    const struct tf_rect far_box = {{0, 0, 1}, 16, 64};
    struct rig_command write = {0}, copy = {0}, read = {0};
    struct tf_devmem *a, *b;
    unsigned char in[TOTAL], out[TOTAL], *bytes;

    use(_i);
    a = rig_alloc(TOTAL);
    b = rig_alloc(TOTAL);
    bytes = rig_address(a, TOTAL);
    memset(bytes, 0, TOTAL);
    memset(out, 0, sizeof(out));
    for (size_t i = 0; i < TOTAL; i++)
        in[i] = (unsigned char)i;
    write.cmd = (struct tf_command){.kind = TF_CMD_WRITE_RECT,
                                    .host_src = in,
                                    .src_rect = host_box,
                                    .dst = {a, FIRST},
                                    .dst_rect = mem_box,
                                    .region = {3, 2, 2}};
    ck_assert_int_eq(rig_run(&write), CL_COMPLETE);
    for (size_t z = 0; z < 2; z++) {
        for (size_t y = 0; y < 2; y++) {
            const size_t to = FIRST + 4 + (1 + y) * 20 + z * 100;
            const size_t from = 1 + (2 + y) * ROW + (1 + z) * SLICE;

            ck_assert_mem_eq(bytes + to, in + from, 3);
            ck_assert_uint_eq(bytes[to - 1], 0);
            ck_assert_uint_eq(bytes[to + 3], 0);
        }
    }
    copy.cmd = (struct tf_command){.kind = TF_CMD_COPY_RECT,
                                   .src = {a, FIRST},
                                   .src_rect = mem_box,
                                   .dst = {b, 0},
                                   .dst_rect = far_box,
                                   .region = {3, 2, 2},
                                   .dev_next = &read.cmd};
    read.cmd = (struct tf_command){.kind = TF_CMD_READ_RECT,
                                   .host = out,
                                   .src = {b, 0},
                                   .src_rect = far_box,
                                   .dst_rect = host_box,
                                   .region = {3, 2, 2}};
    rig_submit(&copy);
    rig_wait(&read);
    for (size_t i = 0; i < TOTAL; i++) {
        const size_t x = i % SLICE % ROW, y = i % SLICE / ROW, z = i / SLICE;
        const bool inside = x >= 1 && x < 4 && y >= 2 && y < 4 && z >= 1 && z < 3;

        ck_assert_uint_eq(out[i], inside ? in[i] : 0);
    }
    rig_free(a);
    rig_free(b);
}
END_TEST

START_TEST(program_has_its_kernels)
{
    struct tf_devprog *prog;
    const struct tf_kernel_info *infos;
    size_t count;

    use(_i);
    prog = rig_build("kernel add kernel other");
    infos = OPS->program_kernels(prog, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_str_eq(infos[0].name, "add");
    ck_assert_str_eq(infos[1].name, "other");
    ck_assert_uint_eq(infos[0].arg_count, 3);
    ck_assert_uint_eq(OPS->program_type(prog), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_uint_ge(OPS->max_group_size(rig.dev, &infos[0]), 1);
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
    size_t count;

    use(_i);
    objects[0] = build_kind(TF_BUILD_COMPILE, "kernel add ", NULL, 0);
    objects[1] = build_kind(TF_BUILD_COMPILE, "kernel other ", NULL, 0);
    ck_assert_uint_eq(OPS->program_type(objects[0]),
                      CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    OPS->program_kernels(objects[0], &count);
    ck_assert_uint_eq(count, 0);
    parts[0] = build_kind(TF_BUILD_LIBRARY, NULL, objects, 1);
    parts[1] = objects[1];
    ck_assert_uint_eq(OPS->program_type(parts[0]), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    OPS->program_kernels(parts[0], &count);
    ck_assert_uint_eq(count, 0);
    prog = build_kind(TF_BUILD_LINK, NULL, parts, 2);
    ck_assert_uint_eq(OPS->program_type(prog), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    OPS->program_kernels(prog, &count);
    ck_assert_uint_eq(count, 2);
    OPS->program_free(rig.dev, prog);
    OPS->program_free(rig.dev, parts[0]);
    OPS->program_free(rig.dev, objects[0]);
    OPS->program_free(rig.dev, objects[1]);
}
END_TEST

// Adds 5 to each of 1,000 numbers and checks them.
static void check_add(struct tf_devprog *prog)
{
    struct tf_devmem *mem = rig_alloc(1000 * 4);
    uint32_t *data = rig_address(mem, 1000 * 4);
    struct rig_command c;

    for (uint32_t i = 0; i < 1000; i++)
        data[i] = i;
    rig_kernel(&c, prog, 0, mem, 5, 1000, 8);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    for (uint32_t i = 0; i < 1000; i++)
        ck_assert_uint_eq(data[i], i + 5);
    rig_free(mem);
}

START_TEST(saved_program_loads_and_runs)
{
    struct tf_devprog *prog, *again = NULL;
    struct tf_err err = {0};
    void *blob = NULL;
    size_t bytes, count;

    use(_i);
    prog = rig_build("kernel add kernel other");
    ck_assert_int_eq(OPS->program_save(&err, rig.dev, prog, &blob, &bytes), CL_SUCCESS);
    OPS->program_free(rig.dev, prog);
    ck_assert_int_eq(OPS->program_load(&err, rig.dev, blob, bytes, &again), CL_SUCCESS);
    OPS->program_kernels(again, &count);
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(OPS->program_type(again), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    check_add(again);
    OPS->program_free(rig.dev, again);
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
    struct tf_devprog *prog;

    use(_i);
    prog = rig_build("kernel add");
    check_add(prog);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(argument_address_has_its_delta)
{
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    struct rig_command c;
    uint32_t *data;

    use(_i);
    prog = rig_build("kernel add");
    mem = rig_alloc(400);
    data = rig_address(mem, 400);
    memset(data, 0, 400);
    rig_kernel(&c, prog, 0, mem, 3, 4, 2);
    c.patch.delta_bytes = 128;
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    for (size_t i = 0; i < 100; i++)
        ck_assert_uint_eq(data[i], i >= 32 && i < 36 ? 3 : 0);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(empty_range_does_nothing)
{
    struct tf_devprog *prog;
    struct rig_command c;

    use(_i);
    prog = rig_build("kernel add");
    rig_kernel(&c, prog, 0, rig_alloc(16), 1, 0, 1);
    ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    rig_free(c.patch.mem);
    OPS->program_free(rig.dev, prog);
}
END_TEST

START_TEST(run_of_kernels_keeps_its_order)
{
    enum { COUNT = 200 };
    static struct rig_command c[COUNT];
    struct tf_devprog *prog;
    struct tf_devmem *mem;
    uint32_t *data;

    use(_i);
    prog = rig_build("kernel add");
    mem = rig_alloc(64 * 4);
    data = rig_address(mem, 64 * 4);
    memset(data, 0, 64 * 4);
    for (unsigned i = 0; i < COUNT; i++) {
        rig_kernel(&c[i], prog, 0, mem, i, 64, 4);
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
        ck_assert_uint_eq(data[i], COUNT * (COUNT - 1) / 2);
    rig_free(mem);
    OPS->program_free(rig.dev, prog);
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

START_TEST(nothing_to_move_completes)
{
    const enum tf_command_kind kinds[] = {TF_CMD_MAP, TF_CMD_UNMAP, TF_CMD_MIGRATE};
    struct tf_devmem *mem;

    use(_i);
    mem = rig_alloc(64);
    for (size_t i = 0; i < 3; i++) {
        struct rig_command c = {.cmd = {.kind = kinds[i], .src = {mem, 0}}};

        ck_assert_int_eq(rig_run(&c), CL_COMPLETE);
    }
    rig_free(mem);
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
        size_t a[3], b[3];

        OPS->local_size(rig.dev, &kernel, 2, global, a);
        OPS->local_size(rig.dev, &kernel, 2, global, b);
        ck_assert_mem_eq(a, b, sizeof(a));
        for (int d = 0; d < 3; d++) {
            ck_assert_uint_ge(a[d], 1);
            ck_assert_uint_eq(global[d] % a[d], 0);
        }
        ck_assert_uint_le(a[0] * a[1] * a[2], OPS->max_group_size(rig.dev, &kernel));
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
    struct tf_devprog *prog;
    struct tf_err err = {0};

    use(_i);
    OPS->close(rig.dev);
    ck_assert_int_eq(OPS->open(&err, rig.dev), CL_SUCCESS);
    prog = rig_build("kernel add");
    check_add(prog);
    OPS->program_free(rig.dev, prog);
    OPS->close(rig.dev);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("interface");
    TCase *tcase = tcase_create("devices");

#define ADD(test) tcase_add_loop_test(tcase, test, 0, DEVICE_COUNT)
    ADD(facts_are_filled);
    ADD(memory_is_aligned_and_mapped_in_place);
    ADD(host_memory_is_used_in_place);
    ADD(memory_that_is_not_there_is_an_error);
    ADD(bytes_go_out_and_come_back);
    ADD(fill_repeats_patterns_of_every_size);
    ADD(rectangles_land_where_they_should);
    ADD(program_has_its_kernels);
    ADD(failed_build_has_code_and_log);
    ADD(objects_link_to_libraries_and_executables);
    ADD(saved_program_loads_and_runs);
    ADD(other_bytes_are_no_program);
    ADD(kernel_runs_over_the_range);
    ADD(argument_address_has_its_delta);
    ADD(empty_range_does_nothing);
    ADD(run_of_kernels_keeps_its_order);
    ADD(native_function_gets_its_arguments);
    ADD(nothing_to_move_completes);
    ADD(local_size_divides_and_repeats);
    ADD(threads_submit_and_help_at_the_same_time);
    ADD(clock_runs_forward);
    ADD(device_closes_and_opens_again);
#undef ADD
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
