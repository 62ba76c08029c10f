// SPDX-License-Identifier: MIT
// Programs of several parts: embedded headers, compiled objects linked together,
// libraries, and functions of the program that bear the names of built-ins.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "support/compiled_kernel.h"
#include "support/compiled_source.h"
#include "support/suite.h"

static enum tf_compiler_status compile(const char *source, const char *options,
                                       const struct tf_compiler_header *headers,
                                       size_t count, struct tf_compile_out *out)
{
    const struct tf_compiler_device device = test_device();
    const struct tf_compile_in in = {.source = source,
                                     .source_bytes = strlen(source),
                                     .options = options,
                                     .headers = headers,
                                     .header_count = count,
                                     .device = &device};

    return test_compiler()->compile(&in, out);
}

static void release_compiled(struct tf_compile_out *out)
{
    test_compiler()->release(out->bitcode.data);
    test_compiler()->release(out->log);
}

static void release_linked(struct tf_link_out *out)
{
    test_compiler()->release(out->bitcode.data);
    test_compiler()->release(out->kernels.data);
    test_compiler()->release(out->log);
}

START_TEST(embedded_headers_are_found)
{
    // Not terminated by 0: the bytes after text_bytes must not be read.
    static const char one[] =
        "#include \"sub/two.h\"\n#define ONE TWO\n#error behind the end";
    static const char two[] = "#define TWO 2\n";
    const struct tf_compiler_header headers[] = {
        {"one.h", one, strlen("#include \"sub/two.h\"\n#define ONE TWO\n")},
        {"sub/two.h", two, strlen(two)}};
    struct tf_compile_out out;

    ck_assert_msg(compile("#include \"one.h\"\n#include <sub/two.h>\n"
                          "kernel void k(global int *p) { p[0] = ONE; }\n",
                          "", headers, 2, &out) == TF_COMPILER_OK,
                  "%s", out.log);
    release_compiled(&out);
    ck_assert_int_eq(compile("#include \"three.h\"\n", "", headers, 2, &out),
                     TF_COMPILER_BAD_SOURCE);
    ck_assert_ptr_nonnull(strstr(out.log, "kernel.cl:1:10: fatal error: 'three.h'"));
    release_compiled(&out);
}
END_TEST

START_TEST(error_in_a_header_names_it)
{
    const struct tf_compiler_header header = {"bad.h", "\n  int x = ;\n", 12};
    struct tf_compile_out out;

    ck_assert_int_eq(compile("#include \"bad.h\"\n", "", &header, 1, &out),
                     TF_COMPILER_BAD_SOURCE);
    ck_assert_ptr_nonnull(strstr(out.log, "bad.h:2:11: error: "));
    release_compiled(&out);
}
END_TEST

START_TEST(objects_link_together)
{
    const struct tf_compiler_device device = test_device();
    struct tf_compile_out parts[3];
    struct tf_link_out out;
    struct tf_link_in in = {.options = "", .device = &device};

    ck_assert_int_eq(
        compile("int twice(int a) { return 2 * a; }\n", "", NULL, 0, &parts[0]),
        TF_COMPILER_OK);
    ck_assert_int_eq(compile("int twice(int);\n"
                             "kernel void k(global int *p) { p[0] = twice(p[1]); }\n",
                             "-cl-std=CL3.0", NULL, 0, &parts[1]),
                     TF_COMPILER_OK);
    ck_assert_int_eq(
        compile("int twice(int a) { return a + a; }\n", "", NULL, 0, &parts[2]),
        TF_COMPILER_OK);
    const struct tf_compiler_bytes modules[] = {parts[1].bitcode, parts[0].bitcode,
                                                parts[2].bitcode};
    in.modules = modules;
    in.module_count = 2;
    ck_assert_msg(test_compiler()->link(&in, &out) == TF_COMPILER_OK, "%s", out.log);
    ck_assert_uint_gt(out.kernels.bytes, 0);
    release_linked(&out);

    in.module_count = 1; // nobody defines twice()
    ck_assert_int_eq(test_compiler()->link(&in, &out), TF_COMPILER_BAD_SOURCE);
    ck_assert_ptr_nonnull(strstr(out.log, "undefined function 'twice'"));
    release_linked(&out);

    in.module_count = 3; // two do
    ck_assert_int_eq(test_compiler()->link(&in, &out), TF_COMPILER_BAD_SOURCE);
    ck_assert_ptr_nonnull(strstr(out.log, "twice"));
    release_linked(&out);
    for (int i = 0; i < 3; i++)
        release_compiled(&parts[i]);
}
END_TEST

