// SPDX-License-Identifier: MIT
// Programs that are wrong or mean harm: each ends with a status and a position, and the
// process lives on.
#include <check.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/str.h"
#include "support/compiled_source.h"
#include "support/suite.h"

#define KERNEL(body) "kernel void k(global int *p) { " body " }\n"

static const struct {
    const char *source;
    const char *texts[4];
} wrong[] = {
    // The source is at fault.
    {"kernel void k(global int *p)\n{\n  p[0] = q;\n}\n",
     {"kernel.cl:3:10: error: ", "'q'"}},
    {"#error stop\n", {"kernel.cl:1:2: error: stop"}},
    {KERNEL("foo(3);"), {"kernel.cl:1:32: error: ", "foo"}},
    {"#include \"kernel.cl\"\n", {"kernel.cl:1:10: error: #include nested too deeply"}},
    {"#include __FILE__\n", {"kernel.cl:1:10: error: #include nested too deeply"}},
    {"#include \"no/such.h\"\n",
     {"kernel.cl:1:10: fatal error: 'no/such.h' file not found"}},
    {"#define A(x) A(x) A(x)\n#define B B B\n" KERNEL("B A(1)"),
     {"kernel.cl:3:32: error: "}},
    // Calls of what is not there.
    {"void exit(int);\n" KERNEL("exit(3);"),
     {"kernel.cl:2:32: error: ", "'exit'", "'k'"}},
    {"int system(const char *);\nvoid g(void) {\n system((const char *)0); }\n" KERNEL(
         "g();"),
     {"kernel.cl:3:2: error: ", "'system'", "'k'"}},
    {KERNEL("p[0] = (int)(long)__builtin_malloc(8);"), {"kernel.cl:1:", "'malloc'"}},
    {KERNEL("__builtin_trap();"), {"kernel.cl:1:32: error: ", "llvm.trap"}},
    {KERNEL("__builtin_debugtrap();"), {"kernel.cl:1:32: error: ", "llvm.debugtrap"}},
    {"extern constant int z;\n" KERNEL("p[0] = z;"), {"kernel.cl:2:39: error: ", "'z'"}},
    // Names that are ours, and assembly.
    {"void __tf_barrier(void);\n" KERNEL("__tf_barrier();"),
     {"kernel.cl:2:32: error: ", "'__tf_barrier'"}},
    {"int __tf_b_x(int a) { return a; }\n", {"kernel.cl:1:1: error: ", "'__tf_b_x'"}},
    {"void f(void) __asm__(\"__tf_barrier\");\n" KERNEL("f();"),
     {"kernel.cl:1:14: error: inline assembly is not supported"}},
    {"void f(void) __asm__(\"llvm.trap\");\n" KERNEL("f();"),
     {"kernel.cl:1:14: error: "}},
    {KERNEL("__asm__ volatile(\"int3\");"),
     {"kernel.cl:1:32: error: inline assembly is not supported"}},
    {"__asm__(\".globl x\");\n" KERNEL(""),
     {"kernel.cl:1:1: error: inline assembly is not supported"}},
    {"int f(int a) { return a; }\nint g(int) __attribute__((alias(\"f\")));\n",
     {"error: aliases of functions are not supported"}},
    {"__attribute__((constructor)) void f(void) {}\n",
     {"error: constructor functions are not supported"}},
    // Without a bound.
    {KERNEL("p[1] = (int)(long)__builtin_alloca(p[0]);"),
     {"kernel.cl:1:", "error: memory of variable size"}},
    {KERNEL("int n = p[0]; int a[n]; a[0] = 1;"),
     {"kernel.cl:1:", "error: variable length"}},
    {KERNEL("local int t[100000]; t[p[0]] = 1; p[1] = t[p[2]];"),
     {"kernel.cl:1:1: error: ", "local memory"}},
    {KERNEL("local int t[1L << 40]; t[p[0]] = 1; p[1] = t[p[2]];"),
     {"error: ", "local memory"}},
    {"kernel __attribute__((reqd_work_group_size(4096, 4096, 1))) void k(global int *p) "
     "{ }\n",
     {"kernel.cl:1:1: error: ", "work-group size"}},
    {"struct e {};\nkernel void k(struct e x, global int *p) { p[0] = 1; }\n",
     {"kernel.cl:2:1: error: argument 'x'", "'struct e'"}},
};

START_TEST(wrong_program_is_refused_with_a_position)
{
    test_build_expect(wrong[_i].source, "", TF_COMPILER_BAD_SOURCE, wrong[_i].texts);
}
END_TEST

static const char *const crashing_pragmas[] = {"assert",           "crash",
                                               "parser_crash",     "dump p",
                                               "llvm_fatal_error", "handle_crash",
                                               "captured",         "llvm_unreachable",
                                               "overflow_stack",   "llvm_report_fatal"};

