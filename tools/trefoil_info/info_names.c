// SPDX-License-Identifier: MIT
#include "info_names.h"

#include <stddef.h>
#include <string.h>

#include <CL/cl.h>

#include <CL/cl_trefoil.h>

#define N(value)                  \
    {                             \
        (uint64_t)(value), #value \
    }
#define END     \
    {           \
        0, NULL \
    }

struct name {
    uint64_t value;
    const char *text;
};

static const struct name device_types[] = {
    N(CL_DEVICE_TYPE_DEFAULT),     N(CL_DEVICE_TYPE_CPU),    N(CL_DEVICE_TYPE_GPU),
    N(CL_DEVICE_TYPE_ACCELERATOR), N(CL_DEVICE_TYPE_CUSTOM), END};
static const struct name executions[] = {N(CL_EXEC_KERNEL), N(CL_EXEC_NATIVE_KERNEL),
                                         END};
static const struct name queues[] = {N(CL_QUEUE_OUT_OF_ORDER_EXEC_MODE_ENABLE),
                                     N(CL_QUEUE_PROFILING_ENABLE), N(CL_QUEUE_ON_DEVICE),
                                     N(CL_QUEUE_ON_DEVICE_DEFAULT), END};
static const struct name device_enqueues[] = {
    N(CL_DEVICE_QUEUE_SUPPORTED), N(CL_DEVICE_QUEUE_REPLACEABLE_DEFAULT), END};
static const struct name floats[] = {N(CL_FP_DENORM),
                                     N(CL_FP_INF_NAN),
                                     N(CL_FP_ROUND_TO_NEAREST),
                                     N(CL_FP_ROUND_TO_ZERO),
                                     N(CL_FP_ROUND_TO_INF),
                                     N(CL_FP_FMA),
                                     N(CL_FP_SOFT_FLOAT),
                                     N(CL_FP_CORRECTLY_ROUNDED_DIVIDE_SQRT),
                                     END};
static const struct name svm[] = {
    N(CL_DEVICE_SVM_COARSE_GRAIN_BUFFER), N(CL_DEVICE_SVM_FINE_GRAIN_BUFFER),
    N(CL_DEVICE_SVM_FINE_GRAIN_SYSTEM), N(CL_DEVICE_SVM_ATOMICS), END};
static const struct name svm_types[] = {N(CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR),
                                        N(CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR),
                                        N(CL_SVM_CAPABILITY_DEVICE_OWNED_KHR),
                                        N(CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR),
                                        N(CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR),
                                        N(CL_SVM_CAPABILITY_HOST_OWNED_KHR),
                                        N(CL_SVM_CAPABILITY_HOST_READ_KHR),
                                        N(CL_SVM_CAPABILITY_HOST_WRITE_KHR),
                                        N(CL_SVM_CAPABILITY_HOST_MAP_KHR),
                                        N(CL_SVM_CAPABILITY_DEVICE_READ_KHR),
                                        N(CL_SVM_CAPABILITY_DEVICE_WRITE_KHR),
                                        N(CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR),
                                        N(CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR),
                                        N(CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR),
                                        N(CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR),
                                        END};
static const struct name usm[] = {
    N(CL_UNIFIED_SHARED_MEMORY_ACCESS_INTEL),
    N(CL_UNIFIED_SHARED_MEMORY_ATOMIC_ACCESS_INTEL),
    N(CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ACCESS_INTEL),
    N(CL_UNIFIED_SHARED_MEMORY_CONCURRENT_ATOMIC_ACCESS_INTEL), END};
static const struct name atomics[] = {
    N(CL_DEVICE_ATOMIC_ORDER_RELAXED),     N(CL_DEVICE_ATOMIC_ORDER_ACQ_REL),
    N(CL_DEVICE_ATOMIC_ORDER_SEQ_CST),     N(CL_DEVICE_ATOMIC_SCOPE_WORK_ITEM),
    N(CL_DEVICE_ATOMIC_SCOPE_WORK_GROUP),  N(CL_DEVICE_ATOMIC_SCOPE_DEVICE),
    N(CL_DEVICE_ATOMIC_SCOPE_ALL_DEVICES), END};
static const struct name float_atomics[] = {N(CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT),
                                            N(CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT),
                                            N(CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT),
                                            N(CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT),
                                            N(CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT),
                                            N(CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT),
                                            END};
