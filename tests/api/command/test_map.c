// SPDX-License-Identifier: MIT
// clEnqueueMapBuffer, clEnqueueUnmapMemObject.
#include <stdint.h>
#include <string.h>

#include "api/buffer_rig.h"
#include "support/suite.h"

enum { SIZE = 512 };

static char text[SIZE];

static void begin(void)
{
    for (int i = 0; i < SIZE; i++)
        text[i] = (char)i;
    begin_with(text, SIZE);
}

static cl_int map_code;

static void *map(cl_mem m, cl_map_flags flags, size_t offset, size_t size)
{
    void *host = clEnqueueMapBuffer(tf_api.q, m, CL_TRUE, flags, offset, size, 0, NULL,
                                    NULL, &map_code);

    ck_assert_int_eq(host == NULL, map_code != CL_SUCCESS);
    return host;
}

static cl_int unmap(cl_mem m, void *host)
{
    return clEnqueueUnmapMemObject(tf_api.q, m, host, 0, NULL, NULL);
}

static cl_uint map_count(void)
{
    cl_uint count = 99;

    ck_assert_int_eq(
        clGetMemObjectInfo(mem, CL_MEM_MAP_COUNT, sizeof(count), &count, NULL),
        CL_SUCCESS);
    return count;
}

START_TEST(mapped_bytes_are_the_buffer)
{
    char *host = map(mem, CL_MAP_READ | CL_MAP_WRITE, 100, 50), seen[50];

    ck_assert_ptr_nonnull(host);
    ck_assert_mem_eq(host, text + 100, 50);
    ck_assert_uint_eq(map_count(), 1);
    memset(host, 'x', 50);
    ck_assert_int_eq(unmap(mem, host), CL_SUCCESS);
    ck_assert_uint_eq(map_count(), 0);
    tf_api_read(mem, 100, 50, seen);
    memset(text, 'x', 50);
    ck_assert_mem_eq(seen, text, 50);
}
END_TEST

START_TEST(used_host_memory_maps_to_itself)
{
    cl_mem used = tf_api_buffer(CL_MEM_USE_HOST_PTR, SIZE, text);
    void *host = map(used, CL_MAP_READ, 64, 8);

    ck_assert_ptr_eq(host, text + 64);
    ck_assert_int_eq(unmap(used, host), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(used), CL_SUCCESS);
}
END_TEST

START_TEST(map_and_unmap_are_commands)
{
    cl_event go = tf_api_user_event(), mapped = NULL, unmapped = NULL;
    void *host = clEnqueueMapBuffer(tf_api.q, mem, CL_FALSE, CL_MAP_WRITE, 0, 16, 1, &go,
                                    &mapped, &map_code);

    ck_assert_ptr_nonnull(host);
    ck_assert_int_eq(clEnqueueUnmapMemObject(tf_api.q, mem, host, 1, &mapped, &unmapped),
                     CL_SUCCESS);
    ck_assert_uint_eq(tf_api_event_type(mapped), CL_COMMAND_MAP_BUFFER);
    ck_assert_uint_eq(tf_api_event_type(unmapped), CL_COMMAND_UNMAP_MEM_OBJECT);
    ck_assert_int_eq(clSetUserEventStatus(go, CL_COMPLETE), CL_SUCCESS);
    ck_assert_int_eq(clWaitForEvents(1, &unmapped), CL_SUCCESS);
    clReleaseEvent(go);
    clReleaseEvent(mapped);
    clReleaseEvent(unmapped);
}
END_TEST

static cl_int map_in(cl_command_queue q, cl_mem m, cl_map_flags flags, size_t offset,
                     size_t size, cl_uint n, const cl_event *list)
{
    cl_int code = 1;
    void *host =
        clEnqueueMapBuffer(q, m, CL_TRUE, flags, offset, size, n, list, NULL, &code);

    ck_assert_int_eq(host == NULL, code != CL_SUCCESS);
    return code;
}

#define MAP(n, list) map_in(tf_api.q, mem, CL_MAP_READ, 0, 4, n, list)
#define UNMAP(n, list) clEnqueueUnmapMemObject(tf_api.q, mem, host, n, list, NULL)

