// SPDX-License-Identifier: MIT
// clEnqueueReadBuffer, clEnqueueWriteBuffer, clEnqueueCopyBuffer, clEnqueueFillBuffer,
// clEnqueueMigrateMemObjects.
#include <stdint.h>
#include <string.h>

#include "api/buffer_rig.h"
#include "support/suite.h"

enum { SIZE = 1024 };

static unsigned char pattern[SIZE], seen[SIZE];

static void begin(void)
{
    for (int i = 0; i < SIZE; i++)
        pattern[i] = (unsigned char)(i * 7 + i / 256);
    memset(seen, 0, sizeof(seen));
    begin_with(pattern, SIZE);
}

static cl_int read_at(cl_command_queue q, cl_mem m, size_t offset, size_t size, void *ptr)
{
    return clEnqueueReadBuffer(q, m, CL_TRUE, offset, size, ptr, 0, NULL, NULL);
}

static cl_int write_at(cl_command_queue q, cl_mem m, size_t offset, size_t size,
                       const void *ptr)
{
    return clEnqueueWriteBuffer(q, m, CL_TRUE, offset, size, ptr, 0, NULL, NULL);
}

START_TEST(parts_are_read_and_written)
{
    ck_assert_int_eq(read_at(tf_api.q, mem, 100, 300, seen), CL_SUCCESS);
    ck_assert_mem_eq(seen, pattern + 100, 300);
    ck_assert_int_eq(write_at(tf_api.q, mem, 1, 2, "xy"), CL_SUCCESS);
    ck_assert_int_eq(read_at(tf_api.q, mem, 0, SIZE, seen), CL_SUCCESS);
    pattern[1] = 'x';
    pattern[2] = 'y';
    ck_assert_mem_eq(seen, pattern, SIZE);
    ck_assert_int_eq(read_at(tf_api.q, mem, SIZE, 0, seen), CL_SUCCESS);
    ck_assert_int_eq(write_at(tf_api.q, mem, 5, 0, seen), CL_SUCCESS);
}
END_TEST

START_TEST(commands_have_types_and_wait)
{
    cl_event go = tf_api_user_event(), write = NULL, read = NULL;

    ck_assert_int_eq(
        clEnqueueWriteBuffer(tf_api.q, mem, CL_FALSE, 0, 4, "abcd", 1, &go, &write),
        CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueReadBuffer(tf_api.q, mem, CL_FALSE, 0, 4, seen, 1, &write, &read),
        CL_SUCCESS);
    ck_assert_uint_eq(tf_api_event_type(write), CL_COMMAND_WRITE_BUFFER);
    ck_assert_uint_eq(tf_api_event_type(read), CL_COMMAND_READ_BUFFER);
    ck_assert_int_eq(tf_api_event_status(read), CL_QUEUED);
    ck_assert_int_eq(clSetUserEventStatus(go, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &read), CL_SUCCESS);
    ck_assert_mem_eq(seen, "abcd", 4);
    clReleaseEvent(go);
    clReleaseEvent(write);
    clReleaseEvent(read);
}
END_TEST

#define READ(n, list) \
    clEnqueueReadBuffer(tf_api.q, mem, CL_TRUE, 0, 4, seen, n, list, NULL)
#define WRITE(n, list) \
    clEnqueueWriteBuffer(tf_api.q, mem, CL_TRUE, 0, 4, seen, n, list, NULL)
#define COPY(n, list) clEnqueueCopyBuffer(tf_api.q, mem, mem, 0, 8, 4, n, list, NULL)
#define FILL(n, list) clEnqueueFillBuffer(tf_api.q, mem, seen, 4, 0, 8, n, list, NULL)
#define MIGRATE(n, list) clEnqueueMigrateMemObjects(tf_api.q, 1, &mem, 0, n, list, NULL)

