// SPDX-License-Identifier: MIT
// Neighbours that each lane loads or stores at once, and loops whose rounds are put
// together so that there are some.
#include "ir_text.h"

#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/workgroup/plan/choice/choose.h"
#include "compiler/workgroup/prepare/strips.h"

static struct ir ir;

// %at lies anywhere: lanes have no distance.
#define HEAD                                                                         \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {\nentry:\n"   \
    "  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n  %j = mul i64 %i, %i\n" \
    "  %to = getelementptr float, ptr addrspace(1) %p, i64 %i\n"                     \
    "  %at = getelementptr float, ptr addrspace(1) %q, i64 %j\n"
#define NEXT(name, bytes)                                                     \
    "  %at" name " = getelementptr i8, ptr addrspace(1) %at, i64 " bytes "\n" \
    "  %" name " = load float, ptr addrspace(1) %at" name ", align 4\n"
#define END "  ret void\n}\n"

static void plan(const char *text, unsigned width, unsigned vector_bits, bool masked)
{
    ir_open(&ir, text);
    ir.target = tf_target_of(NULL, vector_bits);
    ck_assert_msg(ir_plan(&ir, width, masked), "%s", ir.plan.unfit);
}

static unsigned strips(const char *text, unsigned width, unsigned vector_bits)
{
    unsigned count;

    plan(text, width, vector_bits, false);
    count = ir.plan.counts.strips;
    ir_close(&ir);
    return count;
}

static const char four[] =
    HEAD NEXT("c", "8") NEXT("a", "0") NEXT("d", "12") NEXT("b", "4") END;
static const char six[] = HEAD NEXT("a", "0") NEXT("b", "4") NEXT("c", "8")
    NEXT("d", "12") NEXT("e", "16") NEXT("f", "20") END;
static const char three[] = HEAD NEXT("a", "0") NEXT("b", "4") NEXT("c", "8") END;
// Components of vectors that the program loads, by their numbers (ir/vector/component.h).
#define PART(name, bytes, number)                                             \
    "  %at" name " = getelementptr i8, ptr addrspace(1) %at, i64 " bytes "\n" \
    "  %" name " = load float, ptr addrspace(1) %at" name                     \
    ", align 4, !trefoil.component !{i32 " number "}\n"
static const char first_three[] =
    HEAD PART("a", "0", "0") PART("b", "4", "1") PART("c", "8", "2") END;
static const char last_and_second[] = HEAD PART("a", "12", "3") PART("b", "4", "1") END;
static const char only_one[] = HEAD PART("a", "8", "2") END;
static const char two_vectors[] = HEAD PART("a", "8", "2") PART("b", "12", "3")
    PART("c", "16", "0") PART("d", "24", "2") END;
static const char of_two_vectors[] = HEAD PART("a", "8", "3") PART("b", "12", "0") END;
static const char gap[] =
    HEAD NEXT("a", "0") NEXT("b", "4") NEXT("c", "8") NEXT("d", "16") END;
// 2^32 - 1 rows on, and one row back: what is known of both is an unsigned product that
// does not wrap, and a difference.
static const char great_factor[] =
    HEAD "  %one = and i32 %x, 1\n  %many = mul nuw i32 %one, -1\n"
         "  %far = zext i32 %many to i64\n  %few = zext i32 %one to i64\n"
         "  %back = sub i64 0, %few\n"
         "  %up = getelementptr float, ptr addrspace(1) %at, i64 %far\n"
         "  %down = getelementptr float, ptr addrspace(1) %at, i64 %back\n"
         "  %at1 = getelementptr float, ptr addrspace(1) %up, i64 1\n"
         "  %at2 = getelementptr float, ptr addrspace(1) %down, i64 2\n"
         "  %at3 = getelementptr float, ptr addrspace(1) %down, i64 3\n"
         "  %a = load float, ptr addrspace(1) %up, align 4\n"
         "  %b = load float, ptr addrspace(1) %at1, align 4\n"
         "  %c = load float, ptr addrspace(1) %at2, align 4\n"
         "  %d = load float, ptr addrspace(1) %at3, align 4\n" END;
static const char store_between[] = HEAD NEXT("a", "0")
    NEXT("b", "4") "  store float %a, ptr addrspace(1) %to\n" NEXT("c", "8")
        NEXT("d", "12") END;
