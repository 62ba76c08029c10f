// SPDX-License-Identifier: MIT
// Bounds of numbers that come of bytes, and what is made in 16 bits because of them.
#include "ir_text.h"

#include <llvm-c/Analysis.h>

#include "compiler/workgroup/prepare/narrow/interval.h"
#include "compiler/workgroup/prepare/narrow/narrow.h"

static struct ir ir;

// %a, %b: 0 to 255; %s: -128 to 127; %w: 0 to 65,535.
#define HEAD                                                                     \
    "declare i32 @llvm.smax.i32(i32, i32)\ndeclare i32 @llvm.abs.i32(i32, i1)\n" \
    "declare i32 @llvm.usub.sat.i32(i32, i32)\n"                                 \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {\n"               \
    "  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"                    \
    "  %at = getelementptr i8, ptr addrspace(1) %p, i64 %i\n"                    \
    "  %at1 = getelementptr i8, ptr addrspace(1) %at, i64 1\n"                   \
    "  %at2 = getelementptr i16, ptr addrspace(1) %p, i64 %i\n"                  \
    "  %a8 = load i8, ptr addrspace(1) %at\n"                                    \
    "  %b8 = load i8, ptr addrspace(1) %at1\n"                                   \
    "  %w16 = load i16, ptr addrspace(1) %at2\n"                                 \
    "  %a = zext i8 %a8 to i32\n  %b = zext i8 %b8 to i32\n"                     \
    "  %s = sext i8 %b8 to i32\n  %w = zext i16 %w16 to i32\n"
#define KEEP(type, value)                                           \
    "  %to = getelementptr " type ", ptr addrspace(1) %q, i64 %i\n" \
    "  store " type " %" value ", ptr addrspace(1) %to\n  ret void\n}\n"

static const char operations[] = HEAD
    "  %sum = add i32 %a, %b\n  %less = sub i32 %a, %b\n  %more = mul i32 %s, %a\n"
    "  %left = shl i32 %s, 4\n  %right = lshr i32 %w, 3\n  %down = ashr i32 %less, 1\n"
    "  %low = lshr i32 %less, 1\n  %part = udiv i32 %w, 10\n  %rest = srem i32 %less, 7\n"
    "  %none = sdiv i32 %w, %a\n  %and = and i32 %less, 15\n  %or = or i32 %a, 256\n"
    "  %xor = xor i32 %less, %s\n  %most = call i32 @llvm.smax.i32(i32 %less, i32 7)\n"
    "  %size = call i32 @llvm.abs.i32(i32 %less, i1 false)\n"
    "  %above = call i32 @llvm.usub.sat.i32(i32 %a, i32 16)\n"
    "  %is = icmp ugt i32 %a, %b\n  %one = select i1 %is, i32 %less, i32 1000\n"
    "  %huge = mul i32 %w, %w\n  %wild = shl i32 %a, %b\n" KEEP("i32", "sum");

static struct tf_interval range(const char *name)
{
    const LLVMValueRef value = ir_value(&ir, name);
    const unsigned first = LLVMIsASelectInst(value) ? 1 : 0;
    struct tf_interval of[2];

    if (LLVMIsAZExtInst(value) || LLVMIsASExtInst(value))
        return tf_interval_of_extension(value);
    for (unsigned k = 0; k < 2; k++) {
        const LLVMValueRef operand = LLVMGetOperand(value, first + k);

        of[k] = LLVMIsAConstant(operand) ? tf_interval_of_constant(operand)
                                         : range(LLVMGetValueName(operand));
    }
    return tf_interval_of(value, of);
}

START_TEST(intervals_are_those_of_the_operation)
{
    static const struct {
        const char *name;
        int64_t low, high;
    } cases[] = {
        {"a", 0, 255},         {"s", -128, 127},    {"w", 0, 65535},
        {"sum", 0, 510},       {"less", -255, 255}, {"more", -32640, 32385},
        {"left", -2048, 2032}, {"right", 0, 8191},  {"down", -128, 127},
        {"part", 0, 6553},     {"rest", -6, 6},     {"and", 0, 15},
        {"or", 0, 511},        {"xor", -256, 255},  {"most", 7, 255},
        {"size", 0, 255},      {"above", 0, 239},   {"one", -255, 1000},
    };
    static const char *const unknown[] = {"low", "none", "huge", "wild"};

    ir_open(&ir, operations);
    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        const struct tf_interval is = range(cases[i].name);

        ck_assert_msg(is.low == cases[i].low && is.high == cases[i].high,
                      "%s: %lld to %lld", cases[i].name, (long long)is.low,
                      (long long)is.high);
    }
    for (size_t i = 0; i < sizeof(unknown) / sizeof(unknown[0]); i++)
        ck_assert_msg(!tf_interval_is_known(range(unknown[i])), "%s", unknown[i]);
    ir_close(&ir);
}
END_TEST

