// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <stdio.h>

#define HEAD                                                                \
    "define void @k(ptr addrspace(1) %p, i32 %n) {\nentry:\n"               \
    "  %x = call i32 @tf_gid0()\n  %i = zext nneg i32 %x to i64\n"          \
    "  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"              \
    "  %few = icmp ult i32 %x, %n\n  br i1 %few, label %then, label %end\n" \
    "then:\n  %v = load i32, ptr addrspace(1) %at\n"                        \
    "  store i32 %v, ptr addrspace(1) %at\n  br label %end\n"

static const char limited[] = HEAD "end:\n  ret void\n}\n";
// A second start would store twice.
static const char behind_a_store[] =
    HEAD "end:\n  %more = icmp ult i32 %x, 7\n  br i1 %more, label %again, label %out\n"
         "again:\n  store i32 1, ptr addrspace(1) %at\n  br label %out\n"
         "out:\n  ret void\n}\n";
static const char with_barrier[] =
    HEAD "end:\n  call void @__tf_barrier()\n  ret void\n}\n";

static bool is_assumed(const struct ir *ir, const char *name)
{
    return tf_shape_value(&ir->facts.usual, ir_value(ir, name))->assumed;
}

START_TEST(most_gangs_agree_about_limits)
{
    struct ir ir;

    ir_open(&ir, limited);
    ck_assert(ir_facts(&ir, 8));
    ck_assert(is_assumed(&ir, "few"));
    ck_assert(!tf_is_uniform(&ir.facts.shapes, ir_value(&ir, "few")));
    ck_assert(tf_is_uniform(&ir.facts.usual, ir_value(&ir, "few")));
    ck_assert_uint_eq(ir.facts.shapes.region_count, 1);
    ck_assert_uint_eq(ir.facts.usual.region_count, 0);
    ck_assert_uint_eq(ir.facts.fixpoints, 2);
    ir_close(&ir);
}
END_TEST

START_TEST(nothing_is_assumed_behind_an_effect)
{
    struct ir ir;

    ir_open(&ir, behind_a_store);
    ck_assert(ir_facts(&ir, 8));
    ck_assert(is_assumed(&ir, "few") && !is_assumed(&ir, "more"));
    ck_assert(ir.facts.acts[tf_cfg_number(&ir.facts.cfg,
                                          LLVMGetInstructionParent(ir_value(&ir, "v")))]);
    ck_assert(ir.facts.late[tf_cfg_number(
        &ir.facts.cfg, LLVMGetInstructionParent(ir_value(&ir, "more")))]);
    ir_close(&ir);
}
END_TEST

START_TEST(gangs_that_meet_at_barriers_assume_nothing)
{
    struct ir ir;

    ir_open(&ir, with_barrier);
    ck_assert(ir_facts(&ir, 8));
    ck_assert(ir.facts.has_barrier);
    ck_assert(!is_assumed(&ir, "few"));
    ck_assert_uint_eq(ir.facts.fixpoints, 1);
    ir_close(&ir);
}
END_TEST

START_TEST(functions_over_a_limit_have_no_facts)
{
    struct ir ir;
    struct tf_facts_of of = {.lanes = 8, .most_instructions = 5};
    struct tf_facts facts;

    ir_open(&ir, limited);
    of.fn = ir.fn;
    ck_assert(!tf_facts_init(&facts, &of));
    ck_assert_str_eq(facts.unfit, "9 instructions, more than 5");
    tf_facts_finish(&facts);
    of.most_blocks = 2;
    ck_assert(!tf_facts_init(&facts, &of));
    ck_assert_str_eq(facts.unfit, "3 blocks, more than 2");
    tf_facts_finish(&facts);
    ir_close(&ir);
}
END_TEST

START_TEST(what_lanes_share_follows_their_dimension)
{
    struct ir ir;
    struct tf_facts_of of = {.lanes = 8, .usual = true, .turned = true};
    struct tf_facts facts;

    ir_open(&ir, "define void @k(ptr addrspace(1) %p) {\n"
                 "  %x = call i32 @tf_gid0()\n  %y = call i32 @tf_gid1()\n"
                 "  ret void\n}\n");
    of.fn = ir.fn;
    ck_assert(tf_facts_init(&facts, &of));
    ck_assert(tf_is_uniform(&facts.usual, ir_value(&ir, "x")));
    ck_assert_int_eq(tf_shape_of(&facts.usual, ir_value(&ir, "y")).stride, 1);
    tf_facts_finish(&facts);
    ir_close(&ir);
}
END_TEST

