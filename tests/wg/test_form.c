// SPDX-License-Identifier: MIT
// The form of each instruction, by name, and what has none.
#include "ir_text.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "abi/cpu_abi.h"
#include "compiler/workgroup/analysis/index.h"

static struct ir ir;

#define HEAD                                                                         \
    "@small = internal addrspace(2) constant [8 x i32] [i32 3, i32 1, i32 4, i32 1," \
    " i32 5, i32 9, i32 2, i32 6]\n"                                                 \
    "define void @k(ptr addrspace(1) %p, ptr addrspace(1) %q, i32 %n) {\nentry:\n"   \
    "  %x = call i32 @tf_gid0()\n  %i = zext nneg i32 %x to i64\n"                   \
    "  %at = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"
#define END "  ret void\n}\n"

static void plan_for(const char *model, const char *text, unsigned width,
                     unsigned vector_bits, bool masked)
{
    ir_open(&ir, text);
    ir.target = tf_target_of(model, vector_bits);
    ck_assert_msg(ir_plan(&ir, width, masked), "%s", ir.plan.unfit);
}

static void plan(const char *text, unsigned width, unsigned vector_bits, bool masked)
{
    plan_for(NULL, text, width, vector_bits, masked);
}

static void expect(const char *name, enum tf_form form)
{
    ck_assert_msg(ir_form(&ir, name) == form, "%s has form %d, not %d", name,
                  ir_form(&ir, name), form);
}

static const char memory[] =
    HEAD "  %side = load i32, ptr addrspace(1) %at\n"
         "  %shared = load i32, ptr addrspace(1) %q\n"
         "  %twice = shl nuw nsw i64 %i, 1\n"
         "  %even = getelementptr i32, ptr addrspace(1) %q, i64 %twice\n"
         "  %strided = load i32, ptr addrspace(1) %even\n"
         "  %square = mul i64 %i, %i\n"
         "  %far = getelementptr i32, ptr addrspace(1) %q, i64 %square\n"
         "  %gathered = load i32, ptr addrspace(1) %far\n"
         "  %volatile = load volatile i32, ptr addrspace(1) %at\n"
         "  %slow = load i1, ptr addrspace(1) %at\n"
         "  %wrapping = mul i32 %n, %n\n  %row = add i32 %wrapping, %x\n"
         "  %wide = zext i32 %row to i64\n"
         "  %either = getelementptr i32, ptr addrspace(1) %q, i64 %wide\n"
         "  %wraps = load i32, ptr addrspace(1) %either\n"
         "  %low = and i32 %gathered, 7\n"
         "  %entry7 = getelementptr [8 x i32], ptr addrspace(2) @small, i32 0, i32 %low\n"
         "  %number = load i32, ptr addrspace(2) %entry7\n" END;

START_TEST(loads_are_made_as_their_addresses_lie)
{
    plan(memory, 16, 512, false);
    expect("side", TF_FORM_SIDE_BY_SIDE);
    expect("shared", TF_FORM_ONE);
    expect("strided", TF_FORM_BUNDLE);
    expect("gathered", TF_FORM_GATHER);
    expect("volatile", TF_FORM_LANE_LOOP);
    expect("slow", TF_FORM_LANE_LOOP);
    expect("wraps", TF_FORM_EITHER_WAY);
    expect("number", TF_FORM_TABLE);
    ck_assert_int_eq(ir.plan
                         .values[tf_shape_value(ir.plan.shapes, ir_value(&ir, "wraps")) -
                                 ir.plan.shapes->values]
                         .far,
                     TF_FORM_GATHER);
    ck_assert_uint_eq(ir.plan.counts.gathers, 1);
    ck_assert_uint_eq(ir.plan.counts.lane_loops, 2);
    ir_close(&ir);
}
END_TEST