// Of a header that both include. The second may be built without optimization, the first
// with it: weak and available functions of one name meet.
START_TEST(parts_bring_the_same_inline_function)
{
    static const char *const options[] = {"", "-cl-opt-disable", "-g"};
    const struct tf_compiler_device device = test_device();
    struct tf_compile_out parts[2];
    struct tf_link_out out;
    struct tf_link_in in = {.options = "", .device = &device, .module_count = 2};

    ck_assert_int_eq(compile("inline int twice(int a) { return 2 * a; }\n"
                             "int other(int a) { return twice(a) + 1; }\n",
                             options[_i % 3], NULL, 0, &parts[0]),
                     TF_COMPILER_OK);
    ck_assert_int_eq(
        compile("inline int twice(int a) { return 2 * a; }\n"
                "int other(int);\n"
                "kernel void k(global int *p) { p[0] = twice(p[1]) + other(p[2]); }\n",
                options[_i / 3], NULL, 0, &parts[1]),
        TF_COMPILER_OK);
    const struct tf_compiler_bytes modules[] = {parts[0].bitcode, parts[1].bitcode};
    in.modules = modules;
    ck_assert_msg(test_compiler()->link(&in, &out) == TF_COMPILER_OK, "%s", out.log);
    release_linked(&out);
    for (int i = 0; i < 2; i++)
        release_compiled(&parts[i]);
}
END_TEST

START_TEST(library_links_into_a_program)
{
    const struct tf_compiler_device device = test_device();
    struct tf_compile_out inner, outer;
    struct tf_link_out library, program;
    struct tf_link_in in = {
        .module_count = 1, .options = "-create-library", .device = &device};

    ck_assert_int_eq(
        compile("float g(float);\nfloat f(float a) { return clamp(g(a), 0.f, 1.f); }\n",
                "", NULL, 0, &inner),
        TF_COMPILER_OK);
    in.modules = &inner.bitcode;
    in.create_library = true;
    ck_assert_msg(test_compiler()->link(&in, &library) == TF_COMPILER_OK, "%s",
                  library.log);
    ck_assert_int_eq(compile("float f(float);\nfloat g(float a) { return a * 2; }\n"
                             "kernel void k(global float *p) { p[0] = f(p[1]); }\n",
                             "", NULL, 0, &outer),
                     TF_COMPILER_OK);
    const struct tf_compiler_bytes modules[] = {outer.bitcode, library.bitcode};
    in = (struct tf_link_in){
        .modules = modules, .module_count = 2, .options = "", .device = &device};
    ck_assert_msg(test_compiler()->link(&in, &program) == TF_COMPILER_OK, "%s",
                  program.log);
    release_linked(&program);
    release_linked(&library);
    release_compiled(&inner);
    release_compiled(&outer);
}
END_TEST

static void run_one(const char *source, float *values)
{
    const struct test_variant variant = {
        .form = TF_WG_AUTO, .cpu = "x86-64", .vector_bits = 128};
    const struct test_range range = {.work_dim = 1, .global = {1}, .local = {1}};
    struct test_program program;
    struct test_kernel kernel;

    test_program_build(&program, source, "");
    test_kernel_generate(&kernel, &program, "k", &variant);
    test_kernel_arg(&kernel, 0, sizeof values, &values);
    test_kernel_run(&kernel, &range);
    test_kernel_finish(&kernel);
    test_program_finish(&program);
}

