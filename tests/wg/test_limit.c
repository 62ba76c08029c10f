// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <stdio.h>

#include "compiler/workgroup/group/limit_find.h"

#define HEAD                                                   \
    "define void @k(ptr addrspace(1) %p, i32 %n, i64 %m) {\n"  \
    "  %x = call i32 @tf_gid0()\n  %y = call i32 @tf_gid1()\n" \
    "  %l = call i32 @tf_lid0()\n  %w = zext i32 %x to i64\n"  \
    "  %a = add i32 %x, 3\n"
#define WORK                                       \
    "work:\n  store i32 %x, ptr addrspace(1) %p\n" \
    "  br label %end\nend:\n  ret void\n}\n"

static unsigned find(const char *text, struct tf_limit *limits)
{
    struct ir ir;
    unsigned count;

    ir_open(&ir, text);
    ck_assert(ir_facts(&ir, 8));
    count = tf_limits_find(&ir.facts, limits);
    ir_close(&ir);
    return count;
}

struct expected {
    const char *condition;
    bool on_false; // where the work is
    unsigned count;
    struct tf_limit limit; // but for the bound
};

START_TEST(comparisons_of_ids_end_the_range)
{
    static const struct expected cases[] = {
        {"icmp slt i32 %x, %n", false, 1, {.with_sign = true}},
        {"icmp sle i32 %y, %n",
         false,
         1,
         {.dimension = 1, .with_sign = true, .inclusive = true}},
        {"icmp ugt i32 %n, %x", false, 1, {.dimension = 0}},
        {"icmp sge i32 %a, %n", true, 1, {.add = 3, .with_sign = true}},
        {"icmp ult i64 %w, %m", false, 1, {.dimension = 0}},
        {"icmp eq i32 %x, %n", false, 1, {.inclusive = true}},
        {"icmp ne i32 %n, %x", true, 1, {.inclusive = true}},
        {"icmp slt i32 %n, %x", true, 1, {.with_sign = true, .inclusive = true}},
        {"icmp ule i32 %n, %y", true, 1, {.dimension = 1}},
        // These say where work begins, or nothing.
        {"icmp slt i32 %x, %n", true, 0, {0}},
        {"icmp ne i32 %x, %n", false, 0, {0}},
        {"icmp slt i32 %l, %n", false, 0, {0}},
        {"icmp slt i32 %n, %n", false, 0, {0}},
    };

    for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
        struct tf_limit limits[TF_MOST_LIMITS];
        char text[2048];

        snprintf(text, sizeof(text), "%s  %%c = %s\n  br i1 %%c, label %%%s\n%s", HEAD,
                 cases[i].condition,
                 cases[i].on_false ? "end, label %work" : "work, label %end", WORK);
        ck_assert_uint_eq(find(text, limits), cases[i].count);
        if (!cases[i].count)
            continue;
        ck_assert_uint_eq(limits[0].dimension, cases[i].limit.dimension);
        ck_assert_int_eq(limits[0].add, cases[i].limit.add);
        ck_assert_int_eq(limits[0].with_sign, cases[i].limit.with_sign);
        ck_assert_int_eq(limits[0].inclusive, cases[i].limit.inclusive);
    }
}
END_TEST

START_TEST(all_terms_of_a_guard_count)
{
    struct tf_limit limits[TF_MOST_LIMITS];

    ck_assert_uint_eq(
        find(HEAD "  %c = icmp slt i32 %x, %n\n  %d = icmp slt i32 %y, %n\n"
                  "  %b = select i1 %c, i1 %d, i1 false\n"
                  "  br i1 %b, label %next, label %end\n"
                  "next:\n  %e = icmp sge i32 %a, %n\n  %f = icmp ugt i32 %y, 5\n"
                  "  %o = or i1 %e, %f\n  br i1 %o, label %end, label %work\n" WORK,
             limits),
        4);
    ck_assert_uint_eq(limits[1].dimension, 1);
    ck_assert_int_eq(limits[2].add, 3);
    ck_assert_uint_eq(limits[3].dimension, 1);
    // One of two is no limit.
    ck_assert_uint_eq(
        find(HEAD "  %c = icmp slt i32 %x, %n\n  %d = icmp slt i32 %y, %n\n"
                  "  %b = or i1 %c, %d\n  br i1 %b, label %work, label %end\n" WORK,
             limits),
        0);
}
END_TEST

START_TEST(what_is_done_before_or_beside_needs_all_items)
{
    struct tf_limit limits[TF_MOST_LIMITS];

    ck_assert_uint_eq(
        find(HEAD "  store i32 %x, ptr addrspace(1) %p\n  %c = icmp slt i32 %x, %n\n"
                  "  br i1 %c, label %work, label %end\n" WORK,
             limits),
        0);
    ck_assert_uint_eq(
        find(HEAD "  %c = icmp slt i32 %x, %n\n  br i1 %c, label %work, label %else\n"
                  "else:\n  store i32 0, ptr addrspace(1) %p\n  br label %end\n" WORK,
             limits),
        0);
    // Nobody knows whether the loop ends.
    ck_assert_uint_eq(
        find(HEAD "  %c = icmp slt i32 %x, %n\n  br i1 %c, label %work, label %loop\n"
                  "loop:\n  %v = load i32, ptr addrspace(1) %p\n"
                  "  %z = icmp eq i32 %v, 0\n  br i1 %z, label %end, label %loop\n" WORK,
             limits),
        0);
}
END_TEST

Suite *tf_suite_limit(void)
{
    Suite *suite = suite_create("limit");
    TCase *tcase = tcase_create("guards");

    tcase_add_test(tcase, comparisons_of_ids_end_the_range);
    tcase_add_test(tcase, all_terms_of_a_guard_count);
    tcase_add_test(tcase, what_is_done_before_or_beside_needs_all_items);
    suite_add_tcase(suite, tcase);
    return suite;
}
