// SPDX-License-Identifier: MIT
// Every instruction of OpenCL.std is the function of OpenCL C that it stands for: a
// module exports a function for each, a kernel of OpenCL C that is linked with it calls
// both.
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "api/program_rig.h"
#include "support/spirv_writer.h"
#include "support/suite.h"

enum { ITEMS = 64, IN_BYTES = ITEMS * 128, OPERANDS_MAX = 4, NAME_BYTES = 64 };

struct row {
    uint32_t number;
    const char *name, *function, *types;
};

static const struct row rows[] = {
#define STD(number, name, function, types) {number, #name, #function, types},
#define STD_OWN(number, name, handler)
#include "compiler/spirv/std/opencl_std.def"
};

enum { ROWS = sizeof(rows) / sizeof(rows[0]) };

struct type {
    char kind; // 'f', 'i', 'u'
    uint32_t bits, n;
};

static struct type of_letter(char letter, struct type t)
{
    const char sign = strchr("UNMV", letter) ? 'u' : strchr("SICHK", letter) ? 'i' : 0;

    if (sign)
        t.kind = sign;
    if (letter == 'E')
        t.n = 1;
    if (letter == 'I' || letter == 'K')
        t.bits = 32;
    if (letter == 'H' || letter == 'V')
        t.bits /= 2;
    if (letter == 'M' || letter == 'R')
        t.n = 2;
    return t;
}

static void type_name(struct type t, char *name)
{
    const char *stem = t.kind == 'f'  ? t.bits == 16   ? "half"
                                        : t.bits == 32 ? "float"
                                                       : "double"
                       : t.bits == 8  ? "char"
                       : t.bits == 16 ? "short"
                       : t.bits == 32 ? "int"
                                      : "long";

    snprintf(name, NAME_BYTES, "%s%s", t.kind == 'u' ? "u" : "", stem);
    if (t.n > 1)
        snprintf(name + strlen(name), NAME_BYTES - strlen(name), "%u", t.n);
}

// Whether OpenCL C has the function for T.
static bool exists(const struct row *row, struct type t)
{
    const bool geometric = strstr(row->name, "length") || strstr(row->name, "distance") ||
                           strstr(row->name, "normalize");

    if (strchr(row->types, 'F') ? t.kind != 'f' : false)
        return false;
    if (strpbrk(row->types, "SU") && t.kind == 'f')
        return false;
    if (!strncmp(row->name, "half_", 5) || !strncmp(row->name, "native_", 7))
        return t.bits == 32;
    if (strstr(row->name, "24"))
        return t.bits == 32;
    if (strstr(row->name, "upsample"))
        return t.bits > 8;
    if (!strcmp(row->name, "cross"))
        return t.n == 3 || t.n == 4;
    if (!strncmp(row->name, "fast_", 5) && t.bits != 32)
        return false;
    if (strchr(row->types, 'R'))
        return t.n == 2 || t.n == 4;
    return !geometric || t.n <= 4;
}

// ---- The module ----

static struct spirv_writer w;

static struct {
    struct type type;
    uint32_t id, pointer;
} types[64];
static unsigned type_count;

// The id of the type of SPIR-V, which has no sign.
static unsigned type_index(struct type t)
{
    unsigned i = 0;

    t.kind = t.kind == 'u' ? 'i' : t.kind;
    while (i < type_count && (types[i].type.kind != t.kind ||
                              types[i].type.bits != t.bits || types[i].type.n != t.n))
        i++;
    if (i < type_count)
        return i;
    const uint32_t element =
        t.n > 1 ? types[type_index((struct type){t.kind, t.bits, 1})].id : 0;
    i = type_count++;
    types[i].type = t;
    types[i].id = spirv_id(&w);
    types[i].pointer = spirv_id(&w);
    if (t.n > 1)
        spirv_op(&w, 23, types[i].id, element, t.n);
    else if (t.kind == 'f')
        spirv_op(&w, 22, types[i].id, t.bits);
    else
        spirv_op(&w, 21, types[i].id, t.bits, 0);
    spirv_op(&w, 32, types[i].pointer, 7, types[i].id); // to Function
    return i;
}

struct function {
    const struct row *row;
    uint32_t id, type, result, params[OPERANDS_MAX], param_count;
};

static struct function functions[ROWS];
static unsigned function_count;

