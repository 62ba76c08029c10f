// SPDX-License-Identifier: MIT
// Parser of the directives. A directive is a line comment that starts with one of the
// known words and a colon; a mistake in one is an error, so that no test is silently left
// out.
#include "trefoil_run_script.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// A position in the text of one directive.
struct cursor {
    struct run_script *script;
    const char *at, *end;
};

static bool fail(struct cursor *c, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

static bool fail(struct cursor *c, const char *fmt, ...)
{
    va_list args;

    va_start(args, fmt);
    if (!c->script->error[0])
        vsnprintf(c->script->error, sizeof(c->script->error), fmt, args);
    va_end(args);
    return false;
}

// Appends one zeroed element to an array of `*count`; memory for a test script is there.
static void *grow(void *array, size_t *count, size_t element_bytes)
{
    char *grown = realloc(array, (*count + 1) * element_bytes);

    if (!grown)
        abort();
    memset(grown + *count * element_bytes, 0, element_bytes);
    ++*count;
    return grown;
}

// ---- Words ----

static void skip_blanks(struct cursor *c)
{
    while (c->at < c->end && isspace((unsigned char)*c->at))
        c->at++;
}

static bool at_end(struct cursor *c)
{
    skip_blanks(c);
    return c->at == c->end;
}

static bool accept(struct cursor *c, const char *token)
{
    const size_t length = strlen(token);

    skip_blanks(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, token, length) != 0)
        return false;
    c->at += length;
    return true;
}

// A name or keyword: letters, digits, '_'.
static bool word(struct cursor *c, char *out)
{
    size_t length = 0;

    skip_blanks(c);
    while (c->at < c->end && (isalnum((unsigned char)*c->at) || *c->at == '_')) {
        if (length + 1 == RUN_NAME_BYTES)
            return fail(c, "name too long");
        out[length++] = *c->at++;
    }
    out[length] = '\0';
    return length || fail(c, "a name was expected at \"%.20s\"", c->at);
}

// Accepts `keyword` only as a whole word.
static bool accept_word(struct cursor *c, const char *keyword)
{
    const char *const start = c->at;

    if (accept(c, keyword) &&
        (c->at == c->end || !(isalnum((unsigned char)*c->at) || *c->at == '_')))
        return true;
    c->at = start;
    return false;
}

static bool number(struct cursor *c, size_t *out)
{
    char *stop;

    skip_blanks(c);
    if (c->at == c->end || !isdigit((unsigned char)*c->at))
        return fail(c, "a number was expected at \"%.20s\"", c->at);
    *out = strtoull(c->at, &stop, 10); // not 0: "0x2" is two sizes
    c->at = stop;
    return true;
}

static char *quoted(struct cursor *c)
{
    const char *start, *stop;

    if (!accept(c, "\"") || !(stop = memchr(c->at, '"', (size_t)(c->end - c->at)))) {
        fail(c, "a text in quotes was expected");
        return NULL;
    }
    start = c->at;
    c->at = stop + 1;
    char *text = strndup(start, (size_t)(stop - start));
    if (!text)
        abort();
    return text;
}

// ---- Types and values ----

static void layout_pad(struct run_layout *l, size_t align_bytes)
{
    l->size_bytes = (l->size_bytes + align_bytes - 1) / align_bytes * align_bytes;
    if (l->align_bytes < align_bytes)
        l->align_bytes = align_bytes;
}

static void layout_add(struct run_layout *l, enum run_scalar type, unsigned width)
{
    const size_t bytes = run_scalar_bytes(type);
    const size_t vector_bytes = bytes * (width == 3 ? 4 : width);

    layout_pad(l, vector_bytes);
    for (unsigned n = 0; n < width; n++) {
        l->component[l->n_components].type = type;
        l->component[l->n_components].offset_bytes = l->size_bytes + n * bytes;
        l->n_components++;
    }
    l->size_bytes += vector_bytes;
}

