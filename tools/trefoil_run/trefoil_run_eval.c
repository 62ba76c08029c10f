// SPDX-License-Identifier: MIT
// Evaluator of trefoil-run's expressions: a walk over the tree for each element.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "trefoil_run_tree.h"

struct loop_variable {
    const char *name;
    int64_t value;
    const struct loop_variable *outer;
};

struct evaluation {
    const struct run_scope *scope;
    const struct loop_variable *loops;
    char *error;
};

static bool eval(const struct evaluation *e, const struct run_expr *x,
                 struct run_value *out);

static bool fail_eval(const struct evaluation *e, const char *what, const char *name)
{
    snprintf(e->error, RUN_ERROR_BYTES, "%s%s", what, name);
    return false;
}

static struct run_value of_int(int64_t value)
{
    return (struct run_value){.kind = RUN_VALUE_INT, .bits = (uint64_t)value};
}

static struct run_value of_real(double value)
{
    return (struct run_value){.kind = RUN_VALUE_REAL, .real = value};
}

static bool is_true(struct run_value v)
{
    return v.kind == RUN_VALUE_REAL ? v.real != 0 : v.bits != 0;
}

static bool less(struct run_value a, struct run_value b)
{
    if (a.kind == RUN_VALUE_REAL || b.kind == RUN_VALUE_REAL)
        return run_value_real(a) < run_value_real(b);
    if (a.kind == RUN_VALUE_UINT || b.kind == RUN_VALUE_UINT)
        return a.bits < b.bits;
    return (int64_t)a.bits < (int64_t)b.bits;
}

static bool equal(struct run_value a, struct run_value b)
{
    if (a.kind == RUN_VALUE_REAL || b.kind == RUN_VALUE_REAL)
        return run_value_real(a) == run_value_real(b);
    return a.bits == b.bits;
}

static bool apply_real(const struct evaluation *e, int op, double a, double b,
                       struct run_value *out)
{
    switch (op) {
    case '+':
        *out = of_real(a + b);
        return true;
    case '-':
        *out = of_real(a - b);
        return true;
    case '*':
        *out = of_real(a * b);
        return true;
    case '/':
        *out = of_real(a / b);
        return true;
    case '%':
        *out = of_real(fmod(a, b));
        return true;
    default:
        return fail_eval(e, "bit operation on a real number", "");
    }
}

// Wraps modulo 2^64; division and right shift follow the sign of the kind.
static bool apply_integer(const struct evaluation *e, int op, struct run_value a,
                          struct run_value b, struct run_value *out)
{
    const bool is_signed = a.kind == RUN_VALUE_INT && b.kind == RUN_VALUE_INT;
    const bool minus_one = is_signed && b.bits == UINT64_MAX;

    out->kind = is_signed ? RUN_VALUE_INT : RUN_VALUE_UINT;
    if ((op == '/' || op == '%') && !b.bits)
        return fail_eval(e, "division by zero", "");
    switch (op) {
    case '+':
        out->bits = a.bits + b.bits;
        break;
    case '-':
        out->bits = a.bits - b.bits;
        break;
    case '*':
        out->bits = a.bits * b.bits;
        break;
    case '/':
        out->bits = minus_one   ? 0 - a.bits
                    : is_signed ? (uint64_t)((int64_t)a.bits / (int64_t)b.bits)
                                : a.bits / b.bits;
        break;
    case '%':
        out->bits = minus_one   ? 0
                    : is_signed ? (uint64_t)((int64_t)a.bits % (int64_t)b.bits)
                                : a.bits % b.bits;
        break;
    case '&':
        out->bits = a.bits & b.bits;
        break;
    case '|':
        out->bits = a.bits | b.bits;
        break;
    case '^':
        out->bits = a.bits ^ b.bits;
        break;
    case OP_SHL:
        out->bits = b.bits < 64 ? a.bits << b.bits : 0;
        out->kind = a.kind;
        break;
    default: // OP_SHR
        out->kind = a.kind;
        if (a.kind == RUN_VALUE_INT)
            out->bits = (uint64_t)((int64_t)a.bits >> (b.bits < 63 ? b.bits : 63));
        else
            out->bits = b.bits < 64 ? a.bits >> b.bits : 0;
    }
    return true;
}

static bool eval_binary(const struct evaluation *e, const struct run_expr *x,
                        struct run_value *out)
{
    struct run_value a, b;

