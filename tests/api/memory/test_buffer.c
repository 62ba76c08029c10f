// SPDX-License-Identifier: MIT
// clCreateBuffer, clCreateBufferWithProperties, clCreateSubBuffer,
// clRetain/ReleaseMemObject, clGetMemObjectInfo, clSetMemObjectDestructorCallback.
#include <stdatomic.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "support/api.h"
#include "support/limits.h"
#include "support/suite.h"

static char bytes[1024];

// There is a memory object, now released, if and only if the code says so; the code.
static cl_int checked(cl_mem mem, cl_int code)
{
    ck_assert_int_eq(mem == NULL, code != CL_SUCCESS);
    if (mem)
        ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    return code;
}

static cl_int create(cl_context ctx, cl_mem_flags flags, size_t size, void *host_ptr)
{
    cl_int code = 1;
    cl_mem mem = clCreateBuffer(ctx, flags, size, host_ptr, &code);

    return checked(mem, code);
}

START_TEST(buffer_needs_a_context)
{
    ck_assert_int_eq(create(NULL, 0, 4, NULL), CL_INVALID_CONTEXT);
    ck_assert_int_eq(create((cl_context)(void *)tf_api.q, 0, 4, NULL),
                     CL_INVALID_CONTEXT);
    ck_assert_int_eq(create((cl_context)(void *)tf_api.device, 0, 4, NULL),
                     CL_INVALID_CONTEXT);
}
END_TEST

