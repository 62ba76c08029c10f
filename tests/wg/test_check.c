// SPDX-License-Identifier: MIT
// The rules of masks (workgroup/check): functions that break one each are reported.
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

#include "base/str.h"
#include "compiler/workgroup/check/check_gang.h"

enum { WIDTH = 8 };

// A branch that lanes take differently, and a part with the lanes that take it.
#define K                                                                              \
    "define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, i64 %l2) " \
    "{\nentry:\n  %slot = alloca i32\n"
#define START                                                                         \
    "  br label %block\nblock:\n  %p = load ptr addrspace(1), ptr %launch\n"          \
    "  %v = load <8 x i32>, ptr addrspace(1) %p\n  %n = load i32, ptr %launch\n"      \
    "  %f = load <8 x float>, ptr %worker\n"                                          \
    "  %c = icmp slt <8 x i32> %v, zeroinitializer\n  store <8 x i1> %c, ptr %mask\n" \
    "  br label %block1\nblock1:\n  %lanes = load <8 x i1>, ptr %mask\n"
#define CLEAR "  store <8 x i1> zeroinitializer, ptr %mask\n"
#define SAVE "  store <8 x i1> %lanes, ptr %mask1\n"
#define GUARD                                                             \
    "  %any = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %lanes)\n"     \
    "  br i1 %any, label %body, label %skip\nskip:\n  br label %block2\n" \
    "body:\n"
#define END "  br label %block2\nblock2:\n  ret void\n}\n"
#define DECLARED                                                                       \
    "declare i1 @llvm.vector.reduce.or.v8i1(<8 x i1>)\ndeclare void @act(i32)\n"       \
    "declare void @llvm.masked.store.v8i32.p1(<8 x i32>, ptr addrspace(1), i32, <8 x " \
    "i1>)\n"
#define SLOTS                                                 \
    "  %mask = alloca <8 x i1>\n  %mask1 = alloca <8 x i1>\n" \
    "  store <8 x i1> zeroinitializer, ptr %mask\n"           \
    "  store <8 x i1> zeroinitializer, ptr %mask1\n"
#define IN_BODY(text) K SLOTS START CLEAR SAVE GUARD text END DECLARED
#define UNGUARDED(text) K SLOTS START CLEAR SAVE text END DECLARED

// Of rule `rule`, or none if that is NULL.
static void expect(const char *text, const char *rule)
{
    struct tf_str faults = {0};
    struct ir ir;
    bool ok;

    ir_open(&ir, text);
    ok = tf_check_gang(ir.fn, WIDTH, &faults);
    if (!rule)
        ck_assert_msg(ok, "%s", faults.text);
    else
        ck_assert_msg(!ok && !strncmp(faults.text, rule, strlen(rule)), "%s in\n%s",
                      ok ? "no fault" : faults.text, text);
    tf_str_finish(&faults);
    ir_close(&ir);
}

START_TEST(what_keeps_the_rules_is_not_reported)
{
    expect(
        IN_BODY("  %a = select <8 x i1> %lanes, <8 x i1> %c, <8 x i1> zeroinitializer\n"
                "  store <8 x i1> %a, ptr %mask1\n"
                "  %w = add nsw <8 x i32> %v, %v\n  %m = add i32 %n, 1\n"
                "  store i32 %m, ptr addrspace(1) %p\n  call void @act(i32 %m)\n"),
        NULL);
    expect(UNGUARDED("  %w = add nsw <8 x i32> %v, %v\n  %m = add i32 %n, 1\n"
                     "  store i32 %m, ptr %slot\n"),
           NULL);
}
END_TEST

START_TEST(masks_may_not_be_poison)
{
    expect(IN_BODY("  %a = and <8 x i1> %lanes, %c\n  store <8 x i1> %a, ptr %mask1\n"),
           "M1");
    expect(IN_BODY("  %a = or <8 x i1> %lanes, %c\n  store <8 x i1> %a, ptr %mask1\n"),
           "M1");
    expect(IN_BODY("  %a = select <8 x i1> %c, <8 x i1> %lanes, <8 x i1> "
                   "zeroinitializer\n  store <8 x i1> %a, ptr %mask1\n"),
           "M1");
    expect(IN_BODY("  %a = and <8 x i1> %lanes, %c\n  call void "
                   "@llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr addrspace(1) %p, i32 "
                   "4, <8 x i1> %a)\n"),
           "M1");
    expect(IN_BODY("  %z = freeze <8 x i1> %c\n  %a = and <8 x i1> %lanes, %z\n"
                   "  store <8 x i1> %a, ptr %mask1\n"),
           NULL);
}
END_TEST

