// SPDX-License-Identifier: MIT
// cl_intel_unified_shared_memory.
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "support/api.h"
#include "support/suite.h"

static const char source[] =
    "kernel void scale(global int *p, int by, local int *scratch)\n"
    "{ p[get_global_id(0)] *= by; }\n"
    "kernel void constant_too(constant int *p, global int *out) { *out = *p; }\n";

enum { COUNT = 256, BYTES = COUNT * sizeof(cl_int) };

static cl_int *host, *device, *shared;
static cl_int code;

static void begin(void)
{
    tf_api_begin();
    code = CL_INVALID_VALUE;
    host = clHostMemAllocINTEL(tf_api.ctx, NULL, BYTES, 0, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    device = clDeviceMemAllocINTEL(tf_api.ctx, tf_api.device, NULL, BYTES, 0, NULL);
    shared = clSharedMemAllocINTEL(tf_api.ctx, tf_api.device, NULL, BYTES, 0, &code);
    ck_assert(host && device && shared);
    for (int i = 0; i < COUNT; i++)
        host[i] = i;
}

static void end(void)
{
    ck_assert_int_eq(clMemFreeINTEL(tf_api.ctx, host), CL_SUCCESS);
    ck_assert_int_eq(clMemFreeINTEL(tf_api.ctx, device), CL_SUCCESS);
    ck_assert_int_eq(clMemFreeINTEL(tf_api.ctx, shared), CL_SUCCESS);
    tf_api_end();
}

static void end_of(cl_event ev, cl_command_type type)
{
    ck_assert_int_eq(clWaitForEvents(1, &ev), CL_SUCCESS);
    ck_assert_uint_eq(tf_api_event_type(ev), type);
    ck_assert_int_eq(clReleaseEvent(ev), CL_SUCCESS);
}

START_TEST(functions_are_found_by_name)
{
    static const char *const names[] = {
        "clHostMemAllocINTEL",           "clDeviceMemAllocINTEL",
        "clSharedMemAllocINTEL",         "clMemFreeINTEL",
        "clMemBlockingFreeINTEL",        "clGetMemAllocInfoINTEL",
        "clSetKernelArgMemPointerINTEL", "clEnqueueMemFillINTEL",
        "clEnqueueMemcpyINTEL",          "clEnqueueMigrateMemINTEL",
        "clEnqueueMemAdviseINTEL",
    };

    for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
        ck_assert_ptr_nonnull(
            clGetExtensionFunctionAddressForPlatform(tf_api.platform, names[i]));
}
END_TEST

START_TEST(device_has_every_capability)
{
    static const cl_device_info params[] = {
        CL_DEVICE_HOST_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_DEVICE_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SINGLE_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_CROSS_DEVICE_SHARED_MEM_CAPABILITIES_INTEL,
        CL_DEVICE_SHARED_SYSTEM_MEM_CAPABILITIES_INTEL,
    };

    for (int i = 0; i < 5; i++) {
        cl_device_unified_shared_memory_capabilities_intel caps = 0;

        ck_assert_int_eq(
            clGetDeviceInfo(tf_api.device, params[i], sizeof(caps), &caps, NULL),
            CL_SUCCESS);
        ck_assert_uint_eq(caps,
                          CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL |
                              CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL |
                              CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL |
                              CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL);
    }
}
END_TEST

// The three kinds of allocation, called alike.
static void *alloc_kind(int kind, cl_context ctx,
                        const cl_mem_properties_intel *properties, size_t size,
                        cl_uint alignment)
{
    code = CL_SUCCESS;
    if (kind == 0)
        return clHostMemAllocINTEL(ctx, properties, size, alignment, &code);
    if (kind == 1)
        return clDeviceMemAllocINTEL(ctx, tf_api.device, properties, size, alignment,
                                     &code);
    return clSharedMemAllocINTEL(ctx, tf_api.device, properties, size, alignment, &code);
}

#define ck_assert_no_alloc(wanted, call) \
    do {                                 \
        ck_assert_ptr_null(call);        \
        ck_assert_int_eq(code, wanted);  \
    } while (0)

START_TEST(allocations_check_their_arguments)
{
    const cl_mem_properties_intel unknown[] = {0x1234, 0, 0};
    const cl_mem_properties_intel twice[] = {CL_MEM_ALLOC_FLAGS_INTEL, 0,
                                             CL_MEM_ALLOC_FLAGS_INTEL, 0, 0};
    const cl_mem_properties_intel bits[] = {CL_MEM_ALLOC_FLAGS_INTEL, 1 << 9, 0};
    cl_ulong most = 0;

    clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_MEM_ALLOC_SIZE, sizeof(most), &most,
                    NULL);
    for (int kind = 0; kind < 3; kind++) {
        ck_assert_no_alloc(CL_INVALID_CONTEXT, alloc_kind(kind, NULL, NULL, 64, 0));
        ck_assert_no_alloc(CL_INVALID_CONTEXT,
                           alloc_kind(kind, (cl_context)(void *)tf_api.q, NULL, 64, 0));
        ck_assert_no_alloc(CL_INVALID_VALUE, alloc_kind(kind, tf_api.ctx, NULL, 64, 3));
        ck_assert_no_alloc(CL_INVALID_VALUE, alloc_kind(kind, tf_api.ctx, NULL, 64, 256));
        ck_assert_no_alloc(CL_INVALID_PROPERTY,
                           alloc_kind(kind, tf_api.ctx, unknown, 64, 0));
        ck_assert_no_alloc(CL_INVALID_PROPERTY,
                           alloc_kind(kind, tf_api.ctx, twice, 64, 0));
        ck_assert_no_alloc(CL_INVALID_PROPERTY,
                           alloc_kind(kind, tf_api.ctx, bits, 64, 0));
        ck_assert_no_alloc(CL_INVALID_BUFFER_SIZE,
                           alloc_kind(kind, tf_api.ctx, NULL, 0, 0));
        ck_assert_no_alloc(CL_INVALID_BUFFER_SIZE,
                           alloc_kind(kind, tf_api.ctx, NULL, most + 1, 0));
    }
}
END_TEST

