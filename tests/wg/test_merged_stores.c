// SPDX-License-Identifier: MIT
// Stores to one place on several ways become one where these meet.
#include "compiler/ir/flow/merged_stores.h"

#include <stdio.h>
#include <string.h>

#include "ir_text.h"

static struct ir ir;

// %one and %two lead to %join, and where `%d` says so %three, or what else is there.
#define WAYS(one, two)                                                               \
    "define void @k(i8 %x, i8 %y, i1 %c, i1 %d, i64 %i, ptr addrspace(1)"            \
    " %p, ptr addrspace(1) %q) {\nentry:\n"                                          \
    "  br i1 %c, label %one, label %more\none:\n" one "  br label %join\ntwo:\n" two \
    "  br label %join\n"
#define TWO(one, two)          \
    WAYS(one, two)             \
    "more:\n  br label %two\n" \
    "join:\n  ret void\n}\n"
#define PLACE(n) "  %a" n " = getelementptr i8, ptr addrspace(1) %p, i64 %i\n"
#define STORE(n, value) \
    PLACE(n) "  store i8 " value ", ptr addrspace(1) %a" n ", align 1\n"

static bool merges(const char *text)
{
    return ir_run(&ir, text, tf_ir_merge_stores);
}

static void expect(bool merged, unsigned stores, const char *text)
{
    ck_assert_msg(merges(text) == merged, "%s", text);
    ck_assert_uint_eq(ir_count(&ir, "  store "), stores);
    ir_close(&ir);
}

START_TEST(a_choice_is_stored_where_ways_meet)
{
    LLVMValueRef store;

    ck_assert(merges(TWO(STORE("1", "%x"), STORE("2", "%y"))));
    ck_assert_uint_eq(ir_count(&ir, "  store "), 1);
    store = LLVMGetPreviousInstruction(
        LLVMGetBasicBlockTerminator(LLVMGetLastBasicBlock(ir.fn)));
    ck_assert(LLVMIsAStoreInst(store));
    ck_assert(LLVMIsAPHINode(LLVMGetOperand(store, 0)));
    ck_assert_ptr_eq(LLVMGetInstructionParent(LLVMGetOperand(store, 1)),
                     LLVMGetEntryBasicBlock(ir.fn)); // before the ways part
    ir_close(&ir);
}
END_TEST

START_TEST(what_touches_no_memory_may_stand_behind)
{
    expect(true, 1, TWO(STORE("1", "%x") "  %u = add i8 %x, 1\n", STORE("2", "%y")));
}
END_TEST

START_TEST(several_stores_of_each_way_are_several)
{
    static const char twice[] =
        TWO(STORE("1", "%x") "  store i8 1, ptr addrspace(1) %q\n",
            STORE("2", "%y") "  store i8 2, ptr addrspace(1) %q\n");

    expect(true, 2, twice);
}
END_TEST

START_TEST(chains_are_one_store)
{
    expect(true, 1,
           WAYS(STORE("1", "%x"), STORE("2", "%y")) //
           "more:\n  br i1 %d, label %two, label %three\nthree:\n" STORE(
               "3", "7") "  br label %join\njoin:\n  ret void\n}\n");
}
END_TEST

// More ways than one family has: what the first ones have become goes with the others,
// behind what its place is made of.
START_TEST(many_ways_are_one_store)
{
    char text[4096] =
        "define void @k(i8 %x, i64 %i, ptr addrspace(1) %p) {\nentry:\n"
        "  switch i8 %x, label %join [ i8 1, label %w1 i8 2, label %w2 i8 3, label %w3"
        " i8 4, label %w4 i8 5, label %w5 i8 6, label %w6 i8 7, label %w7 i8 8, label %w8"
        " i8 9, label %w9 i8 10, label %w10 ]\n";
    size_t at = strlen(text);

    for (int n = 1; n <= 10; n++)
        at += (size_t)snprintf(text + at, sizeof(text) - at,
                               "w%d:\n  %%a%d = getelementptr i8, ptr addrspace(1) %%p,"
                               " i64 %%i\n  store i8 %d, ptr addrspace(1) %%a%d\n"
                               "  br label %%join\n",
                               n, n, n, n);
    snprintf(text + at, sizeof(text) - at, "join:\n  ret void\n}\n");
    expect(true, 1, text);
}
END_TEST

