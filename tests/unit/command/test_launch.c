// SPDX-License-Identifier: MIT
// core/command/launch.h: what a launch takes, when it fails, and other threads meanwhile.
#include "core/command/launch.h"

#include <pthread.h>

#include "base/alloc.h"
#include "core/memory/buffer.h"
#include "core/program/program_build.h"
#include "support/core_fixture.h"

static cl_command_queue q;
static cl_program prog;
static cl_kernel kernel;

static void begin(void)
{
    const char *source = "kernel add";
    const struct tf_source_desc desc = {.count = 1, .strings = &source};

    setup();
    q = tf_core_queue(&core, 0);
    ck_assert_int_eq(tf_program_create_source(&err, core.ctx, &desc, &prog), CL_SUCCESS);
    ck_assert_int_eq(tf_program_build(&err, prog, &(struct tf_build_desc){0}),
                     CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create(&err, prog, "add", &kernel), CL_SUCCESS);
}

static void finish(void)
{
    tf_core_release(kernel, &tf_class_kernel);
    tf_core_release(prog, &tf_class_program);
    tf_core_release(q, &tf_class_queue);
    teardown();
}

static cl_mem make_buffer(void)
{
    const struct tf_buffer_desc desc = {.size_bytes = 256};
    cl_mem mem = NULL;

    ck_assert_int_eq(tf_buffer_create(&err, core.ctx, &desc, &mem), CL_SUCCESS);
    return mem;
}