static bool layout_append(struct cursor *c, struct run_layout *l,
                          const struct run_layout *inner)
{
    if (l->n_components + inner->n_components > RUN_MAX_COMPONENTS)
        return fail(c, "more than %d components", RUN_MAX_COMPONENTS);
    layout_pad(l, inner->align_bytes);
    for (unsigned n = 0; n < inner->n_components; n++) {
        l->component[l->n_components] = inner->component[n];
        l->component[l->n_components].offset_bytes += l->size_bytes;
        l->n_components++;
    }
    l->size_bytes += inner->size_bytes;
    return true;
}

// "float", "int4": one field, repeated `[n]` times inside a struct.
static bool parse_field(struct cursor *c, struct run_layout *l, bool in_struct)
{
    char name[RUN_NAME_BYTES];
    size_t letters = 0, times = 1;
    unsigned width = 1;

    if (!word(c, name))
        return false;
    while (name[letters] && !isdigit((unsigned char)name[letters]))
        letters++;
    const enum run_scalar type = run_scalar_find(name, letters);
    if (name[letters])
        width = (unsigned)strtoul(name + letters, NULL, 10);
    if (type == RUN_SCALARS || !(width == 1 || width == 2 || width == 3 || width == 4 ||
                                 width == 8 || width == 16))
        return fail(c, "no such type: %s", name);
    if (in_struct && accept(c, "[") && !(number(c, &times) && accept(c, "]")))
        return fail(c, "bad array in a struct");
    if (times > RUN_MAX_COMPONENTS ||
        l->n_components + times * width > RUN_MAX_COMPONENTS)
        return fail(c, "more than %d components", RUN_MAX_COMPONENTS);
    for (; times; times--)
        layout_add(l, type, width);
    return true;
}

// struct { type, type[n], struct {...} }: laid out as C does.
static bool parse_struct(struct cursor *c, struct run_layout *l)
{
    if (!accept(c, "{"))
        return fail(c, "struct { type, type ... } was expected");
    do {
        struct run_layout inner = {0};
        if (!accept_word(c, "struct")) {
            if (!parse_field(c, l, true))
                return false;
        } else if (!parse_struct(c, &inner) || !layout_append(c, l, &inner)) {
            return false;
        }
    } while (accept(c, ","));
    layout_pad(l, l->align_bytes);
    return accept(c, "}") || fail(c, "missing }");
}

static bool parse_type(struct cursor *c, struct run_layout *l)
{
    return accept_word(c, "struct") ? parse_struct(c, l) : parse_field(c, l, false);
}

// The end of the expression that starts here: a comma or closing brace outside brackets.
static const char *expression_end(const struct cursor *c)
{
    int depth = 0;

    for (const char *at = c->at; at < c->end; at++) {
        if (strchr("([", *at))
            depth++;
        else if (strchr(")]", *at))
            depth--;
        else if (!depth && strchr(",}", *at))
            return at;
    }
    return c->end;
}

static bool parse_expr(struct cursor *c, const char *end, struct run_init *init)
{
    char error[RUN_ERROR_BYTES];
    struct run_expr *expr = run_expr_parse(c->at, (size_t)(end - c->at), error);

    if (!expr)
        return fail(c, "%s", error);
    init->items = grow(init->items, &init->n_items, sizeof(*init->items));
    init->items[init->n_items - 1] = expr;
    c->at = end;
    return true;
}

// One expression up to the end of the line, or { a, b, c } or { a, b, ... }.
static bool parse_init(struct cursor *c, struct run_init *init)
{
    if (!accept(c, "{"))
        return parse_expr(c, c->end, init);
    init->is_list = true;
    do {
        if (init->n_items && accept(c, "...")) {
            init->repeats = true;
            break;
        }
        if (!parse_expr(c, expression_end(c), init))
            return false;
    } while (accept(c, ","));
    return accept(c, "}") || fail(c, "missing }");
}

// ---- Directives ----

static struct run_build *current_build(struct run_script *s)
{
    if (!s->n_builds) {
        s->builds = grow(s->builds, &s->n_builds, sizeof(*s->builds));
        s->builds[0].line = s->line;
        if (!(s->builds[0].options = strdup("")))
            abort();
    }
    return &s->builds[s->n_builds - 1];
}

