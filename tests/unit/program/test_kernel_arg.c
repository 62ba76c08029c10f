// SPDX-License-Identifier: MIT
// Kernel arguments and launches on the mock device, whose kernels have the arguments
// (global uint *data, uint value, local uint *scratch).
#include <string.h>

#include "base/alloc.h"
#include "core/command/command_native.h"
#include "core/command/launch.h"
#include "core/memory/buffer.h"
#include "core/program/kernel.h"
#include "core/program/program_build.h"
#include "support/core.h"
#include "support/suite.h"

static struct tf_core core;
static cl_command_queue q;
static cl_program prog;
static cl_kernel kernel;
static struct tf_err err;

static cl_program make_program(const char *source)
{
    const struct tf_source_desc desc = {.count = 1, .strings = &source};
    cl_program made = NULL;

    ck_assert_int_eq(tf_program_create_source(&err, core.ctx, &desc, &made), CL_SUCCESS);
    ck_assert_int_eq(tf_program_build(&err, made, &(struct tf_build_desc){0}),
                     CL_SUCCESS);
    return made;
}

static void begin(void)
{
    err = (struct tf_err){0};
    core = tf_core_begin(1);
    q = tf_core_queue(&core, 0);
    prog = make_program("kernel add kernel other");
    ck_assert_int_eq(tf_kernel_create(&err, prog, "add", &kernel), CL_SUCCESS);
}

static void end(void)
{
    tf_core_release(kernel, &tf_class_kernel);
    tf_core_release(prog, &tf_class_program);
    tf_core_release(q, &tf_class_queue);
    tf_core_end(&core);
}

static cl_mem make_buffer(size_t size)
{
    const struct tf_buffer_desc desc = {.size_bytes = size};
    cl_mem mem = NULL;

    ck_assert_int_eq(tf_buffer_create(&err, core.ctx, &desc, &mem), CL_SUCCESS);
    return mem;
}

// Whether a launch could take the argument.
static bool is_usable(cl_kernel of, cl_uint index)
{
    if (!tf_kernel_arg_take(&of->args[index]))
        return false;
    tf_unref(of->args[index].mem);
    return true;
}

static cl_int set(cl_uint index, size_t size, const void *value)
{
    struct tf_err own = {0};

    return tf_kernel_arg_set(&own, kernel, index, size, value);
}

