// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

#include "compiler/workgroup/plan/choice/choose.h"

static unsigned choose_for(const char *model, const char *text, struct tf_choice_of of,
                           unsigned vector_bits)
{
    const unsigned width = of.width;
    struct ir ir;
    struct tf_choice choice;
    unsigned best;

    ir_open(&ir, text);
    ir.target = tf_target_of(model, vector_bits);
    ck_assert(ir_facts(&ir, width));
    of.facts = &ir.facts;
    of.target = &ir.target;
    ck_assert(tf_choice_init(&choice, &of));
    best = choice.all.width;
    ck_assert_uint_eq(choice.masked.width, best);
    tf_choice_finish(&choice);
    ir_close(&ir);
    return best;
}

static unsigned choose(const char *text, struct tf_choice_of of, unsigned vector_bits)
{
    return choose_for(NULL, text, of, vector_bits);
}

static unsigned width_for(const char *model, const char *text, unsigned width,
                          unsigned vector_bits, bool may_again)
{
    const struct tf_choice_of of = {.width = width,
                                    .most_lanes = TF_MOST_LANES,
                                    .long_rows = true,
                                    .may_widen_again = may_again};

    return choose_for(model, text, of, vector_bits);
}

static unsigned width_of(const char *text, unsigned width, unsigned vector_bits,
                         bool may_again)
{
    return width_for(NULL, text, width, vector_bits, may_again);
}

// Of rows that end with groups of `row` items, a number that the kernel demands.
static unsigned width_in_row(const char *text, unsigned row)
{
    const struct tf_choice_of of = {.width = 8, .most_lanes = row, .knows_rows = true};

    return choose(text, of, 256);
}

static unsigned best_width(const char *text, unsigned width, unsigned vector_bits)
{
    return width_of(text, width, vector_bits, false);
}

#define HEAD(element)                                                      \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {\n" \
    "entry:\n  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"      \
    "  %at = getelementptr " element ", ptr addrspace(1) %p, i64 %i\n"     \
    "  %v = load " element ", ptr addrspace(1) %at\n"
#define LOOP_HEAD               \
    "  br label %loop\nloop:\n" \
    "  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
#define LOOP_END(element)                                         \
    "  %next = add i32 %k, 1\n  %more = icmp ult i32 %next, %n\n" \
    "  br i1 %more, label %loop, label %end\nend:\n"              \
    "  store " element " %s, ptr addrspace(1) %at\n  ret void\n}\n"

// Each round waits for the one before.
static const char chain[] =
    HEAD("float") LOOP_HEAD "  %t = phi float [ %v, %entry ], [ %s, %loop ]\n"
                            "  %m = fmul float %t, %v\n"
                            "  %s = fadd float %m, %v\n" LOOP_END("float");
// A product of longs, by a number or by few bits of one, among work that waits for none.
#define SIDE_HEAD(n) "  %u" #n " = phi i64 [ %v, %entry ], [ %w" #n ", %loop ]\n"
#define SIDE(n) "  %x" #n " = xor i64 %u" #n ", %v\n  %w" #n " = add i64 %x" #n ", %v\n"
#define LONG_CHAIN(by)                                                            \
    HEAD("i64")                                                                   \
    LOOP_HEAD "  %t = phi i64 [ %v, %entry ], [ %s, %loop ]\n" SIDE_HEAD(1)       \
        SIDE_HEAD(2) "  %c = mul i64 %t, " by "\n  %s = xor i64 %c, %v\n" SIDE(1) \
            SIDE(2) LOOP_END("i64")
// Vectors of the program that fill registers by themselves.
static const char wide[] = HEAD("<4 x float>") LOOP_HEAD
    "  %t = phi <4 x float> [ %v, %entry ], [ %s, %loop ]\n"
    "  %s = fmul <4 x float> %t, %v\n" LOOP_END("<4 x float>");
// A straight line of whole registers, long enough that what lanes share is little of it.
#define STEP(to, from) "  " to " = fmul float " from ", %v\n"
static const char line[] = HEAD("float") STEP("%a", "%v") STEP("%b", "%a")
    STEP("%c", "%b") STEP("%d", "%c") STEP("%e", "%d") STEP("%f", "%e") STEP("%g", "%f")
        STEP("%h", "%g") STEP("%j", "%h")
            STEP("%s", "%j") "  store float %s, ptr addrspace(1) %at\n  ret void\n}\n";
