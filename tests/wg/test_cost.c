// SPDX-License-Identifier: MIT
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

static struct ir ir;

// Leaves ir.plan behind, which the caller closes.
static bool pays(const char *text, unsigned width, unsigned vector_bits)
{
    ir_open(&ir, text);
    ir.target = tf_target_of("znver4", vector_bits);
    ck_assert_msg(ir_plan(&ir, width, false), "%s", ir.plan.unfit);
    return tf_plan_pays(&ir.plan);
}

static void expect_pays(const char *text, unsigned width, unsigned vector_bits)
{
    ck_assert(pays(text, width, vector_bits));
    ir_close(&ir);
}

#define HEAD                                                       \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {\n" \
    "  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"      \
    "  %at = getelementptr float, ptr addrspace(1) %p, i64 %i\n"   \
    "  %v = load float, ptr addrspace(1) %at\n"

static const char arithmetic[] = HEAD "  %a = fmul float %v, %v\n"
                                      "  %b = fadd float %a, %v\n"
                                      "  %c = fmul float %b, %b\n"
                                      "  store float %c, ptr addrspace(1) %at\n"
                                      "  ret void\n}\n";
static const char scattered[] =
    HEAD "  %j = mul i64 %i, %i\n"
         "  %from = getelementptr float, ptr addrspace(1) %q, i64 %j\n"
         "  %w = load float, ptr addrspace(1) %from\n"
         "  store float %v, ptr addrspace(1) %from\n"
         "  %old = atomicrmw add ptr addrspace(1) %from, i32 1 seq_cst\n"
         "  ret void\n}\n";

static const char counting[] =
    HEAD "  %j = fptoui float %v to i32\n"
         "  %n = atomicrmw add ptr addrspace(1) %q, i32 %j monotonic\n"
         "  ret void\n}\n";

// As a histogram in local memory does.
static const char counted[] =
    HEAD "  %j = fptoui float %v to i32\n  %k = and i32 %j, 255\n"
         "  %bin = getelementptr i32, ptr addrspace(3) null, i32 %k\n"
         "  %a = atomicrmw add ptr addrspace(3) %bin, i32 1 monotonic\n"
         "  ret void\n}\n";
// The same to local memory.
static const char spread_near[] =
    HEAD "  %j = mul i64 %i, %i\n  %a = fmul float %v, %v\n  %b = fadd float %a, %v\n"
         "  %c = fmul float %b, %a\n  %d = fsub float %c, %v\n"
         "  %to = getelementptr float, ptr addrspace(3) null, i64 %j\n"
         "  %to2 = getelementptr float, ptr addrspace(3) %to, i64 %i\n"
         "  store float %c, ptr addrspace(3) %to\n"
         "  store float %d, ptr addrspace(3) %to2\n  ret void\n}\n";
// Two scatters for little arithmetic: a stage of a Fourier transform.
static const char spread[] =
    HEAD "  %j = mul i64 %i, %i\n  %a = fmul float %v, %v\n  %b = fadd float %a, %v\n"
         "  %c = fmul float %b, %a\n  %d = fsub float %c, %v\n"
         "  %to = getelementptr float, ptr addrspace(1) %q, i64 %j\n"
         "  %to2 = getelementptr float, ptr addrspace(1) %p, i64 %j\n"
         "  store float %c, ptr addrspace(1) %to\n"
         "  store float %d, ptr addrspace(1) %to2\n  ret void\n}\n";

// A machine of states: each round looks up in a table of bytes what the one before has
// found.
#define LOOK_UP(end) LOOK_UP_AT("  %j = zext i8 %s to i64\n", end)
#define LOOK_UP_AT(index, end)                                         \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {\n"     \
    "entry:\n  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"  \
    "  %at = getelementptr i8, ptr addrspace(1) %p, i64 %i\n"          \
    "  %v = load i8, ptr addrspace(1) %at\n  br label %loop\nloop:\n"  \
    "  %n = phi i32 [0, %entry], [%n1, %loop]\n"                       \
    "  %s = phi i8 [%v, %entry], [%t, %loop]\n" index                  \
    "  %from = getelementptr i8, ptr addrspace(1) %q, i64 %j\n"        \
    "  %t = load i8, ptr addrspace(1) %from\n  %n1 = add i32 %n, 1\n"  \
    "  %more = icmp " end "\n  br i1 %more, label %loop, label %end\n" \
    "end:\n  store i8 %t, ptr addrspace(1) %at\n  ret void\n}\n"