// How many operations of 16 bits there are behind the pass.
static unsigned narrow(const char *text, const char *operation)
{
    bool changed;
    unsigned count;

    ir_open(&ir, text);
    ck_assert(ir_facts(&ir, 16));
    changed = tf_prepare_narrow(&ir.facts);
    LLVMVerifyFunction(ir.fn, LLVMAbortProcessAction);
    count = ir_count(&ir, operation);
    ck_assert(changed || count == 0);
    tf_facts_finish(&ir.facts);
    ir_close(&ir);
    return count;
}

// (2 a + b) / 9 as a byte.
static const char mean[] = HEAD
    "  %sum = add nuw nsw i32 %a, %b\n  %both = add nuw nsw i32 %sum, %a\n"
    "  %part = udiv i32 %both, 9\n  %cut = trunc i32 %part to i8\n" KEEP("i8", "cut");
static const char positive[] =
    HEAD "  %much = mul nsw i32 %a, 200\n  %much1 = mul nsw i32 %much, 1\n"
         "  %size = call i32 @llvm.abs.i32(i32 %much1, i1 false)\n"
         "  %cut = trunc i32 %size to i16\n" KEEP("i16", "cut");
static const char either_sign[] =
    HEAD "  %less = sub nsw i32 %a, %b\n  %twice = mul nsw i32 %less, 100\n"
         "  %size = call i32 @llvm.abs.i32(i32 %twice, i1 false)\n"
         "  %cut = trunc i32 %size to i16\n" KEEP("i16", "cut");
static const char wide[] = HEAD "  %much = mul i32 %w, %a\n  %part = udiv i32 %much, 3\n"
                                "  %cut = trunc i32 %part to i8\n" KEEP("i8", "cut");
static const char read_as_int[] = HEAD "  %sum = add i32 %a, %b\n" KEEP("i32", "sum");

START_TEST(what_16_bits_hold_is_made_in_them)
{
    ck_assert_uint_eq(narrow(mean, "add i16"), 2);
    ck_assert_uint_eq(narrow(mean, "udiv i16"), 1);
    ck_assert_uint_eq(narrow(mean, "add nuw"), 0);
}
END_TEST

// A magnitude has no form for numbers without a sign.
START_TEST(magnitudes_have_a_sign)
{
    ck_assert_uint_eq(narrow(either_sign, "call i16 @llvm.abs"), 1);
    ck_assert_uint_eq(narrow(positive, "call i16 @llvm.abs"), 0);
}
END_TEST

START_TEST(nothing_is_made_that_is_wrong_or_does_not_pay)
{
    ck_assert_uint_eq(narrow(wide, "mul i16"), 0);
    ck_assert_uint_eq(narrow(read_as_int, "add i16"), 0);
}
END_TEST

// How many of four comparisons hold.
#define HOLDS(type, number)                                                            \
    HEAD "  %at3 = getelementptr " type ", ptr addrspace(1) %p, i64 %i\n"              \
         "  %n = load " type ", ptr addrspace(1) %at3\n"                               \
         "  %c1 = icmp ult " type " %n, 3\n  %c2 = icmp ult " type " %n, 5\n"          \
         "  %c3 = icmp ult " type " %n, 7\n  %c4 = icmp ult " type " %n, " number "\n" \
         "  %b1 = zext i1 %c1 to i32\n  %b2 = zext i1 %c2 to i32\n"                    \
         "  %b3 = zext i1 %c3 to i32\n  %b4 = zext i1 %c4 to i32\n"                    \
         "  %h2 = add i32 %b1, %b2\n  %h3 = add i32 %h2, %b3\n"                        \
         "  %h4 = add i32 %h3, %b4\n" KEEP("i32", "h4")

START_TEST(answers_of_wide_comparisons_stay_wide)
{
    ck_assert_uint_eq(narrow(HOLDS("i8", "9"), "add i16"), 3);
    ck_assert_uint_eq(narrow(HOLDS("i64", "9"), "add i16"), 0);
}
END_TEST

Suite *tf_suite_narrow(void)
{
    Suite *suite = suite_create("narrow");
    TCase *tcase = tcase_create("narrow");

    tcase_add_test(tcase, intervals_are_those_of_the_operation);
    tcase_add_test(tcase, what_16_bits_hold_is_made_in_them);
    tcase_add_test(tcase, magnitudes_have_a_sign);
    tcase_add_test(tcase, nothing_is_made_that_is_wrong_or_does_not_pay);
    tcase_add_test(tcase, answers_of_wide_comparisons_stay_wide);
    suite_add_tcase(suite, tcase);
    return suite;
}