START_TEST(debugging_pragma_does_not_crash)
{
    struct test_build build;
    char source[200];

    snprintf(source, sizeof source, "#pragma clang __debug %s\n" KERNEL("p[0] = 1;"),
             crashing_pragmas[_i]);
    test_build(&build, source, "", NULL);
    ck_assert(build.status == TF_COMPILER_OK || build.status == TF_COMPILER_BAD_SOURCE);
    test_build_finish(&build);
}
END_TEST

// before + part * count + middle + after * count + end
static const struct {
    const char *before, *part;
    unsigned count;
    const char *middle, *after, *end, *text;
} deep[] = {
    {"kernel void k(global int *p) { p[0] = ", "(", 300, "1", ")", "; }",
     "bracket nesting"},
    {"kernel void k(global int *p) { p[0] = ", "- ", 500000, "1", "", "; }",
     "too deeply"},
    {"kernel void k(global int *p) { p[0] = ", "(int)", 100000, "1", "", "; }",
     "too deeply"},
    {"kernel void k(global int *p) { p[0] = ", "1+", 400000, "1", "", "; }", "too long"},
    {"kernel void k(global int *p) { ", "p[0] = ", 200000, "1", "", "; }", "too deeply"},
    {"kernel void k(global int *p) { p[0] = ", "p[1] ? 1 : ", 100000, "1", "", "; }",
     "too deeply"},
    {"kernel void k(global int *p) { ", "p[0], ", 200000, "p[0] = 1", "", "; }",
     "too long"},
    {"kernel void k(global int *p) { if (p[0]) p[0] = 1; ", "else if (p[0]) p[0] = 1; ",
     100000, "", "", "}", "too deeply"},
    {"kernel void k(global int *p) { ", "for (;;) ", 200000, ";", "", "}", "too deeply"},
    {"kernel void k(global int *p) { ", "{", 10000, "", "}", "}", "bracket nesting"},
    {"typedef int ", "*", 200000, "t", "", ";", "too deeply"},
};

START_TEST(deep_program_is_refused)
{
    const char *const texts[] = {"kernel.cl:1:", "error: ", deep[_i].text, NULL};
    struct tf_str source = {0};

    tf_str_add(&source, deep[_i].before);
    for (unsigned i = 0; i < deep[_i].count; i++)
        tf_str_add(&source, deep[_i].part);
    tf_str_add(&source, deep[_i].middle);
    for (unsigned i = 0; i < deep[_i].count; i++)
        tf_str_add(&source, deep[_i].after);
    tf_str_add(&source, deep[_i].end);
    ck_assert(!source.failed);
    test_build_expect(source.text, "-w", TF_COMPILER_BAD_SOURCE, texts);
    tf_str_finish(&source);
}
END_TEST

START_TEST(macros_that_double_are_refused)
{
    const char *const texts[] = {"kernel.cl:", "error: ", NULL};
    struct tf_str source = {0};

    tf_str_add(&source, "#define A0 + p[0]\n");
    for (int i = 0; i < 40; i++)
        tf_str_printf(&source, "#define A%d A%d A%d\n", i + 1, i, i);
    tf_str_add(&source, KERNEL("p[0] = 1 A40;"));
    test_build_expect(source.text, "", TF_COMPILER_BAD_SOURCE, texts);
    tf_str_finish(&source);
}
END_TEST

// The job is left here and its memory lost, which the leak checker would report.
#ifndef __SANITIZE_ADDRESS__
START_TEST(macro_arguments_that_double_are_refused)
{
    const char *const texts[] = {"too much memory", NULL};
    struct tf_str source = {0};

    tf_str_add(&source, "#define D(x) x x\nkernel void k(global int *p) { p[0] = 1 ");
    for (int i = 0; i < 35; i++)
        tf_str_add(&source, "D(");
    tf_str_add(&source, "+ p[0]");
    for (int i = 0; i < 35; i++)
        tf_str_add(&source, ")");
    tf_str_add(&source, "; }");
    test_build_expect(source.text, "", TF_COMPILER_BAD_SOURCE, texts);
    tf_str_finish(&source);
}
END_TEST
#endif

// Each of 40 functions calls the one before it twice.
static void check_doubling(const char *first, int status, const char *text)
{
    const char *const texts[] = {text, NULL};
    struct tf_str source = {0};

    tf_str_printf(&source, "int f0(int a) { %s return a * a; }\n", first);
    for (int i = 1; i < 40; i++)
        tf_str_printf(&source, "int f%d(int a) { return f%d(a) * f%d(a + 1); }\n", i,
                      i - 1, i - 1);
    tf_str_add(&source, KERNEL("p[0] = f39(p[1]);"));
    test_build_expect(source.text, "", status, texts);
    tf_str_finish(&source);
}

