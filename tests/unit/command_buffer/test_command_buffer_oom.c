// SPDX-License-Identifier: MIT
// Makes the n-th allocation of each step in the life of a command buffer fail, until none
// is left to fail: every failure is an error code, leaves nothing behind, and has no
// effect.
#include "base/alloc.h"
#include "core/command/command_copy.h"
#include "core/command_buffer/command_buffer.h"
#include "core/memory/buffer.h"
#include "core/program/program_build.h"
#include "support/core_fixture.h"

enum { MANY = 1000, BYTES = 256 };

static cl_command_queue queues[2];
static cl_program prog;
static cl_kernel kernel;
static cl_mem mem, other;
static cl_command_buffer_khr buffer;
static cl_mutable_command_khr command;

static cl_mem make_buffer(void)
{
    const struct tf_buffer_desc desc = {.size_bytes = BYTES};
    cl_mem out = NULL;

    ck_assert_int_eq(tf_buffer_create(&err, core.ctx, &desc, &out), CL_SUCCESS);
    return out;
}

static void begin(void)
{
    const char *source = "kernel add";
    const struct tf_source_desc desc = {.count = 1, .strings = &source};
    const uint32_t value = 1;

    setup();
    queues[0] = tf_core_queue(&core, 0);
    queues[1] = tf_core_queue(&core, OUT_OF_ORDER);
    mem = make_buffer();
    other = make_buffer();
    ck_assert_int_eq(tf_program_create_source(&err, core.ctx, &desc, &prog), CL_SUCCESS);
    ck_assert_int_eq(tf_program_build(&err, prog, &(struct tf_build_desc){0}),
                     CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_create(&err, prog, "add", &kernel), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_arg_set(&err, kernel, 0, sizeof(mem), &mem), CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_arg_set(&err, kernel, 1, sizeof(value), &value),
                     CL_SUCCESS);
    ck_assert_int_eq(tf_kernel_arg_set(&err, kernel, 2, 64, NULL), CL_SUCCESS);
    buffer = NULL;
    command = NULL;
}

static void finish(void)
{
    if (buffer)
        tf_core_release(buffer, &tf_class_command_buffer);
    tf_core_release(kernel, &tf_class_kernel);
    tf_core_release(prog, &tf_class_program);
    tf_core_release(mem, &tf_class_mem);
    tf_core_release(other, &tf_class_mem);
    tf_core_release(queues[0], &tf_class_queue);
    tf_core_release(queues[1], &tf_class_queue);
    teardown();
}

// Runs the step until no allocation of it is left to fail; at least `least` did fail.
static void until_it_works(cl_int (*step)(struct tf_err *err), int least)
{
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    int n = 0;

    for (; code != CL_SUCCESS; n++) {
        struct tf_err failed = {0};

        ck_assert_int_lt(n, MANY);
        tf_alloc_fail_at(n);
        code = step(&failed);
        tf_alloc_fail_at(-1);
        ck_assert_int_eq(code, failed.code);
        if (code != CL_SUCCESS)
            ck_assert_int_eq(code, CL_OUT_OF_HOST_MEMORY);
        tf_err_drop(&failed);
    }
    ck_assert_int_gt(n, least);
}

static cl_int create(struct tf_err *e)
{
    static const cl_command_buffer_properties_khr list[] = {
        CL_COMMAND_BUFFER_FLAGS_KHR, CL_COMMAND_BUFFER_MUTABLE_KHR, 0};
    const struct tf_command_buffer_desc desc = {
        .queue_count = 2, .queues = queues, .properties = list, .property_count = 3};

    return tf_command_buffer_create(e, core.ctx, &desc, &buffer);
}

// Where commands are recorded, for queue `i`.
static struct tf_enqueue recording(struct tf_record *record, cl_uint i)
{
    record->buffer = buffer;
    record->queue_index = i;
    tf_record_begin(record);
    return (struct tf_enqueue){.queue = queues[i], .recorder = &record->recorder};
}

static cl_int record_copy(struct tf_err *e)
{
    const struct tf_copy what = {.src = mem, .dst = other, .size_bytes = BYTES};
    struct tf_record record = {0};
    const struct tf_enqueue at = recording(&record, 1);

    return tf_enqueue_copy(e, &at, &what);
}

static cl_int record_barrier(struct tf_err *e)
{
    struct tf_record record = {0};
    const struct tf_enqueue at = recording(&record, 0);

    return tf_record_barrier(e, &at);
}

