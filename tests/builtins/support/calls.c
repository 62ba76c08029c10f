// SPDX-License-Identifier: MIT
#include "builtins/support/calls.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "builtins/support/inputs.h"

// Work-items a group where results go through local memory; variants that a family of one
// width a variant has, twice: with and without scalars.
enum { LOCAL_ITEMS = 16, FEW_VARIANTS = 12 };

struct text {
    char *at;
    size_t left;
};

__attribute__((format(printf, 2, 3))) static void put(struct text *t, const char *format,
                                                      ...)
{
    va_list list;
    int bytes;

    va_start(list, format);
    bytes = vsnprintf(t->at, t->left, format, list);
    va_end(list);
    ck_assert_msg(bytes >= 0 && (size_t)bytes < t->left, "the kernel's text is too long");
    t->at += bytes;
    t->left -= (size_t)bytes;
}

bool calls_possible(const struct family *f)
{
    int pointers = 0;

    for (int a = 0; a < f->args; a++) {
        pointers += f->arg[a].space[0] != 0;
        if (!element_find(f->arg[a].element) || !strcmp(f->arg[a].space, "constant"))
            return false;
    }
    return element_find(f->ret) && f->args && pointers <= 1;
}

bool calls_geometric(const struct family *f)
{
    static const char *const names[] = {"cross",       "distance",      "dot",
                                        "fast_length", "fast_distance", "fast_normalize",
                                        "length",      "normalize"};
    const struct element *e = f->args ? element_find(f->arg[0].element) : NULL;

    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strcmp(f->name, names[i]))
            return e && e->kind == 'f';
    return false;
}

unsigned calls_widest(const struct family *f, int variant)
{
    unsigned widest = 1;

    for (int a = 0; a <= f->args; a++)
        if (f->width[variant][a] > widest)
            widest = f->width[variant][a];
    return widest;
}

int calls_pointer(const struct family *f)
{
    for (int a = 0; a < f->args; a++)
        if (f->arg[a].space[0])
            return a;
    return -1;
}

static const char *width_text(unsigned width)
{
    static const char *const texts[] = {
        [1] = "", [2] = "2", [3] = "3", [4] = "4", [8] = "8", [16] = "16"};

    return texts[width];
}

static void put_name(struct text *t, const struct family *f, int variant)
{
    for (const char *c = f->name; *c; c++)
        if (*c == '@')
            put(t, "%s", width_text(calls_widest(f, variant)));
        else
            put(t, "%c", *c);
}

const char *calls_text(const struct family *f, int variant, char *text)
{
    struct text t = {text, 200};

    put_name(&t, f, variant);
    for (int a = 0; a < f->args; a++)
        put(&t, "%s%s%s%s%s%s", a ? ", " : "(", f->arg[a].space,
            f->arg[a].space[0] ? " " : "", f->arg[a].element,
            width_text(f->width[variant][1 + a]), f->arg[a].space[0] ? "*" : "");
    put(&t, ")");
    return text;
}

// Number of a variant among those of all families: its results lie there.
static int slot_of(const struct calls *c, int family, int variant)
{
    int slot = 0;

    for (int k = 0; k <= family; k++)
        for (int v = 0; v < (k < family ? c->families[k]->variants : variant); v++)
            slot += calls_wanted(c->families[k], v);
    return slot;
}

bool calls_wanted(const struct family *f, int variant)
{
    const char *form = getenv("TREFOIL_WG");
    const int pointer = calls_pointer(f);
    const bool lanes = form && !strcmp(form, "simt");
    unsigned sum = 0;

    for (const char *c = f->name; *c; c++)
        sum += (unsigned char)*c;
    for (const char *c = f->arg[0].element; *c; c++)
        sum += (unsigned char)*c;
    if (inputs_full() || calls_widest(f, variant) == 1 || f->variants == 1)
        return true;
    if (f->variants > FEW_VARIANTS || !strcmp(f->module, "convert"))
        return ((unsigned)variant + sum) % (lanes ? 8 : 4) == 0;
    if (!lanes && (pointer < 0 || !strcmp(f->arg[pointer].space, "private")))
        return true;
    return variant == (int)(sum % 2) + 1;
}

// Local memory is declared at the top of a kernel only.
static void put_local(struct text *t, const struct family *f, int variant, int slot)
{
    const int p = calls_pointer(f);

    if (p >= 0 && !strcmp(f->arg[p].space, "local"))
        put(t, "    local %s%s l%d[%d];\n", f->arg[p].element,
            width_text(f->width[variant][1 + p]), slot, LOCAL_ITEMS);
}

// Declares q, the pointer that the function gets.
static void put_target(struct text *t, const struct family *f, int variant, int slot)
{
    const int p = calls_pointer(f);
    const char *space = f->arg[p].space, *type = f->arg[p].element;
    const char *width = width_text(f->width[variant][1 + p]);

    if (!strcmp(space, "global"))
        put(t, "global %s%s *q = (global %s%s *)(t + %d * n) + i; ", type, width, type,
            width, 2 * slot);
    else if (!strcmp(space, "local"))
        put(t, "local %s%s *q = &l%d[get_local_id(0)]; ", type, width, slot);
    else
        put(t, "%s%s o; %s%s%s *q = &o; ", type, width,
            strcmp(space, "generic") ? "private " : "", type, width);
}

static void put_store(struct text *t, unsigned width, unsigned widest, const char *value,
                      const char *array, int slot)
{
    if (width == 1)
        put(t, "%s[%d * n + i * %u] = %s; ", array, slot, widest, value);
    else
        put(t, "vstore%u(%s, 0, %s + %d * n + i * %u); ", width, value, array, slot,
            widest);
}

