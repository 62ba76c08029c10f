// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <llvm-c/Analysis.h>

#include "compiler/codegen/arithmetic/minima.h"

#define KERNEL(type, body) \
    "define " type " @k(" type " %x, " type " %y) {\n" body "  ret " type " %m\n}\n"
#define LESS(type) "  %less = fcmp olt " type " %x, %y\n"
#define NAN_OF(type, of) "  %nan = fcmp uno " type " " of ", zeroinitializer\n"
#define CHOICE(type, bits) "  %m = select " bits " %or, " type " %x, " type " %y\n"

// How many choices there are then.
static unsigned choices(const char *text)
{
    struct ir ir;
    unsigned found;

    ir_open(&ir, text);
    tf_minima_settle(ir.module);
    ck_assert(!LLVMVerifyFunction(ir.fn, LLVMPrintMessageAction));
    found = ir_count(&ir, " select ");
    ir_close(&ir);
    return found;
}

#define FOUR "<4 x float>"

START_TEST(a_minimum_is_chosen_first)
{
    ck_assert_uint_eq(
        choices(KERNEL(FOUR,
                       LESS(FOUR)
                           NAN_OF(FOUR, "%y") "  %or = or <4 x i1> %nan, %less\n" CHOICE(
                               FOUR, "<4 x i1>"))),
        2);
    ck_assert_uint_eq(
        choices(KERNEL("double", "  %more = fcmp ogt double %x, %y\n"
                                 "  %nan = fcmp uno double %y, %y\n"
                                 "  %or = select i1 %more, i1 true, i1 %nan\n" CHOICE(
                                     "double", "i1"))),
        3); // the disjunction stays, for nobody
}
END_TEST

START_TEST(other_choices_stay)
{
    // The first number may be the NaN.
    ck_assert_uint_eq(
        choices(KERNEL(FOUR,
                       LESS(FOUR)
                           NAN_OF(FOUR, "%x") "  %or = or <4 x i1> %nan, %less\n" CHOICE(
                               FOUR, "<4 x i1>"))),
        1);
    ck_assert_uint_eq(
        choices(KERNEL(FOUR,
                       LESS(FOUR)
                           NAN_OF(FOUR, "%y") "  %or = and <4 x i1> %nan, %less\n" CHOICE(
                               FOUR, "<4 x i1>"))),
        1);
    ck_assert_uint_eq(
        choices(KERNEL(
            FOUR,
            "  %less = fcmp ole <4 x float> %x, %y\n" NAN_OF(
                FOUR, "%y") "  %or = or <4 x i1> %nan, %less\n" CHOICE(FOUR,
                                                                       "<4 x i1>"))),
        1);
    ck_assert_uint_eq(
        choices(KERNEL("half",
                       LESS("half") "  %nan = fcmp uno half %y, %y\n"
                                    "  %or = or i1 %nan, %less\n" CHOICE("half", "i1"))),
        1);
}
END_TEST

Suite *tf_suite_minima(void)
{
    Suite *suite = suite_create("minima");
    TCase *tests = tcase_create("minima");

    tcase_add_test(tests, a_minimum_is_chosen_first);
    tcase_add_test(tests, other_choices_stay);
    suite_add_tcase(suite, tests);
    return suite;
}
