// SPDX-License-Identifier: MIT
// Recording commands: what each does, what they wait for, what they refuse.
#include "api/command_buffer_rig.h"
#include "support/suite.h"

static const size_t items = ITEMS;

// ---- Order ----

START_TEST(commands_of_an_in_order_queue_follow_each_other)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_int wanted = 0;

    for (int i = 0; i < 20; i++) {
        rig_step(buffer, rig.add, rig.mem, i, 0, NULL);
        rig_step(buffer, rig.twice, rig.mem, 1, 0, NULL);
        wanted = (wanted + i) * 2 + 1;
    }
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, wanted);
    rig_release(buffer);
}
END_TEST

START_TEST(sync_points_order_an_out_of_order_queue)
{
    cl_command_buffer_khr buffer = rig_buffer(rig.out_of_order, 0);
    cl_sync_point_khr point = 0;
    cl_int wanted = 0;

    for (int i = 0; i < 20; i++) {
        point = rig_step(buffer, rig.add, rig.mem, i, point, NULL);
        point = rig_step(buffer, rig.twice, rig.mem, 1, point, NULL);
        wanted = (wanted + i) * 2 + 1;
    }
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, wanted);
    rig_release(buffer);
}
END_TEST

// Without a list it waits for all before it; all behind it wait for it.
START_TEST(barrier_parts_the_commands)
{
    cl_command_buffer_khr buffer = rig_buffer(rig.out_of_order, 0);

    for (int i = 0; i < 5; i++) {
        rig_step(buffer, rig.add, rig.mem, 1, 0, NULL);
        ck_assert_int_eq(
            clCommandBarrierWithWaitListKHR(buffer, NULL, NULL, 0, NULL, NULL, NULL),
            CL_SUCCESS);
        rig_step(buffer, rig.twice, rig.mem, 0, 0, NULL);
        ck_assert_int_eq(clCommandBarrierWithWaitListKHR(buffer, rig.out_of_order, NULL,
                                                         0, NULL, NULL, NULL),
                         CL_SUCCESS);
    }
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, 62);
    rig_release(buffer);
}
END_TEST

START_TEST(barrier_with_a_list_has_a_sync_point)
{
    cl_command_buffer_khr buffer = rig_buffer(rig.out_of_order, 0);
    cl_sync_point_khr points[2], barrier = 0;

    points[0] = rig_step(buffer, rig.add, rig.mem, 1, 0, NULL);
    points[1] = rig_step(buffer, rig.add, rig.other, 2, 0, NULL);
    ck_assert_int_eq(
        clCommandBarrierWithWaitListKHR(buffer, NULL, NULL, 2, points, &barrier, NULL),
        CL_SUCCESS);
    ck_assert_uint_gt(barrier, points[1]);
    rig_step(buffer, rig.twice, rig.mem, 0, barrier, NULL);
    rig_step(buffer, rig.twice, rig.other, 0, 0, NULL);
    rig_finalize(buffer);
    rig_run(buffer);
    rig_check(rig.mem, 2);
    rig_check(rig.other, 4);
    rig_release(buffer);
}
END_TEST

// ---- Commands ----

