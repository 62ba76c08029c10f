// SPDX-License-Identifier: MIT
// What kernels read of images and write to them, in every form and at every level,
// against the specification in plain C: all formats, kinds, address modes, filters and
// coordinates of all sorts. Images lie between pages without access, at the end and at
// the start.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <check.h>

#include "abi/image_descriptor.h"
#include "core/memory/image_format.h"
#include "support/compiled_kernel.h"
#include "support/image_reference.h"
#include "support/image_texels.h"
#include "support/suite.h"

enum { WIDTH = 7, HEIGHT = 5, DEPTH = 3, POINTS = 80, SPAN_PAGES = 2 };

// How a kernel names a point: of float4 or int4 c.
static const struct kind {
    const char *type, *place;
    cl_mem_object_type object;
    int dims;
    bool is_array, is_depth, has_sampler;
} kinds[] = {
    {"image1d_t", ".x", CL_MEM_OBJECT_IMAGE1D, 1, false, false, true},
    {"image1d_buffer_t", ".x", CL_MEM_OBJECT_IMAGE1D_BUFFER, 1, false, false, false},
    {"image1d_array_t", ".xy", CL_MEM_OBJECT_IMAGE1D_ARRAY, 1, true, false, true},
    {"image2d_t", ".xy", CL_MEM_OBJECT_IMAGE2D, 2, false, false, true},
    {"image2d_array_t", "", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, true, false, true},
    {"image3d_t", "", CL_MEM_OBJECT_IMAGE3D, 3, false, false, true},
    {"image2d_depth_t", ".xy", CL_MEM_OBJECT_IMAGE2D, 2, false, true, true},
    {"image2d_array_depth_t", "", CL_MEM_OBJECT_IMAGE2D_ARRAY, 2, true, true, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const struct {
    enum tf_wg_form form;
    uint32_t width;
} forms[] = {{TF_WG_LOOPS, 0}, {TF_WG_SIMT, 0}, {TF_WG_SIMT, 8}};

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_fp16 : enable\n"
    "#define I size_t i = get_global_id(0)\n"
    "#ifdef SAMPLED\n"
    "kernel void ff(read_only KIND im, sampler_t s, global const float4 *c,\n"
    "               global float4 *o) { I; o[i] = (float4)(read_imagef(im, s, c[i]AT)); "
    "}\n"
    "kernel void fi(read_only KIND im, sampler_t s, global const int4 *c,\n"
    "               global float4 *o) { I; o[i] = (float4)(read_imagef(im, s, c[i]AT)); "
    "}\n"
    "#ifndef IS_DEPTH\n"
    "kernel void jf(read_only KIND im, sampler_t s, global const float4 *c,\n"
    "               global int4 *o) { I; o[i] = read_imagei(im, s, c[i]AT); }\n"
    "kernel void uf(read_only KIND im, sampler_t s, global const float4 *c,\n"
    "               global uint4 *o) { I; o[i] = read_imageui(im, s, c[i]AT); }\n"
    "#endif\n"
    "#endif\n"
    "kernel void pf(read_only KIND im, sampler_t s, global const int4 *c,\n"
    "               global float4 *o) { I; o[i] = (float4)(read_imagef(im, c[i]AT)); }\n"
    "#ifdef IS_DEPTH\n"
    "kernel void wf(write_only KIND im, global const int4 *c, global const float4 *o)\n"
    "{ I; write_imagef(im, c[i]AT, o[i].x); }\n"
    "#else\n"
    "kernel void wf(write_only KIND im, global const int4 *c, global const float4 *o)\n"
    "{ I; write_imagef(im, c[i]AT, o[i]); }\n"
    "kernel void wj(write_only KIND im, global const int4 *c, global const int4 *o)\n"
    "{ I; write_imagei(im, c[i]AT, o[i]); }\n"
    "kernel void wu(write_only KIND im, global const int4 *c, global const uint4 *o)\n"
    "{ I; write_imageui(im, c[i]AT, o[i]); }\n"
    "kernel void pj(read_only KIND im, sampler_t s, global const int4 *c,\n"
    "               global int4 *o) { I; o[i] = read_imagei(im, c[i]AT); }\n"
    "kernel void pu(read_only KIND im, sampler_t s, global const int4 *c,\n"
    "               global uint4 *o) { I; o[i] = read_imageui(im, c[i]AT); }\n"
    "#endif\n";

// ---- images between guards

static struct test_span span;

static struct reference_image make_image(const struct kind *kind,
                                         const cl_image_format *format, bool at_end)
{
    const size_t pixel = tf_image_format_bytes(format);
    struct reference_image image = {
        .format = *format,
        .dims = kind->dims,
        .size = {WIDTH, kind->dims > 1 ? HEIGHT : 1, kind->dims > 2 ? DEPTH : 1},
        .layers = kind->is_array ? DEPTH : 0,
        .row_pitch_bytes = (WIDTH + 1) * pixel,
        .slice_pitch_bytes = (WIDTH + 1) * pixel * (kind->dims > 1 ? HEIGHT : 1) + pixel,
    };
    const int slices = kind->is_array ? DEPTH : image.size[2];
    const size_t bytes = (size_t)(slices - 1) * image.slice_pitch_bytes +
                         (size_t)(image.size[1] - 1) * image.row_pitch_bytes +
                         WIDTH * pixel;

    ck_assert_uint_le(bytes, span.count);
    image.pixels = at_end ? span.bytes + span.count - bytes : span.bytes;
    test_image_fill(&image, bytes);
    return image;
}

// ---- points

static float float_points[POINTS][4];
static int int_points[POINTS][4];

static void make_points(bool normalized)
{
    static const float extremes[] = {
        0,        -0.0f,     0.5f,   1,       -0.5f,        INFINITY, -INFINITY,
        NAN,      1e30f,     -1e30f, 0x1p31f, -0x1p31f,     0x1p32f,  0x1.fffffep-1f,
        0x1p-30f, -0x1p-30f, 3.5f,   WIDTH,   WIDTH - 0.5f, HEIGHT,   2.5f,
        -1,       -2.5f,     1.5f};
    static const int whole[] = {
        0, 1,         WIDTH - 1, WIDTH,         HEIGHT - 1, HEIGHT,    -1,
        2, INT32_MIN, INT32_MAX, INT32_MIN + 1, 1 << 30,    -(1 << 29)};
    enum {
        EXTREMES = sizeof extremes / sizeof *extremes,
        WHOLE = sizeof whole / sizeof *whole
    };

    test_random_state = 7;
    for (int p = 0; p < POINTS; p++)
        for (int d = 0; d < 4; d++) {
            const float part = (float)test_draw() * 0x1p-24f;

            float_points[p][d] =
                test_draw() % 4 == 0 || (p < 2 * EXTREMES && p % 4 == d)
                    ? extremes[(unsigned)(p + d) % EXTREMES]
                    : (part * 3 - 1) * (normalized ? 1.0f : (float)WIDTH);
            int_points[p][d] = test_draw() % 5 == 0
                                   ? whole[test_draw() % WHOLE]
                                   : (int)(test_draw() % (WIDTH + 2)) - 1;
        }
}

// ---- kernels

static struct test_program program;

static bool build(struct test_kernel *kernel, const char *name,
                  const struct test_variant *variant)
{
    for (size_t i = 0; i < program.kernel_count; i++)
        if (!strcmp(program.kernels[i].name, name)) {
            test_kernel_generate(kernel, &program, name, variant);
            return true;
        }
    return false;
}

static void run(struct test_kernel *kernel)
{
    const struct test_range range = {
        .work_dim = 1, .global = {POINTS, 1, 1}, .local = {POINTS, 1, 1}};

    test_kernel_run(kernel, &range);
}

static void set_pointer(struct test_kernel *kernel, uint32_t index, const void *to)
{
    const uint64_t address = (uint64_t)(uintptr_t)to;

    test_kernel_arg(kernel, index, sizeof address, &address);
}

// What the running test is about, for messages.
static const char *about_kernel;

// Quotients may be the next float; 0 and 1 are what they are.
static double rounding(const cl_image_format *format, double want)
{
    return reference_is_normalized(format) && fabs(want) < 1 ? 0x1p-23 * fabs(want) : 0;
}

static void expect(const struct reference_image *image,
                   const struct reference_sampler *sampler, int point,
                   const struct reference_color *want, const double error[4],
                   const void *got)
{
    const bool is_depth = image->format.image_channel_order == CL_DEPTH;

    for (int c = 0; c < (is_depth ? 1 : 4); c++) {
        const float f = ((const float *)got)[c];
        const uint32_t i = ((const uint32_t *)got)[c];
        const bool same = reference_is_integer(&image->format)
                              ? i == (uint32_t)want->i[c]
                              : fabs((double)f - want->f[c]) <=
                                    error[c] + rounding(&image->format, want->f[c]);

        if (!same) // an assertion that holds takes a system call
            ck_abort_msg("%s, order %x type %x, sampler %x: channel %d at (%g %g %g %g) "
                         "(%d %d %d %d) is %.9g %d, not %.9g %d",
                         about_kernel, image->format.image_channel_order,
                         image->format.image_channel_data_type,
                         (unsigned)test_sampler_bits(sampler, NULL), c,
                         (double)float_points[point][0], (double)float_points[point][1],
                         (double)float_points[point][2], (double)float_points[point][3],
                         int_points[point][0], int_points[point][1], int_points[point][2],
                         int_points[point][3], (double)f, (int)i, want->f[c],
                         (int)want->i[c]);
    }
}

static void read_all(struct test_kernel *kernel, const struct reference_image *image,
                     const struct reference_sampler *sampler, bool floats)
{
    const struct tf_image_desc desc = test_image_describe(image);
    const uint64_t bits = test_sampler_bits(sampler, NULL);
    static float out[POINTS][4] __attribute__((aligned(64)));
    static float points[POINTS][4] __attribute__((aligned(64)));

    memcpy(points, floats ? (void *)float_points : int_points, sizeof points);
    memset(out, 0x55, sizeof out);
    test_kernel_arg(kernel, 0, sizeof desc, &desc);
    test_kernel_arg(kernel, 1, sizeof bits, &bits);
    set_pointer(kernel, 2, points);
    set_pointer(kernel, 3, out);
    run(kernel);
    for (int p = 0; p < POINTS; p++) {
        double error[4] = {0};
        const struct reference_color want =
            floats ? reference_read(image, sampler, float_points[p], error)
                   : reference_read_at(image, sampler, int_points[p]);

        expect(image, sampler, p, &want, error, out[p]);
    }
}

// Calls `visit` for every format that images of the kind have.
static void each_format(const struct kind *kind, struct test_kernel *kernel, char result,
                        void (*visit)(const struct kind *, struct test_kernel *,
                                      const struct reference_image *))
{
    cl_image_format format;

    for (size_t f = 0; tf_image_format_at(f, &format); f++) {
        const bool is_depth = format.image_channel_order == CL_DEPTH;
        const char wanted = !reference_is_integer(&format) ? 'f'
                            : reference_is_signed(&format) ? 'j'
                                                           : 'u';

        if (is_depth != kind->is_depth || wanted != result)
            continue;
        for (int at_end = 0; at_end < 2; at_end++) {
            const struct reference_image image = make_image(kind, &format, at_end);

            visit(kind, kernel, &image);
        }
    }
}

static void visit_sampled(const struct kind *kind, struct test_kernel *kernel,
                          const struct reference_image *image)
{
    static const struct reference_sampler samplers[] = {
        {false, false, CL_ADDRESS_NONE},           {false, false, CL_ADDRESS_CLAMP},
        {false, false, CL_ADDRESS_CLAMP_TO_EDGE},  {true, false, CL_ADDRESS_CLAMP},
        {true, false, CL_ADDRESS_CLAMP_TO_EDGE},   {true, false, CL_ADDRESS_REPEAT},
        {true, false, CL_ADDRESS_MIRRORED_REPEAT}, {false, true, CL_ADDRESS_CLAMP},
        {false, true, CL_ADDRESS_CLAMP_TO_EDGE},   {true, true, CL_ADDRESS_CLAMP},
        {true, true, CL_ADDRESS_CLAMP_TO_EDGE},    {true, true, CL_ADDRESS_REPEAT},
        {true, true, CL_ADDRESS_MIRRORED_REPEAT},  {true, true, CL_ADDRESS_NONE},
    };

    (void)kind;
    for (size_t s = 0; s < sizeof samplers / sizeof *samplers; s++) {
        if (samplers[s].linear && reference_is_integer(&image->format))
            continue;
        make_points(samplers[s].normalized);
        read_all(kernel, image, &samplers[s], true);
    }
}

static void visit_whole(const struct kind *kind, struct test_kernel *kernel,
                        const struct reference_image *image)
{
    static const cl_addressing_mode modes[] = {CL_ADDRESS_NONE, CL_ADDRESS_CLAMP,
                                               CL_ADDRESS_CLAMP_TO_EDGE};

    (void)kind;
    make_points(false);
    for (int m = 0; m < (about_kernel[0] == 'p' ? 1 : 3); m++)
        read_all(kernel, image, &(struct reference_sampler){.address = modes[m]}, false);
}

static bool is_inside(const struct reference_image *image, const int at[4])
{
    bool inside = true;

    for (int d = 0; d < image->dims; d++)
        inside &= at[d] >= 0 && at[d] < image->size[d];
    if (image->layers)
        inside &= at[image->dims] >= 0 && at[image->dims] < image->layers;
    return inside;
}

// Colors to write: what rounds, what saturates, NaN.
static void make_colors(float colors[POINTS][4], const cl_image_format *format)
{
    static const float odd[] = {0, 1, -1, 2, -3, NAN, INFINITY, 0.5f, 0.0031308f, 1e-8f};

    for (int p = 0; p < POINTS; p++)
        for (int c = 0; c < 4; c++) {
            const float part = (float)test_draw() * 0x1p-23f - 1;
            const int32_t number =
                (int32_t)(test_draw() << (test_draw() % 9)) *
                (reference_is_signed(format) && test_draw() % 2 ? -1 : 1);

            colors[p][c] = test_draw() % 5 ? part : odd[test_draw() % 10];
            if (reference_is_integer(format))
                memcpy(&colors[p][c], &number, sizeof number);
        }
}

static void visit_written(const struct kind *kind, struct test_kernel *kernel,
                          const struct reference_image *image)
{
    const struct tf_image_desc desc = test_image_describe(image);
    const size_t pixel_bytes = tf_image_format_bytes(&image->format);
    static float colors[POINTS][4] __attribute__((aligned(64)));
    static int points[POINTS][4] __attribute__((aligned(64)));
    unsigned char pixel[16];

    make_points(false);
    make_colors(colors, &image->format);
    for (int p = 0; p < POINTS; p++) { // each texel once
        int number = p;

        memcpy(points[p], int_points[p], sizeof points[p]);
        if (!is_inside(image, int_points[p]) && p % 2)
            continue;
        for (int d = 0; d < kind->dims + kind->is_array; d++) {
            const int size = d < kind->dims ? image->size[d] : DEPTH;

            points[p][d] = number % size;
            number /= size;
        }
        if (number) // more points than texels: the others go outside
            points[p][0] = WIDTH + p;
    }
    test_kernel_arg(kernel, 0, sizeof desc, &desc);
    set_pointer(kernel, 1, points);
    set_pointer(kernel, 2, colors);
    run(kernel);
    for (int p = 0; p < POINTS; p++) {
        struct reference_color want, got;
        struct reference_image one = *image;
        const int origin[3] = {0};
        const int layer = image->layers ? points[p][image->dims] : 0;

        if (!is_inside(image, points[p]))
            continue;
        tf_image_format_pixel(&image->format, colors[p], pixel);
        one.pixels = pixel;
        want = reference_texel(&one, origin, 0);
        got = reference_texel(image, points[p], layer);
        for (int c = 0; c < 4; c++)
            ck_assert_msg(
                got.f[c] == want.f[c] || (isnan(got.f[c]) && isnan(want.f[c])),
                "%s, order %x type %x, %zu bytes: channel %d of point %d is %.9g "
                "for %.9g %d, not %.9g",
                about_kernel, image->format.image_channel_order,
                image->format.image_channel_data_type, pixel_bytes, c, p, got.f[c],
                (double)colors[p][c], ((int *)colors[p])[c], want.f[c]);
    }
}

static void try_kernel(const struct kind *kind, const char *name,
                       const struct test_variant *variant)
{
    struct test_kernel kernel;

    if (!build(&kernel, name, variant))
        return;
    about_kernel = name;
    each_format(kind, &kernel, name[name[0] == 'w' || name[0] == 'p'],
                name[0] == 'w'                     ? visit_written
                : name[0] == 'p' || name[1] == 'i' ? visit_whole
                                                   : visit_sampled);
    test_kernel_finish(&kernel);
}

// Test number i: a kind, and a level of the instruction set with its forms.
START_TEST(kernels_see_images_as_specified)
{
    static const char *const names[] = {"ff", "fi", "jf", "uf", "pf",
                                        "pj", "pu", "wf", "wj", "wu"};
    static const size_t levels[] = {0, 4, 8}; // of test_variants
    const struct kind *const kind = &kinds[_i % KINDS];
    const size_t level = levels[_i / KINDS];
    char options[200];

    // At the level between the others, one kind will do.
    if (level >= test_variant_count() ||
        (_i / KINDS == 1 && strcmp(kind->type, "image2d_t") != 0))
        return;
    span = test_span_open(SPAN_PAGES);
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DKIND=%s -DAT=%s%s%s", kind->type,
             kind->place, kind->is_depth ? " -DIS_DEPTH" : "",
             kind->has_sampler ? " -DSAMPLED" : "");
    test_program_build(&program, source, options);
    // Each kind in each form, and each form at each level; not all three: code for all
    // formats takes long to be made.
    for (size_t f = 0; f < sizeof forms / sizeof *forms; f++) {
        struct test_variant variant = test_variants[level];

        if (((size_t)_i + f) % 3 == 0)
            continue;
        variant.form = forms[f].form;
        variant.width = forms[f].width;
        for (size_t k = 0; k < sizeof names / sizeof *names; k++)
            try_kernel(kind, names[k], &variant);
    }
    test_program_finish(&program);
}
END_TEST

// Code that knows the format and the sampler, beside code that does not.
static void compare_variant(const char *name, const struct reference_image *image,
                            uint64_t sampler, struct test_variant variant)
{
    const bool writes = name[0] == 'w';
    static float points[POINTS][4] __attribute__((aligned(64)));
    static float out[2][POINTS][4] __attribute__((aligned(64)));
    static unsigned char written[2][4096];
    const struct tf_image_desc desc = test_image_describe(image);
    struct test_kernel kernels[2];

    memcpy(points, name[1] == 'f' && !writes ? (void *)float_points : int_points,
           sizeof points);
    for (int k = 0; k < 2; k++) {
        build(&kernels[k], name, &variant);
        test_kernel_arg(&kernels[k], 0, sizeof desc, &desc);
        if (!writes)
            test_kernel_arg(&kernels[k], 1, sizeof sampler, &sampler);
        variant.fixed_args = kernels[0].block;
        variant.fixed_arg_bytes = kernels[0].info->arg_block_bytes;
    }
    for (int k = 0; k < 2; k++) {
        const size_t bytes =
            HEIGHT * image->row_pitch_bytes - tf_image_format_bytes(&image->format);

        set_pointer(&kernels[k], writes ? 1 : 2, points);
        set_pointer(&kernels[k], writes ? 2 : 3, writes ? float_points : out[k]);
        if (writes)
            memset(image->pixels, 0x11, bytes);
        run(&kernels[k]);
        ck_assert_uint_le(bytes, sizeof written[k]);
        if (writes)
            memcpy(written[k], image->pixels, bytes);
        test_kernel_finish(&kernels[k]);
    }
    ck_assert_msg(!memcmp(out[0], out[1], sizeof out[0]) &&
                      !memcmp(written[0], written[1], sizeof written[0]),
                  "%s, order %x type %x, sampler %x: the variant differs", name,
                  image->format.image_channel_order,
                  image->format.image_channel_data_type, (unsigned)sampler);
}

START_TEST(variants_give_the_same_bits)
{
    static const cl_image_format formats[] = {
        {CL_RGBA, CL_UNORM_INT8},    {CL_R, CL_FLOAT},
        {CL_RGBA, CL_HALF_FLOAT},    {CL_BGRA, CL_SNORM_INT8},
        {CL_sRGBA, CL_UNORM_INT8},   {CL_INTENSITY, CL_UNORM_INT16},
        {CL_RGB, CL_UNORM_SHORT_565}};
    static const uint32_t samplers[] = {
        TF_SAMPLER_ADDRESS_CLAMP | TF_SAMPLER_FILTER_NEAREST,
        TF_SAMPLER_ADDRESS_CLAMP_TO_EDGE | TF_SAMPLER_FILTER_LINEAR,
        TF_SAMPLER_NORMALIZED | TF_SAMPLER_ADDRESS_REPEAT | TF_SAMPLER_FILTER_LINEAR};
    static const char *const names[] = {"ff", "fi", "pf", "wf"};
    const size_t levels = test_variant_count() / 4;
    struct test_variant variant = test_variants[(levels - 1) * 4];

    variant.form = _i % 2 ? TF_WG_SIMT : TF_WG_LOOPS;
    span = test_span_open(SPAN_PAGES);
    test_program_build(&program, source,
                       "-cl-std=CL3.0 -DKIND=image2d_t -DAT=.xy -DSAMPLED");
    for (int s = 0; s < 3; s++) {
        const struct reference_image image =
            make_image(&kinds[3], &formats[_i / 2], true);

        make_points(samplers[s] & TF_SAMPLER_NORMALIZED);
        for (int k = 0; k < (s ? 2 : 4); k++)
            compare_variant(names[k], &image, samplers[s], variant);
    }
    test_program_finish(&program);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("images");
    TCase *tcase = tcase_create("images");

    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, kernels_see_images_as_specified, 0, 3 * KINDS);
    suite_add_tcase(suite, tcase);
    tcase = tcase_create("variants");
    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, variants_give_the_same_bits, 0, 2 * 7);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
