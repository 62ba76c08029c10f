// SPDX-License-Identifier: MIT
// Packs of gangs: what rows share is there once, what they cannot do together is left
// alone.
#include "ir_text.h"

#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/workgroup/gang/gang.h"
#include "compiler/workgroup/lanes.h"
#include "compiler/workgroup/prepare/prepare.h"

enum { WIDTH = 8 };

struct fixture {
    struct ir ir;
    struct tf_wg wg;
};

static void open_fixture(struct fixture *f, const char *source)
{
    ir_open(&f->ir, source);
    f->wg = ir_wg(&f->ir, WIDTH);
    tf_wg_init(&f->wg);
    f->ir.lanes.long_rows = true;
}

static void close_fixture(struct fixture *f)
{
    LLVMDisposeBuilder(f->wg.builder);
    ir_close(&f->ir);
}

// The text of one work-item of each of `rows` rows, or NULL where they cannot be one.
static char *clone(const char *source, unsigned rows, bool forced)
{
    struct fixture f;
    struct tf_pack pack;
    char *text = NULL;

    open_fixture(&f, source);
    ck_assert(ir_facts(&f.ir, WIDTH));
    if (tf_pack_init(&pack, &f.ir.facts, rows, forced)) {
        const LLVMValueRef packed = tf_pack_clone(&f.wg, &pack);

        LLVMVerifyFunction(packed, LLVMAbortProcessAction);
        text = LLVMPrintValueToString(packed);
    }
    tf_pack_finish(&pack);
    close_fixture(&f);
    return text;
}

static unsigned count(const char *text, const char *what)
{
    unsigned found = 0;

    for (const char *at = text; (at = strstr(at, what)); at += strlen(what))
        found++;
    return found;
}

static void expect(const char *text, const char *what, unsigned times)
{
    ck_assert_msg(text && count(text, what) == times, "%u of '%s', not %u, in\n%s",
                  text ? count(text, what) : 0, what, times, text ? text : "nothing");
}

static void expect_none(const char *source)
{
    char *text = clone(source, 4, false);

    ck_assert_msg(text == NULL, "%s", text);
}

#define K                                                                              \
    "define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, i64 %l2) " \
    "{\nentry:\n  %p = load ptr addrspace(1), ptr %launch\n"                           \
    "  %x = call i32 @tf_gid0()\n  %y = call i32 @tf_gid1()\n"                         \
    "  %i = zext i32 %x to i64\n  %j = zext i32 %y to i64\n"                           \
    "  %row = shl i64 %j, 10\n  %at = add i64 %row, %i\n"                              \
    "  %same = getelementptr i32, ptr addrspace(1) %p, i64 %i\n"                       \
    "  %own = getelementptr i32, ptr addrspace(1) %p, i64 %at\n"

static const char product[] =
    K "  br label %loop\n"
      "loop:\n"
      "  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n"
      "  %sum = phi float [ 0.0, %entry ], [ %more, %loop ]\n"
      "  %ak = add i64 %row, %k\n"
      "  %ap = getelementptr float, ptr addrspace(1) %p, i64 %ak\n"
      "  %a = load float, ptr addrspace(1) %ap\n"
      "  %bk = mul i64 %k, 1000\n  %bi = add i64 %bk, %i\n"
      "  %bp = getelementptr float, ptr addrspace(1) %p, i64 %bi\n"
      "  %b = load float, ptr addrspace(1) %bp\n"
      "  %m = fmul float %a, %b\n  %more = fadd float %sum, %m\n"
      "  %next = add i64 %k, 1\n"
      "  %again = icmp ult i64 %next, %l2\n"
      "  br i1 %again, label %loop, label %end\n"
      "end:\n  store float %more, ptr addrspace(1) %own\n  ret void\n}\n";

START_TEST(what_rows_have_in_common_is_there_once)
{
    char *text = clone(product, 4, false);

    expect(text, "load float", 4 + 1);
    expect(text, "phi float", 4);
    expect(text, "phi i64", 1);
    expect(text, "store float", 4);
    expect(text, "call i32 @tf_gid1", 1);
    expect(text, "@tf_apart", 0);
    LLVMDisposeMessage(text);
    text = clone(product, 2, false);
    expect(text, "load float", 2 + 1);
    LLVMDisposeMessage(text);
}
END_TEST