START_TEST(every_command_on_buffers_runs)
{
    const cl_int pattern = 5;
    const size_t origin[3] = {0, 0, 0}, to[3] = {0, 1, 0}, region[3] = {BYTES / 4, 2, 1};
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    cl_int seen[ITEMS];

    ck_assert_int_eq(clCommandFillBufferKHR(buffer, NULL, NULL, rig.mem, &pattern, 4, 0,
                                            BYTES, 0, NULL, NULL, NULL),
                     CL_SUCCESS);
    rig_step(buffer, rig.add, rig.mem, 1, 0, NULL);
    ck_assert_int_eq(clCommandCopyBufferKHR(buffer, NULL, NULL, rig.mem, rig.other, 0,
                                            BYTES / 2, BYTES / 2, 0, NULL, NULL, NULL),
                     CL_SUCCESS);
    // Two rows of a quarter, from row 2 on, one row up.
    ck_assert_int_eq(clCommandCopyBufferRectKHR(buffer, NULL, NULL, rig.mem, rig.other,
                                                origin, to, region, BYTES / 4, 0,
                                                BYTES / 4, 0, 0, NULL, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clCommandCopyBufferKHR(buffer, NULL, NULL, rig.mem, rig.other, 0, 0,
                                            0, 0, NULL, NULL, NULL),
                     CL_SUCCESS); // nothing
    rig_finalize(buffer);
    rig_run(buffer);
    tf_api_read(rig.other, 0, BYTES, seen);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_int_eq(seen[i], i < ITEMS / 4 ? 0 : 6);
    rig_release(buffer);
}
END_TEST

START_TEST(every_command_on_svm_runs)
{
    const cl_int pattern = 7;
    cl_int *svm = clSVMAlloc(tf_api.ctx, CL_MEM_READ_WRITE, 2 * BYTES, 0);
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);

    ck_assert_ptr_nonnull(svm);
    memset(svm, 0, 2 * BYTES);
    ck_assert_int_eq(clCommandSVMMemFillKHR(buffer, NULL, NULL, svm, &pattern, 4, BYTES,
                                            0, NULL, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArgSVMPointer(rig.add, 0, svm), CL_SUCCESS);
    tf_api_set_arg(rig.add, 1, sizeof(pattern), &pattern);
    rig_record(buffer, rig.add, 0, NULL);
    ck_assert_int_eq(clCommandSVMMemcpyKHR(buffer, NULL, NULL, svm + ITEMS, svm, BYTES, 0,
                                           NULL, NULL, NULL),
                     CL_SUCCESS);
    rig_finalize(buffer);
    for (int run = 0; run < 2; run++) {
        rig_run(buffer);
        for (int i = 0; i < 2 * ITEMS; i++)
            ck_assert_int_eq(svm[i], 14);
        svm[0] = svm[ITEMS] = 0;
    }
    rig_release(buffer);
    clSVMFree(tf_api.ctx, svm);
}
END_TEST

// More work than one thread is to have alone, beside short commands.
START_TEST(long_and_short_commands_mix)
{
    enum { MANY = 1 << 20 };
    const size_t many = MANY, local = 64;
    cl_mem big = tf_api_buffer(0, MANY * 4, NULL);
    cl_command_buffer_khr buffer = rig_buffer(rig.out_of_order, 0);
    cl_sync_point_khr point = 0;
    const cl_int one = 1;
    cl_int *seen = malloc(MANY * 4);

    ck_assert_int_eq(clCommandFillBufferKHR(buffer, NULL, NULL, big, &one, 4, 0, MANY * 4,
                                            0, NULL, &point, NULL),
                     CL_SUCCESS);
    tf_api_set_arg(rig.add, 0, sizeof(big), &big);
    tf_api_set_arg(rig.add, 1, sizeof(one), &one);
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(clCommandNDRangeKernelKHR(buffer, NULL, NULL, rig.add, 1, NULL,
                                                   &many, &local, 1, &point, &point,
                                                   NULL),
                         CL_SUCCESS);
        for (int k = 0; k < 100; k++)
            rig_step(buffer, rig.twice, rig.mem, 0, 0, NULL);
        tf_api_set_arg(rig.add, 0, sizeof(big), &big);
    }
    rig_finalize(buffer);
    for (int run = 0; run < 3; run++)
        rig_run(buffer);
    tf_api_read(big, 0, MANY * 4, seen);
    for (size_t i = 0; i < MANY; i++)
        ck_assert_int_eq(seen[i], 4);
    free(seen);
    rig_release(buffer);
    clReleaseMemObject(big);
}
END_TEST

// ---- Errors ----

