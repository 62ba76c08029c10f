// SPDX-License-Identifier: MIT
// The splitter: what becomes of barriers, and what memory it takes for what lives across
// them.
#include "ir_text.h"

#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/workgroup/split/split.h"

#define K                                                                              \
    "define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, i64 %l2) " \
    "{\n"
#define ADDRESS                                                       \
    "  %p = load ptr addrspace(1), ptr %launch, !invariant.load !0\n" \
    "  %at = getelementptr i32, ptr addrspace(1) %p, i64 %l0\n"
#define BARRIER "  call void @__tf_barrier()\n"
#define LOAD "  %v = load i32, ptr addrspace(1) %at\n"
#define STORE "  store i32 %v, ptr addrspace(1) %at\n  ret void\n}\n"

static struct tf_split_memory memory;
static char *text; // of the function that was made, NULL: refused
static unsigned width = 1;

static void split(const char *source)
{
    struct ir ir;
    struct tf_wg wg = {.kernel_name = "k"};
    struct tf_split_in in = {.width = width};
    LLVMValueRef made;

    ir_open(&ir, source);
    wg.context = ir.context;
    wg.module = ir.module;
    tf_wg_init(&wg);
    wg.item_type = LLVMGlobalGetValueType(ir.fn);
    in.function = ir.fn;
    made = tf_wg_split(&wg, &in, &memory);
    text = NULL;
    if (made) {
        LLVMVerifyFunction(made, LLVMAbortProcessAction);
        text = LLVMPrintValueToString(made);
    }
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
}

static unsigned count(const char *what)
{
    unsigned found = 0;

    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        found++;
    return found;
}

static void check_split(void)
{
    ck_assert_ptr_nonnull(text);
    ck_assert_msg(count("__tf_barrier") == 0, "%s", text);
}

static void finish(void)
{
    LLVMDisposeMessage(text);
}

START_TEST(ids_and_addresses_are_computed_again)
{
    split(K ADDRESS "  store i32 1, ptr addrspace(1) %at\n" BARRIER
                    "  store i32 2, ptr addrspace(1) %at\n  ret void\n}\n");
    check_split();
    ck_assert_uint_eq(memory.gang_bytes, 0);
    finish();
}
END_TEST

START_TEST(a_value_of_each_item_takes_a_slot)
{
    split(K ADDRESS LOAD BARRIER STORE);
    check_split();
    ck_assert_uint_eq(memory.gang_bytes, 4);
    finish();
}
END_TEST

START_TEST(values_that_never_live_together_share_a_slot)
{
    split(K ADDRESS LOAD BARRIER
          "  %next = getelementptr i32, ptr addrspace(1) %at, i64 1\n"
          "  store i32 %v, ptr addrspace(1) %next\n"
          "  %w = load i32, ptr addrspace(1) %at\n" BARRIER
          "  store i32 %w, ptr addrspace(1) %at\n  ret void\n}\n");
    check_split();
    ck_assert_uint_eq(memory.gang_bytes, 4);
    finish();
}
END_TEST

// %v comes in across the barrier and is computed behind it, too.
START_TEST(edges_of_a_switch_bring_one_value)
{
    split(K ADDRESS "  br label %head\n"
                    "head:\n" LOAD "  %waits = icmp eq i32 %v, 5\n"
                    "  br i1 %waits, label %wait, label %middle\n"
                    "wait:\n" BARRIER "  br label %middle\n"
                    "middle:\n"
                    "  %w = load i32, ptr addrspace(1) %at\n"
                    "  switch i32 %w, label %other [\n"
                    "    i32 0, label %join\n"
                    "    i32 1, label %join\n"
                    "  ]\n"
                    "other:\n"
                    "  br label %join\n"
                    "join:\n"
                    "  %r = phi i32 [ %w, %other ], [ %v, %middle ], [ %v, %middle ]\n"
                    "  store i32 %r, ptr addrspace(1) %at\n"
                    "  %again = icmp eq i32 %r, 7\n"
                    "  br i1 %again, label %head, label %end\n"
                    "end:\n"
                    "  ret void\n"
                    "}\n");
    check_split(); // a function with two values for one edge does not verify
    finish();
}
END_TEST