START_TEST(slots_of_masks_are_cleared)
{
    expect(K SLOTS START SAVE GUARD END DECLARED, "M2");
    expect(K "  %mask = alloca <8 x i1>\n  %mask1 = alloca <8 x i1>\n" START CLEAR SAVE
               GUARD END DECLARED,
           "M2");
}
END_TEST

START_TEST(lanes_for_another_part_are_not_a_parts_own)
{
    expect(K SLOTS START CLEAR SAVE GUARD
           "  br label %block2\n"
           "block2:\n"
           "  %others = load <8 x i1>, ptr %mask\n"
           "  %all = or <8 x i1> %others, splat (i1 true)\n"
           "  store <8 x i1> %all, ptr %mask\n"
           "  ret void\n}\n" DECLARED,
           NULL);
}
END_TEST

START_TEST(single_accesses_need_an_active_lane)
{
    expect(UNGUARDED("  store i32 %n, ptr addrspace(1) %p\n"), "M3");
    expect(UNGUARDED("  %x = load i32, ptr addrspace(1) %p\n"), "M3");
    expect(UNGUARDED("  call void @act(i32 %n)\n"), "M3");
    expect(UNGUARDED("  %x = atomicrmw add ptr addrspace(1) %p, i32 %n monotonic\n"),
           "M3");
}
END_TEST

// The address of a variable of all lanes, from another block; and one of the program's.
START_TEST(kept_addresses_of_variables_need_an_active_lane)
{
    static const char own[] =
        K SLOTS "  %q = alloca <8 x i32>\n  %at = alloca ptr\n" START
                "  store ptr %q, ptr %at\n" CLEAR SAVE;
    static const char other[] =
        K SLOTS "  %at = alloca ptr addrspace(1)\n" START
                "  store ptr addrspace(1) %p, ptr %at\n" CLEAR SAVE;
    static const char use_own[] = "  %k = load ptr, ptr %at\n"
                                  "  %x = load <8 x i32>, ptr %k\n"
                                  "  store <8 x i32> %x, ptr %k\n";
    static const char use_other[] = "  %k = load ptr addrspace(1), ptr %at\n"
                                    "  %x = load <8 x i32>, ptr addrspace(1) %k\n";
    char text[4096];

    snprintf(text, sizeof(text), "%s%s%s%s", own, GUARD, use_own, END DECLARED);
    expect(text, NULL);
    snprintf(text, sizeof(text), "%s%s%s", own, use_own, END DECLARED);
    expect(text, "M5");
    snprintf(text, sizeof(text), "%s%s%s%s", other, GUARD, use_other, END DECLARED);
    expect(text, "M5");
}
END_TEST

START_TEST(a_test_that_goes_the_wrong_way_is_no_guard)
{
    expect(UNGUARDED("  %any = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %lanes)\n"
                     "  br i1 %any, label %skip, label %body\nskip:\n"
                     "  br label %block2\nbody:\n  store i32 %n, ptr addrspace(1) %p\n"),
           "M3");
}
END_TEST

START_TEST(behind_a_guard_lanes_are_active_until_ways_meet)
{
    expect(UNGUARDED("  %any = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %lanes)\n"
                     "  br i1 %any, label %body, label %join\nbody:\n"
                     "  store i32 %n, ptr addrspace(1) %p\n  br label %join\njoin:\n"),
           NULL);
    expect(UNGUARDED("  %any = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %lanes)\n"
                     "  br i1 %any, label %body, label %join\nbody:\n  br label %join\n"
                     "join:\n  store i32 %n, ptr addrspace(1) %p\n"),
           "M3");
}
END_TEST

START_TEST(lane_loops_run_for_active_lanes)
{
    expect(UNGUARDED("  %one = extractelement <8 x i1> %lanes, i32 3\n"
                     "  br i1 %one, label %active, label %next\nactive:\n"
                     "  %m = add nsw i32 %n, 1\n  store i32 %m, ptr addrspace(1) %p\n"
                     "  br label %next\nnext:\n"),
           NULL);
}
END_TEST

