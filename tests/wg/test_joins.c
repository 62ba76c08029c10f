// SPDX-License-Identifier: MIT
// What all ways to a block make of the same values is made in the block.
#include "compiler/ir/flow/joins.h"
#include "ir_text.h"

static struct ir ir;

// %way and %other are the two ways to %join.
#define JOIN(way, other, phi)                                             \
    "define i64 @k(i32 %n, i1 %c, ptr addrspace(3) %p) {\nentry:\n"       \
    "  br i1 %c, label %one, label %two\none:\n" way "  br label %join\n" \
    "two:\n" other "  br label %join\njoin:\n  %it = phi " phi "\n"

static bool computes(const char *text)
{
    return ir_run(&ir, text, tf_ir_compute_at_joins);
}

static LLVMValueRef result(void)
{
    const LLVMBasicBlockRef end = LLVMGetLastBasicBlock(ir.fn);

    return LLVMGetOperand(LLVMGetBasicBlockTerminator(end), 0);
}

START_TEST(the_same_on_both_ways_is_no_choice)
{
    ck_assert(computes(JOIN("  %a = sext i32 %n to i64\n", "  %b = sext i32 %n to i64\n",
                            "i64 [ %a, %one ], [ %b, %two ]") "  ret i64 %it\n}\n"));
    ck_assert(LLVMIsASExtInst(result()));
    ck_assert_ptr_eq(LLVMGetInstructionParent(result()), LLVMGetLastBasicBlock(ir.fn));
    ir_close(&ir);
}
END_TEST

START_TEST(only_what_all_ways_promise_is_kept)
{
    ck_assert(
        computes(JOIN("  %a = add nuw nsw i32 %n, 1\n  %x = zext nneg i32 %a to i64\n",
                      "  %b = add nsw i32 %n, 1\n  %y = zext nneg i32 %b to i64\n",
                      "i64 [ %x, %one ], [ %y, %two ]") "  ret i64 %it\n}\n"));
    ck_assert(LLVMIsAZExtInst(result()) && LLVMGetNNeg(result()));
    ck_assert(LLVMGetNSW(LLVMGetOperand(result(), 0)));
    ck_assert(!LLVMGetNUW(LLVMGetOperand(result(), 0)));
    ir_close(&ir);
}
END_TEST

START_TEST(other_values_stay_a_choice)
{
    ck_assert(!computes(JOIN("  %a = sext i32 %n to i64\n", "  %b = zext i32 %n to i64\n",
                             "i64 [ %a, %one ], [ %b, %two ]") "  ret i64 %it\n}\n"));
    ir_close(&ir);
    ck_assert(
        !computes(JOIN("", "", "i64 [ 1, %one ], [ 2, %two ]") "  ret i64 %it\n}\n"));
    ir_close(&ir);
}
END_TEST

START_TEST(memory_may_have_changed)
{
    ck_assert(!computes(JOIN("  %a = load i64, ptr addrspace(3) %p\n",
                             "  store i64 7, ptr addrspace(3) %p\n"
                             "  %b = load i64, ptr addrspace(3) %p\n",
                             "i64 [ %a, %one ], [ %b, %two ]") "  ret i64 %it\n}\n"));
    ir_close(&ir);
}
END_TEST

START_TEST(a_round_is_not_the_next)
{
    ck_assert(!computes("define i64 @k(i64 %n) {\nentry:\n  %first = add i64 %n, 1\n"
                        "  br label %loop\nloop:\n"
                        "  %i = phi i64 [ %first, %entry ], [ %next, %loop ]\n"
                        "  %next = add i64 %i, 1\n  %more = icmp ult i64 %next, 9\n"
                        "  br i1 %more, label %loop, label %end\nend:\n"
                        "  ret i64 %i\n}\n"));
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_joins(void)
{
    Suite *suite = suite_create("joins");
    TCase *tests = tcase_create("joins");

    tcase_add_test(tests, the_same_on_both_ways_is_no_choice);
    tcase_add_test(tests, only_what_all_ways_promise_is_kept);
    tcase_add_test(tests, other_values_stay_a_choice);
    tcase_add_test(tests, memory_may_have_changed);
    tcase_add_test(tests, a_round_is_not_the_next);
    suite_add_tcase(suite, tests);
    return suite;
}