    if (!eval(e, x->sub[0], &a))
        return false;
    if (x->op == OP_AND || x->op == OP_OR) {
        *out = of_int(is_true(a));
        if (is_true(a) == (x->op == OP_OR))
            return true;
        if (!eval(e, x->sub[1], &b))
            return false;
        *out = of_int(is_true(b));
        return true;
    }
    if (!eval(e, x->sub[1], &b))
        return false;
    switch (x->op) {
    case OP_EQ:
        *out = of_int(equal(a, b));
        return true;
    case OP_NE:
        *out = of_int(!equal(a, b));
        return true;
    case '<':
        *out = of_int(less(a, b));
        return true;
    case '>':
        *out = of_int(less(b, a));
        return true;
    case OP_LE:
        *out = of_int(less(a, b) || equal(a, b));
        return true;
    case OP_GE:
        *out = of_int(less(b, a) || equal(a, b));
        return true;
    default:
        break;
    }
    if (a.kind == RUN_VALUE_REAL || b.kind == RUN_VALUE_REAL)
        return apply_real(e, x->op, run_value_real(a), run_value_real(b), out);
    return apply_integer(e, x->op, a, b, out);
}

static bool eval_unary(const struct evaluation *e, const struct run_expr *x,
                       struct run_value *out)
{
    if (!eval(e, x->sub[0], out))
        return false;
    if (x->op == '!') {
        *out = of_int(!is_true(*out));
    } else if (out->kind == RUN_VALUE_REAL) {
        if (x->op == '~')
            return fail_eval(e, "bit operation on a real number", "");
        out->real = -out->real;
    } else {
        out->bits = x->op == '-' ? 0 - out->bits : ~out->bits;
    }
    return true;
}

static bool eval_name(const struct evaluation *e, const struct run_expr *x, bool after,
                      struct run_value *out)
{
    const struct run_scope *scope = e->scope;
    struct run_value index = of_int(0), component = of_int(scope->j);

    if (!x->n_sub) {
        for (const struct loop_variable *loop = e->loops; loop; loop = loop->outer)
            if (!strcmp(loop->name, x->text)) {
                *out = of_int(loop->value);
                return true;
            }
        if (!strcmp(x->text, "i") || !strcmp(x->text, "j")) {
            *out = of_int(x->text[0] == 'i' ? scope->i : scope->j);
            return true;
        }
        if (scope->has_it && !strcmp(x->text, "it")) {
            *out = scope->it;
            return true;
        }
        if (!strcmp(x->text, "nan") || !strcmp(x->text, "infinity")) {
            *out = of_real(x->text[0] == 'n' ? (double)NAN : (double)INFINITY);
            return true;
        }
    }
    if ((x->n_sub > 0 && !eval(e, x->sub[0], &index)) ||
        (x->n_sub > 1 && !eval(e, x->sub[1], &component)))
        return false;
    if (index.kind == RUN_VALUE_REAL || component.kind == RUN_VALUE_REAL)
        return fail_eval(e, "a real number as index of ", x->text);
    return scope->lookup(scope->data, x->text, (size_t)index.bits, (size_t)component.bits,
                         after, out, e->error);
}

static bool eval_loop(const struct evaluation *e, const struct run_expr *x,
                      struct run_value *out)
{
    struct run_value from, to, value;
    struct loop_variable loop = {.name = x->text, .outer = e->loops};
    const struct evaluation inner = {
        .scope = e->scope, .loops = &loop, .error = e->error};

    *out = of_int(0);
    if (!eval(e, x->sub[0], &from) || !eval(e, x->sub[1], &to))
        return false;
    for (int64_t k = (int64_t)from.bits; k < (int64_t)to.bits; k++) {
        loop.value = k;
        if (!eval(&inner, x->sub[2], &value))
            return false;
        const struct run_value old = *out;
        if (k == (int64_t)from.bits)
            *out = value;
        else if (x->op == '<' || x->op == '>')
            *out = less(value, old) == (x->op == '<') ? value : old;
        else if (old.kind == RUN_VALUE_REAL || value.kind == RUN_VALUE_REAL)
            *out = of_real(run_value_real(old) + run_value_real(value));
        else if (!apply_integer(e, '+', old, value, out))
            return false;
    }
    return true;
}

// A number that depends on seed, element and component only: in [low, high] for integers,
// in [low, high) for reals.
static struct run_value random_value(const struct evaluation *e,
                                     const struct run_value *v)
{
    uint64_t x = v[0].bits * UINT64_C(0x2545f4914f6cdd1d) + (uint64_t)e->scope->i * 16 +
                 (uint64_t)e->scope->j + 1;

    for (int round = 0; round < 3; round++) { // xor-shift and multiply until well mixed
        x ^= x >> 31;
        x *= UINT64_C(0x9e3779b97f4a7c15);
    }
    x ^= x >> 32;
    if (v[1].kind != RUN_VALUE_REAL && v[2].kind != RUN_VALUE_REAL) {
        const uint64_t span = v[2].bits - v[1].bits + 1;
        return of_int((int64_t)(v[1].bits + (span ? x % span : x)));
    }
    const double low = run_value_real(v[1]), high = run_value_real(v[2]);
    return of_real(low + (high - low) * ((double)(x >> 11) * 0x1p-53));
}