static const char store_before_and_behind[] =
    HEAD "  store float 1.0, ptr addrspace(1) %to\n" NEXT("a", "0") NEXT("b", "4")
        NEXT("c", "8") NEXT("d", "12") "  store float %d, ptr addrspace(1) %to\n" END;
static const char barrier_between[] = HEAD NEXT("a", "0")
    NEXT("b", "4") "  call void @__tf_barrier()\n" NEXT("c", "8") NEXT("d", "12") END;
static const char two_blocks[] = HEAD NEXT("a", "0")
    NEXT("b", "4") "  br label %more\nmore:\n" NEXT("c", "8") NEXT("d", "12") END;

#define PUT(name, bytes, value)                                                \
    "  %put" name " = getelementptr i8, ptr addrspace(1) %at, i64 " bytes "\n" \
    "  store float " value ", ptr addrspace(1) %put" name ", align 4\n"
#define GET(at) "  %g = load float, ptr addrspace(1) " at ", align 4\n"

static const char four_stores[] = HEAD PUT("c", "8", "2.0") PUT("a", "0", "1.0")
    PUT("d", "12", "4.0") PUT("b", "4", "0.0") END;
static const char three_stores[] =
    HEAD PUT("a", "0", "1.0") PUT("b", "4", "2.0") PUT("c", "8", "4.0") END;
static const char stores_with_a_gap[] = HEAD PUT("a", "0", "1.0") PUT("b", "4", "2.0")
    PUT("c", "8", "4.0") PUT("d", "16", "0.0") END;
static const char other_between[] = HEAD PUT("a", "0", "1.0") PUT("b", "4", "2.0")
    GET("%to") PUT("c", "8", "4.0") PUT("d", "12", "%g") END;
static const char own_between[] =
    HEAD "  %own = getelementptr i8, ptr addrspace(1) %at, i64 16\n" PUT("a", "0", "1.0")
        PUT("b", "4", "2.0") GET("%own") PUT("c", "8", "4.0") PUT("d", "12", "%g") END;
static const char same_between[] = HEAD PUT("a", "0", "1.0") PUT("b", "4", "2.0")
    GET("%puta") PUT("c", "8", "4.0") PUT("d", "12", "%g") END;
static const char twice_stored[] = HEAD PUT("a", "0", "1.0") PUT("b", "4", "2.0")
    PUT("e", "0", "3.0") PUT("c", "8", "4.0") PUT("d", "12", "0.0") END;
static const char fence_between[] = HEAD PUT("a", "0", "1.0")
    PUT("b", "4", "2.0") "  fence seq_cst\n" PUT("c", "8", "4.0") PUT("d", "12", "0.0")
        END;
// The loads are made where the first of them stands: before the stores.
static const char loads_around[] =
    HEAD NEXT("a", "0") PUT("a", "16", "1.0") PUT("b", "20", "2.0") NEXT("b", "4")
        PUT("c", "24", "4.0") PUT("d", "28", "0.0") NEXT("c", "8") NEXT("d", "12") END;

// Rows of local memory, 132 bytes apart, or anywhere.
#define LOCAL(distance)                                       \
    "define void @k(ptr addrspace(3) %p) {\nentry:\n"         \
    "  %x = call i32 @tf_lid0()\n  %i = zext i32 %x to i64\n" \
    "  %j = mul i64 %i, " distance "\n"                       \
    "  %at = getelementptr float, ptr addrspace(3) %p, i64 %j\n"
#define PUT_LOCAL(name, bytes)                                                 \
    "  %put" name " = getelementptr i8, ptr addrspace(3) %at, i64 " bytes "\n" \
    "  store float 1.0, ptr addrspace(3) %put" name ", align 4\n"
#define GET_LOCAL(bytes)                                             \
    "  %g = getelementptr i8, ptr addrspace(3) %at, i64 " bytes "\n" \
    "  %v = load float, ptr addrspace(3) %g, align 4\n"

static const char local_row[] = LOCAL("33") PUT_LOCAL("a", "0") PUT_LOCAL("b", "4")
    PUT_LOCAL("c", "8") PUT_LOCAL("d", "12") END;
static const char local_anywhere[] = LOCAL("%i") PUT_LOCAL("a", "0") PUT_LOCAL("b", "4")
    PUT_LOCAL("c", "8") PUT_LOCAL("d", "12") END;
