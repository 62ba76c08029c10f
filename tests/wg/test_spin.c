// SPDX-License-Identifier: MIT
#include "ir_text.h"

static bool spins(const char *text)
{
    struct ir ir;
    bool result;

    ir_open(&ir, text);
    ck_assert(ir_facts(&ir, 8));
    result = ir.facts.spins;
    ir_close(&ir);
    return result;
}

// `body` makes %done of the round's values; lanes stay while it is false.
#define LOOP(body)                                                 \
    "define void @k(ptr addrspace(1) %p, i32 %n) {\n"              \
    "entry:\n  %x = call i32 @tf_lid0()\n"                         \
    "  %first = load i32, ptr addrspace(1) %p\n  br label %head\n" \
    "head:\n"                                                      \
    "  %old = phi i32 [ %first, %entry ], [ %seen, %head ]\n" body \
    "  br i1 %done, label %end, label %head\n"                     \
    "end:\n  ret void\n}\n"

START_TEST(a_lock_is_waited_for)
{
    ck_assert(
        spins(LOOP("  %pair = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 seq_cst seq_cst\n"
                   "  %seen = extractvalue { i32, i1 } %pair, 0\n"
                   "  %done = icmp eq i32 %seen, 0\n")));
    ck_assert(spins(LOOP("  %seen = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst\n"
                         "  %done = icmp eq i32 %seen, 0\n")));
}
END_TEST

START_TEST(a_flag_is_waited_for)
{
    ck_assert(spins(LOOP("  %seen = load volatile i32, ptr addrspace(1) %p\n"
                         "  %sum = add i32 %seen, %x\n"
                         "  %done = icmp eq i32 %sum, 9\n")));
    ck_assert(
        spins(LOOP("  %seen = load atomic i32, ptr addrspace(1) %p seq_cst, align 4\n"
                   "  %done = icmp sgt i32 %seen, %x\n")));
}
END_TEST

START_TEST(a_retry_with_what_was_seen_is_no_wait)
{
    ck_assert(!spins(LOOP("  %new = add i32 %old, %x\n"
                          "  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new "
                          "seq_cst seq_cst\n"
                          "  %seen = extractvalue { i32, i1 } %pair, 0\n"
                          "  %done = extractvalue { i32, i1 } %pair, 1\n")));
}
END_TEST

START_TEST(a_retry_reads_the_word_first)
{
    ck_assert(!spins(LOOP("  %seen = load i32, ptr addrspace(1) %p\n"
                          "  %new = add i32 %seen, %x\n"
                          "  %pair = cmpxchg ptr addrspace(1) %p, i32 %seen, i32 %new "
                          "seq_cst seq_cst\n"
                          "  %got = extractvalue { i32, i1 } %pair, 0\n"
                          "  %done = icmp eq i32 %got, %seen\n")));
    ck_assert(!spins(LOOP("  %seen = atomicrmw or ptr addrspace(1) %p, i32 0 monotonic\n"
                          "  %new = add i32 %seen, %x\n"
                          "  %pair = cmpxchg ptr addrspace(1) %p, i32 %seen, i32 %new "
                          "seq_cst seq_cst\n"
                          "  %done = extractvalue { i32, i1 } %pair, 1\n")));
}
END_TEST

// A lock of even and odd numbers.
START_TEST(what_is_made_of_what_was_seen_is_waited_for)
{
    ck_assert(spins(LOOP("  %new = add i32 %old, 1\n"
                         "  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new "
                         "seq_cst seq_cst\n"
                         "  %got = extractvalue { i32, i1 } %pair, 0\n"
                         "  %odd = and i32 %got, 1\n  %seen = add i32 %got, %odd\n"
                         "  %done = extractvalue { i32, i1 } %pair, 1\n")));
}
END_TEST

// The exchange may succeed and the loop go on.
START_TEST(what_was_seen_may_be_waited_for)
{
    ck_assert(spins(LOOP("  %new = or i32 %old, 1\n"
                         "  %pair = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new "
                         "seq_cst seq_cst\n"
                         "  %seen = extractvalue { i32, i1 } %pair, 0\n"
                         "  %odd = and i32 %seen, 1\n  %done = icmp eq i32 %odd, 0\n")));
}
END_TEST

START_TEST(a_loop_over_data_is_no_wait)
{
    ck_assert(!spins(LOOP("  %seen = load i32, ptr addrspace(1) %p\n"
                          "  %done = icmp sgt i32 %seen, %x\n")));
    ck_assert(!spins(LOOP("  %other = atomicrmw add ptr addrspace(1) %p, i32 1 seq_cst\n"
                          "  %seen = add i32 %old, %x\n"
                          "  %done = icmp sgt i32 %seen, 100\n")));
}
END_TEST

Suite *tf_suite_spin(void)
{
    Suite *suite = suite_create("spin");
    TCase *tests = tcase_create("spin");

    tcase_add_test(tests, a_lock_is_waited_for);
    tcase_add_test(tests, a_flag_is_waited_for);
    tcase_add_test(tests, a_retry_with_what_was_seen_is_no_wait);
    tcase_add_test(tests, a_retry_reads_the_word_first);
    tcase_add_test(tests, what_is_made_of_what_was_seen_is_waited_for);
    tcase_add_test(tests, what_was_seen_may_be_waited_for);
    tcase_add_test(tests, a_loop_over_data_is_no_wait);
    suite_add_tcase(suite, tests);
    return suite;
}