// The same with bytes: 16 of them leave most of a register empty.
#define BYTE_STEP(to, from) "  " to " = mul i8 " from ", %v\n"
static const char bytes[] =
    HEAD("i8") BYTE_STEP("%a", "%v") BYTE_STEP("%b", "%a") BYTE_STEP("%c", "%b")
        BYTE_STEP("%s", "%c") "  store i8 %s, ptr addrspace(1) %at\n  ret void\n}\n";

START_TEST(chains_from_round_to_round_take_twice_the_lanes)
{
    ck_assert_uint_eq(best_width(chain, 16, 512), 32);
    ck_assert_uint_eq(best_width(chain, 8, 256), 16);
}
END_TEST

START_TEST(small_elements_take_twice_the_lanes)
{
    ck_assert_uint_eq(best_width(bytes, 16, 512), 32);
}
END_TEST

// Of 16 bytes of each lane: 64 of each are shuffled for long (plan/size.c).
START_TEST(bytes_of_long_strides_are_those_of_few_lanes)
{
    static const char text[] =
        "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {\nentry:\n"
        "  %x = call i32 @tf_gid0()\n  %i = zext nneg i32 %x to i64\n"
        "  %own = shl nuw nsw i64 %i, 4\n"
        "  %at = getelementptr i8, ptr addrspace(1) %p, i64 %own\n"
        "  %next = getelementptr i8, ptr addrspace(1) %at, i64 1\n"
        "  %v = load i8, ptr addrspace(1) %at\n"
        "  %w = load i8, ptr addrspace(1) %next\n  %s = add i8 %v, %w\n"
        "  %to = getelementptr i8, ptr addrspace(1) %q, i64 %i\n"
        "  store i8 %s, ptr addrspace(1) %to\n  ret void\n}\n";
    struct ir ir;

    for (unsigned width = 32; width <= 64; width *= 2) {
        ir_open(&ir, text);
        ir.target = tf_target_of(NULL, 512);
        ck_assert(ir_plan(&ir, width, false));
        ck_assert_uint_gt(ir.plan.bundle_count, 0);
        ck_assert(tf_plan_is_small(&ir.plan) == (width == 32));
        ir_close(&ir);
    }
}
END_TEST

START_TEST(long_chains_take_four_times_the_lanes)
{
    ck_assert_uint_eq(width_of(chain, 16, 512, true), 64);
}
END_TEST

// Rounds of xorshift: as lanes of two registers they take as long as the chain in them.
#define SHIFT(to, from, how, by)                 \
    "  " to "s = " how " i32 " from ", " by "\n" \
    "  " to " = xor i32 " from ", " to "s\n"
static const char balance[] = HEAD("i32") LOOP_HEAD
    "  %t = phi i32 [ %v, %entry ], [ %s, %loop ]\n" SHIFT("%a", "%t", "shl", "13")
        SHIFT("%b", "%a", "lshr", "17") SHIFT("%s", "%b", "shl", "5") LOOP_END("i32");

START_TEST(work_as_long_as_its_chain_takes_four_times_the_lanes)
{
    ck_assert_uint_eq(width_of(balance, 16, 512, true), 64);
}
END_TEST

// One state, of which all registers but one wait while a round is made in that one.
START_TEST(states_take_as_many_registers_as_wait)
{
    ck_assert_uint_eq(width_of(balance, 8, 256, true), 64);
    ck_assert_uint_eq(width_of(chain, 8, 256, true), 64);
}
END_TEST

// A function of `count` operations, each of which waits for the one before.
static void write_line(char *text, size_t size, unsigned count)
{
    unsigned k = 0;

    snprintf(text, size, "%s", HEAD("float") "  %s0 = fmul float %v, %v\n");
    for (; k < count; k++)
        snprintf(text + strlen(text), size - strlen(text),
                 "  %%s%u = fadd float %%s%u, %%v\n", k + 1, k);
    snprintf(text + strlen(text), size - strlen(text),
             "  store float %%s%u, ptr addrspace(1) %%at\n  ret void\n}\n", k);
}

