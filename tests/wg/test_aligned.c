// SPDX-License-Identifier: MIT
// Gangs begin at multiples of their lanes: what stays in a block, and what need not.
#include "ir_text.h"

#include <stdio.h>

#include "compiler/workgroup/analysis/aligned.h"

enum { LANES = 16 };

// %v is made of %x, the local id, and %n and %y, which are the same for all lanes.
static struct tf_shape shape_of(const char *text, unsigned most_lanes, bool turned)
{
    char function[2000];
    struct tf_shapes again;
    struct tf_shape shape;
    struct ir ir;

    snprintf(function, sizeof(function),
             "define void @k(ptr %%launch, ptr %%worker, ptr %%group, i64 %%l0, "
             "i64 %%l1, i64 %%l2) {\nentry:\n"
             "  %%n = load i32, ptr %%launch, !invariant.load !0\n"
             "  %%x = call i32 @tf_lid0()\n  %%y = call i32 @tf_lid1()\n"
             "  %%g = call i32 @tf_gid0()\n%s\n  ret void\n}\n",
             text);
    ir_open(&ir, function);
    ck_assert(ir_cfg(&ir));
    tf_shapes_start(&again, &ir.arena, &ir.cfg, ir.fn, turned);
    again.most_lanes = most_lanes;
    tf_shapes_find(&again);
    shape = tf_shape_of(&again, ir_value(&ir, "v"));
    ir_close(&ir);
    return shape;
}

static void expect(const char *text, int64_t stride)
{
    const struct tf_shape shape = shape_of(text, LANES, false);

    ck_assert_msg(shape.kind == TF_SHAPE_AFFINE && shape.stride == stride,
                  "kind %d, stride %lld of\n%s", (int)shape.kind, (long long)shape.stride,
                  text);
}

static void expect_varying(const char *text)
{
    const struct tf_shape shape = shape_of(text, LANES, false);

    ck_assert_msg(shape.kind == TF_SHAPE_VARYING && !shape.unless, "in\n%s", text);
}

#define ROW "  %r = mul i32 %y, 16\n  %a = add i32 %r, %x\n"

START_TEST(lanes_stay_below_multiples_of_them)
{
    expect("  %v = icmp ult i32 %x, 48\n", 0);
    expect("  %v = icmp ugt i32 %x, 47\n", 0);
    expect("  %v = icmp sgt i32 160, %x\n", 0);
    expect("  %v = icmp uge i32 %x, 32\n", 0);
    expect(ROW "  %v = icmp slt i32 %a, 48\n", 0);
    expect("  %m = shl i32 %n, 4\n  %v = icmp ult i32 %x, %m\n", 0);
    expect("  %q = shl i32 %x, 2\n  %v = icmp ult i32 %q, 64\n", 0);
    expect_varying("  %v = icmp ult i32 %x, 40\n");
    expect_varying("  %v = icmp ule i32 %x, 32\n");
    expect_varying("  %v = icmp ugt i32 %x, 48\n");
    expect_varying("  %v = icmp ult i32 %x, %n\n");
    expect_varying("  %q = shl i32 %x, 2\n  %v = icmp ult i32 %q, 48\n");
    expect_varying("  %a = add i32 %x, 1\n  %v = icmp ult i32 %a, 48\n");
    expect_varying("  %a = add i32 %x, %n\n  %v = icmp ult i32 %a, 48\n");
    expect_varying("  %a = sub i32 0, %x\n  %v = icmp ult i32 %a, 48\n");
}
END_TEST

START_TEST(remainders_go_on_from_lane_to_lane_and_quotients_do_not)
{
    expect(ROW "  %v = and i32 %a, 15\n", 1);
    expect(ROW "  %v = and i32 %a, 127\n", 1);
    expect(ROW "  %v = and i32 %a, -16\n", 0);
    expect(ROW "  %v = lshr i32 %a, 4\n", 0);
    expect(ROW "  %v = ashr i32 %a, 7\n", 0);
    expect(ROW "  %v = urem i32 %a, 48\n", 1);
    expect(ROW "  %v = udiv i32 %a, 48\n", 0);
    expect("  %q = shl i32 %x, 1\n  %v = and i32 %q, 31\n", 2);
    expect("  %q = shl i32 %x, 1\n  %v = lshr i32 %q, 5\n", 0);
    expect_varying(ROW "  %v = and i32 %a, 7\n");
    expect_varying(ROW "  %v = and i32 %a, 85\n");
    expect_varying(ROW "  %v = lshr i32 %a, 3\n");
    expect_varying(ROW "  %v = urem i32 %a, 40\n");
    expect_varying(ROW "  %v = udiv i32 %a, 8\n");
    expect_varying("  %q = shl i32 %x, 1\n  %v = and i32 %q, 15\n");
    expect_varying("  %a = add i32 %n, %x\n  %v = and i32 %a, 15\n");
    // Below zero, blocks are cut at other places.
    expect_varying(ROW "  %v = sdiv i32 %a, 16\n");
    expect_varying(ROW "  %v = srem i32 %a, 16\n");
}
END_TEST

