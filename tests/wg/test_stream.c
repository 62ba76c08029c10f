// SPDX-License-Identifier: MIT
#include "ir_text.h"

#define HEAD                                                                         \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, float %f, i32 %n) {\n" \
    "entry:\n  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"                \
    "  %from = getelementptr float, ptr addrspace(1) %q, i64 %i\n"                   \
    "  %to = getelementptr float, ptr addrspace(1) %p, i64 %i\n"                     \
    "  %v = load float, ptr addrspace(1) %from\n"                                    \
    "  %w = load float, ptr addrspace(1) %to\n"
#define TAIL "  store float %s, ptr addrspace(1) %to\n  ret void\n}\n"

static const char triad[] =
    HEAD "  %m = fmul float %v, %f\n  %s = fadd float %m, %w\n" TAIL;
static const char division[] =
    HEAD "  %m = fmul float %v, %f\n  %s = fdiv float %m, %w\n" TAIL;
static const char arithmetic[] =
    HEAD "  %a = fmul float %v, %f\n  %b = fadd float %a, %w\n  %c = fmul float %b, %v\n"
         "  %d = fadd float %c, %w\n  %s = fmul float %d, %d\n" TAIL;
static const char gathered[] = HEAD
    "  %h = mul i64 %i, %i\n  %at = getelementptr float, ptr addrspace(1) %q, i64 %h\n"
    "  %s = load float, ptr addrspace(1) %at\n" TAIL;
static const char loop[] =
    HEAD "  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
         "  %t = phi float [ %v, %entry ], [ %s, %loop ]\n  %s = fmul float %t, %w\n"
         "  %next = add i32 %k, 1\n  %more = icmp ult i32 %next, %n\n"
         "  br i1 %more, label %loop, label %end\nend:\n" TAIL;

static bool streams(const char *text, unsigned *width, unsigned *bits)
{
    struct ir ir;
    struct tf_wg wg;
    struct gang g;
    bool result;

    ir_open(&ir, text);
    g = ir_gang(&ir, &wg, *bits / 32);
    wg.vector_bits = *bits;
    result = gang_streams(&g);
    gang_narrow(&g);
    *width = g.width;
    *bits = wg.vector_bits;
    tf_arena_finish(&g.arena);
    ir_close(&ir);
    return result;
}

START_TEST(streams_take_half_of_a_wide_register)
{
    unsigned width, bits = 512;

    ck_assert(streams(triad, &width, &bits));
    ck_assert_uint_eq(width, 8);
    ck_assert_uint_eq(bits, 256);
    ck_assert(streams(triad, &width, &bits)); // no narrower than that
    ck_assert_uint_eq(width, 8);
    ck_assert_uint_eq(bits, 256);
}
END_TEST

static const char *const others[] = {division, arithmetic, gathered, loop};

START_TEST(what_computes_keeps_its_registers)
{
    unsigned width, bits = 512;

    ck_assert(!streams(others[_i], &width, &bits));
    ck_assert_uint_eq(width, 16);
    ck_assert_uint_eq(bits, 512);
}
END_TEST

Suite *tf_suite_stream(void)
{
    Suite *suite = suite_create("stream");
    TCase *tc = tcase_create("stream");

    tcase_add_test(tc, streams_take_half_of_a_wide_register);
    tcase_add_loop_test(tc, what_computes_keeps_its_registers, 0,
                        sizeof(others) / sizeof(others[0]));
    suite_add_tcase(suite, tc);
    return suite;
}