// What all recording functions refuse alike. CALL(buffer, queue, properties, n, list,
// handle)
#define CHECK_COMMON(CALL)                                                              \
    do {                                                                                \
        const cl_command_properties_khr odd_[] = {0x9999, 1, 0};                        \
        cl_sync_point_khr zero_ = 0, far_ = 1000;                                       \
        cl_command_buffer_khr done_ = rig_buffer(tf_api.q, 0);                          \
        cl_command_buffer_khr two_ =                                                    \
            rig_buffer_on(2, (cl_command_queue[]){tf_api.q, rig.out_of_order}, 0);      \
        cl_command_buffer_khr one_ = rig_buffer(tf_api.q, 0);                           \
        cl_mutable_command_khr handle_ = NULL;                                          \
        rig_finalize(done_);                                                            \
        ck_assert_rejects(CL_INVALID_COMMAND_BUFFER_KHR,                                \
                          CALL(bad, NULL, NULL, 0, NULL, NULL), tf_api.q);              \
        ck_assert_int_eq(CALL(done_, NULL, NULL, 0, NULL, NULL), CL_INVALID_OPERATION); \
        ck_assert_int_eq(CALL(two_, NULL, NULL, 0, NULL, NULL),                         \
                         CL_INVALID_COMMAND_QUEUE);                                     \
        ck_assert_int_eq(CALL(one_, rig.out_of_order, NULL, 0, NULL, NULL),             \
                         CL_INVALID_COMMAND_QUEUE);                                     \
        ck_assert_int_eq(                                                               \
            CALL(one_, (cl_command_queue)(void *)rig.mem, NULL, 0, NULL, NULL),         \
            CL_INVALID_COMMAND_QUEUE);                                                  \
        ck_assert_int_eq(CALL(one_, tf_api.other_q, NULL, 0, NULL, NULL),               \
                         CL_INVALID_CONTEXT);                                           \
        ck_assert_int_eq(CALL(one_, NULL, odd_, 0, NULL, NULL), CL_INVALID_VALUE);      \
        ck_assert_int_eq(CALL(one_, NULL, NULL, 1, NULL, NULL),                         \
                         CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);                          \
        ck_assert_int_eq(CALL(one_, NULL, NULL, 0, &zero_, NULL),                       \
                         CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);                          \
        ck_assert_int_eq(CALL(one_, NULL, NULL, 1, &zero_, NULL),                       \
                         CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);                          \
        ck_assert_int_eq(CALL(one_, NULL, NULL, 1, &far_, NULL),                        \
                         CL_INVALID_SYNC_POINT_WAIT_LIST_KHR);                          \
        if (!takes_handles)                                                             \
            ck_assert_int_eq(CALL(one_, NULL, NULL, 0, NULL, &handle_),                 \
                             CL_INVALID_VALUE);                                         \
        rig_finalize(one_);                                                             \
        rig_release(one_);                                                              \
        rig_release(two_);                                                              \
        rig_release(done_);                                                             \
    } while (0)

START_TEST(common_errors_of_every_command)
{
    static const size_t origin[3], region[3] = {4, 1, 1};
    const bool takes_handles = false;
    const cl_int pattern = 1;
    cl_int *svm = clSVMAlloc(tf_api.ctx, CL_MEM_READ_WRITE, BYTES, 0);

#define BARRIER(b, q, p, n, list, handle) \
    clCommandBarrierWithWaitListKHR(b, q, p, n, list, NULL, handle)
    CHECK_COMMON(BARRIER);
#define COPY(b, q, p, n, list, handle) \
    clCommandCopyBufferKHR(b, q, p, rig.mem, rig.other, 0, 0, 4, n, list, NULL, handle)
    CHECK_COMMON(COPY);
#define RECT(b, q, p, n, list, handle)                                                 \
    clCommandCopyBufferRectKHR(b, q, p, rig.mem, rig.other, origin, origin, region, 0, \
                               0, 0, 0, n, list, NULL, handle)
    CHECK_COMMON(RECT);
#define FILL(b, q, p, n, list, handle) \
    clCommandFillBufferKHR(b, q, p, rig.mem, &pattern, 4, 0, 4, n, list, NULL, handle)
    CHECK_COMMON(FILL);
#define SVM_COPY(b, q, p, n, list, handle) \
    clCommandSVMMemcpyKHR(b, q, p, svm, svm + 4, 4, n, list, NULL, handle)
    CHECK_COMMON(SVM_COPY);
#define SVM_FILL(b, q, p, n, list, handle) \
    clCommandSVMMemFillKHR(b, q, p, svm, &pattern, 4, 4, n, list, NULL, handle)
    CHECK_COMMON(SVM_FILL);
    clSVMFree(tf_api.ctx, svm);
}
END_TEST

