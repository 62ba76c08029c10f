// SPDX-License-Identifier: MIT
#include "ir_text.h"

static const char nested_loops[] = "define void @k(i1 %c, i1 %d) {\n"
                                   "entry:\n  br label %outer\n"
                                   "outer:\n  br label %inner\n"
                                   "inner:\n  br i1 %c, label %inner, label %latch\n"
                                   "latch:\n  br i1 %d, label %outer, label %end\n"
                                   "end:\n  ret void\n"
                                   "}\n";

static const char diamond[] = "define void @k(i1 %c) {\n"
                              "entry:\n  br i1 %c, label %left, label %right\n"
                              "left:\n  br label %join\n"
                              "right:\n  br label %join\n"
                              "join:\n  ret void\n"
                              "nowhere:\n  br label %join\n"
                              "}\n";

START_TEST(branches_dominate_and_joins_post_dominate)
{
    struct ir ir;
    unsigned entry, left, right, join;

    ir_open(&ir, diamond);
    ck_assert(ir_cfg(&ir));
    entry = ir_block(&ir, "entry");
    left = ir_block(&ir, "left");
    right = ir_block(&ir, "right");
    join = ir_block(&ir, "join");
    ck_assert_uint_eq(entry, 0);
    ck_assert_uint_eq(ir.cfg.block_count, 4); // one cannot be reached
    ck_assert_uint_eq(ir_block(&ir, "nowhere"), TF_CFG_NONE);
    ck_assert_uint_eq(ir.cfg.blocks[join].pred_count, 2);
    ck_assert_uint_eq(ir.cfg.blocks[join].idom, entry);
    ck_assert_uint_eq(ir.cfg.blocks[entry].ipdom, join);
    ck_assert_uint_eq(ir.cfg.blocks[join].ipdom, ir.cfg.block_count);
    ck_assert(tf_cfg_dominates(&ir.cfg, entry, join));
    ck_assert(!tf_cfg_dominates(&ir.cfg, left, join));
    ck_assert(tf_cfg_post_dominates(&ir.cfg, join, left));
    ck_assert(!tf_cfg_post_dominates(&ir.cfg, right, entry));
    ck_assert_uint_eq(tf_cfg_common_dominator(&ir.cfg, left, right), entry);
    ck_assert_uint_eq(tf_cfg_common_post_dominator(&ir.cfg, left, right), join);
    ck_assert_ptr_eq(tf_cfg_condition(&ir.cfg, entry), ir_value(&ir, "c"));
    ck_assert_ptr_null(tf_cfg_condition(&ir.cfg, left));
    ir_close(&ir);
}
END_TEST

START_TEST(loops_nest)
{
    struct ir ir;
    unsigned outer, inner, latch;
    const struct tf_cfg_loop *l;

    ir_open(&ir, nested_loops);
    ck_assert(ir_cfg(&ir));
    outer = ir_block(&ir, "outer");
    inner = ir_block(&ir, "inner");
    latch = ir_block(&ir, "latch");
    ck_assert_uint_eq(ir.cfg.loop_count, 2);
    ck_assert_uint_eq(ir.cfg.blocks[ir_block(&ir, "entry")].loop, TF_CFG_NONE);
    ck_assert_uint_eq(ir.cfg.blocks[ir_block(&ir, "end")].loop, TF_CFG_NONE);
    ck_assert_uint_eq(ir.cfg.blocks[outer].loop, ir.cfg.blocks[latch].loop);
    l = &ir.cfg.loops[ir.cfg.blocks[inner].loop];
    ck_assert_uint_eq(l->head, inner);
    ck_assert_uint_eq(l->depth, 2);
    ck_assert_uint_eq(l->last, inner);
    l = &ir.cfg.loops[l->parent];
    ck_assert_uint_eq(l->head, outer);
    ck_assert_uint_eq(l->depth, 1);
    ck_assert_uint_eq(l->last, latch);
    ck_assert_uint_eq(l->latch_count, 1);
    ck_assert(tf_cfg_is_head(&ir.cfg, outer) && !tf_cfg_is_head(&ir.cfg, latch));
    ck_assert(tf_cfg_in_loop(&ir.cfg, ir.cfg.blocks[outer].loop, inner));
    ck_assert(!tf_cfg_in_loop(&ir.cfg, ir.cfg.blocks[inner].loop, latch));
    ir_close(&ir);
}
END_TEST

