// SPDX-License-Identifier: MIT
// C++ for OpenCL: objects of program scope in programs of several parts, from binaries
// and from the cache; when constructors and destructors run, and what queries say of
// them.
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "api/program_rig.h"
#include "support/suite.h"

#define CXX "-cl-std=CLC++2021"

// Writes down who was constructed when; on its end where a kernel has said.
static const char header[] = "extern global int count;\n"
                             "extern global int made[8];\n"
                             "extern global int *gone;\n"
                             "struct noted {\n"
                             "    int id;\n"
                             "    noted(int i) : id(i) { made[count++] = id; }\n"
                             "    ~noted() { if (gone) gone[gone[0]++ + 1] = id; }\n"
                             "};\n";

static const char first_part[] =
    "global int count; global int made[8]; global int *gone;\n"
    "noted a(1), b(2);\n"
    "kernel void look(global int *out)\n"
    "{\n"
    "    for (int i = 0; i < 8; i++)\n"
    "        out[i] = made[i];\n"
    "}\n"
    "kernel void tell(global int *where) { gone = where; }\n";

static const char second_part[] =
    "noted c(3);\n"
    "noted d[2] = {4, 5};\n"
    "int in_function(int x) { static noted e(x); return e.id; }\n"
    "kernel void reach(global int *out) { *out = in_function(6); }\n";

static cl_program compiled(const char *text)
{
    char whole[4096];
    cl_program prog;

    snprintf(whole, sizeof(whole), "%s%s", header, text);
    prog = make(whole);
    ck_assert_int_eq(clCompileProgram(prog, 0, NULL, CXX, 0, NULL, NULL, NULL, NULL),
                     CL_SUCCESS);
    return prog;
}

static cl_program linked(void)
{
    cl_program parts[] = {compiled(first_part), compiled(second_part)};
    cl_int code;
    cl_program prog =
        clLinkProgram(tf_api.ctx, 0, NULL, NULL, 2, parts, NULL, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    drop(parts[0]);
    drop(parts[1]);
    return prog;
}

static void run(cl_program prog, const char *name, cl_int *svm)
{
    cl_kernel kernel = tf_api_kernel(prog, name);

    ck_assert_int_eq(clSetKernelArgSVMPointer(kernel, 0, svm), CL_SUCCESS);
    ck_assert_int_eq(clEnqueueTask(tf_api.q, kernel, 0, NULL, NULL), CL_SUCCESS);
    ck_assert_int_eq(clFinish(tf_api.q), CL_SUCCESS);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}

static cl_int *memory(void)
{
    cl_int *svm =
        clSVMAlloc(tf_api.ctx, CL_MEM_READ_WRITE | CL_MEM_SVM_FINE_GRAIN_BUFFER, 64, 0);

    ck_assert_ptr_nonnull(svm);
    memset(svm, 0, 64);
    return svm;
}

static void check_made(cl_program prog, int last)
{
    cl_int *svm = memory();

    run(prog, "look", svm);
    for (int i = 0; i < 8; i++)
        ck_assert_int_eq(svm[i], i < last ? i + 1 : 0);
    clSVMFree(tf_api.ctx, svm);
}

// Drops the program and expects destructors of `last` down to 1.
static void check_gone(cl_program prog, int last)
{
    cl_int *svm = memory();

    run(prog, "tell", svm);
    ck_assert_int_eq(svm[0], 0);
    drop(prog);
    ck_assert_int_eq(svm[0], last);
    for (int i = 0; i < last; i++)
        ck_assert_int_eq(svm[i + 1], last - i);
    clSVMFree(tf_api.ctx, svm);
}

START_TEST(parts_are_constructed_in_their_order)
{
    cl_program prog = linked();

    check_made(prog, 5);
    check_made(prog, 5); // once
    check_gone(prog, 5);
}
END_TEST

START_TEST(variable_of_a_function_is_made_when_it_is_reached)
{
    cl_program prog = linked();
    cl_int *svm = memory();

    check_made(prog, 5);
    run(prog, "reach", svm);
    ck_assert_int_eq(*svm, 6);
    run(prog, "reach", svm);
    check_made(prog, 6);
    check_gone(prog, 6);
    clSVMFree(tf_api.ctx, svm);
}
END_TEST

START_TEST(binaries_construct_anew)
{
    cl_program prog = linked(), again;
    cl_int status, code;

    check_made(prog, 5);
    take_binary(prog);
    again = with_binary(binary, binary_bytes, &status, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    ck_assert_int_eq(build(again, NULL), CL_SUCCESS);
    check_made(again, 5);
    check_gone(again, 5);
    check_gone(prog, 5);
    free(binary);
}
END_TEST

START_TEST(destructors_wait_for_the_last_kernel)
{
    cl_program prog = linked();
    cl_kernel kernel = tf_api_kernel(prog, "look");
    cl_int *svm = memory();

    run(prog, "tell", svm);
    drop(prog);
    ck_assert_int_eq(svm[0], 0);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
    ck_assert_int_eq(svm[0], 5);
    clSVMFree(tf_api.ctx, svm);
}
END_TEST

// Nothing was constructed: there is nothing to destroy.
START_TEST(program_that_never_ran_just_goes)
{
    cl_program prog = linked();

    drop(prog);
}
END_TEST

static cl_bool has(cl_program prog, cl_program_info what)
{
    cl_bool answer = 2;

    ck_assert_int_eq(clGetProgramInfo(prog, what, sizeof(answer), &answer, NULL),
                     CL_SUCCESS);
    return answer;
}

START_TEST(queries_tell_of_constructors_and_hide_their_kernels)
{
    cl_program prog = linked();
    cl_program plain = tf_api_program("struct s { int x; s() : x(1) {} };\n"
                                      "kernel void k(global int *p) { *p = s().x; }\n",
                                      CXX);
    cl_kernel kernels[8];
    char names[256];
    cl_version version = 0;
    size_t count = 0;
    cl_uint made = 0;
    cl_int code;

    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_NUM_KERNELS, sizeof(count), &count, NULL),
        CL_SUCCESS);
    ck_assert_uint_eq(count, 3);
    ck_assert_int_eq(
        clGetProgramInfo(prog, CL_PROGRAM_KERNEL_NAMES, sizeof(names), names, NULL),
        CL_SUCCESS);
    ck_assert_ptr_null(strstr(names, "construct"));
    ck_assert_ptr_null(clCreateKernel(prog, "trefoil.construct", &code));
    ck_assert_int_eq(code, CL_INVALID_KERNEL_NAME);
    ck_assert_int_eq(clCreateKernelsInProgram(prog, 8, kernels, &made), CL_SUCCESS);
    ck_assert_uint_eq(made, 3);
    for (cl_uint i = 0; i < made; i++)
        clReleaseKernel(kernels[i]);
    ck_assert_uint_eq(has(prog, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), CL_TRUE);
    ck_assert_uint_eq(has(prog, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT), CL_TRUE);
    ck_assert_uint_eq(has(plain, CL_PROGRAM_SCOPE_GLOBAL_CTORS_PRESENT), CL_FALSE);
    ck_assert_uint_eq(has(plain, CL_PROGRAM_SCOPE_GLOBAL_DTORS_PRESENT), CL_FALSE);
    ck_assert_int_eq(clGetDeviceInfo(tf_api.device,
                                     CL_DEVICE_CXX_FOR_OPENCL_NUMERIC_VERSION_EXT,
                                     sizeof(version), &version, NULL),
                     CL_SUCCESS);
    ck_assert_uint_eq(version, CL_MAKE_VERSION(1, 0, 0));
    drop(prog);
    drop(plain);
}
END_TEST

