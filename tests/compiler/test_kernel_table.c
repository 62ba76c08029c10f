// SPDX-License-Identifier: MIT
// The kernel table: what clGetKernel*Info and the launch learn from a build.
#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <CL/cl.h>

#include "support/compiled_source.h"
#include "support/suite.h"

static struct test_build build;

static const struct tf_kernel_info *build_kernel(const char *source, const char *options,
                                                 const char *name)
{
    test_build(&build, source, options, NULL);
    ck_assert_msg(build.status == TF_COMPILER_OK, "%s", build.log);
    for (size_t i = 0; i < build.kernel_count; i++)
        if (!strcmp(build.kernels[i].name, name))
            return &build.kernels[i];
    ck_abort_msg("no kernel %s", name);
    return NULL;
}

static void finish(void)
{
    test_build_finish(&build);
}

static const char args_source[] =
    "typedef struct { char c; double d[3]; short s; } rec;\n"
    "kernel void k(global const float4 *restrict a, constant uint *b, local double *c,\n"
    "              char d, float3 e, rec f, volatile global int *g, ulong16 h,\n"
    "              global void *i, const int j) {\n"
    "  a; b; c[0] = d + e.x + f.d[1]; g[0] = h.s0; i; g[1] = j;\n"
    "}\n";

static const struct tf_kernel_arg_info expected[] = {
    {TF_ARG_BUFFER, 8, 8, 0, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE,
     CL_KERNEL_ARG_TYPE_CONST | CL_KERNEL_ARG_TYPE_RESTRICT, "a", "float4*", 0, 0},
    {TF_ARG_BUFFER, 8, 8, 8, CL_KERNEL_ARG_ADDRESS_CONSTANT, CL_KERNEL_ARG_ACCESS_NONE,
     CL_KERNEL_ARG_TYPE_CONST, "b", "uint*", 0, 0},
    {TF_ARG_LOCAL, 0, 128, 16, CL_KERNEL_ARG_ADDRESS_LOCAL, CL_KERNEL_ARG_ACCESS_NONE, 0,
     "c", "double*", 0, 0},
    {TF_ARG_VALUE, 1, 1, 24, CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE, 0,
     "d", "char", 0, 0},
    {TF_ARG_VALUE, 16, 16, 32, CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE,
     0, "e", "float3", 0, 0},
    {TF_ARG_VALUE, 40, 8, 48, CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE, 0,
     "f", "rec", 0, 0},
    {TF_ARG_BUFFER, 8, 8, 88, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE,
     CL_KERNEL_ARG_TYPE_VOLATILE, "g", "int*", 0, 0},
    {TF_ARG_VALUE, 128, 128, 128, CL_KERNEL_ARG_ADDRESS_PRIVATE,
     CL_KERNEL_ARG_ACCESS_NONE, 0, "h", "ulong16", 0, 0},
    {TF_ARG_BUFFER, 8, 8, 256, CL_KERNEL_ARG_ADDRESS_GLOBAL, CL_KERNEL_ARG_ACCESS_NONE, 0,
     "i", "void*", 0, 0},
    {TF_ARG_VALUE, 4, 4, 264, CL_KERNEL_ARG_ADDRESS_PRIVATE, CL_KERNEL_ARG_ACCESS_NONE, 0,
     "j", "int", 0, 0},
};

static void check_args(const char *options)
{
    const struct tf_kernel_info *const info = build_kernel(args_source, options, "k");

    ck_assert_uint_eq(info->arg_count, sizeof expected / sizeof *expected);
    for (uint32_t i = 0; i < info->arg_count; i++) {
        const struct tf_kernel_arg_info *const arg = &info->args[i], *const want =
                                                                         &expected[i];

        ck_assert_msg(arg->kind == want->kind, "kind of %s", want->name);
        ck_assert_str_eq(arg->name, want->name);
        ck_assert_str_eq(arg->type_name, want->type_name);
        ck_assert_uint_eq(arg->size_bytes, want->size_bytes);
        ck_assert_uint_eq(arg->align_bytes, want->align_bytes);
        ck_assert_uint_eq(arg->block_offset_bytes, want->block_offset_bytes);
        ck_assert_uint_eq(arg->address_qualifier, want->address_qualifier);
        ck_assert_uint_eq(arg->access_qualifier, want->access_qualifier);
        ck_assert_uint_eq(arg->type_qualifier, want->type_qualifier);
    }
    ck_assert_uint_eq(info->arg_block_bytes, 272);
    ck_assert(info->flags & TF_KERNEL_HAS_LOCAL);
    finish();
}