static const char own_local_between[] = LOCAL("33") PUT_LOCAL("a", "0")
    PUT_LOCAL("b", "4") GET_LOCAL("16") PUT_LOCAL("c", "8") PUT_LOCAL("d", "12") END;
// The next lane's first element, which it has stored if lanes go on in step.
static const char next_lane_between[] = LOCAL("33") PUT_LOCAL("a", "0")
    PUT_LOCAL("b", "4") GET_LOCAL("132") PUT_LOCAL("c", "8") PUT_LOCAL("d", "12") END;

START_TEST(lanes_in_step_see_no_difference)
{
    ck_assert_uint_eq(strips(local_row, 8, 256), 4);
    ck_assert_uint_eq(strips(own_local_between, 8, 256), 4);
    ck_assert_uint_eq(strips(local_anywhere, 8, 256), 0);
    ck_assert_uint_eq(strips(next_lane_between, 8, 256), 0);
}
END_TEST

START_TEST(neighbours_of_a_lane_are_stored_at_once)
{
    ck_assert_uint_eq(strips(four_stores, 16, 512), 4);
    ck_assert_uint_eq(strips(four_stores, 8, 256), 4);
    ck_assert_uint_eq(strips(own_between, 8, 256), 4);
    ck_assert_uint_eq(strips(loads_around, 8, 256), 8);
    ck_assert_uint_eq(strips(three_stores, 8, 256), 0);
    ck_assert_uint_eq(strips(stores_with_a_gap, 8, 256), 0);
}
END_TEST

START_TEST(nothing_is_stored_behind_what_may_meet_it)
{
    ck_assert_uint_eq(strips(other_between, 8, 256), 0);
    ck_assert_uint_eq(strips(same_between, 8, 256), 0);
    ck_assert_uint_eq(strips(twice_stored, 8, 256), 0);
    ck_assert_uint_eq(strips(fence_between, 8, 256), 0);
}
END_TEST

START_TEST(neighbours_of_a_lane_are_loaded_at_once)
{
    ck_assert_uint_eq(strips(four, 16, 512), 4);
    ck_assert_uint_eq(strips(four, 8, 256), 4);
    ck_assert_uint_eq(strips(four, 4, 128), 4);
    ck_assert_uint_eq(strips(six, 8, 256), 4); // and two gathers
    ck_assert_uint_eq(strips(store_before_and_behind, 8, 256), 4);
}
END_TEST

START_TEST(nothing_is_loaded_that_no_member_is)
{
    ck_assert_uint_eq(strips(three, 8, 256), 0);
    ck_assert_uint_eq(strips(gap, 8, 256), 0);
    ck_assert_uint_eq(strips(great_factor, 8, 256), 0);
    ck_assert_uint_eq(strips(four, 2, 128), 0); // fewer lanes than neighbours
}
END_TEST

// What the program loads as a vector may be loaded whole.
START_TEST(parts_of_a_vector_are_loaded_with_the_rest)
{
    ck_assert_uint_eq(strips(first_three, 8, 256), 3);
    ck_assert_uint_eq(strips(first_three, 16, 512), 3);
    ck_assert_uint_eq(strips(last_and_second, 8, 256), 2);
    ck_assert_uint_eq(strips(two_vectors, 8, 256), 4);
    ck_assert_uint_eq(strips(only_one, 8, 256), 0);
    ck_assert_uint_eq(strips(of_two_vectors, 8, 256), 0);
}
END_TEST

START_TEST(nothing_goes_up_past_what_may_change_it)
{
    ck_assert_uint_eq(strips(store_between, 8, 256), 0);
    ck_assert_uint_eq(strips(barrier_between, 8, 256), 0);
    ck_assert_uint_eq(strips(two_blocks, 8, 256), 0);
}
END_TEST

static unsigned count(const char *text, const char *what)
{
    unsigned n = 0;

    for (; (text = strstr(text, what)); text++)
        n++;
    return n;
}

static unsigned emitted(const char *text, bool masked, const char *what)
{
    unsigned n;
    char *code;

    plan(text, 8, 256, masked);
    code = ir_emit(&ir);
    n = count(code, what);
    LLVMDisposeMessage(code);
    ir_close(&ir);
    return n;
}