// Items wait for each look-up, and lanes for all of theirs at once.
START_TEST(looking_up_round_by_round_pays)
{
    expect_pays(LOOK_UP("ult i32 %n1, 50"), 16, 512);
    expect_pays(LOOK_UP("ult i32 %n1, 50"), 8, 256);
}
END_TEST

// Of items: vectors of products are another matter.
START_TEST(slow_products_of_vectors_do_not_keep_items_waiting)
{
    static const char text[] = LOOK_UP_AT(
        "  %w = zext i8 %s to i64\n  %j = mul i64 %w, 97\n", "ult i32 %n1, 50");
    uint64_t cost[2];

    for (unsigned i = 0; i < 2; i++) {
        ir_open(&ir, text);
        ir.target = tf_target_of("znver4", 512);
        ir.target.costs.long_product_latency *= i ? 10 : 1;
        ck_assert(ir_plan(&ir, 16, false));
        cost[i] = ir.plan.items_cost;
        ir_close(&ir);
    }
    ck_assert_uint_eq(cost[0], cost[1]);
}
END_TEST

// A search without a loop: each step looks up at what the one before has found.
#define STEP(n, next, size)                                                         \
    "  %to" n " = add i32 %lo" n ", " size "\n"                                     \
    "  %j" n " = zext i32 %to" n " to i64\n"                                        \
    "  %from" n " = getelementptr float, ptr addrspace(1) %q, i64 %j" n "\n  %is" n \
    " = load float, ptr addrspace(1) %from" n "\n"                                  \
    "  %less" n " = fcmp olt float %is" n ", %v\n"                                  \
    "  %lo" next " = select i1 %less" n ", i32 %to" n ", i32 %lo" n "\n"
#define THREE_STEPS(a, b, c, d) STEP(a, b, "64") STEP(b, c, "32") STEP(c, d, "16")

static const char search[] =
    HEAD "  %lo0 = add i32 %x, 0\n" THREE_STEPS("0", "1", "2", "3")
        THREE_STEPS("3", "4", "5", "6") THREE_STEPS("6", "7", "8", "9")
            THREE_STEPS("9", "10", "11", "12") "  store i32 %lo12, ptr addrspace(1) %at\n"
                                               "  ret void\n}\n";
// As many look-ups that do not wait for each other.
#define LOOK(n, size)                                                               \
    "  %to" n " = xor i32 %t, " size "\n"                                           \
    "  %j" n " = zext i32 %to" n " to i64\n"                                        \
    "  %from" n " = getelementptr float, ptr addrspace(1) %q, i64 %j" n "\n  %is" n \
    " = load float, ptr addrspace(1) %from" n "\n"                                  \
    "  %s" n " = fadd float %is" n ", %v\n"                                         \
    "  store float %s" n ", ptr addrspace(1) %from" n "\n"
static const char looks[] = HEAD "  %t = fptoui float %v to i32\n" LOOK("1", "3")
    LOOK("2", "77") LOOK("3", "1001") LOOK("4", "7") LOOK("5", "9999")
        LOOK("6", "80") "  ret void\n}\n";

START_TEST(searching_without_a_loop_pays)
{
    expect_pays(search, 16, 512);
    expect_pays(search, 8, 256);
    ck_assert(!pays(looks, 8, 256));
    ir_close(&ir);
}
END_TEST

// Each item counts what it reads.
#define HISTOGRAM(row)                                                        \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %size) {\n" \
    "entry:\n  %h = alloca [16 x i32]\n  %x = call i32 @tf_gid0()\n"          \
    "  br label %loop\nloop:\n  %n = phi i32 [0, %entry], [%n1, %loop]\n"     \
    "  %row = " row "\n  %to = add nsw i32 %row, %x\n"                        \
    "  %i = sext i32 %to to i64\n"                                            \
    "  %from = getelementptr i8, ptr addrspace(1) %p, i64 %i\n"               \
    "  %b = load i8, ptr addrspace(1) %from\n  %low = and i8 %b, 15\n"        \
    "  %j = zext i8 %low to i64\n"                                            \
    "  %bin = getelementptr [16 x i32], ptr %h, i64 0, i64 %j\n"              \
    "  %old = load i32, ptr %bin\n  %new = add i32 %old, 1\n"                 \
    "  store i32 %new, ptr %bin\n  %n1 = add nsw i32 %n, 1\n"                 \
    "  %more = icmp slt i32 %n1, 64\n"                                        \
    "  br i1 %more, label %loop, label %end\nend:\n"                          \
    "  %first = load i32, ptr %h\n  %y = zext i32 %x to i64\n"                \
    "  %at = getelementptr i32, ptr addrspace(1) %q, i64 %y\n"                \
    "  store i32 %first, ptr addrspace(1) %at\n  ret void\n}\n"