START_TEST(arguments_are_described)
{
    check_args("");
    check_args("-cl-kernel-arg-info -cl-std=CL3.0");
    check_args("-cl-opt-disable");
    check_args("-g");
}
END_TEST

// Bodies of kernel void k(global int *p, int n), and whether a work-item may run long.
static const struct {
    const char *body;
    bool long_run;
} loop_cases[] = {
    {"p[0] = n;", false},
    {"for (int i = 0; i < 5; i++) p[i] += n;", false},
    {"for (uint i = 10; i >= 3; i -= 2) p[i] += n;", false},
    {"int i = 0; do p[i] += n; while (++i != 7);", false},
    {"for (int i = 0; i < 8; i++) for (int j = 0; j < 8; j++) p[i] += p[j] * n;", false},
    {"for (int i = 0; i < 9; i++) { if (p[i] == n) continue; p[i + 9] = 1; }", false},
    {"for (int i = 0; i < 1; i++) p[i] += n;", false},
    {"for (int i = 0; i < 1; i++) for (int j = 0; j < 3; j++) p[j] += p[j + i] * n;",
     false},
    {"for (int i = 0; i < 1; i++) for (int j = 0; j < n; j++) p[j] += p[j + i] * n;",
     true},
    {"for (int i = 0; i < n; i++) p[i] += n;", true},
    {"for (int i = n; i < 5; i++) p[i] += n;", true},
    {"for (int i = 0; i < 5000; i++) p[i] += n;", true},
    {"for (int i = 0; i < 99; i++) for (int j = 0; j < 99; j++) p[i] += p[j] * n;", true},
    {"while (p[0] < 5) p[0] += n;", true},
    {"for (int i = 0; i < 5; i *= 2) p[i] += n;", true},
    {"for (uint i = 1; i != 0; i += 2) p[i] += n;", true},
    {"for (uint i = 0; (i ^ 74565) > 5; i++) p[i & 7] += n;", true},
};

START_TEST(loops_of_few_rounds_are_known)
{
    char source[300];
    const struct tf_kernel_info *info;

    snprintf(source, sizeof source, "kernel void k(global int *p, int n) { %s }",
             loop_cases[_i].body);
    info = build_kernel(source, "", "k");
    ck_assert_msg(!!(info->flags & TF_KERNEL_MAY_RUN_LONG) == loop_cases[_i].long_run,
                  "%s", loop_cases[_i].body);
    finish();
}
END_TEST

// Of bodies as above, how many times over a work-item runs the kernel's instructions.
static const struct {
    const char *body;
    unsigned least, most;
} round_cases[] = {
    {"p[0] = n;", 1, 1},
    {"for (int i = 0; i < n; i++) p[i] += n;", 1, 1},
    {"for (int i = 0; i < 600; i++) p[i] ^= p[i * 7] % n;", 100, 600},
    {"for (int i = 0; i < 30; i++) for (int j = 0; j < 30; j++) p[i] ^= p[j] % n;", 100,
     900},
    {"for (int i = 0; i < 600; i++) p[i] ^= p[i * 7] % n;"
     "for (int i = 0; i < 600; i++) p[i] ^= p[i * 5] % n;",
     100, 600},
    {"for (int i = 0; i < n; i++) for (int j = 0; j < 500; j++) p[i] ^= p[j] % n;", 100,
     500},
    {"for (uint i = 0; i * 7 < 700; i++) p[i] ^= p[i * 5] % n;", 1, 100},
};

START_TEST(instructions_of_a_work_item_count_known_rounds)
{
    char source[300];
    const struct tf_kernel_info *info;
    unsigned times;

    snprintf(source, sizeof source, "kernel void k(global int *p, int n) { %s }",
             round_cases[_i].body);
    info = build_kernel(source, "", "k");
    times = info->item_instructions / info->instructions;
    ck_assert_uint_ge(times, round_cases[_i].least);
    ck_assert_uint_le(times, round_cases[_i].most);
    finish();
}
END_TEST

// Of bodies as above, how often instructions are there for the one of the source.
static const struct {
    const char *pragma;
    const char *head;
    unsigned least, most;
} unroll_cases[] = {
    {"", "for (int i = 0; i < 600; i++)", 1, 1},
    {"#pragma unroll\n", "for (int i = 0; i < 600; i++)", 300, 600},
    {"#pragma unroll 4\n", "for (int i = 0; i < 600; i++)", 2, 4},
    {"#pragma unroll 4\n", "for (int i = 0; i < n; i++)", 2, 4},
    {"#pragma unroll\n", "for (int i = 0; i < n; i++)", 3, 8},
    {"#pragma nounroll\n", "for (int i = 0; i < 600; i++)", 1, 1},
    {"#pragma unroll\n", "for (int i = 0; i < 500000; i++)", 1, 1}, // LLVM does not
};

