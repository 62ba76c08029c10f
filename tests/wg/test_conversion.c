// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/codegen/convert/conversion.h"

// A module once its roundings of halves are those of floats; to be disposed of.
static char *widened(const char *text)
{
    char *out, *message = NULL;
    struct ir ir;

    ir_open(&ir, text);
    tf_conversion_widen_roundings(ir.module);
    ck_assert_msg(!LLVMVerifyModule(ir.module, LLVMReturnStatusAction, &message), "%s",
                  message);
    LLVMDisposeMessage(message);
    out = LLVMPrintModuleToString(ir.module);
    ir_close(&ir);
    return out;
}

// What compares with a constant takes the floats, and no half is made.
START_TEST(constants_are_compared_with_floats)
{
    char *out = widened("declare <4 x half> @llvm.ceil.v4f16(<4 x half>)\n"
                        "define <4 x i1> @k(<4 x half> %x) {\n"
                        "  %y = call <4 x half> @llvm.ceil.v4f16(<4 x half> %x)\n"
                        "  %number = fcmp ord <4 x half> %y, zeroinitializer\n"
                        "  %above = fcmp olt <4 x half> <half 0xH3E00, half 0xH3E00, "
                        "half 0xH3E00, half 0xH3E00>, %y\n"
                        "  %both = and <4 x i1> %number, %above\n"
                        "  ret <4 x i1> %both\n}\n");

    ck_assert_msg(!!strstr(out, "fcmp ord <4 x float> %2, zeroinitializer"), "%s", out);
    ck_assert_msg(!!strstr(out, "fcmp olt <4 x float>"), "%s", out);
    ck_assert_msg(!!strstr(out, "1.500000e+00"), "%s", out);
    ck_assert_msg(!strstr(out, "fcmp ord <4 x half>"), "%s", out);
    ck_assert_msg(!strstr(out, "fcmp olt <4 x half>"), "%s", out);
    LLVMDisposeMessage(out);
}
END_TEST

// With numbers that are not constant halves are compared, with themselves, too.
START_TEST(halves_are_compared_with_halves)
{
    char *out = widened("declare <4 x half> @llvm.floor.v4f16(<4 x half>)\n"
                        "define <4 x i1> @k(<4 x half> %x) {\n"
                        "  %y = call <4 x half> @llvm.floor.v4f16(<4 x half> %x)\n"
                        "  %whole = fcmp oeq <4 x half> %y, %x\n"
                        "  %number = fcmp oeq <4 x half> %y, %y\n"
                        "  %both = and <4 x i1> %whole, %number\n"
                        "  ret <4 x i1> %both\n}\n");

    ck_assert_msg(!!strstr(out, "fptrunc <4 x float> %2 to <4 x half>"), "%s", out);
    ck_assert_msg(!strstr(out, "fcmp oeq <4 x float>"), "%s", out);
    LLVMDisposeMessage(out);
}
END_TEST

Suite *tf_suite_conversion(void)
{
    Suite *suite = suite_create("conversion");
    TCase *tcase = tcase_create("halves");

    tcase_add_test(tcase, constants_are_compared_with_floats);
    tcase_add_test(tcase, halves_are_compared_with_halves);
    suite_add_tcase(suite, tcase);
    return suite;
}