START_TEST(extensions_do_not_wrap_within_a_block)
{
    expect(ROW "  %w = and i32 %a, 31\n  %v = zext i32 %w to i64\n", 1);
    expect(ROW "  %v = zext i32 %a to i64\n", 1);
    expect(ROW "  %v = sext i32 %a to i64\n", 1);
    ck_assert(shape_of("  %a = add i32 %n, %x\n  %v = zext i32 %a to i64\n", LANES, false)
                  .unless);
}
END_TEST

#define LOOP(step)                                                               \
    "  br label %loop\nloop:\n  %i = phi i32 [ %x, %entry ], [ %next, %loop ]\n" \
    "  %next = add i32 %i, " step "\n  %v = icmp ult i32 %next, 512\n"           \
    "  br i1 %v, label %loop, label %end\nend:\n"

START_TEST(loops_of_whole_steps_are_left_together)
{
    expect(LOOP("64"), 0);
    expect(LOOP("16"), 0);
    expect_varying(LOOP("24"));
    expect_varying(LOOP("%n"));
    // What goes round is made smaller: nothing is known of it.
    expect_varying("  br label %loop\nloop:\n"
                   "  %i = phi i32 [ 64, %entry ], [ %half, %loop ]\n"
                   "  %half = lshr i32 %i, 1\n  %a = add i32 %i, %x\n"
                   "  %v = icmp ult i32 %a, 64\n  %more = icmp ugt i32 %half, 0\n"
                   "  br i1 %more, label %loop, label %end\nend:\n");
    // 0, 512, 768, 896, ..: of smaller and smaller blocks.
    expect_varying("  br label %loop\nloop:\n"
                   "  %i = phi i32 [ 0, %entry ], [ %half, %loop ]\n"
                   "  %more = add i32 %i, 1024\n  %half = lshr i32 %more, 1\n"
                   "  %a = add i32 %i, %x\n  %v = and i32 %a, 63\n"
                   "  %go = icmp ult i32 %half, %n\n"
                   "  br i1 %go, label %loop, label %end\nend:\n");
}
END_TEST

START_TEST(others_begin_anywhere)
{
    static const char own[] = "  %v = icmp ult i32 %x, 48\n";

    ck_assert_int_eq(shape_of(own, 0, false).kind, TF_SHAPE_VARYING);
    ck_assert_int_eq(shape_of(own, 32, false).kind, TF_SHAPE_VARYING);
    ck_assert_int_eq(shape_of(own, 8, false).kind, TF_SHAPE_AFFINE);
    expect_varying("  %v = icmp ult i32 %g, 48\n");
    // Lanes along dimension 1: its ids are not looked at.
    ck_assert_int_eq(shape_of("  %v = icmp ult i32 %y, 48\n", LANES, true).kind,
                     TF_SHAPE_VARYING);
}
END_TEST

START_TEST(facts_hold_for_no_more_lanes)
{
    struct tf_facts_of of = {.lanes = 8, .most_lanes = 8};
    struct ir ir;
    struct tf_plan plan;

    ir_open(&ir, "define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, "
                 "i64 %l2) {\n  ret void\n}\n");
    of.fn = ir.fn;
    ck_assert(tf_facts_init(&ir.facts, &of));
    for (unsigned width = 4; width <= 16; width *= 2) {
        const struct tf_plan_of plan_of = {
            .facts = &ir.facts, .target = &ir.target, .width = width};

        ck_assert(tf_plan_init(&plan, &plan_of) == (width <= 8));
        tf_plan_finish(&plan);
    }
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_aligned(void)
{
    Suite *suite = suite_create("aligned");
    TCase *tests = tcase_create("aligned");

    tcase_add_test(tests, lanes_stay_below_multiples_of_them);
    tcase_add_test(tests, remainders_go_on_from_lane_to_lane_and_quotients_do_not);
    tcase_add_test(tests, extensions_do_not_wrap_within_a_block);
    tcase_add_test(tests, loops_of_whole_steps_are_left_together);
    tcase_add_test(tests, others_begin_anywhere);
    tcase_add_test(tests, facts_hold_for_no_more_lanes);
    suite_add_tcase(suite, tests);
    return suite;
}