START_TEST(variables_that_live_across_have_a_copy_an_item)
{
    split(K "  %own = alloca [5 x i32], align 4\n" ADDRESS LOAD
            "  %place = getelementptr i32, ptr %own, i64 %l1\n"
            "  store i32 %v, ptr %place\n" BARRIER
            "  %back = getelementptr i32, ptr %own, i64 %l2\n"
            "  %w = load i32, ptr %back\n"
            "  store i32 %w, ptr addrspace(1) %at\n  ret void\n}\n");
    check_split();
    ck_assert_uint_ge(memory.gang_bytes, 20);
    ck_assert_uint_le(memory.gang_bytes, 64);
    finish();
}
END_TEST

START_TEST(variables_of_one_part_have_no_copies)
{
    split(K "  %own = alloca [5 x i32], align 4\n" ADDRESS LOAD
            "  store i32 0, ptr addrspace(1) %at\n" BARRIER
            "  %place = getelementptr i32, ptr %own, i64 %l1\n"
            "  store i32 %v, ptr %place\n"
            "  %back = getelementptr i32, ptr %own, i64 %l2\n"
            "  %w = load i32, ptr %back\n"
            "  store i32 %w, ptr addrspace(1) %at\n  ret void\n}\n");
    check_split();
    ck_assert_uint_eq(memory.gang_bytes, 4);
    finish();
}
END_TEST

#define LOOP(limit)                                                     \
    K ADDRESS limit "  br label %head\n"                                \
                    "head:\n  %n = phi i64 [ 0, %0 ], [ %n1, %head ]\n" \
                    "  store i64 %n, ptr addrspace(1) %at\n" BARRIER    \
                    "  %n1 = add i64 %n, 1\n"                           \
                    "  %more = icmp ult i64 %n1, %limit\n"              \
                    "  br i1 %more, label %head, label %end\n"          \
                    "end:\n  store i64 0, ptr addrspace(1) %at\n  ret void\n}\n"

// The counter of a loop that all items take together is one value.
START_TEST(a_counter_of_the_group_takes_no_memory)
{
    split(LOOP("  %size = getelementptr i8, ptr %group, i64 24\n"
               "  %limit = load i64, ptr %size\n"));
    check_split();
    ck_assert_uint_eq(memory.gang_bytes, 0);
    finish();
}
END_TEST

// Items that disagree about a barrier each have the number of their next entry.
START_TEST(items_that_disagree_have_a_state)
{
    split(LOOP("  %limit = add i64 %l0, 1\n"));
    check_split();
    ck_assert_uint_gt(memory.gang_bytes, 0);
    finish();
}
END_TEST

START_TEST(a_variable_of_unknown_size_is_refused)
{
    split(K "  %own = alloca i32, i64 %l1, align 4\n" ADDRESS LOAD
            "  store i32 %v, ptr %own\n" BARRIER "  %w = load i32, ptr %own\n"
            "  store i32 %w, ptr addrspace(1) %at\n  ret void\n}\n");
    ck_assert_ptr_null(text);
}
END_TEST

// ---- what the first items alone do

#define HALF                                           \
    "  %size = getelementptr i8, ptr %group, i64 24\n" \
    "  %whole_size = load i64, ptr %size\n"            \
    "  %half = lshr i64 %whole_size, 1\n"
#define GUARDED(condition, behind)                                   \
    "  %has = icmp " condition "\n"                                  \
    "  br i1 %has, label %work, label %rest\n"                       \
    "work:\n  store i32 7, ptr addrspace(1) %at\n  br label %rest\n" \
    "rest:\n" behind BARRIER "  store i32 9, ptr addrspace(1) %at\n  ret void\n}\n"

START_TEST(the_first_items_are_not_asked)
{
    split(K ADDRESS HALF BARRIER GUARDED("ult i64 %l0, %half", ""));
    check_split();
    // Once in the loop over them; for work-items there is no part of an item.
    ck_assert_uint_eq(count("%below = "), 1);
    ck_assert_uint_eq(count("%whole = "), 1);
    ck_assert_uint_eq(count("store i32 7"), 2);
    finish();
}
END_TEST