START_TEST(device_arguments_are_checked)
{
    ck_assert_rejects(CL_INVALID_DEVICE,
                      (clDeviceMemAllocINTEL(tf_api.ctx, bad, NULL, 64, 0, &code), code),
                      tf_api.q);
    ck_assert_no_alloc(CL_INVALID_DEVICE,
                       clSharedMemAllocINTEL(tf_api.ctx, (cl_device_id)(void *)tf_api.q,
                                             NULL, 64, 0, &code));
}
END_TEST

START_TEST(placement_is_for_shared_allocations)
{
    const cl_mem_properties_intel begin_at_device[] = {
        CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL, 0};
    const cl_mem_properties_intel begin_at_host[] = {
        CL_MEM_ALLOC_FLAGS_INTEL, CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL, 0};
    const cl_mem_properties_intel both[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                            CL_MEM_ALLOC_INITIAL_PLACEMENT_DEVICE_INTEL |
                                                CL_MEM_ALLOC_INITIAL_PLACEMENT_HOST_INTEL,
                                            0};
    void *ptr;

    for (int kind = 0; kind < 2; kind++) {
        ck_assert_no_alloc(CL_INVALID_PROPERTY,
                           alloc_kind(kind, tf_api.ctx, begin_at_device, 64, 0));
        ck_assert_no_alloc(CL_INVALID_PROPERTY,
                           alloc_kind(kind, tf_api.ctx, begin_at_host, 64, 0));
    }
    ck_assert_no_alloc(CL_INVALID_PROPERTY, alloc_kind(2, tf_api.ctx, both, 64, 0));
    ptr = alloc_kind(2, tf_api.ctx, begin_at_device, 64, 0);
    ck_assert_ptr_nonnull(ptr);
    ck_assert_int_eq(clMemFreeINTEL(tf_api.ctx, ptr), CL_SUCCESS);
}
END_TEST