static unsigned instructions_of(const char *pragma, const char *head)
{
    char source[300];
    unsigned instructions;

    snprintf(source, sizeof source,
             "kernel void k(global int *p, int n) {\n%s%s p[i] ^= p[i * 7] %% n; }",
             pragma, head);
    instructions = build_kernel(source, "", "k")->instructions;
    finish();
    return instructions;
}

START_TEST(unrolled_loops_count_as_what_they_become)
{
    const unsigned plain = instructions_of("", unroll_cases[_i].head);
    const unsigned unrolled =
        instructions_of(unroll_cases[_i].pragma, unroll_cases[_i].head);

    ck_assert_uint_ge(unrolled / plain, unroll_cases[_i].least);
    ck_assert_uint_le(unrolled / plain, unroll_cases[_i].most);
}
END_TEST

// Of bodies as above, the arguments that limit loops.
static const struct {
    const char *body;
    uint32_t limits[TF_KERNEL_LOOP_ARGS];
} limit_cases[] = {
    {"p[0] = n;", {0, 0}},
    {"for (int i = 0; i < n; i++) p[i] += n;", {2, 0}},
    {"for (uint i = 3; i <= (uint)n; i += 2) p[i] += n;", {2, 0}},
    {"for (long i = 0; i < n; i++) for (int j = 0; j < m; j++) p[i] += p[j] * n;",
     {3, 2}},
    {"for (int i = 0; i < n; i++) for (int j = 0; j < 7; j++) p[i] ^= p[j] % n;", {2, 0}},
    {"for (int i = 0; i < n; i++) while (p[i] < m) p[i] += p[i + m];", {0, 0}},
    {"for (int i = 5; i > n; i--) p[i] += n;", {0, 0}},
    {"for (int i = m; i < n; i++) p[i] += n;", {0, 0}},
    {"for (int i = 0; i < p[0]; i++) p[i] += n;", {0, 0}},
};

START_TEST(arguments_that_limit_loops_are_known)
{
    char source[300];
    const struct tf_kernel_info *info;

    snprintf(source, sizeof source, "kernel void k(global int *p, int n, int m) { %s }",
             limit_cases[_i].body);
    info = build_kernel(source, "", "k");
    for (int i = 0; i < TF_KERNEL_LOOP_ARGS; i++)
        ck_assert_msg(info->loop_args[i] == limit_cases[_i].limits[i], "%s: %u",
                      limit_cases[_i].body, info->loop_args[i]);
    finish();
}
END_TEST

START_TEST(attributes_of_a_prototype_count_once)
{
    const struct tf_kernel_info *const info =
        build_kernel("__attribute__((reqd_work_group_size(2,1,1))) kernel void k(void);\n"
                     "kernel __attribute__((work_group_size_hint(2,1,1)))\n"
                     "__attribute__((reqd_work_group_size(2,1,1))) void k(void) {}\n",
                     "", "k");

    ck_assert_str_eq(info->attributes, "work_group_size_hint(2,1,1) "
                                       "reqd_work_group_size(2,1,1)");
    finish();
}
END_TEST

