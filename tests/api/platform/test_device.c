// SPDX-License-Identifier: MIT
#include "support/api.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <CL/cl_trefoil.h>

#include "abi/version.h"
#include "support/suite.h"

#ifndef CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR // headers of 2023 lack
                                                // cl_khr_kernel_clock
#define CL_DEVICE_KERNEL_CLOCK_CAPABILITIES_KHR 0x1076
#endif

START_TEST(devices_are_found_by_type)
{
    const cl_device_type present[] = {CL_DEVICE_TYPE_ALL,
                                      (cl_device_type)(cl_int)CL_DEVICE_TYPE_ALL,
                                      CL_DEVICE_TYPE_CPU, CL_DEVICE_TYPE_DEFAULT,
                                      CL_DEVICE_TYPE_CPU | CL_DEVICE_TYPE_GPU};
    const cl_device_type missing[] = {CL_DEVICE_TYPE_GPU, CL_DEVICE_TYPE_ACCELERATOR,
                                      CL_DEVICE_TYPE_CUSTOM};
    cl_device_id device;
    cl_uint n;

    for (int i = 0; i < 5; i++) {
        ck_assert_int_eq(clGetDeviceIDs(tf_api.platform, present[i], 1, &device, &n),
                         CL_SUCCESS);
        ck_assert_ptr_eq(device, tf_api.device);
        ck_assert_uint_eq(n, 1);
    }
    for (int i = 0; i < 3; i++) {
        ck_assert_int_eq(clGetDeviceIDs(tf_api.platform, missing[i], 1, &device, &n),
                         CL_DEVICE_NOT_FOUND);
        ck_assert_uint_eq(n, 0);
    }
    ck_assert_int_eq(clGetDeviceIDs(NULL, CL_DEVICE_TYPE_ALL, 0, NULL, &n), CL_SUCCESS);
}
END_TEST

START_TEST(bad_arguments_of_get_device_ids)
{
    cl_device_id device;
    cl_uint n;

    ck_assert_int_eq(
        clGetDeviceIDs((cl_platform_id)tf_api.ctx, CL_DEVICE_TYPE_ALL, 1, &device, &n),
        CL_INVALID_PLATFORM);
    ck_assert_int_eq(clGetDeviceIDs(tf_api.platform, 0, 1, &device, &n),
                     CL_INVALID_DEVICE_TYPE);
    ck_assert_int_eq(clGetDeviceIDs(tf_api.platform, 1u << 20, 1, &device, &n),
                     CL_INVALID_DEVICE_TYPE);
    ck_assert_int_eq(
        clGetDeviceIDs(tf_api.platform, CL_DEVICE_TYPE_ALL | 1ull << 32, 1, &device, &n),
        CL_INVALID_DEVICE_TYPE);
    ck_assert_int_eq(clGetDeviceIDs(tf_api.platform, CL_DEVICE_TYPE_ALL, 0, &device, &n),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clGetDeviceIDs(tf_api.platform, CL_DEVICE_TYPE_ALL, 1, NULL, NULL),
                     CL_INVALID_VALUE);
}
END_TEST

// Every query of core/platform/device_info.def answers, twice with the same size.
START_TEST(every_query_answers)
{
    static const cl_device_info queries[] = {
#define SCALAR(name, type, expression) name,
#define STRING(name, text) name,
#define BYTES(name, pointer, bytes) name,
#define CALL(name, call) name,
#define LISTED(extension, name, pointer, bytes)
#define LISTED_CALL(extension, name, call)
#define LISTED_SCALAR(extension, param, type, expression)
#include "core/platform/device_info.def"
    };
    static char value[65536];

    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++) {
        size_t asked = 1, got = 2;

        ck_assert_int_eq(clGetDeviceInfo(tf_api.device, queries[i], 0, NULL, &asked),
                         CL_SUCCESS);
        ck_assert_int_eq(
            clGetDeviceInfo(tf_api.device, queries[i], sizeof(value), value, &got),
            CL_SUCCESS);
        ck_assert_uint_eq(asked, got);
        if (asked > 0)
            ck_assert_int_eq(
                clGetDeviceInfo(tf_api.device, queries[i], asked - 1, value, NULL),
                CL_INVALID_VALUE);
    }
    ck_assert_uint_gt(sizeof(queries) / sizeof(queries[0]), 100);
}
END_TEST

