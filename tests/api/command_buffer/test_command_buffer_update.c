// SPDX-License-Identifier: MIT
// Updating kernels of a command buffer (cl_khr_command_buffer_mutable_dispatch 0.9.5).
#include "api/command_buffer_rig.h"
#include "support/suite.h"

static cl_command_buffer_khr buffer; // mutable
static cl_mutable_command_khr command;

static void begin(void)
{
    rig_begin();
    buffer = rig_buffer(tf_api.q, CL_COMMAND_BUFFER_MUTABLE_KHR);
    command = NULL;
}

static void end(void)
{
    rig_release(buffer);
    rig_end();
}

static cl_int update(const cl_mutable_dispatch_config_khr *config)
{
    const cl_command_buffer_update_type_khr type =
        CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR;
    const void *configs[] = {config};

    return clUpdateMutableCommandsKHR(buffer, 1, &type, configs);
}

static cl_int update_arg(cl_uint index, size_t size, const void *value)
{
    const cl_mutable_dispatch_arg_khr arg = {index, size, value};

    return update(&(cl_mutable_dispatch_config_khr){
        .command = command, .num_args = 1, .arg_list = &arg});
}

static void check_size(cl_mutable_command_info_khr param, size_t wanted)
{
    size_t seen = 77;

    ck_assert_int_eq(
        clGetMutableCommandInfoKHR(command, param, sizeof(seen), &seen, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(seen, wanted);
}

// ---- Arguments ----

START_TEST(new_value_is_used_from_the_next_run_on)
{
    cl_int value = 10;

    rig_step(buffer, rig.add, rig.mem, 1, 0, &command);
    rig_finalize(buffer);
    rig_run(buffer);
    ck_assert_int_eq(update_arg(1, sizeof(value), &value), CL_SUCCESS);
    rig_run(buffer);
    rig_run(buffer);
    rig_check(rig.mem, 21);
}
END_TEST

START_TEST(new_buffer_is_used_and_the_old_one_may_go)
{
    static cl_int ones[ITEMS];
    cl_kernel from = tf_api_kernel(rig.prog, "from");
    cl_mem old, none = NULL;

    for (int i = 0; i < ITEMS; i++)
        ones[i] = 1;
    old = tf_api_buffer(CL_MEM_COPY_HOST_PTR, BYTES, ones);
    tf_api_set_arg(from, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(from, 1, sizeof(old), &old);
    rig_record(buffer, from, 0, &command);
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, 2);
    ck_assert_int_eq(update_arg(1, sizeof(rig.other), &rig.other), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(old), CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, 1);
    ck_assert_int_eq(update_arg(1, sizeof(none), &none), CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, -1);
    ck_assert_int_eq(update_arg(1, sizeof(rig.mem), &rig.mem), CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, 0);
    clReleaseKernel(from);
}
END_TEST

START_TEST(svm_pointer_takes_the_place_of_a_buffer)
{
    cl_int *svm = clSVMAlloc(tf_api.ctx, CL_MEM_READ_WRITE, BYTES, 0);
    const cl_mutable_dispatch_arg_khr arg = {0, 0, svm};

    memset(svm, 0, BYTES);
    rig_step(buffer, rig.add, rig.mem, 4, 0, &command);
    rig_finalize(buffer);
    ck_assert_int_eq(update(&(cl_mutable_dispatch_config_khr){
                         .command = command, .num_svm_args = 1, .arg_svm_list = &arg}),
                     CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, 0);
    ck_assert_int_eq(svm[ITEMS - 1], 4);
    ck_assert_int_eq(update_arg(0, sizeof(rig.mem), &rig.mem), CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, 4);
    ck_assert_int_eq(svm[ITEMS - 1], 4);
    clSVMFree(tf_api.ctx, svm);
}
END_TEST

static const char grow_source[] =
    "kernel void grow(global int *p, global const int *q, int n)\n"
    "{ size_t i = get_global_id(0);\n"
    "  for (int k = 0; k < n; k++) p[i] = 3 * p[i] + q[i + 64 * (k & 1)]; }\n";

enum { GROWS = 5, GROW_BYTES = 2 * BYTES };

static void grow(cl_int *p, const cl_int *q)
{
    for (int i = 0; i < ITEMS; i++)
        for (int k = 0; k < GROWS; k++)
            p[i] = (cl_int)(3u * (unsigned)p[i] + (unsigned)q[i + ITEMS * (k & 1)]);
}

static void run_and_grow(cl_int *wanted, const cl_int *q)
{
    rig_run(buffer);
    grow(wanted, q);
}

// Kernels keep sums in registers where buffers share nothing; which they do may change.
START_TEST(new_buffers_may_overlap)
{
    enum { ALL = 4 * ITEMS };
    const cl_buffer_region parts[] = {{0, GROW_BYTES}, {BYTES, GROW_BYTES}};
    cl_int *svm = clSVMAlloc(tf_api.ctx, CL_MEM_READ_WRITE, ALL * sizeof(cl_int), 0);
    const cl_mutable_dispatch_arg_khr address = {1, 0, svm};
    cl_program prog = tf_api_program(grow_source, "-cl-std=CL3.0");
    cl_kernel kernel = tf_api_kernel(prog, "grow");
    cl_int wanted[ALL], separate[2 * ITEMS], code;
    const cl_int rounds = GROWS;
    cl_mem whole, part[2], apart;
    void *seen;

    for (int i = 0; i < ALL; i++)
        svm[i] = wanted[i] = i;
    for (int i = 0; i < 2 * ITEMS; i++)
        separate[i] = 7 - i;
    whole = tf_api_buffer(CL_MEM_USE_HOST_PTR, ALL * sizeof(cl_int), svm);
    apart = tf_api_buffer(CL_MEM_COPY_HOST_PTR, GROW_BYTES, separate);
    for (int i = 0; i < 2; i++) {
        part[i] =
            clCreateSubBuffer(whole, 0, CL_BUFFER_CREATE_TYPE_REGION, &parts[i], &code);
        ck_assert_int_eq(code, CL_SUCCESS);
    }
    tf_api_set_arg(kernel, 0, sizeof(cl_mem), &part[0]);
    tf_api_set_arg(kernel, 1, sizeof(cl_mem), &apart);
    tf_api_set_arg(kernel, 2, sizeof(rounds), &rounds);
    rig_record(buffer, kernel, 0, &command);
    rig_finalize(buffer);
    run_and_grow(wanted, separate);
    ck_assert_int_eq(update_arg(1, sizeof(cl_mem), &part[0]), CL_SUCCESS);
    run_and_grow(wanted, wanted);
    ck_assert_int_eq(update_arg(1, sizeof(cl_mem), &apart), CL_SUCCESS);
    run_and_grow(wanted, separate);
    ck_assert_int_eq(update_arg(0, sizeof(cl_mem), &part[1]), CL_SUCCESS);
    run_and_grow(wanted + ITEMS, separate);
    ck_assert_int_eq(update(&(cl_mutable_dispatch_config_khr){.command = command,
                                                              .num_svm_args = 1,
                                                              .arg_svm_list = &address}),
                     CL_SUCCESS);
    run_and_grow(wanted + ITEMS, wanted);
    ck_assert_int_eq(update_arg(0, sizeof(cl_mem), &part[0]), CL_SUCCESS);
    run_and_grow(wanted, wanted);
    seen = clEnqueueMapBuffer(tf_api.q, whole, CL_TRUE, CL_MAP_READ, 0, sizeof(wanted), 0,
                              NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_mem_eq(seen, wanted, sizeof(wanted));
    clEnqueueUnmapMemObject(tf_api.q, whole, seen, 0, NULL, NULL);
    clFinish(tf_api.q);
    clReleaseMemObject(part[0]);
    clReleaseMemObject(part[1]);
    clReleaseMemObject(whole);
    clReleaseMemObject(apart);
    clReleaseKernel(kernel);
    clReleaseProgram(prog);
    clSVMFree(tf_api.ctx, svm);
}
END_TEST

START_TEST(local_memory_grows_and_shrinks)
{
    const size_t sizes[] = {ITEMS, 16, 32};
    cl_kernel sums = tf_api_kernel(rig.prog, "sums");
    const cl_int one = 1;
    const size_t items = ITEMS, four = 4;
    cl_int wanted = 4;

    ck_assert_int_eq(
        clEnqueueFillBuffer(tf_api.q, rig.mem, &one, 4, 0, BYTES, 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_set_arg(sums, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(sums, 1, 4 * 4, NULL);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, sums, 1, NULL, &items,
                                               &four, 0, NULL, NULL, &command),
                     CL_SUCCESS);
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, wanted);
    for (int i = 0; i < 3; i++) {
        const cl_mutable_dispatch_arg_khr arg = {1, sizes[i] * 4, NULL};

        ck_assert_int_eq(
            update(&(cl_mutable_dispatch_config_khr){.command = command,
                                                     .num_args = 1,
                                                     .arg_list = &arg,
                                                     .local_work_size = &sizes[i]}),
            CL_SUCCESS);
        check_size(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, sizes[i]);
        rig_run(buffer);
        wanted *= (cl_int)sizes[i];
        rig_check(rig.mem, wanted);
    }
    clReleaseKernel(sums);
}
END_TEST

START_TEST(kernel_given_stays_as_it_was)
{
    const size_t items = ITEMS;
    cl_int value = 10;

    rig_step(buffer, rig.add, rig.mem, 1, 0, &command);
    rig_finalize(buffer);
    ck_assert_int_eq(update_arg(1, sizeof(value), &value), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, rig.add, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    rig_check(rig.mem, 1);
}
END_TEST

START_TEST(arguments_may_come_after_the_recording)
{
    const cl_command_properties_khr later[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                               CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    cl_kernel fresh = tf_api_kernel(rig.prog, "add");
    const size_t items = ITEMS;
    const cl_int value = 6;

    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, later, fresh, 1, NULL,
                                               &items, NULL, 0, NULL, NULL, &command),
                     CL_SUCCESS);
    rig_finalize(buffer);
    ck_assert_uint_eq(rig_state(buffer), CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 0, NULL, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(update_arg(0, sizeof(rig.mem), &rig.mem), CL_SUCCESS);
    ck_assert_uint_eq(rig_state(buffer), CL_COMMAND_BUFFER_STATE_FINALIZED_KHR);
    ck_assert_int_eq(update_arg(1, sizeof(value), &value), CL_SUCCESS);
    ck_assert_uint_eq(rig_state(buffer), CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR);
    rig_run(buffer);
    rig_check(rig.mem, 6);
    clReleaseKernel(fresh);
}
END_TEST

// ---- Ranges ----

START_TEST(new_range_is_used)
{
    const size_t items = ITEMS, half = ITEMS / 2, eight = 8, offset = 0;
    cl_kernel range = tf_api_kernel(rig.prog, "range");
    cl_int seen[ITEMS];

    tf_api_set_arg(range, 0, sizeof(rig.mem), &rig.mem);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, range, 1, NULL, &items,
                                               &eight, 0, NULL, NULL, &command),
                     CL_SUCCESS);
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, 640800);
    ck_assert_int_eq(update(&(cl_mutable_dispatch_config_khr){.command = command,
                                                              .work_dim = 1,
                                                              .global_work_offset = &half,
                                                              .global_work_size = &half}),
                     CL_SUCCESS);
    rig_run(buffer);
    tf_api_read(rig.mem, 0, BYTES, seen);
    ck_assert_int_eq(seen[ITEMS / 2 - 1], 640800);
    ck_assert_int_eq(seen[ITEMS / 2], 320832);
    ck_assert_int_eq(seen[ITEMS - 1], 320832);
    check_size(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, half);
    check_size(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, half);
    ck_assert_int_eq(
        update(&(cl_mutable_dispatch_config_khr){.command = command,
                                                 .global_work_offset = &offset,
                                                 .global_work_size = &items,
                                                 .local_work_size = &half}),
        CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, 643200);
    clReleaseKernel(range);
}
END_TEST

START_TEST(uniformity_does_not_change)
{
    const size_t odd = ITEMS - 3, even = ITEMS / 2;

    rig_step(buffer, rig.add, rig.mem, 1, 0, &command); // groups of 16
    rig_finalize(buffer);
    ck_assert_int_eq(update(&(cl_mutable_dispatch_config_khr){.command = command,
                                                              .global_work_size = &odd}),
                     CL_INVALID_OPERATION);
    check_size(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, ITEMS);
    ck_assert_int_eq(update(&(cl_mutable_dispatch_config_khr){.command = command,
                                                              .global_work_size = &even}),
                     CL_SUCCESS);
}
END_TEST

// ---- All or nothing, and the last word ----

START_TEST(failed_update_changes_nothing)
{
    cl_mutable_command_khr other;
    cl_int value = 50;
    const cl_mutable_dispatch_arg_khr good[] = {{1, 4, &value}, {0, 8, &rig.other}},
                                      bad = {1, 3, &value};
    const cl_command_buffer_update_type_khr types[2] = {0, 0};
    const size_t half = ITEMS / 2;
    cl_mutable_dispatch_config_khr configs[2] = {
        {.num_args = 2, .arg_list = good, .global_work_size = &half},
        {.num_args = 1, .arg_list = &bad}};
    const void *list[2] = {&configs[0], &configs[1]};

    rig_step(buffer, rig.add, rig.mem, 1, 0, &command);
    rig_step(buffer, rig.add, rig.mem, 2, 0, &other);
    rig_finalize(buffer);
    configs[0].command = command;
    configs[1].command = other;
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 2, types, list),
                     CL_INVALID_ARG_SIZE);
    check_size(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, ITEMS);
    rig_run(buffer);
    rig_check(rig.mem, 3);
    rig_check(rig.other, 0);
}
END_TEST