// One call, for the first work-items only where they take several elements each.
static void put_call(struct text *t, const struct family *f, int variant, int slot)
{
    const unsigned widest = calls_widest(f, variant);
    const int pointer = calls_pointer(f);

    if (widest > 1)
        put(t, "    if (i < n / %u) { ", widest);
    else
        put(t, "    { ");
    if (pointer >= 0)
        put_target(t, f, variant, slot);
    put(t, "%s%s v = ", f->ret, width_text(f->width[variant][0]));
    put_name(t, f, variant);
    for (int a = 0; a < f->args; a++) {
        put(t, a ? ", " : "(");
        if (a == pointer)
            put(t, "q");
        else if (f->width[variant][1 + a] == 1)
            put(t, "a%d[i * %u]", a, widest);
        else
            put(t, "vload%u(0, a%d + i * %u)", f->width[variant][1 + a], a, widest);
    }
    put(t, "); ");
    put_store(t, f->width[variant][0], widest, "v", "r", slot);
    if (pointer >= 0)
        put_store(t, f->width[variant][1 + pointer], widest, "*q", "s", slot);
    put(t, "}\n");
}

static void put_head(struct text *t, const struct family *f)
{
    const int pointer = calls_pointer(f);

    put(t, "kernel void f(");
    for (int a = 0; a < f->args; a++)
        if (a != pointer)
            put(t, "global const %s *a%d, ", f->arg[a].element, a);
    if (pointer >= 0)
        put(t, "global %s *s, global %s *t, ", f->arg[pointer].element,
            f->arg[pointer].element);
    put(t, "global %s *r)\n{\n    size_t i = get_global_id(0), n = get_global_size(0);\n",
        f->ret);
}

static size_t bytes_of(const struct calls *c, const char *element)
{
    return c->points * (element_find(element)->bits / 8);
}

static void put_source(struct text *t, const struct calls *c)
{
    if (session_has_half(c->session))
        put(t, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    put_head(t, c->families[0]);
    for (int pass = 0, slot = 0; pass < 2; pass++, slot = 0)
        for (int k = 0; k < c->count; k++)
            for (int v = 0; v < c->families[k]->variants; v++) {
                if (!calls_wanted(c->families[k], v))
                    continue;
                (pass ? put_call : put_local)(t, c->families[k], v, slot);
                slot++;
            }
    put(t, "}\n");
}

void calls_open(struct calls *c, struct session *s, const struct family *const *list,
                int count, size_t points, const char *options)
{
    enum { TEXT_BYTES = 1 << 18 };
    static char text[TEXT_BYTES];
    struct text t = {text, sizeof text};
    const struct family *f = list[0];
    const int pointer = calls_pointer(f);

    ck_assert(points % CALLS_UNIT == 0 && count <= CALLS_FAMILIES);
    *c = (struct calls){.session = s, .count = count, .points = points};
    memcpy(c->families, list, (size_t)count * sizeof *list);
    const size_t slots = (size_t)slot_of(c, count - 1, list[count - 1]->variants);
    put_source(&t, c);
    c->program = session_build_with(s, text, options);
    for (int a = 0; a < f->args; a++)
        if (a != pointer)
            c->args[a] = session_buffer(s, NULL, bytes_of(c, f->arg[a].element));
    c->ret = session_buffer(s, NULL, slots * bytes_of(c, f->ret));
    c->results = malloc(slots * bytes_of(c, f->ret));
    if (pointer >= 0) {
        const size_t bytes = slots * bytes_of(c, f->arg[pointer].element);

        c->second = session_buffer(s, NULL, bytes);
        c->scratch =
            session_buffer(s, NULL, 2 * bytes); // vectors of 3 take the room of 4
        c->seconds = malloc(bytes);
    }
}

void calls_close(struct calls *c)
{
    for (int a = 0; a < FAMILY_ARGS; a++)
        if (c->args[a])
            clReleaseMemObject(c->args[a]);
    clReleaseMemObject(c->ret);
    if (c->second)
        clReleaseMemObject(c->second);
    if (c->scratch)
        clReleaseMemObject(c->scratch);
    clReleaseProgram(c->program);
    free(c->results);
    free(c->seconds);
}

void calls_set(struct calls *c, int arg, const void *array)
{
    session_write(c->session, c->args[arg], array,
                  bytes_of(c, c->families[0]->arg[arg].element));
}

void calls_run(struct calls *c)
{
    const struct family *f = c->families[0], *last = c->families[c->count - 1];
    const size_t slots = (size_t)slot_of(c, c->count - 1, last->variants);
    const int pointer = calls_pointer(f);
    cl_mem buffers[FAMILY_ARGS + 4] = {0};
    int count = 0;

    for (int a = 0; a < f->args; a++)
        if (a != pointer)
            buffers[count++] = c->args[a];
    if (pointer >= 0) {
        buffers[count++] = c->second;
        buffers[count++] = c->scratch;
    }
    buffers[count] = c->ret;
    session_run_list(c->session, c->program, "f", c->points,
                     pointer >= 0 && !strcmp(f->arg[pointer].space, "local") ? LOCAL_ITEMS
                                                                             : 0,
                     buffers);
    session_read(c->session, c->ret, c->results, slots * bytes_of(c, f->ret));
    if (pointer >= 0)
        session_read(c->session, c->second, c->seconds,
                     slots * bytes_of(c, f->arg[pointer].element));
}

const void *calls_result(const struct calls *c, int family, int variant)
{
    return c->results +
           (size_t)slot_of(c, family, variant) * bytes_of(c, c->families[0]->ret);
}

const void *calls_second(const struct calls *c, int family, int variant)
{
    const struct family *f = c->families[0];

    return c->seconds + (size_t)slot_of(c, family, variant) *
                            bytes_of(c, f->arg[calls_pointer(f)].element);
}