// smoothstep is made of clamp in the library.
START_TEST(own_clamp_changes_own_calls_only)
{
    float values[8] = {0.25f, 0, 1, 0, 0, 0, 0, 0};

    run_one("float __attribute__((overloadable)) clamp(float a, float b, float c)\n"
            "{ return 42.0f; }\n"
            "kernel void k(global float *p) {\n"
            "  p[3] = clamp(p[0], p[1], p[2]);\n"
            "  p[4] = smoothstep(p[1], p[2], p[0]);\n"
            "}\n",
            values);
    ck_assert(values[3] == 42.0f);
    ck_assert(values[4] == 0.15625f); // t * t * (3 - 2 * t)
}
END_TEST

START_TEST(own_overload_joins_the_built_in_ones)
{
    float values[8] = {0.25f, 0, 1, 0, 0, 0, 0, 0};

    run_one("typedef struct { float re, im; } complex;\n"
            "#define OVER __attribute__((overloadable))\n"
            "static float OVER clamp(float a, float b, float c) { return 42.0f; }\n"
            "complex fabs(complex) OVER;\n"
            "complex OVER fabs(complex a) { a.re = fabs(a.re); return a; }\n"
            "int OVER clamp(int a, int b, int c) { return 7; }\n"
            "static float4 OVER clamp(float4 a, float4 b, float4 c) { return 8.0f; }\n"
            "float OVER max(complex a) { return max(a.re, a.im); }\n"
            "kernel void k(global float *p) {\n"
            "  complex z = {-3.0f, 2.0f};\n"
            "  p[3] = clamp(p[0], p[1], p[2]);\n"
            "  p[4] = clamp((float2)(p[0] + 7), (float2)(p[1]), (float2)(p[2])).x;\n"
            "  p[5] = clamp(9, 1, 3) + clamp(9u, 1u, 3u) + clamp((float4)0, (float4)0, "
            "(float4)0).y;\n"
            "  p[6] = fabs(z).re;\n"
            "  p[7] = max(z) + max(3, 4);\n"
            "}\n",
            values);
    ck_assert(values[3] == 42.0f && values[4] == 1.0f && values[5] == 18.0f);
    ck_assert(values[6] == 3.0f && values[7] == 6.0f);
}
END_TEST

START_TEST(plain_function_may_have_any_name)
{
    float values[4] = {3, 0, 0, 0};

    run_one("static float memcpy(float a) { return a + 1; }\n"
            "float sinf(float a) { return a + 2; }\n"
            "float malloc(float a) { return a + 3; }\n"
            "kernel void k(global float *p) {\n"
            "  p[1] = memcpy(p[0]); p[2] = sinf(p[0]); p[3] = malloc(p[0]); }\n",
            values);
    ck_assert(values[1] == 4.0f && values[2] == 5.0f && values[3] == 6.0f);
}
END_TEST

START_TEST(noinline_functions_and_called_kernels_run)
{
    float values[4] = {3, 0, 0, 0};

    run_one(
        "__attribute__((noinline)) float f(float a) { return a * 2; }\n"
        "__attribute__((optnone, noinline)) float g(float a) { return a * 3; }\n"
        "kernel void inner(global float *p) { p[3] = f(g(p[0])); }\n"
        "kernel void k(global float *p) { p[1] = f(p[0]); p[2] = g(p[0]); inner(p); }\n",
        values);
    ck_assert(values[1] == 6.0f && values[2] == 9.0f && values[3] == 18.0f);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("program_parts");
    TCase *const all = tcase_create("all");

    tcase_set_timeout(all, 120);
    tcase_add_test(all, embedded_headers_are_found);
    tcase_add_test(all, error_in_a_header_names_it);
    tcase_add_test(all, objects_link_together);
    tcase_add_loop_test(all, parts_bring_the_same_inline_function, 0, 9);
    tcase_add_test(all, library_links_into_a_program);
    tcase_add_test(all, own_clamp_changes_own_calls_only);
    tcase_add_test(all, own_overload_joins_the_built_in_ones);
    tcase_add_test(all, plain_function_may_have_any_name);
    tcase_add_test(all, noinline_functions_and_called_kernels_run);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
