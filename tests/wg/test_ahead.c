// SPDX-License-Identifier: MIT
// What the next round of a loop round barriers loads into local memory is fetched.
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/workgroup/prepare/rounds/ahead.h"

#define HEAD                                                                           \
    "define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, i64 "      \
    "%l2) {\nentry:\n  %in = load ptr addrspace(1), ptr %launch\n"                     \
    "  %t = load ptr addrspace(3), ptr %worker\n  %x = call i32 @tf_lid0()\n"          \
    "  %n = trunc i64 %l2 to i32\n  %wide = zext i32 %x to i64\n"                      \
    "  %own = getelementptr float, ptr addrspace(3) %t, i64 %wide\n  br label %loop\n" \
    "loop:\n  %k = phi i32 [ 0, %entry ], [ %next, %last ]\n"
#define AT                                                        \
    "  %i = zext i32 %sum to i64\n"                               \
    "  %at = getelementptr float, ptr addrspace(1) %in, i64 %i\n" \
    "  %a = load float, ptr addrspace(1) %at\n"
#define FILL "  store float %a, ptr addrspace(3) %own\n"
#define GO "  br label %last\nlast:\n"
#define BARRIER "  call void @__tf_barrier()\n"
#define STEP(step)                                                        \
    "  %next = add i32 %k, " step "\n  %again = icmp ult i32 %next, %n\n" \
    "  br i1 %again, label %loop, label %end\nend:\n  ret void\n}\n"
#define ROW "  %sum = add i32 %k, %x\n"

// How many fetches there are; `then`: what stands before each.
static unsigned fetches(const char *text, const char *then)
{
    struct ir ir;
    struct tf_wg wg;
    unsigned found;
    bool any;

    ir_open(&ir, text);
    wg = ir_wg(&ir, 8);
    tf_wg_init(&wg);
    any = tf_prepare_ahead(&wg, ir.fn);
    ck_assert(!LLVMVerifyFunction(ir.fn, LLVMPrintMessageAction));
    found = ir_count(&ir, "call void @llvm.prefetch");
    ck_assert(any || found == 0);
    ck_assert_msg(!then || ir_count(&ir, then) > 0, "no %s", then);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
    return found;
}

START_TEST(the_next_tile_is_fetched)
{
    ck_assert_uint_eq(fetches(HEAD ROW AT FILL GO BARRIER STEP("16"), "add i32 %k, 16"),
                      1);
    // By what only the run knows, and along columns.
    ck_assert_uint_eq(fetches(HEAD ROW AT FILL GO BARRIER STEP("%n"), "add i32 %k, %n"),
                      1);
    ck_assert_uint_eq(fetches(HEAD
                              "  %row = add i32 %k, %x\n  %down = mul i32 %row, %n\n"
                              "  %sum = add i32 %down, 7\n" AT FILL GO BARRIER STEP("16"),
                              NULL),
                      1);
}
END_TEST

START_TEST(a_tile_that_is_filled_in_a_loop_is_fetched_in_it)
{
    ck_assert_uint_eq(
        fetches(HEAD "  br label %some\nsome:\n"
                     "  %j = phi i32 [ 0, %loop ], [ %more, %some ]\n"
                     "  %y = add i32 %j, %x\n  %sum = add i32 %y, %k\n" AT FILL
                     "  %more = add i32 %j, 8\n  %on = icmp ult i32 %more, 64\n"
                     "  br i1 %on, label %some, label %last\nlast:\n" BARRIER STEP("16"),
                NULL),
        1);
}
END_TEST

#define INDEX                                                   \
    "  %i = zext i32 %sum to i64\n"                             \
    "  %at = getelementptr i32, ptr addrspace(1) %in, i64 %i\n" \
    "  %a = load i32, ptr addrspace(1) %at\n"                   \
    "  %b = zext i32 %a to i64\n"                               \
    "  %there = getelementptr float, ptr addrspace(1) %in, i64 %b\n"
#define BY_INDEX "  %c = load float, ptr addrspace(1) %there\n"

