// SPDX-License-Identifier: MIT
#include "core/platform/device_caps.h"

#include <string.h>

#include "core/platform/device_interface.h"
#include "support/core.h"
#include "support/suite.h"

static const struct tf_device_info facts = {
    .name = "Facts",
    .vendor = "Vendor",
    .isa = "avx2",
    .vendor_id = 0x1234,
    .compute_units = 3,
    .global_memory_bytes = (uint64_t)8 << 30,
    .local_memory_bytes = 65536,
    .vector_bits = 256,
};

START_TEST(capabilities_follow_the_facts)
{
    struct tf_device_caps caps;

    tf_device_caps_init(&caps, &facts);
    ck_assert_uint_eq(caps.version, CL_MAKE_VERSION(3, 0, 0));
    ck_assert_ptr_eq(strstr(caps.version_text, "OpenCL 3.0 "), caps.version_text);
    ck_assert_ptr_nonnull(strstr(caps.version_text, "avx2"));
    ck_assert_ptr_eq(strstr(caps.opencl_c_text, "OpenCL C 1.2 "), caps.opencl_c_text);
    ck_assert_uint_eq(caps.vendor_id, 0x1234);
    ck_assert_uint_eq(caps.local_memory_bytes, 65536);
    ck_assert_uint_le(caps.max_alloc_bytes, facts.global_memory_bytes);
    ck_assert_uint_ge(caps.max_parameter_bytes, 1024);
    ck_assert_uint_ge(caps.base_align_bits, 1024);
    for (int i = 0; i < 3; i++)
        ck_assert_uint_ge(caps.max_item_sizes[i], 1);
}
END_TEST

// The number of names in a text separated by single spaces; fails on any other spacing.
static size_t names_in(const char *text)
{
    size_t n = *text ? 1 : 0;

    ck_assert_ptr_null(strstr(text, "  "));
    ck_assert(text[0] != ' ');
    ck_assert(!*text || text[strlen(text) - 1] != ' ');
    for (; *text; text++)
        n += *text == ' ';
    return n;
}

START_TEST(texts_and_tables_say_the_same)
{
    struct tf_device_caps caps;

    tf_device_caps_init(&caps, &facts);
    ck_assert_uint_eq(names_in(caps.extensions_text), caps.extension_count);
    ck_assert_uint_eq(names_in(caps.features_text), caps.opencl_c_feature_count);
    for (size_t i = 0; i < caps.extension_count; i++) {
        ck_assert_ptr_nonnull(strstr(caps.extensions_text, caps.extensions[i].name));
        ck_assert_uint_lt(strlen(caps.extensions[i].name), CL_NAME_VERSION_MAX_NAME_SIZE);
    }
    for (size_t i = 0; i < caps.opencl_c_feature_count; i++)
        ck_assert_ptr_nonnull(strstr(caps.features_text, caps.opencl_c_features[i].name));
    ck_assert_uint_le(names_in(caps.language_extensions_text), caps.extension_count);
    ck_assert_ptr_nonnull(strstr(caps.extensions_text, "cl_khr_icd"));
    ck_assert_ptr_null(strstr(caps.language_extensions_text, "cl_khr_icd"));
}
END_TEST

// OpenCL 3.0 §4.2: what a device of version 3.0 must list when it has fp64 and 64-bit
// integers, and OpenCL C versions that it must accept.
START_TEST(what_version_3_demands_is_listed)
{
    struct tf_device_caps caps;
    bool seen[4] = {false};
    const cl_version wanted[4] = {CL_MAKE_VERSION(1, 0, 0), CL_MAKE_VERSION(1, 1, 0),
                                  CL_MAKE_VERSION(1, 2, 0), CL_MAKE_VERSION(3, 0, 0)};

    tf_device_caps_init(&caps, &facts);
    for (size_t i = 0; i < caps.opencl_c_version_count; i++) {
        ck_assert_str_eq(caps.opencl_c_versions[i].name, "OpenCL C");
        for (int k = 0; k < 4; k++)
            seen[k] |= caps.opencl_c_versions[i].version == wanted[k];
    }
    for (int k = 0; k < 4; k++)
        ck_assert(seen[k]);
    ck_assert_ptr_nonnull(strstr(caps.features_text, "__opencl_c_int64"));
    ck_assert_int_eq(caps.fp64, strstr(caps.features_text, "__opencl_c_fp64") != NULL);
    ck_assert_int_eq(caps.fp64, strstr(caps.extensions_text, "cl_khr_fp64") != NULL);
    ck_assert_int_eq(caps.images,
                     strstr(caps.features_text, "__opencl_c_images") != NULL);
}
END_TEST

START_TEST(settings_override)
{
    struct tf_device_caps caps;

    setenv("TREFOIL_VENDOR_ID", "0x8086", 1);
    setenv("TREFOIL_DRIVER_VERSION", "9.8.7", 1);
    tf_device_caps_init(&caps, &facts);
    ck_assert_uint_eq(caps.vendor_id, 0x8086);
    ck_assert_str_eq(caps.driver_version, "9.8.7");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("device_caps");
    TCase *tcase = tcase_create("device_caps");

    tcase_add_test(tcase, capabilities_follow_the_facts);
    tcase_add_test(tcase, texts_and_tables_say_the_same);
    tcase_add_test(tcase, what_version_3_demands_is_listed);
    tcase_add_test(tcase, settings_override);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