static struct run_launch *current_launch(struct cursor *c)
{
    struct run_build *build = current_build(c->script);

    if (build->n_launches)
        return &build->launches[build->n_launches - 1];
    fail(c, "there is no RUN before this line");
    return NULL;
}

static const struct run_arg *find_arg(const struct run_launch *launch, const char *name)
{
    for (size_t n = 0; n < launch->n_args; n++)
        if (!strcmp(launch->args[n].name, name))
            return &launch->args[n];
    return NULL;
}

static bool parse_error_name(struct cursor *c, int *code)
{
    char name[RUN_NAME_BYTES];

    if (!word(c, name))
        return false;
    *code = run_error_code(name);
    return *code <= 0 || fail(c, "no such error code: %s", name);
}

// BUILD: [fails [CL_CODE] ["text in the log" ...]] [options="..."]
static bool parse_build(struct cursor *c)
{
    struct run_script *s = c->script;

    s->builds = grow(s->builds, &s->n_builds, sizeof(*s->builds));
    struct run_build *b = &s->builds[s->n_builds - 1];
    b->line = s->line;
    while (!at_end(c)) {
        if (accept(c, "options=")) {
            free(b->options);
            if (!(b->options = quoted(c)))
                return false;
        } else if (accept_word(c, "fails")) {
            b->fails = true;
        } else if (*c->at == '"' && b->fails && b->n_texts < RUN_MAX_TEXTS) {
            if (!(b->texts[b->n_texts] = quoted(c)))
                return false;
            b->n_texts++;
        } else if (!b->fails || !parse_error_name(c, &b->error)) {
            return fail(c, "BUILD takes fails, an error code, texts and options=\"...\"");
        }
    }
    if (!b->options && !(b->options = strdup("")))
        abort();
    return true;
}

// 64, 64x2, 64x2x3. Returns the number of dimensions, 0 on a mistake.
static unsigned parse_sizes(struct cursor *c, size_t out[3])
{
    unsigned dims = 0;

    do {
        if (dims == 3 || !number(c, &out[dims]))
            return 0;
        dims++;
    } while (accept(c, "x"));
    return dims;
}

// RUN: kernel global=64x2 [local=16x1] [offset=3x0] [times=2] [error=CL_CODE]
static bool parse_run(struct cursor *c)
{
    struct run_build *b = current_build(c->script);
    unsigned local_dims = 0, offset_dims = 0;
    size_t times = 1;

    if (b->fails)
        return fail(c, "RUN after a BUILD that fails");
    b->launches = grow(b->launches, &b->n_launches, sizeof(*b->launches));
    struct run_launch *r = &b->launches[b->n_launches - 1];
    r->line = c->script->line;
    if (!word(c, r->kernel))
        return false;
    while (!at_end(c)) {
        bool good = true;
        if (accept(c, "global="))
            good = (r->dims = parse_sizes(c, r->global)) > 0;
        else if (accept(c, "local="))
            good = (local_dims = parse_sizes(c, r->local)) > 0;
        else if (accept(c, "offset="))
            good = (offset_dims = parse_sizes(c, r->offset)) > 0;
        else if (accept(c, "times="))
            good = number(c, &times) && times > 0 && times <= 1000000;
        else if (accept(c, "error="))
            good = parse_error_name(c, &r->error);
        else
            good = false;
        if (!good)
            return fail(c, "RUN: kernel global=AxBxC, local=, offset=, times=, error=");
    }
    r->times = (unsigned)times;
    r->has_local = local_dims > 0;
    r->has_offset = offset_dims > 0;
    if (!r->dims || (r->has_local && local_dims != r->dims) ||
        (r->has_offset && offset_dims != r->dims))
        return fail(
            c, "RUN needs global=, and as many local= and offset= sizes as global= ones");
    return true;
}

