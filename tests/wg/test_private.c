// SPDX-License-Identifier: MIT
// private, private_prepare, and what the gang pass makes of them.
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/ir/ir_util.h"
#include "compiler/workgroup/prepare/prepare.h"

enum { WIDTH = 8 };

#define MEMORY                                                   \
    "declare void @use(ptr)\n"                                   \
    "declare void @llvm.memset.p0.i64(ptr, i8, i64, i1)\n"       \
    "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)\n"   \
    "@eight = private constant [8 x i32] [i32 1, i32 2, i32 3, " \
    "i32 4, i32 5, i32 6, i32 7, i32 8]\n"
#define K                                                                       \
    MEMORY "define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 " \
           "%l1, i64 %l2) {\n"

// ---- the layout

// Units of %a in K with this body; 0: lane after lane.
static unsigned unit_of(const char *body)
{
    char source[4096];
    struct ir ir;
    unsigned unit_bytes;

    snprintf(source, sizeof(source), "%s%s  ret void\n}\n", K, body);
    ir_open(&ir, source);
    ir_shapes(&ir);
    unit_bytes = tf_private_of(&ir.shapes.privates, ir_value(&ir, "a")).unit_bytes;
    ir_close(&ir);
    return unit_bytes;
}

START_TEST(elements_of_an_array_are_units)
{
    ck_assert_uint_eq(unit_of("  %a = alloca [16 x float]\n"
                              "  %p = getelementptr float, ptr %a, i64 %l0\n"
                              "  %x = load float, ptr %p\n"
                              "  store float %x, ptr %a\n"),
                      4);
    ck_assert_uint_eq(unit_of("  %a = alloca [16 x i8]\n"
                              "  %p = getelementptr [16 x i8], ptr %a, i64 0, i64 %l0\n"
                              "  store i8 1, ptr %p\n"),
                      1);
    ck_assert_uint_eq(unit_of("  %a = alloca [4 x <4 x float>]\n"
                              "  %p = getelementptr <4 x float>, ptr %a, i64 %l0\n"
                              "  store <4 x float> zeroinitializer, ptr %p\n"),
                      16);
}
END_TEST

START_TEST(members_lie_in_their_units)
{
    // Both members of one unit of 8 bytes, because somebody loads both at once.
    ck_assert_uint_eq(unit_of("  %a = alloca [4 x { i32, i32 }]\n"
                              "  %p = getelementptr { i32, i32 }, ptr %a, i64 %l0\n"
                              "  %y = getelementptr { i32, i32 }, ptr %p, i32 0, i32 1\n"
                              "  store i32 1, ptr %y\n"
                              "  %both = load i64, ptr %p\n"),
                      8);
    // Nobody does.
    ck_assert_uint_eq(unit_of("  %a = alloca [4 x { i32, i32 }]\n"
                              "  %p = getelementptr { i32, i32 }, ptr %a, i64 %l0\n"
                              "  %y = getelementptr { i32, i32 }, ptr %p, i32 0, i32 1\n"
                              "  store i32 1, ptr %y\n"
                              "  %x = load i32, ptr %p\n"),
                      4);
}
END_TEST