// %step is an argument, of which others use it if `more` says so; of a launch of which
// the block of arguments lies at `block`.
#define SPACED_AT(block, product, offset, more)                                 \
    "define void @k(ptr %launch, ptr addrspace(1) %p, ptr addrspace(1) %q,"     \
    " i32 %offset) {\nentry:\n  %x = call i32 @tf_gid0()\n"                     \
    "  %y = call i32 @tf_gid1()\n"                                              \
    "  %sizes = getelementptr i8, ptr %launch, i64 8\n"                         \
    "  %size = load i64, ptr %sizes, !invariant.load !0\n"                      \
    "  %int_size = trunc i64 %size to i32\n"                                    \
    "  %args = getelementptr i8, ptr %launch, i64 " block "\n"                  \
    "  %block = load ptr, ptr %args, !invariant.load !0\n"                      \
    "  %steps = getelementptr i8, ptr %block, i64 16\n"                         \
    "  %step = load i32, ptr %steps, !invariant.load !0\n"                      \
    "  %short = load i16, ptr %steps, !invariant.load !0\n"                     \
    "  %int_short = sext i16 %short to i32\n"                                   \
    "  %float = load float, ptr %steps, !invariant.load !0\n"                   \
    "  %int_float = fptosi float %float to i32\n"                               \
    "  %times = " product "\n"                                                  \
    "  %sum = add nsw i32 %times, " offset "\n  %wide = sext i32 %sum to i64\n" \
    "  %at = getelementptr i32, ptr addrspace(1) %q, i64 %wide\n"               \
    "  %spaced = load i32, ptr addrspace(1) %at\n" more END
#define SPACED(product, offset, more) SPACED_AT("104", product, offset, more)

_Static_assert(offsetof(struct tf_launch, args) == 104, "where SPACED says it lies");

static void expect_spaced(const char *text, enum tf_form form)
{
    plan(text, 16, 512, false);
    expect("spaced", form);
    if (form == TF_FORM_EITHER_WAY) {
        ck_assert_ptr_eq(
            tf_plan_spacing_of(&ir.plan,
                               tf_shape_value(ir.plan.shapes, ir_value(&ir, "spaced"))),
            ir_value(&ir, "step"));
        ck_assert_uint_eq(tf_spacing_offset(ir_value(&ir, "step")), 16);
    }
    ck_assert_int_eq(ir.plan.spaced_cost > 0, form == TF_FORM_EITHER_WAY);
    ir_close(&ir);
}

START_TEST(an_argument_may_space_lanes_out_by_1)
{
    expect_spaced(SPACED("mul nsw i32 %x, %step", "%offset", ""), TF_FORM_EITHER_WAY);
    expect_spaced(SPACED("mul i32 %step, %x", "3", ""), TF_FORM_EITHER_WAY);
}
END_TEST

// Before a launch the words of arguments can be looked at, and nothing else.
START_TEST(what_is_no_argument_is_not_asked)
{
    expect_spaced(SPACED("mul nsw i32 %x, %int_size", "3", ""), TF_FORM_GATHER);
    expect_spaced(SPACED("mul nsw i32 %x, %int_short", "3", ""), TF_FORM_GATHER);
    expect_spaced(SPACED("mul nsw i32 %x, %int_float", "3", ""), TF_FORM_GATHER);
    expect_spaced(SPACED_AT("112", "mul nsw i32 %x, %step", "3", ""), TF_FORM_GATHER);
    expect_spaced(SPACED("mul nsw i32 %x, %step", "%int_size", ""), TF_FORM_EITHER_WAY);
}
END_TEST

// Nobody has rows of 1.
START_TEST(rows_of_a_matrix_are_not_asked)
{
    expect_spaced(SPACED("mul nsw i32 %x, %step", "%y", ""), TF_FORM_GATHER);
    expect_spaced(SPACED("mul nsw i32 %x, %step", "%offset",
                         "  %row = mul i32 %y, %step\n"
                         "  store i32 %row, ptr addrspace(1) %p\n"),
                  TF_FORM_GATHER);
    expect_spaced(SPACED("mul nsw i32 %x, %step", "%offset",
                         "  store i32 %times, ptr addrspace(1) %p\n"),
                  TF_FORM_GATHER);
    expect_spaced(SPACED("mul nsw i32 %x, %y", "%offset", ""), TF_FORM_GATHER);
}
END_TEST

