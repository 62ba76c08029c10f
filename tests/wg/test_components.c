// SPDX-License-Identifier: MIT
#include "compiler/workgroup/plan/choice/choose.h"
#include "ir_text.h"

#define HEAD                                                                        \
    "declare float @llvm.sqrt.f32(float)\n"                                         \
    "define void @k(ptr addrspace(1) %p, <4 x float> %row, i32 %steps) {\nentry:\n" \
    "  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"                       \
    "  %at = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %i\n"              \
    "  %v = load <4 x float>, ptr addrspace(1) %at\n"
#define TAIL "  ret void\n}\n"

// Two components are added up and spread again.
#define MIX(from)                                                             \
    "  %m = fmul <4 x float> " from ", %row\n"                                \
    "  %a = extractelement <4 x float> %m, i32 0\n"                           \
    "  %b = extractelement <4 x float> %m, i32 1\n"                           \
    "  %c = extractelement <4 x float> %m, i32 2\n"                           \
    "  %s = fadd float %a, %b\n  %t = fadd float %s, %c\n"                    \
    "  %one = insertelement <4 x float> poison, float %t, i32 0\n"            \
    "  %all = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> " \
    "zeroinitializer\n"

static const char in_loop[] =
    HEAD "  br label %loop\nloop:\n"
         "  %n = phi i32 [0, %entry], [%n1, %loop]\n"
         "  %w = phi <4 x float> [%v, %entry], [%all, %loop]\n" MIX(
             "%w") "  %n1 = add i32 %n, 1\n  %more = icmp ult i32 %n1, %steps\n"
                   "  br i1 %more, label %loop, label %end\nend:\n"
                   "  %out = phi <4 x float> [%all, %loop]\n"
                   "  store <4 x float> %out, ptr addrspace(1) %at\n" TAIL;

static const char componentwise[] =
    HEAD "  %one = insertelement <4 x float> poison, float 2.0, i32 0\n"
         "  %two = shufflevector <4 x float> %one, <4 x float> poison, <4 x i32> "
         "zeroinitializer\n"
         "  %m = fmul <4 x float> %v, %two\n  %n = fadd <4 x float> %m, %row\n"
         "  store <4 x float> %n, ptr addrspace(1) %at\n" TAIL;

// The same work on bytes: they have no strided accesses.
static const char bytes[] =
    "define void @k(ptr addrspace(1) %p) {\n"
    "  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"
    "  %at = getelementptr <4 x i8>, ptr addrspace(1) %p, i64 %i\n"
    "  %v = load <4 x i8>, ptr addrspace(1) %at\n"
    "  %r = shufflevector <4 x i8> %v, <4 x i8> poison, <4 x i32> <i32 3, i32 2, i32 1, "
    "i32 "
    "0>\n"
    "  %s = add <4 x i8> %v, %r\n"
    "  %q = shufflevector <4 x i8> %s, <4 x i8> poison, <4 x i32> <i32 1, i32 0, i32 3, "
    "i32 "
    "2>\n"
    "  %t = add <4 x i8> %s, %q\n"
    "  store <4 x i8> %t, ptr addrspace(1) %at\n  ret void\n}\n";

// Vectors at random places: each lane loads all of its own at once in either form.
static const char gathered[] =
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {\n"
    "  %x = call i32 @tf_gid0()\n  %y = mul i32 %x, %x\n  %i = zext i32 %y to i64\n"
    "  %at = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %i\n"
    "  %v = load <4 x float>, ptr addrspace(1) %at\n"
    "  %a = extractelement <4 x float> %v, i32 0\n"
    "  %b = extractelement <4 x float> %v, i32 1\n"
    "  %c = extractelement <4 x float> %v, i32 2\n"
    "  %d = extractelement <4 x float> %v, i32 3\n"
    "  %s = fadd float %a, %b\n  %t = fadd float %c, %d\n  %u = fmul float %s, %t\n"
    "  %j = zext i32 %x to i64\n"
    "  %to = getelementptr float, ptr addrspace(1) %q, i64 %j\n"
    "  store float %u, ptr addrspace(1) %to\n  ret void\n}\n";

static bool mixes_in(const char *text, unsigned width, unsigned vector_bits)
{
    struct ir ir;
    bool result;

    ir_open(&ir, text);
    ir.target = tf_target_of(NULL, vector_bits);
    ck_assert(ir_plan(&ir, width, false));
    result = tf_plan_mixes_components(&ir.plan);
    ir_close(&ir);
    return result;
}

static bool mixes(const char *text, unsigned width)
{
    return mixes_in(text, width, 512);
}

START_TEST(dot_products_in_a_loop_are_taken_apart)
{
    ck_assert(mixes(in_loop, 16));
    ck_assert(mixes(in_loop, 8));
}
END_TEST

START_TEST(what_treats_components_alike_stays_whole)
{
    ck_assert(!mixes(componentwise, 16));
}
END_TEST

START_TEST(bytes_stay_whole)
{
    ck_assert(!mixes(bytes, 16));
}
END_TEST

START_TEST(gathered_vectors_are_taken_apart)
{
    ck_assert(mixes(gathered, 16));
}
END_TEST

// More registers than lanes pay with: what is taken apart has fewer each.
START_TEST(wide_vectors_are_taken_apart)
{
    ck_assert(mixes(in_loop, 32));         // 8 registers each
    ck_assert(mixes(in_loop, 64));         // 16
    ck_assert(mixes_in(in_loop, 32, 256)); // 16
}
END_TEST

START_TEST(very_wide_vectors_stay_whole)
{
    ck_assert(!mixes_in(in_loop, 64, 256)); // 32 registers each
}
END_TEST

Suite *tf_suite_components(void)
{
    Suite *suite = suite_create("components");
    TCase *tc = tcase_create("components");

    tcase_add_test(tc, dot_products_in_a_loop_are_taken_apart);
    tcase_add_test(tc, what_treats_components_alike_stays_whole);
    tcase_add_test(tc, bytes_stay_whole);
    tcase_add_test(tc, gathered_vectors_are_taken_apart);
    tcase_add_test(tc, wide_vectors_are_taken_apart);
    tcase_add_test(tc, very_wide_vectors_stay_whole);
    suite_add_tcase(suite, tc);
    return suite;
}