START_TEST(ways_without_the_store_stay_without)
{
    ck_assert(merges(WAYS(STORE("1", "%x"), STORE("2", "%y")) //
                     "more:\n  br i1 %d, label %two, label %join\njoin:\n"
                     "  %v = phi i8 [ 1, %one ], [ 2, %two ], [ 3, %more ]\n"
                     "  store i8 %v, ptr addrspace(1) %q\n  ret void\n}\n"));
    ck_assert_uint_eq(ir_count(&ir, "  store "), 2);
    ck_assert_uint_eq(ir_count(&ir, ", %more ]"), 1);
    ir_close(&ir);
}
END_TEST

START_TEST(other_places_and_types_stay)
{
    expect(false, 2, TWO(STORE("1", "%x"), "  store i8 %y, ptr addrspace(1) %q\n"));
    expect(false, 2,
           TWO(STORE("1", "%x"), PLACE("2") "  store i16 1, ptr addrspace(1) %a2\n"));
    expect(false, 1, TWO(STORE("1", "%x"), ""));
}
END_TEST

START_TEST(whoever_looks_in_between_keeps_them)
{
    expect(
        false, 2,
        TWO(STORE("1", "%x") "  %u = load i8, ptr addrspace(1) %q\n", STORE("2", "%y")));
    expect(false, 2,
           TWO(STORE("1", "%x") "  call void @__tf_barrier()\n", STORE("2", "%y")));
    expect(false, 2,
           TWO(STORE("1", "%x"),
               PLACE("2") "  store volatile i8 %y, ptr addrspace(1) %a2\n"));
    expect(
        false, 2,
        TWO(STORE("1", "%x"),
            PLACE(
                "2") "  store atomic i8 %y, ptr addrspace(1) %a2 monotonic, align 1\n"));
}
END_TEST

// The store behind the last round would come into the loop.
START_TEST(rounds_keep_their_stores)
{
    expect(false, 2,
           "define void @k(i1 %c, ptr addrspace(1) %p) {\nentry:\n"
           "  store i8 1, ptr addrspace(1) %p\n  br label %head\nhead:\n"
           "  br i1 %c, label %round, label %end\nround:\n"
           "  store i8 2, ptr addrspace(1) %p\n  br label %head\nend:\n"
           "  ret void\n}\n");
}
END_TEST

START_TEST(only_what_is_said_of_all_is_kept)
{
    ck_assert(
        merges(TWO("  store i8 %x, ptr addrspace(1) %p, align 4, !nontemporal !1\n",
                   "  store i8 %y, ptr addrspace(1) %p, align 2\n") "!1 = !{i32 1}\n"));
    ck_assert_uint_eq(ir_count(&ir, "align 2"), 1);
    ck_assert_uint_eq(ir_count(&ir, "!nontemporal"), 0);
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_merged_stores(void)
{
    Suite *suite = suite_create("merged_stores");
    TCase *tests = tcase_create("merged_stores");

    tcase_add_test(tests, a_choice_is_stored_where_ways_meet);
    tcase_add_test(tests, what_touches_no_memory_may_stand_behind);
    tcase_add_test(tests, several_stores_of_each_way_are_several);
    tcase_add_test(tests, chains_are_one_store);
    tcase_add_test(tests, many_ways_are_one_store);
    tcase_add_test(tests, ways_without_the_store_stay_without);
    tcase_add_test(tests, other_places_and_types_stay);
    tcase_add_test(tests, whoever_looks_in_between_keeps_them);
    tcase_add_test(tests, rounds_keep_their_stores);
    tcase_add_test(tests, only_what_is_said_of_all_is_kept);
    suite_add_tcase(suite, tests);
    return suite;
}
