// SPDX-License-Identifier: MIT
// Initial contents of arguments and comparison of results, element by element.
#include "trefoil_run_exec.h"

#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

// Buffers that are given no values hold this, so that a missing write shows.
#define FILLER 0xa5

struct names {
    const struct run_data *data;
    size_t n_data;
};

static bool has_data(const struct run_data *d)
{
    return d->before != NULL || d->same_after != NULL;
}

static const struct run_data *find_data(const struct names *names, const char *name)
{
    for (size_t n = 0; n < names->n_data; n++)
        if (!strcmp(names->data[n].arg->name, name) && has_data(&names->data[n]))
            return &names->data[n];
    return NULL;
}

static const struct run_arg *shape_of(const struct names *names, const struct run_data *d)
{
    return d->arg->form == RUN_ARG_SAME ? names->data[d->arg->same].arg : d->arg;
}

static const unsigned char *bytes_of(const struct names *names, const struct run_data *d,
                                     bool after)
{
    if (after && d->same_after)
        return d->same_after;
    return d->arg->form == RUN_ARG_SAME ? names->data[d->arg->same].before : d->before;
}

static bool lookup(void *data, const char *name, size_t index, size_t component,
                   bool after, struct run_value *out, char *error)
{
    const struct names *names = data;
    const struct run_data *d = find_data(names, name);

    if (!d) {
        snprintf(error, RUN_ERROR_BYTES, "no argument with values is called %s", name);
        return false;
    }
    const struct run_arg *shape = shape_of(names, d);
    const struct run_layout *layout = &shape->layout;
    if (layout->n_components == 1)
        component = 0;
    if (index >= shape->count || component >= layout->n_components) {
        snprintf(error, RUN_ERROR_BYTES, "%s[%zu, %zu] is out of range", name, index,
                 component);
        return false;
    }
    *out = run_value_load(layout->component[component].type,
                          bytes_of(names, d, after) + index * layout->size_bytes +
                              layout->component[component].offset_bytes);
    return true;
}

// The expression for component `position` of a run of `total`.
static const struct run_expr *item_for(const struct run_init *init, size_t position)
{
    return init->items[init->is_list ? position % init->n_items : 0];
}

static bool list_fits(const struct run_init *init, size_t total, char *error)
{
    if (!init->is_list || init->repeats || init->n_items == total)
        return true;
    snprintf(error, RUN_ERROR_BYTES,
             "%zu values for %zu components (end the list with ... to repeat it)",
             init->n_items, total);
    return false;
}

bool run_data_init(struct run_data *data, size_t index, char *error)
{
    struct run_data *d = &data[index];
    const struct run_arg *arg = d->arg;
    const struct run_layout *layout = &arg->layout;
    const unsigned width = layout->n_components;
    struct names names = {.data = data, .n_data = index};
    struct run_scope scope = {.lookup = lookup, .data = &names};

    memset(d->before, FILLER, arg->count * layout->size_bytes);
    if (!arg->init.n_items)
        return true;
    if (!list_fits(&arg->init, arg->count * width, error))
        return false;
    for (size_t n = 0; n < arg->count; n++)
        for (unsigned c = 0; c < width; c++) {
            struct run_value value;
            scope.i = (int64_t)n;
            scope.j = c;
            if (!run_expr_eval(item_for(&arg->init, n * width + c), &scope, &value,
                               error))
                return false;
            run_value_store(layout->component[c].type,
                            d->before + n * layout->size_bytes +
                                layout->component[c].offset_bytes,
                            value);
        }
    return true;
}

// ---- Comparison ----

static void format_value(char *out, size_t bytes, struct run_value value,
                         enum run_scalar type)
{
    if (value.kind == RUN_VALUE_REAL)
        snprintf(out, bytes, "%.*g", type == RUN_DOUBLE ? 17 : 9, value.real);
    else if (value.kind == RUN_VALUE_UINT)
        snprintf(out, bytes, "%" PRIu64, value.bits);
    else
        snprintf(out, bytes, "%" PRId64, (int64_t)value.bits);
}

// Distance of one unit in the last place at `reference`, in the precision of type.
static double ulp_at(double reference, enum run_scalar type)
{
    int exponent;
    const int digits = type == RUN_HALF ? 11 : type == RUN_FLOAT ? 24 : 53;
    const int least = type == RUN_HALF ? -24 : type == RUN_FLOAT ? -149 : -1074;

    frexp(reference, &exponent);
    return ldexp(1.0, exponent - digits > least ? exponent - digits : least);
}

