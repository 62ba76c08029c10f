// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/ir/memory/masked_loads.h"
#include "compiler/ir/passes.h"

#define START                                                                       \
    "declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, i32, <4 x i1>, <4 x i32>)\n" \
    "declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, i32, <4 x i1>)\n"     \
    "define <4 x i32> @k(ptr %p, <4 x i1> %m, <4 x i32> %x, <4 x i32> %y, i1 %b) {\n"
#define LOADING                                                                     \
    "  %l = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %p, i32 4, <4 x i1> %m, " \
    "<4 x i32> poison)\n"
#define LOAD START LOADING
#define STORE                                                                        \
    "  call void @llvm.masked.store.v4i32.p0(<4 x i32> %x, ptr %p, i32 4, <4 x i1> " \
    "%m)\n"
#define CHOICE(of)                                                \
    "  %s = select <4 x i1> %m, <4 x i32> " of ", <4 x i32> %y\n" \
    "  ret <4 x i32> %s\n}\n"

static char *settled(struct ir *ir, const char *text)
{
    ir_open(ir, text);
    tf_masked_loads_settle(ir->fn);
    tf_masked_loads_settle(ir->fn); // once does
    ck_assert(!LLVMVerifyFunction(ir->fn, LLVMPrintMessageAction));
    return LLVMPrintValueToString(ir->fn);
}

static unsigned count(const char *text, const char *word)
{
    unsigned found = 0;

    while ((text = strstr(text, word))) {
        found++;
        text++;
    }
    return found;
}

static void expect_freezes(const char *text, unsigned expected)
{
    struct ir ir;
    char *out = settled(&ir, text);

    ck_assert_msg(count(out, "freeze") == expected, "%s", out);
    LLVMDisposeMessage(out);
    ir_close(&ir);
}

START_TEST(stores_between_load_and_choice)
{
    expect_freezes(LOAD STORE CHOICE("%l"), 1);
    expect_freezes(LOAD STORE "  %n = sub <4 x i32> zeroinitializer, %l\n" CHOICE("%n"),
                   0);
    expect_freezes(LOAD CHOICE("%l"), 0);
    expect_freezes(LOAD "  %c = select <4 x i1> %m, <4 x i32> %l, <4 x i32> %y\n" STORE
                        "  ret <4 x i32> %c\n}\n",
                   0);
    expect_freezes(LOAD STORE "  %n = mul <4 x i32> %l, %y\n" CHOICE("%n"), 1);
    expect_freezes(LOAD STORE "  %c = icmp eq <4 x i32> %l, %y\n"
                              "  %s = select <4 x i1> %c, <4 x i32> %x, <4 x i32> %y\n"
                              "  ret <4 x i32> %s\n}\n",
                   0);
    expect_freezes(LOAD STORE "  %s = add <4 x i32> %l, %y\n  ret <4 x i32> %s\n}\n", 0);
}
END_TEST

START_TEST(choices_in_other_blocks)
{
    expect_freezes(LOAD "  br label %next\nnext:\n" STORE CHOICE("%l"), 1);
    expect_freezes(LOAD STORE "  br label %next\nnext:\n" CHOICE("%l"), 1);
    expect_freezes(LOAD "  br label %next\nnext:\n" CHOICE("%l"), 0);
    expect_freezes(LOAD "  br i1 %b, label %yes, label %no\nyes:\n" STORE
                        "  br label %no\nno:\n" CHOICE("%l"),
                   1);
    expect_freezes(LOAD "  br i1 %b, label %yes, label %no\nyes:\n" STORE
                        "  ret <4 x i32> %x\nno:\n" CHOICE("%l"),
                   0);
}
END_TEST

// As LLVM changes it: the load is before the store.
static void expect_order(const char *text)
{
    struct ir ir;
    char *out = settled(&ir, text), *message;

    LLVMDisposeMessage(out);
    message = tf_ir_run_passes(ir.module, "instcombine<no-verify-fixpoint>", NULL);
    ck_assert_ptr_null(message);
    out = LLVMPrintValueToString(ir.fn);
    ck_assert_msg(strstr(out, "@llvm.masked.load") < strstr(out, "@llvm.masked.store"),
                  "%s", out);
    LLVMDisposeMessage(out);
    ir_close(&ir);
}

START_TEST(loads_stay_before_stores)
{
    expect_order(LOAD STORE CHOICE("%l"));
}
END_TEST

// y or y * l are y * (1 or l).
START_TEST(operations_are_chosen_by_operands)
{
    expect_order(LOAD "  %o = mul <4 x i32> %l, %y\n" STORE CHOICE("%o"));
    expect_order(LOAD "  %o = add <4 x i32> %l, %x\n" STORE
                      "  %q = add <4 x i32> %y, %x\n"
                      "  %s = select <4 x i1> %m, <4 x i32> %o, <4 x i32> %q\n"
                      "  ret <4 x i32> %s\n}\n");
}
END_TEST

START_TEST(choices_go_where_they_are_used)
{
    expect_order(LOAD "  %s = select <4 x i1> %m, <4 x i32> %l, <4 x i32> %y\n" STORE
                      "  br i1 %b, label %yes, label %no\nyes:\n  ret <4 x i32> %s\nno:\n"
                      "  ret <4 x i32> %x\n}\n");
}
END_TEST

START_TEST(choices_by_way_go_to_the_ways)
{
    expect_order(START "  br i1 %b, label %yes, label %no\nyes:\n" LOADING STORE
                       "  br label %no\nno:\n"
                       "  %n = phi <4 x i1> [%m, %yes], [zeroinitializer, %0]\n"
                       "  %v = phi <4 x i32> [%l, %yes], [poison, %0]\n"
                       "  %s = select <4 x i1> %n, <4 x i32> %v, <4 x i32> %y\n"
                       "  ret <4 x i32> %s\n}\n");
}
END_TEST

Suite *tf_suite_masked_loads(void)
{
    Suite *suite = suite_create("masked_loads");
    TCase *tcase = tcase_create("masked_loads");

    tcase_add_test(tcase, stores_between_load_and_choice);
    tcase_add_test(tcase, choices_in_other_blocks);
    tcase_add_test(tcase, loads_stay_before_stores);
    tcase_add_test(tcase, operations_are_chosen_by_operands);
    tcase_add_test(tcase, choices_go_where_they_are_used);
    tcase_add_test(tcase, choices_by_way_go_to_the_ways);
    suite_add_tcase(suite, tcase);
    return suite;
}
