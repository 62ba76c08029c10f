// SPDX-License-Identifier: MIT
// Random commands on random images, against a model: an array of pixels for each level.
#include <stdbool.h>
#include <string.h>

#include "support/api.h"

#include "support/suite.h"

enum {
    SEEDS = 60,
    COMMANDS = 60,
    IMAGES = 4,
    SIDE = 12, // of an axis, at most
    LEVELS = 3,
    PIXEL_MAX = 16,
    BYTES = SIDE * SIDE * SIDE * PIXEL_MAX,
};

static const cl_mem_object_type types[] = {
    CL_MEM_OBJECT_IMAGE1D, CL_MEM_OBJECT_IMAGE1D_ARRAY, CL_MEM_OBJECT_IMAGE2D,
    CL_MEM_OBJECT_IMAGE2D_ARRAY, CL_MEM_OBJECT_IMAGE3D};
static const unsigned axes[] = {1, 2, 2, 3, 3};

static const struct {
    cl_image_format format;
    size_t bytes;
} formats[] = {{{CL_R, CL_UNSIGNED_INT8}, 1},
               {{CL_RG, CL_UNSIGNED_INT8}, 2},
               {{CL_RGBA, CL_UNSIGNED_INT8}, 4},
               {{CL_RGBA, CL_UNSIGNED_INT16}, 8},
               {{CL_RGBA, CL_UNSIGNED_INT32}, 16}};

// An image, and what each of its levels has to hold, without gaps.
struct model {
    cl_mem image;
    unsigned kind, levels;
    size_t counts[LEVELS][3];
    unsigned char pixels[LEVELS][BYTES];
};

struct box {
    size_t level, at[3], size[3];
    size_t origin[4]; // as commands want it: with the level
};

static uint64_t state;
static struct model models[IMAGES];
static size_t pixel; // bytes, of all images
static cl_mem buffer;
static unsigned char in_buffer[BYTES], host[2 * BYTES], scratch[2 * BYTES];

static size_t below(size_t end)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (size_t)(state >> 33) % end;
}

static void random_bytes(unsigned char *to, size_t count)
{
    for (size_t i = 0; i < count; i++)
        to[i] = (unsigned char)below(256);
}

// ---- The model ----

static void set_counts(struct model *m, const cl_image_desc *desc)
{
    const bool array = m->kind == 1 || m->kind == 3;

    for (unsigned level = 0; level < LEVELS; level++) {
        const size_t width = desc->image_width >> level,
                     height = desc->image_height >> level;
        const size_t depth = desc->image_depth >> level;
        const size_t all[3] = {width ? width : 1, height ? height : 1,
                               array   ? desc->image_array_size
                               : depth ? depth
                                       : 1};

        m->counts[level][0] = all[0];
        m->counts[level][1] = m->kind == 1 ? all[2] : axes[m->kind] > 1 ? all[1] : 1;
        m->counts[level][2] = axes[m->kind] > 2 ? all[2] : 1;
    }
}

static void make_model(struct model *m, const cl_image_format *format)
{
    cl_image_desc desc = {.image_width = 1 + below(SIDE),
                          .image_height = 1 + below(SIDE),
                          .image_depth = 1 + below(SIDE),
                          .image_array_size = 1 + below(SIDE)};
    cl_int code;

    m->kind = (unsigned)below(5);
    m->levels = below(2) ? 1 : LEVELS;
    desc.image_type = types[m->kind];
    desc.num_mip_levels = m->levels > 1 ? m->levels : 0;
    set_counts(m, &desc);
    memset(m->pixels, 0, sizeof(m->pixels));
    m->image = clCreateImage(tf_api.ctx, 0, format, &desc, NULL, &code);
    ck_assert_int_eq(code, CL_SUCCESS);
}

static void random_box(const struct model *m, struct box *b)
{
    b->level = below(m->levels);
    for (int axis = 0; axis < 3; axis++) {
        b->at[axis] = below(m->counts[b->level][axis]);
        b->size[axis] = 1 + below(m->counts[b->level][axis] - b->at[axis]);
    }
}

static void set_origin(const struct model *m, struct box *b)
{
    memcpy(b->origin, b->at, sizeof(b->at));
    b->origin[3] = 0;
    if (m->levels > 1)
        b->origin[axes[m->kind]] = b->level;
}

