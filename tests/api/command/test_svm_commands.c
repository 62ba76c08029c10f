// SPDX-License-Identifier: MIT
// clEnqueueSVMFree, -Memcpy, -MemFill, -Map, -Unmap, -MigrateMem.
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

enum { BYTES = 4096 };

static unsigned char *a, *b;

static void begin(void)
{
    tf_api_begin();
    a = clSVMAlloc(tf_api.ctx, 0, BYTES, 0);
    b = clSVMAlloc(tf_api.ctx, 0, BYTES, 0);
    ck_assert(a && b);
    for (int i = 0; i < BYTES; i++)
        a[i] = (unsigned char)(i * 7);
    memset(b, 0, BYTES);
}

static void end(void)
{
    clSVMFree(tf_api.ctx, a);
    clSVMFree(tf_api.ctx, b);
    tf_api_end();
}

// Waits for the event (given), whose type must be this.
static void end_of(cl_event ev, cl_command_type type)
{
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    ck_assert_uint_eq(tf_api_event_type(ev), type);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
}

START_TEST(copy_moves_bytes)
{
    unsigned char host[BYTES];
    cl_event ev = NULL;

    ck_assert_int_eq(
        clEnqueueSVMMemcpy(tf_api.q, CL_TRUE, b, a + 1, BYTES - 1, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_mem_eq(b, a + 1, BYTES - 1);
    ck_assert_int_eq(clEnqueueSVMMemcpy(tf_api.q, CL_FALSE, host, a, BYTES, 0, NULL, &ev),
                     CL_SUCCESS);
    end_of(ev, CL_COMMAND_SVM_MEMCPY);
    ck_assert_mem_eq(host, a, BYTES);
    // Nothing to do is no error; neighbours do not overlap.
    ck_assert_int_eq(clEnqueueSVMMemcpy(tf_api.q, CL_TRUE, a, a, 0, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueSVMMemcpy(tf_api.q, CL_TRUE, a + 64, a, 64, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_mem_eq(a + 64, a, 64);
}
END_TEST

START_TEST(copy_checks_its_arguments)
{
    cl_command_queue q = tf_api.q;

    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE,
                      clEnqueueSVMMemcpy(bad, CL_TRUE, b, a, 4, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_int_eq(clEnqueueSVMMemcpy(q, CL_TRUE, NULL, a, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMemcpy(q, CL_TRUE, b, NULL, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMemcpy(q, CL_TRUE, a + 63, a, 64, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    ck_assert_int_eq(clEnqueueSVMMemcpy(q, CL_TRUE, a, a + 63, 64, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    ck_assert_int_eq(clEnqueueSVMMemcpy(q, CL_TRUE, a, a, 1, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
}
END_TEST

START_TEST(fill_repeats_patterns_of_every_size)
{
    unsigned char pattern[128];
    cl_event ev = NULL;

    for (int i = 0; i < 128; i++)
        pattern[i] = (unsigned char)(200 - i);
    for (size_t n = 1; n <= 128; n *= 2) {
        memset(b, 0, BYTES);
        ck_assert_int_eq(
            clEnqueueSVMMemFill(tf_api.q, b + 128, pattern, n, 1024, 0, NULL, &ev),
            CL_SUCCESS);
        end_of(ev, CL_COMMAND_SVM_MEMFILL);
        ck_assert(b[127] == 0 && b[128 + 1024] == 0);
        for (size_t i = 0; i < 1024; i++)
            ck_assert_uint_eq(b[128 + i], pattern[i % n]);
    }
    ck_assert_int_eq(clEnqueueSVMMemFill(tf_api.q, b, pattern, 16, 0, 0, NULL, NULL),
                     CL_SUCCESS);
}
END_TEST

START_TEST(fill_checks_its_arguments)
{
    cl_command_queue q = tf_api.q;
    const cl_ulong16 pattern = {{0}};

    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE,
                      clEnqueueSVMMemFill(bad, b, &pattern, 4, 4, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_int_eq(clEnqueueSVMMemFill(q, NULL, &pattern, 4, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMemFill(q, b, NULL, 4, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    for (int i = 0; i < 4; i++) {
        static const size_t sizes[] = {0, 3, 12, 256};

        ck_assert_int_eq(
            clEnqueueSVMMemFill(q, b, &pattern, sizes[i], 768, 0, NULL, NULL),
            CL_INVALID_VALUE);
    }
    ck_assert_int_eq(clEnqueueSVMMemFill(q, b + 2, &pattern, 4, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMemFill(q, b, &pattern, 4, 6, 0, NULL, NULL),
                     CL_INVALID_VALUE);
}
END_TEST

START_TEST(map_and_unmap_keep_their_place)
{
    cl_event user = tf_api_user_event(), map = NULL, unmap = NULL;

    ck_assert_int_eq(
        clEnqueueSVMMap(tf_api.q, CL_FALSE, CL_MAP_WRITE, a, BYTES, 1, &user, &map),
        CL_SUCCESS);
    ck_assert_int_eq(clEnqueueSVMUnmap(tf_api.q, a, 0, NULL, &unmap), CL_SUCCESS);
    ck_assert_int_eq(tf_api_event_status(map), CL_QUEUED);
    ck_assert_int_eq(tf_api_event_status(unmap), CL_QUEUED);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    end_of(map, CL_COMMAND_SVM_MAP);
    end_of(unmap, CL_COMMAND_SVM_UNMAP);
    ck_assert_int_eq(clEnqueueSVMMap(tf_api.q, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE, a + 8,
                                     8, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueSVMUnmap(tf_api.q, a + 8, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
}
END_TEST

START_TEST(map_and_unmap_check_their_arguments)
{
    cl_command_queue q = tf_api.q;

    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE,
                      clEnqueueSVMMap(bad, CL_TRUE, CL_MAP_READ, a, 4, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_int_eq(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, NULL, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMap(q, CL_TRUE, CL_MAP_READ, a, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMap(q, CL_TRUE, 1u << 20, a, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMap(q, CL_TRUE,
                                     CL_MAP_WRITE_INVALIDATE_REGION | CL_MAP_READ, a, 4,
                                     0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE, clEnqueueSVMUnmap(bad, a, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_int_eq(clEnqueueSVMUnmap(q, NULL, 0, NULL, NULL), CL_INVALID_VALUE);
}
END_TEST

START_TEST(ranges_and_whole_allocations_migrate)
{
    const void *pointers[2] = {a + 100, b};
    const size_t sizes[2] = {BYTES - 100, 0};
    cl_event ev = NULL;

    ck_assert_int_eq(clEnqueueSVMMigrateMem(tf_api.q, 2, pointers, NULL, 0, 0, NULL, &ev),
                     CL_SUCCESS);
    end_of(ev, CL_COMMAND_SVM_MIGRATE_MEM);
    ck_assert_int_eq(clEnqueueSVMMigrateMem(tf_api.q, 2, pointers, sizes,
                                            CL_MIGRATE_MEM_OBJECT_HOST, 0, NULL, &ev),
                     CL_SUCCESS);
    end_of(ev, CL_COMMAND_SVM_MIGRATE_MEM);
}
END_TEST

START_TEST(migration_checks_its_arguments)
{
    static const char outside = 0;
    const void *pointers[2] = {a, b}, *strange[2] = {a, &outside};
    const size_t fits[2] = {8, BYTES}, over[2] = {8, BYTES + 1};
    cl_command_queue q = tf_api.q;

    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE,
                      clEnqueueSVMMigrateMem(bad, 2, pointers, fits, 0, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_int_eq(clEnqueueSVMMigrateMem(q, 0, pointers, fits, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMigrateMem(q, 2, NULL, fits, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(
        clEnqueueSVMMigrateMem(q, 2, pointers, fits, 1u << 10, 0, NULL, NULL),
        CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMigrateMem(q, 2, pointers, over, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMigrateMem(q, 2, strange, fits, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMMigrateMem(q, 2, strange, NULL, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
}
END_TEST

// ---- Free ----

struct seen {
    cl_command_queue queue;
    cl_uint count;
    void *pointers[2];
    atomic_int calls;
};

static void CL_CALLBACK note_free(cl_command_queue queue, cl_uint count, void *pointers[],
                                  void *data)
{
    struct seen *seen = data;
    cl_context ctx = NULL;

    seen->queue = queue;
    seen->count = count;
    for (cl_uint i = 0; i < count && i < 2; i++)
        seen->pointers[i] = pointers[i];
    // It may call the API.
    clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof(ctx), &ctx, NULL);
    for (cl_uint i = 0; i < count; i++)
        clSVMFree(ctx, pointers[i]);
    atomic_fetch_add(&seen->calls, 1);
}

START_TEST(free_calls_back_in_its_turn)
{
    cl_event user = tf_api_user_event(), ev = NULL;
    struct seen seen = {0};
    void *pointers[2] = {a, b};

    ck_assert_int_eq(
        clEnqueueSVMFree(tf_api.q, 2, pointers, note_free, &seen, 1, &user, &ev),
        CL_SUCCESS);
    memset(pointers, 0, sizeof(pointers)); // the list was taken
    ck_assert_int_eq(atomic_load(&seen.calls), 0);
    ck_assert_int_eq(clSetUserEventStatus(user, CL_COMPLETE), CL_SUCCESS);
    end_of(ev, CL_COMMAND_SVM_FREE);
    ck_assert_int_eq(atomic_load(&seen.calls), 1);
    ck_assert_ptr_eq(seen.queue, tf_api.q);
    ck_assert_uint_eq(seen.count, 2);
    ck_assert(seen.pointers[0] == a && seen.pointers[1] == b);
    a = b = NULL;
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
}
END_TEST

// After it the address is no allocation any more: it cannot be migrated.
START_TEST(free_without_a_function_frees)
{
    void *pointers[3] = {a, NULL, b};
    const void *gone[1] = {a};
    cl_event ev = NULL;

    ck_assert_int_eq(clEnqueueSVMFree(tf_api.q, 3, pointers, NULL, NULL, 0, NULL, &ev),
                     CL_SUCCESS);
    end_of(ev, CL_COMMAND_SVM_FREE);
    ck_assert_int_eq(clEnqueueSVMMigrateMem(tf_api.q, 1, gone, NULL, 0, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    a = b = NULL;
}
END_TEST

START_TEST(free_after_a_failure_leaves_the_memory)
{
    cl_event user = tf_api_user_event(), ev = NULL;
    void *pointers[1] = {a};
    const void *kept[1] = {a};

    ck_assert_int_eq(clEnqueueSVMFree(tf_api.q, 1, pointers, NULL, NULL, 1, &user, &ev),
                     CL_SUCCESS);
    ck_assert_int_eq(clSetUserEventStatus(user, -5), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &ev),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(clEnqueueSVMMigrateMem(tf_api.q, 1, kept, NULL, 0, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
    ck_assert_int_eq(clReleaseEvent(user), CL_SUCCESS);
}
END_TEST

START_TEST(free_of_nothing_is_a_command)
{
    struct seen seen = {.count = 7};
    cl_event ev = NULL;

    ck_assert_int_eq(clEnqueueSVMFree(tf_api.q, 0, NULL, note_free, &seen, 0, NULL, &ev),
                     CL_SUCCESS);
    end_of(ev, CL_COMMAND_SVM_FREE);
    ck_assert_uint_eq(seen.count, 0);
}
END_TEST

START_TEST(free_checks_its_arguments)
{
    void *pointers[1] = {a};

    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE,
                      clEnqueueSVMFree(bad, 1, pointers, NULL, NULL, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_int_eq(clEnqueueSVMFree(tf_api.q, 0, pointers, NULL, NULL, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueSVMFree(tf_api.q, 1, NULL, NULL, NULL, 0, NULL, NULL),
                     CL_INVALID_VALUE);
}
END_TEST

#define FREE(n, list) clEnqueueSVMFree(tf_api.q, 0, NULL, NULL, NULL, n, list, NULL)
#define COPY(n, list) clEnqueueSVMMemcpy(tf_api.q, CL_TRUE, b, a, 4, n, list, NULL)
#define FILL(n, list) clEnqueueSVMMemFill(tf_api.q, b, a, 4, 4, n, list, NULL)
#define MAP(n, list) clEnqueueSVMMap(tf_api.q, CL_TRUE, CL_MAP_READ, a, 4, n, list, NULL)
#define UNMAP(n, list) clEnqueueSVMUnmap(tf_api.q, a, n, list, NULL)
#define MIGRATE(n, list) \
    clEnqueueSVMMigrateMem(tf_api.q, 1, (const void **)&a, NULL, 0, n, list, NULL)

START_TEST(wait_lists_are_checked)
{
    TF_API_CHECK_WAIT_LIST(FREE);
    TF_API_CHECK_WAIT_LIST(COPY);
    TF_API_CHECK_WAIT_LIST(FILL);
    TF_API_CHECK_WAIT_LIST(MAP);
    TF_API_CHECK_WAIT_LIST(UNMAP);
    TF_API_CHECK_WAIT_LIST(MIGRATE);
}
END_TEST

START_TEST(blocking_commands_report_failed_dependencies)
{
    cl_event failed = tf_api_user_event();

    ck_assert_int_eq(clSetUserEventStatus(failed, -5), CL_SUCCESS);
    ck_assert_int_eq(COPY(1, &failed), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(MAP(1, &failed), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(clReleaseEvent(failed), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("svm_commands");
    TCase *tc = tcase_create("svm_commands");

    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, copy_moves_bytes);
    tcase_add_test(tc, copy_checks_its_arguments);
    tcase_add_test(tc, fill_repeats_patterns_of_every_size);
    tcase_add_test(tc, fill_checks_its_arguments);
    tcase_add_test(tc, map_and_unmap_keep_their_place);
    tcase_add_test(tc, map_and_unmap_check_their_arguments);
    tcase_add_test(tc, ranges_and_whole_allocations_migrate);
    tcase_add_test(tc, migration_checks_its_arguments);
    tcase_add_test(tc, free_calls_back_in_its_turn);
    tcase_add_test(tc, free_without_a_function_frees);
    tcase_add_test(tc, free_after_a_failure_leaves_the_memory);
    tcase_add_test(tc, free_of_nothing_is_a_command);
    tcase_add_test(tc, free_checks_its_arguments);
    tcase_add_test(tc, wait_lists_are_checked);
    tcase_add_test(tc, blocking_commands_report_failed_dependencies);
    suite_add_tcase(suite, tc);
    return tf_run_suite(suite);
}