START_TEST(scalars_have_no_flags)
{
    static const char *const wrong[] = {
        "  %x = add nsw i32 %n, 1\n",
        "  %x = mul nuw i32 %n, 3\n",
        "  %x = lshr exact i32 %n, 3\n",
        "  %x = or disjoint i32 %n, 3\n",
        "  %x = zext nneg i32 %n to i64\n",
        "  %x = getelementptr inbounds i32, ptr addrspace(1) %p, i32 %n\n",
    };
    char text[4096];

    for (size_t i = 0; i < sizeof(wrong) / sizeof(wrong[0]); i++) {
        snprintf(text, sizeof(text), "%s%s%s", K SLOTS START CLEAR SAVE GUARD, wrong[i],
                 END DECLARED);
        expect(text, "M4");
    }
    expect(IN_BODY("  %x = getelementptr inbounds i8, ptr %group, i64 48\n"), NULL);
}
END_TEST

START_TEST(lanes_reach_memory_under_masks)
{
    expect(IN_BODY("  store <8 x i32> %v, ptr addrspace(1) %p\n"), "M5");
    expect(IN_BODY("  %x = load <16 x i8>, ptr addrspace(1) %p\n"), "M5");
    // One vector of the program for all lanes.
    expect(IN_BODY("  %x = load <8 x i32>, ptr addrspace(1) %p, !tf.one !0\n"), NULL);
    expect(IN_BODY("  call void @llvm.masked.store.v8i32.p1(<8 x i32> %v, ptr "
                   "addrspace(1) %p, i32 4, <8 x i1> %lanes)\n"),
           NULL);
}
END_TEST

// A place in private memory that another block computed.
START_TEST(kept_places_are_own_where_lanes_are_active)
{
#define KEPT(value, chosen)                                            \
    UNGUARDED("  %units = alloca [64 x i32]\n  %kept = alloca ptr\n"   \
              "  store ptr " value ", ptr %kept\n"                     \
              "  %any = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> " \
              "%lanes)\n  %at = load ptr, ptr %kept\n"                 \
              "  %behind = getelementptr i8, ptr %at, i64 64\n"        \
              "  %own = select i1 %any, ptr %at, ptr %units\n"         \
              "  %other = select i1 %any, ptr %behind, ptr %units\n"   \
              "  %x = load <8 x i32>, ptr " chosen ", align 4\n")
    expect(KEPT("%units", "%own"), NULL);
    expect(KEPT("%units", "%other"), NULL);
    expect(KEPT("%units", "%at"), "M5");
    expect(UNGUARDED("  %units = alloca [64 x i32]\n  %kept = alloca ptr\n"
                     "  %far = load ptr, ptr %worker\n  store ptr %far, ptr %kept\n"
                     "  %any = call i1 @llvm.vector.reduce.or.v8i1(<8 x i1> %lanes)\n"
                     "  %at = load ptr, ptr %kept\n"
                     "  %own = select i1 %any, ptr %at, ptr %units\n"
                     "  %x = load <8 x i32>, ptr %own, align 4\n"),
           "M5");
#undef KEPT
}
END_TEST

#define UMAX "declare <8 x i32> @llvm.umax.v8i32(<8 x i32>, <8 x i32>)\n"

