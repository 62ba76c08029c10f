// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <string.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/plan/dimension.h"

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
static const char with_local_id[] =
    COPY(GID0, GID1) "  %l = call i32 @tf_lid1()\n"
                     "  store i32 %l, ptr addrspace(1) %to\n" END;

static bool is_turned(const char *text, bool long_rows)
{
    struct ir ir;
    struct tf_wg wg;
    bool turned;

    ir_open(&ir, text);
    ir_gang(&ir, &wg, 8);
    wg.wide = ir.fn;
    wg.i64 = LLVMInt64TypeInContext(ir.context);
    wg.long_rows = long_rows;
    tf_wg_choose_dimension(&wg);
    turned = wg.turned;
    ck_assert(wg.tall_boxes == turned);
    // The analysis sees the column first, whichever way it was written.
    if (turned) {
        const char *name = tf_ir_called_name(ir_value(&ir, "c"));

        ck_assert_str_eq(name, "tf_gid0");
    }
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

START_TEST(who_asks_for_a_place_in_the_group_stays)
{
    ck_assert(!is_turned(by_columns, false));
    ck_assert(!is_turned(with_local_id, true));
}
END_TEST

Suite *tf_suite_dimension(void)
{
    Suite *suite = suite_create("dimension");
    TCase *tcase = tcase_create("lanes");

    tcase_add_test(tcase, columns_in_dimension_1_turn_the_lanes);
    tcase_add_test(tcase, rows_and_transpositions_stay_as_they_are);
    tcase_add_test(tcase, who_asks_for_a_place_in_the_group_stays);
    suite_add_tcase(suite, tcase);
    return suite;
}