// The processor sees a part of it at a time. Of short ones the next gangs fill the time;
// where the kernel may not take four times the lanes nothing is gained.
START_TEST(long_lines_take_four_times_the_lanes)
{
    char text[8192];

    write_line(text, sizeof(text), 60);
    ck_assert_uint_eq(width_of(text, 8, 256, true), 32);
    ck_assert_uint_eq(width_of(text, 16, 512, true), 16);
    ck_assert_uint_eq(best_width(text, 8, 256), 8);
    write_line(text, sizeof(text), 8);
    ck_assert_uint_eq(width_of(text, 8, 256, true), 8);
}
END_TEST

// Four registers of 512 bits are eight operations where they work in halves, and four
// where they do not.
START_TEST(long_lines_take_four_wide_registers_that_work_whole)
{
    char text[8192];

    write_line(text, sizeof(text), 60);
    ck_assert_uint_eq(width_for("znver5", text, 16, 512, true), 64);
    ck_assert_uint_eq(width_for("znver4", text, 16, 512, true), 16);
}
END_TEST

// The high half of a product is the sum of four products of halves, one after the other.
static const char high_halves[] = HEAD("i64") LOOP_HEAD
    "  %t = phi i64 [ %v, %entry ], [ %s, %loop ]\n  %m = mul i64 %t, 7\n"
    "  %w = zext i64 %t to i128\n  %h = mul nuw i128 %w, 15074714826142052245\n"
    "  %d = lshr i128 %h, 64\n  %c = trunc nuw i128 %d to i64\n"
    "  %s = add i64 %m, %c\n" LOOP_END("i64");

START_TEST(high_halves_are_waited_for)
{
    ck_assert_uint_eq(width_for("znver5", high_halves, 16, 512, true), 64);
}
END_TEST

START_TEST(small_elements_take_four_times_in_loops_only)
{
    ck_assert_uint_eq(width_of(bytes, 16, 512, true), 32);
    ck_assert_uint_eq(width_of(line, 16, 512, true), 16);
}
END_TEST

START_TEST(full_registers_take_no_more_lanes)
{
    ck_assert_uint_eq(best_width(line, 16, 512), 16);
    ck_assert_uint_eq(best_width(wide, 16, 512), 16);
}
END_TEST

// Rounds that make `live` numbers before they use any of them, and `shared` that all
// lanes share.
static unsigned width_with_live(unsigned live, unsigned shared)
{
    char text[16384] = HEAD("float") LOOP_HEAD "  %t = phi float [ %v, %entry ], [ %s, "
                                               "%loop ]\n  %u0 = add i32 %k, 1\n";
    unsigned k = 0;

    for (; k < shared; k++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text),
                 "  %%u%u = mul i32 %%u%u, %%n\n", k + 1, k);
    snprintf(text + strlen(text), sizeof(text) - strlen(text),
             "  %%w = uitofp i32 %%u%u to float\n  %%a0 = fmul float %%v, %%w\n", k);
    for (k = 0; k < live; k++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text),
                 "  %%a%u = fmul float %%a%u, %%v\n", k + 1, k);
    snprintf(text + strlen(text), sizeof(text) - strlen(text),
             "  %%b%u = fadd float %%a%u, %%v\n", live, live);
    for (; k > 0; k--)
        snprintf(text + strlen(text), sizeof(text) - strlen(text),
                 "  %%b%u = fadd float %%b%u, %%a%u\n", k - 1, k, k - 1);
    strcat(text, "  %s = fadd float %t, %b0\n" LOOP_END("float"));
    return best_width(text, 8, 256);
}

START_TEST(more_lanes_may_gain_more_than_what_they_store)
{
    ck_assert_uint_eq(width_with_live(3, 0), 16);  // has registers
    ck_assert_uint_eq(width_with_live(8, 40), 16); // has none
    ck_assert_uint_eq(width_with_live(8, 0), 8);
}
END_TEST