START_TEST(common_errors_of_kernels)
{
    const bool takes_handles = true;
    const cl_int value = 1;

    tf_api_set_arg(rig.add, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(rig.add, 1, sizeof(value), &value);
#define KERNEL(b, q, p, n, list, handle)                                              \
    clCommandNDRangeKernelKHR(b, q, p, rig.add, 1, NULL, &items, NULL, n, list, NULL, \
                              handle)
    CHECK_COMMON(KERNEL);
}
END_TEST

START_TEST(copies_refuse_what_enqueues_refuse)
{
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    const cl_int pattern = 1;
    cl_mem strange = tf_api_other_buffer(BYTES);

#define TRY_COPY(src, dst, from, to, size)                                              \
    clCommandCopyBufferKHR(buffer, NULL, NULL, src, dst, from, to, size, 0, NULL, NULL, \
                           NULL)
    ck_assert_int_eq(TRY_COPY(NULL, rig.other, 0, 0, 4), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(TRY_COPY(rig.mem, strange, 0, 0, 4), CL_INVALID_CONTEXT);
    ck_assert_int_eq(TRY_COPY(rig.mem, rig.other, BYTES, 0, 4), CL_INVALID_VALUE);
    ck_assert_int_eq(TRY_COPY(rig.mem, rig.mem, 0, 4, 8), CL_MEM_COPY_OVERLAP);
    ck_assert_int_eq(clCommandFillBufferKHR(buffer, NULL, NULL, rig.mem, &pattern, 3, 0,
                                            3, 0, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCommandFillBufferKHR(buffer, NULL, NULL, strange, &pattern, 4, 0,
                                            4, 0, NULL, NULL, NULL),
                     CL_INVALID_CONTEXT);
    ck_assert_int_eq(
        clCommandSVMMemcpyKHR(buffer, NULL, NULL, NULL, &pattern, 4, 0, NULL, NULL, NULL),
        CL_INVALID_VALUE);
    ck_assert_int_eq(clCommandSVMMemFillKHR(buffer, NULL, NULL, NULL, &pattern, 4, 4, 0,
                                            NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    rig_finalize(buffer);
    rig_run(buffer); // none of them was recorded
    rig_release(buffer);
    clReleaseMemObject(strange);
}
END_TEST

START_TEST(kernels_refuse_what_enqueues_refuse)
{
    const cl_command_properties_khr
        fields[] = {CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR, 1u << 20, 0},
        asserts[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR, 2, 0},
        no_more[] = {CL_MUTABLE_DISPATCH_ASSERTS_KHR,
                     CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
    cl_command_buffer_khr buffer = rig_buffer(tf_api.q, 0);
    const size_t odd = 5;
    const cl_int value = 1;
    cl_kernel fresh = tf_api_kernel(rig.prog, "add");

#define TRY(properties, kernel, dims, global, local)                                \
    clCommandNDRangeKernelKHR(buffer, NULL, properties, kernel, dims, NULL, global, \
                              local, 0, NULL, NULL, NULL)
    ck_assert_int_eq(TRY(NULL, NULL, 1, &items, NULL), CL_INVALID_KERNEL);
    ck_assert_int_eq(TRY(NULL, fresh, 1, &items, NULL), CL_INVALID_KERNEL_ARGS);
    tf_api_set_arg(fresh, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(fresh, 1, sizeof(value), &value);
    ck_assert_int_eq(TRY(NULL, fresh, 4, &items, NULL), CL_INVALID_WORK_DIMENSION);
    ck_assert_int_eq(TRY(fields, fresh, 1, &items, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(TRY(asserts, fresh, 1, &items, &odd), CL_INVALID_VALUE);
    ck_assert_int_eq(TRY(no_more, fresh, 1, &items, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(TRY(no_more, fresh, 1, &items, &items), CL_SUCCESS);
    rig_release(buffer);
    clReleaseKernel(fresh);
}
END_TEST

START_TEST(asserting_buffer_wants_local_sizes)
{
    const cl_command_buffer_properties_khr list[] = {
        CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR,
        CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR, 0};
    cl_command_buffer_khr buffer = clCreateCommandBufferKHR(1, &tf_api.q, list, NULL);
    const cl_int value = 1;

    tf_api_set_arg(rig.add, 0, sizeof(rig.mem), &rig.mem);
    tf_api_set_arg(rig.add, 1, sizeof(value), &value);
    ck_assert_int_eq(TRY(NULL, rig.add, 1, &items, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(TRY(NULL, rig.add, 1, &items, &items), CL_SUCCESS);
    rig_release(buffer);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("api_command_buffer_record");
    TCase *tests = tcase_create("all");

    tcase_add_checked_fixture(tests, rig_begin, rig_end);
    tcase_add_test(tests, commands_of_an_in_order_queue_follow_each_other);
    tcase_add_test(tests, sync_points_order_an_out_of_order_queue);
    tcase_add_test(tests, barrier_parts_the_commands);
    tcase_add_test(tests, barrier_with_a_list_has_a_sync_point);
    tcase_add_test(tests, every_command_on_buffers_runs);
    tcase_add_test(tests, every_command_on_svm_runs);
    tcase_add_test(tests, long_and_short_commands_mix);
    tcase_add_test(tests, common_errors_of_every_command);
    tcase_add_test(tests, common_errors_of_kernels);
    tcase_add_test(tests, copies_refuse_what_enqueues_refuse);
    tcase_add_test(tests, kernels_refuse_what_enqueues_refuse);
    tcase_add_test(tests, asserting_buffer_wants_local_sizes);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
