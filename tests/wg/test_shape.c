// SPDX-License-Identifier: MIT
// shape, shape_transfer and no_wrap.
#include "ir_text.h"

#include <time.h>

#include "base/str.h"

START_TEST(ids_and_arithmetic_on_them_are_affine)
{
    struct ir ir;

    ir_open(&ir, "define void @k(ptr addrspace(1) %p, i32 %n, i64 %far) {\n"
                 "  %x = call i32 @tf_lid0()\n"
                 "  %y = call i32 @tf_lid1()\n"
                 "  %g = call i32 @tf_gid0()\n"
                 "  %plus = add i32 %x, %n\n"
                 "  %minus = sub i32 %n, %x\n"
                 "  %six = mul i32 %x, 6\n"
                 "  %eight = shl i32 %x, 3\n"
                 "  %two = lshr i32 %eight, 2\n"
                 "  %odd = or disjoint i32 %eight, 1\n"
                 "  %none = sub i32 %x, %g\n"
                 "  %by_n = mul i32 %x, %n\n"
                 "  %squared = mul i32 %x, %x\n"
                 "  %low = and i32 %x, 7\n"
                 "  %less = icmp slt i32 %x, %n\n"
                 "  %float = sitofp i32 %x to float\n"
                 "  %from_n = sitofp i32 %n to float\n"
                 "  %frozen = freeze i32 %plus\n"
                 "  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ir_expect_affine(&ir, "n", 0);
    ir_expect_affine(&ir, "x", 1);
    ir_expect_affine(&ir, "y", 0);
    ir_expect_affine(&ir, "g", 1);
    ir_expect_affine(&ir, "plus", 1);
    ir_expect_affine(&ir, "minus", -1);
    ir_expect_affine(&ir, "six", 6);
    ir_expect_affine(&ir, "eight", 8);
    ir_expect_varying(&ir, "two"); // unless %eight wraps
    ck_assert_ptr_eq(ir_shape(&ir, "two").unless, ir_value(&ir, "two"));
    ck_assert_int_eq(ir_shape(&ir, "two").stride, 2);
    ir_expect_affine(&ir, "odd", 8);
    ir_expect_affine(&ir, "none", 0);
    ir_expect_varying(&ir, "by_n");
    ir_expect_varying(&ir, "squared");
    ir_expect_varying(&ir, "low");
    ir_expect_varying(&ir, "less");
    ir_expect_varying(&ir, "float");
    ir_expect_affine(&ir, "from_n", 0);
    ir_expect_affine(&ir, "frozen", 1);
    ir_close(&ir);
}
END_TEST

// The phi of one value that stands behind a loop; its code would be that of the index.
START_TEST(indices_that_may_wrap_are_any_behind_their_loop)
{
    struct ir ir;

    ir_open(&ir, "define void @k(ptr addrspace(1) %p, i32 %n) {\n"
                 "entry:\n"
                 "  %x = call i32 @tf_lid0()\n"
                 "  br label %loop\n"
                 "loop:\n"
                 "  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
                 "  %sum = add i32 %x, %k\n"
                 "  %wide = zext i32 %sum to i64\n"
                 "  %next = add i32 %k, 1\n"
                 "  %more = icmp ult i32 %next, %n\n"
                 "  br i1 %more, label %loop, label %end\n"
                 "end:\n"
                 "  %last = phi i64 [ %wide, %loop ]\n"
                 "  %same = phi i32 [ %sum, %loop ]\n"
                 "  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert_ptr_nonnull(ir_shape(&ir, "wide").unless);
    ir_expect_varying(&ir, "last");
    ck_assert_ptr_null(ir_shape(&ir, "last").unless);
    ir_expect_affine(&ir, "same", 1);
    ir_close(&ir);
}
END_TEST

START_TEST(extensions_keep_a_stride_only_without_a_wrap)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i32 %n) {\n"
                 "  %x = call i32 @tf_gid0()\n"
                 "  %id = zext i32 %x to i64\n"
                 "  %next = add i32 %x, 1\n"
                 "  %before = add i32 %x, -1\n"
                 "  %row = add i32 %x, %n\n"
                 "  %signed_row = add nsw i32 %x, %n\n"
                 "  %next.wide = zext i32 %next to i64\n"
                 "  %before.wide = zext i32 %before to i64\n"
                 "  %before.sign = sext i32 %before to i64\n"
                 "  %row.wide = zext i32 %row to i64\n"
                 "  %row.sign = sext i32 %row to i64\n"
                 "  %signed.sign = sext i32 %signed_row to i64\n"
                 "  %short = trunc i32 %x to i16\n"
                 "  %short.wide = zext i16 %short to i64\n"
                 "  %masked = and i64 %id, 4294967295\n"
                 "  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ir_expect_affine(&ir, "id", 1);
    ir_expect_affine(&ir, "next.wide", 1); // ids end before 2^31
    ir_expect_affine(&ir, "before.sign", 1);
    ir_expect_affine(&ir, "signed.sign", 1);
    // What may wrap is known by the extension that the run has to look at.
    ir_expect_varying(&ir, "before.wide");
    ck_assert_ptr_eq(ir_shape(&ir, "before.wide").unless, ir_value(&ir, "before.wide"));
    ck_assert_int_eq(ir_shape(&ir, "before.wide").stride, 1);
    ir_expect_varying(&ir, "row.wide");
    ck_assert_ptr_nonnull(ir_shape(&ir, "row.wide").unless);
    ir_expect_varying(&ir, "row.sign");
    ck_assert_ptr_nonnull(ir_shape(&ir, "row.sign").unless);
    ir_expect_varying(&ir, "short.wide");
    ck_assert(tf_lanes_keep_order(&ir.shapes, ir_value(&ir, "signed_row"), true));
    ck_assert(!tf_lanes_keep_order(&ir.shapes, ir_value(&ir, "signed_row"), false));
    ck_assert(!tf_lanes_keep_order(&ir.shapes, ir_value(&ir, "row"), true));
    ck_assert(tf_lanes_keep_order(&ir.shapes, ir_value(&ir, "next"), false));
    ck_assert(!tf_lanes_keep_order(&ir.shapes, ir_value(&ir, "before"), false));
    ck_assert(tf_lanes_keep_order(&ir.shapes, ir_value(&ir, "before"), true));
    ir_close(&ir);
}
END_TEST

START_TEST(operands_of_wrapping_addresses_live_as_long)
{
    struct ir ir;

    ir_open(&ir, "define void @k(ptr %p, i32 %n, i1 %again) {\n"
                 "  %x = call i32 @tf_gid0()\n"
                 "  %base = getelementptr i8, ptr %p, i64 64\n"
                 "  %far = getelementptr i8, ptr %p, i64 128\n"
                 "  %row = add i32 %x, %n\n"
                 "  %wide = zext i32 %row to i64\n"
                 "  %at = getelementptr i32, ptr %base, i64 %wide\n"
                 "  store i32 1, ptr %at\n"
                 "  store i32 1, ptr %far\n"
                 "  br i1 %again, label %more, label %end\n"
                 "more:\n"
                 "  store i32 2, ptr %at\n"
                 "  br label %end\n"
                 "end:\n"
                 "  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert_ptr_nonnull(ir_shape(&ir, "at").unless);
    ck_assert(tf_shape_value(&ir.shapes, ir_value(&ir, "at"))->crosses);
    ck_assert(tf_shape_value(&ir.shapes, ir_value(&ir, "base"))->crosses);
    ck_assert(tf_shape_value(&ir.shapes, ir_value(&ir, "wide"))->crosses);
    ck_assert(tf_shape_value(&ir.shapes, ir_value(&ir, "row"))->crosses);
    ck_assert(!tf_shape_value(&ir.shapes, ir_value(&ir, "far"))->crosses);
    ir_close(&ir);
}
END_TEST

// Ways into a sum: 60 of each of four switches, 13 million in all.
START_TEST(values_that_meet_again_are_looked_at_a_few_times)
{
    enum { SWITCHES = 4, CASES = 60, MOST_SECONDS = 1 };
    struct tf_str text = {0};
    struct ir ir;
    clock_t start;

    tf_str_add(&text, "define void @k(i32 %n) {\nentry:\n  %v0 = call i32 @tf_gid0()\n"
                      "  br label %m0\n");
    for (unsigned s = 0; s < SWITCHES; s++) {
        tf_str_printf(&text, "m%u:\n  switch i32 %%n, label %%c%ux0 [\n", s, s);
        for (unsigned c = 1; c < CASES; c++)
            tf_str_printf(&text, "    i32 %u, label %%c%ux%u\n", c, s, c);
        tf_str_add(&text, "  ]\n");
        for (unsigned c = 0; c < CASES; c++)
            tf_str_printf(&text,
                          "c%ux%u:\n  %%a%ux%u = add nsw i32 %%v%u, %u\n"
                          "  br label %%j%u\n",
                          s, c, s, c, s, c + 1, s);
        tf_str_printf(&text, "j%u:\n  %%v%u = phi i32 ", s, s + 1);
        for (unsigned c = 0; c < CASES; c++)
            tf_str_printf(&text, "%s[ %%a%ux%u, %%c%ux%u ]", c ? ", " : "", s, c, s, c);
        tf_str_printf(&text, "\n  br label %%m%u\n", s + 1);
    }
    tf_str_printf(&text, "m%u:\n  %%at = sext i32 %%v%u to i64\n  ret void\n}\n",
                  SWITCHES, SWITCHES);
    ir_open(&ir, text.text);
    start = clock();
    ir_shapes(&ir);
    ck_assert_int_le((clock() - start) / CLOCKS_PER_SEC, MOST_SECONDS);
    ir_close(&ir);
    tf_str_finish(&text);
}
END_TEST

START_TEST(addresses_count_bytes)
{
    struct ir ir;

    ir_open(&ir,
            "%rec = type { i32, [3 x i16], double }\n"
            "define void @k(ptr addrspace(1) %p) {\n"
            "  %x = call i32 @tf_gid0()\n"
            "  %i = zext i32 %x to i64\n"
            "  %float = getelementptr float, ptr addrspace(1) %p, i64 %i\n"
            "  %three = getelementptr [3 x i16], ptr addrspace(1) %p, i64 %i\n"
            "  %member = getelementptr %rec, ptr addrspace(1) %p, i64 %i, i32 1, i64 2\n"
            "  %inner = getelementptr %rec, ptr addrspace(1) %p, i64 0, i32 1, i64 %i\n"
            "  %narrow = getelementptr float, ptr addrspace(1) %p, i32 %x\n"
            "  %at = load float, ptr addrspace(1) %float\n"
            "  %same = load float, ptr addrspace(1) %p\n"
            "  %careful = load volatile float, ptr addrspace(1) %p\n"
            "  %sum = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst\n"
            "  %chased = load ptr addrspace(1), ptr addrspace(1) %p\n"
            "  %next = getelementptr float, ptr addrspace(1) %chased, i64 %i\n"
            "  ret void\n"
            "}\n");
    ir_shapes(&ir);
    ir_expect_affine(&ir, "float", 4);
    ir_expect_affine(&ir, "three", 6);
    ir_expect_affine(&ir, "member", 24);
    ir_expect_affine(&ir, "inner", 2);
    ir_expect_varying(&ir, "narrow");
    ir_expect_varying(&ir, "at");
    ir_expect_affine(&ir, "same", 0);
    ir_expect_varying(&ir, "careful");
    ir_expect_varying(&ir, "sum");
    ir_expect_affine(&ir, "chased", 0);
    ir_expect_affine(&ir, "next", 4);
    ir_close(&ir);
}
END_TEST

START_TEST(private_copies_lie_apart_by_size_and_alignment)
{
    struct ir ir;

    ir_open(&ir, "define void @k() {\n"
                 "  %word = alloca i32, align 4\n"
                 "  %bytes = alloca [52 x i8], align 16\n"
                 "  %inside = getelementptr i8, ptr %bytes, i64 4\n"
                 "  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ck_assert_int_eq(tf_private_stride(&ir.shapes, ir_value(&ir, "word")), 4);
    ck_assert_int_eq(tf_private_stride(&ir.shapes, ir_value(&ir, "bytes")), 64);
    ir_close(&ir);
}
END_TEST

// select keeps what both sides have, under a condition that all lanes share.
START_TEST(choices_are_as_regular_as_their_condition)
{
    struct ir ir;

    ir_open(&ir, "define void @k(i1 %c, i32 %n) {\n"
                 "  %x = call i32 @tf_lid0()\n"
                 "  %next = add i32 %x, 1\n"
                 "  %odd = trunc i32 %x to i1\n"
                 "  %either = select i1 %c, i32 %x, i32 %next\n"
                 "  %mixed = select i1 %c, i32 %x, i32 %n\n"
                 "  %apart = select i1 %odd, i32 %x, i32 %next\n"
                 "  ret void\n"
                 "}\n");
    ir_shapes(&ir);
    ir_expect_affine(&ir, "either", 1);
    ir_expect_varying(&ir, "mixed");
    ir_expect_varying(&ir, "apart");
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_shape(void)
{
    Suite *suite = suite_create("shape");
    TCase *tests = tcase_create("shape");

    tcase_add_test(tests, ids_and_arithmetic_on_them_are_affine);
    tcase_add_test(tests, indices_that_may_wrap_are_any_behind_their_loop);
    tcase_add_test(tests, extensions_keep_a_stride_only_without_a_wrap);
    tcase_add_test(tests, operands_of_wrapping_addresses_live_as_long);
    tcase_add_test(tests, values_that_meet_again_are_looked_at_a_few_times);
    tcase_add_test(tests, addresses_count_bytes);
    tcase_add_test(tests, private_copies_lie_apart_by_size_and_alignment);
    tcase_add_test(tests, choices_are_as_regular_as_their_condition);
    suite_add_tcase(suite, tests);
    return suite;
}
