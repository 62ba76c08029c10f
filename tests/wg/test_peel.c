// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/workgroup/prepare/peel.h"

// A loop whose limit %n starts at `from` and is %half in the next round.
#define TREE_FROM(from, half, work, question, distance)                                \
    "define void @k(ptr %p, ptr %q, i32 %first) {\n"                                   \
    "entry:\n  %l = call i32 @tf_lid0()\n  %some = icmp ne i32 %first, 0\n"            \
    "  br i1 %some, label %head, label %done\n"                                        \
    "head:\n  %n = phi i32 [ " from ", %entry ], [ %half, %next ]\n"                   \
    "  %rounds = phi i32 [ 0, %entry ], [ %more, %next ]\n"                            \
    "  %has = icmp ult i32 %l, " question "\n  br i1 %has, label %then, label %next\n" \
    "then:\n  %at = getelementptr i32, ptr %p, i32 %l\n"                               \
    "  %from = getelementptr i32, ptr %at, i32 " distance "\n"                         \
    "  %a = load i32, ptr %from\n  store i32 %a, ptr %at\n" work "  br label %next\n"  \
    "next:\n  %more = add i32 %rounds, 1\n  call void @__tf_barrier()\n"               \
    "  %half = " half "\n"                                                             \
    "  %go = icmp ugt i32 %n, 1\n  br i1 %go, label %head, label %done\n"              \
    "done:\n  %r = phi i32 [ 0, %entry ], [ %more, %next ]\n"                          \
    "  store i32 %r, ptr %q\n  ret void\n}\n"

#define TREE(half, work, question, distance) \
    TREE_FROM("%first", half, work, question, distance)
#define LOOP(half, work, question) TREE(half, work, question, "%n")

static unsigned count(const char *text, const char *what)
{
    unsigned n = 0;

    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

// How often there is a barrier afterwards; the function is valid.
static unsigned barriers_after(const char *text, unsigned width)
{
    struct ir ir;
    struct tf_wg wg;
    unsigned barriers;
    char *out;
    bool peeled;

    ir_open(&ir, text);
    wg = ir_wg(&ir, width);
    tf_wg_init(&wg);
    peeled = tf_prepare_peel(&wg, ir.fn);
    ck_assert(!LLVMVerifyFunction(ir.fn, LLVMPrintMessageAction));
    out = LLVMPrintModuleToString(ir.module);
    barriers = count(out, "call void @__tf_barrier");
    ck_assert(peeled == (barriers > 1));
    LLVMDisposeMessage(out);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
    return barriers;
}

START_TEST(the_last_rounds_are_there_once_more)
{
    ck_assert_uint_eq(barriers_after(LOOP("lshr i32 %n, 1", "", "%n"), 16), 1 + 5);
    ck_assert_uint_eq(barriers_after(LOOP("lshr i32 %n, 1", "", "%n"), 4), 1 + 3);
    ck_assert_uint_eq(barriers_after(LOOP("ashr i32 %n, 1", "", "%n"), 8), 1 + 4);
    ck_assert_uint_eq(barriers_after(LOOP("sdiv i32 %n, 2", "", "%n"), 8), 1 + 4);
}
END_TEST

START_TEST(other_loops_stay)
{
    ck_assert_uint_eq(barriers_after(LOOP("lshr i32 %n, 2", "", "%n"), 16), 1);
    ck_assert_uint_eq(barriers_after(LOOP("sub i32 %n, 1", "", "%n"), 16), 1);
    ck_assert_uint_eq(barriers_after(LOOP("lshr i32 %n, 1", "", "5"), 16), 1);
    ck_assert_uint_eq(barriers_after(TREE("lshr i32 %n, 1", "", "%n", "7"), 16), 1);
    // Lanes of different limits would not come to the same barriers.
    ck_assert_uint_eq(
        barriers_after(TREE_FROM("%l", "lshr i32 %n, 1", "", "%n", "%n"), 16), 1);
    ck_assert_uint_eq(
        barriers_after(
            LOOP("lshr i32 %n, 1",
                 "  call void @llvm.experimental.noalias.scope.decl(metadata !1)\n",
                 "%n") "declare void @llvm.experimental.noalias.scope.decl("
                       "metadata)\n!1 = !{!2}\n!2 = distinct !{!2, !3}\n!3 = "
                       "distinct !{!3}\n",
            16),
        1);
}
END_TEST

Suite *tf_suite_peel(void)
{
    Suite *suite = suite_create("peel");
    TCase *tcase = tcase_create("loops");

    tcase_add_test(tcase, the_last_rounds_are_there_once_more);
    tcase_add_test(tcase, other_loops_stay);
    suite_add_tcase(suite, tcase);
    return suite;
}
