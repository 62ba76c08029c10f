// SPDX-License-Identifier: MIT
// Lanes of kernels whose barriers cannot become loops: one fiber runs one gang.
#include <check.h>
#include <stdio.h>
#include <string.h>

#include "abi/compiler.h"
#include "support/compiled_kernel.h"
#include "support/suite.h"

enum { ITEMS = 150, GROUP = 64, STEPS = 40 };

static struct test_program program;

static void set_buffer(struct test_kernel *k, uint32_t index, const void *buffer)
{
    test_kernel_arg(k, index, sizeof(buffer), &buffer);
}

static struct test_kernel generate(const char *name, enum tf_wg_form form, uint32_t width)
{
    const struct test_variant variant = {
        .form = form, .cpu = "x86-64", .vector_bits = 128, .width = width};
    struct test_kernel k;

    test_kernel_generate(&k, &program, name, &variant);
    return k;
}

static const char reverse_source[] =
    "kernel void reverse(global int *o) {\n"
    "  local int s[64];\n"
    "  size_t l = get_local_id(0), n = get_local_size(0);\n"
    "  size_t i = get_global_id(0) - get_global_offset(0);\n"
    "  s[l] = o[i];\n"
    "  barrier(CLK_LOCAL_MEM_FENCE);\n"
    "  o[i] = s[n - 1 - l] * 1000 + (int)l;\n"
    "}\n"
    "kernel void no_barrier(global int *o) { o[get_global_id(0)] = 3; }\n";

// Runs "reverse" over ITEMS items in groups of GROUP; how often a fiber came to a
// barrier.
static long run_reverse(struct test_kernel *k, uint64_t offset)
{
    const struct test_range range = {
        .work_dim = 1, .global = {ITEMS}, .local = {GROUP}, .offset = {offset}};
    int o[ITEMS];
    long arrivals;

    for (int i = 0; i < ITEMS; i++)
        o[i] = i;
    set_buffer(k, 0, o);
    arrivals = test_kernel_run(k, &range);
    for (int i = 0; i < ITEMS; i++) {
        const int group = i / GROUP * GROUP;
        const int size = ITEMS - group < GROUP ? ITEMS - group : GROUP;

        ck_assert_int_eq(o[i], (2 * group + size - 1 - i) * 1000 + i - group);
    }
    return arrivals;
}

START_TEST(one_fiber_runs_one_gang)
{
    test_program_build(&program, reverse_source, "");
    for (uint32_t width = 4; width <= 32; width *= 2) {
        struct test_kernel k = generate("reverse", TF_WG_GANG_FIBERS, width);
        const uint32_t last = ITEMS % GROUP;

        ck_assert_int_eq(k.form, TF_WG_SIMT);
        ck_assert_uint_eq(k.fibers.row_width, width);
        ck_assert_uint_eq(k.fibers.width, 0);
        ck_assert_int_eq(run_reverse(&k, 0),
                         2 * (GROUP / width) + (last + width - 1) / width);
        // Loops where launches are not small.
        ck_assert_int_eq(run_reverse(&k, (uint64_t)1 << 31), 0);
        test_kernel_finish(&k);
    }
    test_program_finish(&program);
}
END_TEST

START_TEST(kernels_without_barriers_have_none)
{
    struct test_kernel k;

    test_program_build(&program, reverse_source, "");
    k = generate("no_barrier", TF_WG_GANG_FIBERS, 8);
    ck_assert_int_eq(k.form, TF_WG_SIMT);
    ck_assert_uint_eq(k.fibers.row_width, 0);
    ck_assert_uint_eq(k.fibers.width, 0);
    test_kernel_finish(&k);
    test_program_finish(&program);
}
END_TEST

// Each step may have barriers, so that code is reached from many of them: as loops it
// would have to be copied for each.
static void write_steps(char *text, size_t bytes)
{
    size_t at = (size_t)snprintf(
        text, bytes,
        "kernel void steps(global uint *o, ulong which) {\n"
        "  local uint s[64]; uint l = get_local_id(0), n = get_local_size(0);\n"
        "  uint x = o[get_global_id(0)]; s[l] = x; barrier(CLK_LOCAL_MEM_FENCE);\n");

    for (int i = 0; i < STEPS; i++) {
        at += (size_t)snprintf(
            text + at, bytes - at,
            "  if (which >> %d & 1) { barrier(CLK_LOCAL_MEM_FENCE);"
            " x += s[(l + %d) %% n]; barrier(CLK_LOCAL_MEM_FENCE); s[l] = x; }\n",
            i, i + 1);
        for (int k = 0; k < 12; k++)
            at +=
                (size_t)snprintf(text + at, bytes - at, "  x = (x ^ (x >> %d)) * %uu;\n",
                                 k + 1, 2654435761u + 2u * (unsigned)(i * k));
    }
    snprintf(text + at, bytes - at, "  o[get_global_id(0)] = x;\n}\n");
    ck_assert_uint_lt(at + 100, bytes);
}

static struct tf_fibers run_steps(enum tf_wg_form form, uint32_t width,
                                  uint32_t out[GROUP])
{
    const struct test_range range = {
        .work_dim = 1, .global = {GROUP}, .local = {GROUP - 13}};
    struct test_kernel k = generate("steps", form, width);
    const uint64_t which = 0x8040100201;
    const struct tf_fibers fibers = k.fibers;

    for (uint32_t i = 0; i < GROUP; i++)
        out[i] = i * 77;
    set_buffer(&k, 0, out);
    test_kernel_arg(&k, 1, sizeof(which), &which);
    test_kernel_run(&k, &range);
    test_kernel_finish(&k);
    return fibers;
}

START_TEST(what_cannot_be_cut_runs_gangs_on_fibers)
{
    static char text[40000];
    uint32_t wanted[GROUP], got[GROUP];
    struct tf_fibers fibers;

    write_steps(text, sizeof(text));
    test_program_build(&program, text, "");
    fibers = run_steps(TF_WG_FIBERS, 0, wanted);
    ck_assert_uint_eq(fibers.row_width, 0);
    ck_assert_uint_eq(fibers.width, 1);
    fibers = run_steps(TF_WG_LOOPS, 0, got);
    ck_assert_uint_eq(fibers.row_width, 0);
    ck_assert_uint_eq(fibers.width, 1);
    ck_assert_int_eq(memcmp(wanted, got, sizeof(got)), 0);
    for (uint32_t width = 4; width <= 16; width *= 2) {
        fibers = run_steps(TF_WG_SIMT, width, got);
        ck_assert_uint_eq(fibers.row_width, width);
        ck_assert_uint_eq(fibers.width, 0);
        ck_assert_int_eq(memcmp(wanted, got, sizeof(got)), 0);
    }
    fibers = run_steps(TF_WG_AUTO, 0, got);
    ck_assert_uint_ge(fibers.row_width, 4);
    ck_assert_int_eq(memcmp(wanted, got, sizeof(got)), 0);
    test_program_finish(&program);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("gang_fibers");
    TCase *tests = tcase_create("gang_fibers");

    tcase_set_timeout(tests, 120);
    tcase_add_test(tests, one_fiber_runs_one_gang);
    tcase_add_test(tests, kernels_without_barriers_have_none);
    tcase_add_test(tests, what_cannot_be_cut_runs_gangs_on_fibers);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
