// SPDX-License-Identifier: MIT
// The gang pass as a whole, and its invariants (gang_emit.h).
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

#include <sys/resource.h>

enum { WIDTH = 8 };

static unsigned vector_bits = 512; // of the machine; it has masked memory
static char *text;                 // of the function that was made

// Item functions have no other parameters; memory comes from the first.
#define K                                                                              \
    "define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, i64 %l2) " \
    "{\n"
#define MEMORY                                                \
    "  %p = load ptr addrspace(1), ptr %launch\n"             \
    "  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n" \
    "  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"

static void make(const char *source, bool masked)
{
    struct ir ir;

    ir_open(&ir, source);
    ir.target = tf_target_of(NULL, vector_bits);
    ck_assert_msg(ir_plan(&ir, WIDTH, masked), "%s", ir.plan.unfit);
    text = ir_emit(&ir); // all that is made keeps the rules of masks
    ir_close(&ir);
}

static unsigned count(const char *what)
{
    unsigned found = 0;

    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        found++;
    return found;
}

static void expect(const char *what, unsigned times)
{
    ck_assert_msg(count(what) == times, "%u of '%s', not %u, in\n%s", count(what), what,
                  times, text);
}

static void finish(void)
{
    LLVMDisposeMessage(text);
}

static const char straight[] = K MEMORY "  %v = load i32, ptr addrspace(1) %at\n"
                                        "  %w = add nsw i32 %v, 5\n"
                                        "  store i32 %w, ptr addrspace(1) %at\n"
                                        "  ret void\n}\n";

START_TEST(a_full_gang_has_no_masks_where_control_is_uniform)
{
    make(straight, false);
    expect("llvm.masked", 0);
    expect("reduce.or", 0);
    expect("load <8 x i32>, ptr addrspace(1)", 1);
    expect("store <8 x i32>", 1);
    finish();
}
END_TEST

START_TEST(a_gang_of_fewer_lanes_masks_every_access)
{
    make(straight, true);
    expect("call <8 x i32> @llvm.masked.load", 1);
    expect("call void @llvm.masked.store", 1);
    expect("load <8 x i32>, ptr addrspace(1)", 0);
    expect("store <8 x i32> %", 0);
    finish();
}
END_TEST

// Four floats at an address of each lane's own: a gather would take them apart.
static const char colors[] =
    K MEMORY "  %v = load i32, ptr addrspace(1) %at\n"
             "  %index = sext i32 %v to i64\n"
             "  %far = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %index\n"
             "  %c = load <4 x float>, ptr addrspace(1) %far\n"
             "  %to = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %i\n"
             "  store <4 x float> %c, ptr addrspace(1) %to\n"
             "  ret void\n}\n";

START_TEST(vectors_of_16_bytes_are_loaded_lane_by_lane)
{
    make(colors, false);
    expect("llvm.masked.gather", 0);
    expect("load <4 x float>", WIDTH);
    finish();
    make(colors, true);
    expect("call <16 x i64> @llvm.masked.gather", 1);
    expect("load <4 x float>", 0);
    finish();
}
END_TEST

// What only some lanes do: `body` is executed where %v is positive.
#define SOME(body)                                                        \
    K MEMORY "  %v = load i32, ptr addrspace(1) %at\n"                    \
             "  %far = getelementptr i32, ptr addrspace(1) %p, i64 %l1\n" \
             "  %some = icmp sgt i32 %v, 0\n"                             \
             "  br i1 %some, label %then, label %end\n"                   \
             "then:\n" body "  br label %end\n"                           \
             "end:\n  ret void\n}\n"

// M1: a mask made by `and` is poison where the condition is.
START_TEST(masks_are_made_by_select)
{
    make(SOME("  %odd = trunc i32 %v to i1\n  br i1 %odd, label %more, label %end\n"
              "more:\n  store i32 1, ptr addrspace(1) %at\n"),
         false);
    expect("and <8 x i1>", 0);
    expect("call void @llvm.masked.store", 1);
    finish();
}
END_TEST

// M3: the shared address may be no address when no lane is active.
START_TEST(a_shared_access_stands_behind_a_guard)
{
    const char *load, *guard;

    make(SOME("  %w = load i32, ptr addrspace(1) %far\n"
              "  store i32 %w, ptr addrspace(1) %at\n"),
         false);
    guard = strstr(text, "llvm.vector.reduce.or");
    load = strstr(text, "= load i32, ptr addrspace(1)");
    ck_assert_msg(guard && load && guard < load, "%s", text);
    // The block of the load is one that the guard leads to.
    guard = strstr(text, "\nbody");
    ck_assert_msg(guard && guard < load, "%s", text);
    finish();
}
END_TEST

