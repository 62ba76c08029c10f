// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <stdarg.h>
#include <stdio.h>

#include "compiler/workgroup/plan/choice/choose.h"

#define HEAD                                                                         \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, float %f, i32 %n) {\n" \
    "entry:\n  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"                \
    "  %from = getelementptr float, ptr addrspace(1) %q, i64 %i\n"                   \
    "  %to = getelementptr float, ptr addrspace(1) %p, i64 %i\n"                     \
    "  %v = load float, ptr addrspace(1) %from\n"                                    \
    "  %w = load float, ptr addrspace(1) %to\n"
#define TAIL "  store float %s, ptr addrspace(1) %to\n  ret void\n}\n"

static const char triad[] =
    HEAD "  %m = fmul float %v, %f\n  %s = fadd float %m, %w\n" TAIL;
static const char division[] =
    HEAD "  %m = fmul float %v, %f\n  %s = fdiv float %m, %w\n" TAIL;
static const char arithmetic[] =
    HEAD "  %a = fmul float %v, %f\n  %b = fadd float %a, %w\n  %c = fmul float %b, %v\n"
         "  %d = fadd float %c, %w\n  %s = fmul float %d, %d\n" TAIL;
static const char gathered[] = HEAD
    "  %h = mul i64 %i, %i\n  %at = getelementptr float, ptr addrspace(1) %q, i64 %h\n"
    "  %s = load float, ptr addrspace(1) %at\n" TAIL;
static const char loop[] =
    HEAD "  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
         "  %t = phi float [ %v, %entry ], [ %s, %loop ]\n  %s = fmul float %t, %w\n"
         "  %next = add i32 %k, 1\n  %more = icmp ult i32 %next, %n\n"
         "  br i1 %more, label %loop, label %end\nend:\n" TAIL;

struct found {
    unsigned width, bits;
    bool narrow;
};

static struct found choose(const char *text, const char *model, unsigned bits)
{
    struct ir ir;
    struct tf_choice_of of = {.facts = &ir.facts,
                              .target = &ir.target,
                              .most_lanes = TF_MOST_LANES,
                              .long_rows = true};
    struct tf_choice choice;
    struct found found;

    ir_open(&ir, text);
    ir.target = tf_target_of(model, bits);
    of.width = bits / 32;
    ck_assert(ir_facts(&ir, of.width));
    ck_assert(tf_choice_init(&choice, &of));
    found =
        (struct found){choice.all.width, choice.all.target.vector_bits, choice.is_narrow};
    ck_assert_uint_eq(choice.masked.target.vector_bits, found.bits);
    tf_choice_finish(&choice);
    ir_close(&ir);
    return found;
}

START_TEST(streams_take_half_of_a_register_whose_stores_are_halved)
{
    const struct found narrow = choose(triad, "znver4", 512);

    ck_assert(narrow.narrow);
    ck_assert_uint_eq(narrow.width, 8);
    ck_assert_uint_eq(narrow.bits, 256);
    ck_assert(!choose(triad, "znver4", 256).narrow); // no narrower than that
}
END_TEST

START_TEST(other_processors_keep_their_registers)
{
    ck_assert_uint_eq(choose(triad, "znver5", 512).bits, 512);
    ck_assert_uint_eq(choose(triad, "cascadelake", 512).bits, 512);
    ck_assert_uint_eq(choose(triad, NULL, 512).bits, 512);
}
END_TEST

static const char *const others[] = {division, arithmetic, gathered, loop};

START_TEST(what_computes_keeps_its_registers)
{
    ck_assert(!choose(others[_i], "znver4", 512).narrow);
}
END_TEST

// ---- many streams

static void append(char *text, size_t size, const char *format, ...)
{
    const size_t used = strlen(text);
    va_list args;
    int wrote;

    va_start(args, format);
    wrote = vsnprintf(text + used, size - used, format, args);
    va_end(args);
    ck_assert(wrote > 0 && (size_t)wrote < size - used);
}

// The sum of columns that lie far from each other, as those that rates of reactions are
// summed from.
static struct found choose_columns(unsigned count, const char *type, const char *model,
                                   unsigned bits)
{
    char text[16384] = "";

    append(text, sizeof(text),
           "define void @k(ptr addrspace(1) %%p, ptr addrspace(1) %%q) {\n"
           "  %%x = call i32 @tf_gid0()\n  %%i = zext i32 %%x to i64\n"
           "  %%s0 = uitofp i32 0 to %s\n",
           type);
    for (unsigned i = 0; i < count; i++)
        append(text, sizeof(text),
               "  %%i%u = add nuw nsw i64 %%i, %u\n"
               "  %%c%u = getelementptr %s, ptr addrspace(1) %%q, i64 %%i%u\n"
               "  %%v%u = load %s, ptr addrspace(1) %%c%u\n"
               "  %%s%u = fadd %s %%s%u, %%v%u\n",
               i, 13824 * i, i, type, i, i, type, i, i + 1, type, i, i);
    append(text, sizeof(text),
           "  %%to = getelementptr %s, ptr addrspace(1) %%p, i64 %%i\n"
           "  store %s %%s%u, ptr addrspace(1) %%to\n  ret void\n}\n",
           type, type, count);
    return choose(text, model, bits);
}