// What one look assumes may let more be assumed: `low` of %x, and what is made of it.
START_TEST(what_is_assumed_lets_more_be_assumed_in_one_look)
{
    struct ir ir;
    struct tf_facts_of of = {.lanes = 8, .usual = true, .rounds_together = true};
    struct tf_facts facts;

    ir_open(&ir, "define void @k(ptr addrspace(1) %p, i32 %n) {\n"
                 "  %x = call i32 @tf_gid0()\n"
                 "  %low = call i32 @llvm.smin.i32(i32 %x, i32 %n)\n"
                 "  %next = add nsw i32 %low, 1\n  %in = icmp slt i32 %next, %n\n"
                 "  ret void\n}\ndeclare i32 @llvm.smin.i32(i32, i32)\n");
    of.fn = ir.fn;
    ck_assert(tf_facts_init(&facts, &of));
    ck_assert(tf_shape_value(&facts.usual, ir_value(&ir, "low"))->assumed);
    ck_assert(tf_shape_value(&facts.usual, ir_value(&ir, "in"))->assumed);
    ck_assert(tf_is_uniform(&facts.usual, ir_value(&ir, "in")));
    ck_assert_uint_eq(facts.fixpoints, 1);
    tf_facts_finish(&facts);
    ck_assert(ir_facts(&ir, 8));
    ck_assert(is_assumed(&ir, "low") && is_assumed(&ir, "in"));
    ck_assert_uint_eq(ir.facts.fixpoints, 2);
    ir_close(&ir);
}
END_TEST

// Lanes that leave a loop one by one never agree in its last rounds.
START_TEST(ends_of_loops_that_lanes_leave_one_by_one_are_not_assumed)
{
    struct ir ir;

    ir_open(&ir, "define void @k(ptr addrspace(1) %p, i32 %n) {\nentry:\n"
                 "  %x = call i32 @tf_gid0()\n  br label %loop\n"
                 "loop:\n  %i = phi i32 [ %x, %entry ], [ %next, %loop ]\n"
                 "  %next = add nsw i32 %i, 100\n  %more = icmp slt i32 %next, %n\n"
                 "  br i1 %more, label %loop, label %end\nend:\n  ret void\n}\n");
    ck_assert(ir_facts(&ir, 8));
    ck_assert(!is_assumed(&ir, "more"));
    ir_close(&ir);
}
END_TEST

START_TEST(what_is_hardly_expected_is_seldom_run)
{
    static const char text[] =
        "define void @k(ptr addrspace(1) %p, i32 %n) {\n"
        "entry:\n  %i = call i32 @tf_gid0()\n  br label %loop\n"
        "loop:\n  %j = phi i32 [ 0, %entry ], [ %j1, %on ]\n"
        "  %c = icmp sgt i32 %i, %n\n  br i1 %c, label %far, label %on, !prof !1\n"
        "far:\n  br label %again\n"
        "again:\n  %k = phi i32 [ 0, %far ], [ %k1, %again ]\n  %k1 = add i32 %k, 1\n"
        "  %d = icmp eq i32 %k1, %n\n  br i1 %d, label %on, label %again\n"
        "on:\n  store i32 %i, ptr addrspace(1) %p\n  %j1 = add i32 %j, 1\n"
        "  %e = icmp eq i32 %j1, 9\n  br i1 %e, label %end, label %loop, !prof !2\n"
        "end:\n  ret void\n}\n"
        "!1 = !{!\"branch_weights\", !\"expected\", i32 1, i32 2000}\n"
        "!2 = !{!\"branch_weights\", i32 1, i32 31}\n";
    struct ir ir;

    ir_open(&ir, text);
    ck_assert(ir_cfg(&ir));
    ck_assert(ir_facts(&ir, 8));
    ck_assert(ir.facts.seldom[ir_block(&ir, "far")]);
    ck_assert(ir.facts.seldom[ir_block(&ir, "again")]);
    ck_assert_uint_eq(tf_facts_weight(&ir.facts, ir_block(&ir, "again")), 0);
    ck_assert(!ir.facts.seldom[ir_block(&ir, "on")]);
    ck_assert(!ir.facts.seldom[ir_block(&ir, "end")]); // a loop ends, after all
    ck_assert_uint_gt(tf_facts_weight(&ir.facts, ir_block(&ir, "on")), 1);
    ir_close(&ir);
}
END_TEST

