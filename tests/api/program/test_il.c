// SPDX-License-Identifier: MIT
// What a device without an intermediate language and without constructors answers.
#include "api/program_rig.h"
#include "support/suite.h"

static const cl_uint words[] = {0x07230203, 0x00010000};
static cl_int code;

START_TEST(no_device_reads_an_intermediate_language)
{
    ck_assert_ptr_null(clCreateProgramWithIL(tf_api.ctx, words, sizeof(words), &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    ck_assert_ptr_null(clCreateProgramWithILKHR(tf_api.ctx, words, sizeof(words), &code));
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    ck_assert_ptr_null(clCreateProgramWithIL(tf_api.ctx, words, sizeof(words), NULL));
}
END_TEST

START_TEST(arguments_are_checked_before)
{
    clCreateProgramWithIL(NULL, words, sizeof(words), &code);
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clCreateProgramWithIL((cl_context)(void *)tf_api.q, words, sizeof(words), &code);
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clCreateProgramWithIL(tf_api.ctx, NULL, sizeof(words), &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithIL(tf_api.ctx, words, 0, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
}
END_TEST

START_TEST(program_from_source_has_no_such_text)
{
    cl_program prog = make(source);
    const cl_uint value = 1;
    size_t size = 77;

    ck_assert_int_eq(clGetProgramInfo(prog, CL_PROGRAM_IL, 0, NULL, &size), CL_SUCCESS);
    ck_assert_uint_eq(size, 0);
    ck_assert_int_eq(clSetProgramSpecializationConstant(prog, 0, sizeof(value), &value),
                     CL_INVALID_PROGRAM);
    ck_assert_rejects(CL_INVALID_PROGRAM,
                      clSetProgramSpecializationConstant(bad, 0, sizeof(value), &value),
                      tf_api.q);
    drop(prog);
}
END_TEST

static void CL_CALLBACK never(cl_program prog, void *data)
{
    (void)prog, (void)data;
    ck_abort_msg("called");
}

START_TEST(program_objects_have_no_destructors)
{
    cl_program prog = make(source);

    ck_assert_int_eq(clSetProgramReleaseCallback(prog, never, NULL),
                     CL_INVALID_OPERATION);
    ck_assert_int_eq(clSetProgramReleaseCallback(prog, NULL, NULL), CL_INVALID_VALUE);
    ck_assert_rejects(CL_INVALID_PROGRAM, clSetProgramReleaseCallback(bad, never, NULL),
                      tf_api.q);
    drop(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("il");
    TCase *tests = tcase_create("il");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_test(tests, no_device_reads_an_intermediate_language);
    tcase_add_test(tests, arguments_are_checked_before);
    tcase_add_test(tests, program_from_source_has_no_such_text);
    tcase_add_test(tests, program_objects_have_no_destructors);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