// M4: lane 0, whose value the scalar is, may not be active.
START_TEST(scalars_in_masked_code_promise_nothing)
{
    make(SOME("  %a = add nsw i64 %l1, 3\n  %b = mul nuw nsw i64 %a, %l2\n"
              "  %c = getelementptr inbounds i32, ptr addrspace(1) %p, i64 %b\n"
              "  %d = load i32, ptr addrspace(1) %c\n  %e = udiv exact i32 %d, 2\n"
              "  store i32 %e, ptr addrspace(1) %at\n"),
         false);
    expect("nsw", 0);
    expect("nuw", 0);
    expect("exact", 0);
    expect("getelementptr inbounds i32", 0);
    finish();
}
END_TEST

// M5: a lane that is not active would divide by zero.
START_TEST(lanes_that_are_not_active_divide_by_one)
{
    const char *divide, *divisor;

    make(SOME("  %w = sdiv i32 100, %v\n  store i32 %w, ptr addrspace(1) %at\n"), false);
    divide = strstr(text, "div <8 x "); // of integers or reals
    ck_assert_msg(divide, "%s", text);
    divisor = strstr(text, "select <8 x i1>");
    ck_assert_msg(divisor && divisor < divide, "%s", text);
    finish();
}
END_TEST

// A region behind a store, where nothing can start again.
#define BEHIND                                              \
    K MEMORY "  store i32 3, ptr addrspace(1) %at\n"        \
             "  %some = icmp ult i64 %i, %l1\n"             \
             "  br i1 %some, label %then, label %end\n"     \
             "then:\n  store i32 7, ptr addrspace(1) %at\n" \
             "  br label %end\nend:\n  ret void\n}\n"

START_TEST(all_lanes_of_a_region_need_no_masks)
{
    vector_bits = 128;
    make(BEHIND, false);
    expect("\ntwin", 1);
    expect("llvm.vector.reduce.and", 1);
    expect("call void @llvm.masked.store", 1);
    expect("store <8 x i32>", 2);
    finish();
    vector_bits = 512;
    make(BEHIND, false);
    expect("\ntwin", 0);
    finish();
    vector_bits = 128;
    make(BEHIND, true);
    expect("\ntwin", 0);
    finish();
    vector_bits = 512;
}
END_TEST

// Of numbers that are not small they make 64-bit divisions of their own.
START_TEST(small_numbers_of_64_bits_are_divided_as_real_ones)
{
    const char *real, *whole;

    make(SOME("  %w = load i64, ptr addrspace(1) %at\n  %d = zext i32 %v to i64\n"
              "  %q = udiv i64 %w, %d\n  %r = srem i64 %q, %l1\n"
              "  %t = udiv i64 %r, 1000\n  %h = udiv i64 %r, 1024\n"
              "  %s = add i64 %t, %h\n"
              "  store i64 %s, ptr addrspace(1) %at\n"),
         false);
    expect("fdiv <8 x double>", 1);
    expect("fdiv double", 1); // the reciprocal of what all divide by
    expect("udiv <8 x i64>", 2 + 1);
    expect("srem <8 x i64>", 1);
    expect("\nsmall", 3);
    whole = strstr(text, "udiv <8 x i64>");
    real = strstr(text, "fdiv <8 x double>");
    ck_assert_msg(whole && real && real < whole, "%s", text);
    finish();
}
END_TEST

START_TEST(volatile_and_atomic_accesses_stay_as_they_are)
{
    make(K MEMORY "  %v = load volatile i32, ptr addrspace(1) %at\n"
                  "  %w = atomicrmw add ptr addrspace(1) %at, i32 %v seq_cst\n"
                  "  store volatile i32 %w, ptr addrspace(1) %at\n"
                  "  ret void\n}\n",
         false);
    expect("load volatile i32", 1); // once in a loop over the lanes
    expect("store volatile i32", 1);
    expect("atomicrmw add", 1);
    expect("volatile <", 0);
    expect("\nlanes_done", 3);
    finish();
}
END_TEST

