// SPDX-License-Identifier: MIT
// Functions without rounding - integers, bits, dot products of integers, relations,
// selections, shuffles - of every type and all widths, against 128-bit arithmetic on the
// host.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "builtins/reference/exact_reference.h"
#include "builtins/support/calls.h"
#include "builtins/support/digest.h"
#include "builtins/support/inputs.h"
#include "builtins/support/names.h"
#include "support/suite.h"

static const char *const modules[] = {"integer",    "integer_wide", "integer_bits",
                                      "bit_fields", "dot_product",  "relational",
                                      "shuffle"};
enum { MODULES = sizeof modules / sizeof *modules };

static struct names names;

static bool is_ours(const struct family *f)
{
    for (int m = 0; m < MODULES; m++)
        if (!strcmp(f->module, modules[m]))
            return true;
    return false;
}

// Makes the numbers ones that the function is defined for.
static void prepare(const struct family *f, const struct exact_reference *ref,
                    size_t points, void *const args[])
{
    struct exact_call c = {0};
    struct number x[EXACT_ARGS] = {0};

    for (int a = 0; a < f->args; a++)
        c.arg[a] = element_find(f->arg[a].element);
    for (size_t i = 0; i < points; i++) {
        for (int a = 0; a < f->args; a++)
            x[a] = element_get(c.arg[a], args[a], i);
        ref->prepare(x, &c);
        for (int a = 0; a < f->args; a++)
            element_set(c.arg[a], args[a], i, x[a]);
    }
}

// The arguments of work-item `item`.
static void gather(struct exact_call *c, const struct family *f, int variant, size_t item,
                   void *const args[])
{
    const size_t widest = calls_widest(f, variant);

    c->ret = element_find(f->ret);
    c->ret_width = f->width[variant][0];
    for (int a = 0; a < f->args; a++) {
        c->arg[a] = element_find(f->arg[a].element);
        c->width[a] = f->width[variant][1 + a];
        for (unsigned i = 0; i < c->width[a]; i++)
            c->x[a][i] = element_get(c->arg[a], args[a], item * widest + i);
    }
}

static void check_variant(const struct calls *calls, const struct exact_reference *ref,
                          int variant, void *const args[])
{
    const struct family *f = calls->families[0];
    const size_t widest = calls_widest(f, variant);
    const void *results = calls_result(calls, 0, variant);
    struct exact_call c = {0};
    char text[200], got_text[64], want_text[64], x[3][64];

    for (size_t item = 0; item < calls->points / widest; item++) {
        gather(&c, f, variant, item, args);
        exact_reference_value(ref, &c);
        for (unsigned i = 0; i < c.ret_width; i++) {
            const struct number got = element_get(c.ret, results, item * widest + i);
            // The result wraps into its type.
            const struct number want =
                number_from_bits(c.ret, number_bits(c.ret, c.r[i]));

            if (number_same(c.ret, got, want))
                continue;
            for (int a = 0; a < 3; a++)
                if (a < f->args)
                    number_text(c.arg[a], c.x[a][c.width[a] > 1 ? i : 0], x[a]);
                else
                    strcpy(x[a], "-");
            ck_abort_msg("%s, element %u of %s, %s, %s: %s, not %s",
                         calls_text(f, variant, text), i, x[0], x[1], x[2],
                         number_text(c.ret, got, got_text),
                         number_text(c.ret, want, want_text));
        }
    }
}

static void check_family(struct session *s, const struct family *f)
{
    const struct exact_reference *ref = exact_reference_find(f->name);
    const size_t points = (inputs_full() ? 86u : f->variants > 8 ? 2u : 8u) * CALLS_UNIT;
    void *args[FAMILY_ARGS] = {0};
    struct calls calls;
    char text[200];

    ck_assert_msg(calls_possible(f) && f->args <= EXACT_ARGS, "%s cannot be called",
                  f->name);
    ck_assert_msg(ref, "%s has no reference", f->name);
    for (int a = 0; a < f->args; a++)
        args[a] = calloc(points, 8);
    inputs_fill(f, 0, points, points, args);
    if (ref->prepare)
        prepare(f, ref, points, args);
    calls_open(&calls, s, &f, 1, points, "");
    for (int a = 0; a < f->args; a++)
        calls_set(&calls, a, args[a]);
    calls_run(&calls);
    for (int v = 0; v < f->variants; v++)
        if (calls_wanted(f, v))
            check_variant(&calls, ref, v, args);
    // The scalar form is called in every form of work-groups.
    if (calls_widest(f, 0) == 1)
        digest_add(calls_text(f, 0, text), element_find(f->ret),
                   calls_result(&calls, 0, 0), points);
    calls_close(&calls);
    for (int a = 0; a < f->args; a++)
        free(args[a]);
}

START_TEST(function_is_exact)
{
    struct session session;

    session_open(&session);
    for (const struct family *f = families; f->name; f++)
        if (is_ours(f) && names_wanted(f, names.name[_i]) &&
            session_has(&session, f->arg[0].element))
            check_family(&session, f);
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: exact");
    TCase *functions = tcase_create("functions");

    digest_begin();
    names_collect(&names, is_ours);
    tcase_set_timeout(functions, 600);
    tcase_add_loop_test(functions, function_is_exact, 0, names.count);
    suite_add_tcase(suite, functions);
    return tf_run_suite(suite);
}