START_TEST(lanes_that_are_not_active_do_not_trap)
{
    expect(IN_BODY("  %x = sdiv <8 x i32> %v, %v\n"), "M5");
    expect(IN_BODY("  %d = select <8 x i1> %lanes, <8 x i32> %v, <8 x i32> splat (i32 "
                   "1)\n  %x = sdiv <8 x i32> %v, %d\n"),
           NULL);
    expect(UNGUARDED("  %x = udiv i32 7, %n\n"), "M5");
    expect(IN_BODY("  %x = udiv i32 7, %n\n"), NULL);
    // What LLVM makes of select (d == 0), 1, d.
    expect(IN_BODY("  %d = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %v, <8 x i32> splat "
                   "(i32 1))\n  %x = srem <8 x i32> splat (i32 32), %d\n") UMAX,
           NULL);
    expect(IN_BODY("  %d = call <8 x i32> @llvm.umax.v8i32(<8 x i32> %v, <8 x i32> "
                   "zeroinitializer)\n  %x = srem <8 x i32> splat (i32 32), %d\n") UMAX,
           "M5");
    expect(UNGUARDED("  %d = or i32 %n, 1\n  %x = urem i32 %n, %d\n"), NULL);
    expect(UNGUARDED("  %d = or i32 %n, 0\n  %x = urem i32 %n, %d\n"), "M5");
    expect(UNGUARDED("  %d = or i32 %n, 256\n  %e = trunc i32 %d to i8\n"
                     "  %x = urem i8 7, %e\n"),
           "M5");
#define OR(element) "  %d = or <8 x i32> %v, splat (i32 " element ")\n"
    expect(IN_BODY(OR("1") "  %x = srem <8 x i32> splat (i32 32), %d\n"), NULL);
    expect(IN_BODY(OR("1") "  %x = urem <8 x i32> %v, %d\n"), NULL);
    // The least number by -1.
    expect(IN_BODY(OR("1") "  %x = sdiv <8 x i32> %v, %d\n"), "M5");
    expect(IN_BODY(OR("1") "  %x = sdiv <8 x i32> splat (i32 -2147483648), %d\n"), "M5");
#define HALF(by) "  %h = ashr <8 x i32> %v, splat (i32 " by ")\n"
    expect(IN_BODY(OR("1") HALF("1") "  %x = sdiv <8 x i32> %h, %d\n"), NULL);
    expect(IN_BODY(OR("1") HALF("0") "  %x = sdiv <8 x i32> %h, %d\n"), "M5");
#undef HALF
#undef OR
}
END_TEST

START_TEST(functions_of_few_lanes_are_masked_everywhere)
{
    static const char head[] =
        "define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, i64 %l2, "
        "i64 %n) {\nentry:\n  br label %block\nblock:\n"
        "  %p = load ptr addrspace(1), ptr %launch\n  %i = trunc i64 %n to i32\n"
        "  %one = insertelement <8 x i32> poison, i32 %i, i32 0\n"
        "  %all = shufflevector <8 x i32> %one, <8 x i32> poison, <8 x i32> "
        "zeroinitializer\n"
        "  %lanes = icmp ult <8 x i32> <i32 0, i32 1, i32 2, i32 3, i32 4, i32 5, i32 6, "
        "i32 7>, %all\n  %v = load <8 x i32>, ptr %worker\n";
    char text[4096];

    snprintf(text, sizeof(text), "%s  ret void\n}\n", head);
    expect(text, NULL);
    snprintf(text, sizeof(text),
             "%s  store <8 x i32> %%v, ptr addrspace(1) %%p\n  ret void\n}\n", head);
    expect(text, "M5");
    snprintf(text, sizeof(text),
             "%s  call void @llvm.masked.store.v8i32.p1(<8 x i32> %%v, ptr addrspace(1) "
             "%%p, i32 4, <8 x i1> %%lanes)\n  ret void\n}\n" DECLARED,
             head);
    expect(text, NULL);
    // Where all lanes are there, none needs a mask.
    for (int lanes = 7; lanes <= 8; lanes++) {
        snprintf(text, sizeof(text),
                 "%s  %%w = icmp eq i32 %%i, %d\n  br i1 %%w, label %%near, label %%far\n"
                 "near:\n  store <8 x i32> %%v, ptr addrspace(1) %%p\n  br label %%far\n"
                 "far:\n  ret void\n}\n",
                 head, lanes);
        expect(text, lanes == 8 ? NULL : "M5");
    }
    // Lane 0 is active there.
    snprintf(text, sizeof(text),
             "%s  %%m = add nsw i32 %%i, 1\n  store i32 %%m, ptr addrspace(1) %%p\n"
             "  ret void\n}\n",
             head);
    expect(text, NULL);
}
END_TEST

#define SCOPES                                                       \
    "declare void @llvm.experimental.noalias.scope.decl(metadata)\n" \
    "!1 = distinct !{!1}\n!2 = distinct !{!2, !1}\n!3 = !{!2}\n"