// Numbers that no register keeps are fetched for all registers of an operation.
START_TEST(many_constants_take_twice_the_lanes)
{
    char text[4096] = HEAD("float") "  %s0 = fmul float %v, %v\n";
    unsigned k = 0;

    for (; k < 40; k++)
        snprintf(text + strlen(text), sizeof(text) - strlen(text),
                 "  %%s%u = fadd float %%s%u, %u.0\n", k + 1, k, k + 1);
    snprintf(text + strlen(text), sizeof(text) - strlen(text),
             "  store float %%s%u, ptr addrspace(1) %%at\n  ret void\n}\n", k);
    ck_assert_uint_eq(best_width(text, 16, 512), 32);
    ck_assert_uint_eq(best_width(text, 8, 256), 16);
}
END_TEST

// The sum of %x and another number, or `x & (n - 1)`, which gangs of more lanes take for
// granted in fewer launches, as an index; what all lanes share is the same.
#define PLACE(index)                                                           \
    HEAD("<2 x float>")                                                        \
    "  %m = add i32 %n, -1\n  %d = udiv i32 %m, 5\n"                           \
    "  %k = " index "\n  %t = add nsw i32 %k, %d\n  %j = sext i32 %t to i64\n" \
    "  %to = getelementptr <2 x float>, ptr addrspace(1) %q, i64 %j\n"         \
    "  store <2 x float> %v, ptr addrspace(1) %to\n  ret void\n}\n"

START_TEST(gangs_that_may_start_again_are_not_doubled_for_little)
{
    ck_assert_uint_eq(best_width(PLACE("add nsw i32 %x, %m"), 16, 512), 32);
    ck_assert_uint_eq(best_width(PLACE("and i32 %x, %m"), 16, 512), 16);
}
END_TEST

START_TEST(rows_of_groups_are_whole_gangs)
{
    ck_assert_uint_eq(width_in_row(chain, 8), 8);
    ck_assert_uint_eq(width_in_row(chain, 16), 16);
    ck_assert_uint_eq(width_in_row(chain, 0), 8);
}
END_TEST

START_TEST(rows_of_groups_take_more_lanes_in_loops_only)
{
    ck_assert_uint_eq(width_in_row(bytes, 16), 8);
}
END_TEST

// Of a loop, under masks.
#define SOMETIMES(element)                                       \
    HEAD(element)                                                \
    "  br label %loop\nloop:\n"                                  \
    "  %k = phi i32 [ 0, %entry ], [ %next, %loop.end ]\n"       \
    "  %t = phi " element " [ %v, %entry ], [ %s, %loop.end ]\n" \
    "  %odd = icmp ult i32 %x, %k\n"                             \
    "  br i1 %odd, label %way, label %loop.end\nway:\n"          \
    "  %m = xor " element " %t, %v\n"                            \
    "  %u = add " element " %m, %v\n"                            \
    "  store " element " %u, ptr addrspace(1) %at\n"             \
    "  br label %loop.end\nloop.end:\n"                          \
    "  %s = phi " element " [ %t, %loop ], [ %u, %way ]\n" LOOP_END(element)

START_TEST(masked_rows_of_groups_take_more_lanes_that_are_free)
{
    ck_assert_uint_eq(width_in_row(SOMETIMES("i16"), 16), 16);
    ck_assert_uint_eq(width_in_row(SOMETIMES("i32"), 16), 8);
    ck_assert_uint_eq(width_in_row(SOMETIMES("i16"), 8), 8);
    ck_assert_uint_eq(choose(SOMETIMES("i16"),
                             (struct tf_choice_of){.width = 8, .most_lanes = 16}, 256),
                      8);
}
END_TEST

// Vectors of the program that would take eight registers in 16 lanes.
static const char very_wide[] = HEAD("<4 x double>") LOOP_HEAD
    "  %t = phi <4 x double> [ %v, %entry ], [ %s, %loop ]\n"
    "  %m = fmul <4 x double> %t, %v\n"
    "  %s = fdiv <4 x double> %m, %v\n" LOOP_END("<4 x double>");

// Rows as long as the run says: they may all go to the same places of the first cache.
#define LONG_STEP(to, from)                \
    "  " to " = fmul float " from ", %w\n" \
    "  " to "1 = fadd float " to ", %v\n"