START_TEST(one_atomic_changes_the_word_of_all_lanes)
{
    make(K MEMORY "  %v = load i32, ptr addrspace(1) %at\n"
                  "  %w = atomicrmw volatile add ptr addrspace(1) %p, i32 %v "
                  "syncscope(\"device\") acq_rel\n"
                  "  %n = atomicrmw umax ptr addrspace(1) %p, i32 %v monotonic\n"
                  "  store i32 %w, ptr addrspace(1) %at\n"
                  "  ret void\n}\n",
         false);
    expect("atomicrmw volatile add ptr addrspace(1) %", 1);
    expect("syncscope(\"device\") acq_rel", 1);
    expect("llvm.vector.reduce.umax", 1); // nobody asks for what the lanes found
    expect("shufflevector", 4 + 1);       // three doublings, one back; the old value
    expect("\nlanes_done", 0);
    finish();
}
END_TEST

// A sum of real numbers depends on their order.
START_TEST(other_atomics_run_lane_by_lane)
{
    make(K MEMORY
         "  %v = load float, ptr addrspace(1) %at\n"
         "  %w = atomicrmw fadd ptr addrspace(1) %p, float %v monotonic\n"
         "  %n = cmpxchg ptr addrspace(1) %p, i32 %x, i32 1 monotonic monotonic\n"
         "  ret void\n}\n",
         false);
    expect("\nlanes_done", 2);
    finish();
}
END_TEST

// Each lane takes what the one below left, the first one what was there.
START_TEST(one_exchange_does_for_all_lanes)
{
    make(K MEMORY "  %v = load float, ptr addrspace(1) %at\n"
                  "  %w = atomicrmw xchg ptr addrspace(1) %p, float %v seq_cst\n"
                  "  store float %w, ptr addrspace(1) %at\n"
                  "  ret void\n}\n",
         false);
    expect("atomicrmw xchg ptr addrspace(1) %", 1);
    expect("\nlanes_done", 0);
    expect("select", 0);
    finish();
    make(SOME("  %w = atomicrmw xchg ptr addrspace(1) %p, i32 %v seq_cst\n"
              "  store i32 %w, ptr addrspace(1) %at\n"),
         false);
    expect("atomicrmw xchg ptr addrspace(1) %", 1);
    expect("= select <8 x i1>", 3 + 1); // three doublings, the first one
    finish();
}
END_TEST

// Words of their own are compared first; local memory is not locked anyhow.
START_TEST(lanes_that_meet_in_a_word_change_it_once)
{
    make(K MEMORY "  %v = load i32, ptr addrspace(1) %at\n"
                  "  %to = getelementptr i32, ptr addrspace(1) %p, i32 %v\n"
                  "  %w = atomicrmw or ptr addrspace(1) %to, i32 %v monotonic\n"
                  "  store i32 %w, ptr addrspace(1) %at\n"
                  "  ret void\n}\n",
         false);
    expect("atomicrmw or ptr addrspace(1) %", 2);
    expect("\none_word", 1);
    expect("\nlanes_done", 1);
    finish();
    make(K MEMORY "  %v = load i32, ptr addrspace(1) %at\n"
                  "  %to = getelementptr i32, ptr addrspace(3) null, i32 %v\n"
                  "  %w = atomicrmw or ptr addrspace(3) %to, i32 %v monotonic\n"
                  "  ret void\n}\n",
         false);
    expect("\none_word", 0);
    finish();
}
END_TEST

// Who is not active adds nothing, and the atomic stands behind a guard.
START_TEST(lanes_that_are_not_active_change_no_word)
{
    const char *atomic, *guard;

    make(SOME("  %w = atomicrmw sub ptr addrspace(1) %p, i32 %v monotonic\n"
              "  %n = atomicrmw add ptr addrspace(1) %p, i32 3 monotonic\n"
              "  store i32 %w, ptr addrspace(1) %at\n"),
         false);
    atomic = strstr(text, "atomicrmw sub");
    guard = strstr(text, "\nbody");
    ck_assert_msg(guard && atomic && guard < atomic, "%s", text);
    expect("= select <8 x i1>", 1); // %v or nothing
    expect("llvm.ctpop.i32", 1);    // three for each active lane
    finish();
}
END_TEST