START_TEST(each_lane_has_one_load)
{
    ck_assert_uint_eq(emitted(four, false, "= load <4 x i32>"), 8);
    ck_assert_uint_eq(emitted(four, true, "= load <4 x i32>"), 8);
    ck_assert_uint_eq(emitted(four, false, "masked.gather"), 0);
    ck_assert_uint_eq(emitted(four, true, "masked.gather"), 0);
}
END_TEST

START_TEST(each_lane_has_one_store)
{
    ck_assert_uint_eq(emitted(four_stores, false, "store <4 x i32>"), 8);
    ck_assert_uint_eq(emitted(four_stores, true, "store <4 x i32>"), 8);
    ck_assert_uint_eq(emitted(four_stores, false, "masked.scatter"), 0);
    ck_assert_uint_eq(emitted(four_stores, true, "masked.scatter"), 0);
}
END_TEST

// ---- loops

// %at: what the round loads; `in`: what it does else.
#define LOOP(address, type, op, in)                                                     \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {\nentry:\n"      \
    "  %x = call i32 @tf_gid0()\n  %i = zext nneg i32 %x to i64\n"                      \
    "  %to = getelementptr float, ptr addrspace(1) %p, i64 %i\n"                        \
    "  %m = sext i32 %n to i64\n  %row = mul nsw i64 %i, %m\n  br label %loop\n"        \
    "loop:\n  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n"                           \
    "  %s = phi " type " [ zeroinitializer, %entry ], [ %t, %loop ]\n"                  \
    "  %sum = add nsw i64 %row, %k\n  " address "\n"                                    \
    "  %v = load " type ", ptr addrspace(1) %at\n" in "  %t = " op " " type " %s, %v\n" \
    "  %next = add nuw nsw i64 %k, 1\n"                                                 \
    "  %more = icmp slt i64 %next, %m\n  br i1 %more, label %loop, label %end\nend:\n"  \
    "  %out = phi " type " [ %t, %loop ]\n  store " type                                \
    " %out, ptr addrspace(1) %to\n  ret void\n}\n"
#define ROW(type, op) \
    LOOP("%at = getelementptr " type ", ptr addrspace(1) %q, i64 %sum", type, op, "")

// How many loads there are in the function afterwards; 1: it was left alone.
static unsigned loads_after(const char *text, unsigned width, unsigned vector_bits)
{
    struct tf_wg wg;
    unsigned loads;
    bool changed, ok;
    char *out;

    ir_open(&ir, text);
    ir.target = tf_target_of(NULL, vector_bits);
    ck_assert(ir_facts(&ir, width));
    wg = ir_wg(&ir, width);
    tf_wg_init(&wg);
    changed = tf_prepare_strips(&wg, &ir.facts, &ok);
    ck_assert(ok);
    ck_assert(!LLVMVerifyFunction(ir.fn, LLVMPrintMessageAction));
    out = LLVMPrintModuleToString(ir.module);
    loads = count(out, " = load ");
    ck_assert(changed || loads == 1);
    LLVMDisposeMessage(out);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
    return loads;
}

START_TEST(rounds_that_fill_a_line_are_one)
{
    ck_assert_uint_eq(loads_after(ROW("float", "fadd"), 8, 256), 16 + 1);
    ck_assert_uint_eq(loads_after(ROW("double", "fadd"), 8, 256), 8 + 1);
    ck_assert_uint_eq(loads_after(ROW("i32", "add"), 16, 512), 16 + 1);
    ck_assert_uint_eq(loads_after(ROW("i8", "add"), 16, 512), 16 + 1);
    ck_assert_uint_eq(loads_after(ROW("float", "fadd"), 4, 128), 16 + 1);
}
END_TEST