// Lanes load once for all what items find in another line in each round.
START_TEST(walking_down_columns_together_pays)
{
    expect_pays(HISTOGRAM("mul nsw i32 %n, %size"), 8, 256);
    expect_pays(HISTOGRAM("mul nsw i32 %n, 64"), 8, 256);
    ck_assert(!pays(HISTOGRAM("mul nsw i32 %n, 16"), 8, 256));
    ir_close(&ir);
}
END_TEST

// Bytes at indices of the lanes' own, which no instruction gathers: by lanes that are all
// there each is a load and an insertion.
static const char bytes[] =
    HEAD "  %j = fptoui float %v to i64\n"
         "  %from = getelementptr i8, ptr addrspace(1) %q, i64 %j\n"
         "  %b = load i8, ptr addrspace(1) %from\n  %w = uitofp i8 %b to float\n"
         "  %s = fmul float %w, %v\n  %t = fadd float %s, %v\n"
         "  %u = fmul float %t, %s\n  %r = fadd float %u, %w\n"
         "  store float %r, ptr addrspace(1) %at\n  ret void\n}\n";

START_TEST(gathering_bytes_of_all_lanes_pays)
{
    expect_pays(bytes, 8, 256);
    expect_pays(bytes, 16, 512);
}
END_TEST

static uint64_t items_cost(const char *text)
{
    uint64_t cost;

    (void)pays(text, 8, 256);
    cost = ir.plan.items_cost;
    ir_close(&ir);
    return cost;
}

// Halving until one is left: each item waits for each look-up, however long it goes on.
#define HALVING(index)                                                                  \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {\n"                      \
    "entry:\n  %x = call i32 @tf_gid0()\n  %y = mul i32 %x, %x\n  %i = zext i32 %x to " \
    "i64\n"                                                                             \
    "  %at = getelementptr float, ptr addrspace(1) %p, i64 %i\n"                        \
    "  %v = load float, ptr addrspace(1) %at\n  br label %loop\nloop:\n"                \
    "  %low = phi i32 [0, %entry], [%low1, %loop]\n"                                    \
    "  %high = phi i32 [65535, %entry], [%high1, %loop]\n"                              \
    "  %sum = add i32 %low, %high\n  %m = lshr i32 %sum, 1\n"                           \
    "  %j = zext i32 " index " to i64\n"                                                \
    "  %from = getelementptr float, ptr addrspace(1) %q, i64 %j\n"                      \
    "  %t = load float, ptr addrspace(1) %from\n"                                       \
    "  %d = fmul float %t, 2.0\n  %w = fadd float %d, 1.0\n"                            \
    "  %less = fcmp olt float %w, %v\n"                                                 \
    "  %low1 = select i1 %less, i32 %m, i32 %low\n"                                     \
    "  %high1 = select i1 %less, i32 %high, i32 %m\n"                                   \
    "  %left = sub i32 %high1, %low1\n  %more = icmp ugt i32 %left, 1\n"                \
    "  br i1 %more, label %loop, label %end\nend:\n"                                    \
    "  %n = uitofp i32 %low1 to float\n  store float %n, ptr addrspace(1) %at\n"        \
    "  ret void\n}\n"
START_TEST(halving_until_one_is_left_pays)
{
    uint64_t waits;

    expect_pays(HALVING("%m"), 16, 512);
    waits = items_cost(HALVING("%m"));
    ck_assert_uint_gt(waits, items_cost(HALVING("%y")));
}
END_TEST

