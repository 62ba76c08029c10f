// SPDX-License-Identifier: MIT
// Images in modules: for every kind of image a module exports functions that sample,
// read, write and ask; a kernel of OpenCL C that is linked with it does the same by
// itself.
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>

#include "api/program_rig.h"
#include "support/spirv_writer.h"
#include "support/suite.h"

enum { DIM_1D, DIM_2D, DIM_3D, DIM_BUFFER = 5 };
enum { WIDTH = 8, HEIGHT = 4, LAYERS = 3, CHANNELS = 4 };

static const struct kind {
    const char *name;
    cl_mem_object_type type;
    uint32_t dim, is_depth, is_array, n; // n coordinates
    bool is_wide; // in the module depths are colors, as LLVM's back end has them
} kinds[] = {
    {"image1d", CL_MEM_OBJECT_IMAGE1D, DIM_1D, 0, 0, 1, false},
    {"image1d_array", CL_MEM_OBJECT_IMAGE1D_ARRAY, DIM_1D, 0, 1, 2, false},
    {"image1d_buffer", CL_MEM_OBJECT_IMAGE1D_BUFFER, DIM_BUFFER, 0, 0, 1, false},
    {"image2d", CL_MEM_OBJECT_IMAGE2D, DIM_2D, 0, 0, 2, false},
    {"image2d_array", CL_MEM_OBJECT_IMAGE2D_ARRAY, DIM_2D, 0, 1, 3, false},
    {"image2d_depth", CL_MEM_OBJECT_IMAGE2D, DIM_2D, 1, 0, 2, false},
    {"image2d_array_depth", CL_MEM_OBJECT_IMAGE2D_ARRAY, DIM_2D, 1, 1, 3, false},
    {"image2d_depth", CL_MEM_OBJECT_IMAGE2D, DIM_2D, 1, 0, 2, true},
    {"image2d_array_depth", CL_MEM_OBJECT_IMAGE2D_ARRAY, DIM_2D, 1, 1, 3, true},
    {"image3d", CL_MEM_OBJECT_IMAGE3D, DIM_3D, 0, 0, 3, false},
};

enum { KINDS = sizeof(kinds) / sizeof(kinds[0]) };

// ---- The module ----

static struct spirv_writer w;

enum id {
    NO_ID,
    VOID,
    FLOAT,
    INT,
    V2F,
    V4F,
    V2I,
    V3I,
    V4I,
    IMAGE,
    OUT,
    SAMPLED,
    SAMPLER,
    ZERO,
    ZERO_I,
    FIRST_FREE,
};

static uint32_t float_coordinate(const struct kind *k)
{
    return k->n == 1 ? FLOAT : k->n == 2 ? V2F : V4F;
}

static uint32_t int_coordinate(const struct kind *k)
{
    return k->n == 1 ? INT : k->n == 2 ? V2I : V4I;
}

static uint32_t size_type(const struct kind *k)
{
    return k->n == 1 ? INT : k->n == 2 ? V2I : V3I;
}

static uint32_t color(const struct kind *k)
{
    return k->is_depth && !k->is_wide ? FLOAT : V4F;
}

static void types(const struct kind *k)
{
    spirv_op(&w, 19, VOID);
    spirv_op(&w, 22, FLOAT, 32);
    spirv_op(&w, 21, INT, 32, 0);
    spirv_op(&w, 23, V2F, FLOAT, 2);
    spirv_op(&w, 23, V4F, FLOAT, 4);
    spirv_op(&w, 23, V2I, INT, 2);
    spirv_op(&w, 23, V3I, INT, 3);
    spirv_op(&w, 23, V4I, INT, 4);
    spirv_op(&w, 25, IMAGE, VOID, k->dim, k->is_depth, k->is_array, 0, 0, 0, 0);
    spirv_op(&w, 25, OUT, VOID, k->dim, k->is_depth, k->is_array, 0, 0, 0, 1);
    if (k->dim != DIM_BUFFER)
        spirv_op(&w, 27, SAMPLED, IMAGE);
    spirv_op(&w, 26, SAMPLER);
    spirv_op(&w, 43, FLOAT, ZERO, 0);
    spirv_op(&w, 43, INT, ZERO_I, 0);
}