START_TEST(rows_are_asked_before_they_write)
{
    char *text = clone(K "  %few = icmp ult i32 %y, 7\n"
                         "  br i1 %few, label %then, label %end\n"
                         "then:\n  store i32 1, ptr addrspace(1) %own\n  br label %end\n"
                         "end:\n  ret void\n}\n",
                       4, false);

    expect(text, "call void @tf_apart", 1);
    expect(text, "store i32 1", 4);
    LLVMDisposeMessage(text);
}
END_TEST

START_TEST(rows_do_not_part_behind_a_write)
{
    expect_none(K "  store i32 0, ptr addrspace(1) %own\n  %few = icmp ult i32 %y, 7\n"
                  "  br i1 %few, label %then, label %end\n"
                  "then:\n  store i32 1, ptr addrspace(1) %own\n  br label %end\n"
                  "end:\n  ret void\n}\n");
}
END_TEST

// Each row has its own number of rounds: most packs would part.
static const char triangle[] =
    K "  br label %loop\n"
      "loop:\n  %k = phi i32 [ 0, %entry ], [ %next, %loop ]\n"
      "  %next = add i32 %k, 1\n  %more = icmp ult i32 %next, %y\n"
      "  br i1 %more, label %loop, label %end\n"
      "end:\n  store i32 %k, ptr addrspace(1) %own\n  ret void\n}\n";

START_TEST(rows_of_different_rounds_run_apart_unless_forced)
{
    char *text;

    expect_none(triangle);
    text = clone(triangle, 4, true);
    expect(text, "call void @tf_apart", 1);
    LLVMDisposeMessage(text);
}
END_TEST

// What lanes decide each for itself cannot be asked for a row.
START_TEST(rows_do_not_part_by_what_lanes_load)
{
    char *text = clone(K "  %v = load i32, ptr addrspace(1) %own\n"
                         "  %some = icmp ult i32 %v, 7\n"
                         "  br i1 %some, label %then, label %end\n"
                         "then:\n  store i32 1, ptr addrspace(1) %own\n  br label %end\n"
                         "end:\n  ret void\n}\n",
                       4, true);

    ck_assert_ptr_null(text);
}
END_TEST

START_TEST(rows_keep_the_order_of_what_others_see)
{
    expect_none(K "  store volatile i32 1, ptr addrspace(1) %own\n  ret void\n}\n");
    expect_none(K "  %v = load volatile i32, ptr addrspace(1) %own\n"
                  "  store i32 %v, ptr addrspace(1) %own\n  ret void\n}\n");
    expect_none(K "  %v = atomicrmw add ptr addrspace(1) %own, i32 1 monotonic\n"
                  "  ret void\n}\n");
    expect_none(K "  %v = load atomic i32, ptr addrspace(1) %own monotonic, align 4\n"
                  "  store i32 %v, ptr addrspace(1) %own\n  ret void\n}\n");
    expect_none(K "  fence seq_cst\n  store i32 1, ptr addrspace(1) %own\n"
                  "  ret void\n}\n");
    expect_none("declare void @other(i32)\n" K
                "  call void @other(i32 %y)\n  ret void\n}\n");
}
END_TEST

START_TEST(without_a_row_there_is_nothing_to_pack)
{
    expect_none("define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, "
                "i64 %l2) {\n  %p = load ptr addrspace(1), ptr %launch\n"
                "  store i32 1, ptr addrspace(1) %p\n  ret void\n}\n");
    // Private variables differ from row to row, but not what is done with them.
    expect_none("define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, "
                "i64 %l2) {\n  %t = alloca [4 x i32]\n"
                "  %p = load ptr addrspace(1), ptr %launch\n"
                "  %x = call i32 @tf_gid0()\n  store i32 %x, ptr %t\n"
                "  %v = load i32, ptr %t\n  store i32 %v, ptr addrspace(1) %p\n"
                "  ret void\n}\n");
}
END_TEST