static cl_ulong number_of(cl_device_info what)
{
    cl_ulong value = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, what, sizeof(value), &value, NULL),
                     CL_SUCCESS);
    return value;
}

// OpenCL 3.1, table 5: what a full-profile device must have at least.
START_TEST(limits_meet_the_full_profile)
{
    size_t sizes[3];

    ck_assert_uint_ge(number_of(CL_DEVICE_MAX_COMPUTE_UNITS), 1);
    ck_assert_uint_ge(number_of(CL_DEVICE_MAX_WORK_ITEM_DIMENSIONS), 3);
    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, CL_DEVICE_MAX_WORK_ITEM_SIZES,
                                     sizeof(sizes), sizes, NULL),
                     CL_SUCCESS);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_ge(sizes[i], 1);
    ck_assert_uint_ge(number_of(CL_DEVICE_MAX_PARAMETER_SIZE), 1024);
    ck_assert_uint_ge(number_of(CL_DEVICE_MEM_BASE_ADDR_ALIGN), 1024);
    ck_assert_uint_ge(number_of(CL_DEVICE_LOCAL_MEM_SIZE), 32768);
    ck_assert_uint_ge(number_of(CL_DEVICE_MAX_CONSTANT_BUFFER_SIZE), 65536);
    ck_assert_uint_ge(number_of(CL_DEVICE_MAX_CONSTANT_ARGS), 8);
    ck_assert_uint_ge(number_of(CL_DEVICE_PRINTF_BUFFER_SIZE), 1 << 20);
    ck_assert_uint_ge(number_of(CL_DEVICE_MAX_MEM_ALLOC_SIZE),
                      number_of(CL_DEVICE_GLOBAL_MEM_SIZE) / 4);
    ck_assert_uint_eq(number_of(CL_DEVICE_NUMERIC_VERSION), CL_MAKE_VERSION(3, 1, 0));
}
END_TEST

// Names that make applications refuse a device or switch on workarounds for others.
START_TEST(strings_name_no_other_implementation)
{
    static const char *const words[] = {"clover", "pocl", "mesa", "beignet", "amd-app"};
    static const cl_device_info texts[] = {CL_DEVICE_VERSION, CL_DRIVER_VERSION,
                                           CL_DEVICE_OPENCL_C_VERSION};

    for (int t = 0; t < 3; t++) {
        char text[256] = {0};

        ck_assert_int_eq(
            clGetDeviceInfo(tf_api.device, texts[t], sizeof(text), text, NULL),
            CL_SUCCESS);
        for (char *c = text; *c; c++)
            *c = (char)tolower((unsigned char)*c);
        for (int w = 0; w < 5; w++)
            ck_assert_ptr_null(strstr(text, words[w]));
    }
}
END_TEST

// Programs keep binaries under it, which another build of the compiler refuses.
START_TEST(driver_version_names_the_build)
{
    const char *const version = TF_VERSION_TEXT "+";
    char text[64] = "";

    ck_assert_int_eq(
        clGetDeviceInfo(tf_api.device, CL_DRIVER_VERSION, sizeof(text), text, NULL),
        CL_SUCCESS);
    ck_assert_msg(!strncmp(text, version, strlen(version)), "%s", text);
    ck_assert_uint_eq(strspn(text + strlen(version), "0123456789abcdef"), 11);
    ck_assert_uint_eq(strlen(text), strlen(version) + 11);
}
END_TEST

// Not in all headers.
#ifndef CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR
#define CL_DEVICE_SPIRV_EXTENDED_INSTRUCTION_SETS_KHR 0x12B9
#define CL_DEVICE_SPIRV_EXTENSIONS_KHR 0x12BA
#define CL_DEVICE_SPIRV_CAPABILITIES_KHR 0x12BB
#endif

static bool is_listed(const char *extension)
{
    char text[4096];

    ck_assert_int_eq(
        clGetDeviceInfo(tf_api.device, CL_DEVICE_EXTENSIONS, sizeof(text), text, NULL),
        CL_SUCCESS);
    return strstr(text, extension) != NULL;
}