enum { TEXT_BYTES = 100 * 1000 };

static char many[TEXT_BYTES];

// `line` at the end of the text, with the number in place of each #.
static size_t add_line(size_t used, const char *line, unsigned number)
{
    for (; *line; line++) {
        ck_assert_uint_lt(used, TEXT_BYTES - 10);
        if (*line == '#')
            used += (size_t)snprintf(many + used, TEXT_BYTES - used, "%u", number);
        else
            many[used++] = *line;
    }
    many[used] = 0;
    return used;
}

// How many loads fork, with `line` so many times.
static unsigned count_forks(const char *head, const char *line, unsigned lines)
{
    size_t used = add_line(0, head, 0);
    unsigned forks = 0;

    for (unsigned i = 0; i < lines; i++)
        used = add_line(used, line, i);
    (void)add_line(used, END, 0);
    plan(many, 16, 512, false);
    for (unsigned i = 0; i < ir.plan.shapes->value_count; i++)
        forks += tf_plan_form(&ir.plan, &ir.plan.shapes->values[i]) == TF_FORM_EITHER_WAY;
    ir_close(&ir);
    return forks;
}

#define STEP_HEAD                                                               \
    "define void @k(ptr %launch, ptr addrspace(1) %p, ptr addrspace(1) %q) {\n" \
    "entry:\n  %x = call i32 @tf_gid0()\n"                                      \
    "  %args = getelementptr i8, ptr %launch, i64 104\n"                        \
    "  %block = load ptr, ptr %args, !invariant.load !0\n"                      \
    "  %steps = getelementptr i8, ptr %block, i64 16\n"                         \
    "  %step = load i32, ptr %steps, !invariant.load !0\n"
#define LOAD(type, n)                                                                \
    "  %wide" n " = sext i32 %at" n " to i64\n"                                      \
    "  %place" n " = getelementptr i32, ptr addrspace(1) %q, i64 %wide" n "\n  %v" n \
    " = load " type ", ptr addrspace(1) %place" n "\n"

// LLVM takes the square of their number.
START_TEST(many_accesses_do_not_ask)
{
    static const char head[] = STEP_HEAD "  %times = mul nsw i32 %x, %step\n";
    static const char sum[] = "  %at# = add nsw i32 %times, #\n" LOAD("i32", "#");

    ck_assert_uint_eq(count_forks(head, sum, 32), 32);
    ck_assert_uint_eq(count_forks(head, sum, 33), 0);
}
END_TEST

// Each of them asks what the others are.
START_TEST(an_argument_of_many_products_is_not_asked)
{
    static const char head[] =
        STEP_HEAD "  %at = mul nsw i32 %x, %step\n" LOAD("i32", "");
    static const char product[] =
        "  %x# = add nsw i32 %x, #\n  %at# = mul nsw i32 %x#, %step\n" LOAD("i8", "#");

    ck_assert_uint_eq(count_forks(head, product, 31), 1);
    ck_assert_uint_eq(count_forks(head, product, 32), 0);
}
END_TEST

START_TEST(processors_without_permutations_gather_from_tables)
{
    plan(memory, 4, 128, false);
    expect("number", TF_FORM_GATHER);
    ir_close(&ir);
}
END_TEST

// Loads of %f, what lanes count, scaled: `pointer` is the address, of an i32 %index.
#define SCALED(scale, pointer, type)                                                \
    "define void @k(ptr addrspace(1) %p, float %s) {\n  %x = call i32 @tf_gid0()\n" \
    "  %f = uitofp nneg i32 %x to float\n  %g = fmul float %f, " scale "\n"         \
    "  %r = fptosi float %g to i32\n"                                               \
    "  %l = call i32 @llvm.smax.i32(i32 %r, i32 0)\n  %i = sext i32 %l to i64\n"    \
    "  %a = getelementptr " pointer ", i64 %i\n"                                    \
    "  %m = getelementptr inbounds nuw i8, ptr addrspace(1) %a, i64 4\n"            \
    "  %v = load " type ", align 1\n  store i32 0, ptr addrspace(1) %a\n"           \
    "  ret void\n}\ndeclare i32 @llvm.smax.i32(i32, i32)\n"