static void declare(struct function *f, struct type t)
{
    const char *letter = f->row->types;

    f->result = types[type_index(of_letter(*letter++, t))].id;
    for (f->param_count = 0; *letter; letter++) {
        const bool pointer = *letter == 'p';

        letter += pointer;
        const unsigned index = type_index(of_letter(*letter, t));
        f->params[f->param_count++] = pointer ? types[index].pointer : types[index].id;
    }
    f->type = spirv_id(&w);
    spirv_begin(&w, 33);
    spirv_word(&w, f->type);
    spirv_word(&w, f->result);
    for (uint32_t i = 0; i < f->param_count; i++)
        spirv_word(&w, f->params[i]);
}

static void define(const struct function *f, uint32_t set)
{
    uint32_t ids[OPERANDS_MAX], value = spirv_id(&w), label = spirv_id(&w);

    spirv_op(&w, 54, f->result, f->id, 0, f->type);
    for (uint32_t i = 0; i < f->param_count; i++) {
        ids[i] = spirv_id(&w);
        spirv_op(&w, 55, f->params[i], ids[i]);
    }
    spirv_op(&w, 248, label);
    spirv_begin(&w, 12);
    spirv_word(&w, f->result);
    spirv_word(&w, value);
    spirv_word(&w, set);
    spirv_word(&w, f->row->number);
    for (uint32_t i = 0; i < f->param_count; i++)
        spirv_word(&w, ids[i]);
    spirv_op(&w, 254, value);
    spirv_begin(&w, 56);
}

static cl_program make_module(struct type t)
{
    static const uint32_t capabilities[] = {4, 5, 6, 7, 9, 10, 11, 22, 39};
    uint32_t set;
    cl_int code;

    spirv_start(&w, 0);
    type_count = function_count = 0;
    for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++)
        spirv_op(&w, 17, capabilities[i]);
    set = spirv_id(&w);
    spirv_begin(&w, 11);
    spirv_word(&w, set);
    spirv_text(&w, "OpenCL.std");
    spirv_op(&w, 14, 2, 2);
    for (int i = 0; i < ROWS; i++) {
        char name[NAME_BYTES];

        if (!exists(&rows[i], t))
            continue;
        functions[function_count].row = &rows[i];
        functions[function_count].id = spirv_id(&w);
        snprintf(name, sizeof(name), "spv_%s", rows[i].name);
        spirv_begin(&w, 71);
        spirv_word(&w, functions[function_count].id);
        spirv_word(&w, 41); // LinkageAttributes
        spirv_text(&w, name);
        spirv_word(&w, 0); // Export
        function_count++;
    }
    for (unsigned i = 0; i < function_count; i++)
        declare(&functions[i], t);
    for (unsigned i = 0; i < function_count; i++)
        define(&functions[i], set);
    cl_program prog = clCreateProgramWithIL(tf_api.ctx, w.words, spirv_finish(&w), &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return prog;
}

// ---- The kernels ----

static char text[400000];

static void add(const char *format, ...) __attribute__((format(printf, 1, 2)));

static void add(const char *format, ...)
{
    const size_t used = strlen(text);
    va_list list;

    va_start(list, format);
    vsnprintf(text + used, sizeof(text) - used, format, list);
    va_end(list);
    ck_assert_uint_lt(strlen(text), sizeof(text) - 1);
}

static void add_equal(const char *a, const char *b, struct type t)
{
    add("    ok &= %s", t.n > 1 ? "all(" : "(");
    if (t.kind == 'f')
        add("(%s == %s) | (isnan(%s) & isnan(%s)));\n", a, b, a, b);
    else
        add("%s == %s);\n", a, b);
}

static void add_kernel(const struct row *row, struct type t)
{
    char name[NAME_BYTES];
    const struct type result = of_letter(row->types[0], t);
    char call[256] = "", own[256] = "";
    unsigned n = 0;

    type_name(result, name);
    add("%s spv_%s(", name, row->name);
    for (const char *letter = row->types + 1; *letter; letter++, n++) {
        const bool pointer = *letter == 'p';

        letter += pointer;
        type_name(of_letter(*letter, t), name);
        add("%s%s%s %s", n ? ", " : "", pointer ? "private " : "", name,
            pointer ? "*" : "");
        snprintf(call + strlen(call), sizeof(call) - strlen(call), "%s%s", n ? ", " : "",
                 pointer ? "&p1" : "x");
        snprintf(own + strlen(own), sizeof(own) - strlen(own), "%s%s", n ? ", " : "",
                 pointer ? "&p2" : "x");
        if (!pointer) {
            snprintf(call + strlen(call), sizeof(call) - strlen(call), "%u", n);
            snprintf(own + strlen(own), sizeof(own) - strlen(own), "%u", n);
        }
    }
    add(");\nkernel void test_%s(global const uchar *in, global int *out)\n{\n"
        "    size_t i = get_global_id(0);\n    int ok = -1;\n",
        row->name);
    n = 0;
    for (const char *letter = row->types + 1; *letter; letter++, n++) {
        const bool pointer = *letter == 'p';

        letter += pointer;
        type_name(of_letter(*letter, t), name);
        if (pointer)
            add("    %s p1 = 0, p2 = 0;\n", name);
        else if (of_letter(*letter, t).n == 3)
            add("    %s x%u = vload3(i * 7 + %u, (global const %.*s *)in);\n", name, n, n,
                (int)strlen(name) - 1, name);
        else
            add("    %s x%u = ((global const %s *)in)[(i + %u) %% %u];\n", name, n, name,
                n * 5, ITEMS);
    }
    type_name(result, name);
    // as_: abs() of OpenCL C has another sign.
    add("    %s a = spv_%s(%s), b = as_%s(%s(%s));\n", name, row->name, call, name,
        row->function, own);
    add_equal("a", "b", result);
    if (strchr(row->types, 'p'))
        add_equal("p1", "p2", of_letter(strchr(row->types, 'p')[1], t));
    add("    out[i] = ok & 1;\n}\n");
}