START_TEST(map_checks_its_arguments)
{
    const cl_map_flags in = CL_MAP_READ;

    ck_assert_int_eq(map_in(NULL, mem, in, 0, 4, 0, NULL), CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(map_in(tf_api.q, NULL, in, 0, 4, 0, NULL), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(map_in(tf_api.q, other, in, 0, 4, 0, NULL), CL_INVALID_CONTEXT);
    ck_assert_int_eq(map_in(tf_api.q, mem, in, SIZE, 1, 0, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(map_in(tf_api.q, mem, in, 8, SIZE_MAX, 0, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(map_in(tf_api.q, mem, in, 8, 0, 0, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(map_in(tf_api.q, mem, 8, 0, 4, 0, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(map_in(tf_api.q, mem, CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION,
                            0, 4, 0, NULL),
                     CL_INVALID_VALUE);
    TF_API_CHECK_WAIT_LIST(MAP);
    ck_assert_uint_eq(map_count(), 0);
}
END_TEST

START_TEST(host_access_flags_hold)
{
    const struct {
        cl_mem_flags made;
        cl_map_flags asked;
        cl_int code;
    } cases[] = {
        {CL_MEM_HOST_WRITE_ONLY, CL_MAP_READ, CL_INVALID_OPERATION},
        {CL_MEM_HOST_WRITE_ONLY, CL_MAP_WRITE, CL_SUCCESS},
        {CL_MEM_HOST_READ_ONLY, CL_MAP_READ, CL_SUCCESS},
        {CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE, CL_INVALID_OPERATION},
        {CL_MEM_HOST_READ_ONLY, CL_MAP_WRITE_INVALIDATE_REGION, CL_INVALID_OPERATION},
        {CL_MEM_HOST_NO_ACCESS, CL_MAP_READ, CL_INVALID_OPERATION},
        {CL_MEM_HOST_NO_ACCESS, CL_MAP_WRITE, CL_INVALID_OPERATION},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        cl_mem m = tf_api_buffer(cases[i].made, 64, NULL);

        ck_assert_int_eq(map_in(tf_api.q, m, cases[i].asked, 0, 4, 0, NULL),
                         cases[i].code);
        ck_assert_int_eq(clReleaseMemObject(m), CL_SUCCESS);
    }
}
END_TEST

START_TEST(regions_mapped_for_writing_do_not_overlap)
{
    void *first = map(mem, CL_MAP_WRITE, 0, 64);

    ck_assert_int_eq(map_in(tf_api.q, mem, CL_MAP_WRITE, 63, 2, 0, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(map_in(tf_api.q, mem, CL_MAP_READ, 0, 64, 0, NULL), CL_SUCCESS);
    ck_assert_int_eq(unmap(mem, first), CL_SUCCESS);
    ck_assert_int_eq(unmap(mem, first), CL_SUCCESS);
    ck_assert_int_eq(map_in(tf_api.q, mem, CL_MAP_WRITE, 63, 2, 0, NULL), CL_SUCCESS);
}
END_TEST

START_TEST(sub_buffers_and_their_buffer_know_of_each_other)
{
    enum { HALF = SIZE / 2 };
    const cl_buffer_region upper = {HALF, HALF};
    cl_mem sub = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &upper, NULL);
    cl_mem twin = clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, &upper, NULL);
    void *first = map(mem, CL_MAP_WRITE, HALF - 8, 16), *second;

    ck_assert_int_eq(map_in(tf_api.q, sub, CL_MAP_WRITE, 7, 1, 0, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(map_in(tf_api.q, sub, CL_MAP_READ, 0, 8, 0, NULL), CL_SUCCESS);
    second = map(sub, CL_MAP_WRITE, 8, 8);
    ck_assert_int_eq(map_code, CL_SUCCESS);
    ck_assert_int_eq(
        map_in(tf_api.q, mem, CL_MAP_WRITE_INVALIDATE_REGION, HALF + 15, 1, 0, NULL),
        CL_INVALID_OPERATION);
    ck_assert_int_eq(map_in(tf_api.q, twin, CL_MAP_WRITE, 15, 9, 0, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_uint_eq(map_count(), 1); // each counts its own
    ck_assert_int_eq(unmap(mem, second), CL_INVALID_VALUE);
    ck_assert_int_eq(unmap(sub, second), CL_SUCCESS);
    ck_assert_int_eq(map_in(tf_api.q, twin, CL_MAP_WRITE, 15, 9, 0, NULL), CL_SUCCESS);
    ck_assert_int_eq(unmap(mem, first), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(sub), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(twin), CL_SUCCESS);
    // What died was mapped; nobody is any longer.
    ck_assert_int_eq(map_in(tf_api.q, mem, CL_MAP_WRITE, 0, SIZE, 0, NULL), CL_SUCCESS);
}
END_TEST

START_TEST(failed_blocking_map_maps_nothing)
{
    cl_event bad = tf_api_user_event();

    ck_assert_int_eq(clSetUserEventStatus(bad, -1), CL_SUCCESS);
    ck_assert_int_eq(map_in(tf_api.q, mem, CL_MAP_WRITE, 0, 4, 1, &bad),
                     CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_uint_eq(map_count(), 0);
    clReleaseEvent(bad);
}
END_TEST

START_TEST(unmap_checks_its_arguments)
{
    void *host = map(mem, CL_MAP_READ, 0, 4);
    cl_mem second = tf_api_buffer(0, SIZE, NULL);

    ck_assert_int_eq(clEnqueueUnmapMemObject(NULL, mem, host, 0, NULL, NULL),
                     CL_INVALID_COMMAND_QUEUE);
    ck_assert_int_eq(unmap(NULL, host), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(unmap(other, host), CL_INVALID_CONTEXT);
    ck_assert_int_eq(unmap(mem, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(unmap(mem, (char *)host + 1), CL_INVALID_VALUE);
    ck_assert_int_eq(unmap(second, host), CL_INVALID_VALUE);
    TF_API_CHECK_WAIT_LIST(UNMAP);
    ck_assert_uint_eq(map_count(), 1); // no failure unmapped it
    ck_assert_int_eq(unmap(mem, host), CL_SUCCESS);
    ck_assert_int_eq(unmap(mem, host), CL_INVALID_VALUE);
    ck_assert_int_eq(clReleaseMemObject(second), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("map");
    TCase *all = tcase_create("map");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, mapped_bytes_are_the_buffer);
    tcase_add_test(all, used_host_memory_maps_to_itself);
    tcase_add_test(all, map_and_unmap_are_commands);
    tcase_add_test(all, map_checks_its_arguments);
    tcase_add_test(all, host_access_flags_hold);
    tcase_add_test(all, regions_mapped_for_writing_do_not_overlap);
    tcase_add_test(all, sub_buffers_and_their_buffer_know_of_each_other);
    tcase_add_test(all, failed_blocking_map_maps_nothing);
    tcase_add_test(all, unmap_checks_its_arguments);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