// Below AVX-512: each lane reads its number, or zeros, without a branch; but where one
// lane comes at most, it alone reads.
START_TEST(lanes_that_are_not_active_gather_zeros)
{
#define GATHERS(test, of)                                                          \
    K MEMORY "  %j = load i32, ptr addrspace(1) %at\n  %c = icmp " test " i32 " of \
             ", 5\n  br i1 %c, label %then, label %end\nthen:\n"                   \
             "  %long = sext i32 %j to i64\n"                                      \
             "  %to = getelementptr i32, ptr addrspace(1) %p, i64 %long\n"         \
             "  %v = load i32, ptr addrspace(1) %to\n"                             \
             "  store i32 %v, ptr addrspace(1) %at\n"                              \
             "  br label %end\nend:\n  ret void\n}\n"
    static const char some[] = GATHERS("eq", "%j"), one[] = GATHERS("eq", "%x");

    vector_bits = 256;
    make(some, false);
    expect("call <8 x i32> @llvm.masked.gather", 1); // of all lanes
    expect("load i32, ptr addrspace(1)", WIDTH);
    finish();
    make(one, false);
    expect("call <8 x i32> @llvm.masked.gather", 1);
    finish();
    vector_bits = 512;
    make(some, false);
    expect("call <8 x i32> @llvm.masked.gather", 1);
    expect("load i32, ptr addrspace(1)", 0);
    finish();
}
END_TEST

START_TEST(promises_about_memory_stay)
{
    make(K MEMORY "  %v = load i32, ptr addrspace(1) %at, !tbaa !2, !nontemporal !1\n"
                  "  store i32 7, ptr addrspace(1) %at, !nontemporal !1\n"
                  "  ret void\n}\n"
                  "!1 = !{i32 1}\n"
                  "!2 = !{!3, !3, i64 0}\n!3 = !{!\"int\", !4, i64 0}\n!4 = !{!\"r\"}\n",
         false);
    expect("!nontemporal", 2);
    expect("!tbaa", 1);
    finish();
}
END_TEST

// Work that grows with the square of the number of branches: 900 of them took 4 GB.
START_TEST(many_branches_in_a_loop_take_little_memory)
{
    enum { BRANCHES = 900, TEXT_BYTES = 300, MOST_KILOBYTES = 200 * 1024 };
    static char source[BRANCHES * TEXT_BYTES + 1000];
    struct rusage before, after;
    size_t at = (size_t)snprintf(
        source, sizeof(source),
        "%s  %%v = load i32, ptr addrspace(1) %%at\n"
        "  %%some = icmp sgt i32 %%v, 0\n  br i1 %%some, label %%m0, label %%end\n"
        "m0:\n  %%k = phi i32 [ 0, %%0 ], [ %%next, %%m%u ]\n  %%w0 = add i32 %%v, %%k\n",
        K MEMORY, BRANCHES);

    for (unsigned i = 0; i < BRANCHES; i++)
        at += (size_t)snprintf(
            source + at, sizeof(source) - at,
            "  %%b%u = and i32 %%w%u, %u\n  %%c%u = icmp eq i32 %%b%u, 0\n"
            "  br i1 %%c%u, label %%m%u, label %%s%u\n"
            "s%u:\n  store i32 %%w%u, ptr addrspace(1) %%at\n  br label %%m%u\n"
            "m%u:\n  %%w%u = add i32 %%w%u, %u\n",
            i, i, 1u << i % 31, i, i, i, i + 1, i, i, i, i + 1, i + 1, i + 1, i, i + 1);
    snprintf(source + at, sizeof(source) - at,
             "  %%next = add i32 %%k, 1\n  %%more = icmp slt i32 %%next, %%v\n"
             "  br i1 %%more, label %%m0, label %%end\nend:\n  ret void\n}\n");
    getrusage(RUSAGE_SELF, &before);
    make(source, false);
    getrusage(RUSAGE_SELF, &after);
    ck_assert_int_lt(after.ru_maxrss - before.ru_maxrss, MOST_KILOBYTES);
    finish();
}
END_TEST