START_TEST(last_of_several_updates_wins)
{
    cl_int values[2] = {10, 20};
    const cl_mutable_dispatch_arg_khr first[] = {{1, 4, &values[0]}, {0, 8, &rig.other}},
                                      second[] = {{1, 4, &values[1]}, {0, 8, &rig.mem}};
    const cl_command_buffer_update_type_khr types[2] = {0, 0};
    cl_mutable_dispatch_config_khr configs[2] = {{.num_args = 2, .arg_list = first},
                                                 {.num_args = 2, .arg_list = second}};
    const void *list[2] = {&configs[0], &configs[1]};

    rig_step(buffer, rig.add, rig.mem, 1, 0, &command);
    rig_finalize(buffer);
    configs[0].command = configs[1].command = command;
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 2, types, list), CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, 20);
    rig_check(rig.other, 0);
}
END_TEST

// Updates of commands that are in flight: each run has what was there when it was
// enqueued.
START_TEST(runs_in_flight_keep_their_values)
{
    enum { RUNS = 20 };
    cl_event gate = tf_api_user_event(), ev;
    cl_int sum = 0;

    rig_step(buffer, rig.add, rig.mem, 0, 0, &command);
    rig_finalize(buffer);
    for (cl_int i = 1; i <= RUNS; i++) {
        cl_mem mem = i % 4 ? rig.mem : rig.other;

        ck_assert_int_eq(update_arg(1, sizeof(i), &i), CL_SUCCESS);
        ck_assert_int_eq(update_arg(0, sizeof(mem), &mem), CL_SUCCESS);
        ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, &ev),
                         CL_SUCCESS);
        clReleaseEvent(ev);
        sum += i % 4 ? i : 0;
    }
    clSetUserEventStatus(gate, CL_COMPLETE);
    clFinish(tf_api.q);
    rig_check(rig.mem, sum);
    rig_check(rig.other, RUNS * (RUNS + 1) / 2 - sum);
    clReleaseEvent(gate);
}
END_TEST

