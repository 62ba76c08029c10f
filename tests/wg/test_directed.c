// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/codegen/convert/directed.h"

// What the pass makes of a number or vector that is rounded in a direction; to be
// disposed of.
static char *rounded(const char *from, const char *to, const char *suffix,
                     const char *direction, struct tf_directed machine)
{
    char text[1024], *out, *message = NULL;
    struct ir ir;

    snprintf(text, sizeof(text),
             "declare %s @llvm.fptrunc.round.%s(%s, metadata)\n"
             "define %s @k(%s %%x) {\n"
             "  %%y = call %s @llvm.fptrunc.round.%s(%s %%x, metadata !\"round.%s\")\n"
             "  ret %s %%y\n}\n",
             to, suffix, from, to, from, to, suffix, from, direction, to);
    ir_open(&ir, text);
    tf_directed_settle(ir.module, machine);
    ck_assert_msg(!LLVMVerifyModule(ir.module, LLVMReturnStatusAction, &message), "%s",
                  message);
    LLVMDisposeMessage(message);
    out = LLVMPrintModuleToString(ir.module);
    ck_assert_msg(!strstr(out, "metadata !\"round"), "%s", out);
    ir_close(&ir);
    return out;
}

static unsigned count(const char *text, const char *what)
{
    unsigned found = 0;

    while ((text = strstr(text, what))) {
        text += strlen(what);
        found++;
    }
    return found;
}

static void check(const char *from, const char *to, const char *suffix,
                  struct tf_directed machine, const char *instruction, unsigned wanted)
{
    static const char *const directions[] = {"towardzero", "upward", "downward"};

    for (unsigned i = 0; i < 3; i++) {
        char *out = rounded(from, to, suffix, directions[i], machine);

        ck_assert_uint_eq(count(out, instruction), wanted);
        LLVMDisposeMessage(out);
    }
}

#define BY_F16C "call <8 x i16> @llvm.x86.vcvtps2ph.256("
#define BY_AVX512 "call <8 x float> @llvm.x86.avx512.mask.cvtpd2ps.512("

START_TEST(eight_are_rounded_at_once)
{
    const struct tf_directed machine = {.float_to_half = true, .double_to_float = true};

    check("float", "half", "f16.f32", machine, BY_F16C, 1);
    check("<16 x float>", "<16 x half>", "v16f16.v16f32", machine, BY_F16C, 2);
    check("<8 x double>", "<8 x float>", "v8f32.v8f64", machine, BY_AVX512, 1);
}
END_TEST

// 64 lanes of vectors of sixteen.
START_TEST(many_are_rounded)
{
    const struct tf_directed machine = {.float_to_half = true, .double_to_float = true};
    const struct tf_directed plain = {.float_to_half = false};

    check("<1024 x float>", "<1024 x half>", "v1024f16.v1024f32", machine, BY_F16C, 128);
    check("<1024 x double>", "<1024 x float>", "v1024f32.v1024f64", machine, BY_AVX512,
          128);
    check("<1024 x double>", "<1024 x float>", "v1024f32.v1024f64", plain,
          "fptrunc <1024 x double>", 1);
}
END_TEST

Suite *tf_suite_directed(void)
{
    Suite *suite = suite_create("directed");
    TCase *tcase = tcase_create("roundings");

    tcase_add_test(tcase, eight_are_rounded_at_once);
    tcase_add_test(tcase, many_are_rounded);
    suite_add_tcase(suite, tcase);
    return suite;
}