static void set_args(cl_mem mem, size_t local_bytes)
{
    const uint32_t value = 1;

    ck_assert_int_eq(tf_kernel_arg_set(&err, kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_arg_set(&err, kernel, 1, sizeof(value), &value),
                     CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_arg_set(&err, kernel, 2, local_bytes, NULL), CL_SUCCESS);
}

static cl_int take_range(size_t global, const size_t *local, struct tf_launch *out)
{
    const struct tf_enqueue at = {.queue = q};
    const struct tf_ndrange_desc desc = {
        .work_dim = 1, .global_size = &global, .local_size = local};
    struct tf_err own = {0};

    return tf_launch_take(&own, &at, CL_COMMAND_NDRANGE_KERNEL, kernel, &desc, out);
}

static cl_int take(struct tf_launch *out)
{
    return take_range(8, NULL, out);
}

static void enqueue(struct tf_launch *launch)
{
    const struct tf_enqueue at = {.queue = q};

    tf_launch_enqueue(&at, launch);
}

START_TEST(launch_holds_what_is_released_after_its_check)
{
    cl_mem mem = make_buffer();
    struct tf_launch launch;

    set_args(mem, 4);
    ck_assert_int_eq(take(&launch), CL_SUCCESS);
    tf_core_release(mem, &tf_class_mem);
    ck_assert_int_eq(atomic_load(&core.mock->live_memories), 1);
    enqueue(&launch);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert(tf_core_wait_int(&core.mock->live_memories, 0));
}
END_TEST

START_TEST(launch_that_is_given_up_keeps_nothing)
{
    cl_mem mem = make_buffer();
    struct tf_launch launch;

    set_args(mem, 4);
    ck_assert_int_eq(take(&launch), CL_SUCCESS);
    tf_core_release(mem, &tf_class_mem);
    tf_launch_drop(&launch);
    ck_assert_int_eq(atomic_load(&core.mock->live_memories), 0);
}
END_TEST

START_TEST(failed_check_keeps_nothing)
{
    const size_t too_large = 4097;
    cl_mem mem = make_buffer();
    struct tf_launch launch;

    set_args(mem, 4);
    ck_assert_int_eq(take_range(8192, &too_large, &launch), CL_INVALID_WORK_ITEM_SIZE);
    ck_assert_ptr_null(launch.ev);
    set_args(mem, (size_t)1 << 17); // the object was taken before that was seen
    ck_assert_int_eq(take(&launch), CL_OUT_OF_RESOURCES);
    ck_assert_ptr_null(launch.ev);
    tf_core_release(mem, &tf_class_mem);
    ck_assert_int_eq(atomic_load(&core.mock->live_memories), 0);
    ck_assert_int_eq(take(&launch), CL_INVALID_KERNEL_ARGS);
    ck_assert_ptr_null(launch.ev);
}
END_TEST

START_TEST(sub_buffer_must_suit_the_device)
{
    const cl_buffer_region region = {128, 64};
    cl_mem mem = make_buffer(), sub = NULL;
    struct tf_launch launch;

    ck_assert_int_eq(tf_sub_buffer_create(&err, mem, 0, &region, &sub), CL_SUCCESS);
    set_args(sub, 4);
    core.mock->caps.base_align_bits = 2048;
    ck_assert_int_eq(take(&launch), CL_MISALIGNED_SUB_BUFFER_OFFSET);
    core.mock->caps.base_align_bits = 1024;
    ck_assert_int_eq(take(&launch), CL_SUCCESS);
    ck_assert_uint_eq(launch.args.count, 1);
    ck_assert_uint_eq(launch.args.patches[0].delta_bytes, 128);
    tf_launch_drop(&launch);
    tf_core_release(sub, &tf_class_mem);
    tf_core_release(mem, &tf_class_mem);
}
END_TEST

START_TEST(address_needs_a_device_with_svm)
{
    struct tf_launch launch;

    set_args(NULL, 4);
    tf_kernel_arg_set_address(kernel, 0, 0x1000);
    ck_assert_int_eq(take(&launch), CL_SUCCESS);
    tf_launch_drop(&launch);
    core.mock->caps.svm = 0;
    ck_assert_int_eq(take(&launch), CL_INVALID_OPERATION);
}
END_TEST

START_TEST(memory_that_runs_out_leaves_nothing)
{
    struct tf_launch launch;

    set_args(NULL, 4);
    tf_alloc_fail_at(0);
    ck_assert_int_eq(take(&launch), CL_OUT_OF_HOST_MEMORY);
    tf_alloc_fail_at(-1);
    ck_assert_ptr_null(launch.ev);
}
END_TEST

// One thread makes the argument's buffer and releases it, another launches all the while.
static struct {
    pthread_mutex_t lock; // a kernel is for one thread at a time: of its arguments
    atomic_bool stop;
} race = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *make_and_release(void *arg)
{
    (void)arg;
    while (!atomic_load(&race.stop)) {
        cl_mem mem = make_buffer();

        pthread_mutex_lock(&race.lock);
        set_args(mem, 4);
        pthread_mutex_unlock(&race.lock);
        tf_core_release(mem, &tf_class_mem);
    }
    return NULL;
}

START_TEST(buffers_are_released_while_launches_are_checked)
{
    enum { LAUNCHES = 20000 };
    cl_mem first = make_buffer();
    int launched = 0;
    pthread_t thread;

    set_args(first, 4);
    tf_core_release(first, &tf_class_mem);
    atomic_store(&race.stop, false);
    ck_assert_int_eq(pthread_create(&thread, NULL, make_and_release, NULL), 0);
    for (int i = 0; i < LAUNCHES || launched == 0; i++) {
        struct tf_launch launch;
        cl_int code;

        pthread_mutex_lock(&race.lock);
        code = take(&launch);
        pthread_mutex_unlock(&race.lock);
        ck_assert(code == CL_SUCCESS || code == CL_INVALID_KERNEL_ARGS);
        if (code)
            continue;
        enqueue(&launch);
        launched++;
    }
    atomic_store(&race.stop, true);
    pthread_join(thread, NULL);
    ck_assert_int_eq(tf_queue_finish(&err, q), CL_SUCCESS);
    ck_assert_int_gt(launched, 0);
    ck_assert(tf_core_wait_int(&core.mock->live_memories, 0));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("launch");
    TCase *tcase = tcase_create("launch");

    tcase_add_checked_fixture(tcase, begin, finish);
    tcase_add_test(tcase, launch_holds_what_is_released_after_its_check);
    tcase_add_test(tcase, launch_that_is_given_up_keeps_nothing);
    tcase_add_test(tcase, failed_check_keeps_nothing);
    tcase_add_test(tcase, sub_buffer_must_suit_the_device);
    tcase_add_test(tcase, address_needs_a_device_with_svm);
    tcase_add_test(tcase, memory_that_runs_out_leaves_nothing);
    tcase_add_test(tcase, buffers_are_released_while_launches_are_checked);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
