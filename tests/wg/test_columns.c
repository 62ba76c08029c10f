// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/workgroup/prepare/columns.h"

// An item function with a loop of %k from 0 to `end`, that does `work` in each round.
#define ITEM(before, phis, work, end)                                                  \
    "declare i32 @f(i32)\n"                                                            \
    "define void @k(ptr %launch, ptr %worker, ptr noalias readonly %group, i64 %lid, " \
    "i64 %lid1, i64 %lid2) {\n"                                                        \
    "entry:\n  %args = load ptr, ptr %launch, !invariant.load !0\n"                    \
    "  %in = load ptr addrspace(1), ptr %args, !invariant.load !0\n"                   \
    "  %np = getelementptr i8, ptr %args, i64 8\n"                                     \
    "  %n = load i32, ptr %np, !invariant.load !0\n"                                   \
    "  %t = load ptr addrspace(3), ptr %worker, !invariant.load !0\n"                  \
    "  %sp = getelementptr i8, ptr %group, i64 24\n  %size = load i64, ptr %sp\n"      \
    "  %own = getelementptr i32, ptr addrspace(3) %t, i64 %lid\n"                      \
    "  store i32 0, ptr addrspace(3) %own\n  call void @__tf_barrier()\n" before       \
    "head:\n  %k = phi i32 [ 0, %start ], [ %next, %body ]\n" phis                     \
    "  %go = icmp ult i32 %k, " end "\n  br i1 %go, label %body, label %done\n"        \
    "body:\n" work "  %next = add i32 %k, 1\n  br label %head\n"                       \
    "done:\n  call void @__tf_barrier()\n  ret void\n}\n"

#define START "  br label %start\nstart:\n  br label %head\n"
#define AT(index)                                                              \
    "  %wide = zext i32 %k to i64\n" index                                     \
    "  %at = getelementptr i8, ptr addrspace(1) %in, i64 %x\n"                 \
    "  %byte = load i8, ptr addrspace(1) %at\n  %bin = zext i8 %byte to i64\n" \
    "  %word = getelementptr i32, ptr addrspace(3) %t, i64 %bin\n"
#define DOWN AT("  %row = mul i64 %wide, %size\n  %x = add i64 %row, %lid\n")
#define COUNT "  %was = atomicrmw add ptr addrspace(3) %word, i32 1 monotonic\n"

static bool is_cut(const char *text)
{
    struct ir ir;
    struct tf_wg wg;
    unsigned barriers = 0;
    char *out;
    bool found;

    ir_open(&ir, text);
    wg = ir_wg(&ir, 1);
    tf_wg_init(&wg);
    found = tf_prepare_columns(&wg, ir.fn);
    ck_assert(!LLVMVerifyFunction(ir.fn, LLVMPrintMessageAction));
    out = LLVMPrintValueToString(ir.fn);
    for (const char *at = out; (at = strstr(at, "call void @__tf_barrier")); at++)
        barriers++;
    ck_assert_uint_eq(barriers, found ? 3 : 2);
    LLVMDisposeMessage(out);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
    return found;
}

START_TEST(rounds_down_columns_are_made_together)
{
    ck_assert(is_cut(ITEM(START, "", DOWN COUNT, "%n")));
    ck_assert(is_cut(ITEM(START, "", DOWN COUNT, "64")));
    // Indices of 32 bits, which may wrap; a known distance.
    ck_assert(
        is_cut(ITEM(START, "",
                    AT("  %l = trunc i64 %lid to i32\n  %row = mul i32 %k, 1024\n"
                       "  %sum = add i32 %row, %l\n  %x = zext i32 %sum to i64\n") COUNT,
                    "%n")));
}
END_TEST

START_TEST(rounds_side_by_side_stay)
{
    // Each item its own row.
    ck_assert(!is_cut(ITEM(
        START, "", AT("  %row = mul i64 %lid, %size\n  %x = add i64 %row, %wide\n") COUNT,
        "%n")));
    ck_assert(!is_cut(
        ITEM(START, "",
             AT("  %row = shl i64 %lid, 6\n  %x = add i64 %row, %wide\n") COUNT, "%n")));
    // Neighbours that stay where they are.
    ck_assert(!is_cut(ITEM(START, "", AT("  %x = add i64 %lid, 5\n") COUNT, "%n")));
    // Down one matrix and along another.
    ck_assert(
        !is_cut(ITEM(START, "",
                     DOWN "  %beside = getelementptr i32, ptr addrspace(1) %in, i64 "
                          "%wide\n  %v = load i32, ptr addrspace(1) %beside\n" COUNT,
                     "%n")));
}
END_TEST

START_TEST(rounds_that_items_do_not_share_stay)
{
    // Its own number of rounds, known to the item or found in memory.
    ck_assert(!is_cut(
        ITEM("  %mine = trunc i64 %lid to i32\n" START, "", DOWN COUNT, "%mine")));
    ck_assert(!is_cut(ITEM("  %mine = load i32, ptr addrspace(1) %in\n" START, "",
                           DOWN COUNT, "%mine")));
    // Some items never come.
    ck_assert(!is_cut(ITEM("  %some = icmp ult i64 %lid, 5\n"
                           "  br i1 %some, label %start, label %done\n"
                           "start:\n  br label %head\n",
                           "", DOWN COUNT, "%n")));
    // A sum of the item's own goes from round to round.
    ck_assert(!is_cut(ITEM(START, "  %sum = phi i64 [ 0, %start ], [ %more, %body ]\n",
                           DOWN "  %more = add i64 %sum, %bin\n", "%n")));
}
END_TEST

START_TEST(rounds_that_do_more_stay)
{
    ck_assert(!is_cut(ITEM(START, "", DOWN COUNT "  %c = call i32 @f(i32 %k)\n", "%n")));
    ck_assert(!is_cut(ITEM("  %v = alloca i32\n" START, "",
                           DOWN COUNT "  store i32 %k, ptr %v\n", "%n")));
    ck_assert(!is_cut(ITEM(START, "", DOWN "  fence seq_cst\n" COUNT, "%n")));
}
END_TEST

Suite *tf_suite_columns(void)
{
    Suite *suite = suite_create("columns");
    TCase *tcase = tcase_create("loops");

    tcase_add_test(tcase, rounds_down_columns_are_made_together);
    tcase_add_test(tcase, rounds_side_by_side_stay);
    tcase_add_test(tcase, rounds_that_items_do_not_share_stay);
    tcase_add_test(tcase, rounds_that_do_more_stay);
    suite_add_tcase(suite, tcase);
    return suite;
}
