// SPDX-License-Identifier: MIT
// cl_intel_unified_shared_memory: commands.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "api/command/api_enqueue.h"
#include "api/memory/api_mem.h"
#include "api/memory/api_svm.h"

static cl_int check_command(struct tf_err *err, const struct tf_enqueue *at)
{
    if (check_queue(err, at->queue))
        return err->code;
    return check_deps(err, at);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemFillINTEL(cl_command_queue command_queue,
                                                      void *dst_ptr, const void *pattern,
                                                      size_t pattern_size, size_t size,
                                                      cl_uint num_events_in_wait_list,
                                                      const cl_event *event_wait_list,
                                                      cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    const struct tf_svm_fill what = {.dst = dst_ptr,
                                     .size_bytes = size,
                                     .pattern = pattern,
                                     .pattern_bytes = pattern_size};
    struct tf_err err = {0};

    if (!check_command(&err, &at) && !check_svm_fill(&err, &what))
        tf_enqueue_svm_fill(&err, &at, CL_COMMAND_MEMFILL_INTEL, &what);
    return tf_report(&err, __func__);
}

// What the extension had before clEnqueueMemFillINTEL: bytes of one value.
CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemsetINTEL(
    cl_command_queue command_queue, void *dst_ptr, cl_int value, size_t size,
    cl_uint num_events_in_wait_list, const cl_event *event_wait_list, cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    const unsigned char byte = (unsigned char)value;
    const struct tf_svm_fill what = {
        .dst = dst_ptr, .size_bytes = size, .pattern = &byte, .pattern_bytes = 1};
    struct tf_err err = {0};

    if (!check_command(&err, &at) && !check_svm_fill(&err, &what))
        tf_enqueue_svm_fill(&err, &at, CL_COMMAND_MEMFILL_INTEL, &what);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemcpyINTEL(cl_command_queue command_queue,
                                                     cl_bool blocking, void *dst_ptr,
                                                     const void *src_ptr, size_t size,
                                                     cl_uint num_events_in_wait_list,
                                                     const cl_event *event_wait_list,
                                                     cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(blocking);
    const struct tf_svm_copy what = {.dst = dst_ptr, .src = src_ptr, .size_bytes = size};
    struct tf_err err = {0};

    if (!check_command(&err, &at) && !check_svm_copy(&err, &what))
        tf_enqueue_svm_copy(&err, &at, CL_COMMAND_MEMCPY_INTEL, &what);
    return tf_report(&err, __func__);
}

// Both hints may name any memory, and none at all: the extension sets no rule for it.
CL_API_ENTRY cl_int CL_API_CALL clEnqueueMigrateMemINTEL(cl_command_queue command_queue,
                                                         const void *ptr, size_t size,
                                                         cl_mem_migration_flags flags,
                                                         cl_uint num_events_in_wait_list,
                                                         const cl_event *event_wait_list,
                                                         cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_err err = {0};

    (void)ptr;
    (void)size;
    if (!check_command(&err, &at) && !check_migration_flags(&err, flags))
        tf_enqueue_svm_order(&err, &at, CL_COMMAND_MIGRATEMEM_INTEL);
    return tf_report(&err, __func__);
}

CL_API_ENTRY cl_int CL_API_CALL clEnqueueMemAdviseINTEL(cl_command_queue command_queue,
                                                        const void *ptr, size_t size,
                                                        cl_mem_advice_intel advice,
                                                        cl_uint num_events_in_wait_list,
                                                        const cl_event *event_wait_list,
                                                        cl_event *event)
{
    const struct tf_enqueue at = AT_QUEUE(CL_FALSE);
    struct tf_err err = {0};

    (void)ptr;
    (void)size;
    (void)advice; // every advice is for a device, none is known here
    if (!check_command(&err, &at))
        tf_enqueue_svm_order(&err, &at, CL_COMMAND_MEMADVISE_INTEL);
    return tf_report(&err, __func__);
}
