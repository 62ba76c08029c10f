// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/codegen/memory/words.h"

#define L "addrspace(3)"
#define G "addrspace(1)"
#define V "<4 x i32> "
#define PTRS "<4 x ptr " L "> "
#define ALL "<4 x i1> <i1 true, i1 true, i1 true, i1 true>"
#define FIRST_TWO "<4 x i1> <i1 true, i1 true, i1 false, i1 false>"
#define ODD "<4 x i1> <i1 false, i1 true, i1 false, i1 true>"
#define HEAD                                                                             \
    "declare <4 x i32> @llvm.masked.gather.v4i32.v4p3(" PTRS ", " IR_ALIGN_TYPE          \
    "<4 x i1>, <4 x i32>)\n"                                                             \
    "declare void @llvm.masked.scatter.v4i32.v4p3(<4 x i32>, " PTRS ", " IR_ALIGN_TYPE   \
    "<4 x i1>)\n"                                                                        \
    "declare void @llvm.masked.store.v4i32.p3(<4 x i32>, ptr " L ", " IR_ALIGN_TYPE      \
    "<4 x i1>)\ndeclare void @other()\n"                                                 \
    "define <4 x i32> @k(ptr " L " %p, ptr " G " %g, ptr " L                             \
    " %q, <4 x i32> %v, <4 x i32> %w, <4 x i1> %m) {\n"                                  \
    "  %four = getelementptr i32, ptr " L " %p, i64 4\n"                                 \
    "  %far = getelementptr i32, ptr " L " %p, <4 x i64> <i64 0, i64 2, i64 4, i64 6>\n" \
    "  %few = getelementptr i32, ptr " L                                                 \
    " %p, <4 x i64> <i64 1, i64 3, i64 poison, i64 poison>\n"
#define STORES \
    "  store <4 x i32> %v, ptr " L " %p\n  store <4 x i32> %w, ptr " L " %four\n"
#define GATHER(from, mask)                                                               \
    "  %l = call <4 x i32> @llvm.masked.gather.v4i32.v4p3(" PTRS from ", " IR_ALIGN mask \
    ", <4 x i32> poison)\n"
#define END "  ret <4 x i32> %l\n}\n"

// What becomes of the function; the caller's, from LLVM.
static char *settled(const char *text)
{
    struct ir ir;
    char *out;

    ir_open(&ir, text);
    tf_words_settle(ir.fn);
    ck_assert(!LLVMVerifyFunction(ir.fn, LLVMPrintMessageAction));
    out = LLVMPrintValueToString(ir.fn);
    ir_close(&ir);
    return out;
}

static bool becomes(const char *text, const char *what)
{
    char *const out = settled(text);
    const bool is = strstr(out, what) != NULL;

    if (!is)
        fputs(out, stderr);
    LLVMDisposeMessage(out);
    return is;
}

static const char evens[] =
    "shufflevector <4 x i32> %v, <4 x i32> %w, <4 x i32> <i32 0, i32 2, i32 4, i32 6>";

START_TEST(gathers_become_shuffles_of_what_was_stored)
{
    ck_assert(becomes(HEAD STORES GATHER("%far", ALL) END, evens));
    // Lanes that are not active may lie anywhere.
    ck_assert(becomes(HEAD STORES GATHER("%few", FIRST_TWO) END,
                      "shufflevector <4 x i32> %v, <4 x i32> poison, <4 x i32> <i32 1, "
                      "i32 3, i32 poison, i32 poison>"));
    // What a scatter has stored, through the shuffle that it stores.
    ck_assert(becomes(
        HEAD STORES "  %turned = shufflevector <4 x i32> %w, <4 x i32> poison, <4 x "
                    "i32> <i32 3, i32 2, i32 1, i32 0>\n"
                    "  call void @llvm.masked.scatter.v4i32.v4p3(<4 x i32> %turned, " PTRS
                    "%far, " IR_ALIGN ALL ")\n  %l = load <4 x i32>, ptr " L " %p\n" END,
        "shufflevector <4 x i32> %w, <4 x i32> %v, <4 x i32> <i32 3, i32 "
        "5, i32 2, i32 7>"));
    // Single elements, also at an address out of a vector of them.
    ck_assert(becomes(HEAD STORES "  %at = extractelement " PTRS
                                  "%far, i64 2\n  store i32 7, ptr " L
                                  " %at\n  %l = load <4 x i32>, ptr " L " %four\n" END,
                      "shufflevector <4 x i32> %w, <4 x i32> <i32 7, i32 poison, i32 "
                      "poison, i32 poison>, <4 x i32> <i32 4, i32 1, i32 2, i32 3>"));
}
END_TEST

