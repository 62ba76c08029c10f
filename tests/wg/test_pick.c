// SPDX-License-Identifier: MIT
#include "ir_text.h"

static bool pays(const char *text, unsigned width, unsigned vector_bits,
                 struct gang_report *report)
{
    struct ir ir;
    struct tf_wg wg;
    struct gang g;
    bool result;

    *report = (struct gang_report){0};
    ir_open(&ir, text);
    g = ir_gang(&ir, &wg, width);
    wg.vector_bits = vector_bits;
    result = gang_pays(&g, report);
    tf_arena_finish(&g.arena);
    ir_close(&ir);
    return result;
}

#define HEAD                                                       \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {\n" \
    "  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"      \
    "  %at = getelementptr float, ptr addrspace(1) %p, i64 %i\n"   \
    "  %v = load float, ptr addrspace(1) %at\n"

static const char arithmetic[] = HEAD "  %a = fmul float %v, %v\n"
                                      "  %b = fadd float %a, %v\n"
                                      "  %c = fmul float %b, %b\n"
                                      "  store float %c, ptr addrspace(1) %at\n"
                                      "  ret void\n}\n";
static const char scattered[] =
    HEAD "  %j = mul i64 %i, %i\n"
         "  %from = getelementptr float, ptr addrspace(1) %q, i64 %j\n"
         "  %w = load float, ptr addrspace(1) %from\n"
         "  store float %v, ptr addrspace(1) %from\n"
         "  %old = atomicrmw add ptr addrspace(1) %from, i32 1 seq_cst\n"
         "  ret void\n}\n";

static const char counting[] =
    HEAD "  %j = fptoui float %v to i32\n"
         "  %n = atomicrmw add ptr addrspace(1) %q, i32 %j monotonic\n"
         "  ret void\n}\n";

// As a histogram in local memory does.
static const char counted[] =
    HEAD "  %j = fptoui float %v to i32\n  %k = and i32 %j, 255\n"
         "  %bin = getelementptr i32, ptr addrspace(3) null, i32 %k\n"
         "  %a = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic\n"
         "  ret void\n}\n";
// Two scatters for little arithmetic: a stage of a Fourier transform.
static const char spread[] =
    HEAD "  %j = mul i64 %i, %i\n  %a = fmul float %v, %v\n  %b = fadd float %a, %v\n"
         "  %c = fmul float %b, %a\n  %d = fsub float %c, %v\n"
         "  %to = getelementptr float, ptr addrspace(1) %q, i64 %j\n"
         "  %to2 = getelementptr float, ptr addrspace(1) %p, i64 %j\n"
         "  store float %c, ptr addrspace(1) %to\n"
         "  store float %d, ptr addrspace(1) %to2\n  ret void\n}\n";

START_TEST(counting_in_local_memory_does_not_pay)
{
    struct gang_report report;

    ck_assert(!pays(counted, 16, 512, &report));
    ck_assert_uint_eq(report.lane_loops, 1);
}
END_TEST

START_TEST(spreading_results_does_not_pay)
{
    struct gang_report report;

    ck_assert(!pays(spread, 16, 512, &report));
    ck_assert_uint_eq(report.scatters, 2);
}
END_TEST

START_TEST(arithmetic_side_by_side_pays)
{
    struct gang_report report;

    ck_assert(pays(arithmetic, 4, 128, &report));
    ck_assert(pays(arithmetic, 16, 512, &report));
    ck_assert_uint_eq(report.gathers + report.scatters + report.lane_loops, 0);
    ck_assert_uint_lt(report.lanes_cost, report.items_cost);
}
END_TEST

START_TEST(moving_data_about_does_not_pay)
{
    struct gang_report report;

    ck_assert(!pays(scattered, 4, 128, &report));
    ck_assert_uint_eq(report.gathers, 1);
    ck_assert_uint_eq(report.scatters, 1);
    ck_assert_uint_eq(report.lane_loops, 1);
}
END_TEST

START_TEST(one_atomic_for_all_lanes_pays)
{
    struct gang_report report;

    ck_assert(pays(counting, 4, 128, &report));
    ck_assert(pays(counting, 16, 512, &report));
    ck_assert_uint_eq(report.lane_loops, 0);
}
END_TEST

Suite *tf_suite_pick(void)
{
    Suite *suite = suite_create("pick");
    TCase *tests = tcase_create("pick");

    tcase_add_test(tests, arithmetic_side_by_side_pays);
    tcase_add_test(tests, moving_data_about_does_not_pay);
    tcase_add_test(tests, counting_in_local_memory_does_not_pay);
    tcase_add_test(tests, spreading_results_does_not_pay);
    tcase_add_test(tests, one_atomic_for_all_lanes_pays);
    suite_add_tcase(suite, tests);
    return suite;
}
