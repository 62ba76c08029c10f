// SPDX-License-Identifier: MIT
#include "ir_text.h"

#define ID "  %x = call i32 @tf_lid0()\n"
#define ODD "  %odd = trunc i32 %x to i1\n"

static unsigned region(const struct ir *ir, const char *block)
{
    return ir->shapes.region_of[ir_block(ir, block)];
}

START_TEST(sides_of_a_divergent_branch_are_a_region)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i32 %n) {\n"
                 "entry:\n" ID ODD "  br i1 %odd, label %left, label %right\n"
                 "left:\n  br label %join\n"
                 "right:\n  br label %join\n"
                 "join:\n"
                 "  %same = phi i32 [ %n, %left ], [ 7, %right ]\n"
                 "  br label %end\n"
                 "end:\n  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert_uint_eq(region(&ir, "entry"), TF_CFG_NONE);
    ck_assert_uint_ne(region(&ir, "left"), TF_CFG_NONE);
    ck_assert_uint_eq(region(&ir, "left"), region(&ir, "right"));
    ck_assert_uint_eq(region(&ir, "join"), TF_CFG_NONE);
    ck_assert_uint_eq(ir.shapes.regions[region(&ir, "left")].exit, ir_block(&ir, "join"));
    ck_assert(!ir.shapes.regions[region(&ir, "left")].has_barrier);
    ir_expect_varying(&ir, "same"); // lanes bring different values
    ir_close(&ir);
}
END_TEST

START_TEST(a_uniform_branch_makes_no_region)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i32 %n, i1 %c) {\n"
                 "entry:\n" ID "  br i1 %c, label %left, label %join\n"
                 "left:\n  %next = add i32 %x, 1\n  br label %join\n"
                 "join:\n"
                 "  %either = phi i32 [ %x, %entry ], [ %next, %left ]\n"
                 "  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert_uint_eq(ir.shapes.region_count, 0);
    ck_assert_uint_eq(region(&ir, "left"), TF_CFG_NONE);
    ir_expect_affine(&ir, "either", 1);
    ir_close(&ir);
}
END_TEST

// A uniform branch between lanes that are apart does not bring them together.
START_TEST(what_lies_in_a_region_belongs_to_it)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i32 %n, i1 %c) {\n"
                 "entry:\n" ID ODD "  br i1 %odd, label %a, label %join\n"
                 "a:\n  br i1 %c, label %b, label %d\n"
                 "b:\n  call void @__tf_barrier()\n  br label %d\n"
                 "d:\n  br label %join\n"
                 "join:\n  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert_uint_ne(region(&ir, "a"), TF_CFG_NONE);
    ck_assert_uint_eq(region(&ir, "b"), region(&ir, "a"));
    ck_assert_uint_eq(region(&ir, "d"), region(&ir, "a"));
    ck_assert(ir.shapes.regions[region(&ir, "a")].has_barrier);
    ir_close(&ir);
}
END_TEST

START_TEST(lanes_leave_a_loop_at_different_times)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i32 %n) {\n"
                 "entry:\n" ID "  br label %head\n"
                 "head:\n"
                 "  %i = phi i32 [ 0, %entry ], [ %i1, %head ]\n"
                 "  %i1 = add i32 %i, 1\n"
                 "  %more = icmp slt i32 %i1, %x\n"
                 "  br i1 %more, label %head, label %end\n"
                 "end:\n"
                 "  %count = phi i32 [ %i1, %head ]\n"
                 "  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert_uint_eq(ir.cfg.loop_count, 1);
    ck_assert(ir.shapes.divergent[0]);
    ck_assert_uint_ne(region(&ir, "head"), TF_CFG_NONE);
    ir_expect_affine(&ir, "i", 0); // all that are still in it count alike
    ir_expect_affine(&ir, "i1", 0);
    ir_expect_varying(&ir, "count"); // of different rounds
    ir_close(&ir);
}
END_TEST

START_TEST(a_loop_of_uniform_length_is_not_divergent)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i32 %n) {\n"
                 "entry:\n" ID "  br label %head\n"
                 "head:\n"
                 "  %i = phi i32 [ 0, %entry ], [ %i1, %latch ]\n"
                 "  %sum = phi i32 [ %x, %entry ], [ %sum1, %latch ]\n"
                 "  %big = icmp sgt i32 %sum, 9\n"
                 "  br i1 %big, label %then, label %latch\n"
                 "then:\n  br label %latch\n"
                 "latch:\n"
                 "  %add = phi i32 [ 1, %head ], [ 2, %then ]\n"
                 "  %sum1 = add i32 %sum, %add\n"
                 "  %i1 = add i32 %i, 1\n"
                 "  %more = icmp slt i32 %i1, %n\n"
                 "  br i1 %more, label %head, label %end\n"
                 "end:\n  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert(!ir.shapes.divergent[0]);
    ck_assert_uint_eq(region(&ir, "head"), TF_CFG_NONE);
    ck_assert_uint_ne(region(&ir, "then"), TF_CFG_NONE);
    ck_assert_uint_eq(region(&ir, "latch"), TF_CFG_NONE);
    ir_expect_affine(&ir, "i", 0);
    ir_expect_varying(&ir, "add");
    ir_expect_varying(&ir, "sum");
    ir_close(&ir);
}
END_TEST