// Whether two numbers out of memory are equal is guessed, unless it is asked which is
// less: then they are those of lists that are merged.
#define EQUAL(less_than)                                                             \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, ptr addrspace(1) %o) " \
    "{\nentry:\n  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"             \
    "  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"                       \
    "  %by = getelementptr i32, ptr addrspace(1) %q, i64 %i\n"                       \
    "  %to = getelementptr i32, ptr addrspace(1) %o, i64 %i\n"                       \
    "  %a = load i32, ptr addrspace(1) %at\n  %v = load i32, ptr addrspace(1) %by\n" \
    "  %c = load i32, ptr addrspace(1) %to\n  %b = add i32 %v, %x\n"                 \
    "  %equal = icmp eq i32 %a, %b\n  br i1 %equal, label %end, label %other\n"      \
    "other:\n  %less = icmp slt i32 %a, " less_than "\n"                             \
    "  %one = zext i1 %less to i32\n  store i32 %one, ptr addrspace(1) %to\n"        \
    "  br label %end\nend:\n  ret void\n}\n"
START_TEST(merging_is_not_guessed)
{
    ck_assert_uint_gt(items_cost(EQUAL("%b")), items_cost(EQUAL("%c")));
}
END_TEST

// Little is done in a round: lanes that are left wait as long.
START_TEST(looking_up_until_each_has_found_does_not_pay)
{
    ck_assert(!pays(LOOK_UP("ne i8 %t, 0"), 8, 256));
    ir_close(&ir);
}
END_TEST

// Lists are no small tables: each item waits for the second cache.
#define FOLLOW(space)                                                          \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(" space ") %q) {\n"     \
    "entry:\n  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"          \
    "  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"                 \
    "  %v = load i32, ptr addrspace(1) %at\n  br label %loop\nloop:\n"         \
    "  %n = phi i32 [0, %entry], [%n1, %loop]\n"                               \
    "  %s = phi i32 [%v, %entry], [%t, %loop]\n  %j = zext i32 %s to i64\n"    \
    "  %from = getelementptr i32, ptr addrspace(" space ") %q, i64 %j\n"       \
    "  %t = load i32, ptr addrspace(" space ") %from\n  %n1 = add i32 %n, 1\n" \
    "  %more = icmp sgt i32 %t, -1\n  br i1 %more, label %loop, label %end\n"  \
    "end:\n  store i32 %n1, ptr addrspace(1) %at\n  ret void\n}\n"
START_TEST(following_lists_pays)
{
    expect_pays(FOLLOW("1"), 16, 512);
    ck_assert_uint_gt(items_cost(FOLLOW("1")), items_cost(FOLLOW("3")));
}
END_TEST

START_TEST(stacks_have_no_room_for_large_variables_of_all_lanes)
{
#define LARGE(words)                                                           \
    "define void @k(ptr addrspace(1) %p) {\n  %v = alloca [" words " x i32]\n" \
    "  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"                  \
    "  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"                 \
    "  %j = load i32, ptr addrspace(1) %at\n"                                  \
    "  %to = getelementptr i32, ptr %v, i32 %j\n  store i32 7, ptr %to\n"      \
    "  ret void\n}\n"
    ir_open(&ir, LARGE("65536"));
    ck_assert(ir_plan(&ir, 8, false));
    ir_close(&ir);
    ir_open(&ir, LARGE("2097152"));
    ck_assert(!ir_plan(&ir, 8, false));
    ck_assert(strstr(ir.plan.unfit, "private"));
    ir_close(&ir);
}
END_TEST

START_TEST(counting_in_local_memory_does_not_pay)
{
    ck_assert(!pays(counted, 16, 512));
    ck_assert_uint_eq(ir.plan.counts.lane_loops, 1);
    ir_close(&ir);
}
END_TEST

START_TEST(spreading_results_does_not_pay)
{
    ck_assert(!pays(spread, 16, 512));
    ck_assert_uint_eq(ir.plan.counts.scatters, 2);
    ck_assert_uint_gt(ir.plan.scatters_cost, 0);
    ir_close(&ir);
}
END_TEST

// Local memory lies in the first cache.
START_TEST(spreading_results_near_is_no_wait_for_memory)
{
    pays(spread_near, 16, 512);
    ck_assert_uint_eq(ir.plan.counts.scatters, 2);
    ck_assert_uint_eq(ir.plan.scatters_cost, 0);
    ir_close(&ir);
}
END_TEST

