// SPDX-License-Identifier: MIT
// Supplement to the system's OpenCL headers: names of OpenCL 3.1 and of Khronos
// extensions that they may lack, each guarded, so that this file may come after any
// version of them.
#ifndef CL_TREFOIL_H
#define CL_TREFOIL_H

#include <CL/cl.h>

// Earlier revisions of cl_khr_command_buffer declare these with other parameters: whoever
// includes this file first does not see that.
#define clCommandBarrierWithWaitListKHR clCommandBarrierWithWaitListKHR_of_the_header
#define clCommandCopyBufferKHR clCommandCopyBufferKHR_of_the_header
#define clCommandCopyBufferRectKHR clCommandCopyBufferRectKHR_of_the_header
#define clCommandCopyBufferToImageKHR clCommandCopyBufferToImageKHR_of_the_header
#define clCommandCopyImageKHR clCommandCopyImageKHR_of_the_header
#define clCommandCopyImageToBufferKHR clCommandCopyImageToBufferKHR_of_the_header
#define clCommandFillBufferKHR clCommandFillBufferKHR_of_the_header
#define clCommandFillImageKHR clCommandFillImageKHR_of_the_header
#define clCommandNDRangeKernelKHR clCommandNDRangeKernelKHR_of_the_header
#define clCommandSVMMemcpyKHR clCommandSVMMemcpyKHR_of_the_header
#define clCommandSVMMemFillKHR clCommandSVMMemFillKHR_of_the_header
#define clUpdateMutableCommandsKHR clUpdateMutableCommandsKHR_of_the_header
#define clRemapCommandBufferKHR clRemapCommandBufferKHR_of_the_header
#include <CL/cl_ext.h>
#undef clCommandBarrierWithWaitListKHR
#undef clCommandCopyBufferKHR
#undef clCommandCopyBufferRectKHR
#undef clCommandCopyBufferToImageKHR
#undef clCommandCopyImageKHR
#undef clCommandCopyImageToBufferKHR
#undef clCommandFillBufferKHR
#undef clCommandFillImageKHR
#undef clCommandNDRangeKernelKHR
#undef clCommandSVMMemcpyKHR
#undef clCommandSVMMemFillKHR
#undef clUpdateMutableCommandsKHR
#undef clRemapCommandBufferKHR

