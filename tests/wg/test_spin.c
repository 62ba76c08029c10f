// SPDX-License-Identifier: MIT
#include "compiler/workgroup/prepare/waits/wait.h"
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

// ---- loops in which sub-groups wait for each other

static bool waits(const char *text)
{
    struct ir ir;
    bool result;

    ir_open(&ir, text);
    result = tf_wait_in(ir.fn);
    ir_close(&ir);
    return result;
}

#define FUNCTION(body)                                                   \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n)\n" \
    "{\nentry:\n" body "}\n"
// A loop of one block, which is left when %done.
#define WAIT_LOOP(body)                                                                  \
    FUNCTION("  br label %head\n"                                                        \
             "head:\n"                                                                   \
             "  %i = phi i32 [ 0, %entry ], [ %next, %head ]\n"                          \
             "  %next = add i32 %i, 1\n" body "  br i1 %done, label %end, label %head\n" \
             "end:\n  ret void\n")

START_TEST(others_may_set_flag)
{
    ck_assert(
        waits(WAIT_LOOP("  %x = load atomic i32, ptr addrspace(1) %p seq_cst, align 4\n"
                        "  %done = icmp eq i32 %x, %n\n")));
    ck_assert(waits(WAIT_LOOP("  %x = load volatile i32, ptr addrspace(1) %p\n"
                              "  %done = icmp eq i32 %x, 1\n")));
    ck_assert(waits(WAIT_LOOP("  fence acquire\n  %x = load i32, ptr addrspace(1) %p\n"
                              "  %done = icmp eq i32 %x, 1\n")));
    ck_assert(
        waits(WAIT_LOOP("  %x = atomicrmw add ptr addrspace(1) %p, i32 0 monotonic\n"
                        "  %done = icmp eq i32 %x, 1\n")));
}
END_TEST

START_TEST(others_may_set_lock)
{
    ck_assert(waits(
        WAIT_LOOP("  %x = cmpxchg ptr addrspace(1) %p, i32 0, i32 1 seq_cst seq_cst\n"
                  "  %done = extractvalue { i32, i1 } %x, 1\n")));
    ck_assert(waits(WAIT_LOOP("  %x = atomicrmw xchg ptr addrspace(1) %p, i32 1 seq_cst\n"
                              "  %done = icmp eq i32 %x, 0\n")));
}
END_TEST

START_TEST(a_bounded_wait_is_one)
{
    ck_assert(waits(FUNCTION("  br label %head\n"
                             "head:\n"
                             "  %i = phi i32 [ 0, %entry ], [ %next, %more ]\n"
                             "  %x = load volatile i32, ptr addrspace(1) %p\n"
                             "  %is = icmp eq i32 %x, 1\n"
                             "  br i1 %is, label %end, label %more\n"
                             "more:\n"
                             "  %next = add i32 %i, 1\n"
                             "  %over = icmp eq i32 %next, %n\n"
                             "  br i1 %over, label %end, label %head\n"
                             "end:\n  ret void\n")));
}
END_TEST

// The flag decides which way is taken, and only that whether the loop ends.
START_TEST(a_wait_by_way_of_a_branch_is_one)
{
    ck_assert(
        waits(FUNCTION("  br label %head\n"
                       "head:\n"
                       "  %x = load volatile i32, ptr addrspace(1) %p\n"
                       "  %is = icmp eq i32 %x, 1\n"
                       "  br i1 %is, label %set, label %latch\n"
                       "set:\n  store i32 1, ptr addrspace(1) %q\n  br label %latch\n"
                       "latch:\n  %done = phi i1 [ true, %set ], [ false, %head ]\n"
                       "  br i1 %done, label %end, label %head\n"
                       "end:\n  ret void\n")));
    // Whoever finds the word locked does not even try.
    ck_assert(waits(
        FUNCTION("  br label %head\n"
                 "head:\n"
                 "  %x = load atomic i32, ptr addrspace(1) %p monotonic, align 4\n"
                 "  %is = icmp eq i32 %x, -1\n"
                 "  br i1 %is, label %head, label %try\n"
                 "try:\n"
                 "  %pair = cmpxchg ptr addrspace(1) %p, i32 %x, i32 -1 seq_cst seq_cst\n"
                 "  %done = extractvalue { i32, i1 } %pair, 1\n"
                 "  br i1 %done, label %end, label %head\n"
                 "end:\n  ret void\n")));
}
END_TEST