START_TEST(arithmetic_side_by_side_pays)
{
    expect_pays(arithmetic, 4, 128);
    ck_assert(pays(arithmetic, 16, 512));
    ck_assert_uint_eq(
        ir.plan.counts.gathers + ir.plan.counts.scatters + ir.plan.counts.lane_loops, 0);
    ck_assert_uint_lt(ir.plan.lanes_cost, ir.plan.items_cost);
    ir_close(&ir);
}
END_TEST

// What `body` adds to the lanes' costs, or the items'.
static uint64_t added(const char *body, const char *none, bool items, unsigned width,
                      unsigned vector_bits)
{
    uint64_t with, without;

    (void)pays(body, width, vector_bits);
    with = items ? ir.plan.items_cost : ir.plan.lanes_cost;
    ir_close(&ir);
    (void)pays(none, width, vector_bits);
    without = items ? ir.plan.items_cost : ir.plan.lanes_cost;
    ir_close(&ir);
    return with - without;
}

#define ROTATION                               \
    HEAD "  %bits = bitcast float %v to i32\n" \
         "  %r = call i32 @llvm.fshl.i32(i32 %bits, i32 %bits, i32 7)\n"
#define NO_ROTATION HEAD "  %bits = bitcast float %v to i32\n"

START_TEST(a_rotation_is_three_operations_where_none_rotates)
{
    const char end[] = "  ret void\n}\ndeclare i32 @llvm.fshl.i32(i32, i32, i32)\n";
    char with[1024], without[1024];

    snprintf(with, sizeof(with), "%s%s", ROTATION, end);
    snprintf(without, sizeof(without), "%s%s", NO_ROTATION, end);
    ck_assert_uint_eq(added(with, without, false, 8, 256), 30);
    ck_assert_uint_eq(added(with, without, false, 16, 512), 20);
}
END_TEST

// The loops over the items before and behind it: less than a call for each of them.
START_TEST(a_barrier_is_no_call)
{
    const char with[] = HEAD "  call void @__tf_barrier()\n  ret void\n}\n";
    const char without[] = HEAD "  ret void\n}\n";

    ck_assert_uint_eq(added(with, without, true, 8, 256), 8 * 110);
}
END_TEST

START_TEST(moving_data_about_does_not_pay)
{
    ck_assert(!pays(scattered, 4, 128));
    ck_assert_uint_eq(ir.plan.counts.gathers, 1);
    ck_assert_uint_eq(ir.plan.counts.scatters, 1);
    ck_assert_uint_eq(ir.plan.counts.lane_loops, 1);
    ir_close(&ir);
}
END_TEST

START_TEST(one_atomic_for_all_lanes_pays)
{
    expect_pays(counting, 4, 128);
    ck_assert(pays(counting, 16, 512));
    ck_assert_uint_eq(ir.plan.counts.lane_loops, 0);
    ir_close(&ir);
}
END_TEST

// A set of bits: gangs of at most 32 lanes mean one word each.
START_TEST(bits_of_one_word_pay)
{
    static const char bits[] =
        HEAD "  %word = lshr i64 %i, 5\n"
             "  %to = getelementptr i32, ptr addrspace(1) %q, i64 %word\n"
             "  %j = fptoui float %v to i32\n"
             "  %o = atomicrmw or ptr addrspace(1) %to, i32 %j monotonic\n"
             "  ret void\n}\n";

    ck_assert(pays(bits, 16, 512));
    ck_assert_uint_eq(ir.plan.counts.lane_loops, 1);
    ir_close(&ir);
    ck_assert(!pays(bits, 64, 512));
    ir_close(&ir);
}
END_TEST