#define WORDS "inbounds i32, ptr addrspace(1) %p"
#define WORD "i32, ptr addrspace(1) %a"

static void expect_window(const char *text, enum tf_form form)
{
    plan(text, 16, 512, false);
    expect("v", form);
    ir_close(&ir);
}

START_TEST(scaled_coordinates_have_windows)
{
    expect_window(SCALED("%s", WORDS, WORD), TF_FORM_WINDOW);
    expect_window(SCALED("0.75", WORDS, WORD), TF_FORM_WINDOW);
    expect_window(SCALED("1.25", WORDS, WORD), TF_FORM_GATHER); // seldom in one window
    expect_window(SCALED("%f", WORDS, WORD), TF_FORM_GATHER);
    expect_window(SCALED("%s", "i32, ptr addrspace(1) %p", WORD), TF_FORM_GATHER);
    expect_window(
        SCALED("%s", "inbounds i64, ptr addrspace(1) %p", "i32, ptr addrspace(1) %m"),
        TF_FORM_WINDOW);
    expect_window(SCALED("%s", "inbounds [3 x i32], ptr addrspace(1) %p", WORD),
                  TF_FORM_GATHER);
    expect_window(SCALED("%s", "inbounds <4 x i32>, ptr addrspace(1) %p",
                         "<4 x i32>, ptr addrspace(1) %a"),
                  TF_FORM_WINDOW);
    expect_window(SCALED("0.75", "inbounds <4 x i32>, ptr addrspace(1) %p",
                         "<4 x i32>, ptr addrspace(1) %a"),
                  TF_FORM_GATHER); // each lane the next one, or none
    plan(SCALED("%s", WORDS, WORD), 16, 512, true);
    expect("v", TF_FORM_GATHER);
    ir_close(&ir);
    plan(SCALED("%s", WORDS, WORD), 8, 256, false);
    expect("v", TF_FORM_WINDOW);
    ir_close(&ir);
    plan(SCALED("%s", WORDS, WORD), 4, 256, false); // no whole register
    expect("v", TF_FORM_GATHER);
    ir_close(&ir);
    plan(SCALED("%s", WORDS, WORD), 4, 128, false);
    expect("v", TF_FORM_GATHER);
    ir_close(&ir);
}
END_TEST

// The lower halves of blocks of 2 * %n, loaded, and stored to the upper ones by some
// lanes, which are chosen before the load or behind it.
#define HALVES(type, before, behind)                                              \
    "define void @k(ptr %launch) {\n"                                             \
    "  %p = load ptr addrspace(1), ptr %launch, !invariant.load !0\n"             \
    "  %np = getelementptr i8, ptr %launch, i64 8\n"                              \
    "  %n = load i32, ptr %np, !invariant.load !0\n  %x = call i32 @tf_gid0()\n"  \
    "  %m = sub i32 %n, 1\n  %r = and i32 %x, %m\n  %t = shl i32 %x, 1\n"         \
    "  %tw = zext i32 %t to i64\n  %rw = zext i32 %r to i64\n"                    \
    "  %i = sub i64 %tw, %rw\n  %nw = zext i32 %n to i64\n"                       \
    "  %a = getelementptr " type ", ptr addrspace(1) %p, i64 %i\n"                \
    "  %h = getelementptr " type ", ptr addrspace(1) %a, i64 %nw\n"               \
    "  %f = icmp eq i32 %r, 3\n" before "  %v = load " type                       \
    ", ptr addrspace(1) %a\n" behind "  store " type " %v, ptr addrspace(1) %h\n" \
    "  br label %no\nno:\n  ret void\n}\n"
#define CHOOSE "  br i1 %f, label %yes, label %no\nyes:\n"

