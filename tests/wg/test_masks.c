// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <llvm-c/Analysis.h>

#include "compiler/codegen/convert/masks.h"

#define BITS 256

// Lanes leave the loop one by one.
#define LOOP(n, bits, at_end)                                                        \
    "define <" n " x float> @k(<" n " x float> %a, <" n " x float> %b) {\n"          \
    "entry:\n  %c = fcmp olt <" n " x float> %a, %b\n  br label %loop\n"             \
    "loop:\n  %m = phi <" n " x i1> [ %c, %entry ], [ %s, %loop ]\n"                 \
    "  %x = phi <" n " x float> [ %a, %entry ], [ %y, %loop ]\n"                     \
    "  %y = fadd <" n " x float> %x, %b\n  %d = fcmp olt <" n " x float> %y, %b\n"   \
    "  %s = select <" n " x i1> %m, <" n " x i1> %d, <" n " x i1> zeroinitializer\n" \
    "  %z = bitcast <" n " x i1> %s to i" bits "\n  %any = icmp ne i" bits           \
    " %z, 0\n  br i1 %any, label %loop, label %end\n"                                \
    "end:\n" at_end "  ret <" n " x float> %r\n}\n"
#define BLEND(n) "  %r = select <" n " x i1> %m, <" n " x float> %y, <" n " x float> %a\n"

// How often `part` stands in what becomes of it.
static unsigned made(const char *text, const char *part)
{
    struct ir ir;
    unsigned count;

    ir_open(&ir, text);
    tf_masks_settle(ir.module, BITS);
    ck_assert(!LLVMVerifyModule(ir.module, LLVMReturnStatusAction, NULL));
    count = ir_count(&ir, part);
    ir_close(&ir);
    return count;
}

START_TEST(masks_go_from_block_to_block_as_integers)
{
    static const char text[] = LOOP("8", "8", BLEND("8"));

    ck_assert_uint_eq(made(text, "phi <8 x i1>"), 0);
    ck_assert_uint_eq(made(text, "phi <8 x i32>"), 1);
    ck_assert_uint_eq(made(text, "sext <8 x i1>"), 2); // the comparisons
    ck_assert_uint_eq(made(text, "icmp slt <8 x i32>"), 1);
}
END_TEST

START_TEST(choices_between_masks_are_logic)
{
    static const char text[] = LOOP("16", "16", BLEND("16"));

    ck_assert_uint_eq(made(text, "and <16 x i32>"), 1);
    ck_assert_uint_eq(made(text, "freeze <16 x i32>"), 1);
    ck_assert_uint_eq(made(text, "select <16 x i1>"), 1); // of floats
}
END_TEST

START_TEST(whether_any_lane_is_left_is_asked_at_once)
{
    static const char text[] = LOOP("16", "16", BLEND("16"));

    ck_assert_uint_eq(made(text, "call i32 @llvm.vector.reduce.or.v16i32"), 1);
    ck_assert_uint_eq(made(text, "icmp ne i32"), 1);
}
END_TEST

START_TEST(masks_of_one_block_stay)
{
    static const char text[] =
        "define <8 x float> @k(<8 x float> %a, <8 x float> %b) {\n"
        "  %c = fcmp olt <8 x float> %a, %b\n"
        "  %r = select <8 x i1> %c, <8 x float> %a, <8 x float> %b\n"
        "  ret <8 x float> %r\n}\n";

    ck_assert_uint_eq(made(text, "<8 x i32>"), 0);
}
END_TEST

START_TEST(masks_of_many_registers_stay)
{
    ck_assert_uint_eq(made(LOOP("64", "64", BLEND("64")), "phi <64 x i1>"), 1);
    ck_assert_uint_eq(made(LOOP("32", "32", BLEND("32")), "phi <32 x i1>"), 0);
}
END_TEST

START_TEST(masks_of_one_register_of_floats_stay)
{
    ck_assert_uint_eq(made(LOOP("4", "4", BLEND("4")), "phi <4 x i1>"), 1);
}
END_TEST

Suite *tf_suite_masks(void)
{
    Suite *suite = suite_create("masks");
    TCase *tc = tcase_create("blocks");

    tcase_add_test(tc, masks_go_from_block_to_block_as_integers);
    tcase_add_test(tc, choices_between_masks_are_logic);
    tcase_add_test(tc, whether_any_lane_is_left_is_asked_at_once);
    tcase_add_test(tc, masks_of_one_block_stay);
    tcase_add_test(tc, masks_of_many_registers_stay);
    tcase_add_test(tc, masks_of_one_register_of_floats_stay);
    suite_add_tcase(suite, tc);
    return suite;
}