static const struct {
    const char *attributes, *text;
    uint32_t reqd[3], hint[3];
} attribute_cases[] = {
    {"", "", {0}, {0}},
    {"__attribute__((reqd_work_group_size(8,4,2)))",
     "reqd_work_group_size(8,4,2)",
     {8, 4, 2},
     {0}},
    {"__attribute__((work_group_size_hint(64,1,1)))",
     "work_group_size_hint(64,1,1)",
     {0},
     {64, 1, 1}},
    {"__attribute__((vec_type_hint(float4)))", "vec_type_hint(float4)", {0}, {0}},
    {"__attribute__((vec_type_hint(uchar)))", "vec_type_hint(uchar)", {0}, {0}},
    {"__attribute__((vec_type_hint(long2)))", "vec_type_hint(long2)", {0}, {0}},
    {"__attribute__((vec_type_hint(double)))", "vec_type_hint(double)", {0}, {0}},
    {"__attribute__((reqd_work_group_size(2,2,2))) "
     "__attribute__((vec_type_hint(ushort16)))",
     "reqd_work_group_size(2,2,2) vec_type_hint(ushort16)",
     {2, 2, 2},
     {0}},
    // In the order of the source, as they stand there.
    {"__attribute__((vec_type_hint(T), work_group_size_hint(4, 2 ,1)))\n"
     "__attribute__((reqd_work_group_size(4,\n2,1)))",
     "vec_type_hint(T) work_group_size_hint(4, 2 ,1) reqd_work_group_size(4, 2,1)",
     {4, 2, 1},
     {4, 2, 1}},
    // Macros are expanded, unknown attributes are not there.
    {"SIZED __attribute__((no_such_attribute, noinline))",
     "reqd_work_group_size(16,1,1) noinline",
     {16, 1, 1},
     {0}},
    {"__attribute__(( reqd_work_group_size((1 + 1),1,(int)sizeof(T)) ))",
     "reqd_work_group_size((1 + 1),1,(int)sizeof(T))",
     {2, 1, 16},
     {0}},
    {"__attribute__(()) __attribute__((,noinline,))", "noinline", {0}, {0}},
};

START_TEST(attributes_are_printed)
{
    char source[600];

    snprintf(source, sizeof source,
             "typedef float4 T;\n"
             "#define WIDTH 16\n"
             "#define SIZED __attribute__((reqd_work_group_size(WIDTH,1,1)))\n"
             "__attribute__((always_inline)) int f(int a) { return a; }\n"
             "kernel %s void k(global int *p) { p[0] = f(1); }\n",
             attribute_cases[_i].attributes);
    const struct tf_kernel_info *const info = build_kernel(source, "", "k");
    ck_assert_str_eq(info->attributes, attribute_cases[_i].text);
    ck_assert_mem_eq(info->reqd_local_size, attribute_cases[_i].reqd,
                     sizeof info->reqd_local_size);
    ck_assert_mem_eq(info->hint_local_size, attribute_cases[_i].hint,
                     sizeof info->hint_local_size);
    ck_assert_uint_eq(info->sub_group_size, 8);
    finish();
}
END_TEST

static const struct {
    const char *options, *body;
    uint32_t set, clear;
} flag_cases[] = {
    {"", "p[0] = 1;", TF_KERNEL_UNIFORM_GROUPS,
     TF_KERNEL_HAS_BARRIER | TF_KERNEL_HAS_LOCAL | TF_KERNEL_GROUP_ATOMICS |
         TF_KERNEL_DEBUG_FORM},
    {"-cl-std=CL3.0", "p[0] = 1;", 0, TF_KERNEL_UNIFORM_GROUPS},
    {"-cl-std=CL3.0 -cl-uniform-work-group-size", "p[0] = 1;", TF_KERNEL_UNIFORM_GROUPS,
     0},
    {"", "barrier(CLK_LOCAL_MEM_FENCE);", TF_KERNEL_HAS_BARRIER, TF_KERNEL_HAS_LOCAL},
    {"", "if (p[0]) barrier(CLK_LOCAL_MEM_FENCE);", TF_KERNEL_HAS_BARRIER, 0},
    {"", "if (0) barrier(CLK_LOCAL_MEM_FENCE);", 0, TF_KERNEL_HAS_BARRIER},
    {"", "sync();", TF_KERNEL_HAS_BARRIER, 0},
    {"-cl-opt-disable", "sync();", TF_KERNEL_HAS_BARRIER | TF_KERNEL_DEBUG_FORM, 0},
    {"-g", "sync();", TF_KERNEL_HAS_BARRIER | TF_KERNEL_DEBUG_FORM, 0},
    {"", "local int l[4]; l[p[0]] = 2; p[1] = l[p[2]];", TF_KERNEL_HAS_LOCAL,
     TF_KERNEL_HAS_BARRIER},
};

START_TEST(flags_say_what_the_body_does)
{
    char source[400];

    snprintf(source, sizeof source,
             "void sync(void) { barrier(CLK_GLOBAL_MEM_FENCE); }\n"
             "kernel void k(global int *p) { %s }\n",
             flag_cases[_i].body);
    const struct tf_kernel_info *const info =
        build_kernel(source, flag_cases[_i].options, "k");
    ck_assert_msg((info->flags & flag_cases[_i].set) == flag_cases[_i].set,
                  "flags %x: %s", info->flags, flag_cases[_i].body);
    ck_assert_msg(!(info->flags & flag_cases[_i].clear), "flags %x: %s", info->flags,
                  flag_cases[_i].body);
    finish();
}
END_TEST