static cl_program make_source(struct type t)
{
    text[0] = '\0';
    add("#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n");
    for (unsigned i = 0; i < function_count; i++)
        add_kernel(functions[i].row, t);
    return make(text);
}

static cl_mem make_input(void)
{
    static unsigned char in[IN_BYTES];
    uint32_t state = 1;

    for (size_t i = 0; i < IN_BYTES; i++) {
        state = state * 1664525 + 1013904223;
        in[i] = (unsigned char)(state >> 24);
    }
    for (size_t i = 0; i < IN_BYTES / 2; i += 4) { // numbers of moderate size
        const float value = (float)(i % 1000) / 100.0f - 4.0f;

        memcpy(in + i, &value, 4);
    }
    return tf_api_buffer(CL_MEM_COPY_HOST_PTR, IN_BYTES, in);
}

static void check_kernel(cl_program prog, const struct row *row, cl_mem in, cl_mem out)
{
    char name[NAME_BYTES];
    const size_t items = ITEMS;
    cl_int same[ITEMS] = {0};
    cl_kernel kernel;

    snprintf(name, sizeof(name), "test_%s", row->name);
    kernel = tf_api_kernel(prog, name);
    tf_api_set_arg(kernel, 0, sizeof(in), &in);
    tf_api_set_arg(kernel, 1, sizeof(out), &out);
    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_read(out, 0, sizeof(same), same);
    for (int i = 0; i < ITEMS; i++)
        ck_assert_msg(same[i] == 1, "%s differs at %d", row->name, i);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}

static const struct type tried[] = {{'f', 32, 1}, {'f', 64, 2}, {'f', 16, 3},
                                    {'f', 32, 4}, {'i', 32, 1}, {'i', 8, 4},
                                    {'i', 64, 2}, {'i', 16, 3}};

START_TEST(instructions_are_the_functions)
{
    const struct type t = tried[_i];
    cl_program parts[2] = {make_module(t)}, linked;
    cl_mem in = make_input(), out = tf_api_buffer(0, ITEMS * 4, NULL);
    cl_int code;

    parts[1] = make_source(t);
    for (int i = 0; i < 2; i++) {
        code = clCompileProgram(parts[i], 0, NULL, i ? "-w -cl-std=CL3.0" : "", 0, NULL,
                                NULL, NULL, NULL);
        ck_assert_msg(code == CL_SUCCESS, "%d: %s", i, log_of(parts[i]));
    }
    linked = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    ck_assert_msg(code == CL_SUCCESS, "%s", log_of(linked));
    for (unsigned i = 0; i < function_count; i++)
        check_kernel(linked, functions[i].row, in, out);
    drop(linked);
    drop(parts[0]);
    drop(parts[1]);
    clReleaseMemObject(in);
    clReleaseMemObject(out);
}
END_TEST

// Every instruction is in one of the modules.
START_TEST(none_is_left_out)
{
    for (int i = 0; i < ROWS; i++) {
        bool any = false;

        for (size_t k = 0; k < sizeof(tried) / sizeof(tried[0]); k++)
            any |= exists(&rows[i], tried[k]);
        ck_assert_msg(any, "%s", rows[i].name);
    }
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("il_opencl_std");
    TCase *tests = tcase_create("il_opencl_std");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_loop_test(tests, instructions_are_the_functions, 0,
                        sizeof(tried) / sizeof(tried[0]));
    tcase_add_test(tests, none_is_left_out);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
