// SPDX-License-Identifier: MIT
// Programs from SPIR-V on the mock device, which looks at the words no further.
#include "core/program/il.h"

#include <string.h>

#include "base/alloc.h"
#include "core/platform/device_query.h"
#include "core/program/program_build.h"
#include "core/program/program_query.h"
#include "support/core.h"
#include "support/spirv_words.h"
#include "support/suite.h"

static struct tf_core core;
static struct tf_err err;
static uint32_t words[sizeof(spirv_constants) / 4 + 1];
static const size_t bytes = sizeof(spirv_constants);

static struct tf_spec_constant seen[8];
static size_t seen_count;
static bool seen_il;

static cl_int noting_build(struct tf_err *e, struct tf_device *dev,
                           const struct tf_build_in *in, struct tf_build_out *out)
{
    (void)dev;
    seen_il = in->is_il && in->source_bytes == bytes &&
              !memcmp(in->source, spirv_constants, bytes);
    seen_count = in->constant_count;
    for (size_t i = 0; i < in->constant_count; i++)
        seen[i] = in->constants[i];
    ck_assert_uint_eq(in->header_count, 0);
    out->log = tf_strdup("read");
    return tf_fail(e, tf_build_failure(in->kind), "only looked at");
}

static void begin(void)
{
    err = (struct tf_err){0};
    core = tf_core_begin(1);
    core.mock->ops.program_build = noting_build;
    memcpy(words, spirv_constants, bytes);
    seen_count = 99;
    seen_il = false;
}

static void end(void)
{
    tf_core_end(&core);
}

static void offer(bool on)
{
    tf_feature_put(&core.mock->caps.features, TF_FEATURE_cl_khr_il_program, on);
    tf_feature_put(&core.mock->caps.features, TF_FEATURE_cl_khr_spirv_queries, on);
}

static cl_int check(const void *data, size_t size)
{
    struct tf_err own = {0};

    return tf_il_check(&own, data, size);
}

START_TEST(module_is_whole_in_any_alignment_and_order_of_bytes)
{
    char shifted[sizeof(words) + 1];
    struct tf_il_constant found;

    ck_assert_int_eq(check(words, bytes), CL_SUCCESS);
    memcpy(shifted + 1, words, bytes);
    ck_assert_int_eq(check(shifted + 1, bytes), CL_SUCCESS);
    for (size_t i = 0; i < bytes / 4; i++)
        words[i] = __builtin_bswap32(words[i]);
    ck_assert_int_eq(check(words, bytes), CL_SUCCESS);
    ck_assert(tf_il_find_constant(words, bytes, 12, &found));
    ck_assert_uint_eq(found.bytes, 8);
}
END_TEST

START_TEST(what_is_no_module_is_refused)
{
    static const uint32_t bad[][2] = {
        // word, its wrong value
        {0, 0x07230204}, {1, 0x00010700}, {1, 0x00020000},
        {1, 0x00010001}, {1, 0x01010000}, {3, 0},
        {4, 1},          {5, 6},          {5, 0xffff0011},
    };

    for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
        memcpy(words, spirv_constants, bytes);
        words[bad[i][0]] = bad[i][1];
        ck_assert_msg(check(words, bytes) == CL_INVALID_VALUE, "word %u", bad[i][0]);
    }
    memcpy(words, spirv_constants, bytes);
    for (uint32_t minor = 0; minor <= 6; minor++) {
        words[1] = 0x00010000 | minor << 8;
        ck_assert_int_eq(check(words, bytes), CL_SUCCESS);
    }
}
END_TEST

// At the end of an instruction a shorter module is still one for core.
START_TEST(truncated_module_is_refused_unless_an_instruction_ends_there)
{
    bool ends[sizeof(words)] = {false};

    for (size_t at = 5; at <= bytes / 4; at += at < bytes / 4 ? words[at] >> 16 : 1)
        ends[at * 4] = true;
    for (size_t size = 0; size <= bytes; size++) {
        void *exact = tf_memdup(words, size); // for the sanitizer: nothing behind it

        ck_assert_int_eq(check(exact, size), ends[size] ? CL_SUCCESS : CL_INVALID_VALUE);
        tf_free(exact);
    }
}
END_TEST