START_TEST(limits_are_found_in_comparisons_of_all_kinds)
{
    static const char *const conditions[] = {
        K ADDRESS HALF BARRIER GUARDED("ugt i64 %half, %l0", ""),
        K ADDRESS HALF BARRIER GUARDED("ule i64 %l0, %half", ""),
        K ADDRESS HALF BARRIER GUARDED("slt i64 %l0, %half", ""),
        K ADDRESS HALF BARRIER GUARDED("eq i64 %l0, 3", ""),
        K ADDRESS HALF BARRIER GUARDED("ult i64 %l1, 2", ""),
    };

    for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++) {
        split(conditions[i]);
        check_split();
        ck_assert_uint_eq(count("%below = "), 1);
        finish();
    }
}
END_TEST

START_TEST(all_items_run_where_all_have_work)
{
    static const char *const others[] = {
        // Behind the condition, for another item than the first ones, below a limit of
        // each item's own.
        K ADDRESS HALF BARRIER GUARDED("ult i64 %l0, %half",
                                       "  store i32 8, ptr addrspace(1) %at\n"),
        K ADDRESS HALF BARRIER GUARDED("ugt i64 %l0, %half", ""),
        K ADDRESS HALF BARRIER GUARDED("ne i64 %l0, %half", ""),
        K ADDRESS HALF BARRIER GUARDED("ult i64 %l0, %l1", ""),
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++) {
        split(others[i]);
        check_split();
        ck_assert_uint_eq(count("%below = "), 0);
        finish();
    }
}
END_TEST

// Four lanes, of which those below half of the group have work.
#define FIRST_LANES                                                                    \
    K ADDRESS HALF "  %x = trunc i64 %l0 to i32\n  %h = trunc i64 %half to i32\n"      \
                   "  %x0 = insertelement <4 x i32> poison, i32 %x, i64 0\n"           \
                   "  %xs = shufflevector <4 x i32> %x0, <4 x i32> poison, <4 x i32> " \
                   "zeroinitializer\n"                                                 \
                   "  %ids = add <4 x i32> %xs, <i32 0, i32 1, i32 2, i32 3>\n"        \
                   "  %h0 = insertelement <4 x i32> poison, i32 %h, i64 0\n"           \
                   "  %hs = shufflevector <4 x i32> %h0, <4 x i32> poison, <4 x i32> " \
                   "zeroinitializer\n" BARRIER                                         \
                   "  %mask = icmp ugt <4 x i32> %hs, %ids\n"                          \
                   "  %bits = bitcast <4 x i1> %mask to i4\n"
#define MASKED_WORK                                                             \
    "  %v = select <4 x i1> %mask, <4 x i32> %ids, <4 x i32> zeroinitializer\n" \
    "  store <4 x i32> %v, ptr addrspace(1) %at, align 4\n  br label %rest\n"
#define ALL_WORK      \
    "rest:\n" BARRIER \
    "  store <4 x i32> %ids, ptr addrspace(1) %at, align 4\n  ret void\n}\n"

START_TEST(gangs_below_the_limit_need_no_masks)
{
    width = 4;
    split(FIRST_LANES "  %none = icmp eq i4 %bits, 0\n"
                      "  br i1 %none, label %rest, label %work\n"
                      "work:\n" MASKED_WORK ALL_WORK);
    width = 1;
    check_split();
    ck_assert_uint_eq(count("%whole = "), 1);
    ck_assert_uint_eq(count("= select <4 x i1>"), 2); // of whole gangs, and the last
    ck_assert_uint_eq(count("= select <4 x i1> %"), 1);
    finish();
}
END_TEST

// Of regions that are made twice LLVM makes one switch: no lane, all lanes, or some.
START_TEST(gangs_above_the_limit_are_not_asked_for_all_lanes_either)
{
    width = 4;
    split(FIRST_LANES "  switch i4 %bits, label %some [ i4 -1, label %all\n"
                      "    i4 0, label %rest ]\n"
                      "all:\n  store <4 x i32> %ids, ptr addrspace(1) %at, align 4\n"
                      "  br label %rest\n"
                      "some:\n" MASKED_WORK ALL_WORK);
    width = 1;
    check_split();
    ck_assert_uint_eq(count("%whole = "), 1);
    ck_assert_uint_eq(count("%below = "), 1);
    finish();
}
END_TEST