static cl_int record_kernel(struct tf_err *e)
{
    static const cl_command_properties_khr list[] = {
        CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0x1f, 0};
    const size_t items = 8;
    const struct tf_ndrange_desc desc = {
        .work_dim = 1, .global_size = &items, .local_size = &items};
    struct tf_record record = {
        .handle = &command, .properties = list, .property_count = 3};
    const struct tf_enqueue at = recording(&record, 0);
    struct tf_launch launch;

    if (tf_launch_take(e, &at, CL_COMMAND_NDRANGE_KERNEL, kernel, &desc, &launch))
        return e->code;
    return tf_record_kernel(e, &at, &record, kernel, &desc, &launch, 0x1f);
}

static cl_int finalize(struct tf_err *e)
{
    const cl_int code = tf_command_buffer_finalize(e, buffer);

    ck_assert_uint_eq(tf_command_buffer_state(buffer),
                      code ? CL_COMMAND_BUFFER_STATE_RECORDING_KHR
                           : CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    return code;
}

static cl_int replay(struct tf_err *e)
{
    const struct tf_command_buffer_run run = {0};

    return tf_command_buffer_enqueue(e, buffer, &run);
}

// Of a value, a buffer, local memory, and the range: through every way of an update.
static cl_int update(struct tf_err *e)
{
    static const uint32_t value = 2;
    static const size_t four = 4;
    const cl_mutable_dispatch_arg_khr plain[] = {{1, sizeof(value), &value},
                                                 {0, sizeof(other), &other}},
                                      local = {2, 128, NULL};
    const cl_mutable_dispatch_config_khr configs[] = {
        {.command = command, .num_args = 2, .arg_list = plain},
        {.command = command,
         .num_args = 1,
         .arg_list = &local,
         .global_work_size = &four,
         .local_work_size = &four}};
    const cl_mutable_dispatch_config_khr *list[] = {&configs[0], &configs[1]};
    size_t seen = 0;
    const cl_int code = tf_command_buffer_update(e, buffer, 2, list);

    tf_mutable_command_get_info(&(struct tf_err){0}, command,
                                CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, sizeof(seen),
                                &seen, NULL);
    ck_assert_uint_eq(seen, code ? 8 : 4);
    return code;
}

static cl_int remap(struct tf_err *e)
{
    cl_command_buffer_khr copy = NULL;
    cl_mutable_command_khr copied = NULL;
    const struct tf_remap how = {.automatic = true,
                                 .queue_count = 1,
                                 .queues = queues,
                                 .handle_count = 1,
                                 .handles = &command,
                                 .handles_ret = &copied};
    const cl_int code = tf_command_buffer_remap(e, buffer, &how, &copy);

    ck_assert(!code == (copy != NULL));
    ck_assert(!code == (copied != NULL));
    if (copy)
        tf_core_release(copy, &tf_class_command_buffer);
    return code;
}

static void record_all(void)
{
    until_it_works(create, 1);
    until_it_works(record_copy, 1);
    until_it_works(record_barrier, 1);
    until_it_works(record_kernel, 4);
    until_it_works(finalize, 4);
}

static void finish_queues(void)
{
    ck_assert_int_eq(tf_queue_finish(&err, queues[0]), CL_SUCCESS);
    ck_assert_int_eq(tf_queue_finish(&err, queues[1]), CL_SUCCESS);
}

START_TEST(every_allocation_may_fail)
{
    record_all();
    until_it_works(replay, 3);
    until_it_works(remap, 5);
    finish_queues();
    until_it_works(update, 3);
    until_it_works(replay, 3);
    finish_queues();
}
END_TEST

// The plan is left to the replay, which holds what the update drops.
START_TEST(updates_of_what_is_in_flight_may_fail)
{
    record_all();
    tf_mock_hold(core.mock, true);
    until_it_works(replay, 3);
    until_it_works(update, 4);
    tf_mock_hold(core.mock, false);
    finish_queues();
    until_it_works(replay, 3);
    finish_queues();
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("command_buffer_oom");
    TCase *tests = tcase_create("all");

    tcase_add_checked_fixture(tests, begin, finish);
    tcase_add_test(tests, every_allocation_may_fail);
    tcase_add_test(tests, updates_of_what_is_in_flight_may_fail);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
