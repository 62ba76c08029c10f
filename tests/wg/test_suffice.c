// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include "compiler/workgroup/plan/choice/choose.h"

#define LOOP(inside)                                                            \
    "define void @k(ptr addrspace(1) %p, i32 %n) {\n"                           \
    "entry:\n  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"           \
    "  %to = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"                  \
    "  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n" \
    "  %t = phi i32 [ %x, %entry ], [ %s, %loop ]\n" inside                     \
    "  %next = add i32 %k, 1\n  %more = icmp ult i32 %next, %n\n"               \
    "  br i1 %more, label %loop, label %end\nend:\n"                            \
    "  store i32 %s, ptr addrspace(1) %to\n  ret void\n}\n"
#define WORK                                                                \
    "  %a = mul i32 %t, %t\n  %b = xor i32 %a, %t\n  %c = mul i32 %b, %a\n" \
    "  %d = add i32 %c, %b\n  %e = mul i32 %d, %c\n  %f = xor i32 %e, %d\n" \
    "  %g = mul i32 %f, %e\n  %h = add i32 %g, %f\n  %j = mul i32 %h, %g\n" \
    "  %l = xor i32 %j, %h\n  %m = mul i32 %l, %j\n  %o = add i32 %m, %l\n" \
    "  %q = mul i32 %o, %m\n  %r = xor i32 %q, %o\n"

static const char arithmetic[] = LOOP(WORK "  %s = add i32 %r, %t\n");
static const char loads[] =
    LOOP(WORK "  %v = load i32, ptr addrspace(1) %to\n  %s = add i32 %r, %v\n");
static const char guarded_loads[] =
    "define void @k(ptr addrspace(1) %p, i32 %n, i32 %size) {\n"
    "start:\n  %x = call i32 @tf_gid0()\n  %in = icmp ult i32 %x, %size\n"
    "  br i1 %in, label %entry, label %out\n"
    "entry:\n  %i = zext i32 %x to i64\n"
    "  %to = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"
    "  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
    "  %t = phi i32 [ %x, %entry ], [ %s, %loop ]\n" WORK
    "  %v = load i32, ptr addrspace(1) %to\n  %s = add i32 %r, %v\n"
    "  %next = add i32 %k, 1\n  %more = icmp ult i32 %next, %n\n"
    "  br i1 %more, label %loop, label %end\nend:\n"
    "  store i32 %s, ptr addrspace(1) %to\n  br label %out\nout:\n  ret void\n}\n";
static const char gathers[] =
    LOOP(WORK "  %w = zext i32 %r to i64\n"
              "  %y = getelementptr i32, ptr addrspace(1) %p, i64 %w\n"
              "  %s = load i32, ptr addrspace(1) %y\n");
static const char gathers_bytes[] =
    LOOP(WORK "  %w = zext i32 %r to i64\n"
              "  %y = getelementptr i8, ptr addrspace(1) %p, i64 %w\n"
              "  %z = load i8, ptr addrspace(1) %y\n"
              "  %s = zext i8 %z to i32\n");
static const char little[] = LOOP("  %s = mul i32 %t, %t\n");
static const char no_loop[] =
    "define void @k(ptr addrspace(1) %p, i32 %n) {\n"
    "entry:\n  %t = call i32 @tf_gid0()\n  %i = zext i32 %t to i64\n"
    "  %to = getelementptr i32, ptr addrspace(1) %p, i64 %i\n" WORK
    "  store i32 %r, ptr addrspace(1) %to\n  ret void\n}\n";

static bool suffice(const char *text, unsigned bits)
{
    struct ir ir;
    struct tf_choice_of of = {.facts = &ir.facts, .target = &ir.target};
    struct tf_choice choice;
    bool do_suffice;

    ir_open(&ir, text);
    ir.target = tf_target_of(NULL, bits);
    of.width = 16;
    ck_assert(ir_facts(&ir, of.width));
    ck_assert(tf_choice_init(&choice, &of));
    do_suffice = choice.masked.serves_whole;
    tf_choice_finish(&choice);
    ir_close(&ir);
    return do_suffice;
}

START_TEST(work_in_loops_needs_no_function_for_whole_gangs)
{
    ck_assert(suffice(arithmetic, 512));
    ck_assert(suffice(arithmetic, 256));
}
END_TEST

START_TEST(memory_in_loops_does)
{
    ck_assert(!suffice(loads, 512));
    ck_assert(!suffice(loads, 256));
}
END_TEST

// What whole gangs pass without a mask is no region of theirs.
START_TEST(memory_in_loops_behind_a_guard_does)
{
    ck_assert(!suffice(guarded_loads, 512));
    ck_assert(!suffice(guarded_loads, 256));
}
END_TEST

// Without an instruction each lane of a masked gather has a branch.
START_TEST(gathers_in_loops_do_where_masks_are_branches)
{
    ck_assert(suffice(gathers, 512));
    ck_assert(!suffice(gathers, 256));
    ck_assert(!suffice(gathers_bytes, 512));
    ck_assert(!suffice(gathers_bytes, 256));
}
END_TEST

START_TEST(short_work_does)
{
    ck_assert(!suffice(little, 512));
    ck_assert(!suffice(no_loop, 512));
}
END_TEST

Suite *tf_suite_suffice(void)
{
    Suite *suite = suite_create("suffice");
    TCase *c = tcase_create("masks");

    tcase_add_test(c, work_in_loops_needs_no_function_for_whole_gangs);
    tcase_add_test(c, memory_in_loops_does);
    tcase_add_test(c, memory_in_loops_behind_a_guard_does);
    tcase_add_test(c, gathers_in_loops_do_where_masks_are_branches);
    tcase_add_test(c, short_work_does);
    suite_add_tcase(suite, c);
    return suite;
}