START_TEST(halves_of_small_blocks_rise)
{
    plan(HALVES("i32", "", CHOOSE), 16, 512, true);
    expect("v", TF_FORM_RISING);
    ir_close(&ir);
    plan(HALVES("float", "", CHOOSE), 32, 512, true);
    expect("v", TF_FORM_RISING);
    ir_close(&ir);
    // Loads take in what lies between, which lanes that are not active do not own.
    plan(HALVES("i32", CHOOSE, ""), 16, 512, true);
    expect("v", TF_FORM_GATHER);
    ir_close(&ir);
    plan(HALVES("i64", "", CHOOSE), 16, 512, true);
    expect("v", TF_FORM_GATHER);
    ir_close(&ir);
    plan(HALVES("i32", "", CHOOSE), 8, 512, true);
    expect("v", TF_FORM_GATHER);
    ir_close(&ir);
    plan(HALVES("i32", "", CHOOSE), 8, 256, true);
    expect("v", TF_FORM_GATHER);
    ir_close(&ir);
    plan(HALVES("i32", "", CHOOSE), 16, 512, false); // taken for granted
    expect("v", TF_FORM_SIDE_BY_SIDE);
    ir_close(&ir);
}
END_TEST

static const char of_bytes[] =
    "@bytes = internal addrspace(2) constant [200 x i8] zeroinitializer\n"
    "@many = internal addrspace(2) constant [300 x i8] zeroinitializer\n"
    "@shorts = internal addrspace(2) constant [128 x i16] zeroinitializer\n" HEAD
    "  %j = load i32, ptr addrspace(1) %at\n"
    "  %a = getelementptr [200 x i8], ptr addrspace(2) @bytes, i32 0, i32 %j\n"
    "  %byte = load i8, ptr addrspace(2) %a\n"
    "  %b = getelementptr [300 x i8], ptr addrspace(2) @many, i32 0, i32 %j\n"
    "  %one_of_many = load i8, ptr addrspace(2) %b\n"
    "  %c = getelementptr [128 x i16], ptr addrspace(2) @shorts, i32 0, i32 %j\n"
    "  %short = load i16, ptr addrspace(2) %c\n" END;

START_TEST(tables_of_small_numbers_lie_in_words)
{
    plan(of_bytes, 16, 512, false);
    expect("byte", TF_FORM_TABLE);
    expect("short", TF_FORM_TABLE);
    expect("one_of_many", TF_FORM_GATHER);
    ir_close(&ir);
    plan(of_bytes, 8, 256, false);
    expect("byte", TF_FORM_GATHER);
    expect("short", TF_FORM_GATHER);
    ir_close(&ir);
}
END_TEST

START_TEST(rising_elements_are_made_of_whole_lines)
{
    char *text;

    plan(HALVES("float", "", CHOOSE), 32, 512, true);
    text = ir_emit(&ir); // and keeps the rules of masks
    ck_assert_ptr_nonnull(strstr(text, "@llvm.x86.avx512.vpermi2var.d.512"));
    ck_assert_ptr_nonnull(strstr(text, "@llvm.x86.avx512.mask.expand"));
    ck_assert_ptr_nonnull(strstr(text, "@llvm.x86.bmi.pdep.32"));
    ck_assert_ptr_nonnull(strstr(text, "@llvm.masked.gather")); // where they do not
    ck_assert_ptr_nonnull(strstr(text, "@llvm.masked.scatter"));
    LLVMDisposeMessage(text);
    ir_close(&ir);
}
END_TEST

START_TEST(private_memory_has_forms_of_its_own)
{
    static const char text[] =
        HEAD "  %a = alloca [16 x i32]\n  %low = and i32 %n, 15\n"
             "  %one = getelementptr [16 x i32], ptr %a, i32 0, i32 %low\n"
             "  store i32 %x, ptr %one\n  %same = load i32, ptr %one\n"
             "  %h = and i32 %x, 15\n"
             "  %each = getelementptr [16 x i32], ptr %a, i32 0, i32 %h\n"
             "  %own = load i32, ptr %each\n" END;

    plan(text, 8, 256, false);
    expect("same", TF_FORM_ROW);
    expect("own", TF_FORM_OWN_SINGLY);
    ir_close(&ir);
    plan(text, 16, 512, false);
    expect("same", TF_FORM_SIDE_BY_SIDE);
    expect("own", TF_FORM_OWN_GATHER);
    ir_close(&ir);
    plan_for("cascadelake", text, 16, 512, false); // slow, but little code
    expect("own", TF_FORM_OWN_GATHER);
    ir_close(&ir);
}
END_TEST

