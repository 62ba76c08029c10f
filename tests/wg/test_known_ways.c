// SPDX-License-Identifier: MIT
// A block that only asks by which way it was reached is left out.
#include "compiler/ir/flow/known_ways.h"
#include "ir_text.h"

static struct ir ir;

static bool takes(const char *text)
{
    return ir_run(&ir, text, tf_ir_take_known_ways);
}

static unsigned switches(void)
{
    unsigned count = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(ir.fn); b;
         b = LLVMGetNextBasicBlock(b))
        count += LLVMIsASwitchInst(LLVMGetBasicBlockTerminator(b)) != NULL;
    return count;
}

// A loop that is left at its head or by a `break` in a scope.
#define LOOP(slot)                                                                \
    "define i32 @k(i32 %n, i32 %m) {\nentry:\n  br label %head\nhead:\n"          \
    "  %i = phi i32 [ 0, %entry ], [ %next, %slot ]\n"                            \
    "  %more = icmp ult i32 %i, %n\n  br i1 %more, label %body, label %end\n"     \
    "body:\n  %hit = icmp eq i32 %i, %m\n  br i1 %hit, label %slot, label %on\n"  \
    "on:\n  %j = add i32 %i, 1\n  br label %slot\nslot:\n"                        \
    "  %next = phi i32 [ %j, %on ], [ %i, %body ]\n  %where = phi i32 " slot "\n" \
    "  switch i32 %where, label %never [ i32 0, label %head\n"                    \
    "    i32 3, label %end ]\nnever:\n  unreachable\nend:\n"

START_TEST(each_way_leads_to_where_its_constant_says)
{
    ck_assert(
        takes(LOOP("[ 0, %on ], [ 3, %body ]") "  %r = phi i32 [ -1, %head ], [ "
                                               "%next, %slot ]\n  ret i32 %r\n}\n"));
    ck_assert_uint_eq(switches(), 0);
    ir_close(&ir);
}
END_TEST

START_TEST(values_are_there_behind_the_block)
{
    ck_assert(takes("define i32 @k(i1 %c, i1 %d, i32 %n) {\nentry:\n"
                    "  br i1 %c, label %one, label %two\none:\n  br label %slot\n"
                    "two:\n  br i1 %d, label %slot, label %slot\nslot:\n"
                    "  %v = phi i32 [ %n, %one ], [ 7, %two ], [ 7, %two ]\n"
                    "  %w = phi i32 [ 0, %one ], [ 1, %two ], [ 1, %two ]\n"
                    "  switch i32 %w, label %b [ i32 0, label %a ]\na:\n"
                    "  %x = add i32 %v, %v\n  br label %end\nb:\n  br label %end\nend:\n"
                    "  %r = phi i32 [ %x, %a ], [ %v, %b ]\n  %s = mul i32 %r, %v\n"
                    "  ret i32 %s\n}\n"));
    ck_assert_uint_eq(switches(), 0);
    ir_close(&ir);
}
END_TEST

START_TEST(what_only_the_run_knows_stays)
{
    ck_assert(!takes(LOOP("[ 0, %on ], [ %m, %body ]") "  ret i32 %i\n}\n"));
    ir_close(&ir);
}
END_TEST

// `while (1) switch (state)`: ways through such a block are what the machine does.
START_TEST(states_of_a_loop_stay)
{
    ck_assert(!takes("define void @k(i1 %c) {\nentry:\n  br label %head\nhead:\n"
                     "  %s = phi i32 [ 0, %entry ], [ 1, %a ], [ 0, %b ]\n"
                     "  switch i32 %s, label %b [ i32 0, label %a ]\na:\n"
                     "  br i1 %c, label %head, label %end\nb:\n  br label %head\n"
                     "end:\n  ret void\n}\n"));
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_known_ways(void)
{
    Suite *suite = suite_create("known_ways");
    TCase *tests = tcase_create("known_ways");

    tcase_add_test(tests, each_way_leads_to_where_its_constant_says);
    tcase_add_test(tests, values_are_there_behind_the_block);
    tcase_add_test(tests, what_only_the_run_knows_stays);
    tcase_add_test(tests, states_of_a_loop_stay);
    suite_add_tcase(suite, tests);
    return suite;
}