// Exported functions: name, result, parameters; ids of the parameters in `p`.
static struct function {
    const char *name;
    uint32_t id, type, result, params[3], p[3];
} functions[8];
static unsigned function_count;

static void declare(const char *name, uint32_t result, uint32_t a, uint32_t b, uint32_t c)
{
    struct function *f = &functions[function_count++];

    *f = (struct function){.name = name,
                           .id = spirv_id(&w),
                           .type = spirv_id(&w),
                           .result = result,
                           .params = {a, b, c}};
}

static void begin_function(struct function *f)
{
    spirv_op(&w, 54, f->result, f->id, 0, f->type);
    for (int i = 0; i < 3 && f->params[i]; i++) {
        f->p[i] = spirv_id(&w);
        spirv_op(&w, 55, f->params[i], f->p[i]);
    }
    spirv_op(&w, 248, spirv_id(&w));
}

static void end_function(uint32_t value)
{
    if (value)
        spirv_op(&w, 254, value);
    else
        spirv_begin(&w, 253);
    spirv_begin(&w, 56);
}

static void body(const struct kind *k, struct function *f)
{
    const uint32_t value = spirv_id(&w), pair = spirv_id(&w);

    begin_function(f);
    if (!strncmp(f->name, "spv_sample", 10)) {
        spirv_op(&w, 86, SAMPLED, pair, f->p[0], f->p[1]);
        spirv_op(&w, 88, f->result, value, pair, f->p[2], 2, ZERO);
    } else if (!strcmp(f->name, "spv_read")) {
        spirv_op(&w, 98, f->result, value, f->p[0], f->p[1]);
    } else if (!strcmp(f->name, "spv_write")) {
        spirv_op(&w, 99, f->p[0], f->p[1], f->p[2]);
    } else if (!strcmp(f->name, "spv_size")) {
        if (k->dim == DIM_BUFFER)
            spirv_op(&w, 104, f->result, value, f->p[0]);
        else
            spirv_op(&w, 103, f->result, value, f->p[0], ZERO_I);
    } else {
        spirv_op(&w, !strcmp(f->name, "spv_type") ? 101 : 102, INT, value, f->p[0]);
    }
    end_function(f->result == VOID ? 0 : value);
}

static cl_program make_module(const struct kind *k)
{
    static const uint32_t capabilities[] = {4, 5, 6, 13, 43, 44, 46, 47};
    cl_int code;

    spirv_start(&w, 0);
    w.bound = FIRST_FREE;
    function_count = 0;
    if (k->dim != DIM_BUFFER) {
        declare("spv_sample", color(k), IMAGE, SAMPLER, float_coordinate(k));
        declare("spv_sample_at", color(k), IMAGE, SAMPLER, int_coordinate(k));
    }
    declare("spv_read", color(k), IMAGE, int_coordinate(k), NO_ID);
    declare("spv_write", VOID, OUT, int_coordinate(k), color(k));
    declare("spv_size", size_type(k), IMAGE, NO_ID, NO_ID);
    declare("spv_type", INT, IMAGE, NO_ID, NO_ID);
    declare("spv_order", INT, IMAGE, NO_ID, NO_ID);
    for (size_t i = 0; i < sizeof(capabilities) / sizeof(capabilities[0]); i++)
        spirv_op(&w, 17, capabilities[i]);
    spirv_op(&w, 14, 2, 2);
    for (unsigned i = 0; i < function_count; i++) {
        spirv_begin(&w, 71);
        spirv_word(&w, functions[i].id);
        spirv_word(&w, 41); // LinkageAttributes
        spirv_text(&w, functions[i].name);
        spirv_word(&w, 0); // Export
    }
    types(k);
    for (unsigned i = 0; i < function_count; i++) {
        spirv_begin(&w, 33);
        spirv_word(&w, functions[i].type);
        spirv_word(&w, functions[i].result);
        for (int p = 0; p < 3 && functions[i].params[p]; p++)
            spirv_word(&w, functions[i].params[p]);
    }
    for (unsigned i = 0; i < function_count; i++)
        body(k, &functions[i]);
    cl_program prog = clCreateProgramWithIL(tf_api.ctx, w.words, spirv_finish(&w), &code);
    ck_assert_int_eq(code, CL_SUCCESS);
    return prog;
}

// ---- The kernel ----

static char text[8000];

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