START_TEST(arithmetic_is_shared_made_again_or_a_vector)
{
    plan(HEAD "  %v = load i32, ptr addrspace(1) %at\n  %less = sub i32 %n, 1\n"
              "  %f = uitofp i32 %n to float\n  %sum = add i32 %v, %n\n"
              "  %q32 = udiv i32 %v, %sum\n  %v64 = zext i32 %v to i64\n"
              "  %q64 = udiv i64 %v64, %i\n  %q3 = udiv i32 %v, 3\n"
              "  %count = call i32 @llvm.ctpop.i32(i32 %v)\n"
              "  %two = insertelement <2 x i32> zeroinitializer, i32 %v, i32 0\n"
              "  %some = and i32 %v, 1\n"
              "  %any = extractelement <2 x i32> %two, i32 %some\n"
              "  %old = atomicrmw add ptr addrspace(1) %q, i32 %v monotonic\n"
              "  %olds = atomicrmw add ptr addrspace(1) %at, i32 1 monotonic\n" END
              "declare i32 @llvm.ctpop.i32(i32)\n",
         8, 256, false);
    expect("x", TF_FORM_NONE);
    expect("less", TF_FORM_FREE);
    expect("f", TF_FORM_ONE);
    expect("sum", TF_FORM_VECTOR);
    expect("q32", TF_FORM_REAL_DIVISION);
    expect("q64", TF_FORM_LONG_DIVISION);
    expect("q3", TF_FORM_VECTOR);
    expect("count", TF_FORM_INTRINSIC);
    expect("two", TF_FORM_SHUFFLE);
    expect("any", TF_FORM_UNROLLED);
    expect("old", TF_FORM_ONE_ATOMIC);
    expect("olds", TF_FORM_LANE_LOOP);
    ir_close(&ir);
}
END_TEST

static const char guarded[] =
    HEAD "  %v = load i32, ptr addrspace(1) %at\n  %c = icmp ugt i32 %v, 5\n"
         "  br i1 %c, label %then, label %end\n"
         "then:\n  store i32 %x, ptr addrspace(1) %q\n  br label %end\nend:\n" END;

START_TEST(blocks_that_touch_memory_are_guarded)
{
    unsigned then;

    plan(guarded, 8, 256, false);
    then =
        tf_cfg_number(ir.plan.cfg, LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(ir.fn)));
    ck_assert_uint_ne(ir.plan.shapes->region_of[then], TF_CFG_NONE);
    ck_assert(ir.plan.blocks[then].guarded);
    ck_assert_uint_eq(ir.plan.counts.divergent_branches, 1);
    ir_close(&ir);
}
END_TEST

// A quotient by itself, at what the program says hardly ever happens, or not.
#define QUOTIENT(says)                                                              \
    HEAD "  %f = load float, ptr addrspace(1) %at\n  %c = fcmp olt float %f, 1.0\n" \
         "  br i1 %c, label %then, label %end" says                                 \
         "\nthen:\n  %r = fdiv float 1.0, %f\n  br label %end\nend:\n"              \
         "  %s = phi float [ %r, %then ], [ %f, %entry ]\n"                         \
         "  store float %s, ptr addrspace(1) %at\n" END

static bool quotient_is_guarded(const char *text, unsigned lanes)
{
    bool skipped;

    plan(text, lanes, 256, false);
    skipped = ir.plan
                  .blocks[tf_cfg_number(
                      ir.plan.cfg, LLVMGetNextBasicBlock(LLVMGetEntryBasicBlock(ir.fn)))]
                  .guarded;
    ir_close(&ir);
    return skipped;
}