START_TEST(scopes_are_opened)
{
    static const char decl[] =
        "  call void @llvm.experimental.noalias.scope.decl(metadata !3)\n";
    static const char inside[] = "  store i32 %n, ptr addrspace(1) %p, !alias.scope !3\n";
    static const char apart[] = "  %x = load i32, ptr addrspace(1) %p, !noalias !3\n";
    char text[4096];

    for (int kinds = 0; kinds < 8; kinds++) {
        snprintf(text, sizeof(text), "%s%s%s%s%s", K SLOTS START CLEAR SAVE GUARD,
                 kinds & 1 ? decl : "", kinds & 2 ? inside : "", kinds & 4 ? apart : "",
                 END DECLARED SCOPES);
        expect(text, kinds == 6 ? "S" : NULL);
    }
}
END_TEST

START_TEST(scopes_with_names_hold_everywhere)
{
    static const char accesses[] =
        "  store i32 %n, ptr addrspace(1) %p, !alias.scope !2\n"
        "  %x = load i32, ptr addrspace(1) %p, !noalias !2\n";
    char text[4096];

    snprintf(text, sizeof(text), "%s%s%s!1 = !{!\"domain\"}\n!2 = !{!3}\n%s",
             K SLOTS START CLEAR SAVE GUARD, accesses, END DECLARED,
             "!3 = !{!\"scope\", !1}\n");
    expect(text, NULL);
}
END_TEST

static bool has_plain_loops(const char *behind)
{
    struct tf_str faults = {0};
    char text[1000];
    struct ir ir;
    bool ok;

    snprintf(text, sizeof(text),
             "define i32 @k(i32 %%n) {\nentry:\n  br label %%loop\nloop:\n"
             "  %%i = phi i32 [ 0, %%entry ], [ %%next, %%loop ]\n"
             "  %%next = add i32 %%i, 1\n  %%go = icmp ult i32 %%next, %%n\n"
             "  br i1 %%go, label %%loop, label %%end\nend:\n%s}\n",
             behind);
    ir_open(&ir, text);
    ok = tf_check_loops(ir.fn, &faults);
    ck_assert(ok == !faults.text);
    tf_str_finish(&faults);
    ir_close(&ir);
    return ok;
}

START_TEST(what_is_loaded_was_stored)
{
    expect(IN_BODY("  %kept = load i32, ptr %slot\n  call void @act(i32 %kept)\n"), "V");
    expect(IN_BODY("  store i32 7, ptr %slot\n  %kept = load i32, ptr %slot\n"
                   "  call void @act(i32 %kept)\n"),
           NULL);
}
END_TEST

START_TEST(loops_are_left_through_phis)
{
    ck_assert(has_plain_loops("  %last = phi i32 [ %next, %loop ]\n  ret i32 %last\n"));
    ck_assert(!has_plain_loops("  ret i32 %next\n"));
    ck_assert(!has_plain_loops("  %last = phi i32 [ %next, %loop ]\n"
                               "  %sum = add i32 %last, %i\n  ret i32 %sum\n"));
}
END_TEST

Suite *tf_suite_check(void)
{
    Suite *suite = suite_create("check");
    TCase *c = tcase_create("rules");

    tcase_add_test(c, what_keeps_the_rules_is_not_reported);
    tcase_add_test(c, masks_may_not_be_poison);
    tcase_add_test(c, slots_of_masks_are_cleared);
    tcase_add_test(c, lanes_for_another_part_are_not_a_parts_own);
    tcase_add_test(c, single_accesses_need_an_active_lane);
    tcase_add_test(c, kept_addresses_of_variables_need_an_active_lane);
    tcase_add_test(c, a_test_that_goes_the_wrong_way_is_no_guard);
    tcase_add_test(c, behind_a_guard_lanes_are_active_until_ways_meet);
    tcase_add_test(c, lane_loops_run_for_active_lanes);
    tcase_add_test(c, scalars_have_no_flags);
    tcase_add_test(c, lanes_reach_memory_under_masks);
    tcase_add_test(c, kept_places_are_own_where_lanes_are_active);
    tcase_add_test(c, lanes_that_are_not_active_do_not_trap);
    tcase_add_test(c, functions_of_few_lanes_are_masked_everywhere);
    tcase_add_test(c, scopes_are_opened);
    tcase_add_test(c, scopes_with_names_hold_everywhere);
    tcase_add_test(c, what_is_loaded_was_stored);
    tcase_add_test(c, loops_are_left_through_phis);
    suite_add_tcase(suite, c);
    return suite;
}