START_TEST(constants_are_found_with_their_size)
{
    static const uint32_t expected[][2] = {{10, 1}, {11, 4}, {12, 8},
                                           {13, 1}, {14, 2}, {20, 1}};
    struct tf_il_constant found;

    for (size_t i = 0; i < sizeof(expected) / sizeof(expected[0]); i++) {
        found = (struct tf_il_constant){0};
        ck_assert(tf_il_find_constant(words, bytes, expected[i][0], &found));
        ck_assert_uint_eq(found.bytes, expected[i][1]);
        ck_assert_int_eq(found.is_bool, expected[i][0] == 10);
    }
    ck_assert(!tf_il_find_constant(words, bytes, 0, &found));
    ck_assert(!tf_il_find_constant(words, bytes, 30, &found));
}
END_TEST

static cl_program make(void)
{
    cl_program prog = NULL;

    ck_assert_int_eq(tf_program_create_il(&err, core.ctx, words, bytes, &prog),
                     CL_SUCCESS);
    return prog;
}

static cl_int set(cl_program prog, cl_uint id, size_t size, const void *value)
{
    struct tf_err own = {0};

    return tf_program_set_constant(&own, prog, id, size, value);
}

START_TEST(constants_are_checked_kept_and_given_to_builds)
{
    const unsigned char flag = 7;
    const cl_int number = -3, later = 5;
    const struct tf_build_desc plain = {0};
    cl_program prog = make();

    ck_assert_int_eq(set(prog, 11, 8, &number), CL_INVALID_VALUE);
    ck_assert_int_eq(set(prog, 11, 0, &number), CL_INVALID_VALUE);
    ck_assert_int_eq(set(prog, 11, (size_t)4 << 32 | 4, &number), CL_INVALID_VALUE);
    ck_assert_int_eq(set(prog, 9, 4, &number), CL_INVALID_SPEC_ID);
    tf_program_build(&(struct tf_err){0}, prog, &plain);
    ck_assert(seen_il);
    ck_assert_uint_eq(seen_count, 0);
    ck_assert_int_eq(set(prog, 11, 4, &number), CL_SUCCESS);
    ck_assert_int_eq(set(prog, 10, 1, &flag), CL_SUCCESS);
    ck_assert_int_eq(set(prog, 11, 4, &later), CL_SUCCESS);
    tf_program_compile(&(struct tf_err){0}, prog, &plain);
    ck_assert_uint_eq(seen_count, 2);
    ck_assert_uint_eq(seen[0].id, 11);
    ck_assert_uint_eq(seen[0].bytes, 4);
    ck_assert_mem_eq(seen[0].value, &later, 4);
    ck_assert_uint_eq(seen[1].id, 10);
    ck_assert_uint_eq(seen[1].value[0], 1);
    tf_core_release(prog, &tf_class_program);
}
END_TEST