// A loop whose exit stands before its body in the text, between two others.
START_TEST(order_keeps_loops_in_one_piece)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i1 %c, i1 %d) {\n"
                 "entry:\n  br label %head\n"
                 "after:\n  br i1 %d, label %more, label %end\n"
                 "more:\n  br label %end\n"
                 "head:\n  br i1 %c, label %after, label %body\n"
                 "body:\n  br i1 %d, label %one, label %two\n"
                 "one:\n  br label %latch\n"
                 "two:\n  br label %latch\n"
                 "latch:\n  br label %head\n"
                 "end:\n  ret void\n"
                 "}\n");
    ck_assert(ir_cfg(&ir));
    for (unsigned b = 0; b < ir.cfg.block_count; b++) {
        const struct tf_cfg_block *block = &ir.cfg.blocks[b];

        ck_assert_uint_eq(ir.cfg.order[block->place], b);
        for (unsigned k = 0; k < block->succ_count; k++) {
            const unsigned to = block->succs[k];

            // Edges lead on, but for those back to the head of a loop.
            ck_assert(ir.cfg.blocks[to].place > block->place ||
                      (tf_cfg_is_head(&ir.cfg, to) &&
                       tf_cfg_in_loop(&ir.cfg, ir.cfg.blocks[to].loop, b)));
        }
    }
    for (unsigned at = ir.cfg.blocks[ir_block(&ir, "head")].place;
         at <= ir.cfg.blocks[ir_block(&ir, "latch")].place; at++)
        ck_assert(tf_cfg_in_loop(&ir.cfg, 0, ir.cfg.order[at]));
    ir_close(&ir);
}
END_TEST

START_TEST(irreducible_graphs_are_refused)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i1 %c, i1 %d) {\n"
                 "entry:\n  br i1 %c, label %a, label %b\n"
                 "a:\n  br label %b\n"
                 "b:\n  br i1 %d, label %a, label %end\n"
                 "end:\n  ret void\n"
                 "}\n");
    ck_assert(!ir_cfg(&ir));
    ir_close(&ir);
}
END_TEST

START_TEST(endless_loops_have_a_post_dominator)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i1 %c) {\n"
                 "entry:\n  br i1 %c, label %for_ever, label %end\n"
                 "for_ever:\n  br label %for_ever\n"
                 "end:\n  ret void\n"
                 "}\n");
    ck_assert(ir_cfg(&ir));
    ck_assert_uint_eq(ir.cfg.blocks[0].ipdom, ir.cfg.block_count);
    ck_assert_uint_eq(ir.cfg.loop_count, 1);
    ir_close(&ir);
}
END_TEST

START_TEST(what_is_reached_ends_at_the_stop)
{
    struct ir ir;
    bool reached[8] = {false};

    ir_open(&ir, nested_loops);
    ck_assert(ir_cfg(&ir));
    tf_cfg_reach(&ir.cfg, ir_block(&ir, "outer"), ir_block(&ir, "latch"), reached);
    ck_assert(reached[ir_block(&ir, "inner")]);
    ck_assert(!reached[ir_block(&ir, "latch")] && !reached[ir_block(&ir, "end")]);
    ck_assert(!reached[ir_block(&ir, "outer")]);
    tf_cfg_reach(&ir.cfg, ir_block(&ir, "outer"), TF_CFG_NONE, reached);
    ck_assert(reached[ir_block(&ir, "outer")] && reached[ir_block(&ir, "end")]);
    ck_assert(!reached[ir_block(&ir, "entry")]);
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_cfg(void)
{
    Suite *suite = suite_create("cfg");
    TCase *tests = tcase_create("cfg");

    tcase_add_test(tests, branches_dominate_and_joins_post_dominate);
    tcase_add_test(tests, loops_nest);
    tcase_add_test(tests, order_keeps_loops_in_one_piece);
    tcase_add_test(tests, irreducible_graphs_are_refused);
    tcase_add_test(tests, endless_loops_have_a_post_dominator);
    tcase_add_test(tests, what_is_reached_ends_at_the_stop);
    suite_add_tcase(suite, tests);
    return suite;
}