static const struct {
    const char *name;
    double (*one)(double);
    double (*two)(double, double);
} real_functions[] = {
    {"sqrt", sqrt, NULL},   {"exp", exp, NULL},     {"exp2", exp2, NULL},
    {"log", log, NULL},     {"log2", log2, NULL},   {"sin", sin, NULL},
    {"cos", cos, NULL},     {"tan", tan, NULL},     {"atan", atan, NULL},
    {"tanh", tanh, NULL},   {"floor", floor, NULL}, {"ceil", ceil, NULL},
    {"round", round, NULL}, {"trunc", trunc, NULL}, {"rint", rint, NULL},
    {"cbrt", cbrt, NULL},   {"pow", NULL, pow},     {"atan2", NULL, atan2},
    {"fmod", NULL, fmod},   {"hypot", NULL, hypot}, {"copysign", NULL, copysign},
};

static bool call(const struct evaluation *e, const struct run_expr *x,
                 const struct run_value *v, struct run_value *out)
{
    const char *name = x->text;
    const enum run_scalar type = run_scalar_find(name, strlen(name));

    if (type != RUN_SCALARS && x->n_sub == 1) {
        char element[8] = {0};
        run_value_store(type, element, v[0]);
        *out = run_value_load(type, element);
        return true;
    }
    if ((!strcmp(name, "min") || !strcmp(name, "max")) && x->n_sub == 2) {
        *out = less(v[1], v[0]) == (name[1] == 'i') ? v[1] : v[0];
        return true;
    }
    if (!strcmp(name, "abs") && x->n_sub == 1) {
        *out = v[0];
        if (v[0].kind == RUN_VALUE_REAL)
            out->real = fabs(v[0].real);
        else if (less(v[0], of_int(0)))
            out->bits = 0 - v[0].bits;
        return true;
    }
    if (!strcmp(name, "fma") && x->n_sub == 3) {
        *out = of_real(
            fma(run_value_real(v[0]), run_value_real(v[1]), run_value_real(v[2])));
        return true;
    }
    if (!strcmp(name, "random") && x->n_sub == 3) {
        *out = random_value(e, v);
        return true;
    }
    for (size_t n = 0; n < sizeof(real_functions) / sizeof(real_functions[0]); n++) {
        if (strcmp(real_functions[n].name, name) != 0)
            continue;
        if (real_functions[n].one && x->n_sub == 1)
            *out = of_real(real_functions[n].one(run_value_real(v[0])));
        else if (real_functions[n].two && x->n_sub == 2)
            *out = of_real(
                real_functions[n].two(run_value_real(v[0]), run_value_real(v[1])));
        else
            break;
        return true;
    }
    return fail_eval(e, "no such function, or other arguments: ", name);
}

static bool eval_call(const struct evaluation *e, const struct run_expr *x,
                      struct run_value *out)
{
    struct run_value v[MAX_PARAMETERS] = {{0}};

    if (!strcmp(x->text, "after")) {
        if (x->n_sub != 1 || x->sub[0]->kind != NODE_NAME)
            return fail_eval(e,
                             "after() takes the element of an argument: ", "after(a[i])");
        return eval_name(e, x->sub[0], true, out);
    }
    for (int n = 0; n < x->n_sub; n++)
        if (!eval(e, x->sub[n], &v[n]))
            return false;
    return call(e, x, v, out);
}

static bool eval(const struct evaluation *e, const struct run_expr *x,
                 struct run_value *out)
{
    struct run_value condition;

    switch (x->kind) {
    case NODE_NUMBER:
        *out = x->number;
        return true;
    case NODE_NAME:
        return eval_name(e, x, false, out);
    case NODE_UNARY:
        return eval_unary(e, x, out);
    case NODE_BINARY:
        return eval_binary(e, x, out);
    case NODE_CHOICE:
        return eval(e, x->sub[0], &condition) &&
               eval(e, is_true(condition) ? x->sub[1] : x->sub[2], out);
    case NODE_CALL:
        return eval_call(e, x, out);
    case NODE_LOOP:
        return eval_loop(e, x, out);
    }
    return fail_eval(e, "damaged expression", "");
}

bool run_expr_eval(const struct run_expr *expr, const struct run_scope *scope,
                   struct run_value *out, char *error)
{
    const struct evaluation e = {.scope = scope, .error = error};

    return eval(&e, expr, out);
}