START_TEST(indices_of_bytes_count_units)
{
    // As LLVM writes a pointer that goes through an array.
    ck_assert_uint_eq(unit_of("  %a = alloca [16 x i32]\n  br label %loop\n"
                              "loop:\n  %i = phi i64 [ 0, %0 ], [ %n, %loop ]\n"
                              "  %p = getelementptr i8, ptr %a, i64 %i\n"
                              "  store i32 1, ptr %p\n  %n = add i64 %i, 4\n"
                              "  %c = icmp eq i64 %n, 64\n"
                              "  br i1 %c, label %done, label %loop\ndone:\n"),
                      4);
    ck_assert_uint_eq(unit_of("  %a = alloca [16 x i32]\n  %i = shl i64 %l0, 2\n"
                              "  %k = add i64 %i, 8\n"
                              "  %p = getelementptr i8, ptr %a, i64 %k\n"
                              "  store i32 1, ptr %p\n"),
                      4);
    ck_assert_uint_eq(unit_of("  %a = alloca [16 x i32]\n  %i = shl i64 %l0, 1\n"
                              "  %p = getelementptr i8, ptr %a, i64 %i\n"
                              "  store i32 1, ptr %p\n"),
                      0);
    ck_assert_uint_eq(unit_of("  %a = alloca [16 x i32]\n  br label %loop\n"
                              "loop:\n  %i = phi i64 [ 0, %0 ], [ %n, %loop ]\n"
                              "  %p = getelementptr i8, ptr %a, i64 %i\n"
                              "  store i32 1, ptr %p\n  %n = add i64 %i, 6\n"
                              "  %c = icmp eq i64 %n, 60\n"
                              "  br i1 %c, label %done, label %loop\ndone:\n"),
                      0);
}
END_TEST

START_TEST(what_is_not_followed_lies_lane_after_lane)
{
    // It escapes.
    ck_assert_uint_eq(unit_of("  %a = alloca [4 x i32]\n  store i32 1, ptr %a\n"
                              "  call void @use(ptr %a)\n"),
                      0);
    ck_assert_uint_eq(unit_of("  %a = alloca [4 x i32]\n  store i32 1, ptr %a\n"
                              "  %q = alloca ptr\n  store ptr %a, ptr %q\n"),
                      0);
    ck_assert_uint_eq(unit_of("  %a = alloca [4 x i32]\n  store i32 1, ptr %a\n"
                              "  %n = ptrtoint ptr %a to i64\n"),
                      0);
    // Half a unit further with each index.
    ck_assert_uint_eq(unit_of("  %a = alloca [4 x i32]\n"
                              "  %p = getelementptr i32, ptr %a, i64 %l0\n"
                              "  store i64 1, ptr %p\n"),
                      0);
    // Across two units.
    ck_assert_uint_eq(unit_of("  %a = alloca [4 x i32]\n"
                              "  %p = getelementptr i8, ptr %a, i64 2\n"
                              "  store i32 1, ptr %p\n  store i32 1, ptr %a\n"),
                      0);
    // A size that is no power of two, one that is known at run time only, and an order.
    ck_assert_uint_eq(unit_of("  %a = alloca [4 x i32]\n"
                              "  store <3 x i32> zeroinitializer, ptr %a\n"),
                      0);
    ck_assert_uint_eq(unit_of("  %a = alloca i32, i64 %l1\n  store i32 1, ptr %a\n"), 0);
    ck_assert_uint_eq(
        unit_of("  %a = alloca [4 x i32]\n  store volatile i32 1, ptr %a\n"), 0);
    ck_assert_uint_eq(
        unit_of("  %a = alloca [4 x i32]\n  store i32 1, ptr %a\n"
                "  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 16, i1 false)\n"),
        0);
}
END_TEST

START_TEST(variables_of_one_pointer_lie_alike)
{
    struct ir ir;

    ir_open(&ir, K "  %a = alloca [4 x i32]\n  %b = alloca [8 x i32]\n"
                   "  %c = alloca [8 x i32]\n  %d = alloca [8 x i32]\n"
                   "  %s = icmp eq i64 %l1, 0\n"
                   "  %p = select i1 %s, ptr %a, ptr %b\n  store i32 1, ptr %p\n"
                   "  %q = select i1 %s, ptr %c, ptr %d\n  store i32 1, ptr %q\n"
                   "  call void @use(ptr %d)\n  ret void\n}\n");
    ir_shapes(&ir);
    ck_assert_uint_eq(tf_private_of(&ir.shapes.privates, ir_value(&ir, "a")).unit_bytes,
                      4);
    ck_assert_uint_eq(tf_private_of(&ir.shapes.privates, ir_value(&ir, "b")).unit_bytes,
                      4);
    // %d escapes, so %c cannot, either.
    ck_assert_uint_eq(tf_private_of(&ir.shapes.privates, ir_value(&ir, "c")).unit_bytes,
                      0);
    ck_assert_uint_eq(tf_private_of(&ir.shapes.privates, ir_value(&ir, "d")).unit_bytes,
                      0);
    ir_close(&ir);
}
END_TEST

