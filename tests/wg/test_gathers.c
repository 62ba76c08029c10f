// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include "compiler/codegen/memory/gathers.h"

#define ALL "<4 x i1> <i1 true, i1 true, i1 true, i1 true>"
#define GATHER(name, mask)                                                             \
    "  %" name                                                                         \
    " = call <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr> %at, " IR_ALIGN mask \
    ", <4 x float> poison)\n"
#define KERNEL(body)                                                                   \
    "declare <4 x float> @llvm.masked.gather.v4f32.v4p0(<4 x ptr>, " IR_ALIGN_TYPE     \
    "<4 x i1>, <4 x float>)\n"                                                         \
    "define <4 x float> @k(ptr %p, ptr %q, <4 x i32> %i, <4 x ptr> %any, <4 x i1> %m)" \
    " {\n" body "  ret <4 x float> %l\n}\n"

// How often `part` stands in what becomes of it.
static unsigned made_where(bool has_instruction, const char *text, const char *part)
{
    struct ir ir;
    unsigned count;

    ir_open(&ir, text);
    tf_gathers_settle(ir.module, has_instruction);
    count = ir_count(&ir, part);
    ir_close(&ir);
    return count;
}

static unsigned made(const char *text, const char *part)
{
    return made_where(false, text, part);
}

START_TEST(lanes_add_their_indices)
{
    static const char text[] =
        KERNEL("  %long = sext <4 x i32> %i to <4 x i64>\n"
               "  %at = getelementptr float, ptr %p, <4 x i64> %long\n" GATHER("l", ALL));

    ck_assert_uint_eq(made(text, "extractelement <4 x i32> %i"), 4);
    ck_assert_uint_eq(made(text, "load float"), 4);
    ck_assert_uint_eq(made(text, "%l = call"), 0);
}
END_TEST

START_TEST(loaded_indices_are_loaded_one_by_one)
{
    static const char text[] = KERNEL(
        "  %i2 = load <4 x i32>, ptr %q\n"
        "  %long = zext <4 x i32> %i2 to <4 x i64>\n"
        "  %at = getelementptr float, ptr %p, <4 x i64> %long\n" GATHER("first", ALL)
            GATHER("l", ALL));
    static const char kept[] =
        KERNEL("  %i2 = load <4 x i32>, ptr %q\n"
               "  %long = zext <4 x i32> %i2 to <4 x i64>\n"
               "  store <4 x i32> %i2, ptr %p\n"
               "  %at = getelementptr float, ptr %p, <4 x i64> %long\n" GATHER("l", ALL));

    ck_assert_uint_eq(made(text, "load i32"), 4);
    ck_assert_uint_eq(made(text, "load float"), 8);
    ck_assert_uint_eq(made(kept, "load i32"), 0);
    ck_assert_uint_eq(made(kept, "extractelement <4 x i32> %i2"), 4);
}
END_TEST

#define EIGHT(of) of of of of of of of of
#define WIDE                                                                         \
    "  call <64 x float> @llvm.masked.gather.v64f32.v64p0(<64 x ptr> %at, " IR_ALIGN \
    "<64 x i1> splat (i1 true), <64 x float> poison)\n"

START_TEST(too_many_stay_where_there_is_an_instruction)
{
    static const char text[] =
        "declare <64 x float> @llvm.masked.gather.v64f32.v64p0(<64 x ptr>, " IR_ALIGN_TYPE
        "<64 x i1>, <64 x float>)\n"
        "define void @k(ptr %p, <64 x i32> %i) {\n"
        "  %at = getelementptr float, ptr %p, <64 x i32> %i\n" EIGHT(
            EIGHT(WIDE)) "  ret void\n}\n";

    ck_assert_uint_eq(made_where(false, text, "call <64 x float>"), 0);
    ck_assert_uint_eq(made_where(true, text, "call <64 x float>"), 32);
}
END_TEST

START_TEST(other_gathers_stay)
{
    static const char masked[] = KERNEL(
        "  %at = getelementptr float, ptr %p, <4 x i32> %i\n" GATHER("l", "<4 x i1> %m"));
    static const char apart[] = KERNEL(
        "  %at = getelementptr float, <4 x ptr> %any, <4 x i32> %i\n" GATHER("l", ALL));

    ck_assert_uint_eq(made(masked, "%l = call"), 1);
    ck_assert_uint_eq(made(apart, "%l = call"), 1);
}
END_TEST

Suite *tf_suite_gathers(void)
{
    Suite *suite = suite_create("gathers");
    TCase *tc = tcase_create("lanes");

    tcase_add_test(tc, lanes_add_their_indices);
    tcase_add_test(tc, loaded_indices_are_loaded_one_by_one);
    tcase_add_test(tc, too_many_stay_where_there_is_an_instruction);
    tcase_add_test(tc, other_gathers_stay);
    suite_add_tcase(suite, tc);
    return suite;
}
