// SPDX-License-Identifier: MIT
// Registers of a block: in the order of the program, and in the best that is found.
#include "ir_text.h"

#include "base/alloc.h"
#include "base/str.h"
#include "compiler/workgroup/plan/room/room.h"

static struct ir ir;

// `sums` sums of `loads` neighbours, each of one further on, as rows of a stencil are:
// the program goes through one sum after the other and has all that is loaded alive, in
// another order each load is used up at once.
static char *sums_of(unsigned sums, unsigned loads)
{
    struct tf_str text = {0};

    tf_str_printf(&text, "define void @k(ptr addrspace(1) %%p, ptr addrspace(1) %%q) {\n"
                         "  %%x = call i32 @tf_gid0()\n  %%i = zext i32 %%x to i64\n"
                         "  %%at = getelementptr float, ptr addrspace(1) %%p, i64 %%i\n"
                         "  %%to = getelementptr float, ptr addrspace(1) %%q, i64 %%i\n");
    for (unsigned k = 0; k < loads + sums - 1; k++)
        tf_str_printf(&text,
                      "  %%at%u = getelementptr float, ptr addrspace(1) %%at, i64 %u\n"
                      "  %%v%u = load float, ptr addrspace(1) %%at%u\n",
                      k, 1000 * k, k, k);
    for (unsigned s = 0; s < sums; s++) {
        tf_str_printf(&text, "  %%s%u.1 = fadd float %%v%u, %%v%u\n", s, s, s + 1);
        for (unsigned k = 2; k < loads; k++)
            tf_str_printf(&text, "  %%s%u.%u = fadd float %%s%u.%u, %%v%u\n", s, k, s,
                          k - 1, s + k);
    }
    for (unsigned s = 0; s < sums; s++)
        tf_str_printf(&text,
                      "  %%to%u = getelementptr float, ptr addrspace(1) %%to, i64 %u\n"
                      "  store float %%s%u.%u, ptr addrspace(1) %%to%u\n",
                      s, 5000 * s, s, loads - 1, s);
    tf_str_printf(&text, "  ret void\n}\n");
    return tf_str_take(&text);
}

static void plan(unsigned sums, unsigned loads)
{
    char *const text = sums_of(sums, loads);

    ir_open(&ir, text);
    tf_free(text);
    ck_assert_msg(ir_plan(&ir, 8, false), "%s", ir.plan.unfit);
}

START_TEST(values_that_wait_want_registers)
{
    plan(1, 10);
    ck_assert(tf_plan_has_room(&ir.plan));
    ck_assert_uint_eq(tf_plan_room(&ir.plan).registers, 10);
    ir_close(&ir);
    plan(3, 20);
    ck_assert_uint_ge(tf_plan_room(&ir.plan).registers, 20);
    ck_assert(!tf_plan_has_room(&ir.plan));
    ir_close(&ir);
}
END_TEST

START_TEST(another_order_may_have_registers)
{
    plan(3, 20);
    ck_assert(tf_plan_may_have_room(&ir.plan));
    ir_close(&ir);
    plan(20, 20); // sums, too, want a register each
    ck_assert(!tf_plan_may_have_room(&ir.plan));
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_room(void)
{
    Suite *suite = suite_create("room");
    TCase *tcase = tcase_create("room");

    tcase_add_test(tcase, values_that_wait_want_registers);
    tcase_add_test(tcase, another_order_may_have_registers);
    suite_add_tcase(suite, tcase);
    return suite;
}