#define ROWS(element)                                                        \
    HEAD("float")                                                            \
    "  %first = mul nsw i32 %x, %n\n" LOOP_HEAD                              \
    "  %t = phi float [ %v, %entry ], [ %s, %loop ]\n"                       \
    "  %e = " element "\n  %j = add nsw i32 %first, %e\n"                    \
    "  %wide = sext i32 %j to i64\n"                                         \
    "  %from = getelementptr float, ptr addrspace(1) %q, i64 %wide\n"        \
    "  %w = load float, ptr addrspace(1) %from\n" LONG_STEP("%a", "%t")      \
        LONG_STEP("%b", "%a1") LONG_STEP("%c", "%b1") LONG_STEP("%d", "%c1") \
            LONG_STEP("%f", "%d1") LONG_STEP("%g", "%f1")                    \
                LONG_STEP("%h", "%g1") "  %s = fmul float %h1, %h1\n" LOOP_END("float")

START_TEST(rows_that_are_gathered_take_no_more_lanes)
{
    ck_assert_uint_eq(width_of(ROWS("add nsw i32 %k, 3"), 16, 512, true), 16);
    ck_assert_uint_gt(width_of(ROWS("mul nsw i32 %k, 64"), 16, 512, true), 16);
    ck_assert_uint_eq(width_of(ROWS("add nsw i32 %k, 3"), 8, 256, true), 16);
}
END_TEST

START_TEST(wide_vectors_take_half_of_the_lanes)
{
    struct tf_choice_of of = {
        .width = 16, .most_lanes = TF_MOST_LANES, .long_rows = true};

    ck_assert_uint_eq(choose(very_wide, of, 512), 16);
    of.may_halve = true;
    ck_assert_uint_eq(choose(very_wide, of, 512), 8);
    ck_assert_uint_eq(choose(wide, of, 512), 16);
}
END_TEST

// Where a product takes longer more lanes hide it.
START_TEST(slow_products_take_more_lanes)
{
    static const char products[] = LONG_CHAIN("-49064778989728563");
    static const char *const shifts[] = {LONG_CHAIN("5"), LONG_CHAIN("31"),
                                         LONG_CHAIN("-3"), LONG_CHAIN("-7")};
    static const char negative[] = LONG_CHAIN("-96"); // stays a product
    const unsigned most = width_for("cascadelake", products, 16, 512, true);

    ck_assert_uint_gt(most, width_for(NULL, products, 16, 512, true));
    ck_assert_uint_eq(most, width_for("cascadelake", negative, 16, 512, true));
    for (size_t i = 0; i < sizeof(shifts) / sizeof(shifts[0]); i++)
        ck_assert_uint_gt(most, width_for("cascadelake", shifts[i], 16, 512, true));
}
END_TEST

Suite *tf_suite_width(void)
{
    Suite *suite = suite_create("width");
    TCase *tests = tcase_create("width");

    tcase_add_test(tests, chains_from_round_to_round_take_twice_the_lanes);
    tcase_add_test(tests, small_elements_take_twice_the_lanes);
    tcase_add_test(tests, bytes_of_long_strides_are_those_of_few_lanes);
    tcase_add_test(tests, long_chains_take_four_times_the_lanes);
    tcase_add_test(tests, work_as_long_as_its_chain_takes_four_times_the_lanes);
    tcase_add_test(tests, states_take_as_many_registers_as_wait);
    tcase_add_test(tests, long_lines_take_four_times_the_lanes);
    tcase_add_test(tests, long_lines_take_four_wide_registers_that_work_whole);
    tcase_add_test(tests, high_halves_are_waited_for);
    tcase_add_test(tests, small_elements_take_four_times_in_loops_only);
    tcase_add_test(tests, full_registers_take_no_more_lanes);
    tcase_add_test(tests, more_lanes_may_gain_more_than_what_they_store);
    tcase_add_test(tests, many_constants_take_twice_the_lanes);
    tcase_add_test(tests, gangs_that_may_start_again_are_not_doubled_for_little);
    tcase_add_test(tests, rows_of_groups_are_whole_gangs);
    tcase_add_test(tests, rows_that_are_gathered_take_no_more_lanes);
    tcase_add_test(tests, wide_vectors_take_half_of_the_lanes);
    tcase_add_test(tests, rows_of_groups_take_more_lanes_in_loops_only);
    tcase_add_test(tests, masked_rows_of_groups_take_more_lanes_that_are_free);
    tcase_add_test(tests, slow_products_take_more_lanes);
    suite_add_tcase(suite, tests);
    return suite;
}