START_TEST(buffer_flags_are_checked)
{
    const cl_mem_flags good[] = {
        0,
        CL_MEM_READ_WRITE,
        CL_MEM_READ_ONLY,
        CL_MEM_WRITE_ONLY,
        CL_MEM_ALLOC_HOST_PTR,
        CL_MEM_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_HOST_READ_ONLY,
        CL_MEM_HOST_WRITE_ONLY,
    };
    const cl_mem_flags bad[] = {
        CL_MEM_READ_WRITE | CL_MEM_READ_ONLY,
        CL_MEM_READ_WRITE | CL_MEM_WRITE_ONLY,
        CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_WRITE_ONLY,
        CL_MEM_HOST_READ_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_HOST_WRITE_ONLY | CL_MEM_HOST_NO_ACCESS,
        CL_MEM_KERNEL_READ_AND_WRITE,
        (cl_mem_flags)1 << 40,
    };

    for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++)
        ck_assert_int_eq(create(tf_api.ctx, good[i], 4, NULL), CL_SUCCESS);
    for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
        ck_assert_int_eq(create(tf_api.ctx, bad[i], 4, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(
        create(tf_api.ctx, CL_MEM_USE_HOST_PTR | CL_MEM_ALLOC_HOST_PTR, 4, bytes),
        CL_INVALID_VALUE);
    ck_assert_int_eq(
        create(tf_api.ctx, CL_MEM_USE_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, bytes),
        CL_INVALID_VALUE);
    ck_assert_int_eq(
        create(tf_api.ctx, CL_MEM_ALLOC_HOST_PTR | CL_MEM_COPY_HOST_PTR, 4, bytes),
        CL_SUCCESS);
}
END_TEST

START_TEST(buffer_size_is_checked)
{
    cl_ulong most = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE,
                                     sizeof(most), &most, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(create(tf_api.ctx, 0, 0, NULL), CL_INVALID_BUFFER_SIZE);
    ck_assert_int_eq(create(tf_api.ctx, 0, most + 1, NULL), CL_INVALID_BUFFER_SIZE);
    ck_assert_int_eq(create(tf_api.ctx, 0, SIZE_MAX, NULL), CL_INVALID_BUFFER_SIZE);
    ck_assert_int_eq(create(tf_api.ctx, 0, 1, NULL), CL_SUCCESS);
}
END_TEST

START_TEST(host_pointer_goes_with_its_flags)
{
    ck_assert_int_eq(create(tf_api.ctx, CL_MEM_USE_HOST_PTR, 4, NULL),
                     CL_INVALID_HOST_PTR);
    ck_assert_int_eq(create(tf_api.ctx, CL_MEM_COPY_HOST_PTR, 4, NULL),
                     CL_INVALID_HOST_PTR);
    ck_assert_int_eq(create(tf_api.ctx, 0, 4, bytes), CL_INVALID_HOST_PTR);
    ck_assert_int_eq(create(tf_api.ctx, CL_MEM_ALLOC_HOST_PTR, 4, bytes),
                     CL_INVALID_HOST_PTR);
}
END_TEST

START_TEST(errors_need_no_place)
{
    ck_assert_ptr_null(clCreateBuffer(NULL, 0, 4, NULL, NULL));
    ck_assert_ptr_null(clCreateSubBuffer(NULL, 0, 0, NULL, NULL));
}
END_TEST

static size_t info_size(cl_mem mem, cl_mem_info param, size_t size, void *value)
{
    size_t got = 99;

    ck_assert_int_eq(clGetMemObjectInfo(mem, param, size, value, &got), CL_SUCCESS);
    return got;
}

START_TEST(properties_are_a_list_of_none)
{
    const cl_mem_properties none[] = {0}, some[] = {0x1234, 1, 0};
    cl_mem_properties seen[2] = {1, 1};
    cl_int code;
    cl_mem mem;

    mem = clCreateBufferWithProperties(tf_api.ctx, some, 0, 4, NULL, &code);
    ck_assert_ptr_null(mem);
    ck_assert_int_eq(code, CL_INVALID_PROPERTY);
    mem = clCreateBufferWithProperties(tf_api.ctx, none, 0, 4, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(info_size(mem, CL_MEM_PROPERTIES, sizeof(seen), seen),
                      sizeof(cl_mem_properties));
    ck_assert_uint_eq(seen[0], 0);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    mem = clCreateBufferWithProperties(tf_api.ctx, NULL, 0, 4, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(info_size(mem, CL_MEM_PROPERTIES, sizeof(seen), seen), 0);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}
END_TEST

static cl_mem make_sub(cl_mem mem, cl_mem_flags flags, size_t origin, size_t size,
                       cl_int *code)
{
    const cl_buffer_region region = {origin, size};

    return clCreateSubBuffer(mem, flags, CL_BUFFER_CREATE_TYPE_REGION, &region, code);
}

static cl_int sub(cl_mem mem, cl_mem_flags flags, size_t origin, size_t size)
{
    cl_int code = 1;
    cl_mem made = make_sub(mem, flags, origin, size, &code);

    return checked(made, code);
}

START_TEST(sub_buffer_arguments_are_checked)
{
    cl_mem mem = tf_api_buffer(0, 1024, NULL);
    const cl_buffer_region region = {0, 4};
    cl_int code;
    cl_mem child = make_sub(mem, 0, 0, 512, &code);

    ck_assert_int_eq(sub(NULL, 0, 0, 4), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(sub((cl_mem)(void *)tf_api.q, 0, 0, 4), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(sub(child, 0, 0, 4), CL_INVALID_MEM_OBJECT);
    ck_assert_ptr_null(clCreateSubBuffer(mem, 0, 0x1, &region, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(
        clCreateSubBuffer(mem, 0, CL_BUFFER_CREATE_TYPE_REGION, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_int_eq(sub(mem, 0, 1024, 1), CL_INVALID_VALUE);
    ck_assert_int_eq(sub(mem, 0, 512, 513), CL_INVALID_VALUE);
    ck_assert_int_eq(sub(mem, 0, 128, SIZE_MAX - 64), CL_INVALID_VALUE); // would wrap
    ck_assert_int_eq(sub(mem, 0, 128, 0), CL_INVALID_BUFFER_SIZE);
    ck_assert_int_eq(sub(mem, 0, 4, 4), CL_MISALIGNED_SUB_BUFFER_OFFSET);
    ck_assert_int_eq(sub(mem, 0, 128, 896), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(child), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}
END_TEST

START_TEST(sub_buffer_flags_fit_the_parent)
{
    const struct {
        cl_mem_flags parent, flags;
        cl_int code;
    } cases[] = {
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_WRITE, CL_INVALID_VALUE},
        {CL_MEM_WRITE_ONLY, CL_MEM_READ_ONLY, CL_INVALID_VALUE},
        {CL_MEM_WRITE_ONLY, CL_MEM_WRITE_ONLY, CL_SUCCESS},
        {CL_MEM_READ_ONLY, CL_MEM_READ_WRITE, CL_INVALID_VALUE},
        {CL_MEM_READ_ONLY, CL_MEM_WRITE_ONLY, CL_INVALID_VALUE},
        {CL_MEM_READ_WRITE, CL_MEM_READ_ONLY, CL_SUCCESS},
        {0, CL_MEM_WRITE_ONLY, CL_SUCCESS},
        {CL_MEM_HOST_WRITE_ONLY, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE},
        {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_WRITE_ONLY, CL_INVALID_VALUE},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_READ_ONLY, CL_INVALID_VALUE},
        {CL_MEM_HOST_NO_ACCESS, CL_MEM_HOST_WRITE_ONLY, CL_INVALID_VALUE},
        {CL_MEM_HOST_READ_ONLY, CL_MEM_HOST_NO_ACCESS, CL_SUCCESS},
        {0, CL_MEM_USE_HOST_PTR, CL_INVALID_VALUE},
        {0, CL_MEM_ALLOC_HOST_PTR, CL_INVALID_VALUE},
        {0, CL_MEM_COPY_HOST_PTR, CL_INVALID_VALUE},
        {0, CL_MEM_READ_ONLY | CL_MEM_WRITE_ONLY, CL_INVALID_VALUE},
        {0, (cl_mem_flags)1 << 40, CL_INVALID_VALUE},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
        cl_mem mem = tf_api_buffer(cases[i].parent, 256, NULL);

        ck_assert_int_eq(sub(mem, cases[i].flags, 0, 4), cases[i].code);
        ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    }
}
END_TEST

static cl_uint info_uint(cl_mem mem, cl_mem_info param)
{
    cl_uint value = 99;

    ck_assert_uint_eq(info_size(mem, param, sizeof(value), &value), sizeof(value));
    return value;
}

START_TEST(info_tells_what_was_made)
{
    cl_mem mem =
        tf_api_buffer(CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR, sizeof(bytes), bytes);
    cl_int code;
    cl_mem child = make_sub(mem, CL_MEM_HOST_NO_ACCESS, 256, 128, &code), parent = NULL;
    cl_mem_flags flags = 0;
    cl_context ctx = NULL;
    size_t size = 0, offset = 1;
    char *host = NULL;

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(info_uint(mem, CL_MEM_TYPE), CL_MEM_OBJECT_BUFFER);
    ck_assert_uint_eq(info_uint(mem, CL_MEM_MAP_COUNT), 0);
    ck_assert_uint_eq(info_uint(mem, CL_MEM_USES_SVM_POINTER), CL_FALSE);
    info_size(mem, CL_MEM_FLAGS, sizeof(flags), &flags);
    ck_assert_uint_eq(flags, CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR);
    info_size(child, CL_MEM_FLAGS, sizeof(flags), &flags);
    ck_assert_uint_eq(flags,
                      CL_MEM_READ_ONLY | CL_MEM_USE_HOST_PTR | CL_MEM_HOST_NO_ACCESS);
    info_size(child, CL_MEM_SIZE, sizeof(size), &size);
    ck_assert_uint_eq(size, 128);
    info_size(child, CL_MEM_OFFSET, sizeof(offset), &offset);
    ck_assert_uint_eq(offset, 256);
    info_size(child, CL_MEM_HOST_PTR, sizeof(host), &host);
    ck_assert_ptr_eq(host, bytes + 256);
    info_size(child, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent);
    ck_assert_ptr_eq(parent, mem);
    info_size(mem, CL_MEM_ASSOCIATED_MEMOBJECT, sizeof(parent), &parent);
    ck_assert_ptr_null(parent);
    info_size(child, CL_MEM_CONTEXT, sizeof(ctx), &ctx);
    ck_assert_ptr_eq(ctx, tf_api.ctx);

    ck_assert_int_eq(clGetMemObjectInfo(NULL, CL_MEM_TYPE, 0, NULL, NULL),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clGetMemObjectInfo(mem, 0x1234, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(clGetMemObjectInfo(mem, CL_MEM_SIZE, 4, &size, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clReleaseMemObject(child), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
}
END_TEST

START_TEST(references_are_counted)
{
    cl_mem mem = tf_api_buffer(0, 4, NULL);

    ck_assert_uint_eq(info_uint(mem, CL_MEM_REFERENCE_COUNT), 1);
    ck_assert_int_eq(clRetainMemObject(mem), CL_SUCCESS);
    ck_assert_uint_eq(info_uint(mem, CL_MEM_REFERENCE_COUNT), 2);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clRetainMemObject(mem), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clReleaseMemObject(NULL), CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clRetainMemObject((cl_mem)(void *)tf_api.q), CL_INVALID_MEM_OBJECT);
}
END_TEST

static char order[8];
static atomic_int calls;

static void CL_CALLBACK note(cl_mem mem, void *data)
{
    (void)mem;
    order[atomic_load(&calls)] = *(char *)data;
    atomic_fetch_add(&calls, 1);
}

START_TEST(destructor_callbacks_run_newest_first)
{
    char names[] = "abc";
    cl_mem mem = tf_api_buffer(0, 4, NULL);

    ck_assert_int_eq(clSetMemObjectDestructorCallback(NULL, note, names),
                     CL_INVALID_MEM_OBJECT);
    ck_assert_int_eq(clSetMemObjectDestructorCallback(mem, NULL, names),
                     CL_INVALID_VALUE);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(clSetMemObjectDestructorCallback(mem, note, &names[i]),
                         CL_SUCCESS);
    ck_assert_int_eq(atomic_load(&calls), 0);
    ck_assert_int_eq(clReleaseMemObject(mem), CL_SUCCESS);
    ck_assert(TEST_UNTIL(atomic_load(&calls) == 3));
    ck_assert_str_eq(order, "cba");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("buffer");
    TCase *all = tcase_create("buffer");

    tcase_add_checked_fixture(all, tf_api_begin, tf_api_end);
    tcase_add_test(all, buffer_needs_a_context);
    tcase_add_test(all, buffer_flags_are_checked);
    tcase_add_test(all, buffer_size_is_checked);
    tcase_add_test(all, host_pointer_goes_with_its_flags);
    tcase_add_test(all, errors_need_no_place);
    tcase_add_test(all, properties_are_a_list_of_none);
    tcase_add_test(all, sub_buffer_arguments_are_checked);
    tcase_add_test(all, sub_buffer_flags_fit_the_parent);
    tcase_add_test(all, info_tells_what_was_made);
    tcase_add_test(all, references_are_counted);
    tcase_add_test(all, destructor_callbacks_run_newest_first);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