// Of two ways back the one that was taken says what the flag was.
START_TEST(a_wait_by_way_of_the_way_back_is_one)
{
    ck_assert(waits(FUNCTION("  br label %head\n"
                             "head:\n"
                             "  %s = phi i32 [ 0, %entry ], [ 1, %set ], [ 0, %not ]\n"
                             "  %done = icmp eq i32 %s, 1\n"
                             "  br i1 %done, label %end, label %look\n"
                             "look:\n"
                             "  %x = load volatile i32, ptr addrspace(1) %p\n"
                             "  %is = icmp eq i32 %x, 1\n"
                             "  br i1 %is, label %set, label %not\n"
                             "set:\n  br label %head\nnot:\n  br label %head\n"
                             "end:\n  ret void\n")));
}
END_TEST

START_TEST(a_wait_by_way_of_memory_is_one)
{
    ck_assert(waits(WAIT_LOOP("  %x = load volatile i32, ptr addrspace(1) %p\n"
                              "  store i32 %x, ptr addrspace(1) %q\n"
                              "  %y = load i32, ptr addrspace(1) %q\n"
                              "  %done = icmp eq i32 %y, 1\n")));
}
END_TEST

START_TEST(a_wait_by_volatile_structures_is_one)
{
    ck_assert(waits(
        "declare void @llvm.memcpy.p0.p1.i64(ptr, ptr addrspace(1), i64, i1)\n" FUNCTION(
            "  %t = alloca [4 x i32]\n  %e = getelementptr i32, ptr %t, i32 %n\n"
            "  br label %head\nhead:\n"
            "  call void @llvm.memcpy.p0.p1.i64(ptr %t, ptr addrspace(1) %p, i64 16, "
            "i1 true)\n"
            "  %x = load i32, ptr %e\n  %done = icmp eq i32 %x, 1\n"
            "  br i1 %done, label %end, label %head\n"
            "end:\n  ret void\n")));
}
END_TEST

START_TEST(a_loop_without_end_may_wait)
{
    ck_assert(waits(FUNCTION(
        "  br label %head\n"
        "head:\n  %x = load volatile i32, ptr addrspace(1) %p\n  br label %head\n")));
}
END_TEST

START_TEST(a_counted_loop_does_not_wait)
{
    ck_assert(
        !waits(WAIT_LOOP("  %x = atomicrmw xchg ptr addrspace(1) %p, i32 %i seq_cst\n"
                         "  store volatile i32 %x, ptr addrspace(1) %q\n"
                         "  %done = icmp eq i32 %next, %n\n")));
    ck_assert(!waits(WAIT_LOOP("  %x = load i32, ptr addrspace(1) %p\n"
                               "  %done = icmp eq i32 %next, %x\n")));
}
END_TEST

START_TEST(a_retry_does_not_wait)
{
    ck_assert(!waits(WAIT_LOOP("  %old = load i32, ptr addrspace(1) %p\n"
                               "  %new = add i32 %old, %n\n"
                               "  %x = cmpxchg ptr addrspace(1) %p, i32 %old, i32 %new "
                               "seq_cst seq_cst\n"
                               "  %done = extractvalue { i32, i1 } %x, 1\n")));
}
END_TEST

