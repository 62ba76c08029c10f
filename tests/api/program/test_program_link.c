// SPDX-License-Identifier: MIT
// clCreateProgramWithBinary, clCompileProgram, clLinkProgram.
#include <string.h>

#include "api/program_rig.h"
#include "support/suite.h"

// ---- Binaries ----

START_TEST(binary_comes_back_as_a_program)
{
    cl_program prog = tf_api_program(source, NULL), again;
    cl_int status = 1, code = 1;
    char text[4];

    take_binary(prog);
    drop(prog);
    again = with_binary(binary, binary_bytes, &status, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(status, CL_SUCCESS);
    ck_assert_uint_eq(type_of(again), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    ck_assert_int_eq(clGetProgramInfo(again, CL_PROGRAM_SOURCE, sizeof(text), text, NULL),
                     CL_SUCCESS);
    ck_assert_str_eq(text, "");
    ck_assert_ptr_null(clCreateKernel(again, "set", &code));
    ck_assert_int_eq(code, CL_INVALID_PROGRAM_EXECUTABLE);
    ck_assert_int_eq(build(again, NULL), CL_SUCCESS);
    check_runs(again);
    ck_assert_int_eq(clCompileProgram(again, 0, NULL, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_INVALID_OPERATION);
    drop(again);
    free(binary);
}
END_TEST

START_TEST(damaged_binaries_are_refused)
{
    cl_program prog = tf_api_program(source, NULL);
    cl_int status, code;

    take_binary(prog);
    drop(prog);
    for (size_t i = 0; i < binary_bytes; i += 1 + binary_bytes / 200) {
        status = code = 1;
        binary[i] ^= 0x10;
        ck_assert_ptr_null(with_binary(binary, binary_bytes, &status, &code));
        ck_assert_int_eq(code, CL_INVALID_BINARY);
        ck_assert_int_eq(status, CL_INVALID_BINARY);
        binary[i] ^= 0x10;
        ck_assert_ptr_null(with_binary(binary, i + 1, NULL, &code));
        ck_assert_int_eq(code, CL_INVALID_BINARY);
    }
    free(binary);
}
END_TEST

START_TEST(binary_arguments_are_checked)
{
    const unsigned char *data = (const unsigned char *)"x", *none = NULL;
    const cl_device_id wrong = NULL, *device = &tf_api.device;
    const size_t size = 1, zero = 0;
    cl_int status = 1, code = 1;

    clCreateProgramWithBinary(NULL, 1, device, &size, &data, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clCreateProgramWithBinary(tf_api.ctx, 0, device, &size, &data, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBinary(tf_api.ctx, 1, NULL, &size, &data, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBinary(tf_api.ctx, 1, &wrong, &size, &data, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    clCreateProgramWithBinary(tf_api.ctx, 1, device, NULL, &data, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBinary(tf_api.ctx, 1, device, &size, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clCreateProgramWithBinary(tf_api.ctx, 1, device, &size, &none, &status, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_int_eq(status, CL_INVALID_VALUE);
    clCreateProgramWithBinary(tf_api.ctx, 1, device, &zero, &data, &status, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(with_binary(data, size, &status, &code));
    ck_assert_int_eq(code, CL_INVALID_BINARY);
}
END_TEST

// ---- Separate compilation ----

static cl_int compile(cl_program prog, cl_uint n, const cl_program *headers,
                      const char **names)
{
    return clCompileProgram(prog, 0, NULL, NULL, n, headers, names, NULL, NULL);
}

static cl_program link_all(const char *options, cl_uint n, const cl_program *inputs,
                           cl_int *code)
{
    return clLinkProgram(tf_api.ctx, 0, NULL, options, n, inputs, NULL, NULL, code);
}

START_TEST(parts_are_compiled_and_linked)
{
    cl_program header = make("int twice(int v);\n#define ONE 1\n");
    cl_program parts[2] = {make("#include \"dir/twice.h\"\n"
                                "kernel void set(global int *p, int v)"
                                "{ *p = twice(v) / 2 * ONE; }"),
                           make("int twice(int v) { return v + v; }")};
    const char *name = "dir/twice.h";
    cl_program whole, library;
    cl_int code = 1;

    ck_assert_int_eq(compile(parts[0], 0, NULL, NULL), CL_COMPILE_PROGRAM_FAILURE);
    ck_assert_int_eq(compile(parts[0], 1, &header, &name), CL_SUCCESS);
    ck_assert_uint_eq(type_of(parts[0]), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    ck_assert_int_eq(compile(parts[1], 0, NULL, NULL), CL_SUCCESS);

    whole = link_all(NULL, 2, parts, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(type_of(whole), CL_PROGRAM_BINARY_TYPE_EXECUTABLE);
    check_runs(whole);
    ck_assert_int_eq(build(whole, NULL), CL_INVALID_OPERATION);
    drop(whole);

    library = link_all("-create-library", 1, &parts[1], &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(type_of(library), CL_PROGRAM_BINARY_TYPE_LIBRARY);
    drop(parts[1]);
    parts[1] = library;
    whole = link_all(NULL, 2, parts, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    check_runs(whole);
    drop(whole);
    drop(library);
    drop(parts[0]);
    drop(header);
}
END_TEST

// A definition under a built-in's name reaches the calls of its own source only: neither
// those of other objects nor those of the built-ins themselves.
START_TEST(definitions_named_as_built_ins_stay_in_their_object)
{
    cl_program parts[2] = {
        make("float __attribute__((overloadable)) clamp(float x, float a, float b)\n"
             "{ return 1000; }\n"
             "int __attribute__((overloadable)) max(int a, int b) { return 2000; }\n"
             "float tf_clamp(float x) { return 3000; }\n"
             "float own(float x) { return clamp(x, 0.0f, 1.0f) + max(1, 2); }\n"),
        make(
            "float own(float x);\n"
            "kernel void set(global int *p, int v)\n"
            "{ *p = own(v) == 3000 && max(v, 1) == v && clamp(7.0f, 0.0f, 2.0f) == 2 &&\n"
            "       smoothstep(0.0f, 1.0f, 4.0f) == 1 ? v : 0; }\n")};
    cl_program whole, library;
    cl_int code = 1;

    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(compile(parts[i], 0, NULL, NULL), CL_SUCCESS);
    for (int first = 0; first < 2; first++) {
        const cl_program in_order[2] = {parts[first], parts[!first]};

        whole = link_all(NULL, 2, in_order, &code);
        ck_assert_int_eq(code, CL_SUCCESS);
        check_runs(whole);
        drop(whole);
    }
    library = link_all("-create-library", 1, &parts[0], &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    drop(parts[0]);
    parts[0] = library;
    whole = link_all(NULL, 2, parts, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    check_runs(whole);
    drop(whole);
    drop(library);
    drop(parts[1]);
}
END_TEST

START_TEST(compiled_object_travels_as_a_binary)
{
    cl_program part = make(source), again, whole;
    cl_int code;

    ck_assert_int_eq(compile(part, 0, NULL, NULL), CL_SUCCESS);
    take_binary(part);
    drop(part);
    again = with_binary(binary, binary_bytes, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_uint_eq(type_of(again), CL_PROGRAM_BINARY_TYPE_COMPILED_OBJECT);
    ck_assert_int_eq(build(again, NULL), CL_INVALID_BINARY);
    whole = link_all(NULL, 1, &again, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    check_runs(whole);
    drop(whole);
    drop(again);
    free(binary);
}
END_TEST

START_TEST(failed_link_hands_out_a_program_with_a_log)
{
    cl_program part = make("int missing(int);\n"
                           "kernel void set(global int *p, int v) { *p = missing(v); }");
    cl_program whole;
    cl_int code = 1;

    ck_assert_int_eq(compile(part, 0, NULL, NULL), CL_SUCCESS);
    whole = link_all(NULL, 1, &part, &code);
    ck_assert_int_eq(code, CL_LINK_PROGRAM_FAILURE);
    ck_assert_ptr_nonnull(whole);
    ck_assert_int_eq(status_of(whole), CL_BUILD_ERROR);
    ck_assert_ptr_nonnull(strstr(log_of(whole), "missing"));
    drop(whole);
    drop(part);
}
END_TEST

// C's names say nothing of types.
START_TEST(parts_that_disagree_about_a_function_are_told_so)
{
    cl_program parts[] = {
        make("float scale(float);\n"
             "kernel void set(global int *p, int v) { *p = scale(v); }"),
        make("int scale(int x) { return 2 * x; }")};
    cl_program whole;
    cl_int code = 1;

    ck_assert_int_eq(compile(parts[0], 0, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(compile(parts[1], 0, NULL, NULL), CL_SUCCESS);
    whole = link_all(NULL, 2, parts, &code);
    ck_assert_int_eq(code, CL_LINK_PROGRAM_FAILURE);
    ck_assert_ptr_nonnull(
        strstr(log_of(whole), "function 'scale' has other types where it is called"));
    drop(whole);
    drop(parts[0]);
    drop(parts[1]);
}
END_TEST

START_TEST(compile_arguments_are_checked)
{
    cl_program prog = make(source), header = make(""),
               foreign = make_in(tf_api.other_ctx, "");
    cl_program none = NULL, linked;
    cl_device_id device = tf_api.device, wrong = NULL;
    const char *name = "h", *no_name = NULL;
    cl_int code;

    ck_assert_int_eq(compile(NULL, 0, NULL, NULL), CL_INVALID_PROGRAM);
    ck_assert_int_eq(compile(prog, 1, NULL, &name), CL_INVALID_VALUE);
    ck_assert_int_eq(compile(prog, 1, &header, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(compile(prog, 0, &header, NULL), CL_INVALID_VALUE);
    ck_assert_int_eq(compile(prog, 0, NULL, &name), CL_INVALID_VALUE);
    ck_assert_int_eq(compile(prog, 1, &none, &name), CL_INVALID_PROGRAM);
    ck_assert_int_eq(compile(prog, 1, &foreign, &name), CL_INVALID_CONTEXT);
    ck_assert_int_eq(compile(prog, 1, &header, &no_name), CL_INVALID_VALUE);
    ck_assert_int_eq(clCompileProgram(prog, 0, &device, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCompileProgram(prog, 1, NULL, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCompileProgram(prog, 0, NULL, NULL, 0, NULL, NULL, NULL, &code),
                     CL_INVALID_VALUE);
    ck_assert_int_eq(clCompileProgram(prog, 1, &wrong, NULL, 0, NULL, NULL, NULL, NULL),
                     CL_INVALID_DEVICE);
    ck_assert_int_eq(
        clCompileProgram(prog, 0, NULL, "-no-such-option", 0, NULL, NULL, NULL, NULL),
        CL_INVALID_COMPILER_OPTIONS);
    ck_assert_int_eq(compile(prog, 0, NULL, NULL), CL_SUCCESS);
    linked = link_all(NULL, 1, &prog, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(compile(linked, 0, NULL, NULL), CL_INVALID_OPERATION);
    ck_assert_int_eq(compile(prog, 1, &linked, &name), CL_INVALID_OPERATION);
    drop(linked);
    drop(foreign);
    drop(header);
    drop(prog);
}
END_TEST

START_TEST(link_arguments_are_checked)
{
    cl_program prog = make(source), foreign = make_in(tf_api.other_ctx, ""), none = NULL;
    cl_program both[2] = {prog, make(source)};
    cl_device_id device = tf_api.device, wrong = NULL;
    cl_int code;

    ck_assert_int_eq(compile(prog, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_ptr_null(clLinkProgram(NULL, 0, NULL, NULL, 1, &prog, NULL, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clLinkProgram(tf_api.ctx, 0, &device, NULL, 1, &prog, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clLinkProgram(tf_api.ctx, 1, NULL, NULL, 1, &prog, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(link_all(NULL, 0, NULL, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(link_all(NULL, 0, &prog, &code));
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    ck_assert_ptr_null(link_all(NULL, 1, &none, &code));
    ck_assert_int_eq(code, CL_INVALID_PROGRAM);
    ck_assert_ptr_null(link_all(NULL, 1, &foreign, &code));
    ck_assert_int_eq(code, CL_INVALID_CONTEXT);
    clLinkProgram(tf_api.ctx, 0, NULL, NULL, 1, &prog, NULL, &code, &code);
    ck_assert_int_eq(code, CL_INVALID_VALUE);
    clLinkProgram(tf_api.ctx, 1, &wrong, NULL, 1, &prog, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_INVALID_DEVICE);
    ck_assert_ptr_null(link_all("-no-such-option", 1, &prog, &code));
    ck_assert_int_eq(code, CL_INVALID_LINKER_OPTIONS);
    ck_assert_ptr_null(link_all(NULL, 2, both, &code)); // the second is not compiled
    ck_assert_int_eq(code, CL_INVALID_OPERATION);
    drop(both[1]);
    drop(foreign);
    drop(prog);
}
END_TEST

START_TEST(compile_and_link_call_back)
{
    cl_program prog = make(source), linked;
    int one = 11, two = 12;
    cl_int code;

    ck_assert_int_eq(clCompileProgram(prog, 0, NULL, NULL, 0, NULL, NULL, on_built, &one),
                     CL_SUCCESS);
    wait_told(11);
    ck_assert_int_eq(told_status, CL_BUILD_SUCCESS);
    linked = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 1, &prog, on_built, &two, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    wait_told(12);
    ck_assert_int_eq(told_status, CL_BUILD_SUCCESS);
    check_runs(linked);
    drop(linked);
    drop(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("program_link");
    TCase *all = tcase_create("program_link");

    tcase_add_checked_fixture(all, tf_api_begin, tf_api_end);
    tcase_add_test(all, binary_comes_back_as_a_program);
    tcase_add_test(all, damaged_binaries_are_refused);
    tcase_add_test(all, binary_arguments_are_checked);
    tcase_add_test(all, parts_are_compiled_and_linked);
    tcase_add_test(all, definitions_named_as_built_ins_stay_in_their_object);
    tcase_add_test(all, compiled_object_travels_as_a_binary);
    tcase_add_test(all, failed_link_hands_out_a_program_with_a_log);
    tcase_add_test(all, parts_that_disagree_about_a_function_are_told_so);
    tcase_add_test(all, compile_arguments_are_checked);
    tcase_add_test(all, link_arguments_are_checked);
    tcase_add_test(all, compile_and_link_call_back);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