static bool value_close(const struct run_check *check, enum run_scalar type,
                        struct run_value got, struct run_value expected)
{
    char wanted[8] = {0};

    if (type != RUN_HALF && type != RUN_FLOAT && type != RUN_DOUBLE) {
        run_value_store(type, wanted, expected);
        return run_value_load(type, wanted).bits == got.bits;
    }
    const double exact = run_value_real(expected);
    run_value_store(type, wanted, expected);
    const double rounded = run_value_real(run_value_load(type, wanted));
    if (isnan(exact) || isnan(got.real))
        return isnan(exact) && isnan(got.real);
    if (got.real == rounded)
        return true;
    if (isinf(got.real) || isinf(rounded))
        return false;
    const double difference = fabs(got.real - exact);
    return difference <= check->absolute ||
           difference <= check->ulp * ulp_at(exact, type);
}

static void describe_target(char *out, size_t bytes, const struct run_check *check,
                            const struct run_layout *layout, size_t element,
                            unsigned component)
{
    if (layout->n_components > 1)
        snprintf(out, bytes, "%s[%zu, %u]", check->name, element, component);
    else
        snprintf(out, bytes, "%s[%zu]", check->name, element);
}

// One component; position counts the components compared before it.
static bool check_component(const struct run_check *check,
                            const struct run_layout *layout, struct run_scope *scope,
                            size_t position, char *message)
{
    const size_t element = (size_t)scope->i;
    const unsigned component = (unsigned)scope->j;
    const enum run_scalar type = layout->component[component].type;
    struct run_value value;
    char target[RUN_NAME_BYTES + 48], got[40], expected[40];

    if (!run_expr_eval(item_for(&check->init, position), scope, &value, message))
        return false;
    describe_target(target, sizeof(target), check, layout, element, component);
    format_value(got, sizeof(got), scope->it, type);
    if (check->kind == RUN_CHECK_WHERE) {
        if (run_value_real(value) != 0)
            return true;
        snprintf(message, RUN_ERROR_BYTES, "%s: got %s, which the condition excludes",
                 target, got);
        return false;
    }
    if (value_close(check, type, scope->it, value))
        return true;
    format_value(expected, sizeof(expected), value, type);
    snprintf(message, RUN_ERROR_BYTES, "%s: got %s, expected %s", target, got, expected);
    return false;
}

static size_t last_element(const struct run_check *check, const struct run_arg *shape)
{
    return check->last == SIZE_MAX ? shape->count - 1 : check->last;
}

bool run_check_data(const struct run_check *check, const struct run_data *data,
                    size_t n_data, char *message)
{
    struct names names = {.data = data, .n_data = n_data};
    const struct run_data *d = find_data(&names, check->name);
    const struct run_arg *shape = shape_of(&names, d);
    const struct run_layout *layout = &shape->layout;
    const size_t last = last_element(check, shape);
    struct run_scope scope = {.lookup = lookup, .data = &names, .has_it = true};
    size_t position = 0;

    if (last >= shape->count || check->first > last) {
        snprintf(message, RUN_ERROR_BYTES, "%s has only %zu elements", check->name,
                 shape->count);
        return false;
    }
    if (!list_fits(&check->init, (last - check->first + 1) * layout->n_components,
                   message))
        return false;
    for (size_t n = check->first; n <= last; n++)
        for (unsigned c = 0; c < layout->n_components; c++) {
            scope.i = (int64_t)n;
            scope.j = c;
            if (!lookup(&names, check->name, n, c, true, &scope.it, message) ||
                !check_component(check, layout, &scope, position++, message))
                return false;
        }
    return true;
}

void run_print_data(const struct run_check *check, const struct run_data *data,
                    size_t n_data)
{
    struct names names = {.data = data, .n_data = n_data};
    const struct run_data *d = find_data(&names, check->name);
    const struct run_arg *shape = shape_of(&names, d);
    const size_t last = last_element(check, shape);

    printf("%s =", check->name);
    for (size_t n = check->first; n <= last && n < shape->count; n++)
        for (unsigned c = 0; c < shape->layout.n_components; c++) {
            struct run_value value;
            char text[40], error[RUN_ERROR_BYTES];
            if (!lookup(&names, check->name, n, c, true, &value, error))
                return;
            format_value(text, sizeof(text), value, shape->layout.component[c].type);
            printf("%s%s", c || shape->layout.n_components == 1 ? " " : " | ", text);
        }
    printf("\n");
}