// What belongs to an extension is unknown without it.
START_TEST(queries_of_extensions_answer_if_they_are_listed)
{
    static const struct {
        const char *extension;
        cl_device_info query;
    } queries[] = {
#define SCALAR(name, type, expression)
#define STRING(name, text)
#define BYTES(name, pointer, bytes)
#define CALL(name, call)
#define LISTED(extension, name, pointer, bytes) {#extension, name},
#define LISTED_CALL(extension, name, call) {#extension, name},
#define LISTED_SCALAR(extension, name, type, expression) {#extension, name},
#include "core/platform/device_info.def"
    };
    char value[1024];
    size_t size;

    for (size_t i = 0; i < sizeof(queries) / sizeof(queries[0]); i++)
        ck_assert_int_eq(
            clGetDeviceInfo(tf_api.device, queries[i].query, sizeof(value), value, &size),
            is_listed(queries[i].extension) ? CL_SUCCESS : CL_INVALID_VALUE);
    ck_assert_uint_ge(sizeof(queries) / sizeof(queries[0]), 6);
}
END_TEST

static bool is_named(cl_device_info list, const char *name, cl_version version)
{
    cl_name_version names[256];
    size_t bytes = 0;
    bool found = false;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, list, sizeof(names), names, &bytes),
                     CL_SUCCESS);
    for (size_t i = 0; i < bytes / sizeof(names[0]); i++)
        found |= !strcmp(names[i].name, name) && names[i].version == version;
    return found;
}

// OpenCL 3.1, appendix E: what a device of this version must list.
START_TEST(what_opencl_3_1_requires_is_listed)
{
    static const struct {
        const char *name;
        cl_version version;
    } extensions[] = {
        {"cl_khr_byte_addressable_store", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_global_int32_base_atomics", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_global_int32_extended_atomics", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_local_int32_base_atomics", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_local_int32_extended_atomics", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_device_uuid", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_extended_bit_ops", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_integer_dot_product", CL_MAKE_VERSION(2, 0, 0)},
        {"cl_khr_spirv_queries", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_subgroup_extended_types", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_subgroup_rotate", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_subgroup_shuffle", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_subgroup_shuffle_relative", CL_MAKE_VERSION(1, 0, 0)},
        {"cl_khr_suggested_local_work_size", CL_MAKE_VERSION(1, 0, 0)},
    };
    static const cl_version languages[] = {
        CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0), CL_MAKE_VERSION(1, 2, 0),
        CL_MAKE_VERSION(3, 0, 0), CL_MAKE_VERSION(3, 1, 0)};

    for (size_t i = 0; i < sizeof(extensions) / sizeof(extensions[0]); i++) {
        ck_assert(is_listed(extensions[i].name));
        ck_assert(is_named(CL_DEVICE_EXTENSIONS_WITH_VERSION, extensions[i].name,
                           extensions[i].version));
    }
    for (size_t i = 0; i < sizeof(languages) / sizeof(languages[0]); i++)
        ck_assert(is_named(CL_DEVICE_OPENCL_C_ALL_VERSIONS, "OpenCL C", languages[i]));
    for (unsigned minor = 0; minor <= 4; minor++)
        ck_assert(
            is_named(CL_DEVICE_ILS_WITH_VERSION, "SPIR-V", CL_MAKE_VERSION(1, minor, 0)));
    ck_assert_uint_ge(number_of(CL_DEVICE_MAX_NUM_SUB_GROUPS), 1);
    ck_assert_uint_eq(number_of(CL_DEVICE_INTEGER_DOT_PRODUCT_CAPABILITIES_KHR) &
                          CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR,
                      CL_DEVICE_INTEGER_DOT_PRODUCT_INPUT_4x8BIT_PACKED_KHR);
}
END_TEST