START_TEST(addresses_of_units_are_one_unit_apart)
{
    struct ir ir;

    ir_open(&ir, K "  %a = alloca [16 x i32]\n  %x = call i32 @tf_lid0()\n"
                   "  %at = zext i32 %x to i64\n"
                   "  %same = getelementptr i32, ptr %a, i64 %l1\n"
                   "  %each = getelementptr i32, ptr %a, i64 %at\n"
                   "  store i32 1, ptr %same\n  store i32 1, ptr %each\n"
                   "  ret void\n}\n");
    ir_shapes(&ir);
    ir_expect_affine(&ir, "a", 4);
    ir_expect_affine(&ir, "same", 4);
    ir_expect_varying(&ir, "each"); // how far apart depends on the number of lanes
    ir_close(&ir);
}
END_TEST

START_TEST(pointers_that_are_compared_go_the_same_way)
{
    struct ir ir;

    ir_open(&ir, K "  %a = alloca [16 x i32]\n"
                   "  %end = getelementptr i32, ptr %a, i64 16\n  br label %loop\n"
                   "loop:\n  %p = phi ptr [ %a, %0 ], [ %next, %loop ]\n"
                   "  store i32 1, ptr %p\n"
                   "  %next = getelementptr i8, ptr %p, i64 4\n"
                   "  %done = icmp eq ptr %next, %end\n"
                   "  br i1 %done, label %behind, label %loop\n"
                   "behind:\n  ret void\n}\n");
    ir_shapes(&ir);
    ck_assert_uint_eq(tf_private_of(&ir.shapes.privates, ir_value(&ir, "p")).unit_bytes,
                      4);
    ir_expect_affine(&ir, "p", 4);
    ir_expect_affine(&ir, "done", 0);
    ir_close(&ir);
    // With a number, nobody knows what that stands for.
    ck_assert_uint_eq(unit_of("  %a = alloca [4 x i32]\n  store i32 1, ptr %a\n"
                              "  %b = inttoptr i64 %l1 to ptr\n"
                              "  %c = icmp eq ptr %a, %b\n"),
                      0);
}
END_TEST

// ---- before the analyses

static struct tf_wg *open_prepared(struct ir *ir, struct tf_wg *wg, const char *source)
{
    ir_open(ir, source);
    *wg = (struct tf_wg){.context = ir->context, .module = ir->module};
    tf_wg_init(wg);
    return wg;
}

static unsigned calls(const struct ir *ir, const char *prefix)
{
    unsigned count = 0;

    for (LLVMBasicBlockRef b = LLVMGetFirstBasicBlock(ir->fn); b;
         b = LLVMGetNextBasicBlock(b)) {
        for (LLVMValueRef i = LLVMGetFirstInstruction(b); i;
             i = LLVMGetNextInstruction(i)) {
            const char *name = tf_ir_called_name(i);

            count += name && !strncmp(name, prefix, strlen(prefix));
        }
    }
    return count;
}

#define ARRAY(n)                                                                \
    "  %a = alloca [" #n " x i32]\n  %p = getelementptr i32, ptr %a, i64 %l0\n" \
    "  store i32 1, ptr %p\n"

START_TEST(fills_and_copies_become_accesses_of_units)
{
    struct ir ir;
    struct tf_wg wg;
    bool has_calls;

    open_prepared(&ir, &wg,
                  K ARRAY(8) "  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 32, i1 "
                             "false)\n  call void @llvm.memcpy.p0.p0.i64(ptr %a, ptr "
                             "@eight, i64 32, i1 false)\n  ret void\n}\n");
    has_calls = tf_private_expand(&wg, ir.fn);
    LLVMVerifyFunction(ir.fn, LLVMAbortProcessAction);
    ck_assert(!has_calls);
    ck_assert_uint_eq(calls(&ir, "llvm.mem"), 0);
    ir_shapes(&ir);
    ck_assert_uint_eq(tf_private_of(&ir.shapes.privates, ir_value(&ir, "a")).unit_bytes,
                      4);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
}
END_TEST