START_TEST(other_loops_stay)
{
    // Lanes side by side; the same for all; rows of elements that are apart.
    ck_assert_uint_eq(
        loads_after(LOOP("%c = add nsw i64 %i, %k\n  %at = getelementptr float, ptr "
                         "addrspace(1) %q, i64 %c",
                         "float", "fadd", ""),
                    8, 256),
        1);
    ck_assert_uint_eq(
        loads_after(LOOP("%at = getelementptr float, ptr addrspace(1) %q, i64 %k",
                         "float", "fadd", ""),
                    8, 256),
        1);
    ck_assert_uint_eq(
        loads_after(LOOP("%at = getelementptr <2 x float>, ptr addrspace(1) %q, i64 %sum",
                         "float", "fadd", ""),
                    8, 256),
        1);
    // What is stored may be what the next rounds load.
    ck_assert_uint_eq(
        loads_after(LOOP("%at = getelementptr float, ptr addrspace(1) %q, i64 %sum",
                         "float", "fadd", "  store float %v, ptr addrspace(1) %to\n"),
                    8, 256),
        1);
    ck_assert_uint_eq(
        loads_after(LOOP("%at = getelementptr float, ptr addrspace(1) %q, i64 %sum",
                         "float", "fadd", "  fence seq_cst\n"),
                    8, 256),
        1);
    // Too few lanes to transpose bytes; vectors of one work-item's rounds do as well.
    ck_assert_uint_eq(loads_after(ROW("i8", "add"), 8, 256), 1);
    ck_assert_uint_eq(loads_after(ROW("i32", "add"), 4, 128), 1);
}
END_TEST

#define STORE(address, value)                                                \
    "  %there = getelementptr float, ptr addrspace(1) %q, i64 " address "\n" \
    "  store float " value ", ptr addrspace(1) %there\n"
#define ROW_AT "%at = getelementptr float, ptr addrspace(1) %q, i64 %sum"

START_TEST(rounds_hand_on_what_they_store)
{
    // Behind what is loaded: the rounds load each number once.
    ck_assert_uint_eq(
        loads_after(LOOP(ROW_AT, "float", "fadd", STORE("%sum", "%s")), 8, 256), 16 + 1);
    // What the next round loads is not loaded again: the first round's stands before.
    ck_assert_uint_eq(
        loads_after(LOOP(ROW_AT, "float", "fadd",
                         "  %more1 = add nsw i64 %sum, 1\n" STORE("%more1", "%v")),
                    8, 256),
        1);
    ck_assert_uint_eq(
        loads_after(LOOP(ROW_AT, "float", "fadd",
                         "  %more2 = add nsw i64 %sum, 2\n" STORE("%more2", "%v")),
                    8, 256),
        16 + 1);
}
END_TEST

// ---- how many rows

START_TEST(no_more_rows_than_the_cache_has_lines_for)
{
    struct tf_choice_of of = {.facts = &ir.facts,
                              .target = &ir.target,
                              .width = 16,
                              .most_lanes = TF_MOST_LANES,
                              .long_rows = true};
    struct tf_choice choice;
    struct tf_wg wg;
    bool ok;

    ir_open(&ir, ROW("float", "fadd"));
    ir.target = tf_target_of(NULL, 512);
    ck_assert(ir_facts(&ir, 16));
    wg = ir_wg(&ir, 16);
    tf_wg_init(&wg);
    ck_assert(tf_prepare_strips(&wg, &ir.facts, &ok) && ok);
    tf_facts_finish(&ir.facts);
    ck_assert(ir_facts(&ir, 16));
    ck_assert(tf_choice_init(&choice, &of));
    ck_assert_uint_eq(choice.all.width, 8);
    ck_assert(choice.is_narrow);
    tf_choice_finish(&choice);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_strip(void)
{
    Suite *suite = suite_create("strip");
    TCase *tcase = tcase_create("strips");

    tcase_add_test(tcase, neighbours_of_a_lane_are_loaded_at_once);
    tcase_add_test(tcase, nothing_is_loaded_that_no_member_is);
    tcase_add_test(tcase, parts_of_a_vector_are_loaded_with_the_rest);
    tcase_add_test(tcase, nothing_goes_up_past_what_may_change_it);
    tcase_add_test(tcase, neighbours_of_a_lane_are_stored_at_once);
    tcase_add_test(tcase, nothing_is_stored_behind_what_may_meet_it);
    tcase_add_test(tcase, lanes_in_step_see_no_difference);
    tcase_add_test(tcase, each_lane_has_one_load);
    tcase_add_test(tcase, each_lane_has_one_store);
    tcase_add_test(tcase, rounds_that_fill_a_line_are_one);
    tcase_add_test(tcase, other_loops_stay);
    tcase_add_test(tcase, rounds_hand_on_what_they_store);
    tcase_add_test(tcase, no_more_rows_than_the_cache_has_lines_for);
    suite_add_tcase(suite, tcase);
    return suite;
}
