// SPDX-License-Identifier: MIT
// Commands on shared virtual memory.
#include "abi/long16.h"
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/command/api_enqueue.h"
#include "api/memory/api_mem.h"
#include "api/memory/api_svm.h"
#include "base/range.h"
#include "core/memory/svm.h"

// A queue of a device with SVM, and what it is to wait for.
static cl_int check_svm_queue(struct tf_err *err, const struct tf_enqueue *at)
{
    if (check_queue(err, at->queue))
        return err->code;
    TF_REQUIRE(err, tf_queue_device(at->queue)->caps->svm, CL_INVALID_OPERATION,
               "the queue's device has no SVM");
    return CL_SUCCESS;
}

static cl_int check_free(struct tf_err *err, const struct tf_enqueue *at,
                         const struct tf_svm_release *what)
{
    if (check_svm_queue(err, at))
        return err->code;
    TF_REQUIRE(err, (what->count == 0) == (what->pointers == NULL), CL_INVALID_VALUE,
               "svm_pointers is %s but num_svm_pointers is %u",
               what->pointers ? "set" : "NULL", what->count);
    return check_deps(err, at);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMFree(
    cl_command_queue command_queue, cl_uint num_svm_pointers, void *svm_pointers[],
    void(CL_CALLBACK *pfn_free_func)(cl_command_queue queue, cl_uint num_svm_pointers,
                                     void *svm_pointers[], void *user_data),
    void *user_data, cl_uint num_events_in_wait_list, const cl_event *event_wait_list,
    cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    const struct tf_svm_release what = {.count = num_svm_pointers,
                                        .pointers = svm_pointers,
                                        .fn = pfn_free_func,
                                        .data = user_data};
    struct tf_err err = {0};

    if (!check_free(&err, &at, &what))
        tf_enqueue_svm_free(&err, &at, &what);
    return tf_report(&err, __func__);
}

cl_int check_svm_copy(struct tf_err *err, const struct tf_svm_copy *what)
{
    TF_REQUIRE(err, what->dst || !what->size_bytes, CL_INVALID_VALUE, "dst_ptr is NULL");
    TF_REQUIRE(err, what->src || !what->size_bytes, CL_INVALID_VALUE, "src_ptr is NULL");
    TF_REQUIRE(err, !tf_svm_copy_overlaps(what), CL_MEM_COPY_OVERLAP,
               "%zu bytes from %p to %p", what->size_bytes, what->src, what->dst);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemcpy(cl_command_queue command_queue,
                                                   cl_bool blocking_copy, void *dst_ptr,
                                                   const void *src_ptr, size_t size,
                                                   cl_uint num_events_in_wait_list,
                                                   const cl_event *event_wait_list,
                                                   cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(blocking_copy);
    const struct tf_svm_copy what = {.dst = dst_ptr, .src = src_ptr, .size_bytes = size};
    struct tf_err err = {0};

    if (!check_svm_queue(&err, &at) && !check_svm_copy(&err, &what) &&
        !check_deps(&err, &at))
        tf_enqueue_svm_copy(&err, &at, CL_COMMAND_SVM_MEMCPY, &what);
    return tf_report(&err, __func__);
}

cl_int check_svm_fill(struct tf_err *err, const struct tf_svm_fill *what)
{
    const size_t n = what->pattern_bytes;

    TF_REQUIRE(err, what->dst || !what->size_bytes, CL_INVALID_VALUE,
               "the pointer to be filled is NULL");
    TF_REQUIRE(err, what->pattern, CL_INVALID_VALUE, "pattern is NULL");
    TF_REQUIRE(err, n > 0 && n <= TF_LONG16_BYTES && (n & (n - 1)) == 0, CL_INVALID_VALUE,
               "pattern_size %zu is no power of two up to %d", n, TF_LONG16_BYTES);
    TF_REQUIRE(err, (uintptr_t)what->dst % n == 0, CL_INVALID_VALUE,
               "%p is not aligned to the pattern's %zu bytes", what->dst, n);
    TF_REQUIRE(err, what->size_bytes % n == 0, CL_INVALID_VALUE,
               "size %zu is no multiple of the pattern's %zu", what->size_bytes, n);
    return CL_SUCCESS;
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMemFill(cl_command_queue command_queue,
                                                    void *svm_ptr, const void *pattern,
                                                    size_t pattern_size, size_t size,
                                                    cl_uint num_events_in_wait_list,
                                                    const cl_event *event_wait_list,
                                                    cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    const struct tf_svm_fill what = {.dst = svm_ptr,
                                     .size_bytes = size,
                                     .pattern = pattern,
                                     .pattern_bytes = pattern_size};
    struct tf_err err = {0};

    if (!check_svm_queue(&err, &at) && !check_svm_fill(&err, &what) &&
        !check_deps(&err, &at))
        tf_enqueue_svm_fill(&err, &at, CL_COMMAND_SVM_MEMFILL, &what);
    return tf_report(&err, __func__);
}

static cl_int check_map(struct tf_err *err, const struct tf_enqueue *at,
                        cl_map_flags flags, const void *ptr, size_t size)
{
    if (check_svm_queue(err, at))
        return err->code;
    TF_REQUIRE(err, ptr, CL_INVALID_VALUE, "svm_ptr is NULL");
    TF_REQUIRE(err, size > 0, CL_INVALID_VALUE, "size is 0");
    return check_map_flags(err, flags) ? err->code : check_deps(err, at);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMap(cl_command_queue command_queue,
                                                cl_bool blocking_map, cl_map_flags flags,
                                                void *svm_ptr, size_t size,
                                                cl_uint num_events_in_wait_list,
                                                const cl_event *event_wait_list,
                                                cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(blocking_map);
    struct tf_err err = {0};

    if (!check_map(&err, &at, flags, svm_ptr, size))
        tf_enqueue_svm_order(&err, &at, CL_COMMAND_SVM_MAP);
    return tf_report(&err, __func__);
}

static cl_int check_unmap(struct tf_err *err, const struct tf_enqueue *at,
                          const void *ptr)
{
    if (check_svm_queue(err, at))
        return err->code;
    TF_REQUIRE(err, ptr, CL_INVALID_VALUE, "svm_ptr is NULL");
    return check_deps(err, at);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMUnmap(cl_command_queue command_queue,
                                                  void *svm_ptr,
                                                  cl_uint num_events_in_wait_list,
                                                  const cl_event *event_wait_list,
                                                  cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_err err = {0};

    if (!check_unmap(&err, &at, svm_ptr))
        tf_enqueue_svm_order(&err, &at, CL_COMMAND_SVM_UNMAP);
    return tf_report(&err, __func__);
}

// Ranges that are to be migrated.
struct ranges {
    cl_uint count;
    const void **pointers;
    const size_t *sizes; // NULL: whole allocations
};

static bool is_in_allocation(cl_context ctx, const void *ptr, size_t size)
{
    struct tf_svm_info info;

    return tf_svm_find(ctx, TF_SVM_BUFFER, ptr, &info) &&
           tf_range_ok((uintptr_t)ptr - (uintptr_t)info.start, size, info.size_bytes);
}

static cl_int check_migrate(struct tf_err *err, const struct tf_enqueue *at,
                            const struct ranges *ranges, cl_mem_migration_flags flags)
{
    if (check_svm_queue(err, at))
        return err->code;
    TF_REQUIRE(err, ranges->count > 0, CL_INVALID_VALUE, "num_svm_pointers is 0");
    TF_REQUIRE(err, ranges->pointers, CL_INVALID_VALUE, "svm_pointers is NULL");
    if (check_migration_flags(err, flags))
        return err->code;
    for (cl_uint i = 0; i < ranges->count; i++) {
        const size_t size = ranges->sizes ? ranges->sizes[i] : 0;

        TF_REQUIRE(err, is_in_allocation(err->ctx, ranges->pointers[i], size),
                   CL_INVALID_VALUE, "svm_pointers[%u]: %zu bytes at %p", i, size,
                   ranges->pointers[i]);
    }
    return check_deps(err, at);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueSVMMigrateMem(
    cl_command_queue command_queue, cl_uint num_svm_pointers, const void **svm_pointers,
    const size_t *sizes, cl_mem_migration_flags flags, cl_uint num_events_in_wait_list,
    const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    const struct ranges ranges = {
        .count = num_svm_pointers, .pointers = svm_pointers, .sizes = sizes};
    struct tf_err err = {0};

    if (!check_migrate(&err, &at, &ranges, flags))
        tf_enqueue_svm_order(&err, &at, CL_COMMAND_SVM_MIGRATE_MEM);
    return tf_report(&err, __func__);
}
