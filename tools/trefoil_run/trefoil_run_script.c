// SPDX-License-Identifier: MIT
// Parser of the directives. A directive is a line comment that starts with one of the
// known words and a colon; a mistake in one is an error, so that no test is silently left
// out.
#include "trefoil_run_script.h"

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "error_names.h"
#include "trefoil_run_cursor.h"
#include "trefoil_run_image.h"

static struct run_build *current_build(struct run_script *s)
{
    if (!s->n_builds) {
        s->builds = cursor_grow(s->builds, &s->n_builds, sizeof(*s->builds));
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
    cursor_fail(c, "there is no RUN before this line");
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

    if (!cursor_word(c, name))
        return false;
    *code = error_code_of(name);
    return *code <= 0 || cursor_fail(c, "no such error code: %s", name);
}

// BUILD: [fails [CL_CODE] ["text in the log" ...]] [options="..."]
static bool parse_build(struct cursor *c)
{
    struct run_script *s = c->script;

    s->builds = cursor_grow(s->builds, &s->n_builds, sizeof(*s->builds));
    struct run_build *b = &s->builds[s->n_builds - 1];
    b->line = s->line;
    while (!cursor_at_end(c)) {
        if (cursor_accept(c, "options=")) {
            free(b->options);
            if (!(b->options = cursor_quoted(c)))
                return false;
        } else if (cursor_accept_word(c, "fails")) {
            b->fails = true;
        } else if (*c->at == '"' && b->fails && b->n_texts < RUN_MAX_TEXTS) {
            if (!(b->texts[b->n_texts] = cursor_quoted(c)))
                return false;
            b->n_texts++;
        } else if (!b->fails || !parse_error_name(c, &b->error)) {
            return cursor_fail(
                c, "BUILD takes fails, an error code, texts and options=\"...\"");
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
        if (dims == 3 || !cursor_number(c, &out[dims]))
            return 0;
        dims++;
    } while (cursor_accept(c, "x"));
    return dims;
}

// RUN: kernel global=64x2 [local=16x1] [offset=3x0] [times=2] [error=CL_CODE]
static bool parse_run(struct cursor *c)
{
    struct run_build *b = current_build(c->script);
    unsigned local_dims = 0, offset_dims = 0;
    size_t times = 1;

    if (b->fails)
        return cursor_fail(c, "RUN after a BUILD that fails");
    b->launches = cursor_grow(b->launches, &b->n_launches, sizeof(*b->launches));
    struct run_launch *r = &b->launches[b->n_launches - 1];
    r->line = c->script->line;
    if (!cursor_word(c, r->kernel))
        return false;
    while (!cursor_at_end(c)) {
        bool good = true;
        if (cursor_accept(c, "global="))
            good = (r->dims = parse_sizes(c, r->global)) > 0;
        else if (cursor_accept(c, "local="))
            good = (local_dims = parse_sizes(c, r->local)) > 0;
        else if (cursor_accept(c, "offset="))
            good = (offset_dims = parse_sizes(c, r->offset)) > 0;
        else if (cursor_accept(c, "times="))
            good = cursor_number(c, &times) && times > 0 && times <= 1000000;
        else if (cursor_accept(c, "error="))
            good = parse_error_name(c, &r->error);
        else
            good = false;
        if (!good)
            return cursor_fail(
                c, "RUN: kernel global=AxBxC, local=, offset=, times=, error=");
    }
    r->times = (unsigned)times;
    r->has_local = local_dims > 0;
    r->has_offset = offset_dims > 0;
    if (!r->dims || (r->has_local && local_dims != r->dims) ||
        (r->has_offset && offset_dims != r->dims))
        return cursor_fail(
            c, "RUN needs global=, and as many local= and offset= sizes as global= ones");
    return true;
}

// ARG: name TYPE = value | name TYPE[n] [= values] | name local TYPE[n] | name null
//      | name same other | name image KIND ORDER TYPE SIZE TYPE[n] [= values]
//      | name sampler ADDRESS [linear] [normalized] | name queue
static bool parse_arg(struct cursor *c)
{
    struct run_launch *r = current_launch(c);
    char other[RUN_NAME_BYTES];

    if (!r)
        return false;
    r->args = cursor_grow(r->args, &r->n_args, sizeof(*r->args));
    struct run_arg *a = &r->args[r->n_args - 1];
    if (!cursor_word(c, other))
        return false;
    r->n_args--; // the new one is not among those already named
    const bool known = find_arg(r, other) != NULL;
    r->n_args++;
    if (known)
        return cursor_fail(c, "two arguments are called %s", other);
    strcpy(a->name, other);
    a->count = 1;
    if (cursor_accept_word(c, "null")) {
        a->form = RUN_ARG_NULL;
        return cursor_at_end(c) || cursor_fail(c, "text after null");
    }
    if (cursor_accept_word(c, "same")) {
        const struct run_arg *same = cursor_word(c, other) ? find_arg(r, other) : NULL;
        if (!same || same->form != RUN_ARG_BUFFER)
            return cursor_fail(c, "same needs an earlier buffer");
        a->form = RUN_ARG_SAME;
        a->same = (size_t)(same - r->args);
        return cursor_at_end(c) || cursor_fail(c, "text after same");
    }
    if (cursor_accept_word(c, "queue")) {
        a->form = RUN_ARG_QUEUE;
        return cursor_at_end(c) || cursor_fail(c, "text after queue");
    }
    if (cursor_accept_word(c, "sampler")) {
        a->form = RUN_ARG_SAMPLER;
        return run_sampler_parse(c, &a->sampler);
    }
    const bool image = cursor_accept_word(c, "image");
    if (image && !run_image_parse(c, &a->image))
        return false;
    const bool local = !image && cursor_accept_word(c, "local");
    if (!cursor_type(c, &a->layout))
        return false;
    if (cursor_accept(c, "[")) {
        const size_t most = PTRDIFF_MAX / 2 / (a->layout.size_bytes + 1);

        a->form = image ? RUN_ARG_IMAGE : local ? RUN_ARG_LOCAL : RUN_ARG_BUFFER;
        if (!cursor_number(c, &a->count) || !a->count || a->count > most ||
            !cursor_accept(c, "]"))
            return cursor_fail(c, "bad number of elements");
    } else if (local || image) {
        return cursor_fail(c, "local and image need a number of elements");
    }
    if (cursor_accept(c, "=") && !cursor_init(c, &a->init))
        return false;
    if (a->form == RUN_ARG_VALUE && !a->init.n_items)
        return cursor_fail(c, "an argument by value needs a value");
    if (a->form == RUN_ARG_LOCAL && a->init.n_items)
        return cursor_fail(c, "local memory has no initial value");
    return cursor_finish(c);
}

// name, name[first..last], name[index]
static bool parse_target(struct cursor *c, const struct run_launch *r,
                         struct run_check *check)
{
    if (!cursor_word(c, check->name))
        return false;
    const struct run_arg *arg = find_arg(r, check->name);
    if (!arg || (arg->form != RUN_ARG_BUFFER && arg->form != RUN_ARG_SAME &&
                 arg->form != RUN_ARG_IMAGE))
        return cursor_fail(c, "%s is not a buffer of this RUN", check->name);
    check->last = SIZE_MAX;
    if (!cursor_accept(c, "["))
        return true;
    if (!cursor_number(c, &check->first))
        return false;
    check->last = check->first;
    if (cursor_accept(c, "..") && !cursor_number(c, &check->last))
        return false;
    return cursor_accept(c, "]") || cursor_fail(c, "missing ]");
}

// EXPECT: target [ulp N] [abs X] = values | target where condition | completes
static bool parse_expect(struct cursor *c, bool print)
{
    struct run_launch *r = current_launch(c);

    if (!r)
        return false;
    if (!print && cursor_accept_word(c, "completes")) {
        r->completes = true;
        return cursor_at_end(c) || cursor_fail(c, "text after completes");
    }
    r->checks = cursor_grow(r->checks, &r->n_checks, sizeof(*r->checks));
    struct run_check *check = &r->checks[r->n_checks - 1];
    check->line = c->script->line;
    if (!parse_target(c, r, check))
        return false;
    if (print) {
        check->kind = RUN_CHECK_PRINT;
        return cursor_finish(c);
    }
    if (cursor_accept_word(c, "where")) {
        check->kind = RUN_CHECK_WHERE;
        return cursor_expr(c, c->end, &check->init);
    }
    for (;;) {
        char *stop;
        double *tolerance = cursor_accept_word(c, "ulp")   ? &check->ulp
                            : cursor_accept_word(c, "abs") ? &check->absolute
                                                           : NULL;
        if (!tolerance)
            break;
        *tolerance = strtod(c->at, &stop);
        c->at = stop;
    }
    if (!cursor_accept(c, "="))
        return cursor_fail(c, "EXPECT: buffer = values");
    return cursor_init(c, &check->init) && cursor_finish(c);
}

// OUTPUT: [times=N] "line that printf makes"
static bool parse_output(struct cursor *c)
{
    struct run_launch *r = current_launch(c);
    size_t times = 1;

    if (!r)
        return false;
    if (cursor_accept(c, "times=") && !cursor_number(c, &times))
        return false;
    cursor_skip_blanks(c);
    const char *stop =
        c->at < c->end ? memrchr(c->at, '"', (size_t)(c->end - c->at)) : NULL;
    if (!stop || stop == c->at || *c->at != '"')
        return cursor_fail(c, "OUTPUT: [times=N] \"line\"");
    r->outputs = cursor_grow(r->outputs, &r->n_outputs, sizeof(*r->outputs));
    struct run_output *output = &r->outputs[r->n_outputs - 1];
    output->times = times;
    output->text = strndup(c->at + 1, (size_t)(stop - c->at) - 1);
    if (!output->text)
        abort();
    c->at = stop + 1;
    return cursor_at_end(c) || cursor_fail(c, "text after the line");
}

// SKIP: unless extension NAME | c VERSION | group N | local BYTES | platform TEXT
static bool parse_skip(struct cursor *c)
{
    static const char *const kinds[] = {"extension", "c", "group", "local", "platform"};
    struct run_script *s = c->script;

    s->needs = cursor_grow(s->needs, &s->n_needs, sizeof(*s->needs));
    struct run_need *need = &s->needs[s->n_needs - 1];
    if (!cursor_accept_word(c, "unless"))
        return cursor_fail(c, "SKIP: unless ...");
    for (unsigned n = 0; n < sizeof(kinds) / sizeof(kinds[0]); n++) {
        if (!cursor_accept_word(c, kinds[n]))
            continue;
        need->kind = n;
        cursor_skip_blanks(c);
        size_t length = (size_t)(c->end - c->at);
        while (length && isspace((unsigned char)c->at[length - 1]))
            length--;
        if (!length || length >= sizeof(need->text))
            return cursor_fail(c, "SKIP: unless %s WHAT", kinds[n]);
        memcpy(need->text, c->at, length);
        return true;
    }
    return cursor_fail(c, "SKIP: unless extension, c, group, local or platform");
}

// A directive from its word on. Lines that start with no known word are plain comments.
static bool parse_directive(struct run_script *s, const char *text, size_t length,
                            bool *known)
{
    struct cursor c = {.script = s, .at = text, .end = text + length};

    *known = true;
    if (cursor_accept(&c, "BUILD:"))
        return parse_build(&c);
    if (cursor_accept(&c, "RUN:"))
        return parse_run(&c);
    if (cursor_accept(&c, "ARG:"))
        return parse_arg(&c);
    if (cursor_accept(&c, "EXPECT:"))
        return parse_expect(&c, false);
    if (cursor_accept(&c, "PRINT:"))
        return parse_expect(&c, true);
    if (cursor_accept(&c, "OUTPUT:"))
        return parse_output(&c);
    if (cursor_accept(&c, "SKIP:"))
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
            if (!r->n_checks && !r->n_outputs && !r->completes && !r->error) {
                cursor_fail(
                    &c,
                    "this RUN expects nothing; say EXPECT: completes if that is meant");
                return;
            }
        }
    s->line = 0;
    if (!s->n_builds)
        cursor_fail(
            &c, "no directives: add at least \"// RUN: kernel global=N\" (trefoil-run "
                "--help)");
}

// Bytes of what begins a line comment there: of C, or of SPIR-V's text form.
static size_t comment_mark(const char *line, size_t length)
{
    if (length >= 3 && !memcmp(line, "// ", 3))
        return 3;
    return length >= 2 && !memcmp(line, "; ", 2) ? 2 : 0;
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
        const size_t mark = comment_mark(line + blanks, length - blanks);
        if (mark &&
            !parse_directive(s, line + blanks + mark, length - blanks - mark, &known))
            return;
        line += length + (line[length] == '\n');
    }
    s->line = 0;
    for (size_t n = 0; n < n_extra; n++) {
        struct cursor c = {.script = s};
        if (!parse_directive(s, extra[n], strlen(extra[n]), &known))
            return;
        if (!known) {
            cursor_fail(&c, "not a directive: %s", extra[n]);
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
    for (size_t n = 0; n < r->n_outputs; n++)
        free(r->outputs[n].text);
    free(r->outputs);
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