// Each lane goes down a column and all those right of it, and keeps the sum at one place
// in memory round after round.
#define COLUMNS(LESS)                                                              \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {\n"         \
    "a:\n  %x = call i32 @tf_gid0()\n  %row = mul nsw i32 %x, %n\n  br label %b\n" \
    "b:\n  %y = phi i32 [ %x, %a ], [ %y1, %d ]\n  %i = add nsw i32 %row, %y\n"    \
    "  %i64 = sext i32 %i to i64\n"                                                \
    "  %to = getelementptr float, ptr addrspace(1) %p, i64 %i64\n  br label %c\n"  \
    "c:\n  %k = phi i32 [ 0, %b ], [ %k1, %c ]\n"                                  \
    "  %s = phi float [ 0.0, %b ], [ %s1, %c ]\n  %at = mul nsw i32 %k, %n\n"      \
    "  %u = add nsw i32 %at, %x\n  %u64 = sext i32 %u to i64\n"                    \
    "  %pu = getelementptr float, ptr addrspace(1) %q, i64 %u64\n"                 \
    "  %v = add nsw i32 %at, %y\n  %v64 = sext i32 %v to i64\n"                    \
    "  %pv = getelementptr float, ptr addrspace(1) %q, i64 %v64\n"                 \
    "  %fu = load float, ptr addrspace(1) %pu\n"                                   \
    "  %fv = load float, ptr addrspace(1) %pv\n  %m = fmul float %fu, %fv\n"       \
    "  %s1 = fadd float %s, %m\n  store float %s1, ptr addrspace(1) %to\n"         \
    "  %k1 = add nuw nsw i32 %k, 1\n  %more = icmp slt i32 %k1, %n\n"              \
    "  br i1 %more, label %c, label %d\n"                                          \
    "d:\n  %y1 = add nuw nsw i32 %y, 1\n" LESS                                     \
    "  br i1 %left, label %b, label %e\ne:\n  ret void\n}\n"

// Counters side by side reach the end one round after the other, so that nearly all
// rounds have all lanes; memory is not what stores to one place wait for.
START_TEST(lanes_that_leave_in_turn_pay)
{
    static const char in_turn[] = COLUMNS("  %left = icmp slt i32 %y1, %n\n");
    static const char each[] = COLUMNS("  %own = mul i32 %x, %x\n"
                                       "  %left = icmp slt i32 %y1, %own\n");
    uint64_t in_turn_cost;

    expect_pays(in_turn, 8, 128);
    ck_assert(pays(in_turn, 16, 512));
    in_turn_cost = ir.plan.lanes_cost;
    ir_close(&ir);
    (void)pays(each, 16, 512);
    ck_assert_uint_gt(ir.plan.lanes_cost, in_turn_cost * 5 / 4);
    ir_close(&ir);
}
END_TEST

static uint64_t cost_of(const char *text, unsigned width)
{
    uint64_t cost;

    (void)pays(text, width, 512);
    cost = ir.plan.lanes_cost;
    ir_close(&ir);
    return cost;
}

// The last of more lanes leaves later.
START_TEST(more_lanes_go_round_more_often)
{
    static const char each[] = COLUMNS("  %own = mul i32 %x, %x\n"
                                       "  %left = icmp slt i32 %y1, %own\n");
    static const char in_turn[] = COLUMNS("  %left = icmp slt i32 %y1, %n\n");
    const double grows = (double)cost_of(each, 64) / (double)cost_of(each, 16);
    const double usual = (double)cost_of(in_turn, 64) / (double)cost_of(in_turn, 16);

    ck_assert_double_gt(grows, usual * 1.1);
}
END_TEST

// No dearer than loads one by one, whatever the instruction takes.
START_TEST(slow_gathers_of_all_lanes_are_taken_apart)
{
    static const char text[] = HEAD "  %j = fptoui float %v to i32\n"
                                    "  %k = zext i32 %j to i64\n"
                                    "  %from = getelementptr float, ptr addrspace(1) "
                                    "%q, i64 %k\n"
                                    "  %w = load float, ptr addrspace(1) %from\n"
                                    "  store float %w, ptr addrspace(1) %at\n"
                                    "  ret void\n}\n";
    uint64_t cost[2];

    for (unsigned i = 0; i < 2; i++) {
        ir_open(&ir, text);
        ir.target = tf_target_of("znver4", 512);
        ir.target.costs.gather = ir.target.costs.own_element * (i ? 10 : 1);
        ck_assert(ir_plan(&ir, 16, false));
        ck_assert_uint_eq(ir.plan.counts.gathers, 1);
        cost[i] = ir.plan.lanes_cost;
        ir_close(&ir);
    }
    ck_assert_uint_eq(cost[0], cost[1]);
}
END_TEST

