// SPDX-License-Identifier: MIT
// Binaries of real programs, damaged in every byte and cut at every length: each is
// refused, none is crashed on.
#include <string.h>

#include "api/program_rig.h"
#include "support/suite.h"

static const char large[] =
    "kernel void set(global int *p, int v) { *p = v; }\n"
    "kernel void sum(global float4 *p, local float *l, float v)\n"
    "{\n"
    "    l[get_local_id(0)] = v;\n"
    "    barrier(CLK_LOCAL_MEM_FENCE);\n"
    "    for (int i = 0; i < (int)v; i++)\n"
    "        p[get_global_id(0)] += l[i] * (float4)(1, 2, 3, 4);\n"
    "}\n";

static cl_program compiled(void)
{
    cl_program prog = make(large);

    ck_assert_int_eq(clCompileProgram(prog, 0, NULL, "", 0, NULL, NULL, NULL, NULL),
                     CL_SUCCESS);
    return prog;
}

static void refuses(const unsigned char *data, size_t size)
{
    cl_int status = CL_SUCCESS, code = CL_SUCCESS;

    ck_assert_ptr_null(with_binary(data, size, &status, &code));
    ck_assert_int_eq(code, CL_INVALID_BINARY);
    ck_assert_int_eq(status, CL_INVALID_BINARY);
}

static void check_damage(void)
{
    for (size_t i = 0; i < binary_bytes; i++) {
        const unsigned char bit = (unsigned char)(1u << i % 8);

        binary[i] ^= bit;
        refuses(binary, binary_bytes);
        binary[i] ^= bit;
    }
    for (size_t size = 1; size < binary_bytes; size++)
        refuses(binary, size);
}

// A part of the binary replaced by another: what a broken disk or a bug leaves.
static void check_overwritten_parts(void)
{
    unsigned char *copy = malloc(binary_bytes);

    for (size_t part = 1; part < binary_bytes / 2; part *= 3) {
        for (size_t at = 0; at + 2 * part <= binary_bytes; at += binary_bytes / 10 + 1) {
            memcpy(copy, binary, binary_bytes);
            if (!memcmp(copy + at, binary + at + part, part))
                continue;
            memcpy(copy + at, binary + at + part, part);
            refuses(copy, binary_bytes);
        }
    }
    free(copy);
}

START_TEST(executable_is_refused_unless_whole)
{
    cl_program prog = tf_api_program(large, NULL), again;
    cl_int status = 1, code = 1;

    take_binary(prog);
    drop(prog);
    check_damage();
    check_overwritten_parts();
    again = with_binary(binary, binary_bytes, &status, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(status, CL_SUCCESS);
    ck_assert_int_eq(build(again, NULL), CL_SUCCESS);
    check_runs(again);
    drop(again);
    free(binary);
}
END_TEST

START_TEST(compiled_object_is_refused_unless_whole)
{
    cl_program prog = compiled(), again, linked;
    cl_int status = 1, code = 1;

    take_binary(prog);
    drop(prog);
    check_damage();
    again = with_binary(binary, binary_bytes, &status, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    linked = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 1, &again, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    check_runs(linked);
    drop(again);
    drop(linked);
    free(binary);
}
END_TEST

// Bitcode is a module of cl_khr_spir, which is read when it is built (test_spir).
START_TEST(other_files_are_refused)
{
    static const char *const texts[] = {"\177ELF\2\1\1", "TFOL\x1a",
                                        "kernel void set(global int *p) {}", "{}"};
    unsigned char block[4096];

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
        memset(block, 0, sizeof(block));
        memcpy(block, texts[i], strlen(texts[i]));
        refuses(block, strlen(texts[i]));
        refuses(block, sizeof(block));
    }
    memset(block, 0xff, sizeof(block));
    refuses(block, sizeof(block));
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("binary_fuzz");
    TCase *tests = tcase_create("binary_fuzz");

    tcase_set_timeout(tests, 300);
    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, executable_is_refused_unless_whole);
    tcase_add_test(tests, compiled_object_is_refused_unless_whole);
    tcase_add_test(tests, other_files_are_refused);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