START_TEST(large_fills_become_a_loop)
{
    struct ir ir;
    struct tf_wg wg;

    open_prepared(&ir, &wg,
                  K ARRAY(256) "  call void @llvm.memset.p0.i64(ptr %a, i8 7, i64 1024, "
                               "i1 false)\n  ret void\n}\n");
    ck_assert(tf_private_expand(&wg, ir.fn));
    LLVMVerifyFunction(ir.fn, LLVMAbortProcessAction);
    LLVMVerifyFunction(LLVMGetNamedFunction(ir.module, "tf_copy_units"),
                       LLVMAbortProcessAction);
    ck_assert_uint_eq(calls(&ir, "llvm.mem"), 0);
    ck_assert_uint_eq(calls(&ir, "tf_copy_units"), 1);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
}
END_TEST

// Half a unit, and a volatile one.
START_TEST(other_fills_stay)
{
    struct ir ir;
    struct tf_wg wg;

    open_prepared(&ir, &wg,
                  K ARRAY(8) "  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 6, i1 "
                             "false)\n  ret void\n}\n");
    tf_private_expand(&wg, ir.fn);
    ck_assert_uint_eq(calls(&ir, "llvm.memset"), 1);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
    open_prepared(&ir, &wg,
                  K ARRAY(8) "  call void @llvm.memset.p0.i64(ptr %a, i8 0, i64 32, i1 "
                             "true)\n  ret void\n}\n");
    tf_private_expand(&wg, ir.fn);
    ck_assert_uint_eq(calls(&ir, "llvm.memset"), 1);
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
}
END_TEST

START_TEST(addresses_are_made_where_they_are_used)
{
    struct ir ir;
    struct tf_wg wg;
    LLVMValueRef load, pointer;

    open_prepared(&ir, &wg,
                  K ARRAY(8) "  %q = getelementptr i8, ptr %p, i64 -4\n"
                             "  %s = icmp eq i64 %l1, 0\n"
                             "  br i1 %s, label %then, label %end\n"
                             "then:\n  %x = load i32, ptr %q\n  br label %end\n"
                             "end:\n  ret void\n}\n");
    tf_private_sink(&wg, ir.fn);
    LLVMVerifyFunction(ir.fn, LLVMAbortProcessAction);
    load = ir_value(&ir, "x");
    for (pointer = LLVMGetOperand(load, 0); LLVMIsAGetElementPtrInst(pointer);
         pointer = LLVMGetOperand(pointer, 0))
        ck_assert_ptr_eq(LLVMGetInstructionParent(pointer),
                         LLVMGetInstructionParent(load));
    ck_assert_ptr_eq(pointer, ir_value(&ir, "a"));
    LLVMDisposeBuilder(wg.builder);
    ir_close(&ir);
}
END_TEST

// ---- what it becomes

static char *make(const char *source, unsigned vector_bits, bool masked)
{
    struct ir ir;
    char *text;

    ir_open(&ir, source);
    ir.target = tf_target_of(NULL, vector_bits);
    ck_assert_msg(ir_plan(&ir, WIDTH, masked), "%s", ir.plan.unfit);
    text = ir_emit(&ir);
    ir_close(&ir);
    return text;
}

static void expect(const char *source, unsigned vector_bits, bool masked,
                   const char *what, unsigned times)
{
    char *const text = make(source, vector_bits, masked);
    unsigned found = 0;

    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        found++;
    ck_assert_msg(found == times, "%u of '%s', not %u, in\n%s", found, what, times, text);
    LLVMDisposeMessage(text);
}