START_TEST(value_needs_its_size)
{
    const uint32_t value = 7;

    ck_assert(!is_usable(kernel, 1));
    ck_assert_int_eq(set(1, 3, &value), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(set(1, 8, &value), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(set(1, 4, NULL), CL_INVALID_ARG_VALUE);
    ck_assert(!is_usable(kernel, 1));
    ck_assert_int_eq(set(1, 4, &value), CL_SUCCESS);
    ck_assert(is_usable(kernel, 1));
}
END_TEST

START_TEST(buffer_may_be_null_but_not_wrong)
{
    cl_mem none = NULL, mem = make_buffer(64), wrong = (cl_mem)(void *)kernel;

    ck_assert_int_eq(set(0, 4, &mem), CL_INVALID_ARG_SIZE);
    ck_assert_int_eq(set(0, sizeof(wrong), &wrong), CL_INVALID_MEM_OBJECT);
    ck_assert(!is_usable(kernel, 0));
    ck_assert_int_eq(set(0, sizeof(mem), NULL), CL_SUCCESS);
    ck_assert(is_usable(kernel, 0));
    ck_assert_int_eq(set(0, sizeof(mem), &none), CL_SUCCESS);
    ck_assert_int_eq(set(0, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_int_eq(set(0, sizeof(wrong), &wrong), CL_INVALID_MEM_OBJECT);
    ck_assert_ptr_eq(kernel->args[0].mem, mem); // a failure changes nothing
    tf_core_release(mem, &tf_class_mem);
}
END_TEST

START_TEST(buffer_of_another_context_is_refused)
{
    const struct tf_context_desc desc = {.devices = &core.device, .device_count = 1};
    const struct tf_buffer_desc buffer = {.size_bytes = 4};
    cl_context other = NULL;
    cl_mem mem = NULL;

    ck_assert_int_eq(tf_context_create(&err, &desc, &other), CL_SUCCESS);
    ck_assert_int_eq(tf_buffer_create(&err, other, &buffer, &mem), CL_SUCCESS);
    ck_assert_int_eq(set(0, sizeof(mem), &mem), CL_INVALID_CONTEXT);
    tf_core_release(mem, &tf_class_mem);
    tf_core_release(other, &tf_class_context);
}
END_TEST

START_TEST(local_argument_has_a_size_and_no_value)
{
    ck_assert_int_eq(set(2, 16, &core), CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(set(2, 16, NULL), CL_SUCCESS);
    ck_assert_uint_eq(kernel->args[2].local_bytes, 16);
    ck_assert_int_eq(set(2, 0, NULL), CL_SUCCESS);
    ck_assert(is_usable(kernel, 2));
}
END_TEST

START_TEST(released_buffer_makes_its_argument_unusable)
{
    cl_mem mem = make_buffer(64), next;

    ck_assert_int_eq(set(0, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_uint_eq(tf_object_user_refs(mem), 1);
    tf_core_release(mem, &tf_class_mem);
    ck_assert(!is_usable(kernel, 0));
    // The next buffer may get the same memory for its header: another generation.
    next = make_buffer(64);
    ck_assert(!is_usable(kernel, 0));
    ck_assert_int_eq(set(0, sizeof(next), &next), CL_SUCCESS);
    ck_assert(is_usable(kernel, 0));
    tf_core_release(next, &tf_class_mem);
}
END_TEST

// A table of its own: two local arguments round a value.
START_TEST(local_arguments_lie_behind_each_other)
{
    struct tf_kernel_arg_info infos[3] = {
        {.kind = TF_ARG_LOCAL, .block_offset_bytes = 0},
        {.kind = TF_ARG_VALUE, .size_bytes = 8, .block_offset_bytes = 8},
        {.kind = TF_ARG_LOCAL, .block_offset_bytes = 16},
    };
    const struct tf_kernel_info info = {.name = "locals",
                                        .args = infos,
                                        .arg_count = 3,
                                        .arg_block_bytes = 24,
                                        .local_bytes = 130};
    struct tf_kernel_arg args[3] = {
        {.set = true, .local_bytes = 1}, {.set = true}, {.set = true, .local_bytes = 40}};
    unsigned char values[24] = {0}, block[24];
    struct _cl_kernel fake = {.info = &info, .args = args, .block = values};
    struct tf_kernel_args out = {.block = block};
    uint64_t bytes, first, second;

    ck_assert(tf_kernel_local_bytes(&fake, &info, &bytes));
    ck_assert_uint_eq(bytes, 384 + 40);
    ck_assert_int_eq(tf_kernel_take_args(&err, &fake, &core.mock->dev, &info, &out),
                     CL_SUCCESS);
    ck_assert_uint_eq(out.count, 0);
    ck_assert_uint_eq(out.local_bytes, bytes);
    memcpy(&first, block, sizeof(first));
    memcpy(&second, block + 16, sizeof(second));
    ck_assert_uint_eq(first, 256);
    ck_assert_uint_eq(second, 384);
    args[0].local_bytes = SIZE_MAX - 100;
    ck_assert(!tf_kernel_local_bytes(&fake, &info, &bytes));
}
END_TEST

static cl_int fill(struct tf_kernel_args *out)
{
    struct tf_err own = {0};

    out->count = 0;
    return tf_kernel_take_args(&own, kernel, &core.mock->dev, kernel->info, out);
}

START_TEST(block_has_values_and_patches)
{
    const uint32_t value = 0x12345678;
    const cl_buffer_region region = {128, 64};
    cl_mem mem = make_buffer(256), sub = NULL;
    void *held[1];
    struct tf_arg_patch patches[1];
    unsigned char block[24];
    struct tf_kernel_args out = {.block = block, .patches = patches, .objects = held};
    uint64_t address = 1;

    ck_assert_int_eq(tf_sub_buffer_create(&err, mem, 0, &region, &sub), CL_SUCCESS);
    ck_assert_int_eq(set(0, sizeof(sub), &sub), CL_SUCCESS);
    ck_assert_int_eq(set(1, sizeof(value), &value), CL_SUCCESS);
    ck_assert_int_eq(set(2, 8, NULL), CL_SUCCESS);
    ck_assert_uint_eq(kernel->object_max, 1);
    ck_assert_int_eq(fill(&out), CL_SUCCESS);
    ck_assert_uint_eq(out.count, 1);
    ck_assert_mem_eq(block + 8, &value, sizeof(value));
    ck_assert_uint_eq(patches[0].block_offset_bytes, 0);
    ck_assert_ptr_eq(patches[0].mem, mem->devmem);
    ck_assert_uint_eq(patches[0].delta_bytes, 128);
    ck_assert_ptr_eq(held[0], sub);
    tf_unref(held[0]);

    ck_assert_int_eq(set(0, sizeof(sub), NULL), CL_SUCCESS);
    ck_assert_int_eq(fill(&out), CL_SUCCESS);
    ck_assert_uint_eq(out.count, 0);
    memcpy(&address, block, sizeof(address));
    ck_assert_uint_eq(address, 0);
    tf_core_release(sub, &tf_class_mem);
    tf_core_release(mem, &tf_class_mem);
}
END_TEST

START_TEST(clone_has_the_values)
{
    const uint32_t value = 5, later = 6;
    cl_kernel copy = NULL;

    ck_assert_int_eq(set(1, 4, &value), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_clone(&err, kernel, &copy), CL_SUCCESS);
    ck_assert_int_eq(set(1, 4, &later), CL_SUCCESS);
    ck_assert_mem_eq(copy->block + 8, &value, 4);
    ck_assert(is_usable(copy, 1));
    ck_assert(!is_usable(copy, 0));
    tf_core_release(copy, &tf_class_kernel);
}
END_TEST

// ---- Launches ----

static cl_int launch(size_t global, cl_event *out)
{
    const struct tf_enqueue at = {.queue = q, .out = out};
    const struct tf_ndrange_desc desc = {.work_dim = 1, .global_size = &global};
    struct tf_launch launch;
    struct tf_err own = {0};

    if (!tf_launch_take(&own, &at, CL_COMMAND_NDRANGE_KERNEL, kernel, &desc, &launch))
        tf_launch_enqueue(&at, &launch);
    return own.code;
}

static void set_all(cl_mem mem, uint32_t value, size_t local_bytes)
{
    ck_assert_int_eq(set(0, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_int_eq(set(1, sizeof(value), &value), CL_SUCCESS);
    ck_assert_int_eq(set(2, local_bytes, NULL), CL_SUCCESS);
}

START_TEST(launch_takes_the_values_of_its_time)
{
    uint32_t data[8] = {0};
    const struct tf_buffer_desc desc = {
        .flags = CL_MEM_USE_HOST_PTR, .size_bytes = sizeof(data), .host_ptr = data};
    cl_mem mem = NULL;

    ck_assert_int_eq(tf_buffer_create(&err, core.ctx, &desc, &mem), CL_SUCCESS);
    tf_mock_hold(core.mock, true);
    set_all(mem, 1, 4);
    ck_assert_int_eq(launch(8, NULL), CL_SUCCESS);
    set_all(mem, 10, 4);
    ck_assert_int_eq(launch(4, NULL), CL_SUCCESS);
    set_all(NULL, 100, 4);
    tf_core_release(mem, &tf_class_mem); // both commands keep it
    tf_mock_hold(core.mock, false);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    for (int i = 0; i < 8; i++)
        ck_assert_uint_eq(data[i], i < 4 ? 11 : 1);
}
END_TEST

START_TEST(empty_launch_completes_in_its_turn)
{
    const int submitted = atomic_load(&core.mock->submitted);
    cl_event ev = NULL;

    set_all(NULL, 1, 4);
    ck_assert_int_eq(launch(0, &ev), CL_SUCCESS);
    ck_assert_int_eq(tf_event_wait(ev), CL_COMPLETE);
    ck_assert_int_eq(atomic_load(&core.mock->submitted), submitted);
    tf_core_release(ev, &tf_class_event);
}
END_TEST

START_TEST(too_much_local_memory_is_out_of_resources)
{
    set_all(NULL, 1, core.mock->info.local_memory_bytes + 1);
    ck_assert_int_eq(launch(1, NULL), CL_OUT_OF_RESOURCES);
    set_all(NULL, 1, SIZE_MAX);
    ck_assert_int_eq(launch(1, NULL), CL_OUT_OF_RESOURCES);
    set_all(NULL, 1, core.mock->info.local_memory_bytes);
    ck_assert_int_eq(launch(0, NULL), CL_SUCCESS);
}
END_TEST

// Kernel and program are gone while the command waits; its code is not.
START_TEST(command_keeps_its_code)
{
    uint32_t data[2] = {0};
    const struct tf_buffer_desc desc = {
        .flags = CL_MEM_USE_HOST_PTR, .size_bytes = sizeof(data), .host_ptr = data};
    cl_program own_prog = make_program("kernel add");
    cl_kernel kept = kernel;
    cl_mem mem = NULL;

    ck_assert_int_eq(tf_buffer_create(&err, core.ctx, &desc, &mem), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create(&err, own_prog, "add", &kernel), CL_SUCCESS);
    set_all(mem, 3, 4);
    tf_mock_hold(core.mock, true);
    ck_assert_int_eq(launch(2, NULL), CL_SUCCESS);
    tf_core_release(kernel, &tf_class_kernel);
    kernel = kept;
    // Nothing is attached any more: building again is allowed and leaves the command be.
    ck_assert_int_eq(tf_program_build(&err, own_prog, &(struct tf_build_desc){0}),
                     CL_SUCCESS);
    tf_core_release(own_prog, &tf_class_program);
    tf_core_release(mem, &tf_class_mem);
    tf_mock_hold(core.mock, false);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_uint_eq(data[1], 3);
}
END_TEST

static atomic_int native_value;

struct native_args {
    int value;
    void *mem, *none;
};

static void CL_CALLBACK native(void *data)
{
    const struct native_args *args = data;

    atomic_store(&native_value, args->value + *(int *)args->mem + (args->none == NULL));
}

START_TEST(native_kernel_gets_addresses)
{
    struct native_args args = {.value = 1, .none = &args};
    const size_t places[2] = {offsetof(struct native_args, mem),
                              offsetof(struct native_args, none)};
    const struct tf_enqueue at = {.queue = q};
    const struct tf_buffer_desc desc = {
        .flags = CL_MEM_COPY_HOST_PTR, .size_bytes = 4, .host_ptr = (int[]){40}};
    cl_mem mems[2] = {NULL, NULL};
    struct tf_native_desc what = {.fn = native,
                                  .args = &args,
                                  .args_bytes = sizeof(args),
                                  .mem_count = 2,
                                  .mems = mems,
                                  .mem_offsets = places};

    ck_assert_int_eq(tf_buffer_create(&err, core.ctx, &desc, &mems[0]), CL_SUCCESS);
    ck_assert_int_eq(tf_enqueue_native(&err, &at, &what), CL_SUCCESS);
    tf_core_release(mems[0], &tf_class_mem);
    args.value = 1000; // the command has its own copy
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&native_value), 42);
}
END_TEST

START_TEST(running_out_of_memory_is_an_error_code)
{
    cl_mem mem = make_buffer(64);
    long n = 0;
    cl_int code;

    set_all(mem, 1, 4);
    do {
        struct tf_err own = {0};
        cl_kernel copy = NULL, many[2] = {NULL, NULL};
        cl_uint count = 0;

        tf_alloc_fail_at(n++);
        if (!tf_kernel_clone(&own, kernel, &copy) &&
            !tf_kernel_create_all(&own, prog, 2, many, &count))
            tf_fail(&own, launch(2, NULL), "launch");
        code = own.code;
        tf_alloc_fail_at(-1);
        ck_assert(code == CL_SUCCESS || code == CL_OUT_OF_HOST_MEMORY);
        if (copy)
            tf_core_release(copy, &tf_class_kernel);
        for (int i = 0; i < 2; i++)
            if (many[i])
                tf_core_release(many[i], &tf_class_kernel);
    } while (code != CL_SUCCESS);
    ck_assert_int_gt(n, 8);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    tf_core_release(mem, &tf_class_mem);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("kernel_arg");
    TCase *all = tcase_create("kernel_arg");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, value_needs_its_size);
    tcase_add_test(all, buffer_may_be_null_but_not_wrong);
    tcase_add_test(all, buffer_of_another_context_is_refused);
    tcase_add_test(all, local_argument_has_a_size_and_no_value);
    tcase_add_test(all, released_buffer_makes_its_argument_unusable);
    tcase_add_test(all, local_arguments_lie_behind_each_other);
    tcase_add_test(all, block_has_values_and_patches);
    tcase_add_test(all, clone_has_the_values);
    tcase_add_test(all, launch_takes_the_values_of_its_time);
    tcase_add_test(all, empty_launch_completes_in_its_turn);
    tcase_add_test(all, too_much_local_memory_is_out_of_resources);
    tcase_add_test(all, command_keeps_its_code);
    tcase_add_test(all, native_kernel_gets_addresses);
    tcase_add_test(all, running_out_of_memory_is_an_error_code);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
