// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include "compiler/workgroup/plan/choice/choose.h"

// Reads and writes p[row * n + column]; `row` and `column` are calls of ids.
#define COPY(row, column)                                                  \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {\n" \
    "  %r = " row "\n  %c = " column "\n"                                  \
    "  %row = zext i32 %r to i64\n  %column = zext i32 %c to i64\n"        \
    "  %first = mul i64 %row, %n\n  %i = add i64 %first, %column\n"        \
    "  %from = getelementptr float, ptr addrspace(1) %p, i64 %i\n"         \
    "  %to = getelementptr float, ptr addrspace(1) %q, i64 %i\n"           \
    "  %v = load float, ptr addrspace(1) %from\n"                          \
    "  store float %v, ptr addrspace(1) %to\n"

#define GID0 "call i32 @tf_gid0()"
#define GID1 "call i32 @tf_gid1()"
#define END "  ret void\n}\n"

static const char by_rows[] = COPY(GID1, GID0) END;
static const char by_columns[] = COPY(GID0, GID1) END;
static const char second_alone[] = COPY("add i32 3, 4", GID1) END;
// Gathers along dimension 0, scatters along dimension 1.
static const char transposed[] =
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i64 %n) {\n"
    "  %r = " GID0 "\n  %c = " GID1 "\n"
    "  %row = zext i32 %r to i64\n  %column = zext i32 %c to i64\n"
    "  %a = mul i64 %row, %n\n  %i = add i64 %a, %column\n"
    "  %b = mul i64 %column, %n\n  %j = add i64 %b, %row\n"
    "  %from = getelementptr float, ptr addrspace(1) %p, i64 %i\n"
    "  %to = getelementptr float, ptr addrspace(1) %q, i64 %j\n"
    "  %v = load float, ptr addrspace(1) %from\n"
    "  store float %v, ptr addrspace(1) %to\n" END;
static bool is_turned(const char *text, bool may_turn)
{
    struct ir ir;
    struct tf_choice_of of = {.facts = &ir.facts, .target = &ir.target, .width = 8};
    struct tf_choice choice;
    bool turned;

    ir_open(&ir, text);
    ck_assert(ir_facts(&ir, 8));
    of.may_turn = may_turn;
    ck_assert(tf_choice_init(&choice, &of));
    turned = choice.facts->of.turned;
    // The column then is what lanes count.
    if (turned)
        ck_assert_int_eq(tf_shape_of(choice.all.shapes, ir_value(&ir, "c")).stride, 1);
    tf_choice_finish(&choice);
    ir_close(&ir);
    return turned;
}

START_TEST(columns_in_dimension_1_turn_the_lanes)
{
    ck_assert(is_turned(by_columns, true));
}
END_TEST

START_TEST(rows_and_transpositions_stay_as_they_are)
{
    ck_assert(!is_turned(by_rows, true));
    ck_assert(!is_turned(transposed, true));
    ck_assert(!is_turned(second_alone, true)); // all lanes do the same
}
END_TEST

START_TEST(who_may_not_turn_stays)
{
    ck_assert(!is_turned(by_columns, false));
}
END_TEST

Suite *tf_suite_dimension(void)
{
    Suite *suite = suite_create("dimension");
    TCase *tcase = tcase_create("lanes");

    tcase_add_test(tcase, columns_in_dimension_1_turn_the_lanes);
    tcase_add_test(tcase, rows_and_transpositions_stay_as_they_are);
    tcase_add_test(tcase, who_may_not_turn_stays);
    suite_add_tcase(suite, tcase);
    return suite;
}
