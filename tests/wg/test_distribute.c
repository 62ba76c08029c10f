// SPDX-License-Identifier: MIT
// Loops that hand on more sums than registers hold become several.
#include "ir_text.h"

#include <stdio.h>
#include <string.h>

#include <llvm-c/Analysis.h>

#include "compiler/workgroup/prepare/rounds/distribute.h"

enum { TEXT_BYTES = 20000 };

// What stands in the loop beside the sums, and what ends it.
struct extra {
    const char *inside;
    const char *end;    // the condition to go on; NULL: less than %n rounds
    const char *factor; // of each element of a; NULL: the element of b
};

static void add(char *text, const char *more)
{
    ck_assert_uint_lt(strlen(text) + strlen(more), TEXT_BYTES);
    strcat(text, more);
}

static void write_loads(char *text, unsigned rows, unsigned columns)
{
    char line[400];

    for (unsigned i = 0; i < rows; i++) {
        snprintf(
            line, sizeof(line),
            "  %%pa%u = getelementptr float, ptr addrspace(1) %%in, i64 %u\n"
            "  %%qa%u = getelementptr [64 x float], ptr addrspace(1) %%pa%u, i64 %%k\n"
            "  %%a%u = load float, ptr addrspace(1) %%qa%u\n",
            i, 7 * i, i, i, i, i);
        add(text, line);
    }
    for (unsigned j = 0; j < columns; j++) {
        snprintf(
            line, sizeof(line),
            "  %%pb%u = getelementptr [64 x float], ptr addrspace(1) %%mine, i64 %%k\n"
            "  %%qb%u = getelementptr float, ptr addrspace(1) %%pb%u, i64 %u\n"
            "  %%b%u = load float, ptr addrspace(1) %%qb%u\n",
            j, j, j, 8 * j, j, j);
        add(text, line);
    }
}

// for (k = 0; k < n; k++) sums[i][j] += a[i][k] * b[k][j], and all of them stored.
static void write_product(char *text, unsigned rows, unsigned columns,
                          const struct extra *extra)
{
    char line[400];

    strcpy(text, "define void @k(ptr %launch, ptr %worker, ptr %group, i64 %l0, i64 %n, "
                 "i64 %l2) {\nentry:\n  %in = load ptr addrspace(1), ptr %launch\n"
                 "  %x = call i32 @tf_gid0()\n  %wide = zext i32 %x to i64\n"
                 "  %mine = getelementptr float, ptr addrspace(1) %in, i64 %wide\n"
                 "  br label %loop\nloop:\n"
                 "  %k = phi i64 [ 0, %entry ], [ %next, %loop ]\n");
    for (unsigned i = 0; i < rows * columns; i++) {
        snprintf(line, sizeof(line),
                 "  %%s%u = phi float [ 0.0, %%entry ], [ %%t%u, %%loop ]\n", i, i);
        add(text, line);
    }
    add(text, extra->inside ? extra->inside : "");
    write_loads(text, rows, columns);
    for (unsigned i = 0; i < rows * columns; i++) {
        char factor[16];

        snprintf(factor, sizeof(factor), "%%b%u", i % columns);
        snprintf(line, sizeof(line),
                 "  %%m%u = fmul float %%a%u, %s\n  %%t%u = fadd float %%s%u, %%m%u\n", i,
                 i / columns, extra->factor ? extra->factor : factor, i, i, i);
        add(text, line);
    }
    add(text, "  %next = add nuw nsw i64 %k, 1\n");
    add(text, extra->end ? extra->end : "  %again = icmp ult i64 %next, %n\n");
    add(text, "  br i1 %again, label %loop, label %end\nend:\n");
    for (unsigned i = 0; i < rows * columns; i++) {
        snprintf(line, sizeof(line), "  %%u%u = phi float [ %%t%u, %%loop ]\n", i, i);
        add(text, line);
    }
    for (unsigned i = 0; i < rows * columns; i++) {
        snprintf(line, sizeof(line),
                 "  %%o%u = getelementptr float, ptr addrspace(1) %%mine, i64 %u\n"
                 "  store float %%u%u, ptr addrspace(1) %%o%u\n",
                 i, 1000 + i, i, i);
        add(text, line);
    }
    add(text, "  ret void\n}\n");
}

// How many loops the product becomes for registers of 256 bits: 13 may take values.
static unsigned loops_of_lanes(unsigned rows, unsigned columns, const struct extra *extra,
                               unsigned lanes)
{
    static char text[TEXT_BYTES];
    struct ir ir;
    unsigned found;
    bool any;

    write_product(text, rows, columns, extra);
    ir_open(&ir, text);
    ck_assert(ir_facts(&ir, lanes));
    any = tf_prepare_distribute(&ir.facts, &ir.target);
    ck_assert(!LLVMVerifyFunction(ir.fn, LLVMPrintMessageAction));
    found = ir_count(&ir, "icmp ult i64");
    ck_assert(any == (found > 1));
    ir_close(&ir);
    return found;
}