START_TEST(read_checks_its_arguments)
{
    ck_assert_int_eq(read_at(NULL, mem, 0, 4, seen), CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(read_at((cl_command_queue)(void *)mem, mem, 0, 4, seen),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(read_at(tf_api.q, NULL, 0, 4, seen), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(read_at(tf_api.q, (cl_mem)(void *)tf_api.q, 0, 4, seen),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(read_at(tf_api.q, other, 0, 4, seen), CL_INVALID_CONTEXT);
    ck_assert_int_eq(read_at(tf_api.q, mem, SIZE, 1, seen), CL_INVALID_VALUE);
    ck_assert_int_eq(read_at(tf_api.q, mem, 16, SIZE_MAX - 7, seen), CL_INVALID_VALUE);
    ck_assert_int_eq(read_at(tf_api.q, mem, 0, 4, NULL), CL_INVALID_VALUE);
    TF_API_CHECK_WAIT_LIST(READ);
}
END_TEST

START_TEST(write_checks_its_arguments)
{
    ck_assert_int_eq(write_at(NULL, mem, 0, 4, seen), CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(write_at(tf_api.q, NULL, 0, 4, seen), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(write_at(tf_api.q, other, 0, 4, seen), CL_INVALID_CONTEXT);
    ck_assert_int_eq(write_at(tf_api.q, mem, SIZE - 3, 4, seen), CL_INVALID_VALUE);
    ck_assert_int_eq(write_at(tf_api.q, mem, 0, 4, NULL), CL_INVALID_VALUE);
    TF_API_CHECK_WAIT_LIST(WRITE);
}
END_TEST

START_TEST(host_access_flags_hold)
{
    cl_mem read_only = tf_api_buffer(CL_MEM_HOST_READ_ONLY, 64, NULL);
    cl_mem write_only = tf_api_buffer(CL_MEM_HOST_WRITE_ONLY, 64, NULL);
    cl_mem none = tf_api_buffer(CL_MEM_HOST_NO_ACCESS, 64, NULL);

    ck_assert_int_eq(read_at(tf_api.q, read_only, 0, 4, seen), CL_SUCCESS);
    ck_assert_int_eq(write_at(tf_api.q, read_only, 0, 4, seen), CL_INVALID_OPERATION);
    ck_assert_int_eq(read_at(tf_api.q, write_only, 0, 4, seen), CL_INVALID_OPERATION);
    ck_assert_int_eq(write_at(tf_api.q, write_only, 0, 4, seen), CL_SUCCESS);
    ck_assert_int_eq(read_at(tf_api.q, none, 0, 4, seen), CL_INVALID_OPERATION);
    ck_assert_int_eq(write_at(tf_api.q, none, 0, 4, seen), CL_INVALID_OPERATION);
    ck_assert_int_eq(clReleaseMemObject(read_only), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(write_only), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(none), CL_SUCCESS);
}
END_TEST

START_TEST(blocking_command_tells_of_a_failed_dependency)
{
    cl_event bad = tf_api_user_event(), out = NULL;

    ck_assert_int_eq(clSetUserEventStatus(bad, -1), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueReadBuffer(tf_api.q, mem, CL_TRUE, 0, 4, seen, 1, &bad, &out),
        CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_ptr_null(out);
    ck_assert_int_eq(WRITE(1, &bad), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(read_at(tf_api.q, mem, 0, 4, seen), CL_SUCCESS);
    clReleaseEvent(bad);
}
END_TEST

static cl_int copy(cl_mem src, cl_mem dst, size_t from, size_t to, size_t size)
{
    return clEnqueueCopyBuffer(tf_api.q, src, dst, from, to, size, 0, NULL, NULL);
}

START_TEST(copy_moves_bytes)
{
    cl_mem dst = tf_api_buffer(0, SIZE, NULL);

    ck_assert_int_eq(copy(mem, dst, 10, 20, 500), CL_SUCCESS);
    tf_api_read(dst, 20, 500, seen);
    ck_assert_mem_eq(seen, pattern + 10, 500);
    ck_assert_int_eq(copy(mem, mem, 0, 512, 512), CL_SUCCESS);
    tf_api_read(mem, 512, 512, seen);
    ck_assert_mem_eq(seen, pattern, 512);
    ck_assert_int_eq(copy(mem, dst, SIZE, SIZE, 0), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(dst), CL_SUCCESS);
}
END_TEST

START_TEST(copy_checks_its_arguments)
{
    cl_mem dst = tf_api_buffer(0, 64, NULL);

    ck_assert_int_eq(clEnqueueCopyBuffer(NULL, mem, dst, 0, 0, 4, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(copy(NULL, dst, 0, 0, 4), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(copy(mem, NULL, 0, 0, 4), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(copy(other, dst, 0, 0, 4), CL_INVALID_CONTEXT);
    ck_assert_int_eq(copy(mem, other, 0, 0, 4), CL_INVALID_CONTEXT);
    ck_assert_int_eq(copy(mem, dst, SIZE - 3, 0, 4), CL_INVALID_VALUE);
    ck_assert_int_eq(copy(mem, dst, 0, 61, 4), CL_INVALID_VALUE);
    ck_assert_int_eq(copy(mem, dst, 8, 0, SIZE_MAX), CL_INVALID_VALUE);
    ck_assert_int_eq(copy(mem, mem, 0, 3, 4), CL_MEM_COPY_OVERLAP);
    ck_assert_int_eq(copy(mem, mem, 4, 0, 4), CL_SUCCESS);
    TF_API_CHECK_WAIT_LIST(COPY);
    ck_assert_int_eq(clReleaseMemObject(dst), CL_SUCCESS);
}
END_TEST

START_TEST(copy_between_windows_may_overlap)
{
    const cl_buffer_region first = {0, 512}, second = {256, 512};
    cl_mem a =
        clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &first, &(cl_int){0});
    cl_mem b =
        clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &second, &(cl_int){0});

    ck_assert_int_eq(copy(a, b, 256, 0, 16), CL_MEM_COPY_OVERLAP);
    ck_assert_int_eq(copy(mem, b, 250, 0, 16), CL_MEM_COPY_OVERLAP);
    ck_assert_int_eq(copy(a, b, 0, 0, 256), CL_SUCCESS);
    tf_api_read(b, 0, 256, seen);
    ck_assert_mem_eq(seen, pattern, 256);
    ck_assert_int_eq(clReleaseMemObject(a), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(b), CL_SUCCESS);
}
END_TEST

START_TEST(fill_repeats_each_pattern_size)
{
    for (size_t n = 1; n <= 128; n *= 2) {
        ck_assert_int_eq(
            clEnqueueFillBuffer(tf_api.q, mem, pattern, n, 256, 512, 0, NULL, NULL),
            CL_SUCCESS);
        tf_api_read(mem, 0, SIZE, seen);
        ck_assert_mem_eq(seen, pattern, 256);
        for (size_t i = 0; i < 512; i++)
            ck_assert_uint_eq(seen[256 + i], pattern[i % n]);
        ck_assert_mem_eq(seen + 768, pattern + 768, 256);
    }
    ck_assert_int_eq(
        clEnqueueFillBuffer(tf_api.q, mem, pattern, 4, SIZE, 0, 0, NULL, NULL),
        CL_SUCCESS);
}
END_TEST

static cl_int fill(cl_mem m, const void *p, size_t pattern_size, size_t offset,
                   size_t size)
{
    return clEnqueueFillBuffer(tf_api.q, m, p, pattern_size, offset, size, 0, NULL, NULL);
}

START_TEST(fill_checks_its_arguments)
{
    ck_assert_int_eq(clEnqueueFillBuffer(NULL, mem, pattern, 4, 0, 4, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(fill(NULL, pattern, 4, 0, 4), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(fill(other, pattern, 4, 0, 4), CL_INVALID_CONTEXT);
    ck_assert_int_eq(fill(mem, pattern, 4, SIZE, 4), CL_INVALID_VALUE);
    ck_assert_int_eq(fill(mem, NULL, 4, 0, 4), CL_INVALID_VALUE);
    ck_assert_int_eq(fill(mem, pattern, 0, 0, 4), CL_INVALID_VALUE);
    ck_assert_int_eq(fill(mem, pattern, 3, 0, 3), CL_INVALID_VALUE);
    ck_assert_int_eq(fill(mem, pattern, 256, 0, 256), CL_INVALID_VALUE);
    ck_assert_int_eq(fill(mem, pattern, 4, 2, 4), CL_INVALID_VALUE);
    ck_assert_int_eq(fill(mem, pattern, 4, 4, 6), CL_INVALID_VALUE);
    TF_API_CHECK_WAIT_LIST(FILL);
}
END_TEST

static cl_int migrate(cl_uint count, const cl_mem *mems, cl_mem_migration_flags flags)
{
    return clEnqueueMigrateMemObjects(tf_api.q, count, mems, flags, 0, NULL, NULL);
}

START_TEST(migration_completes_and_checks_its_arguments)
{
    const cl_mem none = NULL;
    cl_event ev = NULL;

    ck_assert_int_eq(clEnqueueMigrateMemObjects(tf_api.q, 1, &mem,
                                                CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &ev),
                     CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    ck_assert_uint_eq(tf_api_event_type(ev), CL_COMMAND_MIGRATE_MEM_OBJECTS);
    clReleaseEvent(ev);
    tf_api_read(mem, 0, SIZE, seen);
    ck_assert_mem_eq(seen, pattern, SIZE);

    ck_assert_int_eq(clEnqueueMigrateMemObjects(NULL, 1, &mem, 0, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(migrate(0, &mem, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(migrate(1, NULL, 0), CL_INVALID_VALUE);
    ck_assert_int_eq(migrate(1, &none, 0), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(migrate(1, &other, 0), CL_INVALID_CONTEXT);
    ck_assert_int_eq(migrate(1, &mem, 4), CL_INVALID_VALUE);
    TF_API_CHECK_WAIT_LIST(MIGRATE);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("enqueue_buffer");
    TCase *all = tcase_create("enqueue_buffer");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, parts_are_read_and_written);
    tcase_add_test(all, commands_have_types_and_wait);
    tcase_add_test(all, read_checks_its_arguments);
    tcase_add_test(all, write_checks_its_arguments);
    tcase_add_test(all, host_access_flags_hold);
    tcase_add_test(all, blocking_command_tells_of_a_failed_dependency);
    tcase_add_test(all, copy_moves_bytes);
    tcase_add_test(all, copy_checks_its_arguments);
    tcase_add_test(all, copy_between_windows_may_overlap);
    tcase_add_test(all, fill_repeats_each_pattern_size);
    tcase_add_test(all, fill_checks_its_arguments);
    tcase_add_test(all, migration_completes_and_checks_its_arguments);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