START_TEST(calls_that_double_are_not_copied)
{
    check_doubling("", TF_COMPILER_OK, NULL);
}
END_TEST

// What has barriers is inlined.
START_TEST(barriers_in_calls_that_double_are_refused)
{
    check_doubling("barrier(CLK_LOCAL_MEM_FENCE);", TF_COMPILER_BAD_SOURCE, "too large");
}
END_TEST

// Each function calls the next and another one, the last the first.
static void check_circle(int functions, int status, const char *text)
{
    const char *const texts[] = {text, NULL};
    struct tf_str source = {0};

    for (int i = 0; i < functions; i++)
        tf_str_printf(&source, "int f%d(int a);\n", i);
    for (int i = 0; i < functions; i++)
        tf_str_printf(
            &source,
            "int f%d(int a) { return a < 1 ? %d : f%d(a - 1) * 3 + f%d(a - 2); }\n", i, i,
            (i + 1) % functions, (i * 7 + 3) % functions);
    tf_str_add(&source, KERNEL("p[0] = f0(p[1]);"));
    test_build_expect(source.text, "", status, texts);
    tf_str_finish(&source);
}

START_TEST(large_circles_of_calls_are_refused)
{
    check_circle(100, TF_COMPILER_OK, NULL);
    check_circle(1000, TF_COMPILER_BAD_SOURCE,
                 "functions call each other in a circle, more than 256");
}
END_TEST

// Large, but what programs do.
START_TEST(large_program_builds)
{
    const char *const texts[] = {NULL};
    struct tf_str source = {0};

    tf_str_add(&source, "constant int t[] = {");
    for (int i = 0; i < 300000; i++)
        tf_str_printf(&source, "%d,", i);
    tf_str_add(&source,
               "};\nkernel void k(global int *p) { p[0] = t[p[1]]; switch (p[2]) {");
    for (int i = 0; i < 2000; i++)
        tf_str_printf(&source, "case %d: p[3] = %d; break;", i, i * i);
    tf_str_add(&source, "} p[4] = ");
    for (int i = 0; i < 2000; i++)
        tf_str_printf(&source, "p[%d] * %d + ", i, i);
    tf_str_add(&source, "1; }");
    test_build_expect(source.text, "", TF_COMPILER_OK, texts);
    tf_str_finish(&source);
}
END_TEST

static int open_files(void)
{
    DIR *const folder = opendir("/proc/self/fd");
    int count = 0;

    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

START_TEST(no_file_stays_open)
{
    const char *const none[] = {NULL};
    int before;

    test_build_expect(KERNEL("p[0] = 1;"), "", TF_COMPILER_OK, none);
    before = open_files();
    for (size_t i = 0; i < 10; i++) {
        test_build_expect(KERNEL("p[0] = 1;"), "-I /usr/include", TF_COMPILER_OK, none);
        test_build_expect(wrong[i].source, "", TF_COMPILER_BAD_SOURCE, wrong[i].texts);
    }
    ck_assert_int_eq(open_files(), before);
}
END_TEST

START_TEST(damaged_bitcode_is_refused)
{
    const struct tf_compiler_device device = test_device();
    static char garbage[] = "BC\xc0\xde this is no module at all";
    const struct tf_compiler_bytes module = {garbage, sizeof garbage};
    const struct tf_link_in in = {
        .modules = &module, .module_count = 1, .options = "", .device = &device};
    struct tf_link_out out;

    ck_assert_int_ne(test_compiler()->link(&in, &out), TF_COMPILER_OK);
    ck_assert_ptr_null(out.bitcode.data);
    ck_assert_ptr_nonnull(strstr(out.log, "error"));
    test_compiler()->release(out.log);
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("hostile");
    TCase *const all = tcase_create("all");

    tcase_set_timeout(all, 240);
    tcase_add_loop_test(all, wrong_program_is_refused_with_a_position, 0,
                        sizeof wrong / sizeof *wrong);
    tcase_add_loop_test(all, debugging_pragma_does_not_crash, 0,
                        sizeof crashing_pragmas / sizeof *crashing_pragmas);
    tcase_add_loop_test(all, deep_program_is_refused, 0, sizeof deep / sizeof *deep);
    tcase_add_test(all, macros_that_double_are_refused);
#ifndef __SANITIZE_ADDRESS__
    if (!test_llvm_is_shared())
        tcase_add_test(all, macro_arguments_that_double_are_refused);
#endif
    tcase_add_test(all, calls_that_double_are_not_copied);
    tcase_add_test(all, barriers_in_calls_that_double_are_refused);
    tcase_add_test(all, large_circles_of_calls_are_refused);
    tcase_add_test(all, large_program_builds);
    tcase_add_test(all, no_file_stays_open);
    tcase_add_test(all, damaged_bitcode_is_refused);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