START_TEST(quotients_that_are_seldom_wanted_are_skipped)
{
    static const char hardly[] =
        QUOTIENT(", !prof !1") "!1 = !{!\"branch_weights\", i32 1, "
                               "i32 2000}\n";
    static const char often[] = QUOTIENT("");

    ck_assert(quotient_is_guarded(hardly, 8));
    ck_assert(!quotient_is_guarded(often, 8));
    ck_assert(quotient_is_guarded(often, 16)); // two registers
}
END_TEST

START_TEST(plans_of_more_lanes_leave_others_as_they_are)
{
    struct tf_plan_of of = {.facts = &ir.facts, .target = &ir.target, .width = 16};
    struct tf_plan wider;
    uint64_t before;

    plan(memory, 8, 256, false);
    before = ir.plan.lanes_cost;
    ck_assert(tf_plan_init(&wider, &of));
    ck_assert_uint_eq(wider.width, 16);
    ck_assert_uint_gt(wider.lanes_cost, before);
    ck_assert_uint_eq(ir.plan.width, 8);
    ck_assert_uint_eq(ir.plan.lanes_cost, before);
    tf_plan_finish(&wider);
    ir_close(&ir);
}
END_TEST

static void expect_unfit(const char *text, const char *why)
{
    ir_open(&ir, text);
    ck_assert(!ir_plan(&ir, 8, false));
    ck_assert_str_eq(ir.plan.unfit, why);
    ir_close(&ir);
}

START_TEST(what_has_no_form_is_refused_before_there_is_code)
{
    expect_unfit("define void @k(i32 %n) {\n  %a = alloca i32, i32 %n\n  ret void\n}\n",
                 "private memory of a size known at run time only");
    expect_unfit(
        "define void @k(i32 %n) {\n  switch i32 %n, label %a [ i32 1, label %b ]\n"
        "a:\n  ret void\nb:\n  ret void\n}\n",
        "an unusual branch");
    expect_unfit("define void @k(i32 %n) {\n  %x = call i32 @tf_gid0()\n"
                 "  %two = insertelement <2 x i32> zeroinitializer, i32 %x, i32 0\n"
                 "  %p = getelementptr i8, ptr null, <2 x i32> %two\n  ret void\n}\n",
                 "vectors of pointers");
    expect_unfit("define void @k(i1 %c, i1 %d) {\n  br i1 %c, label %a, label %b\n"
                 "a:\n  br i1 %d, label %b, label %out\n"
                 "b:\n  br i1 %d, label %a, label %out\nout:\n  ret void\n}\n",
                 "irreducible control flow");
}
END_TEST

Suite *tf_suite_form(void)
{
    Suite *suite = suite_create("form");
    TCase *tests = tcase_create("form");

    tcase_add_test(tests, loads_are_made_as_their_addresses_lie);
    tcase_add_test(tests, an_argument_may_space_lanes_out_by_1);
    tcase_add_test(tests, what_is_no_argument_is_not_asked);
    tcase_add_test(tests, rows_of_a_matrix_are_not_asked);
    tcase_add_test(tests, many_accesses_do_not_ask);
    tcase_add_test(tests, an_argument_of_many_products_is_not_asked);
    tcase_add_test(tests, processors_without_permutations_gather_from_tables);
    tcase_add_test(tests, scaled_coordinates_have_windows);
    tcase_add_test(tests, private_memory_has_forms_of_its_own);
    tcase_add_test(tests, arithmetic_is_shared_made_again_or_a_vector);
    tcase_add_test(tests, blocks_that_touch_memory_are_guarded);
    tcase_add_test(tests, quotients_that_are_seldom_wanted_are_skipped);
    tcase_add_test(tests, plans_of_more_lanes_leave_others_as_they_are);
    tcase_add_test(tests, what_has_no_form_is_refused_before_there_is_code);
    tcase_add_test(tests, halves_of_small_blocks_rise);
    tcase_add_test(tests, tables_of_small_numbers_lie_in_words);
    tcase_add_test(tests, rising_elements_are_made_of_whole_lines);
    suite_add_tcase(suite, tests);
    return suite;
}