static cl_program make_source(const struct kind *k)
{
    const char *c = k->is_depth && !k->is_wide ? "float" : "float4";
    const char *in = k->is_wide ? "widened" : "";
    const char *fc = k->n == 1 ? "float" : k->n == 2 ? "float2" : "float4";
    const char *ic = k->n == 1 ? "int" : k->n == 2 ? "int2" : "int4";
    const char *size = k->n == 1 ? "int" : k->n == 2 ? "int2" : "int3";
    const char *one = k->is_depth ? "" : "all", *all = k->is_wide ? "all" : one;

    text[0] = '\0';
    add("float4 widened(float depth) { return (float4)(depth, 0, 0, 1); }\n");
    if (k->dim != DIM_BUFFER)
        add("%s spv_sample(read_only %s_t, sampler_t, %s);\n"
            "%s spv_sample_at(read_only %s_t, sampler_t, %s);\n",
            c, k->name, fc, c, k->name, ic);
    add("%s spv_read(read_only %s_t, %s);\nvoid spv_write(write_only %s_t, %s, %s);\n"
        "%s spv_size(read_only %s_t);\nint spv_type(read_only %s_t);\n"
        "int spv_order(read_only %s_t);\n",
        c, k->name, ic, k->name, ic, c, size, k->name, k->name, k->name);
    add("kernel void test(read_only %s_t in, write_only %s_t out, sampler_t s,\n"
        "                 global int *wrong)\n{\n    int x = get_global_id(0);\n"
        "    int bad = 0;\n",
        k->name, k->name);
    add("    int y = x %% 3, z = x %% 2;\n    %s at = %s;\n", ic,
        k->n == 1   ? "x"
        : k->n == 2 ? "(int2)(x, y)"
                    : "(int4)(x, y, z, 0)");
    if (k->dim != DIM_BUFFER)
        add("    %s f = convert_%s(at) * 0.75f + 0.3f;\n"
            "    bad |= !%s(spv_sample(in, s, f) == %s(read_imagef(in, s, f)));\n"
            "    bad |= !%s(spv_sample_at(in, s, at) == %s(read_imagef(in, s, at))) << "
            "1;\n",
            fc, fc, all, in, all, in);
    add("    bad |= !%s(spv_read(in, at) == %s(read_imagef(in, at))) << 2;\n", all, in);
    add("    bad |= (spv_size(in)%s != get_image_width(in)) << 3;\n",
        k->n > 1 ? ".x" : "");
    if (k->dim == DIM_2D || k->dim == DIM_3D)
        add("    bad |= (spv_size(in).y != get_image_height(in)) << 4;\n");
    if (k->dim == DIM_3D)
        add("    bad |= (spv_size(in).z != get_image_depth(in)) << 5;\n");
    if (k->is_array)
        add("    bad |= (spv_size(in).%s != get_image_array_size(in)) << 6;\n",
            k->n == 2 ? "y" : "z");
    add("    bad |= (spv_type(in) + 0x10d0 != get_image_channel_data_type(in)) << 7;\n"
        "    bad |= (spv_order(in) + 0x10b0 != get_image_channel_order(in)) << 8;\n"
        "    spv_write(out, at, %s(read_imagef(in, at)));\n    wrong[x] = bad;\n}\n",
        in);
    add("kernel void compare(read_only %s_t a, read_only %s_t b, global int *wrong)\n{\n"
        "    int x = get_global_id(0), y = x %% 3, z = x %% 2;\n    %s at = %s;\n"
        "    wrong[x] = !%s(read_imagef(a, at) == read_imagef(b, at));\n}\n",
        k->name, k->name, ic,
        k->n == 1   ? "x"
        : k->n == 2 ? "(int2)(x, y)"
                    : "(int4)(x, y, z, 0)",
        one);
    return make(text);
}

// ---- Images ----

static float pixels[WIDTH * HEIGHT * LAYERS * CHANNELS];