// What a constructor leaves behind, an OpenCL C part of the program may use.
START_TEST(parts_in_c_and_cxx_link)
{
    static const char cxx[] = "struct s { int x; s() : x(42) {} } object;\n"
                              "extern \"C\" int value() { return object.x; }\n";
    static const char c[] = "int value(void);\n"
                            "kernel void k(global int *p) { *p = value(); }\n";
    cl_program parts[] = {make(c), make(cxx)}, prog;
    cl_int *svm = memory();
    cl_int code;

    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(clCompileProgram(parts[i], 0, NULL, i ? CXX : "-cl-std=CL3.0", 0,
                                          NULL, NULL, NULL, NULL),
                         CL_SUCCESS);
    prog = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    run(prog, "k", svm);
    ck_assert_int_eq(*svm, 42);
    drop(parts[0]);
    drop(parts[1]);
    drop(prog);
    clSVMFree(tf_api.ctx, svm);
}
END_TEST

// A library of parts keeps the list until the program is whole.
START_TEST(libraries_pass_constructors_on)
{
    cl_program parts[] = {compiled(first_part), compiled(second_part)}, library, prog;
    cl_int code;

    library = clLinkProgram(tf_api.ctx, 0, NULL, "-create-library", 2, parts, NULL, NULL,
                            &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    prog = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 1, &library, NULL, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    check_made(prog, 5);
    check_gone(prog, 5);
    drop(parts[0]);
    drop(parts[1]);
    drop(library);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("cxx_program");
    TCase *tcase = tcase_create("cxx_program");

    tcase_add_checked_fixture(tcase, tf_api_begin, tf_api_end);
    tcase_add_test(tcase, parts_are_constructed_in_their_order);
    tcase_add_test(tcase, variable_of_a_function_is_made_when_it_is_reached);
    tcase_add_test(tcase, binaries_construct_anew);
    tcase_add_test(tcase, destructors_wait_for_the_last_kernel);
    tcase_add_test(tcase, program_that_never_ran_just_goes);
    tcase_add_test(tcase, queries_tell_of_constructors_and_hide_their_kernels);
    tcase_add_test(tcase, parts_in_c_and_cxx_link);
    tcase_add_test(tcase, libraries_pass_constructors_on);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
