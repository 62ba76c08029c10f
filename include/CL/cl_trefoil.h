// SPDX-License-Identifier: MIT
// Supplement to the system's OpenCL headers: names of OpenCL 3.1 and of Khronos
// extensions that they may lack, each guarded, so that this file may come after any
// version of them.
#ifndef CL_TREFOIL_H
#define CL_TREFOIL_H

#include <CL/cl.h>
#include <CL/cl_ext.h>

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

#ifdef __cplusplus
}
#endif

#endif // CL_TREFOIL_H
