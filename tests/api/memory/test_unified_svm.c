// SPDX-License-Identifier: MIT
// cl_khr_unified_svm: types, allocations of each, what is known of a pointer.
#include "support/api.h"

#include <stdint.h>

#include "core/platform/svm_types.h"
#include "support/suite.h"

enum { WORDS = 500, BYTES = WORDS * 4 };

#define WORD(value) ((cl_svm_alloc_properties_khr)(value))

static const cl_svm_capabilities_khr on_host =
    CL_SVM_CAPABILITY_HOST_READ_KHR | CL_SVM_CAPABILITY_HOST_WRITE_KHR;

static cl_svm_alloc_properties_khr of_device[3];

static void setup(void)
{
    tf_api_begin();
    of_device[0] = CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR;
    of_device[1] = WORD(tf_api.device);
    of_device[2] = 0;
}

static void *alloc(const cl_svm_alloc_properties_khr *properties, cl_uint type)
{
    cl_int code = 1;
    void *ptr = clSVMAllocWithPropertiesKHR(tf_api.ctx, properties, type, BYTES, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_ptr_nonnull(ptr);
    return ptr;
}

static cl_int refused(const cl_svm_alloc_properties_khr *properties, cl_uint type)
{
    cl_int code = 1;

    ck_assert_ptr_null(
        clSVMAllocWithPropertiesKHR(tf_api.ctx, properties, type, BYTES, &code));
    return code;
}

static void release(void *ptr)
{
    ck_assert_int_eq(clSVMFreeWithPropertiesKHR(tf_api.ctx, NULL, 0, ptr), CL_SUCCESS);
}

#define INFO(device, ptr, name, value)                                            \
    ck_assert_int_eq(clGetSVMPointerInfoKHR(tf_api.ctx, device, ptr, name,        \
                                            sizeof(value), &(value), &info_size), \
                     CL_SUCCESS)

static size_t info_size;

START_TEST(types_are_told)
{
    cl_svm_capabilities_khr all[TF_SVM_TYPE_COUNT + 1], device[TF_SVM_TYPE_COUNT + 1];
    size_t size, again;

    ck_assert_int_eq(clGetPlatformInfo(tf_api.platform,
                                       CL_PLATFORM_SVM_TYPE_CAPABILITIES_KHR, sizeof(all),
                                       all, &size),
                     CL_SUCCESS);
    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, CL_DEVICE_SVM_TYPE_CAPABILITIES_KHR,
                                     sizeof(device), device, &again),
                     CL_SUCCESS);
    ck_assert_uint_eq(size, TF_SVM_TYPE_COUNT * sizeof(all[0]));
    ck_assert_uint_eq(again, size);
    for (int i = 0; i < TF_SVM_TYPE_COUNT; i++) {
        ck_assert_uint_eq(device[i] & all[i], all[i]);
        ck_assert(all[i] & CL_SVM_CAPABILITY_SINGLE_ADDRESS_SPACE_KHR);
        ck_assert(!(all[i] & CL_SVM_CAPABILITY_DEVICE_OWNED_KHR) ||
                  !(all[i] & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR));
        ck_assert(!(all[i] & CL_SVM_CAPABILITY_HOST_OWNED_KHR) ||
                  (all[i] & on_host) == on_host);
    }
}
END_TEST

