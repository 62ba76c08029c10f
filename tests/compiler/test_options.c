// SPDX-License-Identifier: MIT
// Build and link options: which are legal, and what they do to the program.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "support/compiled_source.h"
#include "support/suite.h"

#define SOURCE "kernel void k(global float *p) { p[0] = p[1] * p[2] + 1.5; }\n"
// A program that compiles only if `condition` holds for the preprocessor.
#define REQUIRES(condition) "#if !(" condition ")\n#error not so\n#endif\n" SOURCE

static const char *const no_text[] = {NULL};

static const char *const legal[] = {
    "",
    "   ",
    "-D A",
    "-DA",
    "-D A=1",
    "-DA=1",
    "-D A=",
    "-D F(x)=x",
    "-D \"A=1 + 2\"",
    "-DA=\\\"text\\\"",
    "'-DA=1 2'",
    "-I /",
    "-I/",
    "-I \"/no such folder\"",
    "-I /no\\ such",
    "-cl-std=CL1.0",
    "-cl-std=CL1.1",
    "-cl-std=CL1.2",
    "-cl-std=CL3.0",
    "-cl-single-precision-constant",
    "-cl-denorms-are-zero",
    "-cl-fp32-correctly-rounded-divide-sqrt",
    "-cl-opt-disable",
    "-cl-strict-aliasing",
    "-cl-uniform-work-group-size",
    "-cl-no-subgroup-ifp",
    "-cl-mad-enable",
    "-cl-no-signed-zeros",
    "-cl-unsafe-math-optimizations",
    "-cl-finite-math-only",
    "-cl-fast-relaxed-math",
    "-w",
    "-Werror",
    "-g",
    "-gline-tables-only",
    "-gline-tables-only -g -cl-opt-disable",
    "-cl-kernel-arg-info",
    "-x cl",
    " -D A  -w\t-cl-mad-enable -D B=2 ",
    "-cl-opt-disable -g",
    "-cl-trefoil-report",
};

START_TEST(legal_option_builds)
{
    test_build_expect(SOURCE, legal[_i], TF_COMPILER_OK, no_text);
}
END_TEST

static const struct {
    const char *options, *named;
} illegal[] = {
    {"-foo", "'-foo'"},
    {"--", "'--'"},
    {"kernel.cl", "'kernel.cl'"},
    {"-cl-mad-enabled", "'-cl-mad-enabled'"},
    {"-cl-std=CL9.9", "'-cl-std=CL9.9'"},
    {"-cl-std=CL2.0", "'-cl-std=CL2.0'"},
    {"-cl-std=CL2.0", "needs __opencl_c_"},
    {"-cl-std=CLC++", "needs __opencl_c_"},
    {"-cl-std=CLC++2022", "'-cl-std=CLC++2022'"},
    {"-cl-std=cl3.0", "'-cl-std=cl3.0'"},
    {"-cl-std", "'-cl-std'"},
    {"-cl-std=", "'-cl-std='"},
    {"-D", "'-D'"},
    {"-I", "'-I'"},
    {"-D 1A", "'1A'"},
    {"-DA-B", "'A-B'"},
    {"-D \"A", "quote"},
    {"-create-library", "'-create-library'"},
    {"-enable-link-options", "'-enable-link-options'"},
    {"-x spir", "'spir'"},
    {"-Xclang -load", "'-Xclang'"},
    {"-o /tmp/x", "'-o'"},
    {"-include x", "'-include'"},
    {"-cl-ext=+all", "'-cl-ext=+all'"},
    {"-fplugin=x", "'-fplugin=x'"},
    {"-W", "'-W'"},
    {"-O3", "'-O3'"},
    {"@file", "'@file'"},
};

START_TEST(illegal_option_is_named)
{
    const char *const texts[] = {illegal[_i].named, NULL};

    test_build_expect(SOURCE, illegal[_i].options, TF_COMPILER_BAD_OPTIONS, texts);
}
END_TEST