START_TEST(memory_is_counted)
{
    static const char source[] =
        "kernel void a(global int *p) {\n"
        "  local int x[64]; local double y; local char z[3];\n"
        "  x[p[0]] = 1; y = p[1]; z[p[2]] = 3; p[3] = x[p[1]] + y + z[p[0]]; }\n"
        "kernel void b(global int *p) { local int w[1000]; w[p[0]] = 1; p[1] = w[p[2]]; "
        "}\n"
        "kernel void c(global int *p) { int q[256]; for (int i = 0; i < 256; i++) q[i] = "
        "p[i];\n"
        "  p[p[0]] = q[p[1] & 255]; }\n"
        "kernel void d(global int *p) { p[0] = 1; }\n";
    const struct tf_kernel_info *info = build_kernel(source, "", "a");

    // The end of the static part is a multiple of 128 (compiler/module/arg_layout.h).
    ck_assert_uint_ge(info->local_bytes, 64 * 4 + 8 + 3);
    ck_assert_uint_le(info->local_bytes, 384);
    finish();
    info = build_kernel(source, "", "b");
    ck_assert_uint_eq(info->local_bytes, 4096);
    finish();
    info = build_kernel(source, "", "c");
    ck_assert_uint_eq(info->local_bytes, 0);
    ck_assert_uint_ge(info->private_bytes, 1024);
    finish();
    info = build_kernel(source, "", "d");
    ck_assert_uint_eq(info->private_bytes, 0);
    finish();
}
END_TEST

START_TEST(called_kernel_keeps_its_own_entry)
{
    static const char source[] =
        "kernel void inner(global int *p, local int *l) {\n"
        "  local int t[16]; t[p[0]] = p[1]; barrier(CLK_LOCAL_MEM_FENCE);\n"
        "  p[2] = t[p[3]] + l[0]; }\n"
        "kernel void outer(global int *p, local int *l) { inner(p, l); p[5] = 1; }\n";
    const struct tf_kernel_info *info = build_kernel(source, "", "outer");

    ck_assert_uint_eq(build.kernel_count, 2);
    ck_assert(info->flags & TF_KERNEL_HAS_BARRIER);
    ck_assert_uint_eq(info->local_bytes, 128);
    finish();
    info = build_kernel(source, "-g", "inner");
    ck_assert(info->flags & TF_KERNEL_HAS_BARRIER);
    ck_assert_uint_eq(info->local_bytes, 128);
    ck_assert_str_eq(info->args[1].name, "l");
    finish();
}
END_TEST

START_TEST(program_without_kernels_builds)
{
    test_build(&build, "int f(int a) { return a; }\n", "", NULL);
    ck_assert_msg(build.status == TF_COMPILER_OK, "%s", build.log);
    ck_assert_uint_eq(build.kernel_count, 0);
    finish();
    test_build(&build, "", "", NULL);
    ck_assert_msg(build.status == TF_COMPILER_OK, "%s", build.log);
    finish();
}
END_TEST

int main(void)
{
    Suite *const suite = suite_create("kernel_table");
    TCase *const all = tcase_create("all");

    tcase_set_timeout(all, 120);
    tcase_add_test(all, arguments_are_described);
    tcase_add_loop_test(all, loops_of_few_rounds_are_known, 0,
                        sizeof loop_cases / sizeof *loop_cases);
    tcase_add_loop_test(all, instructions_of_a_work_item_count_known_rounds, 0,
                        (int)(sizeof round_cases / sizeof *round_cases));
    tcase_add_loop_test(all, unrolled_loops_count_as_what_they_become, 0,
                        sizeof unroll_cases / sizeof *unroll_cases);
    tcase_add_loop_test(all, arguments_that_limit_loops_are_known, 0,
                        sizeof limit_cases / sizeof *limit_cases);
    tcase_add_test(all, attributes_of_a_prototype_count_once);
    tcase_add_loop_test(all, attributes_are_printed, 0,
                        sizeof attribute_cases / sizeof *attribute_cases);
    tcase_add_loop_test(all, flags_say_what_the_body_does, 0,
                        sizeof flag_cases / sizeof *flag_cases);
    tcase_add_test(all, memory_is_counted);
    tcase_add_test(all, called_kernel_keeps_its_own_entry);
    tcase_add_test(all, program_without_kernels_builds);
    suite_add_tcase(suite, all);
    return tf_run_suite(suite);
}