START_TEST(each_row_has_its_own_private_variables)
{
    char *text =
        clone("define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %l1, "
              "i64 %l2) {\n  %t = alloca [4 x i32]\n"
              "  %p = load ptr addrspace(1), ptr %launch\n"
              "  %y = call i32 @tf_gid1()\n  store i32 %y, ptr %t\n"
              "  %v = load i32, ptr %t\n  store i32 %v, ptr addrspace(1) %p\n"
              "  ret void\n}\n",
              4, false);

    expect(text, "alloca", 4);
    expect(text, "store i32", 8);
    LLVMDisposeMessage(text);
}
END_TEST

// A tile of local memory between two barriers.
#define TILE(between)                                                   \
    K "  %t = load ptr addrspace(3), ptr %worker\n"                     \
      "  %v = load i32, ptr addrspace(1) %own\n"                        \
      "  %l = mul i64 %j, 8\n  %place = add i64 %l, %i\n"               \
      "  %there = getelementptr i32, ptr addrspace(3) %t, i64 %place\n" \
      "  store i32 %v, ptr addrspace(3) %there\n"                       \
      "  fence syncscope(\"workgroup\") acq_rel\n"                      \
      "  call void @__tf_barrier()\n" between                           \
      "  %column = getelementptr i32, ptr addrspace(3) %t, i64 %i\n"    \
      "  %w = load i32, ptr addrspace(3) %column\n"                     \
      "  store i32 %w, ptr addrspace(1) %own\n  ret void\n}\n"

START_TEST(rows_wait_for_each_other_at_one_barrier)
{
    char *text = clone(TILE(""), 4, false);

    expect(text, "call void @__tf_barrier", 1);
    expect(text, "fence", 1);
    expect(text, "load i32, ptr addrspace(1)", 4);
    expect(text, "load i32, ptr addrspace(3)", 1);
    LLVMDisposeMessage(text);
}
END_TEST

START_TEST(rows_with_barriers_do_not_part)
{
    static const char source[] = TILE("  %few = icmp ult i32 %y, 7\n"
                                      "  br i1 %few, label %then, label %end\n"
                                      "then:\n  br label %end\nend:\n");

    expect_none(source);
    ck_assert_ptr_null(clone(source, 4, true));
}
END_TEST

// With lanes: one wide load of what is shared for all rows.
static char *pack(struct fixture *f, const char *source, unsigned rows)
{
    struct tf_lane_steps steps = {.wg = &f->wg, .lanes = &f->ir.lanes, .wanted = true};

    open_fixture(f, source);
    f->ir.wishes.pack_rows = rows;
    f->ir.wishes.width_given = true;
    f->ir.wishes.lanes_forced = true;
    f->wg.checks = true;
    ck_assert(tf_lanes_facts(&steps) && !steps.facts.unfit[0]);
    ck_assert(tf_lanes_choose(&steps) && steps.wanted);
    f->ir.lanes.long_rows = true;
    f->ir.wishes.width_given = false;
    ck_assert(tf_lanes_emit(&steps));
    ck_assert_msg(tf_lanes_pack(&steps), "a pass of LLVM failed");
    tf_lane_steps_finish(&steps);
    return f->ir.lanes.gang_pack ? LLVMPrintValueToString(f->ir.lanes.gang_pack) : NULL;
}

START_TEST(lanes_of_rows_share_vectors)
{
    struct fixture f;
    char *text = pack(&f, product, 0);

    expect(text, "load float", 4);
    ck_assert_uint_eq(f.ir.lanes.pack_rows, 4);
    ck_assert_uint_ge(f.ir.lanes.pack_width, WIDTH);
    ck_assert(f.ir.lanes.pack_columns);
    ck_assert_ptr_nonnull(strstr(f.ir.lanes.report, "pack 4 rows"));
    LLVMDisposeMessage(text);
    close_fixture(&f);
}
END_TEST

START_TEST(packs_are_not_made_where_nobody_wants_them)
{
    struct fixture f;

    ck_assert_ptr_null(pack(&f, product, 1));
    close_fixture(&f);
}
END_TEST

