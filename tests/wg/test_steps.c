// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/workgroup/prepare/rounds/steps.h"

// A loop whose %n starts at `from` and is %other in the next round, as long as %go.
#define LOOP(from, other, go)                                                   \
    "define void @k(ptr %p, i32 %first) {\n"                                    \
    "entry:\n  %l = call i32 @tf_lid0()\n  br label %head\n"                    \
    "head:\n  %n = phi i32 [ " from ", %entry ], [ %other, %next ]\n"           \
    "  %has = icmp ult i32 %l, %n\n  br i1 %has, label %then, label %next\n"    \
    "then:\n  %at = getelementptr i32, ptr %p, i32 %l\n"                        \
    "  %beside = getelementptr i32, ptr %at, i32 %n\n"                          \
    "  %a = load i32, ptr %beside\n  store i32 %a, ptr %at\n  br label %next\n" \
    "next:\n  call void @__tf_barrier()\n  %other = " other "\n  %go = " go     \
    "\n  br i1 %go, label %head, label %done\n"                                 \
    "done:\n  ret void\n}\n"

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

Suite *tf_suite_steps(void)
{
    Suite *suite = suite_create("steps");
    TCase *tcase = tcase_create("loops");

    tcase_add_test(tcase, rounds_of_a_known_number_are_there_one_by_one);
    tcase_add_test(tcase, other_loops_stay);
    suite_add_tcase(suite, tcase);
    return suite;
}
