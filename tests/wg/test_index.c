// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 8 };

// Loads in[index], where `index` makes %j of %x, which lanes count, and %n.
#define LOAD_BY(extend, index)                                                     \
    "define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, i64 "  \
    "%l2) {\n  %in = load ptr addrspace(1), ptr %launch\n"                         \
    "  %more = getelementptr i8, ptr %launch, i64 8\n  %n = load i32, ptr %more\n" \
    "  %x = call i32 @tf_gid0()\n" index "  %i = " extend " i32 %j to i64\n"       \
    "  %from = getelementptr i32, ptr addrspace(1) %in, i64 %i\n"                  \
    "  %v = load i32, ptr addrspace(1) %from\n  %to64 = zext nneg i32 %x to i64\n" \
    "  %to = getelementptr i32, ptr addrspace(1) %in, i64 %to64\n"                 \
    "  store i32 %v, ptr addrspace(1) %to\n  ret void\n}\n"
#define LOAD(index) LOAD_BY("zext", index)
// %j is a coordinate %u in floating point, of %f, which lanes count.
#define LOAD_AT(coordinate)                                      \
    LOAD_BY("sext", "  %f = uitofp i32 %x to float\n" coordinate \
                    "  %j = fptosi float %u to i32\n")

struct found {
    bool looks, gathers;
};

static struct found made_of(const char *text, bool masked)
{
    struct ir ir;
    struct found found;
    char *out;

    ir_open(&ir, text);
    ck_assert_msg(ir_plan(&ir, WIDTH, masked), "%s", ir.plan.unfit);
    out = ir_emit(&ir);
    found.looks = strstr(out, "call void @tf_gang_masked") != NULL;
    found.gathers = strstr(out, "masked.gather") != NULL;
    LLVMDisposeMessage(out);
    ir_close(&ir);
    return found;
}

static bool is_whole(const char *text)
{
    const struct found all = made_of(text, false), some = made_of(text, true);

    ck_assert(some.gathers && !some.looks); // takes nothing for granted
    ck_assert(all.looks != all.gathers);
    return all.looks;
}

START_TEST(a_remainder_is_a_whole_access)
{
    ck_assert(is_whole(LOAD("  %j = and i32 %x, %n\n")));
    ck_assert(is_whole(LOAD("  %j = urem i32 %x, %n\n")));
    ck_assert(is_whole(LOAD("  %j = srem i32 %x, 1000\n")));
}
END_TEST

START_TEST(a_quotient_is_one_address)
{
    const struct found found = made_of(LOAD("  %j = udiv i32 %x, %n\n"), false);

    ck_assert(found.looks && !found.gathers);
}
END_TEST

START_TEST(short_rounds_are_gathered)
{
    ck_assert(!is_whole(LOAD("  %j = and i32 %x, 15\n")));
    ck_assert(!is_whole(LOAD("  %j = and i32 %x, 1024\n")));
    ck_assert(!is_whole(LOAD("  %j = urem i32 %x, 12\n")));
    ck_assert(!is_whole(LOAD("  %y = shl i32 %x, 4\n  %j = urem i32 %y, 100\n")));
}
END_TEST

static const char floor_declared[] = "declare float @llvm.floor.f32(float)\n"
                                     "declare float @llvm.sqrt.f32(float)\n"
                                     "declare i32 @llvm.smax.i32(i32, i32)\n";

static bool is_whole_at(const char *text)
{
    char all[4000];

    snprintf(all, sizeof(all), "%s%s", floor_declared, text);
    return is_whole(all);
}

START_TEST(coordinates_in_whole_steps_are_whole_accesses)
{
    ck_assert(is_whole_at(LOAD_AT("  %u = fadd float %f, 0.5\n")));
    ck_assert(is_whole_at(LOAD_AT("  %m = sitofp i32 %n to float\n"
                                  "  %a = fsub float %f, %m\n"
                                  "  %c = fcmp ogt float %a, -2.0\n"
                                  "  %l = select i1 %c, float %a, float -2.0\n"
                                  "  %u = call float @llvm.floor.f32(float %l)\n")));
    // Elements of vectors, one of which lanes share.
    ck_assert(
        is_whole_at(LOAD_AT("  %p = insertelement <2 x float> poison, float %f, i64 1\n"
                            "  %q = insertelement <2 x float> %p, float 3.0, i64 0\n"
                            "  %r = fadd <2 x float> %q, splat (float 0.5)\n"
                            "  %u = extractelement <2 x float> %r, i64 1\n")));
}
END_TEST

START_TEST(coordinates_in_other_steps_are_gathered)
{
    ck_assert(!is_whole_at(LOAD_AT("  %m = sitofp i32 %n to float\n"
                                   "  %u = fmul float %f, %m\n")));
    ck_assert(!is_whole_at(LOAD_AT("  %u = fmul float %f, 1.5\n")));
    ck_assert(!is_whole_at(LOAD_AT("  %u = fmul float %f, %f\n")));
    ck_assert(!is_whole_at(LOAD_AT("  %u = call float @llvm.sqrt.f32(float %f)\n")));
}
END_TEST

Suite *tf_suite_index(void)
{
    Suite *suite = suite_create("index");
    TCase *tcase = tcase_create("assumed");

    tcase_add_test(tcase, a_remainder_is_a_whole_access);
    tcase_add_test(tcase, a_quotient_is_one_address);
    tcase_add_test(tcase, short_rounds_are_gathered);
    tcase_add_test(tcase, coordinates_in_whole_steps_are_whole_accesses);
    tcase_add_test(tcase, coordinates_in_other_steps_are_gathered);
    suite_add_tcase(suite, tcase);
    return suite;
}