// Nobody is there to wait for.
START_TEST(indices_a_row_apart_are_fetched)
{
    ck_assert_uint_eq(fetches(HEAD ROW INDEX BY_INDEX GO STEP("256"), "add i32 %k, 256"),
                      1);
    ck_assert_uint_eq(fetches(HEAD
                              "  %down = mul i32 %k, %n\n"
                              "  %sum = add i32 %down, %x\n" INDEX BY_INDEX GO STEP("1"),
                              NULL),
                      1);
    // Side by side, or of no load.
    ck_assert_uint_eq(fetches(HEAD ROW INDEX BY_INDEX GO STEP("1"), NULL), 0);
    ck_assert_uint_eq(
        fetches(HEAD ROW INDEX
                "  store float 0.0, ptr addrspace(1) %there\n" GO STEP("256"),
                NULL),
        0);
}
END_TEST

START_TEST(nothing_else_is_fetched)
{
    static const char *const texts[] = {
        // without barriers, the next round comes at once but for what waits for indices
        HEAD ROW AT FILL GO STEP("16"),
        // the same in each round, or in the same line
        HEAD "  %sum = add i32 %x, 1\n" AT FILL GO BARRIER STEP("16"),
        HEAD ROW AT FILL GO BARRIER STEP("1"),
        // what only memory tells
        HEAD
        "  %p = getelementptr i32, ptr addrspace(1) %in, i32 %k\n"
        "  %from = load i32, ptr addrspace(1) %p\n  %sum = add i32 %from, %x\n" AT FILL GO
            BARRIER STEP("16"),
        // used where it is loaded
        HEAD ROW AT "  store float %a, ptr addrspace(1) %at\n" GO BARRIER STEP("16"),
        HEAD ROW
        "  %i = zext i32 %sum to i64\n"
        "  %at = getelementptr float, ptr addrspace(1) %in, i64 %i\n"
        "  %a = load volatile float, ptr addrspace(1) %at\n" FILL GO BARRIER STEP("16"),
    };

    for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++)
        ck_assert_msg(fetches(texts[i], NULL) == 0, "%zu", i);
}
END_TEST

// How many fetches `width` lanes make that lie so many bytes apart.
static unsigned fetches_of_lanes(unsigned bytes, unsigned width)
{
    char text[1000], *made;
    unsigned found = 0;
    struct ir ir;

    snprintf(text, sizeof(text),
             "declare void @llvm.prefetch.p1(ptr addrspace(1), i32, i32, i32)\n"
             "define void @k(ptr %%launch, ptr %%worker, ptr %%group, i64 %%l0, "
             "i64 %%l1, i64 %%l2) {\n  %%in = load ptr addrspace(1), ptr %%launch\n"
             "  %%x = call i32 @tf_lid0()\n  %%w = zext i32 %%x to i64\n"
             "  %%i = mul i64 %%w, %u\n"
             "  %%at = getelementptr i8, ptr addrspace(1) %%in, i64 %%i\n"
             "  call void @llvm.prefetch.p1(ptr addrspace(1) %%at, i32 0, i32 3, i32 1)\n"
             "  ret void\n}\n",
             bytes);
    ir_open(&ir, text);
    ck_assert(ir_plan(&ir, width, false));
    made = ir_emit(&ir);
    for (const char *at = made; (at = strstr(at, "call void @llvm.prefetch")); at++)
        found++;
    LLVMDisposeMessage(made);
    ir_close(&ir);
    return found;
}

START_TEST(lanes_fetch_their_lines_unless_they_are_far_apart)
{
    ck_assert_uint_eq(fetches_of_lanes(0, 8), 1);
    ck_assert_uint_eq(fetches_of_lanes(4, 8), 1);
    ck_assert_uint_eq(fetches_of_lanes(4, 16), 1);
    ck_assert_uint_eq(fetches_of_lanes(4, 32), 2);
    ck_assert_uint_eq(fetches_of_lanes(16, 8), 2);
    ck_assert_uint_eq(fetches_of_lanes(64, 8), 0);
}
END_TEST

Suite *tf_suite_ahead(void)
{
    Suite *suite = suite_create("ahead");
    TCase *tests = tcase_create("ahead");

    tcase_add_test(tests, the_next_tile_is_fetched);
    tcase_add_test(tests, a_tile_that_is_filled_in_a_loop_is_fetched_in_it);
    tcase_add_test(tests, indices_a_row_apart_are_fetched);
    tcase_add_test(tests, nothing_else_is_fetched);
    tcase_add_test(tests, lanes_fetch_their_lines_unless_they_are_far_apart);
    suite_add_tcase(suite, tests);
    return suite;
}