static const struct {
    const char *options, *source;
} effects[] = {
    {"", REQUIRES("__OPENCL_C_VERSION__ == 120")},
    {"", REQUIRES("__OPENCL_VERSION__ == 310")},
    {"", REQUIRES("defined(__ENDIAN_LITTLE__)")},
    {"", REQUIRES("!defined(__IMAGE_SUPPORT__)")},
    {"", REQUIRES("!defined(__FAST_RELAXED_MATH__)")},
    {"", REQUIRES("CL_VERSION_1_2 == 120")},
    {"", REQUIRES("cl_khr_fp64 == 1 && cl_khr_byte_addressable_store == 1")},
    {"", REQUIRES("!defined(cl_khr_fp16) && !defined(cl_khr_gl_sharing)")},
    {"", REQUIRES("!defined(__opencl_c_fp64) && !defined(__opencl_c_int64)")},
    {"-cl-std=CL1.0", REQUIRES("__OPENCL_C_VERSION__ == 100")},
    {"-cl-std=CL1.1", REQUIRES("__OPENCL_C_VERSION__ == 110")},
    {"-cl-std=CL3.0", REQUIRES("__OPENCL_C_VERSION__ == 300")},
    {"-cl-std=CLC++2021",
     REQUIRES("__OPENCL_CPP_VERSION__ == 202100 && __CL_CPP_VERSION_2021__ == 202100 && "
              "!defined(__OPENCL_C_VERSION__) && __opencl_c_int64 == 1")},
    {"", REQUIRES("cl_ext_cxx_for_opencl == 1 && !defined(__cplusplus)")},
    {"-cl-std=CL3.0", REQUIRES("__opencl_c_int64 == 1 && __opencl_c_fp64 == 1")},
    {"-cl-std=CL3.0",
     REQUIRES("!defined(__opencl_c_images) && !defined(__opencl_c_pipes)")},
    {"-cl-std=CL1.1 -cl-std=CL3.0", REQUIRES("__OPENCL_C_VERSION__ == 300")},
    {"-cl-fast-relaxed-math", REQUIRES("defined(__FAST_RELAXED_MATH__)")},
    {"", "typedef char t[sizeof(1.0) == 8 ? 1 : -1];\n" SOURCE},
    {"-cl-single-precision-constant",
     "typedef char t[sizeof(1.0) == 4 ? 1 : -1];\n" SOURCE},
    {"-D A", REQUIRES("A == 1")},
    {"-DA=7", REQUIRES("A == 7")},
    {"-D A=7 -D A=8 -w", REQUIRES("A == 8")},
    {"-D \"A=3 + 4\"", REQUIRES("A == 7")},
    {"-DA=3\\ +\\ 4", REQUIRES("A == 7")},
    {"-DB='5 + 5' -DC", REQUIRES("B == 10 && C")},
    {"-D F(x)=(x+1)", REQUIRES("F(2) == 3")},
};

START_TEST(option_has_its_effect)
{
    test_build_expect(effects[_i].source, effects[_i].options, TF_COMPILER_OK, no_text);
}
END_TEST

START_TEST(version_3_1_needs_a_device_that_offers_it)
{
    struct tf_compiler_device device = test_device();
    struct test_build build;

    device.opencl_c_max = 310;
    device.device_version = 310;
    test_build(&build,
               REQUIRES("__OPENCL_C_VERSION__ == 310 && __OPENCL_VERSION__ == 310 && "
                        "CL_VERSION_3_1 == 310"),
               "-cl-std=CL3.1", &device);
    ck_assert_msg(build.status == TF_COMPILER_OK, "%s", build.log);
    test_build_finish(&build);
    test_build(&build, REQUIRES("__OPENCL_C_VERSION__ == 120 && CL_VERSION_3_1 == 310"),
               "", &device);
    ck_assert_msg(build.status == TF_COMPILER_OK, "%s", build.log);
    test_build_finish(&build);
}
END_TEST

// OpenCL C 2.0 has no feature macros: all of it, or none.
START_TEST(version_2_0_needs_all_its_features)
{
    struct tf_compiler_device device = test_device();
    struct test_build build;

    for (int f = 0; f < TF_FEATURE_COUNT; f++)
        if (tf_features[f].is_2_0)
            tf_feature_put(&device.features, f, true);
    test_build(&build, REQUIRES("__OPENCL_C_VERSION__ == 200 && CL_VERSION_2_0 == 200"),
               "-cl-std=CL2.0", &device);
    ck_assert_msg(build.status == TF_COMPILER_OK, "%s", build.log);
    test_build_finish(&build);
    // So does the C++ that contains it, but for blocks, which it leaves out.
    tf_feature_put(&device.features, TF_FEATURE_device_enqueue, false);
    test_build(&build, REQUIRES("__OPENCL_CPP_VERSION__ == 100"), "-cl-std=CLC++",
               &device);
    ck_assert_msg(build.status == TF_COMPILER_OK, "%s", build.log);
    test_build_finish(&build);
    tf_feature_put(&device.features, TF_FEATURE_cl_ext_cxx_for_opencl, false);
    test_build(&build, SOURCE, "-cl-std=CLC++2021", &device);
    ck_assert_int_eq(build.status, TF_COMPILER_BAD_OPTIONS);
    test_build_finish(&build);
}
END_TEST