static const struct name dot_products[] = {
    N(CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR),
    N(CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_KHR), END};
static const struct name clocks[] = {N(CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR),
                                     N(CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR),
                                     N(CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR), END};
static const struct name buffers[] = {
    N(CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR),
    N(CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR),
    N(CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR),
    N(CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR), END};
static const struct name mutable_fields[] = {
    N(CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR), N(CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR),
    N(CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR),    N(CL_MUTABLE_DISPATCH_ARGUMENTS_KHR),
    N(CL_MUTABLE_DISPATCH_EXEC_INFO_KHR),     END};
static const struct name terminations[] = {N(CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR),
                                           END};
static const struct name domains[] = {N(CL_DEVICE_AFFINITY_DOMAIN_NUMA),
                                      N(CL_DEVICE_AFFINITY_DOMAIN_L4_CACHE),
                                      N(CL_DEVICE_AFFINITY_DOMAIN_L3_CACHE),
                                      N(CL_DEVICE_AFFINITY_DOMAIN_L2_CACHE),
                                      N(CL_DEVICE_AFFINITY_DOMAIN_L1_CACHE),
                                      N(CL_DEVICE_AFFINITY_DOMAIN_NEXT_PARTITIONABLE),
                                      END};
static const struct name partitions[] = {N(CL_DEVICE_PARTITION_EQUALLY),
                                         N(CL_DEVICE_PARTITION_BY_COUNTS),
                                         N(CL_DEVICE_PARTITION_BY_AFFINITY_DOMAIN),
                                         N(CL_DEVICE_PARTITION_BY_NAMES_INTEL), END};
static const struct name cache_types[] = {N(CL_NONE), N(CL_READ_ONLY_CACHE),
                                          N(CL_READ_WRITE_CACHE), END};
static const struct name local_types[] = {N(CL_NONE), N(CL_LOCAL), N(CL_GLOBAL), END};
static const struct name semaphores[] = {N(CL_SEMAPHORE_TYPE_BINARY_KHR), END};
static const struct name memory_handles[] = {N(CL_EXTERNAL_MEMORY_HANDLE_OPAQUE_FD_KHR),
                                             N(CL_EXTERNAL_MEMORY_HANDLE_DMA_BUF_KHR),
                                             END};
static const struct name semaphore_handles[] = {N(CL_SEMAPHORE_HANDLE_OPAQUE_FD_KHR),
                                                N(CL_SEMAPHORE_HANDLE_SYNC_FD_KHR), END};

static const struct {
    const char *type;
    const struct name *names;
} types[] = {
    {"cl_device_type", device_types},
    {"cl_device_exec_capabilities", executions},
    {"cl_command_queue_properties", queues},
    {"cl_device_device_enqueue_capabilities", device_enqueues},
    {"cl_device_fp_config", floats},
    {"cl_device_svm_capabilities", svm},
    {"cl_svm_capabilities_khr", svm_types},
    {"cl_device_unified_shared_memory_capabilities_intel", usm},
    {"cl_device_atomic_capabilities", atomics},
    {"float atomics", float_atomics},
    {"dot products", dot_products},
    {"kernel clocks", clocks},
    {"cl_device_command_buffer_capabilities_khr", buffers},
    {"cl_mutable_dispatch_fields_khr", mutable_fields},
    {"cl_bitfield", terminations},
    {"cl_device_affinity_domain", domains},
    {"cl_device_partition_property", partitions},
    {"cl_device_mem_cache_type", cache_types},
    {"cl_device_local_mem_type", local_types},
    {"cl_semaphore_type_khr", semaphores},
    {"cl_external_memory_handle_type_khr", memory_handles},
    {"cl_external_semaphore_handle_type_khr", semaphore_handles},
};

static const struct name *names_of(const char *type)
{
    for (size_t i = 0; i < sizeof(types) / sizeof(*types); i++)
        if (!strcmp(types[i].type, type))
            return types[i].names;
    return NULL;
}

const char *name_of(const char *type, uint64_t value)
{
    for (const struct name *name = names_of(type); name && name->text; name++)
        if (name->value == value)
            return name->text;
    return NULL;
}

bool has_names(const char *type)
{
    return names_of(type) != NULL;
}
