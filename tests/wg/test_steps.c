// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/prepare/rounds/steps.h"

#define HEAD                                   \
    "define void @k(ptr addrspace(3) %p, i32 " \
    "%first) {\nentry:\n  %l = call i32 @tf_lid0()\n  br label %head\n"
#define TAIL "done:\n  ret void\n}\n"

// A loop whose %n starts at `from` and is %other in the next round, as long as %go; an
// element of which it loads the one at %place.
#define LOOP_AT(from, other, go, place)                                      \
    "head:\n  %n = phi i32 [ " from " ], [ %other, %next ]\n"                \
    "  %has = icmp ult i32 %l, %n\n  br i1 %has, label %then, label %next\n" \
    "then:\n  %at = getelementptr i32, ptr addrspace(3) %p, i32 %l\n" place  \
    "  %beside = getelementptr i32, ptr addrspace(3) %at, i32 %place\n"      \
    "  %a = load i32, ptr addrspace(3) %beside\n"                            \
    "  store i32 %a, ptr addrspace(3) %at\n  br label %next\n"               \
    "next:\n  call void @__tf_barrier()\n  %other = " other "\n  %go = " go  \
    "\n  br i1 %go, label %head, label %done\n"
#define PLACE "  %place = add i32 %n, 1\n"
#define LOOP(from, other, go) HEAD LOOP_AT(from ", %entry", other, go, PLACE) TAIL
#define TREE(place) \
    HEAD LOOP_AT("128, %entry", "lshr i32 %n, 1", "icmp ugt i32 %n, 1", place) TAIL

// How many barriers there are afterwards.
static unsigned barriers_after(const char *text)
{
    struct ir ir;
    struct tf_wg wg;
    unsigned barriers;
    bool any, ok;

    ir_open(&ir, text);
    wg = ir_wg(&ir, 16);
    tf_wg_init(&wg);
    any = tf_prepare_steps(&wg, ir.fn, &ok);
    ck_assert(ok && !LLVMVerifyFunction(ir.fn, LLVMPrintMessageAction));
    barriers = ir_count(&ir, "call void @__tf_barrier");
    ck_assert(any == (barriers > 1));
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
    return barriers;
}

START_TEST(rounds_of_a_known_number_are_there_one_by_one)
{
    ck_assert_uint_eq(barriers_after(LOOP("128", "lshr i32 %n, 1", "icmp ugt i32 %n, 1")),
                      8);
    ck_assert_uint_eq(
        barriers_after(LOOP("128", "udiv i32 %n, 2", "icmp ne i32 %other, 0")), 8);
    ck_assert_uint_eq(
        barriers_after(LOOP("1", "shl i32 %n, 1", "icmp ult i32 %other, 64")), 6);
    ck_assert_uint_eq(barriers_after(LOOP("1", "mul i32 %n, 2", "icmp slt i32 %n, 64")),
                      7);
}
END_TEST

