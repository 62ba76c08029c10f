// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <string.h>

#include "compiler/codegen/memory/forward.h"

#define MASKED_STORE "call void @llvm.masked.store.v4i32.p0(<4 x i32> "
#define FIRST_TWO "<4 x i1> <i1 true, i1 true, i1 false, i1 false>"
#define LAST_TWO "<4 x i1> <i1 false, i1 false, i1 true, i1 true>"
#define LOAD_BEHIND                                                                   \
    "  %from = getelementptr i8, ptr %p, i64 8\n"                                     \
    "  %l = call <4 x i32> @llvm.masked.load.v4i32.p0(ptr %from, " IR_ALIGN FIRST_TWO \
    ", <4 x i32> zeroinitializer)\n"
#define KERNEL(body, result)                                                  \
    "declare <4 x i32> @llvm.masked.load.v4i32.p0(ptr, " IR_ALIGN_TYPE        \
    "<4 x i1>, <4 x i32>)\n"                                                  \
    "declare void @llvm.masked.store.v4i32.p0(<4 x i32>, ptr, " IR_ALIGN_TYPE \
    "<4 x i1>)\n"                                                             \
    "declare void @other()\n"                                                 \
    "define " result                                                          \
    " @k(ptr %p, ptr %q, <4 x i32> %v, <4 x i32> %w, <4 x i1> %m) {\n" body   \
    "  ret " result " %l\n}\n"
#define LANES(body) KERNEL(body LOAD_BEHIND, "<4 x i32>")

// Whether the load is there no more, but `as`.
static bool is_forwarded(const char *text, const char *as)
{
    struct ir ir;
    bool gone;
    char *out;

    ir_open(&ir, text);
    tf_forward_settle(ir.module);
    out = LLVMPrintModuleToString(ir.module);
    gone = !strstr(out, "%l = ");
    ck_assert_msg(!gone || strstr(out, as), "%s", out);
    LLVMDisposeMessage(out);
    ir_close(&ir);
    return gone;
}

static const char shuffle_of_both[] =
    "shufflevector <4 x i32> %v, <4 x i32> zeroinitializer, <4 x i32> <i32 2, i32 3, i32 "
    "6, i32 7>";

START_TEST(lanes_further_are_shuffled)
{
    ck_assert(is_forwarded(LANES("  store <4 x i32> %v, ptr %p\n"), shuffle_of_both));
    // Lanes that were not stored are others'.
    ck_assert(!is_forwarded(
        LANES("  " MASKED_STORE "%v, ptr %p, " IR_ALIGN FIRST_TWO ")\n"), ""));
    ck_assert(
        is_forwarded(LANES("  " MASKED_STORE "%v, ptr %p, " IR_ALIGN LAST_TWO ")\n"),
                     shuffle_of_both));
    // A later store of other lanes changes nothing, one of the same lanes is the one.
    ck_assert(is_forwarded(LANES("  store <4 x i32> %v, ptr %p\n  " MASKED_STORE
                                 "%w, ptr %p, " IR_ALIGN FIRST_TWO ")\n"),
                           shuffle_of_both));
    ck_assert(is_forwarded(LANES("  store <4 x i32> %w, ptr %p\n  " MASKED_STORE
                                 "%v, ptr %p, " IR_ALIGN LAST_TWO ")\n"),
                           shuffle_of_both));
}
END_TEST

START_TEST(single_elements_are_extracted)
{
    ck_assert(is_forwarded(KERNEL("  store <4 x i32> %v, ptr %p\n"
                                  "  %from = getelementptr i32, ptr %p, i64 3\n"
                                  "  %l = load i32, ptr %from\n",
                                  "i32"),
                           "extractelement <4 x i32> %v, i32 3"));
    // Parts of elements, other types, what lies behind.
    ck_assert(!is_forwarded(KERNEL("  store <4 x i32> %v, ptr %p\n"
                                   "  %from = getelementptr i8, ptr %p, i64 2\n"
                                   "  %l = load i32, ptr %from\n",
                                   "i32"),
                            ""));
    ck_assert(!is_forwarded(KERNEL("  store <4 x i32> %v, ptr %p\n"
                                   "  %l = load float, ptr %p\n",
                                   "float"),
                            ""));
    ck_assert(!is_forwarded(KERNEL("  store <4 x i32> %v, ptr %p\n"
                                   "  %from = getelementptr i32, ptr %p, i64 4\n"
                                   "  %l = load i32, ptr %from\n",
                                   "i32"),
                            ""));
    ck_assert(!is_forwarded(KERNEL("  store <4 x i32> %v, ptr %p\n"
                                   "  %l = load volatile i32, ptr %p\n",
                                   "i32"),
                            ""));
}
END_TEST

START_TEST(what_may_have_changed_is_loaded)
{
    static const char *const between[] = {
        LANES("  store <4 x i32> %v, ptr %p\n  store i32 1, ptr %q\n"),
        LANES("  store <4 x i32> %v, ptr %p\n  call void @other()\n"),
        LANES("  store <4 x i32> %v, ptr %p\n  fence seq_cst\n"),
        LANES("  store <4 x i32> %v, ptr %p\n  %a = atomicrmw add ptr %q, i32 1 "
              "monotonic\n"),
        LANES("  store <4 x i32> %v, ptr %p\n  store atomic i32 1, ptr %q release, align "
              "4\n"),
        LANES("  store <4 x i32> %v, ptr %p\n  " MASKED_STORE "%w, ptr %p, " IR_ALIGN
              "<4 x i1> %m)\n"),
        LANES("  store <4 x i32> %v, ptr %p\n  store i16 1, ptr %p\n"
              "  %t = getelementptr i8, ptr %p, i64 10\n  store i8 1, ptr %t\n"),
        LANES("  store volatile <4 x i32> %v, ptr %p\n"),
        LANES("  store <4 x i32> %v, ptr %p\n  br label %next\nnext:\n"),
    };

    for (size_t i = 0; i < sizeof(between) / sizeof(between[0]); i++)
        ck_assert_msg(!is_forwarded(between[i], ""), "%s", between[i]);
    // Reading changes nothing.
    ck_assert(is_forwarded(
        LANES("  store <4 x i32> %v, ptr %p\n  %a = load <4 x i32>, ptr %q\n"),
        shuffle_of_both));
}
END_TEST

Suite *tf_suite_forward(void)
{
    Suite *suite = suite_create("forward");
    TCase *tcase = tcase_create("loads");

    tcase_add_test(tcase, lanes_further_are_shuffled);
    tcase_add_test(tcase, single_elements_are_extracted);
    tcase_add_test(tcase, what_may_have_changed_is_loaded);
    suite_add_tcase(suite, tcase);
    return suite;
}
