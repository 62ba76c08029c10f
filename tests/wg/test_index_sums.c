// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include "compiler/workgroup/prepare/prepare.h"

// A loop that counts %k, and makes an address of %at.
#define LOOP(body)                                                                 \
    "define void @k(ptr %p, i32 %x, i32 %w) {\nentry:\n  br label %head\n"         \
    "head:\n  %k = phi i32 [ 0, %entry ], [ %next, %head ]\n" body                 \
    "  %long = sext i32 %at to i64\n  %a = getelementptr i32, ptr %p, i64 %long\n" \
    "  store i32 %k, ptr %a\n  %next = add nsw i32 %k, 1\n"                        \
    "  %more = icmp slt i32 %next, %w\n  br i1 %more, label %head, label %done\n"  \
    "done:\n  ret void\n}\n"

static bool is_in_parts(const char *text)
{
    struct ir ir;
    bool is;

    ir_open(&ir, text);
    is = tf_prepare_sums_in_parts(ir.fn);
    ir_close(&ir);
    return is;
}

START_TEST(sums_with_a_part_from_outside_at_each_step_are_found)
{
    ck_assert(is_in_parts(LOOP("  %row = mul nsw i32 %w, %w\n  %s = add nsw i32 %k, %x\n"
                               "  %at = add nsw i32 %row, %s\n")));
    ck_assert(is_in_parts(LOOP("  %s = add nsw i32 %x, %k\n"
                               "  %at = add nsw i32 %s, -2\n")));
}
END_TEST

START_TEST(others_lose_nothing)
{
    // What is outside is one number already; both change; nothing says that it does not
    // wrap.
    ck_assert(!is_in_parts(LOOP("  %s = add nsw i32 %w, %x\n"
                                "  %at = add nsw i32 %s, %k\n")));
    ck_assert(!is_in_parts(LOOP("  %s = add nsw i32 %k, %k\n"
                                "  %at = add nsw i32 %s, %x\n")));
    ck_assert(!is_in_parts(LOOP("  %s = add i32 %k, %x\n  %at = add i32 %w, %s\n")));
}
END_TEST

Suite *tf_suite_index_sums(void)
{
    Suite *suite = suite_create("index_sums");
    TCase *tcase = tcase_create("loops");

    tcase_add_test(tcase, sums_with_a_part_from_outside_at_each_step_are_found);
    tcase_add_test(tcase, others_lose_nothing);
    suite_add_tcase(suite, tcase);
    return suite;
}