START_TEST(allocations_are_checked)
{
    const cl_svm_alloc_properties_khr unknown[] = {1, 2, 0};
    const cl_svm_alloc_properties_khr strange[] = {
        CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR, WORD(tf_api.q), 0};
    const cl_svm_alloc_properties_khr odd[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 24, 0};
    const cl_svm_alloc_properties_khr wide[] = {CL_SVM_ALLOC_ALIGNMENT_KHR, 256, 0};
    const cl_svm_alloc_properties_khr flags[] = {CL_SVM_ALLOC_ACCESS_FLAGS_KHR, 4, 0};
    cl_int code = 1;

    ck_assert_int_eq(refused(unknown, TF_SVM_TYPE_FINE), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused(strange, TF_SVM_TYPE_FINE), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused(odd, TF_SVM_TYPE_FINE), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused(wide, TF_SVM_TYPE_FINE), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused(flags, TF_SVM_TYPE_FINE), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused(NULL, TF_SVM_TYPE_DEVICE), CL_INVALID_PROPERTY);
    ck_assert_int_eq(refused(NULL, TF_SVM_TYPE_COUNT), CL_INVALID_VALUE);
    ck_assert_int_eq(refused(NULL, TF_SVM_TYPE_SYSTEM), CL_INVALID_OPERATION);
    ck_assert_ptr_null(clSVMAllocWithPropertiesKHR(NULL, NULL, 0, BYTES, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    ck_assert_ptr_null(clSVMAllocWithPropertiesKHR(tf_api.ctx, NULL, 0, 0, &code));
    ck_assert_int_eq(code, CL_SUCCESS);
}
END_TEST

START_TEST(frees_are_checked)
{
    const cl_svm_free_properties_khr unknown[] = {1, 2, 0};
    char *ptr = alloc(NULL, TF_SVM_TYPE_FINE);

    ck_assert_rejects(CL_INVALID_CONTEXT, clSVMFreeWithPropertiesKHR(bad, NULL, 0, ptr),
                      tf_api.q);
    ck_assert_int_eq(clSVMFreeWithPropertiesKHR(tf_api.ctx, unknown, 0, ptr),
                     CL_INVALID_PROPERTY);
    ck_assert_int_eq(clSVMFreeWithPropertiesKHR(tf_api.ctx, NULL, 1, ptr),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clSVMFreeWithPropertiesKHR(tf_api.ctx, NULL, 0, ptr + 4),
                     CL_INVALID_VALUE);
    release(NULL);
    release(ptr);
    clSVMFree(tf_api.ctx, alloc(NULL, TF_SVM_TYPE_HOST));
    release(clSVMAlloc(tf_api.ctx, 0, BYTES, 0));
}
END_TEST

// Every type that is allocated, of a device: a kernel reaches it by a pointer in memory,
// commands and the host as they may.
START_TEST(kernels_and_commands_use_every_type)
{
    static const char source[] = "kernel void add(global ulong *to) {\n"
                                 "    global uint *p = (global uint *)to[0];\n"
                                 "    p[get_global_id(0)] += get_global_id(0);\n"
                                 "}\n";
    const size_t items = WORDS;
    const cl_uint seven = 7;
    const cl_bool yes = CL_TRUE;
    cl_program prog = tf_api_program(source, "");
    cl_kernel kernel = tf_api_kernel(prog, "add");
    cl_uint *ptr = alloc(of_device, (cl_uint)_i), seen[WORDS];
    cl_ulong *table = alloc(NULL, TF_SVM_TYPE_FINE);

    table[0] = (uintptr_t)ptr;
    ck_assert_int_eq(clSetKernelExecInfo(kernel,
                                         CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR,
                                         sizeof(yes), &yes),
                     CL_SUCCESS);
    ck_assert_int_eq(
        clSetKernelExecInfo(kernel, CL_KERNEL_EXEC_INFO_SVM_INDIRECT_ACCESS_KHR, 1, &yes),
        CL_INVALID_VALUE);
    ck_assert_int_eq(clSetKernelArgSVMPointer(kernel, 0, table), CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueSVMMemFill(tf_api.q, ptr, &seven, sizeof(seven), BYTES, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    ck_assert_int_eq(
        clEnqueueSVMMemcpy(tf_api.q, CL_TRUE, seen, ptr, BYTES, 0, NULL, NULL),
        CL_SUCCESS);
    for (cl_uint i = 0; i < WORDS; i++)
        ck_assert_uint_eq(seen[i], i + 7);
    ck_assert_int_eq(clEnqueueSVMMemcpy(tf_api.q, CL_TRUE, NULL, NULL, 0, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueSVMMemFill(tf_api.q, NULL, &seven, 4, 0, 0, NULL, NULL),
                     CL_SUCCESS);
    ck_assert_int_eq(clEnqueueSVMMemcpy(tf_api.q, CL_TRUE, NULL, ptr, 4, 0, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    release(ptr);
    release(table);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(clReleaseProgram(prog), CL_SUCCESS);
}
END_TEST

START_TEST(pointers_are_described)
{
    const cl_svm_alloc_properties_khr properties[] = {
        CL_SVM_ALLOC_ALIGNMENT_KHR,
        64,
        CL_SVM_ALLOC_ACCESS_FLAGS_KHR,
        CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR,
        CL_SVM_ALLOC_ASSOCIATED_DEVICE_HANDLE_KHR,
        WORD(tf_api.device),
        0};
    char *ptr = alloc(properties, TF_SVM_TYPE_SHARED);
    cl_svm_alloc_properties_khr kept[7];
    cl_svm_capabilities_khr promised;
    cl_bitfield access;
    cl_device_id device;
    cl_uint type;
    size_t size;
    void *base;

    ck_assert_uint_eq((uintptr_t)ptr % 64, 0);
    INFO(NULL, ptr + 10, CL_SVM_INFO_TYPE_INDEX_KHR, type);
    ck_assert_uint_eq(type, TF_SVM_TYPE_SHARED);
    INFO(NULL, ptr + 10, CL_SVM_INFO_BASE_PTR_KHR, base);
    ck_assert_ptr_eq(base, ptr);
    INFO(tf_api.device, ptr, CL_SVM_INFO_SIZE_KHR, size);
    ck_assert_uint_eq(size, BYTES);
    INFO(NULL, ptr, CL_SVM_INFO_ACCESS_FLAGS_KHR, access);
    ck_assert_uint_eq(access, CL_SVM_ALLOC_ACCESS_HOST_NOREAD_KHR);
    INFO(NULL, ptr, CL_SVM_INFO_ASSOCIATED_DEVICE_HANDLE_KHR, device);
    ck_assert_ptr_eq(device, tf_api.device);
    INFO(NULL, ptr, CL_SVM_INFO_PROPERTIES_KHR, kept);
    ck_assert_uint_eq(info_size, sizeof(properties));
    ck_assert_mem_eq(kept, properties, sizeof(properties));
    INFO(tf_api.device, ptr, CL_SVM_INFO_CAPABILITIES_KHR, promised);
    ck_assert_uint_eq(promised & on_host, on_host);
    ck_assert(!(promised & CL_SVM_CAPABILITY_DEVICE_UNASSOCIATED_KHR));
    release(ptr);
    INFO(NULL, &size, CL_SVM_INFO_TYPE_INDEX_KHR, type);
    ck_assert_uint_eq(type, CL_UINT_MAX);
    INFO(NULL, &size, CL_SVM_INFO_CAPABILITIES_KHR, promised);
    ck_assert_uint_eq(promised, 0);
    INFO(NULL, &size, CL_SVM_INFO_PROPERTIES_KHR, kept);
    ck_assert_uint_eq(info_size, 0);
    ck_assert_int_eq(clGetSVMPointerInfoKHR(tf_api.ctx, (cl_device_id)tf_api.q, ptr,
                                            CL_SVM_INFO_SIZE_KHR, 0, NULL, NULL),
                     CL_INVALID_DEVICE);
    ck_assert_int_eq(clGetSVMPointerInfoKHR(tf_api.ctx, NULL, ptr, 1, 0, NULL, NULL),
                     CL_INVALID_VALUE);
}
END_TEST

START_TEST(older_allocations_have_a_type)
{
    void *coarse = clSVMAlloc(tf_api.ctx, 0, 64, 0);
    void *fine = clSVMAlloc(tf_api.ctx, CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0);
    cl_uint type;

    INFO(NULL, coarse, CL_SVM_INFO_TYPE_INDEX_KHR, type);
    ck_assert_uint_eq(type, TF_SVM_TYPE_COARSE);
    INFO(NULL, fine, CL_SVM_INFO_TYPE_INDEX_KHR, type);
    ck_assert_uint_eq(type, TF_SVM_TYPE_FINE);
    clSVMFree(tf_api.ctx, coarse);
    clSVMFree(tf_api.ctx, fine);
}
END_TEST

START_TEST(types_are_suggested)
{
    const struct {
        cl_svm_capabilities_khr required, desired;
        const cl_svm_alloc_properties_khr *properties;
        cl_uint type;
    } wanted[] = {
        {0, 0, NULL, TF_SVM_TYPE_COARSE},
        {on_host, 0, NULL, TF_SVM_TYPE_FINE},
        {0, CL_SVM_CAPABILITY_HOST_OWNED_KHR, NULL, TF_SVM_TYPE_HOST},
        {CL_SVM_CAPABILITY_DEVICE_OWNED_KHR, 0, NULL, CL_UINT_MAX},
        {CL_SVM_CAPABILITY_DEVICE_OWNED_KHR, on_host, of_device, TF_SVM_TYPE_DEVICE},
        {CL_SVM_CAPABILITY_SYSTEM_ALLOCATED_KHR, 0, NULL, TF_SVM_TYPE_SYSTEM},
        {(cl_svm_capabilities_khr)1 << 40, 0, NULL, CL_UINT_MAX},
    };
    cl_uint type;

    for (size_t i = 0; i < sizeof(wanted) / sizeof(wanted[0]); i++) {
        type = 77;
        ck_assert_int_eq(clGetSVMSuggestedTypeIndexKHR(tf_api.ctx, wanted[i].required,
                                                       wanted[i].desired,
                                                       wanted[i].properties, 0, &type),
                         CL_SUCCESS);
        ck_assert_uint_eq(type, wanted[i].type);
    }
    ck_assert_int_eq(clGetSVMSuggestedTypeIndexKHR(tf_api.ctx, 0, 0, NULL, 0, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clGetSVMSuggestedTypeIndexKHR(NULL, 0, 0, NULL, 0, &type),
                     CL_INVALID_CONTEXT);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("unified SVM");
    TCase *tcase = tcase_create("unified SVM");

    tcase_add_checked_fixture(tcase, setup, tf_api_end);
    tcase_add_test(tcase, types_are_told);
    tcase_add_test(tcase, allocations_are_checked);
    tcase_add_test(tcase, frees_are_checked);
    tcase_add_loop_test(tcase, kernels_and_commands_use_every_type, 0,
                        TF_SVM_TYPE_SYSTEM);
    tcase_add_test(tcase, pointers_are_described);
    tcase_add_test(tcase, older_allocations_have_a_type);
    tcase_add_test(tcase, types_are_suggested);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