START_TEST(warnings_become_errors_or_silence)
{
    static const char source[] =
        "kernel void k(global int *p) { int unused = p[0] == 1; 3; }";
    const char *const warning[] = {"warning: ", "kernel.cl:1:", NULL};
    const char *const error[] = {"error: ", NULL};
    struct test_build build;

    test_build_expect(source, "", TF_COMPILER_OK, warning);
    test_build_expect(source, "-Werror", TF_COMPILER_BAD_SOURCE, error);
    test_build(&build, source, "-w", NULL);
    ck_assert_int_eq(build.status, TF_COMPILER_OK);
    ck_assert_str_eq(build.compiled.log, "");
    test_build_finish(&build);
}
END_TEST

START_TEST(debug_options_mark_the_kernel)
{
    static const struct {
        const char *options;
        bool marked;
    } forms[] = {{"", false}, {"-g", true}, {"-cl-opt-disable", true}, {"-w", false}};

    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        struct test_build build;

        test_build(&build, SOURCE, forms[i].options, NULL);
        ck_assert_msg(build.status == TF_COMPILER_OK, "%s", build.log);
        ck_assert_int_eq((build.kernels[0].flags & TF_KERNEL_DEBUG_FORM) != 0,
                         forms[i].marked);
        test_build_finish(&build);
    }
}
END_TEST

// ---- options of the link

static enum tf_compiler_status link_with(const char *options, struct tf_link_out *out)
{
    const struct tf_compiler *const compiler = test_compiler();
    const struct tf_compiler_device device = test_device();
    const struct tf_compile_in in = {.source = SOURCE,
                                     .source_bytes = strlen(SOURCE),
                                     .options = "",
                                     .device = &device};
    struct tf_compile_out compiled;

    ck_assert_int_eq(compiler->compile(&in, &compiled), TF_COMPILER_OK);
    const struct tf_link_in link = {.modules = &compiled.bitcode,
                                    .module_count = 1,
                                    .options = options,
                                    .device = &device};
    const enum tf_compiler_status status = compiler->link(&link, out);
    compiler->release(compiled.bitcode.data);
    compiler->release(compiled.files.data);
    compiler->release(compiled.log);
    return status;
}

static void release_link(struct tf_link_out *out)
{
    test_compiler()->release(out->bitcode.data);
    test_compiler()->release(out->kernels.data);
    test_compiler()->release(out->log);
}

START_TEST(link_options)
{
    static const struct {
        const char *options;
        enum tf_compiler_status status;
    } cases[] = {
        {"", TF_COMPILER_OK},
        {"-create-library", TF_COMPILER_OK},
        {"-create-library -enable-link-options", TF_COMPILER_OK},
        {"-cl-fast-relaxed-math -cl-no-signed-zeros -cl-denorms-are-zero",
         TF_COMPILER_OK},
        {"-cl-unsafe-math-optimizations -cl-finite-math-only", TF_COMPILER_OK},
        {"-cl-no-signed-zeroes", TF_COMPILER_OK}, // so the list of linker options
        {"-enable-link-options", TF_COMPILER_BAD_OPTIONS},
        {"-D A", TF_COMPILER_BAD_OPTIONS},
        {"-cl-std=CL1.2", TF_COMPILER_BAD_OPTIONS},
        {"-w", TF_COMPILER_BAD_OPTIONS},
        {"-nonsense", TF_COMPILER_BAD_OPTIONS},
    };

    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct tf_link_out out;

        ck_assert_msg(link_with(cases[i].options, &out) == cases[i].status, "'%s': %s",
                      cases[i].options, out.log);
        release_link(&out);
    }
}
END_TEST

START_TEST(library_has_no_kernel_table)
{
    struct tf_link_out out;

    ck_assert_int_eq(link_with("-create-library", &out), TF_COMPILER_OK);
    ck_assert_ptr_nonnull(out.bitcode.data);
    ck_assert_ptr_null(out.kernels.data);
    release_link(&out);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("options");
    TCase *const all = tcase_create("all");

    tcase_set_timeout(all, 120);
    tcase_add_loop_test(all, legal_option_builds, 0, sizeof legal / sizeof *legal);
    tcase_add_loop_test(all, illegal_option_is_named, 0,
                        sizeof illegal / sizeof *illegal);
    tcase_add_loop_test(all, option_has_its_effect, 0, sizeof effects / sizeof *effects);
    tcase_add_test(all, version_3_1_needs_a_device_that_offers_it);
    tcase_add_test(all, version_2_0_needs_all_its_features);
    tcase_add_test(all, warnings_become_errors_or_silence);
    tcase_add_test(all, debug_options_mark_the_kernel);
    tcase_add_test(all, link_options);
    tcase_add_test(all, library_has_no_kernel_table);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
