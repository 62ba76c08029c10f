// SPDX-License-Identifier: MIT
// What objects of every class have alike: reference counts, and queries that need nothing
// but a good handle.
#include "api/dispatch.h"

#include "api/api_common.h"
#include "core/command_buffer/command_buffer.h"
#include "core/memory/mem.h"
#include "core/memory/sampler.h"
#include "core/platform/context.h"
#include "core/platform/device_query.h"
#include "core/program/kernel_query.h"
#include "core/program/program_query.h"
#include "core/schedule/event.h"
#include "core/schedule/queue.h"
#include "core/semaphore/semaphore.h"

static cl_int retain(const char *entry_point, void *handle, const struct tf_class *cls)
{
    struct tf_err err;

    tf_err_begin(&err);
    tf_object_retain(&err, handle, cls);
    return tf_report(&err, entry_point);
}

static cl_int release(const char *entry_point, void *handle, const struct tf_class *cls)
{
    struct tf_err err;

    tf_err_begin(&err);
    tf_object_release(&err, handle, cls);
    return tf_report(&err, entry_point);
}

// Those of devices are in api/platform/api_device.c.
#define COUNTS(Name, type, cls)                                  \
    CL_API_ENTRY cl_int CL_API_CALL clRetain##Name(type handle)  \
    {                                                            \
        return retain(__func__, handle, &(cls));                 \
    }                                                            \
    CL_API_ENTRY cl_int CL_API_CALL clRelease##Name(type handle) \
    {                                                            \
        return release(__func__, handle, &(cls));                \
    }

COUNTS(Context, cl_context, tf_class_context)
COUNTS(CommandQueue, cl_command_queue, tf_class_queue)
COUNTS(MemObject, cl_mem, tf_class_mem)
COUNTS(Sampler, cl_sampler, tf_class_sampler)
COUNTS(Program, cl_program, tf_class_program)
COUNTS(Kernel, cl_kernel, tf_class_kernel)
COUNTS(Event, cl_event, tf_class_event)
COUNTS(CommandBufferKHR, cl_command_buffer_khr, tf_class_command_buffer)
COUNTS(SemaphoreKHR, cl_semaphore_khr, tf_class_semaphore)

#define QUERY(entry_point, type, param_type, check, get)                                \
    CL_API_ENTRY cl_int CL_API_CALL entry_point(                                        \
        type handle, param_type param_name, size_t param_value_size, void *param_value, \
        size_t *param_value_size_ret)                                                   \
    {                                                                                   \
        struct tf_err err = {0};                                                        \
                                                                                        \
        if (!check(&err, handle))                                                       \
            get(&err, handle, param_name, param_value_size, param_value,                \
                param_value_size_ret);                                                  \
        return tf_report(&err, __func__);                                               \
    }

QUERY(clGetDeviceInfo, cl_device_id, cl_device_info, check_device, tf_device_get_info)
QUERY(clGetContextInfo, cl_context, cl_context_info, check_any_context,
      tf_context_get_info)
QUERY(clGetCommandQueueInfo, cl_command_queue, cl_command_queue_info, check_any_queue,
      tf_queue_get_info)
QUERY(clGetMemObjectInfo, cl_mem, cl_mem_info, check_mem, tf_mem_get_info)
QUERY(clGetSamplerInfo, cl_sampler, cl_sampler_info, check_sampler, tf_sampler_get_info)
QUERY(clGetProgramInfo, cl_program, cl_program_info, check_program, tf_program_get_info)
QUERY(clGetKernelInfo, cl_kernel, cl_kernel_info, check_kernel, tf_kernel_get_info)
QUERY(clGetCommandBufferInfoKHR, cl_command_buffer_khr, cl_command_buffer_info_khr,
      check_command_buffer, tf_command_buffer_get_info)
QUERY(clGetSemaphoreInfoKHR, cl_semaphore_khr, cl_semaphore_info_khr, check_semaphore,
      tf_semaphore_get_info)
QUERY(clGetEventInfo, cl_event, cl_event_info, check_event, tf_event_get_info)
QUERY(clGetEventProfilingInfo, cl_event, cl_profiling_info, check_event,
      tf_event_get_profiling)