START_TEST(what_is_not_known_is_loaded)
{
    static const char gather[] = "@llvm.masked.gather";
    static const char *const between[] = {
        "  call void @other()\n",
        "  fence seq_cst\n",
        "  store i32 1, ptr " L " %q\n",
        "  call void @llvm.masked.store.v4i32.p3(<4 x i32> %w, ptr " L " %p, " IR_ALIGN
        "<4 x i1> %m)\n",
        "  store volatile i32 1, ptr " L " %p\n",
        "  store i64 1, ptr " L " %p\n",
    };

    for (size_t i = 0; i < sizeof(between) / sizeof(between[0]); i++) {
        char text[4096];

        snprintf(text, sizeof(text), "%s%s%s", HEAD STORES, between[i],
                 GATHER("%far", ALL) END);
        ck_assert_msg(becomes(text, gather), "%s", between[i]);
    }
    ck_assert(becomes(HEAD "  store <4 x i32> %v, ptr " L " %p\n" GATHER("%far", ALL) END,
                      gather));
    // Global memory is another one.
    ck_assert(becomes(HEAD STORES "  store i32 1, ptr " G " %g\n" GATHER("%far", ALL) END,
                      evens));
}
END_TEST

START_TEST(known_words_go_on_behind_questions)
{
#define ASK \
    "  %some = extractelement <4 x i1> %m, i32 0\n  br i1 %some, label %a, label %b\n"
    ck_assert(becomes(HEAD STORES ASK "a:\n  store i32 1, ptr " G
                                      " %g\n  br label %b\nb:\n" GATHER("%far", ALL) END,
                      evens));
    ck_assert(becomes(HEAD STORES ASK "a:\n  store i32 1, ptr " L
                                      " %p\n  br label %b\nb:\n" GATHER("%far", ALL) END,
                      "@llvm.masked.gather"));
    // Rounds may come behind what stands below.
    ck_assert(becomes(HEAD STORES "  br label %a\na:\n" GATHER(
                          "%far", ALL) "  store i32 1, ptr " L " %p\n" ASK "b:\n" END,
                      "@llvm.masked.gather"));
}
END_TEST

static unsigned stores_left(const char *text)
{
    char *const out = settled(text);
    unsigned n = 0;

    for (const char *at = out; (at = strstr(at, "store")); at++)
        n += at[5] == ' ' || at[5] == '.';
    LLVMDisposeMessage(out);
    return n;
}

START_TEST(stores_that_nobody_sees_are_gone)
{
#define LAST "  %l = add <4 x i32> %v, %w\n"
    ck_assert_uint_eq(stores_left(HEAD STORES STORES LAST END), 2);
    ck_assert_uint_eq(stores_left(HEAD STORES "  call void @other()\n" STORES LAST END),
                      4);
    ck_assert_uint_eq(
        stores_left(HEAD STORES "  %x = load i32, ptr " L " %q\n" STORES LAST END), 4);
    ck_assert_uint_eq(
        stores_left(HEAD STORES "  %x = load i32, ptr " G " %g\n" STORES LAST END), 2);
    // In part.
    ck_assert_uint_eq(
        stores_left(HEAD STORES
                    "  call void @llvm.masked.store.v4i32.p3(<4 x i32> %w, ptr " L
                    " %p, " IR_ALIGN ODD ")\n" LAST END),
        3);
    ck_assert_uint_eq(
        stores_left(HEAD "  call void @llvm.masked.store.v4i32.p3(<4 x i32> %w, ptr " L
                         " %p, " IR_ALIGN ODD ")\n" STORES LAST END),
        2);
    // A load that is made of words sees nothing any more.
    ck_assert_uint_eq(stores_left(HEAD STORES GATHER("%far", ALL) STORES END), 2);
}
END_TEST

Suite *tf_suite_words(void)
{
    Suite *suite = suite_create("words");
    TCase *tcase = tcase_create("words");

    tcase_add_test(tcase, gathers_become_shuffles_of_what_was_stored);
    tcase_add_test(tcase, what_is_not_known_is_loaded);
    tcase_add_test(tcase, known_words_go_on_behind_questions);
    tcase_add_test(tcase, stores_that_nobody_sees_are_gone);
    suite_add_tcase(suite, tcase);
    return suite;
}