// ARG: name TYPE = value | name TYPE[n] [= values] | name local TYPE[n] | name null
//      | name same other
static bool parse_arg(struct cursor *c)
{
    struct run_launch *r = current_launch(c);
    char other[RUN_NAME_BYTES];

    if (!r)
        return false;
    r->args = grow(r->args, &r->n_args, sizeof(*r->args));
    struct run_arg *a = &r->args[r->n_args - 1];
    if (!word(c, other))
        return false;
    r->n_args--; // the new one is not among those already named
    const bool known = find_arg(r, other) != NULL;
    r->n_args++;
    if (known)
        return fail(c, "two arguments are called %s", other);
    strcpy(a->name, other);
    a->count = 1;
    if (accept_word(c, "null")) {
        a->form = RUN_ARG_NULL;
        return at_end(c) || fail(c, "text after null");
    }
    if (accept_word(c, "same")) {
        const struct run_arg *same = word(c, other) ? find_arg(r, other) : NULL;
        if (!same || same->form != RUN_ARG_BUFFER)
            return fail(c, "same needs an earlier buffer");
        a->form = RUN_ARG_SAME;
        a->same = (size_t)(same - r->args);
        return at_end(c) || fail(c, "text after same");
    }
    const bool local = accept_word(c, "local");
    if (!parse_type(c, &a->layout))
        return false;
    if (accept(c, "[")) {
        a->form = local ? RUN_ARG_LOCAL : RUN_ARG_BUFFER;
        if (!number(c, &a->count) || !a->count || !accept(c, "]"))
            return fail(c, "bad number of elements");
    } else if (local) {
        return fail(c, "local needs a number of elements");
    }
    if (accept(c, "=") && !parse_init(c, &a->init))
        return false;
    if (a->form == RUN_ARG_VALUE && !a->init.n_items)
        return fail(c, "an argument by value needs a value");
    if (a->form == RUN_ARG_LOCAL && a->init.n_items)
        return fail(c, "local memory has no initial value");
    return at_end(c) || fail(c, "unexpected text at \"%.20s\"", c->at);
}

// name, name[first..last], name[index]
static bool parse_target(struct cursor *c, const struct run_launch *r,
                         struct run_check *check)
{
    if (!word(c, check->name))
        return false;
    const struct run_arg *arg = find_arg(r, check->name);
    if (!arg || (arg->form != RUN_ARG_BUFFER && arg->form != RUN_ARG_SAME))
        return fail(c, "%s is not a buffer of this RUN", check->name);
    check->last = SIZE_MAX;
    if (!accept(c, "["))
        return true;
    if (!number(c, &check->first))
        return false;
    check->last = check->first;
    if (accept(c, "..") && !number(c, &check->last))
        return false;
    return accept(c, "]") || fail(c, "missing ]");
}

// EXPECT: target [ulp N] [abs X] = values | target where condition | completes
static bool parse_expect(struct cursor *c, bool print)
{
    struct run_launch *r = current_launch(c);

    if (!r)
        return false;
    if (!print && accept_word(c, "completes")) {
        r->completes = true;
        return at_end(c) || fail(c, "text after completes");
    }
    r->checks = grow(r->checks, &r->n_checks, sizeof(*r->checks));
    struct run_check *check = &r->checks[r->n_checks - 1];
    check->line = c->script->line;
    if (!parse_target(c, r, check))
        return false;
    if (print) {
        check->kind = RUN_CHECK_PRINT;
        return at_end(c) || fail(c, "unexpected text at \"%.20s\"", c->at);
    }
    if (accept_word(c, "where")) {
        check->kind = RUN_CHECK_WHERE;
        return parse_expr(c, c->end, &check->init);
    }
    for (;;) {
        char *stop;
        double *tolerance = accept_word(c, "ulp")   ? &check->ulp
                            : accept_word(c, "abs") ? &check->absolute
                                                    : NULL;
        if (!tolerance)
            break;
        *tolerance = strtod(c->at, &stop);
        c->at = stop;
    }
    if (!accept(c, "="))
        return fail(c, "EXPECT: buffer = values");
    return parse_init(c, &check->init) &&
           (at_end(c) || fail(c, "unexpected text at \"%.20s\"", c->at));
}