#define INFO(ptr, param, place) \
    clGetMemAllocInfoINTEL(tf_api.ctx, ptr, param, sizeof(place), &(place), NULL)

// What the queries say of `ptr`.
static void check_info(const void *ptr, cl_unified_shared_memory_type_intel type,
                       const void *base, size_t size, cl_device_id of,
                       cl_mem_alloc_flags_intel flags)
{
    cl_unified_shared_memory_type_intel type_seen = 1;
    cl_mem_alloc_flags_intel flags_seen = 1;
    cl_device_id of_seen = (cl_device_id)(void *)tf_api.q;
    void *base_seen = &code;
    size_t size_seen = 1;

    ck_assert_int_eq(INFO(ptr, CL_MEM_ALLOC_TYPE_INTEL, type_seen), CL_SUCCESS);
    ck_assert_int_eq(INFO(ptr, CL_MEM_ALLOC_BASE_PTR_INTEL, base_seen), CL_SUCCESS);
    ck_assert_int_eq(INFO(ptr, CL_MEM_ALLOC_SIZE_INTEL, size_seen), CL_SUCCESS);
    ck_assert_int_eq(INFO(ptr, CL_MEM_ALLOC_DEVICE_INTEL, of_seen), CL_SUCCESS);
    ck_assert_int_eq(INFO(ptr, CL_MEM_ALLOC_FLAGS_INTEL, flags_seen), CL_SUCCESS);
    ck_assert_uint_eq(type_seen, type);
    ck_assert_ptr_eq(base_seen, base);
    ck_assert_uint_eq(size_seen, size);
    ck_assert_ptr_eq(of_seen, of);
    ck_assert_uint_eq(flags_seen, flags);
}