// Two branches whose ways cross: one region, entered through one block.
START_TEST(regions_that_overlap_are_one)
{
    struct ir ir;
    unsigned r;

    ir_open(&ir, "define void @k(i32 %n, i1 %c) {\n"
                 "entry:\n" ID ODD "  br i1 %c, label %a, label %b\n"
                 "a:\n  br i1 %odd, label %b, label %d\n"
                 "b:\n  br i1 %odd, label %d, label %e\n"
                 "d:\n  br label %e\n"
                 "e:\n  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    r = region(&ir, "b");
    ck_assert_uint_ne(r, TF_CFG_NONE);
    ck_assert_uint_eq(region(&ir, "d"), r);
    ck_assert_uint_eq(region(&ir, "entry"), TF_CFG_NONE);
    ck_assert_uint_eq(ir.shapes.regions[r].exit, ir_block(&ir, "e"));
    // All ways into it come from one block outside.
    for (unsigned b = 0; b < ir.cfg.block_count; b++) {
        for (unsigned k = 0;
             ir.shapes.region_of[b] == r && k < ir.cfg.blocks[b].pred_count; k++) {
            const unsigned p = ir.cfg.blocks[b].preds[k];

            ck_assert(ir.shapes.region_of[p] == r || p == ir_block(&ir, "entry"));
        }
    }
    ir_close(&ir);
}
END_TEST

// What LLVM makes of a loop with `continue`: the inner loop's head ends all rounds, but
// those who come by the outer loop left the inner one before.
START_TEST(lanes_that_leave_an_inner_loop_do_not_meet_at_its_head)
{
    static const char *const in_loops[] = {"outer", "inner", "test", "work"};
    struct ir ir;
    unsigned r;

    ir_open(&ir, "define void @k(i32 %n) {\n"
                 "entry:\n" ID "  br label %outer\n"
                 "outer:\n"
                 "  %left = phi i32 [ %n, %entry ], [ %out, %work ]\n"
                 "  %a = phi i32 [ %x, %entry ], [ %a1, %work ]\n"
                 "  br label %inner\n"
                 "inner:\n"
                 "  %left1 = phi i32 [ %left, %outer ], [ %left2, %test ]\n"
                 "  %over = icmp slt i32 %left1, 1\n"
                 "  br i1 %over, label %end, label %test\n"
                 "test:\n"
                 "  %left2 = add i32 %left1, -1\n"
                 "  %mix = xor i32 %a, %left2\n"
                 "  %odd = trunc i32 %mix to i1\n"
                 "  br i1 %odd, label %inner, label %work\n"
                 "work:\n"
                 "  %out = phi i32 [ %left2, %test ]\n"
                 "  %a1 = add i32 %a, 1\n"
                 "  br label %outer\n"
                 "end:\n  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert_uint_eq(ir.cfg.loop_count, 2);
    ck_assert(ir.shapes.divergent[0] && ir.shapes.divergent[1]);
    r = region(&ir, "inner");
    ck_assert_uint_ne(r, TF_CFG_NONE);
    for (unsigned i = 0; i < sizeof(in_loops) / sizeof(*in_loops); i++)
        ck_assert_uint_eq(region(&ir, in_loops[i]), r);
    ck_assert_uint_eq(region(&ir, "entry"), TF_CFG_NONE);
    ck_assert_uint_eq(region(&ir, "end"), TF_CFG_NONE);
    ck_assert_uint_eq(ir.shapes.regions[r].exit, ir_block(&ir, "end"));
    ir_expect_varying(&ir, "out"); // of different rounds of the inner loop
    ir_expect_varying(&ir, "left1");
    ir_close(&ir);
}
END_TEST

// The loop makes the region of the branch no larger: not even by the block that parts.
START_TEST(a_loop_on_one_side_leaves_the_region_as_it_is)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i32 %n) {\n"
                 "entry:\n" ID ODD "  br label %before\n"
                 "before:\n  br i1 %odd, label %there, label %side\n"
                 "side:\n  br label %join\n"
                 "there:\n  br label %loop\n"
                 "loop:\n  %i = phi i32 [ 0, %there ], [ %i1, %loop ]\n"
                 "  %i1 = add i32 %i, 1\n  %more = icmp ult i32 %i1, %x\n"
                 "  br i1 %more, label %loop, label %out\n"
                 "out:\n  br label %join\n"
                 "join:\n  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert(ir.shapes.divergent[0]);
    ck_assert_uint_eq(region(&ir, "before"), TF_CFG_NONE);
    ck_assert_uint_ne(region(&ir, "loop"), TF_CFG_NONE);
    ck_assert_uint_eq(region(&ir, "loop"), region(&ir, "side"));
    ck_assert_uint_eq(ir.shapes.regions[region(&ir, "side")].exit, ir_block(&ir, "join"));
    ir_close(&ir);
}
END_TEST

START_TEST(lanes_that_end_leave_the_others_in_a_region)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i32 %n) {\n"
                 "entry:\n" ID ODD "  br i1 %odd, label %out, label %rest\n"
                 "out:\n  br label %end\n"
                 "rest:\n  call void @__tf_barrier()\n  br label %end\n"
                 "end:\n  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert_uint_eq(region(&ir, "rest"), region(&ir, "out"));
    ck_assert(ir.shapes.regions[region(&ir, "rest")].has_barrier);
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_region(void)
{
    Suite *suite = suite_create("region");
    TCase *tests = tcase_create("region");

    tcase_add_test(tests, sides_of_a_divergent_branch_are_a_region);
    tcase_add_test(tests, a_uniform_branch_makes_no_region);
    tcase_add_test(tests, what_lies_in_a_region_belongs_to_it);
    tcase_add_test(tests, lanes_leave_a_loop_at_different_times);
    tcase_add_test(tests, a_loop_of_uniform_length_is_not_divergent);
    tcase_add_test(tests, regions_that_overlap_are_one);
    tcase_add_test(tests, lanes_that_leave_an_inner_loop_do_not_meet_at_its_head);
    tcase_add_test(tests, a_loop_on_one_side_leaves_the_region_as_it_is);
    tcase_add_test(tests, lanes_that_end_leave_the_others_in_a_region);
    suite_add_tcase(suite, tests);
    return suite;
}