static unsigned loops(unsigned rows, unsigned columns, const struct extra *extra)
{
    return loops_of_lanes(rows, columns, extra, 8);
}

static const struct extra plain = {NULL, NULL, NULL};

START_TEST(sums_that_fit_stay_together)
{
    ck_assert_uint_eq(loops(2, 4, &plain), 1);
    ck_assert_uint_eq(loops(3, 4, &plain), 1);
    ck_assert_uint_eq(loops(5, 3, &plain), 1);
}
END_TEST

START_TEST(more_sums_become_loops_of_eight)
{
    ck_assert_uint_eq(loops(4, 4, &plain), 2);
    ck_assert_uint_eq(loops(4, 6, &plain), 3);
    ck_assert_uint_eq(loops(8, 8, &plain), 8);
}
END_TEST

// Sums that take more registers than a loop is to have.
START_TEST(each_loop_has_a_sum)
{
    ck_assert_uint_eq(loops_of_lanes(1, 2, &plain, 128), 2);
    ck_assert_uint_eq(loops_of_lanes(1, 1, &plain, 128), 1);
}
END_TEST

// What every sum needs anew is not made anew in many loops.
START_TEST(dear_terms_stay_together)
{
    static const struct extra function = {
        "  %far = mul i64 %wide, 99\n"
        "  %pf = getelementptr float, ptr addrspace(1) %in, i64 %far\n"
        "  %qf = getelementptr float, ptr addrspace(1) %pf, i64 %k\n"
        "  %f = load float, ptr addrspace(1) %qf\n  %term = fdiv float 1.0, %f\n",
        NULL, "%term"};

    ck_assert_uint_eq(loops(16, 1, &function), 1);
}
END_TEST

START_TEST(other_loops_stay)
{
    static const struct extra others[] = {
        // what others may see
        {"  store float 1.0, ptr addrspace(1) %mine\n", NULL, NULL},
        {"  %v = load volatile float, ptr addrspace(1) %mine\n", NULL, NULL},
        {"  %v = atomicrmw add ptr addrspace(1) %mine, i32 1 monotonic\n", NULL, NULL},
        // a number of rounds of each item's own
        {NULL, "  %again = icmp ult i64 %next, %wide\n", NULL},
        // of a sum, which all others wait for
        {NULL,
         "  %less = fcmp olt float %t0, 9.0\n  %few = icmp ult i64 %next, %n\n"
         "  %again = and i1 %less, %few\n",
         NULL},
    };

    for (size_t i = 0; i < sizeof(others) / sizeof(others[0]); i++)
        ck_assert_msg(loops(4, 4, &others[i]) == 1, "%zu", i);
}
END_TEST

// What a loop counts is there behind it, and each sum once.
START_TEST(results_are_those_of_the_loop_that_makes_them)
{
    static char text[TEXT_BYTES];
    struct ir ir;

    write_product(text, 4, 4, &plain);
    ir_open(&ir, text);
    ck_assert(ir_facts(&ir, 8));
    ck_assert(tf_prepare_distribute(&ir.facts, &ir.target));
    for (LLVMUseRef u = LLVMGetFirstUse(ir_value(&ir, "t0")); u; u = LLVMGetNextUse(u))
        ck_assert_ptr_nonnull(LLVMIsAPHINode(LLVMGetUser(u)));
    // The first eight are two rows of four; those of the others are made in the copy.
    for (unsigned i = 0; i < 16; i++) {
        char name[16];
        unsigned behind = 0;

        snprintf(name, sizeof(name), "t%u", i);
        for (LLVMUseRef u = LLVMGetFirstUse(ir_value(&ir, name)); u;
             u = LLVMGetNextUse(u))
            behind += LLVMGetInstructionParent(LLVMGetUser(u)) !=
                      LLVMGetInstructionParent(ir_value(&ir, name));
        ck_assert_msg(behind == (i < 8 ? 1 : 0), "%s", name);
    }
    ir_close(&ir);
}
END_TEST

Suite *tf_suite_distribute(void)
{
    Suite *suite = suite_create("distribute");
    TCase *tcase = tcase_create("distribute");

    tcase_add_test(tcase, sums_that_fit_stay_together);
    tcase_add_test(tcase, more_sums_become_loops_of_eight);
    tcase_add_test(tcase, each_loop_has_a_sum);
    tcase_add_test(tcase, dear_terms_stay_together);
    tcase_add_test(tcase, other_loops_stay);
    tcase_add_test(tcase, results_are_those_of_the_loop_that_makes_them);
    suite_add_tcase(suite, tcase);
    return suite;
}