static unsigned char *pixel_of(struct model *m, const struct box *b, size_t x, size_t y,
                               size_t z)
{
    const size_t *counts = m->counts[b->level];

    return m->pixels[b->level] +
           pixel *
               (((b->at[2] + z) * counts[1] + b->at[1] + y) * counts[0] + b->at[0] + x);
}

#define EACH_PIXEL(b)                             \
    for (size_t z = 0; z < (b)->size[2]; z++)     \
        for (size_t y = 0; y < (b)->size[1]; y++) \
            for (size_t x = 0; x < (b)->size[0]; x++)

// Pitches of a host's block for the box: 0 or larger than need be. *row and *slice are
// what commands get, the steps what they mean.
struct pitches {
    size_t row, slice, row_step, slice_step;
};

static struct pitches random_pitches(const struct model *m, const struct box *b)
{
    const bool layers = m->kind == 1, slices = layers || axes[m->kind] == 3;
    struct pitches p = {.row = below(2) ? 0 : pixel * (b->size[0] + below(3))};
    const size_t row = p.row ? p.row : pixel * b->size[0];
    const size_t slice = row * (layers ? 1 : b->size[1]);

    p.slice = slices && below(2) ? slice + pixel * below(4) : 0;
    p.slice_step = p.slice ? p.slice : slice;
    p.row_step = layers ? p.slice_step : row;
    return p;
}

// ---- Commands ----

static void check_all(struct model *m)
{
    for (size_t level = 0; level < m->levels; level++) {
        struct box b = {.level = level};

        memcpy(b.size, m->counts[level], sizeof(b.size));
        set_origin(m, &b);
        ck_assert_int_eq(clEnqueueReadImage(tf_api.q, m->image, CL_TRUE, b.origin, b.size,
                                            0, 0, scratch, 0, NULL, NULL),
                         CL_SUCCESS);
        ck_assert_mem_eq(scratch, m->pixels[level],
                         pixel * b.size[0] * b.size[1] * b.size[2]);
    }
}

static void write_some(struct model *m, const struct box *b)
{
    const struct pitches p = random_pitches(m, b);

    random_bytes(host, sizeof(host));
    ck_assert_int_eq(clEnqueueWriteImage(tf_api.q, m->image, CL_TRUE, b->origin, b->size,
                                         p.row, p.slice, host, 0, NULL, NULL),
                     CL_SUCCESS);
    EACH_PIXEL(b)
    memcpy(pixel_of(m, b, x, y, z), host + z * p.slice_step + y * p.row_step + x * pixel,
           pixel);
}

static void read_some(struct model *m, const struct box *b)
{
    const struct pitches p = random_pitches(m, b);

    ck_assert_int_eq(clEnqueueReadImage(tf_api.q, m->image, CL_TRUE, b->origin, b->size,
                                        p.row, p.slice, host, 0, NULL, NULL),
                     CL_SUCCESS);
    EACH_PIXEL(b)
    ck_assert_mem_eq(host + z * p.slice_step + y * p.row_step + x * pixel,
                     pixel_of(m, b, x, y, z), pixel);
}

static void fill_some(struct model *m, const struct box *b)
{
    cl_uint color[4];
    const size_t channels = pixel < 4 ? pixel : 4, bytes = pixel / channels;

    for (int c = 0; c < 4; c++)
        color[c] = (cl_uint)below(256);
    ck_assert_int_eq(
        clEnqueueFillImage(tf_api.q, m->image, color, b->origin, b->size, 0, NULL, NULL),
        CL_SUCCESS);
    EACH_PIXEL(b)
    for (size_t c = 0; c < channels; c++)
        memcpy(pixel_of(m, b, x, y, z) + c * bytes, &color[c], bytes);
}

