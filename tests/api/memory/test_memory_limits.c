// SPDX-License-Identifier: MIT
// What there is no memory for is refused by an error code, and nothing else is harmed.
// Each test is a process of its own, so that it may limit its address space.
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

#include "support/api.h"
#include "support/suite.h"

static cl_int code;

static cl_mem create(cl_mem_flags flags, size_t size, void *host_ptr)
{
    cl_mem mem = clCreateBuffer(tf_api.ctx, flags, size, host_ptr, &code);

    ck_assert_int_eq(mem == NULL, code != CL_SUCCESS);
    return mem;
}

static cl_ulong device_number(cl_device_info what)
{
    cl_ulong number = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, what, sizeof(number), &number, NULL),
                     CL_SUCCESS);
    return number;
}

START_TEST(largest_size_is_kept)
{
    const cl_ulong most = device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);

    ck_assert_uint_le(most, device_number(CL_DEVICE_GLOBAL_MEM_SIZE));
    ck_assert_ptr_null(create(0, most + 1, NULL));
    ck_assert_int_eq(code, CL_INVALID_BUFFER_SIZE);
    ck_assert_ptr_null(create(0, SIZE_MAX, NULL));
    ck_assert_int_eq(code, CL_INVALID_BUFFER_SIZE);
}
END_TEST

// Buffers that are never touched cost nothing, and still no more than the device has is
// handed out.
START_TEST(whole_memory_is_kept)
{
    const cl_ulong total = device_number(CL_DEVICE_GLOBAL_MEM_SIZE);
    const cl_ulong most = device_number(CL_DEVICE_MAX_MEM_ALLOC_SIZE);
    cl_mem mems[64] = {0};
    cl_ulong used = 0;
    size_t count = 0;

    while (count < 64 && (mems[count] = create(0, most / 2, NULL))) {
        used += most / 2;
        count++;
    }
    ck_assert_int_eq(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    ck_assert_uint_le(used, total);
    ck_assert_uint_gt(count, 0);
    ck_assert_int_eq(clReleaseMemObject(mems[--count]), CL_SUCCESS);
    mems[count] = create(0, most / 2, NULL);
    ck_assert_ptr_nonnull(mems[count]);
    for (size_t i = 0; i <= count; i++)
        ck_assert_int_eq(clReleaseMemObject(mems[i]), CL_SUCCESS);
}
END_TEST

// Sanitizers reserve too much to be limited.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)

enum { CHUNK = 16 << 20, ROOM = 256 << 20, MAX_CHUNKS = 2 * ROOM / CHUNK };

static void check_filled(cl_mem mem, cl_uchar value)
{
    cl_uchar first = 0, last = 0;

    tf_api_read(mem, 0, 1, &first);
    tf_api_read(mem, CHUNK - 1, 1, &last);
    ck_assert_uint_eq(first, value);
    ck_assert_uint_eq(last, value);
}

// Leaves ROOM bytes of address space beyond what the process has.
static void limit_address_space(void)
{
    FILE *file = fopen("/proc/self/statm", "r");
    unsigned long pages = 0;
    struct rlimit limit;

    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fscanf(file, "%lu", &pages), 1);
    fclose(file);
    limit.rlim_cur = limit.rlim_max = pages * 4096 + ROOM;
    ck_assert_int_eq(setrlimit(RLIMIT_AS, &limit), 0);
}

START_TEST(exhausted_memory_is_an_error_and_nothing_is_lost)
{
    cl_mem mems[MAX_CHUNKS] = {0};
    size_t count = 0;

    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    limit_address_space();
    while (count < MAX_CHUNKS && (mems[count] = create(0, CHUNK, NULL))) {
        const cl_uchar value = (cl_uchar)(count + 1);

        ck_assert_int_eq(clEnqueueFillBuffer(tf_api.q, mems[count], &value, 1, 0, CHUNK,
                                             0, NULL, NULL),
                         CL_SUCCESS);
        ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
        count++;
    }
    ck_assert_int_eq(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    ck_assert_uint_gt(count, 2);
    ck_assert_uint_lt(count, MAX_CHUNKS);
    for (size_t i = 0; i < count; i++)
        check_filled(mems[i], (cl_uchar)(i + 1));

    // What is given back is there again.
    ck_assert_int_eq(clReleaseMemObject(mems[0]), CL_SUCCESS);
    mems[0] = create(0, CHUNK, NULL);
    ck_assert_ptr_nonnull(mems[0]);
    for (size_t i = 0; i < count; i++)
        ck_assert_int_eq(clReleaseMemObject(mems[i]), CL_SUCCESS);
}
END_TEST

// Memory that the application brings itself needs none.
START_TEST(host_memory_is_used_when_there_is_no_other)
{
    static char storage[ROOM];
    cl_mem mem;

    limit_address_space();
    ck_assert_ptr_null(create(0, ROOM, NULL));
    ck_assert_int_eq(code, CL_MEM_OBJECT_ALLOCATION_FAILURE);
    mem = create(CL_MEM_USE_HOST_PTR, ROOM, storage);
    ck_assert_ptr_nonnull(mem);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}
END_TEST

#endif

int main(void)
{
    Suite *suite = suite_create("memory_limits");
    TCase *tcase = tcase_create("limits");

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_test(tcase, largest_size_is_kept);
    tcase_add_test(tcase, whole_memory_is_kept);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    tcase_add_test(tcase, exhausted_memory_is_an_error_and_nothing_is_lost);
    tcase_add_test(tcase, host_memory_is_used_when_there_is_no_other);
#endif
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
