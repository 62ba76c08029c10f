// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/workgroup/prepare/passing.h"

// The point (x, y), and the store of %out to what %at points at.
#define POINT                                                          \
    "declare <2 x i32> @llvm.smax.v2i32(<2 x i32>, <2 x i32>)\n"       \
    "define void @k(ptr addrspace(1) %p, i32 %n, <2 x i32> %size) {\n" \
    "entry:\n  %x = call i32 @tf_gid0()\n  %y = call i32 @tf_gid1()\n" \
    "  %one = insertelement <2 x i32> poison, i32 %x, i64 0\n"         \
    "  %both = insertelement <2 x i32> %one, i32 %y, i64 1\n"
#define STORE                                                    \
    "  %at = getelementptr i32, ptr addrspace(1) %p, i32 %out\n" \
    "  store i32 %out, ptr addrspace(1) %at\n  ret void\n}\n"
#define TAKE(from)                                      \
    "  %a = extractelement <2 x i32> " from ", i64 0\n" \
    "  %b = extractelement <2 x i32> " from ", i64 1\n" \
    "  %out = add i32 %a, %b\n"

static char *text_of(struct ir *ir)
{
    return LLVMPrintValueToString(ir->fn);
}

static bool becomes_scalars(const char *text)
{
    struct ir ir;
    char *before, *after;
    bool passing;

    ir_open(&ir, text);
    before = text_of(&ir);
    passing = tf_prepare_passing(ir.fn);
    ck_assert(!LLVMVerifyFunction(ir.fn, LLVMPrintMessageAction));
    after = text_of(&ir);
    if (passing)
        ck_assert_ptr_null(strstr(after, "extractelement"));
    else
        ck_assert_str_eq(before, after);
    LLVMDisposeMessage(before);
    LLVMDisposeMessage(after);
    ir_close(&ir);
    return passing;
}

// Whether the function has `what` in it afterwards.
static bool makes(const char *text, const char *what)
{
    struct ir ir;
    char *after;
    bool has;

    ir_open(&ir, text);
    ck_assert(tf_prepare_passing(ir.fn));
    after = text_of(&ir);
    has = strstr(after, what) != NULL;
    LLVMDisposeMessage(after);
    ir_close(&ir);
    return has;
}

START_TEST(sums_of_points_are_sums_of_coordinates)
{
    static const char sum[] =
        POINT "  %v = add nsw <2 x i32> %both, <i32 -1, i32 7>\n" TAKE("%v") STORE;

    ck_assert(becomes_scalars(sum));
    ck_assert(makes(sum, "add nsw i32 %x, -1"));
    ck_assert(makes(sum, "add nsw i32 %y, 7"));
}
END_TEST

START_TEST(coordinates_stay_affine)
{
    static const char sum[] =
        POINT "  %v = add nsw <2 x i32> %both, <i32 -1, i32 7>\n" TAKE("%v") STORE;
    struct ir ir;

    ir_open(&ir, sum);
    ir_shapes(&ir);
    ir_expect_varying(&ir, "out");
    ir_close(&ir);
    ir_open(&ir, sum);
    ck_assert(tf_prepare_passing(ir.fn));
    ir_shapes(&ir);
    ir_expect_affine(&ir, "out", 1);
    ir_close(&ir);
}
END_TEST

START_TEST(comparisons_choices_calls_and_conversions_pass)
{
    static const char all[] =
        POINT "  %low = call <2 x i32> @llvm.smax.v2i32(<2 x i32> %both, <2 x i32> "
              "zeroinitializer)\n"
              "  %c = icmp slt <2 x i32> %low, <i32 9, i32 8>\n"
              "  %s = select <2 x i1> %c, <2 x i32> %low, <2 x i32> <i32 8, i32 8>\n"
              "  %f = sitofp <2 x i32> %s to <2 x float>\n"
              "  %g = fadd <2 x float> %f, <float 5.000000e-01, float 5.000000e-01>\n"
              "  %v = fptosi <2 x float> %g to <2 x i32>\n" TAKE("%v") STORE;

    ck_assert(becomes_scalars(all));
    ck_assert(makes(all, "call i32 @llvm.smax.i32(i32 %x, i32 0)"));
    ck_assert(makes(all, "sitofp i32"));
}
END_TEST

START_TEST(swizzles_and_points_of_other_points_pass)
{
    ck_assert(becomes_scalars(
        POINT "  %v = shufflevector <2 x i32> %both, <2 x i32> poison, <2 x i32> <i32 1, "
              "i32 0>\n"
              "  %w = add <2 x i32> %v, <i32 3, i32 3>\n"
              "  %c = extractelement <2 x i32> %w, i64 1\n"
              "  %u = insertelement <2 x i32> <i32 5, i32 5>, i32 %c, i64 0\n"
              "  %t = mul <2 x i32> %u, %w\n" TAKE("%t") STORE));
}
END_TEST

START_TEST(blocks_may_stand_in_any_order)
{
    ck_assert(becomes_scalars(
        POINT
        "  %some = icmp ne i32 %n, 0\n  br label %first\n"
        "second:\n  %w = mul <2 x i32> %v, %both\n" TAKE(
            "%w") "  %at = getelementptr i32, ptr addrspace(1) %p, i32 %out\n"
                  "  store i32 %out, ptr addrspace(1) %at\n  ret void\n"
                  "first:\n  %v = add <2 x i32> %both, <i32 1, i32 1>\n"
                  "  br i1 %some, label %second, label %none\nnone:\n  ret void\n}\n"));
}
END_TEST

START_TEST(what_memory_or_others_see_stays)
{
    ck_assert(!becomes_scalars(
        POINT "  %v = add <2 x i32> %both, <i32 1, i32 1>\n"
              "  store <2 x i32> %v, ptr addrspace(1) %p\n" TAKE("%v") STORE));
    ck_assert(
        !becomes_scalars(POINT "  %v = add <2 x i32> %both, %size\n" TAKE("%v") STORE));
    ck_assert(!becomes_scalars(POINT "  %v = add <2 x i32> %both, <i32 1, i32 1>\n"
                                     "  %out = extractelement <2 x i32> %v, i32 "
                                     "%n\n" STORE));
    ck_assert(!becomes_scalars(
        POINT "  %h = trunc <2 x i32> %both to <2 x i16>\n"
              "  %v = mul <2 x i16> %h, %h\n  %a = extractelement <2 x i16> %v, i64 0\n"
              "  %out = sext i16 %a to i32\n" STORE));
}
END_TEST

Suite *tf_suite_passing(void)
{
    Suite *suite = suite_create("wg_passing");
    TCase *tc = tcase_create("vectors in passing");

    tcase_add_test(tc, sums_of_points_are_sums_of_coordinates);
    tcase_add_test(tc, coordinates_stay_affine);
    tcase_add_test(tc, comparisons_choices_calls_and_conversions_pass);
    tcase_add_test(tc, swizzles_and_points_of_other_points_pass);
    tcase_add_test(tc, blocks_may_stand_in_any_order);
    tcase_add_test(tc, what_memory_or_others_see_stays);
    suite_add_tcase(suite, tc);
    return suite;
}