START_TEST(object_of_a_run_in_flight_outlives_two_updates)
{
    static cl_int zeros[ITEMS];
    cl_event gate = tf_api_user_event();
    cl_mem old = tf_api_buffer(CL_MEM_COPY_HOST_PTR, BYTES, zeros);
    cl_int value = 2;

    rig_step(buffer, rig.add, old, 1, 0, &command);
    rig_finalize(buffer);
    ck_assert_int_eq(clEnqueueCommandBufferKHR(0, NULL, buffer, 1, &gate, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(update_arg(1, sizeof(value), &value), CL_SUCCESS);
    ck_assert_int_eq(update_arg(0, sizeof(rig.mem), &rig.mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(old), CL_SUCCESS);
    clSetUserEventStatus(gate, CL_COMPLETE);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    rig_run(buffer);
    rig_check(rig.mem, 2);
    clReleaseEvent(gate);
}
END_TEST

// ---- Queries and errors ----

START_TEST(queries_of_a_command_answer)
{
    const cl_command_properties_khr list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR,
                                              CL_MUTABLE_DISPATCH_ARGUMENTS_KHR, 0};
    cl_command_properties_khr seen[3];
    cl_command_buffer_khr owner = NULL;
    cl_command_queue queue = NULL;
    cl_kernel kernel = NULL;
    cl_command_type type = 0;
    const size_t items = ITEMS;
    const cl_int value = 1;
    cl_uint dims = 0;
    size_t bytes = 0;

    tf_api_set_arg(rig.add, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(rig.add, 1, sizeof(value), &value);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, list, rig.add, 1, NULL,
                                               &items, NULL, 0, NULL, NULL, &command),
                     CL_SUCCESS);
#define ASK(param, value)                                                            \
    ck_assert_int_eq(                                                                \
        clGetMutableCommandInfoKHR(command, param, sizeof(value), &(value), &bytes), \
        CL_SUCCESS)
    ASK(CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR, queue);
    ck_assert_ptr_eq(queue, tf_api.q);
    ASK(CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR, owner);
    ck_assert_ptr_eq(owner, buffer);
    ASK(CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR, type);
    ck_assert_uint_eq(type, CL_COMMAND_NDRANGE_KERNEL);
    ASK(CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR, seen);
    ck_assert_mem_eq(seen, list, sizeof(list));
    ASK(CL_MUTABLE_DISPATCH_KERNEL_KHR, kernel);
    ck_assert_ptr_eq(kernel, rig.add);
    ASK(CL_MUTABLE_DISPATCH_DIMENSIONS_KHR, dims);
    ck_assert_uint_eq(dims, 1);
    check_size(CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR, 0);
    check_size(CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR, ITEMS);
    check_size(CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR, 0);
    ck_assert_int_eq(clGetMutableCommandInfoKHR(command, 0x1, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clGetMutableCommandInfoKHR(command,
                                                CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR,
                                                4, &bytes, NULL),
                     CL_INVALID_VALUE);
    ck_assert_rejects(CL_INVALID_MUTABLE_COMMAND_KHR,
                      clGetMutableCommandInfoKHR(bad, CL_MUTABLE_DISPATCH_DIMENSIONS_KHR,
                                                 0, NULL, NULL),
                      tf_api.q);
}
END_TEST

START_TEST(wrong_updates_are_rejected)
{
    const cl_command_buffer_update_type_khr type = 0, odd = 1;
    const cl_mutable_dispatch_arg_khr arg = {9, 4, &odd};
    const cl_mutable_dispatch_config_khr nothing = {0};
    cl_mutable_dispatch_config_khr config = {0};
    const void *list[1] = {&config}, *none[1] = {NULL};
    cl_command_buffer_khr fixed = rig_buffer(tf_api.q, 0);

    rig_step(buffer, rig.add, rig.mem, 1, 0, &command);
    config.command = command;
    ck_assert_int_eq(update(&config), CL_INVALID_OPERATION); // is being recorded
    rig_finalize(buffer);
    rig_finalize(fixed);
    ck_assert_int_eq(update(&config), CL_SUCCESS); // nothing changes
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(clUpdateMutableCommandsKHR(fixed, 1, &type, list),
                     CL_INVALID_OPERATION);
    ck_assert_rejects(CL_INVALID_COMMAND_BUFFER_KHR,
                      clUpdateMutableCommandsKHR(bad, 1, &type, list), tf_api.q);
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 1, NULL, list), CL_INVALID_VALUE);
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 1, &type, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 0, &type, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 0, NULL, list), CL_INVALID_VALUE);
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 1, &odd, list), CL_INVALID_VALUE);
    ck_assert_int_eq(clUpdateMutableCommandsKHR(buffer, 1, &type, none),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(update(&nothing), CL_INVALID_MUTABLE_COMMAND_KHR);
    config.work_dim = 2;
    ck_assert_int_eq(update(&config), CL_INVALID_OPERATION);
    config.work_dim = 0;
    config.num_args = 1;
    ck_assert_int_eq(update(&config), CL_INVALID_VALUE);
    config.arg_list = &arg;
    ck_assert_int_eq(update(&config), CL_INVALID_ARG_INDEX);
    config.num_args = 0;
    ck_assert_int_eq(update(&config), CL_INVALID_VALUE);
    config.arg_list = NULL;
    config.num_svm_args = 1;
    ck_assert_int_eq(update(&config), CL_INVALID_VALUE);
    config.arg_svm_list = &(cl_mutable_dispatch_arg_khr){1, 0, &odd};
    ck_assert_int_eq(update(&config), CL_INVALID_ARG_VALUE); // no pointer
    config.num_svm_args = 0;
    config.arg_svm_list = NULL;
    config.num_exec_infos = 1;
    ck_assert_int_eq(update(&config), CL_INVALID_VALUE);
    config.exec_info_list = &(cl_mutable_dispatch_exec_info_khr){0x1, 0, NULL};
    ck_assert_int_eq(update(&config), CL_INVALID_VALUE);
    config.exec_info_list =
        &(cl_mutable_dispatch_exec_info_khr){CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL};
    ck_assert_int_eq(update(&config), CL_SUCCESS);
    rig_release(fixed);
}
END_TEST