// Four components a work-item: an operation that counts twice in lanes does so in items.
#define VECTORS(MORE)                                                          \
    "declare <4 x float> @llvm.fma.v4f32(<4 x float>, <4 x float>, "           \
    "<4 x float>)\n"                                                           \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q) {\n"             \
    "entry:\n  %x = call i32 @tf_gid0()\n  %i = zext i32 %x to i64\n"          \
    "  %at = getelementptr <4 x float>, ptr addrspace(1) %p, i64 %i\n"         \
    "  %v = load <4 x float>, ptr addrspace(1) %at\n"                          \
    "  %a = call <4 x float> @llvm.fma.v4f32(<4 x float> %v, <4 x float> %v, " \
    "<4 x float> %v)\n"                                                        \
    "  %b = call <4 x float> @llvm.fma.v4f32(<4 x float> %a, <4 x float> %a, " \
    "<4 x float> %v)\n"                                                        \
    "  %c = call <4 x float> @llvm.fma.v4f32(<4 x float> %b, <4 x float> %b, " \
    "<4 x float> %v)\n"                                                        \
    "  %d = call <4 x float> @llvm.fma.v4f32(<4 x float> %c, <4 x float> %c, " \
    "<4 x float> %v)\n" MORE "  store <4 x float> %d, ptr addrspace(1) %at\n"  \
    "  ret void\n}\n"

START_TEST(vectors_of_the_program_pay)
{
    expect_pays(VECTORS(""), 8, 256);
    ck_assert(pays(VECTORS(""), 16, 512));
    // Half the operations for two items in a register, not for one.
    ck_assert_uint_gt(ir.plan.items_cost, ir.plan.lanes_cost * 3 / 2);
    ir_close(&ir);
    ck_assert(!pays(VECTORS(""), 4, 128));
    ir_close(&ir);
}
END_TEST

// What is hardly reached may have values of many registers; elsewhere they are too wide.
#define PARTED(MARK)                                                         \
    VECTORS("  %f = extractelement <4 x float> %d, i32 0\n"                  \
            "  %far = fcmp ogt float %f, 1.0e9\n"                            \
            "  br i1 %far, label %rare, label %on" MARK "\nrare:\n"          \
            "  %w = fpext <4 x float> %d to <4 x double>\n"                  \
            "  %ww = fmul <4 x double> %w, %w\n"                             \
            "  %z = fptrunc <4 x double> %ww to <4 x float>\n"               \
            "  store <4 x float> %z, ptr addrspace(1) %at\n  br label %on\n" \
            "on:\n")

START_TEST(wide_values_that_are_seldom_made_do_not_count)
{
    expect_pays(
        PARTED(
            ", !prof !1") "!1 = !{!\"branch_weights\", !\"expected\", i32 1, i32 2000}\n",
        8, 256);
    ck_assert(!pays(PARTED(""), 8, 256));
    ck_assert(tf_plan_has_wide_values(&ir.plan));
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_cost(void)
{
    Suite *suite = suite_create("cost");
    TCase *tests = tcase_create("cost");

    tcase_add_test(tests, looking_up_round_by_round_pays);
    tcase_add_test(tests, slow_products_of_vectors_do_not_keep_items_waiting);
    tcase_add_test(tests, searching_without_a_loop_pays);
    tcase_add_test(tests, walking_down_columns_together_pays);
    tcase_add_test(tests, gathering_bytes_of_all_lanes_pays);
    tcase_add_test(tests, halving_until_one_is_left_pays);
    tcase_add_test(tests, merging_is_not_guessed);
    tcase_add_test(tests, looking_up_until_each_has_found_does_not_pay);
    tcase_add_test(tests, arithmetic_side_by_side_pays);
    tcase_add_test(tests, a_rotation_is_three_operations_where_none_rotates);
    tcase_add_test(tests, a_barrier_is_no_call);
    tcase_add_test(tests, moving_data_about_does_not_pay);
    tcase_add_test(tests, following_lists_pays);
    tcase_add_test(tests, stacks_have_no_room_for_large_variables_of_all_lanes);
    tcase_add_test(tests, counting_in_local_memory_does_not_pay);
    tcase_add_test(tests, spreading_results_does_not_pay);
    tcase_add_test(tests, spreading_results_near_is_no_wait_for_memory);
    tcase_add_test(tests, one_atomic_for_all_lanes_pays);
    tcase_add_test(tests, bits_of_one_word_pay);
    tcase_add_test(tests, lanes_that_leave_in_turn_pay);
    tcase_add_test(tests, more_lanes_go_round_more_often);
    tcase_add_test(tests, slow_gathers_of_all_lanes_are_taken_apart);
    tcase_add_test(tests, vectors_of_the_program_pay);
    tcase_add_test(tests, wide_values_that_are_seldom_made_do_not_count);
    suite_add_tcase(suite, tests);
    return suite;
}