// A ring of which whoever finds it full gives up.
START_TEST(a_retry_that_may_give_up_does_not_wait)
{
    ck_assert(!waits(FUNCTION(
        "  br label %head\n"
        "head:\n"
        "  %x = load atomic i32, ptr addrspace(1) %p monotonic, align 4\n"
        "  %full = icmp ugt i32 %x, %n\n"
        "  br i1 %full, label %end, label %try\n"
        "try:\n  %new = add i32 %x, 1\n"
        "  %pair = cmpxchg ptr addrspace(1) %p, i32 %x, i32 %new seq_cst seq_cst\n"
        "  %done = extractvalue { i32, i1 } %pair, 1\n"
        "  br i1 %done, label %end, label %head\n"
        "end:\n  ret void\n")));
}
END_TEST

START_TEST(a_counter_does_not_wait)
{
    ck_assert(
        !waits(WAIT_LOOP("  %x = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic\n"
                         "  %done = icmp uge i32 %x, %n\n")));
    // A semaphore: whoever finds it taken gives back what it took.
    ck_assert(
        waits(WAIT_LOOP("  %x = atomicrmw sub ptr addrspace(1) %p, i32 1 monotonic\n"
                        "  %y = atomicrmw add ptr addrspace(1) %p, i32 1 monotonic\n"
                        "  %done = icmp eq i32 %x, 1\n")));
}
END_TEST

START_TEST(a_round_with_a_barrier_does_not_wait)
{
    ck_assert(
        !waits(WAIT_LOOP("  call void @__tf_barrier()\n"
                         "  %x = load atomic i32, ptr addrspace(1) %p seq_cst, align 4\n"
                         "  %done = icmp eq i32 %x, %n\n")));
    ck_assert(waits(FUNCTION("  br label %head\n"
                             "head:\n"
                             "  %x = load volatile i32, ptr addrspace(1) %p\n"
                             "  %is = icmp eq i32 %x, 1\n"
                             "  br i1 %is, label %meet, label %latch\n"
                             "meet:\n  call void @__tf_barrier()\n  br label %latch\n"
                             "latch:\n  %done = icmp eq i32 %x, 2\n"
                             "  br i1 %done, label %end, label %head\n"
                             "end:\n  ret void\n")));
}
END_TEST

Suite *tf_suite_spin(void)
{
    Suite *suite = suite_create("spin");
    TCase *tests = tcase_create("spin"), *waiting = tcase_create("waiting");

    tcase_add_test(tests, a_lock_is_waited_for);
    tcase_add_test(tests, a_flag_is_waited_for);
    tcase_add_test(tests, a_retry_with_what_was_seen_is_no_wait);
    tcase_add_test(tests, a_retry_reads_the_word_first);
    tcase_add_test(tests, what_is_made_of_what_was_seen_is_waited_for);
    tcase_add_test(tests, what_was_seen_may_be_waited_for);
    tcase_add_test(tests, a_loop_over_data_is_no_wait);
    tcase_add_test(waiting, others_may_set_flag);
    tcase_add_test(waiting, others_may_set_lock);
    tcase_add_test(waiting, a_bounded_wait_is_one);
    tcase_add_test(waiting, a_wait_by_way_of_a_branch_is_one);
    tcase_add_test(waiting, a_wait_by_way_of_the_way_back_is_one);
    tcase_add_test(waiting, a_wait_by_way_of_memory_is_one);
    tcase_add_test(waiting, a_wait_by_volatile_structures_is_one);
    tcase_add_test(waiting, a_loop_without_end_may_wait);
    tcase_add_test(waiting, a_counted_loop_does_not_wait);
    tcase_add_test(waiting, a_retry_does_not_wait);
    tcase_add_test(waiting, a_retry_that_may_give_up_does_not_wait);
    tcase_add_test(waiting, a_counter_does_not_wait);
    tcase_add_test(waiting, a_round_with_a_barrier_does_not_wait);
    suite_add_tcase(suite, tests);
    suite_add_tcase(suite, waiting);
    return suite;
}