// cl_khr_fp16: what the device says of half agrees with the list of extensions.
START_TEST(half_is_a_full_type)
{
    const cl_device_fp_config least =
        CL_FP_ROUND_TO_NEAREST | CL_FP_INF_NAN | CL_FP_DENORM | CL_FP_FMA;

    ck_assert(is_listed("cl_khr_fp16"));
    ck_assert_uint_eq(number_of(CL_DEVICE_HALF_FP_CONFIG) & least, least);
    ck_assert_uint_ge(number_of(CL_DEVICE_NATIVE_VECTOR_WIDTH_HALF),
                      number_of(CL_DEVICE_NATIVE_VECTOR_WIDTH_FLOAT));
    ck_assert_uint_ge(number_of(CL_DEVICE_PREFERRED_VECTOR_WIDTH_HALF), 1);
    ck_assert_uint_eq(number_of(CL_DEVICE_HALF_FP_ATOMIC_CAPABILITIES_EXT),
                      number_of(CL_DEVICE_SINGLE_FP_ATOMIC_CAPABILITIES_EXT));
}
END_TEST

static void get_uuid(cl_device_info what, cl_uchar out[CL_UUID_SIZE_KHR])
{
    size_t size = 0;

    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, what, CL_UUID_SIZE_KHR, out, &size),
                     CL_SUCCESS);
    ck_assert_uint_eq(size, CL_UUID_SIZE_KHR);
    ck_assert_uint_eq(out[6] >> 4, 8);   // version: the maker's own scheme
    ck_assert_uint_eq(out[8] >> 6, 0x2); // variant: RFC 9562
}

// cl_khr_device_uuid
START_TEST(device_and_driver_have_a_uuid)
{
    cl_uchar device[CL_UUID_SIZE_KHR], again[CL_UUID_SIZE_KHR], driver[CL_UUID_SIZE_KHR];
    cl_uchar luid[CL_LUID_SIZE_KHR];
    size_t size = 0;

    ck_assert(is_listed("cl_khr_device_uuid"));
    get_uuid(CL_DEVICE_UUID_KHR, device);
    get_uuid(CL_DEVICE_UUID_KHR, again);
    get_uuid(CL_DRIVER_UUID_KHR, driver);
    ck_assert_mem_eq(device, again, sizeof(device));
    ck_assert_mem_ne(device, driver, sizeof(device));
    ck_assert_uint_eq(number_of(CL_DEVICE_LUID_VALID_KHR), CL_FALSE);
    ck_assert_int_eq(
        clGetDeviceInfo(tf_api.device, CL_DEVICE_LUID_KHR, sizeof(luid), luid, &size),
        CL_SUCCESS);
    ck_assert_uint_eq(size, CL_LUID_SIZE_KHR);
    ck_assert_uint_eq(number_of(CL_DEVICE_NODE_MASK_KHR), 0);
}
END_TEST

// Numeric and textual versions say the same: "OpenCL C x.y ", "OpenCL x.y ".
START_TEST(versions_agree)
{
    const cl_version c = (cl_version)number_of(CL_DEVICE_OPENCL_C_NUMERIC_VERSION_KHR);
    const cl_version device = (cl_version)number_of(CL_DEVICE_NUMERIC_VERSION);
    char text[256], wanted[64];

    snprintf(wanted, sizeof(wanted), "OpenCL C %u.%u ", CL_VERSION_MAJOR(c),
             CL_VERSION_MINOR(c));
    clGetDeviceInfo(tf_api.device, CL_DEVICE_OPENCL_C_VERSION, sizeof(text), text, NULL);
    ck_assert_ptr_eq(strstr(text, wanted), text);
    snprintf(wanted, sizeof(wanted), "OpenCL %u.%u ", CL_VERSION_MAJOR(device),
             CL_VERSION_MINOR(device));
    clGetDeviceInfo(tf_api.device, CL_DEVICE_VERSION, sizeof(text), text, NULL);
    ck_assert_ptr_eq(strstr(text, wanted), text);
}
END_TEST