// What is said of its accesses holds in the round in which the scope is opened.
START_TEST(a_scope_is_opened_where_it_was)
{
    make(K MEMORY "  br label %head\n"
                  "head:\n"
                  "  %k = phi i64 [ 0, %0 ], [ %next, %head ]\n"
                  "  call void @llvm.experimental.noalias.scope.decl(metadata !2)\n"
                  "  %v = load i32, ptr addrspace(1) %at, !alias.scope !2\n"
                  "  store i32 %v, ptr addrspace(1) %p, !noalias !2\n"
                  "  %next = add nuw i64 %k, 1\n"
                  "  %more = icmp ult i64 %next, 9\n"
                  "  br i1 %more, label %head, label %done\n"
                  "done:\n"
                  "  ret void\n}\n"
                  "declare void @llvm.experimental.noalias.scope.decl(metadata)\n"
                  "!2 = !{!3}\n!3 = distinct !{!3, !4}\n!4 = distinct !{!4}\n",
         false);
    expect("scope.decl", 1);
    expect("!alias.scope", 1);
    finish();
}
END_TEST

// Where no lane comes to a branch, none comes to what is inside it: one guard is enough.
START_TEST(a_branch_without_lanes_is_passed_over_as_a_whole)
{
    const char *skip, *target;
    char label[64];

    make(SOME("  %w = load i32, ptr addrspace(1) %far\n"
              "  %deep = icmp slt i32 %w, %v\n"
              "  br i1 %deep, label %more, label %end\n"
              "more:\n"
              "  %beside = getelementptr i32, ptr addrspace(1) %far, i64 7\n"
              "  %u = load i32, ptr addrspace(1) %beside\n"
              "  store i32 %u, ptr addrspace(1) %at\n"),
         false);
    expect("llvm.vector.reduce.or.v8i1(<8 x i1> %", 2);
    skip = strstr(text, "\nskip:");
    ck_assert_msg(skip, "%s", text);
    skip = strstr(skip, "br label %");
    ck_assert(skip);
    snprintf(label, sizeof(label), "\n%.*s:", (int)strcspn(skip + 10, "\n"), skip + 10);
    target = strstr(text, label);
    ck_assert_msg(target, "%s", text);
    // Where it goes to, nobody asks for lanes again.
    const char *const end = strstr(target, "\n\n");
    const char *const guard = strstr(target, "llvm.vector.reduce.or");
    ck_assert_msg(!guard || (end && end < guard), "%s", text);
    finish();
}
END_TEST

// A barrier stays one call: either the gang takes it or it does not.
START_TEST(a_barrier_stays_one_call)
{
    make(K MEMORY "  %v = load i32, ptr addrspace(1) %at\n"
                  "  call void @__tf_barrier()\n"
                  "  store i32 %v, ptr addrspace(1) %at\n"
                  "  ret void\n}\n",
         false);
    expect("call void @__tf_barrier()", 1);
    finish();
}
END_TEST

Suite *tf_suite_gang(void)
{
    Suite *suite = suite_create("gang");
    TCase *tests = tcase_create("gang");

    tcase_add_test(tests, a_full_gang_has_no_masks_where_control_is_uniform);
    tcase_add_test(tests, a_gang_of_fewer_lanes_masks_every_access);
    tcase_add_test(tests, vectors_of_16_bytes_are_loaded_lane_by_lane);
    tcase_add_test(tests, masks_are_made_by_select);
    tcase_add_test(tests, a_shared_access_stands_behind_a_guard);
    tcase_add_test(tests, scalars_in_masked_code_promise_nothing);
    tcase_add_test(tests, lanes_that_are_not_active_divide_by_one);
    tcase_add_test(tests, all_lanes_of_a_region_need_no_masks);
    tcase_add_test(tests, small_numbers_of_64_bits_are_divided_as_real_ones);
    tcase_add_test(tests, volatile_and_atomic_accesses_stay_as_they_are);
    tcase_add_test(tests, one_atomic_changes_the_word_of_all_lanes);
    tcase_add_test(tests, other_atomics_run_lane_by_lane);
    tcase_add_test(tests, one_exchange_does_for_all_lanes);
    tcase_add_test(tests, lanes_that_meet_in_a_word_change_it_once);
    tcase_add_test(tests, lanes_that_are_not_active_change_no_word);
    tcase_add_test(tests, lanes_that_are_not_active_gather_zeros);
    tcase_add_test(tests, promises_about_memory_stay);
    tcase_add_test(tests, many_branches_in_a_loop_take_little_memory);
    tcase_add_test(tests, a_scope_is_opened_where_it_was);
    tcase_add_test(tests, a_branch_without_lanes_is_passed_over_as_a_whole);
    tcase_add_test(tests, a_barrier_stays_one_call);
    suite_add_tcase(suite, tests);
    return suite;
}