// Whether tiles of groups of that size are packs of `rows`.
static bool packs_tiles(uint64_t size0, uint64_t size1, unsigned rows)
{
    struct fixture f;
    struct tf_lane_steps steps = {.wg = &f.wg, .lanes = &f.ir.lanes, .wanted = true};
    bool packs;

    open_fixture(&f, TILE(""));
    f.ir.item.has_barrier = true;
    f.ir.item.reqd_size[0] = size0;
    f.ir.item.reqd_size[1] = size1;
    f.ir.item.reqd_size[2] = 1;
    f.ir.wishes.pack_rows = rows;
    f.ir.wishes.width_given = true;
    f.ir.wishes.lanes_forced = true;
    ck_assert(tf_lanes_facts(&steps) && tf_lanes_choose(&steps) && steps.wanted);
    ck_assert(tf_lanes_emit(&steps) && tf_lanes_pack(&steps));
    packs = f.ir.lanes.gang_pack != NULL;
    ck_assert(!packs || (f.ir.lanes.pack_rows == rows && !f.ir.lanes.tall_boxes));
    tf_lane_steps_finish(&steps);
    close_fixture(&f);
    return packs;
}

START_TEST(groups_with_barriers_are_whole_packs)
{
    ck_assert(packs_tiles(WIDTH, 4, 4));
    ck_assert(packs_tiles(2 * WIDTH, 8, 2));
    ck_assert(packs_tiles(WIDTH, 2, 2));
    ck_assert(!packs_tiles(WIDTH, 2, 4));
    ck_assert(!packs_tiles(WIDTH, 3, 2));
    ck_assert(!packs_tiles(WIDTH + 1, 4, 4));
    ck_assert(!packs_tiles(0, 0, 4)); // any size
}
END_TEST

START_TEST(rows_that_share_nothing_are_no_pack)
{
    struct fixture f;

    ck_assert_ptr_null(pack(&f,
                            K "  %v = load i32, ptr addrspace(1) %own\n"
                              "  %w = add i32 %v, 1\n"
                              "  store i32 %w, ptr addrspace(1) %own\n  ret void\n}\n",
                            0));
    close_fixture(&f);
}
END_TEST

START_TEST(a_pack_that_parts_runs_its_rows)
{
    struct fixture f;
    char *text = pack(&f,
                      K "  %few = icmp ult i32 %y, 7\n"
                        "  br i1 %few, label %then, label %end\n"
                        "then:\n  store i32 1, ptr addrspace(1) %own\n  br label %end\n"
                        "end:\n  ret void\n}\n",
                      4);
    char *rows;

    expect(text, "call void @tf_gang_rows", 1);
    LLVMDisposeMessage(text);
    rows = LLVMPrintValueToString(LLVMGetNamedFunction(f.wg.module, "tf_gang_rows"));
    expect(rows, "call void @tf_gang_masked", 4);
    LLVMDisposeMessage(rows);
    close_fixture(&f);
}
END_TEST

Suite *tf_suite_pack(void)
{
    Suite *suite = suite_create("pack");
    TCase *tests = tcase_create("pack");

    tcase_add_test(tests, what_rows_have_in_common_is_there_once);
    tcase_add_test(tests, rows_are_asked_before_they_write);
    tcase_add_test(tests, rows_do_not_part_behind_a_write);
    tcase_add_test(tests, rows_of_different_rounds_run_apart_unless_forced);
    tcase_add_test(tests, rows_do_not_part_by_what_lanes_load);
    tcase_add_test(tests, rows_keep_the_order_of_what_others_see);
    tcase_add_test(tests, without_a_row_there_is_nothing_to_pack);
    tcase_add_test(tests, each_row_has_its_own_private_variables);
    tcase_add_test(tests, lanes_of_rows_share_vectors);
    tcase_add_test(tests, packs_are_not_made_where_nobody_wants_them);
    tcase_add_test(tests, rows_wait_for_each_other_at_one_barrier);
    tcase_add_test(tests, rows_with_barriers_do_not_part);
    tcase_add_test(tests, groups_with_barriers_are_whole_packs);
    tcase_add_test(tests, rows_that_share_nothing_are_no_pack);
    tcase_add_test(tests, a_pack_that_parts_runs_its_rows);
    suite_add_tcase(suite, tests);
    return suite;
}