static cl_mem make_image(const struct kind *k, bool filled, cl_mem buffer)
{
    const cl_image_format format = {k->is_depth ? CL_DEPTH : CL_RGBA, CL_FLOAT};
    const cl_image_desc desc = {.image_type = k->type,
                                .image_width = WIDTH,
                                .image_height = k->dim == DIM_1D || buffer ? 0 : HEIGHT,
                                .image_depth = k->dim == DIM_3D ? LAYERS : 0,
                                .image_array_size = k->is_array ? LAYERS : 0,
                                .buffer = buffer};
    cl_int code;
    cl_mem image =
        clCreateImage(tf_api.ctx, filled && !buffer ? CL_MEM_COPY_HOST_PTR : 0, &format,
                      &desc, filled && !buffer ? pixels : NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    return image;
}

static void run(cl_kernel kernel, cl_mem wrong, const char *what)
{
    const size_t items = WIDTH;
    cl_int seen[WIDTH];

    ck_assert_int_eq(
        clEnqueueNDRangeKernel(tf_api.q, kernel, 1, NULL, &items, NULL, 0, NULL, NULL),
        CL_SUCCESS);
    tf_api_read(wrong, 0, sizeof(seen), seen);
    for (int i = 0; i < WIDTH; i++)
        ck_assert_msg(seen[i] == 0, "%s: %d: bits 0x%x differ", what, i, seen[i]);
    ck_assert_int_eq(clReleaseKernel(kernel), CL_SUCCESS);
}

static cl_program link_parts(const struct kind *k)
{
    cl_program parts[2] = {make_module(k), make_source(k)}, linked;
    cl_int code;

    for (int i = 0; i < 2; i++) {
        code = clCompileProgram(parts[i], 0, NULL, i ? "-cl-std=CL3.0" : "", 0, NULL,
                                NULL, NULL, NULL);
        ck_assert_msg(code == CL_SUCCESS, "%s: %s", k->name, log_of(parts[i]));
    }
    linked = clLinkProgram(tf_api.ctx, 0, NULL, NULL, 2, parts, NULL, NULL, &code);
    ck_assert_msg(code == CL_SUCCESS, "%s: %s", k->name, log_of(linked));
    drop(parts[0]);
    drop(parts[1]);
    return linked;
}

START_TEST(module_does_what_opencl_c_does)
{
    const struct kind *k = &kinds[_i];
    cl_program prog = link_parts(k);
    cl_mem buffers[2] = {0}, in, out, wrong = tf_api_buffer(0, WIDTH * 4, NULL);
    cl_int code;
    cl_sampler sampler = clCreateSampler(tf_api.ctx, CL_FALSE, CL_ADDRESS_CLAMP_TO_EDGE,
                                         CL_FILTER_LINEAR, &code);
    cl_kernel kernel;

    for (int i = 0; i < (int)(sizeof(pixels) / sizeof(pixels[0])); i++)
        pixels[i] = (float)(i * 7 % 101) / 128.0f;
    if (k->dim == DIM_BUFFER)
        for (int i = 0; i < 2; i++)
            buffers[i] = tf_api_buffer(CL_MEM_COPY_HOST_PTR, WIDTH * 16, pixels);
    in = make_image(k, true, buffers[0]);
    out = make_image(k, false, buffers[1]);
    kernel = tf_api_kernel(prog, "test");
    tf_api_set_arg(kernel, 0, sizeof(in), &in);
    tf_api_set_arg(kernel, 1, sizeof(out), &out);
    tf_api_set_arg(kernel, 2, sizeof(sampler), &sampler);
    tf_api_set_arg(kernel, 3, sizeof(wrong), &wrong);
    run(kernel, wrong, k->name);
    kernel = tf_api_kernel(prog, "compare");
    tf_api_set_arg(kernel, 0, sizeof(in), &in);
    tf_api_set_arg(kernel, 1, sizeof(out), &out);
    tf_api_set_arg(kernel, 2, sizeof(wrong), &wrong);
    run(kernel, wrong, "written");
    clReleaseMemObject(in);
    clReleaseMemObject(out);
    clReleaseMemObject(wrong);
    clReleaseSampler(sampler);
    for (int i = 0; i < 2; i++)
        if (buffers[i])
            clReleaseMemObject(buffers[i]);
    drop(prog);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("il_images");
    TCase *tests = tcase_create("il_images");

    tcase_add_checked_fixture(tests, tf_api_begin, tf_api_end);
    tcase_add_loop_test(tests, module_does_what_opencl_c_does, 0, KINDS);
    suite_add_tcase(suite, tests);
    return tf_run_suite(suite);
}
