// SPDX-License-Identifier: MIT
// vloadn and vstoren, vload_half and vstore_half in all their forms: every type, width,
// address space and rounding; what lies beside the vector stays as it is.
#include <fenv.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "builtins/reference/number.h"
#include "builtins/support/inputs.h"
#include "builtins/support/session.h"
#include "builtins/support/table.h"
#include "support/suite.h"

// Numbers in memory; the vector that is read or written has this number.
enum { ROOM = 64, OFFSET = 2, TEXT_BYTES = 16384 };

static struct session session;

// One form of a function.
struct form {
    const struct family *family;
    const struct element *memory, *value;
    const char *space;
    unsigned width, place; // where the vector's first number lies
    bool store;
};

static struct form form_of(const struct family *f, int variant)
{
    const int pointer = f->args - 1;
    struct form form = {.family = f, .space = f->arg[pointer].space};
    const bool aligned =
        !strncmp(f->name, "vloada", 6) || !strncmp(f->name, "vstorea", 7);

    form.store = !strncmp(f->name, "vstore", 6);
    form.memory = element_find(f->arg[pointer].element);
    form.value = element_find(form.store ? f->arg[0].element : f->ret);
    form.width = f->width[variant][form.store ? 1 : 0];
    // The forms for aligned vectors: those with 3 elements take the room of 4.
    form.place =
        aligned ? OFFSET * (form.width == 3 ? 4 : form.width) : OFFSET * form.width + 1;
    return form;
}

__attribute__((format(printf, 2, 3))) static void put(char *text, const char *format, ...)
{
    const size_t at = strlen(text);
    va_list list;

    va_start(list, format);
    ck_assert_int_lt(vsnprintf(text + at, TEXT_BYTES - at, format, list),
                     TEXT_BYTES - (int)at);
    va_end(list);
}

static void put_name(char *text, const struct form *form)
{
    for (const char *c = form->family->name; *c; c++)
        if (*c != '@')
            put(text, "%c", *c);
        else if (form->width > 1)
            put(text, "%u", form->width);
}

// m, the memory in the function's address space, with a copy of x. Halves are kept as
// ushort, which needs no extension.
static void put_memory(char *text, const struct form *form, const char *type)
{
    const bool array = !strcmp(form->space, "private") || !strcmp(form->space, "local");

    if (!strcmp(form->space, "constant")) {
        put(text, "  constant const %s *m = x;\n", type);
        return;
    }
    if (array)
        put(text, "  %s %s m[%d] __attribute__((aligned(64)));\n", form->space, type,
            ROOM);
    else
        put(text, "  %s%s *m = s;\n", strcmp(form->space, "generic") ? "global " : "",
            type);
    put(text, "  for (int i = 0; i < %d; i++) m[i] = x[i];\n", ROOM);
}

static void put_kernel(char *text, const struct form *form, int variant)
{
    const char *type = form->memory->kind == 'f' && form->memory->bits == 16
                           ? "ushort"
                           : form->memory->name;
    const char *space = strcmp(form->space, "generic") ? form->space : "";
    char vector[32];

    snprintf(vector, sizeof vector, form->width > 1 ? "%s%u" : "%s", form->value->name,
             form->width);
    put(text,
        "kernel void f%d(%s const %s *x, global const %s *y, global %s *s, global %s *v) "
        "{\n",
        variant, strcmp(form->space, "constant") ? "global" : "constant", type,
        form->value->name, type, form->store ? type : form->value->name);
    put_memory(text, form, type);
    if (!form->store) {
        put(text, "  %s a = ", vector);
        put_name(text, form);
        put(text, "(%d, (%s const %s *)m + %d);\n  ", OFFSET, space, form->memory->name,
            form->family->name[5] == 'a' ? 0 : 1);
        put(text, form->width > 1 ? "vstore%u(a, 0, v);\n}\n" : "v[0] = a;\n}\n",
            form->width);
        return;
    }
    put(text, "  ");
    put_name(text, form);
    put(text, form->width > 1 ? "(vload%u(0, y)" : "(y[0]", form->width);
    put(text, ", %d, (%s %s *)m + %d);\n  for (int i = 0; i < %d; i++) v[i] = m[i];\n}\n",
        OFFSET, space, form->memory->name, form->family->name[6] == 'a' ? 0 : 1, ROOM);
}

// The number that a store writes or a load reads.
static struct number converted(const struct form *form, struct number n)
{
    const struct element *to = form->store ? form->memory : form->value;

    if (form->memory != form->value && form->store)
        n.real = (double)real_directed(to, (long double)n.real,
                                       real_rounding(form->family->name, FE_TONEAREST));
    return n;
}