START_TEST(few_columns_are_streams_as_any)
{
    const struct found found = choose_columns(8, "float", "znver4", 512);

    ck_assert(found.narrow);
    ck_assert_uint_eq(found.bits, 256);
}
END_TEST

START_TEST(of_many_columns_a_gang_takes_whole_lines)
{
    const struct found found = choose_columns(40, "float", "znver4", 512);

    ck_assert(!found.narrow);
    ck_assert_uint_eq(found.bits, 512);
    ck_assert_uint_eq(found.width, 16);
}
END_TEST

START_TEST(and_no_second_line)
{
    ck_assert_uint_le(choose_columns(40, "float", "znver3", 256).width, 16);
    ck_assert_uint_le(choose_columns(40, "float", "cascadelake", 512).width, 16);
}
END_TEST

// ---- fetching ahead

static const char neighbours[] =
    HEAD "  %j = add nuw nsw i64 %i, 1\n  %at = getelementptr float, ptr addrspace(1) "
         "%q, i64 %j\n"
         "  %u = load float, ptr addrspace(1) %at\n  %s = fadd float %u, %v\n" TAIL;
static const char loop_of_loads[] =
    HEAD "  br label %loop\nloop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
         "  %t = phi float [ %v, %entry ], [ %s, %loop ]\n  %l = zext i32 %k to i64\n"
         "  %at = getelementptr float, ptr addrspace(1) %from, i64 %l\n"
         "  %u = load float, ptr addrspace(1) %at\n  %s = fmul float %t, %u\n"
         "  %next = add nuw i32 %k, 1\n  %more = icmp ult i32 %next, %n\n"
         "  br i1 %more, label %loop, label %end\nend:\n" TAIL;

// Whether the load of that name fetches what the next gang loads.
static bool fetches(const char *text, const char *model, unsigned width, bool masked,
                    const char *name)
{
    struct ir ir;
    bool found = false;

    ir_open(&ir, text);
    ir.target = tf_target_of(model, 512);
    ck_assert(ir_plan(&ir, width, masked));
    for (unsigned i = 0; i < ir.plan.shapes->value_count; i++) {
        const struct tf_value *v = &ir.plan.shapes->values[i];

        if (v->instruction == ir_value(&ir, name))
            found = tf_plan_fetches_next(&ir.plan, v);
    }
    ir_close(&ir);
    return found;
}

START_TEST(streams_of_two_lines_a_gang_are_fetched_ahead)
{
    ck_assert(fetches(arithmetic, "znver5", 32, false, "v"));
    ck_assert(fetches(arithmetic, "znver5", 32, false, "w"));
}
END_TEST

START_TEST(others_are_not_fetched)
{
    ck_assert(!fetches(arithmetic, "znver5", 16, false, "v"));
    ck_assert(!fetches(arithmetic, "znver5", 64, false, "v"));
    ck_assert(!fetches(arithmetic, "znver5", 32, true, "v"));
    ck_assert(!fetches(arithmetic, "znver4", 32, false, "v"));
    ck_assert(!fetches(gathered, "znver5", 32, false, "s"));
}
END_TEST

START_TEST(neighbours_in_a_row_are_not_fetched)
{
    ck_assert(!fetches(neighbours, "znver5", 32, false, "v"));
    ck_assert(!fetches(neighbours, "znver5", 32, false, "u"));
    ck_assert(fetches(neighbours, "znver5", 32, false, "w"));
}
END_TEST

START_TEST(nothing_is_fetched_in_loops)
{
    ck_assert(fetches(loop_of_loads, "znver5", 32, false, "w"));
    ck_assert(!fetches(loop_of_loads, "znver5", 32, false, "u"));
}
END_TEST

Suite *tf_suite_stream(void)
{
    Suite *suite = suite_create("stream");
    TCase *tc = tcase_create("stream");

    tcase_add_test(tc, streams_take_half_of_a_register_whose_stores_are_halved);
    tcase_add_test(tc, other_processors_keep_their_registers);
    tcase_add_loop_test(tc, what_computes_keeps_its_registers, 0,
                        sizeof(others) / sizeof(others[0]));
    tcase_add_test(tc, few_columns_are_streams_as_any);
    tcase_add_test(tc, of_many_columns_a_gang_takes_whole_lines);
    tcase_add_test(tc, and_no_second_line);
    tcase_add_test(tc, streams_of_two_lines_a_gang_are_fetched_ahead);
    tcase_add_test(tc, others_are_not_fetched);
    tcase_add_test(tc, neighbours_in_a_row_are_not_fetched);
    tcase_add_test(tc, nothing_is_fetched_in_loops);
    suite_add_tcase(suite, tc);
    return suite;
}