START_TEST(other_loops_stay)
{
    static const char *const texts[] = {
        LOOP("%first", "lshr i32 %n, 1", "icmp ugt i32 %n, 1"),
        LOOP("128", "lshr i32 %n, 1", "icmp ugt i32 %n, %first"),
        LOOP("8", "sub i32 %n, 1", "icmp ugt i32 %n, 1"),
        LOOP("1", "shl i32 %n, 2", "icmp ult i32 %other, 64"),
        LOOP("2", "lshr i32 %n, 1", "icmp ugt i32 %n, 1"),
        LOOP("65536", "lshr i32 %n, 1", "icmp ugt i32 %n, 1"),
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        ck_assert_uint_eq(barriers_after(texts[i]), 1);
}
END_TEST

// Otherwise rounds that stand one after the other know no more than before.
START_TEST(only_places_in_local_memory_are_worth_it)
{
    ck_assert_uint_eq(barriers_after(TREE("  %half = mul i32 %n, %l\n"
                                          "  %place = and i32 %half, 255\n")),
                      8);
    ck_assert_uint_eq(barriers_after(TREE("  %place = add i32 %l, 1\n")), 1);
    ck_assert_uint_eq(barriers_after(TREE("  %loaded = load i32, ptr addrspace(3) %p\n"
                                          "  %place = add i32 %n, %loaded\n")),
                      1);
}
END_TEST

// A loop behind it, of which the program says `said`.
#define COUNTED(said, barrier)                                                          \
    HEAD LOOP_AT(                                                                       \
        "128, %entry", "lshr i32 %n, 1", "icmp ugt i32 %n, 1",                          \
        PLACE) "done:\n  br label %again\nagain:\n"                                     \
               "  %k = phi i32 [ 0, %done ], [ %more, %again ]\n"                       \
               "  %to = getelementptr i32, ptr addrspace(3) %p, i32 %k\n"               \
               "  store i32 %l, ptr addrspace(3) %to\n" barrier                         \
               "  %more = add i32 %k, 1\n"                                              \
               "  %goes = icmp ult i32 %more, 16\n"                                     \
               "  br i1 %goes, label %again, label %end" said "\nend:\n  ret void\n}\n" \
               "!1 = distinct !{!1, !2}\n!2 = !{!\"llvm.loop.unroll.enable\"}\n"

static void expect_other(const char *text, unsigned barriers, bool says)
{
    struct ir ir;
    struct tf_wg wg;
    LLVMValueRef end, said;
    bool ok;

    ir_open(&ir, text);
    wg = ir_wg(&ir, 16);
    tf_wg_init(&wg);
    ck_assert(tf_prepare_steps(&wg, ir.fn, &ok) && ok);
    ck_assert_uint_eq(ir_count(&ir, "call void @__tf_barrier"), barriers);
    ck_assert_uint_eq(ir_count(&ir, "%more = add i32 %k, 1"), 1);
    end = LLVMGetBasicBlockTerminator(LLVMGetInstructionParent(ir_value(&ir, "more")));
    said = tf_ir_loop_said(end);
    ck_assert(says == (said != NULL));
    ck_assert_uint_eq(ir_count(&ir, "llvm.loop.unroll.disable"), 0);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
}

START_TEST(loops_beside_them_stay_and_say_what_they_said)
{
    expect_other(COUNTED("", ""), 8, false);
    expect_other(COUNTED(", !llvm.loop !1", ""), 8, true);
    expect_other(COUNTED(", !llvm.loop !1", "  call void @__tf_barrier()\n"), 9, true);
}
END_TEST

enum { MANY = 50, TEXT_BYTES = 100 * 1000 };

// Loops of 8 rounds, one after the other, of 8 instructions each.
static const char *many_loops(void)
{
    static char text[TEXT_BYTES];
    int used = snprintf(text, sizeof(text),
                        "define void @k(ptr addrspace(3) %%p) {\n"
                        "b0:\n  br label %%h0\n");

    for (unsigned i = 0; i < MANY; i++)
        used += snprintf(
            text + used, sizeof(text) - (size_t)used,
            "h%u:\n  %%n%u = phi i32 [ 128, %%b%u ], [ %%m%u, %%h%u ]\n"
            "  %%at%u = getelementptr i32, ptr addrspace(3) %%p, i32 %%n%u\n"
            "  %%a%u = load i32, ptr addrspace(3) %%at%u\n"
            "  store i32 %%a%u, ptr addrspace(3) %%p\n  call void @__tf_barrier()\n"
            "  %%m%u = lshr i32 %%n%u, 1\n  %%g%u = icmp ugt i32 %%n%u, 1\n"
            "  br i1 %%g%u, label %%h%u, label %%b%u\nb%u:\n  br label %%h%u\n",
            i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i, i + 1, i + 1, i + 1);
    used +=
        snprintf(text + used, sizeof(text) - (size_t)used, "h%u:\n  ret void\n}\n", MANY);
    ck_assert_int_lt(used, TEXT_BYTES);
    return text;
}

START_TEST(a_kernel_has_an_end_of_it)
{
    ck_assert_uint_eq(barriers_after(many_loops()), 25 * 8 + (MANY - 25));
}
END_TEST

Suite *tf_suite_steps(void)
{
    Suite *suite = suite_create("steps");
    TCase *tcase = tcase_create("loops");

    tcase_add_test(tcase, rounds_of_a_known_number_are_there_one_by_one);
    tcase_add_test(tcase, other_loops_stay);
    tcase_add_test(tcase, only_places_in_local_memory_are_worth_it);
    tcase_add_test(tcase, loops_beside_them_stay_and_say_what_they_said);
    tcase_add_test(tcase, a_kernel_has_an_end_of_it);
    suite_add_tcase(suite, tcase);
    return suite;
}
