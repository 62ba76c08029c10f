// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <llvm-c/Analysis.h>

#define KERNEL(body) "define i32 @k(ptr addrspace(1) %p, i32 %x) {\n" body "}\n"
#define MIN(order)                                                              \
    KERNEL("  %old = atomicrmw volatile min ptr addrspace(1) %p, i32 %x " order \
           ", align 4\n  ret i32 %old\n")

// How often `what` stands in what becomes of it.
static unsigned made(const char *text, bool has_atomics, const char *what)
{
    struct ir ir;
    struct tf_wg wg;
    unsigned found;

    ir_open(&ir, text);
    wg = ir_wg(&ir, 8);
    tf_wg_init(&wg);
    ir.item.has_atomics = has_atomics;
    ck_assert(tf_wg_extremes(&wg));
    ck_assert(!LLVMVerifyModule(ir.module, LLVMPrintMessageAction, NULL));
    ck_assert_uint_eq(ir_count(&ir, "call "), 0);
    found = ir_count(&ir, what);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
    return found;
}

START_TEST(a_word_that_stays_is_not_written)
{
    ck_assert_uint_eq(made(MIN("monotonic"), true, "load atomic i32"), 1);
    ck_assert_uint_eq(made(MIN("monotonic"), true, "icmp slt i32"), 1);
    ck_assert_uint_eq(made(MIN("monotonic"), true, "icmp ne i32"), 1);
    ck_assert_uint_eq(made(MIN("monotonic"), true, "atomicrmw min"), 1);
    ck_assert_uint_eq(made(MIN("monotonic"), false, "load atomic"), 0);
}
END_TEST

START_TEST(other_orders_stay)
{
    ck_assert_uint_eq(made(MIN("acq_rel"), true, "load atomic"), 0);
    ck_assert_uint_eq(made(MIN("acq_rel"), true, "atomicrmw volatile min"), 1);
    ck_assert_uint_eq(made(MIN("seq_cst"), true, "load atomic"), 0);
}
END_TEST

START_TEST(each_operation_asks_its_own_question)
{
    static const char text[] =
        KERNEL("  %a = atomicrmw max ptr addrspace(1) %p, i32 %x monotonic, align 4\n"
               "  %b = atomicrmw umax ptr addrspace(1) %p, i32 %x monotonic, align 4\n"
               "  %c = atomicrmw umin ptr addrspace(1) %p, i32 %x monotonic, align 4\n"
               "  %d = atomicrmw umin ptr addrspace(1) %p, i32 7 monotonic, align 4\n"
               "  %e = atomicrmw add ptr addrspace(1) %p, i32 %x monotonic, align 4\n"
               "  ret i32 %a\n");

    ck_assert_uint_eq(made(text, true, "icmp sgt i32"), 1);
    ck_assert_uint_eq(made(text, true, "icmp ugt i32"), 1);
    ck_assert_uint_eq(made(text, true, "icmp ult i32"), 2);
    ck_assert_uint_eq(made(text, true, "load atomic i32"), 4);
    ck_assert_uint_eq(made(text, true, "atomicrmw"), 5);
}
END_TEST

Suite *tf_suite_extremes(void)
{
    Suite *suite = suite_create("extremes");
    TCase *tests = tcase_create("extremes");

    tcase_add_test(tests, a_word_that_stays_is_not_written);
    tcase_add_test(tests, other_orders_stay);
    tcase_add_test(tests, each_operation_asks_its_own_question);
    suite_add_tcase(suite, tests);
    return suite;
}