// SKIP: unless extension NAME | c VERSION | group N | local BYTES | platform TEXT
static bool parse_skip(struct cursor *c)
{
    static const char *const kinds[] = {"extension", "c", "group", "local", "platform"};
    struct run_script *s = c->script;

    s->needs = grow(s->needs, &s->n_needs, sizeof(*s->needs));
    struct run_need *need = &s->needs[s->n_needs - 1];
    if (!accept_word(c, "unless"))
        return fail(c, "SKIP: unless ...");
    for (unsigned n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++) {
        if (!accept_word(c, kinds[n]))
            continue;
        need->kind = n;
        skip_blanks(c);
        size_t length = (size_t)(c->end - c->at);
        while (length && isspace((unsigned char)c->at[length - 1]))
            length--;
        if (!length || length >= sizeof(need->text))
            return fail(c, "SKIP: unless %s WHAT", kinds[n]);
        memcpy(need->text, c->at, length);
        return true;
    }
    return fail(c, "SKIP: unless extension, c, group, local or platform");
}

// A directive from its word on. Lines that start with no known word are plain comments.
static bool parse_directive(struct run_script *s, const char *text, size_t length,
                            bool *known)
{
    struct cursor c = {.script = s, .at = text, .end = text + length};

    *known = true;
    if (accept(&c, "BUILD:"))
        return parse_build(&c);
    if (accept(&c, "RUN:"))
        return parse_run(&c);
    if (accept(&c, "ARG:"))
        return parse_arg(&c);
    if (accept(&c, "EXPECT:"))
        return parse_expect(&c, false);
    if (accept(&c, "PRINT:"))
        return parse_expect(&c, true);
    if (accept(&c, "SKIP:"))
        return parse_skip(&c);
    *known = false;
    return true;
}

// A RUN that checks nothing proves nothing.
static void check_complete(struct run_script *s)
{
    struct cursor c = {.script = s};

    for (size_t b = 0; b < s->n_builds; b++)
        for (size_t n = 0; n < s->builds[b].n_launches; n++) {
            const struct run_launch *r = &s->builds[b].launches[n];
            s->line = r->line;
            if (!r->n_checks && !r->completes && !r->error) {
                fail(&c,
                     "this RUN expects nothing; say EXPECT: completes if that is meant");
                return;
            }
        }
    s->line = 0;
    if (!s->n_builds)
        fail(&c, "no directives: add at least \"// RUN: kernel global=N\" (trefoil-run "
                 "--help)");
}

void run_script_init(struct run_script *s, const char *source, const char *const *extra,
                     size_t n_extra)
{
    bool known;

    memset(s, 0, sizeof(*s));
    for (const char *line = source; *line;) {
        const size_t length = strcspn(line, "\n");
        const size_t blanks = strspn(line, " \t");
        s->line++;
        if (length >= blanks + 3 && !memcmp(line + blanks, "// ", 3) &&
            !parse_directive(s, line + blanks + 3, length - blanks - 3, &known))
            return;
        line += length + (line[length] == '\n');
    }
    s->line = 0;
    for (size_t n = 0; n < n_extra; n++) {
        struct cursor c = {.script = s};
        if (!parse_directive(s, extra[n], strlen(extra[n]), &known))
            return;
        if (!known) {
            fail(&c, "not a directive: %s", extra[n]);
            return;
        }
    }
    check_complete(s);
}

static void finish_init(struct run_init *init)
{
    for (size_t n = 0; n < init->n_items; n++)
        run_expr_free(init->items[n]);
    free(init->items);
}

static void finish_launch(struct run_launch *r)
{
    for (size_t n = 0; n < r->n_args; n++)
        finish_init(&r->args[n].init);
    for (size_t n = 0; n < r->n_checks; n++)
        finish_init(&r->checks[n].init);
    free(r->args);
    free(r->checks);
}

void run_script_finish(struct run_script *s)
{
    for (size_t b = 0; b < s->n_builds; b++) {
        struct run_build *build = &s->builds[b];
        for (size_t n = 0; n < build->n_launches; n++)
            finish_launch(&build->launches[n]);
        for (size_t n = 0; n < build->n_texts; n++)
            free(build->texts[n]);
        free(build->options);
        free(build->launches);
    }
    free(s->builds);
    free(s->needs);
    memset(s, 0, sizeof(*s));
}