// It counts as what is not: of many lanes, one may go there.
// Of a loop `for (i = first; i < end; i += step)`.
static uint64_t weight_of_rounds(const char *first, const char *end, const char *step)
{
    char text[600];
    struct ir ir;
    uint64_t weight;

    snprintf(text, sizeof(text),
             "define void @k(ptr addrspace(1) %%p, i32 %%n) {\nentry:\n"
             "  %%x = call i32 @tf_lid0()\n  br label %%loop\nloop:\n"
             "  %%i = phi i32 [ %s, %%entry ], [ %%next, %%loop ]\n"
             "  store volatile i32 %%i, ptr addrspace(1) %%p\n"
             "  %%next = add i32 %%i, %s\n  %%more = icmp slt i32 %%next, %s\n"
             "  br i1 %%more, label %%loop, label %%end\nend:\n  ret void\n}\n",
             first, step, end);
    ir_open(&ir, text);
    ck_assert(ir_facts(&ir, 8));
    weight = tf_facts_weight(
        &ir.facts,
        tf_cfg_number(&ir.facts.cfg, LLVMGetInstructionParent(ir_value(&ir, "i"))));
    ir_close(&ir);
    return weight;
}

START_TEST(few_rounds_count_little)
{
    const uint64_t many = weight_of_rounds("%x", "%n", "16");

    ck_assert_uint_gt(many, 3);
    ck_assert_uint_eq(weight_of_rounds("%x", "20", "16"), 1);
    ck_assert_uint_eq(weight_of_rounds("%x", "48", "16"), 3);
    ck_assert_uint_eq(weight_of_rounds("0", "5", "2"), 3);
    ck_assert_uint_eq(weight_of_rounds("4", "5", "2"), 1);
    ck_assert_uint_eq(weight_of_rounds("%x", "2048", "16"), many);
    ck_assert_uint_eq(weight_of_rounds("%x", "20", "%n"), many);
    ck_assert_uint_eq(weight_of_rounds("%x", "-20", "16"), many);
}
END_TEST

START_TEST(what_few_are_expected_to_do_lies_aside)
{
    static const char text[] =
        "define void @k(ptr addrspace(1) %p, i32 %n) {\n"
        "entry:\n  %i = call i32 @tf_gid0()\n  br label %loop\n"
        "loop:\n  %j = phi i32 [ 0, %entry ], [ %j1, %on ]\n"
        "  %c = icmp sgt i32 %i, %n\n  br i1 %c, label %far, label %near, !prof !1\n"
        "far:\n  br label %on\nnear:\n  br label %on\n"
        "on:\n  store i32 %i, ptr addrspace(1) %p\n  %j1 = add i32 %j, 1\n"
        "  %e = icmp eq i32 %j1, 9\n  br i1 %e, label %end, label %loop, !prof !1\n"
        "end:\n  ret void\n}\n!1 = !{!\"branch_weights\", i32 1, i32 31}\n";
    struct ir ir;

    ir_open(&ir, text);
    ck_assert(ir_cfg(&ir));
    ck_assert(ir_facts(&ir, 8));
    ck_assert(tf_facts_lies_aside(&ir.facts, ir_block(&ir, "far")));
    ck_assert(!ir.facts.seldom[ir_block(&ir, "far")]);
    ck_assert(!tf_facts_lies_aside(&ir.facts, ir_block(&ir, "near")));
    ck_assert(!tf_facts_lies_aside(&ir.facts, ir_block(&ir, "on")));
    ck_assert(!tf_facts_lies_aside(&ir.facts, ir_block(&ir, "end"))); // where a loop ends
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_facts(void)
{
    Suite *suite = suite_create("facts");
    TCase *tests = tcase_create("facts");

    tcase_add_test(tests, most_gangs_agree_about_limits);
    tcase_add_test(tests, nothing_is_assumed_behind_an_effect);
    tcase_add_test(tests, gangs_that_meet_at_barriers_assume_nothing);
    tcase_add_test(tests, functions_over_a_limit_have_no_facts);
    tcase_add_test(tests, what_lanes_share_follows_their_dimension);
    tcase_add_test(tests, what_is_assumed_lets_more_be_assumed_in_one_look);
    tcase_add_test(tests, ends_of_loops_that_lanes_leave_one_by_one_are_not_assumed);
    tcase_add_test(tests, what_is_hardly_expected_is_seldom_run);
    tcase_add_test(tests, few_rounds_count_little);
    tcase_add_test(tests, what_few_are_expected_to_do_lies_aside);
    suite_add_tcase(suite, tests);
    return suite;
}