START_TEST(module_comes_back_as_it_was_given)
{
    cl_program prog = make();
    uint32_t back[sizeof(words) / 4];
    char source[4] = "x";
    size_t size = 0;

    words[0] = 0; // it was copied
    ck_assert_int_eq(
        tf_program_get_info(&err, prog, CL_PROGRAM_IL, sizeof(back), back, &size),
        CL_SUCCESS);
    ck_assert_uint_eq(size, bytes);
    ck_assert_mem_eq(back, spirv_constants, bytes);
    ck_assert_int_eq(tf_program_get_info(&(struct tf_err){0}, prog, CL_PROGRAM_IL,
                                         bytes - 1, back, &size),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(
        tf_program_get_info(&err, prog, CL_PROGRAM_SOURCE, sizeof(source), source, &size),
        CL_SUCCESS);
    ck_assert_str_eq(source, "");
    tf_core_release(prog, &tf_class_program);
}
END_TEST

START_TEST(running_out_of_memory_is_an_error_code)
{
    const struct tf_build_desc plain = {0};
    const cl_int number = 1;
    cl_int code = CL_OUT_OF_HOST_MEMORY;
    int failures = 0;

    for (long n = 0; code == CL_OUT_OF_HOST_MEMORY; n++) {
        cl_program prog = NULL;
        struct tf_err own = {0};

        tf_alloc_fail_at(n);
        code = tf_program_create_il(&own, core.ctx, words, bytes, &prog);
        if (!code)
            code = tf_program_set_constant(&own, prog, 11, 4, &number);
        if (!code)
            code = tf_program_build(&own, prog, &plain);
        tf_alloc_fail_at(-1);
        failures += code == CL_OUT_OF_HOST_MEMORY;
        if (prog)
            tf_core_release(prog, &tf_class_program);
    }
    ck_assert_int_eq(code, CL_BUILD_PROGRAM_FAILURE);
    ck_assert_int_gt(failures, 4);
}
END_TEST

static cl_int ask(cl_device_info what, size_t size, void *value, size_t *size_ret)
{
    struct tf_err own = {0};

    return tf_device_get_info(&own, core.device, what, size, value, size_ret);
}

START_TEST(device_without_an_intermediate_language_says_so)
{
    char text[8] = "x";
    size_t size = 1;

    offer(false);
    ck_assert(!tf_program_il_support(1, &core.device));
    ck_assert_int_eq(ask(CL_DEVICE_IL_VERSION, sizeof(text), text, &size), CL_SUCCESS);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(ask(CL_DEVICE_ILS_WITH_VERSION, 0, NULL, &size), CL_SUCCESS);
    ck_assert_uint_eq(size, 0);
    for (cl_device_info what = 0x12b9; what <= 0x12bb; what++)
        ck_assert_int_eq(ask(what, 0, NULL, &size), CL_INVALID_VALUE);
}
END_TEST

START_TEST(device_lists_what_it_reads)
{
    cl_name_version versions[7];
    cl_uint capabilities[200];
    const char *names[50];
    char text[100];
    size_t size = 0;

    offer(true);
    ck_assert(tf_program_il_support(1, &core.device));
    ck_assert_int_eq(ask(CL_DEVICE_IL_VERSION, sizeof(text), text, &size), CL_SUCCESS);
    ck_assert_str_eq(text, "SPIR-V_1.6 SPIR-V_1.5 SPIR-V_1.4 SPIR-V_1.3 SPIR-V_1.2 "
                           "SPIR-V_1.1 SPIR-V_1.0");
    ck_assert_int_eq(ask(CL_DEVICE_ILS_WITH_VERSION, sizeof(versions), versions, &size),
                     CL_SUCCESS);
    ck_assert_uint_eq(size, sizeof(versions));
    ck_assert_str_eq(versions[0].name, "SPIR-V");
    ck_assert_uint_eq(versions[0].version, CL_MAKE_VERSION(1, 6, 0));
    ck_assert_uint_eq(versions[6].version, CL_MAKE_VERSION(1, 0, 0));
    ck_assert_int_eq(ask(0x12b9, sizeof(names), names, &size), CL_SUCCESS);
    ck_assert_uint_eq(size, sizeof(char *));
    ck_assert_str_eq(names[0], "OpenCL.std");
    ck_assert_int_eq(ask(0x12ba, sizeof(names), names, &size), CL_SUCCESS);
    ck_assert_uint_gt(size, sizeof(char *));
    tf_feature_put(&core.mock->caps.features, TF_FEATURE_cl_khr_fp16, false);
    ck_assert_int_eq(ask(0x12bb, sizeof(capabilities), capabilities, &size), CL_SUCCESS);
    ck_assert_uint_gt(size / sizeof(cl_uint), 10);
    for (size_t i = 0; i < size / sizeof(cl_uint); i++)
        ck_assert_uint_ne(capabilities[i], 9); // Float16
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("il");
    TCase *all = tcase_create("il");

    tcase_add_checked_fixture(all, begin, end);
    tcase_add_test(all, module_is_whole_in_any_alignment_and_order_of_bytes);
    tcase_add_test(all, what_is_no_module_is_refused);
    tcase_add_test(all, truncated_module_is_refused_unless_an_instruction_ends_there);
    tcase_add_test(all, constants_are_found_with_their_size);
    tcase_add_test(all, constants_are_checked_kept_and_given_to_builds);
    tcase_add_test(all, module_comes_back_as_it_was_given);
    tcase_add_test(all, running_out_of_memory_is_an_error_code);
    tcase_add_test(all, device_without_an_intermediate_language_says_so);
    tcase_add_test(all, device_lists_what_it_reads);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