// The end of the loop is no part of what each item does: what comes behind begins anew.
START_TEST(the_end_of_a_loop_is_found_once)
{
    split(K ADDRESS HALF "  br label %head\n"
                         "head:\n  %n = phi i64 [ 0, %0 ], [ %n1, %head ]\n" BARRIER
                         "  store i64 %n, ptr addrspace(1) %at\n"
                         "  %n1 = add i64 %n, 1\n"
                         "  %more = icmp ult i64 %n1, %half\n"
                         "  br i1 %more, label %head, label %end\n"
                         "end:\n" GUARDED("eq i64 %l0, 0", ""));
    check_split();
    ck_assert_uint_eq(memory.gang_bytes, 0);
    ck_assert_uint_eq(count("%below = "), 1);
    finish();
}
END_TEST

// The rows of a group are one loop where no item asks for its row.
START_TEST(rows_that_are_alike_are_one_loop)
{
    split(K ADDRESS "  store i32 1, ptr addrspace(1) %at\n" BARRIER
                    "  store i32 2, ptr addrspace(1) %at\n  ret void\n}\n");
    check_split();
    ck_assert_uint_eq(count("%rows = "), 1);
    finish();
    split(K ADDRESS "  store i64 %l2, ptr addrspace(1) %at\n" BARRIER
                    "  store i32 2, ptr addrspace(1) %at\n  ret void\n}\n");
    check_split();
    ck_assert_uint_eq(count("%rows = "), 0);
    finish();
}
END_TEST

START_TEST(a_scope_is_opened_in_each_turn)
{
    split(K ADDRESS BARRIER
          "  call void @llvm.experimental.noalias.scope.decl(metadata "
          "!2)\n"
          "  %v = load i32, ptr addrspace(1) %at, !alias.scope !2\n"
          "  store i32 %v, ptr addrspace(1) %p, !noalias !2\n"
          "  ret void\n}\n"
          "declare void @llvm.experimental.noalias.scope.decl(metadata)\n"
          "!2 = !{!3}\n!3 = distinct !{!3, !4}\n!4 = distinct !{!4}\n");
    check_split();
    ck_assert_uint_eq(count("scope.decl"), 1);
    ck_assert_uint_eq(count("!alias.scope"), 1);
    finish();
}
END_TEST

Suite *tf_suite_split(void)
{
    Suite *suite = suite_create("split");
    TCase *tests = tcase_create("split");

    tcase_add_test(tests, ids_and_addresses_are_computed_again);
    tcase_add_test(tests, a_value_of_each_item_takes_a_slot);
    tcase_add_test(tests, values_that_never_live_together_share_a_slot);
    tcase_add_test(tests, edges_of_a_switch_bring_one_value);
    tcase_add_test(tests, variables_that_live_across_have_a_copy_an_item);
    tcase_add_test(tests, variables_of_one_part_have_no_copies);
    tcase_add_test(tests, a_counter_of_the_group_takes_no_memory);
    tcase_add_test(tests, items_that_disagree_have_a_state);
    tcase_add_test(tests, a_variable_of_unknown_size_is_refused);
    tcase_add_test(tests, the_first_items_are_not_asked);
    tcase_add_test(tests, limits_are_found_in_comparisons_of_all_kinds);
    tcase_add_test(tests, all_items_run_where_all_have_work);
    tcase_add_test(tests, gangs_below_the_limit_need_no_masks);
    tcase_add_test(tests, gangs_above_the_limit_are_not_asked_for_all_lanes_either);
    tcase_add_test(tests, the_end_of_a_loop_is_found_once);
    tcase_add_test(tests, rows_that_are_alike_are_one_loop);
    tcase_add_test(tests, a_scope_is_opened_in_each_turn);
    suite_add_tcase(suite, tests);
    return suite;
}
