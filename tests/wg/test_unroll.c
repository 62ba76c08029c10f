// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <string.h>

#include "compiler/workgroup/pipeline.h"

#define ITEM "define void @k(ptr %l, ptr %w, ptr %g, i64 %x, i64 %y, i64 %z) {\n"
// Starts at %first, which is uniform where `first` makes it so, and has %end rounds.
#define LOOP(first, end, mark)                                                  \
    ITEM "entry:\n  %at = getelementptr i64, ptr %g, i64 %x\n" first end        \
         "  br label %head\n"                                                   \
         "head:\n  %i = phi i64 [ %first, %entry ], [ %next, %head ]\n"         \
         "  %next = add i64 %i, 1\n  store volatile i64 %i, ptr %g\n"           \
         "  %more = icmp ult i64 %next, %end\n"                                 \
         "  br i1 %more, label %head, label %done" mark "\ndone:\n  ret void\n" \
         "}\n"

static const char each_its_own[] =
    LOOP("  %first = load i64, ptr %at\n", "  %end = load i64, ptr %w\n", "");
static const char same_for_all[] =
    LOOP("  %first = load i64, ptr %l\n", "  %end = load i64, ptr %w\n", "");
static const char as_far_as_the_id[] =
    LOOP("  %first = add i64 0, 0\n", "  %end = add i64 %y, 1\n", "");
static const char through_a_variable[] =
    LOOP("  %v = alloca i64\n  store i64 %x, ptr %v\n  %first = load i64, ptr %v\n",
         "  %end = load i64, ptr %w\n", "");
static const char asked_for[] =
    LOOP("  %first = load i64, ptr %at\n", "  %end = load i64, ptr %w\n",
         ", !llvm.loop !1") "!1 = distinct !{!1, !2}\n"
                            "!2 = !{!\"llvm.loop.unroll.count\", i32 4}\n";
static const char makes_progress[] =
    LOOP("  %first = load i64, ptr %at\n", "  %end = load i64, ptr %w\n",
         ", !llvm.loop !1") "!1 = distinct !{!1, !2}\n"
                            "!2 = !{!\"llvm.loop.mustprogress\"}\n";

static bool has_text(const char *where, const char *what)
{
    return strstr(where, what) != NULL;
}

// What the module looks like afterwards. The caller disposes of it.
static char *after(const char *text, enum tf_wg_form form)
{
    struct ir ir;
    struct tf_item item = {.form = form};
    const struct tf_lanes lanes = {0};
    struct tf_wg wg = {.item = &item, .lanes = &lanes};
    char *out;

    ir_open(&ir, text);
    wg.context = ir.context;
    wg.module = ir.module;
    item.function = ir.fn;
    ck_assert(tf_wg_unroll(&wg));
    out = LLVMPrintModuleToString(ir.module);
    ir_close(&ir);
    return out;
}

static bool is_marked(const char *text, enum tf_wg_form form)
{
    char *out = after(text, form);
    const bool marked = has_text(out, "llvm.loop.unroll.runtime.disable") &&
                        has_text(out, ", !llvm.loop !");

    LLVMDisposeMessage(out);
    return marked;
}

START_TEST(loops_that_differ_in_length_are_marked)
{
    ck_assert(is_marked(each_its_own, TF_WG_LOOPS));
    ck_assert(is_marked(as_far_as_the_id, TF_WG_LOOPS));
    ck_assert(is_marked(through_a_variable, TF_WG_LOOPS));
    ck_assert(!is_marked(each_its_own, TF_WG_FIBERS));
}
END_TEST

START_TEST(loops_of_one_length_are_not_marked)
{
    ck_assert(!is_marked(same_for_all, TF_WG_LOOPS));
}
END_TEST

START_TEST(what_the_program_says_counts)
{
    char *out = after(makes_progress, TF_WG_LOOPS);

    ck_assert(!is_marked(asked_for, TF_WG_LOOPS));
    ck_assert(has_text(out, "llvm.loop.unroll.runtime.disable"));
    ck_assert(has_text(out, "llvm.loop.mustprogress"));
    LLVMDisposeMessage(out);
}
END_TEST

Suite *tf_suite_unroll(void)
{
    Suite *suite = suite_create("unroll");
    TCase *tcase = tcase_create("loops");

    tcase_add_test(tcase, loops_that_differ_in_length_are_marked);
    tcase_add_test(tcase, loops_of_one_length_are_not_marked);
    tcase_add_test(tcase, what_the_program_says_counts);
    suite_add_tcase(suite, tcase);
    return suite;
}