static void check_form(const struct form *form, cl_program program, int variant,
                       const void *x, const void *y)
{
    const struct element *out = form->store ? form->memory : form->value;
    const size_t count = form->store ? ROOM : form->width;
    char got[ROOM * 8], name[16], a[64], b[64];
    cl_mem buffers[4];

    buffers[0] = session_buffer(&session, x, ROOM * (form->memory->bits / 8));
    buffers[1] = session_buffer(&session, y, ROOM * (form->value->bits / 8));
    buffers[2] = session_buffer(&session, NULL, ROOM * (form->memory->bits / 8));
    buffers[3] = session_buffer(&session, NULL, ROOM * (out->bits / 8));
    snprintf(name, sizeof name, "f%d", variant);
    session_run(&session, program, name, 1, buffers[0], buffers[1], buffers[2],
                buffers[3], NULL);
    session_read(&session, buffers[3], got, ROOM * (out->bits / 8));
    for (size_t i = 0; i < count; i++) {
        const bool inside = i >= form->place && i < form->place + form->width;
        const struct number from = !form->store
                                       ? element_get(form->memory, x, form->place + i)
                                   : inside ? element_get(form->value, y, i - form->place)
                                            : element_get(form->memory, x, i);
        const struct number want = form->store && !inside ? from : converted(form, from);

        ck_assert_msg(number_same(out, element_get(out, got, i), want),
                      "%s, %s %s, width %u, number %zu: %s, not %s", form->family->name,
                      form->space, form->value->name, form->width, i,
                      number_text(out, element_get(out, got, i), a),
                      number_text(out, want, b));
    }
    for (int i = 0; i < 4; i++)
        clReleaseMemObject(buffers[i]);
}

static void fill(const struct element *e, void *array, uint64_t salt)
{
    for (size_t i = 0; i < ROOM; i++) {
        size_t edges;
        const struct number *edge = inputs_edges(e, &edges);
        const uint64_t bits = inputs_random(i, salt);

        if (e->kind == 'f' && bits % 4)
            element_set(
                e, array, i,
                (struct number){.real = real_nearest(e, ldexp((double)(int64_t)bits,
                                                              (int)(bits % 41) - 80))});
        else
            element_set(e, array, i, edge[bits % edges]);
    }
}

// The tests of every day take all widths in global memory, elsewhere one, not the same
// for every type.
static bool wanted(const struct family *f, int variant)
{
    const struct form form = form_of(f, variant);
    unsigned sum = 0;

    for (const char *c = f->name; *c; c++)
        sum += (unsigned char)*c;
    for (const char *c = form.value->name; *c; c++)
        sum += (unsigned char)*c;
    return inputs_full() || !strcmp(form.space, "global") ||
           variant == (int)sum % f->variants;
}

static void check_family(const struct family *f)
{
    static char text[TEXT_BYTES];
    char x[ROOM * 8], y[ROOM * 8];
    cl_program program;

    text[0] = 0;
    if (session_has_half(&session))
        put(text, "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    for (int v = 0; v < f->variants; v++) {
        const struct form form = form_of(f, v);

        if (wanted(f, v))
            put_kernel(text, &form, v);
    }
    program = session_build(&session, text);
    for (int v = 0; v < f->variants; v++) {
        const struct form form = form_of(f, v);

        if (!wanted(f, v))
            continue;
        fill(form.memory, x, 1 + (uint64_t)v);
        fill(form.value, y, 100 + (uint64_t)v);
        check_form(&form, program, v, x, y);
    }
    clReleaseProgram(program);
}

// vloada_half, vstorea_half and vstorea_half_<mode>
static bool one_aligned_half(const char *name)
{
    return (!strncmp(name, "vloada_half", 11) || !strncmp(name, "vstorea_half", 12)) &&
           !strchr(name, '@');
}

START_TEST(vectors_are_read_and_written)
{
    static const char *const spaces[] = {"private", "global", "constant", "local",
                                         "generic"};
    const char *module = _i % 2 ? "vload_half" : "vload", *space = spaces[_i / 2];

    session_open(&session);
    for (const struct family *f = families; f->name; f++) {
        const struct form form =
            strncmp(f->module, "vload", 5) ? (struct form){0} : form_of(f, 0);

        // The forms for one aligned half are no functions of OpenCL C, Clang's header
        // alone declares them. Halves in memory need no cl_khr_fp16.
        if (one_aligned_half(f->name))
            continue;
        if (!strcmp(f->module, module) && !strcmp(form.space, space) &&
            session_has(&session, form.value->name))
            check_family(f);
    }
    session_close(&session);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("builtins: memory");
    TCase *cases = tcase_create("spaces");

    tcase_set_timeout(cases, 300);
    tcase_add_loop_test(cases, vectors_are_read_and_written, 0, 10);
    suite_add_tcase(suite, cases);
    return tf_run_suite(suite);
}
