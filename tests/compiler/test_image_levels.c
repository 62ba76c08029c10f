// SPDX-License-Identifier: MIT
// What kernels read of mip levels, at a level of detail or at that of gradients, and
// write to them, in every form, against the specification in plain C: kinds, formats,
// filters within and between levels, limits of samplers. Levels lie between pages without
// access.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include <check.h>

#include "core/memory/image_format.h"
#include "support/compiled_kernel.h"
#include "support/image_texels.h"
#include "support/suite.h"

enum { WIDTH = 13, HEIGHT = 5, DEPTH = 3, LEVELS = 6, POINTS = 96, SPAN_PAGES = 4 };

static const struct kind {
    const char *type, *place, *gradient; // of float4 values
    int dims;
    bool is_array, is_depth;
} kinds[] = {
    {"image1d_t", ".x", ".x", 1, false, false},
    {"image1d_array_t", ".xy", ".x", 1, true, false},
    {"image2d_t", ".xy", ".xy", 2, false, false},
    {"image2d_array_t", "", ".xy", 2, true, false},
    {"image3d_t", "", "", 3, false, false},
    {"image2d_depth_t", ".xy", ".xy", 2, false, true},
    {"image2d_array_depth_t", "", ".xy", 2, true, true},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static const char source[] =
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image : enable\n"
    "#pragma OPENCL EXTENSION cl_khr_mipmap_image_writes : enable\n"
    "#define I size_t i = get_global_id(0)\n"
    "#define READ(name, suffix, color) \\\n"
    "kernel void l##name(read_only KIND im, sampler_t s, global const float4 *c,\\\n"
    "                    global const float *l, global color *o)\\\n"
    "{ I; o[i] = (color)(read_image##suffix(im, s, c[i]AT, l[i])); }\n"
    "READ(f, f, float4)\n"
    "kernel void gf(read_only KIND im, sampler_t s, global const float4 *c,\n"
    "               global const float8 *g, global float4 *o)\n"
    "{ I; o[i] = (float4)(read_imagef(im, s, c[i]AT, g[i].lo GRADIENT,\n"
    "                                 g[i].hi GRADIENT)); }\n"
    "#ifdef IS_DEPTH\n"
    "kernel void wf(write_only KIND im, global const int4 *c, global const int *l,\n"
    "               global const float4 *o) { I; write_imagef(im, c[i]AT, l[i], o[i].x); "
    "}\n"
    "#else\n"
    "READ(i, i, int4)\n"
    "READ(u, ui, uint4)\n"
    "kernel void wf(write_only KIND im, global const int4 *c, global const int *l,\n"
    "               global const float4 *o) { I; write_imagef(im, c[i]AT, l[i], o[i]); "
    "}\n"
    "kernel void wi(write_only KIND im, global const int4 *c, global const int *l,\n"
    "               global const int4 *o) { I; write_imagei(im, c[i]AT, l[i], o[i]); "
    "}\n"
    "kernel void wu(write_only KIND im, global const int4 *c, global const int *l,\n"
    "               global const uint4 *o) { I; write_imageui(im, c[i]AT, l[i], o[i]); "
    "}\n"
    "#endif\n";

static struct test_program program;
static struct test_span span;
static const char *about; // the kernel that runs, for messages

// ---- Levels ----

struct levels {
    struct reference_image level[LEVELS];
    int count;
    struct tf_image_desc desc;
};

static struct reference_image make_level(const struct kind *kind,
                                         const cl_image_format *format, int number)
{
    const size_t pixel = tf_image_format_bytes(format);
    struct reference_image level = {.format = *format,
                                    .dims = kind->dims,
                                    .size = {WIDTH, HEIGHT, DEPTH},
                                    .layers = kind->is_array ? DEPTH : 0};

    for (int d = 0; d < 3; d++) {
        level.size[d] = d < kind->dims ? level.size[d] >> number : 1;
        level.size[d] += level.size[d] == 0;
    }
    level.row_pitch_bytes = (size_t)level.size[0] * pixel;
    level.slice_pitch_bytes = level.row_pitch_bytes * (size_t)level.size[1];
    return level;
}

static size_t bytes_of(const struct reference_image *level)
{
    return level->slice_pitch_bytes *
           (size_t)(level->layers ? level->layers : level->size[2]);
}

// Level 0 lies behind the table, the others behind it, or (`backwards`) before the table.
static struct levels make_levels(const struct kind *kind, const cl_image_format *format,
                                 int count, bool backwards)
{
    struct levels all = {.count = count};
    struct tf_image_level *table;
    unsigned char *at, *end = span.bytes + span.count;
    size_t bytes = 0;

    for (int k = 0; k < count; k++) {
        all.level[k] = make_level(kind, format, k);
        bytes += k == 0 && backwards ? 0 : bytes_of(&all.level[k]);
    }
    at = backwards ? span.bytes : end - bytes;
    for (int k = 0; k < count; k++) {
        all.level[k].pixels = k == 0 && backwards ? end - bytes_of(&all.level[0]) : at;
        at += k == 0 && backwards ? 0 : bytes_of(&all.level[k]);
        test_image_fill(&all.level[k], bytes_of(&all.level[k]));
    }
    all.desc = test_image_describe(&all.level[0]);
    all.desc.mip_levels = (uint32_t)count;
    // Without levels there is no table, and nothing where it would be.
    table = (struct tf_image_level *)(all.level[0].pixels - TF_IMAGE_LEVELS_BYTES);
    for (int k = 0; count > 1 && k < count; k++) {
        const struct reference_image *const level = &all.level[k];
        const struct tf_image_level entry = {
            .offset_bytes = level->pixels - all.level[0].pixels,
            .row_pitch_bytes = level->row_pitch_bytes,
            .slice_pitch_bytes = level->slice_pitch_bytes,
            .width = (uint32_t)level->size[0],
            .height = (uint32_t)level->size[1],
            .depth = (uint32_t)level->size[2]};

        memcpy(table + k, &entry, sizeof entry);
    }
    return all;
}

// ---- Points ----

static float points[POINTS][4] __attribute__((aligned(64)));
static float lods[POINTS];
static float gradients[POINTS][8] __attribute__((aligned(64)));

static float from(float low, float high)
{
    return low + (high - low) * (float)test_draw() * 0x1p-24f;
}

static void make_points(void)
{
    static const float odd[] = {0,   -0.0f, 0.5f, 1,     1.5f,     2,
                                2.5, 3,     -1,   1e30f, INFINITY, -INFINITY,
                                NAN, 5,     4.5f, 0.25f, 1e-8f,    0x1.fffffep-1f};

    test_random_state = 5;
    for (int p = 0; p < POINTS; p++) {
        for (int d = 0; d < 4; d++)
            points[p][d] = test_draw() % 6 ? from(-0.5f, d < 2 ? 1.5f : 3) : odd[p % 18];
        lods[p] = test_draw() % 3 ? from(-1, LEVELS) : odd[p % 18];
        for (int d = 0; d < 8; d++)
            gradients[p][d] = test_draw() % 4 ? from(-0.4f, 0.4f) : from(-0.01f, 0.01f);
    }
}

// ---- Reads ----

static void set_pointer(struct test_kernel *kernel, uint32_t index, const void *to)
{
    const uint64_t address = (uint64_t)(uintptr_t)to;

    test_kernel_arg(kernel, index, sizeof address, &address);
}

static void run(struct test_kernel *kernel)
{
    const struct test_range range = {
        .work_dim = 1, .global = {POINTS, 1, 1}, .local = {POINTS, 1, 1}};

    test_kernel_run(kernel, &range);
}

// A level of detail that two roundings may see on different sides of a change of level.
static bool is_doubtful(const struct reference_mip *mip, double lod)
{
    const double place = mip->linear ? lod : lod + 0.5;

    return fabs(place - rint(place)) < 1e-5;
}

static void expect(const struct levels *image, const struct reference_sampler *sampler,
                   const struct reference_mip *mip, int p, float lod,
                   const struct reference_color *want, const double error[4],
                   const void *got)
{
    const cl_image_format *const format = &image->level[0].format;

    for (int c = 0; c < (format->image_channel_order == CL_DEPTH ? 1 : 4); c++) {
        const float f = ((const float *)got)[c];
        const uint32_t i = ((const uint32_t *)got)[c];
        const double rounding =
            reference_is_normalized(format) ? 0x1p-23 * fabs(want->f[c]) : 0;
        const bool same = reference_is_integer(format)
                              ? i == (uint32_t)want->i[c]
                              : fabs((double)f - want->f[c]) <= error[c] + rounding;

        if (!same)
            ck_abort_msg("%s, order %x type %x, %d levels, sampler %llx: channel %d at "
                         "(%g %g %g %g) lod %.9g is %.9g %d, not %.9g %d",
                         about, format->image_channel_order,
                         format->image_channel_data_type, image->count,
                         (unsigned long long)test_sampler_bits(sampler, mip), c,
                         (double)points[p][0], (double)points[p][1], (double)points[p][2],
                         (double)points[p][3], (double)lod, (double)f, (int)i, want->f[c],
                         (int)want->i[c]);
    }
}

static void read_all(struct test_kernel *kernel, const struct levels *image,
                     const struct reference_sampler *sampler,
                     const struct reference_mip *mip)
{
    const uint64_t bits = test_sampler_bits(sampler, mip);
    const bool by_gradient = about[0] == 'g';
    static float out[POINTS][4] __attribute__((aligned(64)));

    memset(out, 0x55, sizeof out);
    test_kernel_arg(kernel, 0, sizeof image->desc, &image->desc);
    test_kernel_arg(kernel, 1, sizeof bits, &bits);
    set_pointer(kernel, 2, points);
    set_pointer(kernel, 3, by_gradient ? (void *)gradients : lods);
    set_pointer(kernel, 4, out);
    run(kernel);
    for (int p = 0; p < POINTS; p++) {
        const double exact =
            by_gradient
                ? reference_gradient_lod(&image->level[0], gradients[p], gradients[p] + 4)
                : (double)lods[p];
        struct reference_color want;
        double error[4];

        if (by_gradient && is_doubtful(mip, exact))
            continue;
        want = reference_read_lod(image->level, image->count, sampler, mip, points[p],
                                  (float)exact, error);
        // Of which the share of a level may be off.
        for (int c = 0; by_gradient && mip->linear && c < 4; c++)
            error[c] +=
                2e-6 * (reference_is_normalized(&image->level[0].format) ? 1 : 16);
        expect(image, sampler, mip, p, (float)exact, &want, error, out[p]);
    }
}

static void each_sampler(struct test_kernel *kernel, const struct levels *image)
{
    static const cl_addressing_mode modes[] = {CL_ADDRESS_CLAMP, CL_ADDRESS_CLAMP_TO_EDGE,
                                               CL_ADDRESS_REPEAT,
                                               CL_ADDRESS_MIRRORED_REPEAT};
    // No float of these is a small number of halves.
    static const float limits[][2] = {{0, 16}, {0.3f, 2.7f}, {1.1f, 1.1f}, {2, 1e30f}};
    const bool is_integer = reference_is_integer(&image->level[0].format);

    for (unsigned s = 0; s < 64; s++) {
        const struct reference_sampler sampler = {
            .normalized = true, .address = modes[s & 3], .linear = s >> 2 & 1};
        const struct reference_mip mip = {s >> 3 & 1, limits[s >> 4][0],
                                          limits[s >> 4][1]};

        if (!is_integer || !(sampler.linear || mip.linear))
            read_all(kernel, image, &sampler, &mip);
    }
}

// ---- Writes ----

static void write_levels(struct test_kernel *kernel, const struct levels *image)
{
    static const int odd[] = {-1, LEVELS, 16, 17, INT32_MIN, INT32_MAX};
    static float colors[POINTS][4] __attribute__((aligned(64)));
    static int at[POINTS][4] __attribute__((aligned(64)));
    static int lod[POINTS];
    const int axes = image->level[0].dims + (image->level[0].layers > 0);
    const struct reference_sampler none = {.address = CL_ADDRESS_NONE};
    int written = 0;

    memset(at, 0, sizeof at);
    for (int k = 0; k < image->count; k++)
        memset(image->level[k].pixels, 0, bytes_of(&image->level[k]));
    for (int p = 0; p < POINTS; p++) { // each texel once, and as many where there is none
        const struct reference_image *const level = &image->level[p % image->count];
        int number = p / image->count;

        lod[p] = number % 2 ? p % image->count : odd[p % 6];
        number /= 2;
        for (int d = 0; d < axes; d++) {
            const int size = d < level->dims ? level->size[d] : DEPTH;

            at[p][d] = number % size;
            number /= size;
        }
        at[p][0] = number ? WIDTH : at[p][0];
        for (int c = 0; c < 4; c++) {
            const int32_t value = (p + 1) * (c % 2 ? -3 : 5); // some saturate

            colors[p][c] = (float)(p + 1) / (POINTS + c);
            if (reference_is_integer(&image->level[0].format))
                memcpy(&colors[p][c], &value, sizeof value);
        }
    }
    test_kernel_arg(kernel, 0, sizeof image->desc, &image->desc);
    set_pointer(kernel, 1, at);
    set_pointer(kernel, 2, lod);
    set_pointer(kernel, 3, colors);
    run(kernel);
    for (int p = 0; p < POINTS; p++) {
        const bool is_there = lod[p] >= 0 && lod[p] < image->count && at[p][0] < WIDTH;
        struct reference_color got, want;
        unsigned char pixel[16] = {0};
        struct reference_image one;
        const int origin[3] = {0};

        if (!is_there)
            continue;
        one = image->level[lod[p]];
        got = reference_read_at(&one, &none, at[p]);
        tf_image_format_pixel(&one.format, colors[p], pixel);
        one.pixels = pixel;
        want = reference_texel(&one, origin, 0);
        for (int c = 0; c < 4; c++)
            ck_assert_msg(got.f[c] == want.f[c],
                          "level %d, point %d: channel %d is %g, not %g", lod[p], p, c,
                          got.f[c], want.f[c]);
        written++;
    }
    ck_assert_int_gt(written, image->count);
}

// ---- Tests ----

static void try_kernel(const struct kind *kind, const char *name,
                       const struct test_variant *variant)
{
    static const cl_image_format float_formats[] = {{CL_RGBA, CL_UNORM_INT8},
                                                    {CL_RGBA, CL_FLOAT},
                                                    {CL_RG, CL_HALF_FLOAT},
                                                    {CL_sRGBA, CL_UNORM_INT8}};
    static const cl_image_format depth_formats[] = {{CL_DEPTH, CL_UNORM_INT16},
                                                    {CL_DEPTH, CL_FLOAT}};
    static const cl_image_format int_formats[] = {{CL_RGBA, CL_SIGNED_INT8},
                                                  {CL_R, CL_SIGNED_INT32}};
    static const cl_image_format uint_formats[] = {{CL_RG, CL_UNSIGNED_INT16},
                                                   {CL_RGBA, CL_UNSIGNED_INT32}};
    static const int counts[] = {4, 2, 1, LEVELS};
    const cl_image_format *const formats = name[1] == 'i'   ? int_formats
                                           : name[1] == 'u' ? uint_formats
                                           : kind->is_depth ? depth_formats
                                                            : float_formats;
    struct test_kernel kernel;

    if (kind->is_depth && name[1] != 'f')
        return;
    about = name;
    test_kernel_generate(&kernel, &program, name, variant);
    for (int i = 0; i < (formats == float_formats ? 4 : 2); i++)
        for (int k = 0; k < 4; k++) {
            const struct levels image =
                make_levels(kind, &formats[i], counts[k], (i + k) % 2);

            if (name[0] == 'w')
                write_levels(&kernel, &image);
            else
                each_sampler(&kernel, &image);
        }
    test_kernel_finish(&kernel);
}

// Test number i: a kind, and the least or the greatest level of the instruction set.
// Kinds take turns in the forms: what is generated for all formats takes long.
START_TEST(kernels_see_mip_levels_as_specified)
{
    static const char *const names[] = {"lf", "gf", "li", "lu", "wf", "wi", "wu"};
    const struct kind *const kind = &kinds[_i % KINDS];
    const size_t levels = test_variant_count() / 4, level = _i < KINDS ? 0 : levels - 1;
    struct test_variant variant = test_variants[4 * level];
    char options[200];

    variant.form = _i % 3 ? TF_WG_SIMT : TF_WG_LOOPS;
    span = test_span_open(SPAN_PAGES);
    make_points();
    snprintf(options, sizeof options, "-cl-std=CL3.0 -DKIND=%s -DAT=%s -DGRADIENT=%s%s",
             kind->type, kind->place, kind->gradient,
             kind->is_depth ? " -DIS_DEPTH" : "");
    test_program_build(&program, source, options);
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        try_kernel(kind, names[k], &variant);
    test_program_finish(&program);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("image_levels");
    TCase *tcase = tcase_create("image_levels");

    tcase_set_timeout(tcase, 600);
    tcase_add_loop_test(tcase, kernels_see_mip_levels_as_specified, 0, 2 * KINDS);
    suite_add_tcase(suite, tcase);
    return tf_run_suite(suite);
}