START_TEST(bad_queries_fail)
{
    ck_assert_int_eq(clGetDeviceInfo(tf_api.device, 0, 0, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_rejects(CL_INVALID_DEVICE,
                      clGetDeviceInfo(bad, CL_DEVICE_NAME, 0, NULL, NULL), tf_api.ctx);
}
END_TEST

START_TEST(root_devices_are_not_counted)
{
    ck_assert_int_eq(clRetainDevice(tf_api.device), CL_SUCCESS);
    ck_assert_uint_eq(number_of(CL_DEVICE_REFERENCE_COUNT), 1);
    for (int i = 0; i < 3; i++)
        ck_assert_int_eq(clReleaseDevice(tf_api.device), CL_SUCCESS);
    ck_assert_uint_eq(number_of(CL_DEVICE_REFERENCE_COUNT), 1);
    ck_assert_rejects(CL_INVALID_DEVICE, clRetainDevice(bad), tf_api.ctx);
    ck_assert_rejects(CL_INVALID_DEVICE, clReleaseDevice(bad), tf_api.ctx);
}
END_TEST

START_TEST(timers_run)
{
    cl_ulong device[2], host[3];

    ck_assert_int_eq(clGetDeviceAndHostTimer(tf_api.device, &device[0], &host[0]),
                     CL_SUCCESS);
    ck_assert_int_eq(clGetHostTimer(tf_api.device, &host[1]), CL_SUCCESS);
    ck_assert_int_eq(clGetDeviceAndHostTimer(tf_api.device, &device[1], &host[2]),
                     CL_SUCCESS);
    ck_assert_uint_le(device[0], device[1]);
    ck_assert_uint_le(host[0], host[1]);
    ck_assert_uint_le(host[1], host[2]);
    ck_assert_int_eq(clGetDeviceAndHostTimer(tf_api.device, NULL, host),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clGetDeviceAndHostTimer(tf_api.device, device, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clGetHostTimer(tf_api.device, NULL), CL_INVALID_VALUE);
    ck_assert_rejects(CL_INVALID_DEVICE, clGetHostTimer(bad, host), tf_api.ctx);
    ck_assert_rejects(CL_INVALID_DEVICE, clGetDeviceAndHostTimer(bad, device, host),
                      tf_api.ctx);
}
END_TEST

// One clock: what an event tells lies between what the device tells before and after.
START_TEST(events_and_timers_have_one_clock)
{
    cl_ulong device[2], host[2], begin, end;
    cl_event event;

    ck_assert_int_eq(clGetDeviceAndHostTimer(tf_api.device, &device[0], &host[0]), 0);
    ck_assert_int_eq(clEnqueueMarkerWithWaitList(tf_api.q, 0, NULL, &event), 0);
    ck_assert_int_eq(clWaitForEvents(1, &event), CL_SUCCESS);
    ck_assert_int_eq(clGetDeviceAndHostTimer(tf_api.device, &device[1], &host[1]), 0);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_QUEUED, sizeof(begin), &begin,
                            NULL);
    clGetEventProfilingInfo(event, CL_PROFILING_COMMAND_END, sizeof(end), &end, NULL);
    ck_assert_uint_le(device[0], begin);
    ck_assert_uint_le(begin, end);
    ck_assert_uint_le(end, device[1]);
    // The host's clock is the same here: it was read right after the device's.
    ck_assert_uint_le(device[0], host[0]);
    ck_assert_uint_le(host[0], device[1]);
    ck_assert_int_eq(clReleaseEvent(event), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device");
    TCase *tcase = tcase_create("device");

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_test(tcase, devices_are_found_by_type);
    tcase_add_test(tcase, bad_arguments_of_get_device_ids);
    tcase_add_test(tcase, every_query_answers);
    tcase_add_test(tcase, limits_meet_the_full_profile);
    tcase_add_test(tcase, what_opencl_3_1_requires_is_listed);
    tcase_add_test(tcase, half_is_a_full_type);
    tcase_add_test(tcase, strings_name_no_other_implementation);
    tcase_add_test(tcase, driver_version_names_the_build);
    tcase_add_test(tcase, queries_of_extensions_answer_if_they_are_listed);
    tcase_add_test(tcase, device_and_driver_have_a_uuid);
    tcase_add_test(tcase, versions_agree);
    tcase_add_test(tcase, bad_queries_fail);
    tcase_add_test(tcase, root_devices_are_not_counted);
    tcase_add_test(tcase, timers_run);
    tcase_add_test(tcase, events_and_timers_have_one_clock);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