START_TEST(allocations_tell_what_they_are)
{
    const cl_mem_properties_intel combined[] = {CL_MEM_ALLOC_FLAGS_INTEL,
                                                CL_MEM_ALLOC_WRITE_COMBINED_INTEL, 0};
    void *no_device = clSharedMemAllocINTEL(tf_api.ctx, NULL, combined, 100, 64, &code);
    void *svm = clSVMAlloc(tf_api.ctx, 0, 64, 0);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq((uintptr_t)no_device % 64, 0);
    check_info(host, CL_MEM_TYPE_HOST_INTEL, host, BYTES, NULL, 0);
    check_info(&host[COUNT - 1], CL_MEM_TYPE_HOST_INTEL, host, BYTES, NULL, 0);
    check_info(device, CL_MEM_TYPE_DEVICE_INTEL, device, BYTES, tf_api.device, 0);
    check_info(&shared[7], CL_MEM_TYPE_SHARED_INTEL, shared, BYTES, tf_api.device, 0);
    check_info(no_device, CL_MEM_TYPE_SHARED_INTEL, no_device, 100, NULL,
               CL_MEM_ALLOC_WRITE_COMBINED_INTEL);
    check_info(&code, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    check_info(NULL, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    check_info(svm, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    ck_assert_int_eq(clMemFreeINTEL(tf_api.ctx, no_device), CL_SUCCESS);
    check_info(no_device, CL_MEM_TYPE_UNKNOWN_INTEL, NULL, 0, NULL, 0);
    clSVMFree(tf_api.ctx, svm);
}
END_TEST

START_TEST(queries_check_their_arguments)
{
    size_t size = 0;

    ck_assert_rejects(CL_INVALID_CONTEXT,
                      clGetMemAllocInfoINTEL(bad, host, CL_MEM_ALLOC_SIZE_INTEL,
                                             sizeof(size), &size, NULL),
                      tf_api.q);
    ck_assert_int_eq(INFO(host, CL_MEM_SIZE, size), CL_INVALID_VALUE);
    ck_assert_int_eq(
        clGetMemAllocInfoINTEL(tf_api.ctx, host, CL_MEM_ALLOC_SIZE_INTEL, 4, &size, NULL),
        CL_INVALID_VALUE);
    ck_assert_int_eq(
        clGetMemAllocInfoINTEL(tf_api.ctx, host, CL_MEM_ALLOC_SIZE_INTEL, 0, NULL, &size),
        CL_SUCCESS);
    ck_assert_uint_eq(size, sizeof(size_t));
}
END_TEST

START_TEST(free_checks_its_arguments)
{
    void *svm = clSVMAlloc(tf_api.ctx, 0, 64, 0);

    ck_assert_rejects(CL_INVALID_CONTEXT, clMemFreeINTEL(bad, host), tf_api.q);
    ck_assert_rejects(CL_INVALID_CONTEXT, clMemBlockingFreeINTEL(bad, host), tf_api.q);
    ck_assert_int_eq(clMemFreeINTEL(tf_api.ctx, NULL), CL_SUCCESS);
    ck_assert_int_eq(clMemBlockingFreeINTEL(tf_api.ctx, NULL), CL_SUCCESS);
    ck_assert_int_eq(clMemFreeINTEL(tf_api.ctx, &code), CL_INVALID_VALUE);
    ck_assert_int_eq(clMemFreeINTEL(tf_api.ctx, host + 1), CL_INVALID_VALUE);
    ck_assert_int_eq(clMemFreeINTEL(tf_api.ctx, svm), CL_INVALID_VALUE);
    ck_assert_int_eq(clMemFreeINTEL(tf_api.other_ctx, host), CL_INVALID_VALUE);
    ck_assert_int_eq(clMemBlockingFreeINTEL(tf_api.ctx, &code), CL_INVALID_VALUE);
    ck_assert_int_eq(clMemBlockingFreeINTEL(tf_api.ctx, host + 1), CL_INVALID_VALUE);
    clSVMFree(tf_api.ctx, host); // not of its kind
    check_info(host, CL_MEM_TYPE_HOST_INTEL, host, BYTES, NULL, 0);
    clSVMFree(tf_api.ctx, svm);
}
END_TEST

// Every queue of the context, whatever the order of its commands.
START_TEST(blocking_free_waits_for_all_queues)
{
    const cl_queue_properties free_order[] = {CL_QUEUE_PROPERTIES,
                                              CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE, 0};
    cl_command_queue q =
        clCreateCommandQueueWithProperties(tf_api.ctx, tf_api.device, free_order, &code);
    cl_event events[2];

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(clEnqueueMemcpyINTEL(tf_api.q, CL_FALSE, shared, host, BYTES, 0,
                                          NULL, &events[0]),
                     CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueMemcpyINTEL(q, CL_FALSE, device, host, BYTES, 0, NULL, &events[1]),
        CL_SUCCESS);
    ck_assert_int_eq(clMemBlockingFreeINTEL(tf_api.ctx, host), CL_SUCCESS);
    for (int i = 0; i < 2; i++) {
        ck_assert_int_eq(tf_api_event_status(events[i]), CL_COMPLETE);
        ck_assert_int_eq(clReleaseEvent(events[i]), CL_SUCCESS);
    }
    host = NULL;
    ck_assert_int_eq(clReleaseCommandQueue(q), CL_SUCCESS);
}
END_TEST

START_TEST(kernel_takes_any_allocation)
{
    cl_program prog = tf_api_program(source, NULL);
    cl_kernel kernel = tf_api_kernel(prog, "scale");
    cl_int *pointers[3] = {host, device, shared};
    const size_t global = COUNT - 1;
    const cl_int by = 3;

    tf_api_set_arg(kernel, 1, sizeof(by), &by);
    tf_api_set_arg(kernel, 2, 64, NULL);
    for (int i = 0; i < 3; i++) {
        cl_int seen[COUNT];

        if (i)
            ck_assert_int_eq(clEnqueueMemcpyINTEL(tf_api.q, CL_FALSE, pointers[i], host,
                                                  BYTES, 0, NULL, NULL),
                             CL_SUCCESS);
        ck_assert_int_eq(clSetKernelArgMemPointerINTEL(kernel, 0, pointers[i] + 1),
                         CL_SUCCESS);
        ck_assert_int_eq(clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &global, NULL,
                                                0, NULL, NULL),
                         CL_SUCCESS);
        ck_assert_int_eq(clEnqueueMemcpyINTEL(tf_api.q, CL_TRUE, seen, pointers[i], BYTES,
                                              0, NULL, NULL),
                         CL_SUCCESS);
        for (int k = 0; k < COUNT; k++)
            ck_assert_int_eq(seen[k], i ? k * 9 : k * 3);
    }
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}
END_TEST

START_TEST(pointer_arguments_are_checked)
{
    cl_program prog = tf_api_program(source, NULL);
    cl_kernel kernel = tf_api_kernel(prog, "scale");
    cl_kernel constant = tf_api_kernel(prog, "constant_too");

    ck_assert_rejects(CL_INVALID_KERNEL, clSetKernelArgMemPointerINTEL(bad, 0, host),
                      tf_api.q);
    ck_assert_int_eq(clSetKernelArgMemPointerINTEL(kernel, 3, host),
                     CL_INVALID_ARG_INDEX);
    ck_assert_int_eq(clSetKernelArgMemPointerINTEL(kernel, 1, host),
                     CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(clSetKernelArgMemPointerINTEL(kernel, 2, host),
                     CL_INVALID_ARG_VALUE);
    ck_assert_int_eq(clSetKernelArgMemPointerINTEL(kernel, 0, NULL), CL_SUCCESS);
    ck_assert_int_eq(clSetKernelArgMemPointerINTEL(constant, 0, host), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(constant), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}
END_TEST

START_TEST(commands_tell_their_type)
{
    const cl_ushort pattern = 0x1234;
    cl_event ev = NULL;

    ck_assert_int_eq(clEnqueueMemFillINTEL(tf_api.q, shared, &pattern, sizeof(pattern),
                                           BYTES, 0, NULL, &ev),
                     CL_SUCCESS);
    end_of(ev, CL_COMMAND_MEMFILL_INTEL);
    ck_assert_int_eq(shared[COUNT - 1], 0x12341234);
    ck_assert_int_eq(clEnqueueMemsetINTEL(tf_api.q, shared, 0x155, 5, 0, NULL, &ev),
                     CL_SUCCESS);
    end_of(ev, CL_COMMAND_MEMFILL_INTEL);
    ck_assert(shared[0] == 0x55555555 && shared[1] == 0x12341255);
    ck_assert_int_eq(
        clEnqueueMemcpyINTEL(tf_api.q, CL_FALSE, shared, host, BYTES, 0, NULL, &ev),
        CL_SUCCESS);
    end_of(ev, CL_COMMAND_MEMCPY_INTEL);
    ck_assert_mem_eq(shared, host, BYTES);
    ck_assert_int_eq(clEnqueueMigrateMemINTEL(tf_api.q, shared, BYTES, 0, 0, NULL, &ev),
                     CL_SUCCESS);
    end_of(ev, CL_COMMAND_MIGRATEMEM_INTEL);
    ck_assert_int_eq(clEnqueueMemAdviseINTEL(tf_api.q, shared, BYTES, 0, 0, NULL, &ev),
                     CL_SUCCESS);
    end_of(ev, CL_COMMAND_MEMADVISE_INTEL);
}
END_TEST

#define FILL(n, list) clEnqueueMemFillINTEL(tf_api.q, shared, host, 4, 8, n, list, NULL)
#define SET(n, list) clEnqueueMemsetINTEL(tf_api.q, shared, 1, 8, n, list, NULL)
#define COPY(n, list) \
    clEnqueueMemcpyINTEL(tf_api.q, CL_TRUE, shared, host, 8, n, list, NULL)
#define MIGRATE(n, list) clEnqueueMigrateMemINTEL(tf_api.q, shared, 8, 0, n, list, NULL)
#define ADVISE(n, list) clEnqueueMemAdviseINTEL(tf_api.q, shared, 8, 0, n, list, NULL)

START_TEST(commands_check_their_arguments)
{
    char *bytes = (char *)shared;
    cl_command_queue q = tf_api.q;

    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE,
                      clEnqueueMemFillINTEL(bad, shared, host, 4, 8, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE,
                      clEnqueueMemsetINTEL(bad, shared, 1, 8, 0, NULL, NULL), tf_api.ctx);
    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE,
                      clEnqueueMemcpyINTEL(bad, CL_TRUE, shared, host, 8, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE,
                      clEnqueueMigrateMemINTEL(bad, shared, 8, 0, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_rejects(CL_INVALID_COMMAND_QUEUE,
                      clEnqueueMemAdviseINTEL(bad, shared, 8, 0, 0, NULL, NULL),
                      tf_api.ctx);
    ck_assert_int_eq(clEnqueueMemFillINTEL(q, NULL, host, 4, 8, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueMemFillINTEL(q, bytes + 2, host, 4, 8, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueMemFillINTEL(q, shared, NULL, 4, 8, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueMemFillINTEL(q, shared, host, 6, 12, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueMemFillINTEL(q, shared, host, 256, 256, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueMemFillINTEL(q, shared, host, 4, 6, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueMemsetINTEL(q, NULL, 1, 8, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueMemcpyINTEL(q, CL_TRUE, NULL, host, 8, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueMemcpyINTEL(q, CL_TRUE, shared, NULL, 8, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clEnqueueMemcpyINTEL(q, CL_TRUE, bytes + 7, bytes, 8, 0, NULL, NULL),
                     CL_MEM_COPY_OVERLAP);
    ck_assert_int_eq(clEnqueueMigrateMemINTEL(q, shared, 8, 1u << 9, 0, NULL, NULL),
                     CL_INVALID_VALUE);
}
END_TEST

START_TEST(wait_lists_are_checked)
{
    cl_event failed = tf_api_user_event();

    TF_API_CHECK_WAIT_LIST(FILL);
    TF_API_CHECK_WAIT_LIST(SET);
    TF_API_CHECK_WAIT_LIST(COPY);
    TF_API_CHECK_WAIT_LIST(MIGRATE);
    TF_API_CHECK_WAIT_LIST(ADVISE);
    ck_assert_int_eq(clSetUserEventStatus(failed, -5), CL_SUCCESS);
    ck_assert_int_eq(COPY(1, &failed), CL_EXEC_STATUS_ERROR_FOR_EVENTS_IN_WAIT_LIST);
    ck_assert_int_eq(clReleaseEvent(failed), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("usm");
    TCase *tc = tcase_create("usm");

    tcase_add_checked_fixture(tc, begin, end);
    tcase_add_test(tc, functions_are_found_by_name);
    tcase_add_test(tc, device_has_every_capability);
    tcase_add_test(tc, allocations_check_their_arguments);
    tcase_add_test(tc, device_arguments_are_checked);
    tcase_add_test(tc, placement_is_for_shared_allocations);
    tcase_add_test(tc, allocations_tell_what_they_are);
    tcase_add_test(tc, queries_check_their_arguments);
    tcase_add_test(tc, free_checks_its_arguments);
    tcase_add_test(tc, blocking_free_waits_for_all_queues);
    tcase_add_test(tc, kernel_takes_any_allocation);
    tcase_add_test(tc, pointer_arguments_are_checked);
    tcase_add_test(tc, commands_tell_their_type);
    tcase_add_test(tc, commands_check_their_arguments);
    tcase_add_test(tc, wait_lists_are_checked);
    suite_add_tcase(suite, tc);
    return tf_run_suite(suite);
}