static void map_some(struct model *m, const struct box *b)
{
    size_t row = 0, slice = 0, step;
    cl_int code;
    unsigned char *at =
        clEnqueueMapImage(tf_api.q, m->image, CL_TRUE, CL_MAP_READ | CL_MAP_WRITE,
                          b->origin, b->size, &row, &slice, 0, NULL, NULL, &code);

    ck_assert_int_eq(code, CL_SUCCESS);
    step = m->kind == 1 ? slice : row;
    EACH_PIXEL(b)
    {
        ck_assert_mem_eq(at + z * slice + y * step + x * pixel, pixel_of(m, b, x, y, z),
                         pixel);
        at[z * slice + y * step + x * pixel]++;
        (*pixel_of(m, b, x, y, z))++;
    }
    ck_assert_int_eq(clEnqueueUnmapMemObject(tf_api.q, m->image, at, 0, NULL, NULL),
                     CL_SUCCESS);
}

static void copy_some(struct model *from, struct model *to, const struct box *b)
{
    struct box target = *b;
    bool overlaps = from == to;

    // As large a part as both have, somewhere in a level of the other.
    random_box(to, &target);
    for (int axis = 0; axis < 3; axis++)
        if (target.size[axis] > b->size[axis])
            target.size[axis] = b->size[axis];
    set_origin(to, &target);
    overlaps = overlaps && target.level == b->level;
    for (int axis = 0; axis < 3; axis++)
        overlaps = overlaps && target.at[axis] < b->at[axis] + target.size[axis] &&
                   b->at[axis] < target.at[axis] + target.size[axis];
    ck_assert_int_eq(clEnqueueCopyImage(tf_api.q, from->image, to->image, b->origin,
                                        target.origin, target.size, 0, NULL, NULL),
                     overlaps ? CL_MEM_COPY_OVERLAP : CL_SUCCESS);
    if (!overlaps)
        EACH_PIXEL(&target)
    memcpy(pixel_of(to, &target, x, y, z), pixel_of(from, b, x, y, z), pixel);
}

static void copy_buffer(struct model *m, const struct box *b, bool to_buffer)
{
    const size_t bytes = pixel * b->size[0] * b->size[1] * b->size[2];
    size_t at = below(BYTES - bytes + 1);

    ck_assert_int_eq(
        to_buffer ? clEnqueueCopyImageToBuffer(tf_api.q, m->image, buffer, b->origin,
                                               b->size, at, 0, NULL, NULL)
                  : clEnqueueCopyBufferToImage(tf_api.q, buffer, m->image, at, b->origin,
                                               b->size, 0, NULL, NULL),
        CL_SUCCESS);
    EACH_PIXEL(b)
    {
        unsigned char *in_image = pixel_of(m, b, x, y, z);

        memcpy(to_buffer ? in_buffer + at : in_image,
               to_buffer ? in_image : in_buffer + at, pixel);
        at += pixel;
    }
}

static void command(void)
{
    struct model *m = &models[below(IMAGES)];
    struct box b;

    random_box(m, &b);
    set_origin(m, &b);
    switch (below(7)) {
    case 0:
        write_some(m, &b);
        break;
    case 1:
        read_some(m, &b);
        break;
    case 2:
        fill_some(m, &b);
        break;
    case 3:
        map_some(m, &b);
        break;
    case 4:
        copy_buffer(m, &b, below(2));
        break;
    default:
        copy_some(m, &models[below(IMAGES)], &b);
        break;
    }
}

START_TEST(images_hold_what_the_model_says)
{
    const size_t f = (size_t)_i % (sizeof(formats) / sizeof(formats[0]));

    state = (uint64_t)_i + 1;
    pixel = formats[f].bytes;
    random_bytes(in_buffer, BYTES);
    buffer = tf_api_buffer(CL_MEM_COPY_HOST_PTR, BYTES, in_buffer);
    for (int i = 0; i < IMAGES; i++)
        make_model(&models[i], &formats[f].format);
    for (int i = 0; i < COMMANDS; i++)
        command();
    for (int i = 0; i < IMAGES; i++) {
        check_all(&models[i]);
        ck_assert_int_eq(clReleaseMemObject(models[i].image), CL_SUCCESS);
    }
    tf_api_read(buffer, 0, BYTES, scratch);
    ck_assert_mem_eq(scratch, in_buffer, BYTES);
    ck_assert_int_eq(clReleaseMemObject(buffer), CL_SUCCESS);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("image_model");
    TCase *t = tcase_create("api");

    tcase_add_checked_fixture(t, tf_api_begin, tf_api_end);
    tcase_add_loop_test(t, images_hold_what_the_model_says, 0, SEEDS);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