START_TEST(fields_that_were_not_asked_for_stay)
{
    const cl_command_properties_khr list[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 0,
                                              0};
    const size_t items = ITEMS;
    const cl_int value = 1;
    const cl_mutable_dispatch_arg_khr arg = {1, 4, &value};

    tf_api_set_arg(rig.add, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(rig.add, 1, sizeof(value), &value);
    ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, list, rig.add, 1, NULL,
                                               &items, NULL, 0, NULL, NULL, &command),
                     CL_SUCCESS);
    rig_finalize(buffer);
#define REFUSED(...)                                                                \
    ck_assert_int_eq(                                                               \
        update(&(cl_mutable_dispatch_config_khr){.command = command, __VA_ARGS__}), \
        CL_INVALID_OPERATION)
    REFUSED(.global_work_offset = &items);
    REFUSED(.global_work_size = &items);
    REFUSED(.local_work_size = &items);
    REFUSED(.num_args = 1, .arg_list = &arg);
    REFUSED(.num_svm_args = 1, .arg_svm_list = &arg);
    REFUSED(.num_exec_infos = 1, .exec_info_list = &(cl_mutable_dispatch_exec_info_khr){
                                     CL_KERNEL_EXEC_INFO_SVM_PTRS, 0, NULL});
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("api_command_buffer_update");
    TCase *tests = tcase_create("all");

    tcase_add_checked_fixture(tests, begin, end);
    tcase_add_test(tests, new_value_is_used_from_the_next_run_on);
    tcase_add_test(tests, new_buffer_is_used_and_the_old_one_may_go);
    tcase_add_test(tests, svm_pointer_takes_the_place_of_a_buffer);
    tcase_add_test(tests, new_buffers_may_overlap);
    tcase_add_test(tests, local_memory_grows_and_shrinks);
    tcase_add_test(tests, kernel_given_stays_as_it_was);
    tcase_add_test(tests, arguments_may_come_after_the_recording);
    tcase_add_test(tests, new_range_is_used);
    tcase_add_test(tests, uniformity_does_not_change);
    tcase_add_test(tests, failed_update_changes_nothing);
    tcase_add_test(tests, last_of_several_updates_wins);
    tcase_add_test(tests, runs_in_flight_keep_their_values);
    tcase_add_test(tests, object_of_a_run_in_flight_outlives_two_updates);
    tcase_add_test(tests, queries_of_a_command_answer);
    tcase_add_test(tests, wrong_updates_are_rejected);
    tcase_add_test(tests, fields_that_were_not_asked_for_stay);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