static const char one_index[] =
    K "  %a = alloca [16 x i32]\n  %p = getelementptr i32, ptr %a, i64 %l1\n"
      "  %x = load i32, ptr %p\n  %y = add i32 %x, 1\n  store i32 %y, ptr %p\n"
      "  ret void\n}\n";
static const char an_index_each[] =
    K "  %a = alloca [16 x i32]\n  %i = call i32 @tf_lid0()\n  %m = and i32 %i, 15\n"
      "  %at = zext i32 %m to i64\n  %p = getelementptr i32, ptr %a, i64 %at\n"
      "  %x = load i32, ptr %p\n  %y = add i32 %x, 1\n  store i32 %y, ptr %p\n"
      "  ret void\n}\n";

START_TEST(one_index_for_all_lanes_is_one_vector)
{
    expect(one_index, 512, false, "load <8 x i32>", 1);
    expect(one_index, 512, false, "store <8 x i32>", 1);
    expect(one_index, 512, true, "@llvm.masked.load", 1);
    expect(one_index, 512, true, "@llvm.masked.store", 1);
    // Without masks of the processor: the lanes that are not active as they were.
    expect(one_index, 256, true, "@llvm.masked.", 0);
    expect(one_index, 256, true, "load <8 x i32>", 2);
    expect(one_index, 256, true, "store <8 x i32>", 1);
    expect(one_index, 256, true, "llvm.vector.reduce.or", 2); // the index may be any
}
END_TEST

START_TEST(an_index_for_each_lane_is_a_gather_and_many_stores)
{
    expect(an_index_each, 512, false, "@llvm.masked.gather", 1);
    expect(an_index_each, 512, false, "store i32 %", WIDTH);
    // Where there is none: each lane, active or not.
    expect(an_index_each, 128, true, "@llvm.masked.", 0);
    expect(an_index_each, 128, true, "load i32, ptr %", WIDTH);
    expect(an_index_each, 128, true, "store i32 %", WIDTH);
}
END_TEST

static const char table[] =
    K "  %i = call i32 @tf_lid0()\n  %m = and i32 %i, 7\n  %at = zext i32 %m to i64\n"
      "  %p = getelementptr i32, ptr @eight, i64 %at\n  %x = load i32, ptr %p\n"
      "  %a = alloca [16 x i32]\n  store i32 %x, ptr %a\n  ret void\n}\n";

START_TEST(a_small_table_stays_in_registers)
{
    expect(table, 256, false, "@llvm.masked.gather", 0);
    expect(table, 512, false, "@llvm.masked.gather", 0);
    expect(table, 512, true, "@llvm.masked.gather", 0);
    expect(table, 512, false, "extractelement <8 x i32> <i32 1, i32 2,", WIDTH);
    expect(table, 128, false, "@llvm.masked.gather", 1);
}
END_TEST

Suite *tf_suite_private(void)
{
    Suite *suite = suite_create("private");
    TCase *tc = tcase_create("private");

    tcase_add_test(tc, elements_of_an_array_are_units);
    tcase_add_test(tc, members_lie_in_their_units);
    tcase_add_test(tc, indices_of_bytes_count_units);
    tcase_add_test(tc, what_is_not_followed_lies_lane_after_lane);
    tcase_add_test(tc, variables_of_one_pointer_lie_alike);
    tcase_add_test(tc, addresses_of_units_are_one_unit_apart);
    tcase_add_test(tc, pointers_that_are_compared_go_the_same_way);
    tcase_add_test(tc, fills_and_copies_become_accesses_of_units);
    tcase_add_test(tc, large_fills_become_a_loop);
    tcase_add_test(tc, other_fills_stay);
    tcase_add_test(tc, addresses_are_made_where_they_are_used);
    tcase_add_test(tc, one_index_for_all_lanes_is_one_vector);
    tcase_add_test(tc, an_index_for_each_lane_is_a_gather_and_many_stores);
    tcase_add_test(tc, a_small_table_stays_in_registers);
    suite_add_tcase(suite, tc);
    return suite;
}