#ifdef __cplusplus
extern "C" {
#endif

// ---- OpenCL 3.1 ----
#ifndef CL_VERSION_3_1
extern CL_API_ENTRY cl_int CL_API_CALL clGetKernelSuggestedLocalWorkSize(
    cl_command_queue command_queue, cl_kernel kernel, cl_uint work_dim,
    const size_t *global_work_offset, const size_t *global_work_size,
    size_t *suggested_local_work_size);
#define CL_DEVICE_UUID CL_DEVICE_UUID_KHR
#define CL_DRIVER_UUID CL_DRIVER_UUID_KHR
#define CL_DEVICE_LUID_VALID CL_DEVICE_LUID_VALID_KHR
#define CL_DEVICE_LUID CL_DEVICE_LUID_KHR
#define CL_DEVICE_NODE_MASK CL_DEVICE_NODE_MASK_KHR
#define CL_UUID_SIZE CL_UUID_SIZE_KHR
#define CL_LUID_SIZE CL_LUID_SIZE_KHR
#define CL_DEVICE_MAX_WORK_GROUP_SIZES CL_DEVICE_MAX_WORK_ITEM_SIZES
#endif

// ---- cl_khr_icd 2.0 ----
// Stands in the place of clGetPlatformIDs and clUnloadCompiler in the dispatch table of a
// library whose objects carry the loader's data in their second word.
#ifndef CL_ICD2_TAG_KHR
#if INTPTR_MAX == INT32_MAX
#define CL_ICD2_TAG_KHR ((intptr_t)0x434C3331)
#else
#define CL_ICD2_TAG_KHR ((intptr_t)0x4F50454E434C3331)
#endif
#endif

// ---- cl_ext_buffer_device_address 1.0.2 ----
#ifndef cl_ext_buffer_device_address
#define cl_ext_buffer_device_address 1
typedef cl_ulong cl_mem_device_address_ext;
// cl_mem_properties: a cl_bool
#define CL_MEM_DEVICE_PRIVATE_ADDRESS_EXT 0x5000
// cl_mem_info: a cl_mem_device_address_ext for each device of the context
#define CL_MEM_DEVICE_ADDRESS_EXT 0x5001
// cl_kernel_exec_info: a list of cl_mem_device_address_ext
#define CL_KERNEL_EXEC_INFO_DEVICE_PTRS_EXT 0x5002
extern CL_API_ENTRY cl_int CL_API_CALL clSetKernelArgDevicePointerEXT(
    cl_kernel kernel, cl_uint arg_index, cl_mem_device_address_ext arg_value);
#endif

// ---- cl_ext_float_atomics 1.0 ----
#ifndef cl_ext_float_atomics
#define cl_ext_float_atomics 1
typedef cl_bitfield cl_device_fp_atomic_capabilities_ext;
// cl_device_info: cl_device_fp_atomic_capabilities_ext
#define CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT 0x4231
#define CL_DEVICE_DOUBLE_FP_ATOMIC_CAPABILITIES_EXT 0x4232
#define CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT 0x4233
#define CL_DEVICE_GLOBAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 0)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_ADD_EXT (1 << 1)
#define CL_DEVICE_GLOBAL_FP_ATOMIC_MIN_MAX_EXT (1 << 2)
#define CL_DEVICE_LOCAL_FP_ATOMIC_LOAD_STORE_EXT (1 << 16)
#define CL_DEVICE_LOCAL_FP_ATOMIC_ADD_EXT (1 << 17)
#define CL_DEVICE_LOCAL_FP_ATOMIC_MIN_MAX_EXT (1 << 18)
#endif

// ---- cl_khr_unified_svm 0.9.0 ----
#ifndef CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR
// cl_platform_info, cl_device_info: arrays of cl_svm_capabilities_khr
#define CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR 0x0909
#define CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR 0x1077
typedef cl_bitfield cl_svm_capabilities_khr;
typedef cl_properties cl_svm_alloc_properties_khr;
typedef cl_bitfield cl_svm_alloc_access_flags_khr;
typedef cl_properties cl_svm_free_properties_khr;
typedef cl_bitfield cl_svm_free_flags_khr;
typedef cl_uint cl_svm_pointer_info_khr;
#define CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR (1 << 0)
#define CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR (1 << 1)
#define CL_SVM_CAPABILITY_DEVICE_OWNED_KHR (1 << 2)
#define CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR (1 << 3)
#define CL_SVM_CAPABILITY_CONTEXT_ACCESS_KHR (1 << 4)
#define CL_SVM_CAPABILITY_HOST_OWNED_KHR (1 << 5)
#define CL_SVM_CAPABILITY_HOST_READ_KHR (1 << 6)
#define CL_SVM_CAPABILITY_HOST_WRITE_KHR (1 << 7)
#define CL_SVM_CAPABILITY_HOST_MAP_KHR (1 << 8)
#define CL_SVM_CAPABILITY_DEVICE_READ_KHR (1 << 9)
#define CL_SVM_CAPABILITY_DEVICE_WRITE_KHR (1 << 10)
#define CL_SVM_CAPABILITY_DEVICE_ATOMIC_ACCESS_KHR (1 << 11)
#define CL_SVM_CAPABILITY_CONCURRENT_ACCESS_KHR (1 << 12)
#define CL_SVM_CAPABILITY_CONCURRENT_ATOMIC_ACCESS_KHR (1 << 13)
#define CL_SVM_CAPABILITY_INDIRECT_ACCESS_KHR (1 << 14)
// cl_svm_alloc_properties_khr
#define CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR 0x2078
#define CL_SVM_ALLOC_ACCESS_FLAGS_KHR 0x2079
#define CL_SVM_ALLOC_ALIGNMENT_KHR 0x207A
// cl_svm_alloc_access_flags_khr
#define CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR (1 << 0)
#define CL_SVM_ALLOC_ACCESS_HOST_NOWRITE_KHR (1 << 1)
#define CL_SVM_ALLOC_ACCESS_DEVICE_NOREAD_KHR (1 << 8)
#define CL_SVM_ALLOC_ACCESS_DEVICE_NOWRITE_KHR (1 << 9)
// cl_svm_pointer_info_khr
#define CL_SVM_INFO_TYPE_INDEX_KHR 0x2088
#define CL_SVM_INFO_CAPABILITIES_KHR 0x2089
#define CL_SVM_INFO_PROPERTIES_KHR 0x208A
#define CL_SVM_INFO_ACCESS_FLAGS_KHR 0x208B
#define CL_SVM_INFO_BASE_PTR_KHR 0x419B
#define CL_SVM_INFO_SIZE_KHR 0x419C
#define CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR 0x419D
// cl_kernel_exec_info: a cl_bool
#define CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR 0x11BB
#endif

// ---- cl_intel_concurrent_dispatch ----
#ifndef CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_INTEL
#define CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_INTEL 0x4257
#define CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_DEFAULT_INTEL 0
#define CL_KERNEL_EXEC_INFO_DISPATCH_TYPE_CONCURRENT_INTEL 1
typedef cl_uint cl_kernel_exec_info_dispatch_type_intel;
#endif

// ---- cl_khr_kernel_clock 1.0.0 ----
#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#endif
#ifndef CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_DEVICE_KHR (1 << 0)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_WORK_GROUP_KHR (1 << 1)
#define CL_DEVICE_KERNEL_CLOCK_SCOPE_SUB_GROUP_KHR (1 << 2)
#endif

// ---- cl_khr_spirv_queries 1.0.0 ----
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

// ---- cl_khr_external_memory 1.0.1 ----
#ifndef CL_MEM_DEVICE_HANDLE_LIST_KHR
#define CL_MEM_DEVICE_HANDLE_LIST_KHR 0x2051
#define CL_MEM_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR
#define CL_DEVICE_EXTERNAL_MEMORY_IMPORT_ASSUME_LINEAR_IMAGES_HANDLE_TYPES_KHR 0x2052
#endif

// ---- cl_ext_immutable_memory_objects 1.0.0 ----
#ifndef CL_MEM_IMMUTABLE_EXT
#define CL_MEM_IMMUTABLE_EXT (1 << 6)
#endif

// ---- cl_khr_terminate_context 1.0.0, cl_khr_initialize_memory 1.0.0 ----
#ifndef CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR
#define CL_DEVICE_TERMINATE_CAPABILITY_CONTEXT_KHR (1 << 0)
#endif
// The query's number in the headers of OpenCL 1.2, which clinfo asks for, too.
#define CL_DEVICE_TERMINATE_CAPABILITY_1_2_TREFOIL 0x200F
#ifndef CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR
#define CL_CONTEXT_MEMORY_INITIALIZE_LOCAL_KHR (1 << 0)
#define CL_CONTEXT_MEMORY_INITIALIZE_PRIVATE_KHR (1 << 1)
#endif

// ---- cl_khr_semaphore 1.0.0, cl_khr_external_semaphore 1.0.1, .._sync_fd 1.0.0 ----
#ifndef CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_KHR 0x2053
#define CL_SEMAPHORE_DEVICE_HANDLE_LIST_END_KHR 0
#endif
#ifndef CL_SEMAPHORE_EXPORTABLE_KHR
#define CL_SEMAPHORE_EXPORTABLE_KHR 0x2054
// The functions of cl_khr_external_semaphore_sync_fd came with it.
typedef cl_properties cl_semaphore_reimport_properties_khr;
#endif

// ---- cl_khr_command_buffer 0.9.8, .._mutable_dispatch 0.9.5, .._multi_device 0.9.2 ----
// Types and names only: the functions are found by
// clGetExtensionFunctionAddressForPlatform. Headers of earlier revisions have another
// cl_mutable_dispatch_config_khr: from here on the name stands for that of 0.9.5.
typedef struct _cl_command_buffer_khr *cl_command_buffer_khr;
typedef struct _cl_mutable_command_khr *cl_mutable_command_khr;
typedef cl_uint cl_sync_point_khr;
typedef cl_uint cl_command_buffer_info_khr;
typedef cl_uint cl_command_buffer_state_khr;
typedef cl_uint cl_command_buffer_update_type_khr;
typedef cl_uint cl_mutable_command_info_khr;
typedef cl_properties cl_command_buffer_properties_khr;
typedef cl_properties cl_command_properties_khr;
typedef cl_bitfield cl_command_buffer_flags_khr;
typedef cl_bitfield cl_device_command_buffer_capabilities_khr;
typedef cl_bitfield cl_platform_command_buffer_capabilities_khr;
typedef cl_bitfield cl_mutable_dispatch_fields_khr;
typedef cl_bitfield cl_mutable_dispatch_asserts_khr;

#ifndef cl_khr_command_buffer_mutable_dispatch
typedef struct _cl_mutable_dispatch_arg_khr {
    cl_uint arg_index;
    size_t arg_size;
    const void *arg_value;
} cl_mutable_dispatch_arg_khr;
typedef struct _cl_mutable_dispatch_exec_info_khr {
    cl_uint param_name;
    size_t param_value_size;
    const void *param_value;
} cl_mutable_dispatch_exec_info_khr;
#endif
#ifdef CL_STRUCTURE_TYPE_MUTABLE_BASE_CONFIG_KHR
#undef CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR
#define cl_mutable_dispatch_config_khr cl_mutable_dispatch_config_0_9_5_khr
#endif
#ifndef CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR
#define CL_STRUCTURE_TYPE_MUTABLE_DISPATCH_CONFIG_KHR 0
typedef struct _cl_mutable_dispatch_config_0_9_5_khr {
    cl_mutable_command_khr command;
    cl_uint num_args;
    cl_uint num_svm_args;
    cl_uint num_exec_infos;
    cl_uint work_dim; // 0: as it is
    const cl_mutable_dispatch_arg_khr *arg_list;
    const cl_mutable_dispatch_arg_khr *arg_svm_list;
    const cl_mutable_dispatch_exec_info_khr *exec_info_list;
    const size_t *global_work_offset; // NULL: as it is; so the next two
    const size_t *global_work_size;
    const size_t *local_work_size;
} cl_mutable_dispatch_config_khr;
#endif

// errors
#ifndef CL_INVALID_COMMAND_BUFFER_KHR
#define CL_INVALID_COMMAND_BUFFER_KHR -1138
#endif
#ifndef CL_INVALID_SYNC_POINT_WAIT_LIST_KHR
#define CL_INVALID_SYNC_POINT_WAIT_LIST_KHR -1139
#endif
#ifndef CL_INCOMPATIBLE_COMMAND_QUEUE_KHR
#define CL_INCOMPATIBLE_COMMAND_QUEUE_KHR -1140
#endif
#ifndef CL_INVALID_MUTABLE_COMMAND_KHR
#define CL_INVALID_MUTABLE_COMMAND_KHR -1141
#endif

// cl_platform_info, and its bits
#ifndef CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_PLATFORM_COMMAND_BUFFER_CAPABILITIES_KHR 0x0908
#endif
#ifndef CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR
#define CL_COMMAND_BUFFER_PLATFORM_UNIVERSAL_SYNC_KHR (1 << 0)
#endif
#ifndef CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR
#define CL_COMMAND_BUFFER_PLATFORM_REMAP_QUEUES_KHR (1 << 1)
#endif
#ifndef CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR
#define CL_COMMAND_BUFFER_PLATFORM_AUTOMATIC_REMAP_KHR (1 << 2)
#endif

// cl_device_info
#ifndef CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SUPPORTED_QUEUE_PROPERTIES_KHR 0x129A
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR 0x12A9
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR
#define CL_DEVICE_COMMAND_BUFFER_REQUIRED_QUEUE_PROPERTIES_KHR 0x12AA
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR
#define CL_DEVICE_COMMAND_BUFFER_NUM_SYNC_DEVICES_KHR 0x12AB
#endif
#ifndef CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR
#define CL_DEVICE_COMMAND_BUFFER_SYNC_DEVICES_KHR 0x12AC
#endif
#ifndef CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR
#define CL_DEVICE_MUTABLE_DISPATCH_CAPABILITIES_KHR 0x12B0
#endif

// bits of CL_DEVICE_COMMAND_BUFFER_CAPABILITIES_KHR
#ifndef CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR
#define CL_COMMAND_BUFFER_CAPABILITY_KERNEL_PRINTF_KHR (1 << 0)
#endif
#ifndef CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR
#define CL_COMMAND_BUFFER_CAPABILITY_DEVICE_SIDE_ENQUEUE_KHR (1 << 1)
#endif
#ifndef CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR
#define CL_COMMAND_BUFFER_CAPABILITY_MULTIPLE_QUEUE_KHR (1 << 4)
#endif
#ifndef CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR
#define CL_COMMAND_BUFFER_CAPABILITY_SIMULTANEOUS_USE_KHR (1 << 2)
#endif

// cl_command_buffer_properties_khr, and bits of the flags
#ifndef CL_COMMAND_BUFFER_FLAGS_KHR
#define CL_COMMAND_BUFFER_FLAGS_KHR 0x1293
#endif
#ifndef CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_COMMAND_BUFFER_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B7
#endif
#ifndef CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR
#define CL_COMMAND_BUFFER_SIMULTANEOUS_USE_KHR (1 << 0)
#endif
#ifndef CL_COMMAND_BUFFER_MUTABLE_KHR
#define CL_COMMAND_BUFFER_MUTABLE_KHR (1 << 1)
#endif
#ifndef CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR
#define CL_COMMAND_BUFFER_DEVICE_SIDE_SYNC_KHR (1 << 2)
#endif

// cl_command_buffer_info_khr, and states
#ifndef CL_COMMAND_BUFFER_QUEUES_KHR
#define CL_COMMAND_BUFFER_QUEUES_KHR 0x1294
#endif
#ifndef CL_COMMAND_BUFFER_NUM_QUEUES_KHR
#define CL_COMMAND_BUFFER_NUM_QUEUES_KHR 0x1295
#endif
#ifndef CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR
#define CL_COMMAND_BUFFER_REFERENCE_COUNT_KHR 0x1296
#endif
#ifndef CL_COMMAND_BUFFER_STATE_KHR
#define CL_COMMAND_BUFFER_STATE_KHR 0x1297
#endif
#ifndef CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR
#define CL_COMMAND_BUFFER_PROPERTIES_ARRAY_KHR 0x1298
#endif
#ifndef CL_COMMAND_BUFFER_CONTEXT_KHR
#define CL_COMMAND_BUFFER_CONTEXT_KHR 0x1299
#endif
#ifndef CL_COMMAND_BUFFER_STATE_RECORDING_KHR
#define CL_COMMAND_BUFFER_STATE_RECORDING_KHR 0
#endif
#ifndef CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR
#define CL_COMMAND_BUFFER_STATE_EXECUTABLE_KHR 1
#endif
#ifndef CL_COMMAND_BUFFER_STATE_FINALIZED_KHR
#define CL_COMMAND_BUFFER_STATE_FINALIZED_KHR 2
#endif

// cl_command_type
#ifndef CL_COMMAND_COMMAND_BUFFER_KHR
#define CL_COMMAND_COMMAND_BUFFER_KHR 0x12A8
#endif

// cl_command_properties_khr, and bits of their values
#ifndef CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR
#define CL_MUTABLE_DISPATCH_UPDATABLE_FIELDS_KHR 0x12B1
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERTS_KHR
#define CL_MUTABLE_DISPATCH_ASSERTS_KHR 0x12B8
#endif
#ifndef CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR
#define CL_MUTABLE_DISPATCH_GLOBAL_OFFSET_KHR (1 << 0)
#endif
#ifndef CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR
#define CL_MUTABLE_DISPATCH_GLOBAL_SIZE_KHR (1 << 1)
#endif
#ifndef CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR
#define CL_MUTABLE_DISPATCH_LOCAL_SIZE_KHR (1 << 2)
#endif
#ifndef CL_MUTABLE_DISPATCH_ARGUMENTS_KHR
#define CL_MUTABLE_DISPATCH_ARGUMENTS_KHR (1 << 3)
#endif
#ifndef CL_MUTABLE_DISPATCH_EXEC_INFO_KHR
#define CL_MUTABLE_DISPATCH_EXEC_INFO_KHR (1 << 4)
#endif
#ifndef CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR
#define CL_MUTABLE_DISPATCH_ASSERT_NO_ADDITIONAL_WORK_GROUPS_KHR (1 << 0)
#endif

// cl_mutable_command_info_khr
#ifndef CL_MUTABLE_DISPATCH_KERNEL_KHR
#define CL_MUTABLE_DISPATCH_KERNEL_KHR 0x12A3
#endif
#ifndef CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR
#define CL_MUTABLE_COMMAND_COMMAND_QUEUE_KHR 0x12A0
#endif
#ifndef CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR
#define CL_MUTABLE_COMMAND_COMMAND_BUFFER_KHR 0x12A1
#endif
#ifndef CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR
#define CL_MUTABLE_COMMAND_PROPERTIES_ARRAY_KHR 0x12A2
#endif
#ifndef CL_MUTABLE_DISPATCH_DIMENSIONS_KHR
#define CL_MUTABLE_DISPATCH_DIMENSIONS_KHR 0x12A4
#endif
#ifndef CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_OFFSET_KHR 0x12A5
#endif
#ifndef CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR
#define CL_MUTABLE_DISPATCH_GLOBAL_WORK_SIZE_KHR 0x12A6
#endif
#ifndef CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR
#define CL_MUTABLE_DISPATCH_LOCAL_WORK_SIZE_KHR 0x12A7
#endif
#ifndef CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR
#define CL_MUTABLE_COMMAND_COMMAND_TYPE_KHR 0x12AD
#endif

#ifdef __cplusplus
}
#endif

#endif // CL_TREFOIL_H
