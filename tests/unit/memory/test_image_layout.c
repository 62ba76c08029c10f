// SPDX-License-Identifier: MIT
// Tables computed by hand.
#include "core/memory/image_layout.h"

#include <stdint.h>

#include "support/suite.h"

#define D1 CL_MEM_OBJECT_IMAGE1D
#define D1_BUFFER CL_MEM_OBJECT_IMAGE1D_BUFFER
#define D1_ARRAY CL_MEM_OBJECT_IMAGE1D_ARRAY
#define D2 CL_MEM_OBJECT_IMAGE2D
#define D2_ARRAY CL_MEM_OBJECT_IMAGE2D_ARRAY
#define D3 CL_MEM_OBJECT_IMAGE3D

// type, bytes of a pixel, width, height, depth, layers
#define SHAPE(t, b, w, h, d, n)                                             \
    {                                                                       \
        .type = (t), .pixel_bytes = (b), .width_px = (w), .height_px = (h), \
        .depth_px = (d), .layers = (n), .mip_levels = 1                     \
    }

static const struct {
    struct tf_image_shape shape;
    size_t row_pitch, slice_pitch; // as given
    size_t row, slice, size;       // as laid out
    size_t row_step, slice_step, counts[3];
} table[] = {
    {SHAPE(D1, 4, 10, 1, 1, 1), 0, 0, 40, 40, 40, 40, 40, {10, 1, 1}},
    {SHAPE(D1, 4, 10, 1, 1, 1), 64, 0, 64, 64, 64, 64, 64, {10, 1, 1}},
    {SHAPE(D1_BUFFER, 16, 3, 1, 1, 1), 0, 0, 48, 48, 48, 48, 48, {3, 1, 1}},
    {SHAPE(D1_ARRAY, 2, 5, 1, 1, 7), 0, 0, 10, 10, 70, 10, 10, {5, 7, 1}},
    {SHAPE(D1_ARRAY, 2, 5, 1, 1, 7), 12, 36, 12, 36, 252, 36, 36, {5, 7, 1}},
    {SHAPE(D2, 1, 3, 5, 1, 1), 0, 0, 3, 15, 15, 3, 15, {3, 5, 1}},
    {SHAPE(D2, 8, 3, 5, 1, 1), 32, 0, 32, 160, 160, 32, 160, {3, 5, 1}},
    {SHAPE(D2_ARRAY, 4, 4, 3, 1, 2), 0, 0, 16, 48, 96, 16, 48, {4, 3, 2}},
    {SHAPE(D2_ARRAY, 4, 4, 3, 1, 2), 20, 100, 20, 100, 200, 20, 100, {4, 3, 2}},
    {SHAPE(D3, 4, 4, 3, 5, 1), 0, 0, 16, 48, 240, 16, 48, {4, 3, 5}},
    {SHAPE(D3, 4, 4, 3, 5, 1), 16, 64, 16, 64, 320, 16, 64, {4, 3, 5}},
};
enum { ROWS = sizeof(table) / sizeof(table[0]) };

START_TEST(images_lie_as_computed_by_hand)
{
    const struct tf_image_level_layout *level;
    struct tf_image_layout layout;
    struct tf_image_steps steps;
    size_t counts[3];

    ck_assert(tf_image_lay_out(&table[_i].shape, table[_i].row_pitch,
                               table[_i].slice_pitch, 0, &layout));
    level = &layout.levels[0];
    ck_assert_uint_eq(level->offset_bytes, 0);
    ck_assert_uint_eq(level->row_pitch_bytes, table[_i].row);
    ck_assert_uint_eq(level->slice_pitch_bytes, table[_i].slice);
    ck_assert_uint_eq(layout.size_bytes, table[_i].size);
    steps = tf_image_level_steps(table[_i].shape.type, level);
    ck_assert_uint_eq(steps.row_bytes, table[_i].row_step);
    ck_assert_uint_eq(steps.slice_bytes, table[_i].slice_step);
    tf_image_level_counts(&table[_i].shape, level, counts);
    for (int axis = 0; axis < 3; axis++)
        ck_assert_uint_eq(counts[axis], table[_i].counts[axis]);
}
END_TEST

START_TEST(types_have_their_axes)
{
    static const struct {
        cl_mem_object_type type;
        unsigned axes;
        bool rows, slices, array;
    } types[] = {{D1, 1, false, false, false},     {D1_BUFFER, 1, false, false, false},
                 {D1_ARRAY, 2, false, true, true}, {D2, 2, true, false, false},
                 {D2_ARRAY, 3, true, true, true},  {D3, 3, true, true, false}};

    for (int i = 0; i < 6; i++) {
        ck_assert(tf_image_type_exists(types[i].type));
        ck_assert_uint_eq(tf_image_type_axes(types[i].type), types[i].axes);
        ck_assert(tf_image_type_has_rows(types[i].type) == types[i].rows);
        ck_assert(tf_image_type_has_slices(types[i].type) == types[i].slices);
        ck_assert(tf_image_type_is_array(types[i].type) == types[i].array);
    }
    ck_assert(!tf_image_type_exists(CL_MEM_OBJECT_BUFFER));
    ck_assert(!tf_image_type_exists(CL_MEM_OBJECT_PIPE));
}
END_TEST

// 9 x 4 pixels of 4 bytes behind a head: 9x4, 4x2, 2x1, 1x1.
START_TEST(mip_levels_halve_and_are_aligned)
{
    static const size_t widths[] = {9, 4, 2, 1}, heights[] = {4, 2, 1, 1};
    static const size_t offsets[] = {768, 1024, 1152, 1280}; // 144, 32, 8, 4 bytes
    struct tf_image_shape shape = SHAPE(D2, 4, 9, 4, 1, 1);
    struct tf_image_layout layout;

    shape.mip_levels = 4;
    ck_assert(tf_image_lay_out(&shape, 0, 0, 768, &layout));
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(layout.levels[i].width_px, widths[i]);
        ck_assert_uint_eq(layout.levels[i].height_px, heights[i]);
        ck_assert_uint_eq(layout.levels[i].depth_px, 1);
        ck_assert_uint_eq(layout.levels[i].row_pitch_bytes, 4 * widths[i]);
        ck_assert_uint_eq(layout.levels[i].offset_bytes, offsets[i]);
    }
    ck_assert_uint_eq(layout.size_bytes, 1284);
}
END_TEST

// Layers do not halve, depth does.
START_TEST(mip_levels_keep_their_layers)
{
    struct tf_image_shape planes = SHAPE(D2_ARRAY, 1, 4, 4, 1, 6);
    struct tf_image_shape volume = SHAPE(D3, 1, 4, 4, 6, 1);
    struct tf_image_layout layout;
    size_t counts[3];

    planes.mip_levels = volume.mip_levels = 2;
    ck_assert(tf_image_lay_out(&planes, 0, 0, 0, &layout));
    ck_assert_uint_eq(layout.levels[1].offset_bytes, 128); // behind 96 bytes
    ck_assert_uint_eq(layout.size_bytes, 128 + 6 * 4);
    tf_image_level_counts(&planes, &layout.levels[1], counts);
    ck_assert_uint_eq(counts[2], 6);
    ck_assert(tf_image_lay_out(&volume, 0, 0, 0, &layout));
    ck_assert_uint_eq(layout.size_bytes, 128 + 3 * 4);
    tf_image_level_counts(&volume, &layout.levels[1], counts);
    ck_assert_uint_eq(counts[2], 3);
}
END_TEST

START_TEST(extents_end_at_one_pixel)
{
    struct tf_image_shape shape = SHAPE(D3, 1, 2, 1, 4, 1);
    struct tf_image_layout layout;

    shape.mip_levels = TF_IMAGE_MIP_LEVELS_MAX;
    ck_assert(tf_image_lay_out(&shape, 0, 0, 0, &layout));
    for (int i = 2; i < TF_IMAGE_MIP_LEVELS_MAX; i++) {
        ck_assert_uint_eq(layout.levels[i].width_px, 1);
        ck_assert_uint_eq(layout.levels[i].height_px, 1);
        ck_assert_uint_eq(layout.levels[i].depth_px, 1);
        ck_assert_uint_eq(layout.levels[i].offset_bytes, 128 * i);
    }
}
END_TEST

START_TEST(short_pitches_are_refused)
{
    const struct tf_image_shape plane = SHAPE(D2, 4, 4, 4, 1, 1);
    const struct tf_image_shape volume = SHAPE(D3, 4, 4, 4, 2, 1);
    const struct tf_image_shape rows = SHAPE(D1_ARRAY, 4, 4, 1, 1, 3);
    struct tf_image_layout layout;

    ck_assert(!tf_image_lay_out(&plane, 15, 0, 0, &layout));
    ck_assert(tf_image_lay_out(&plane, 16, 0, 0, &layout));
    ck_assert(!tf_image_lay_out(&volume, 20, 79, 0, &layout));
    ck_assert(tf_image_lay_out(&volume, 20, 80, 0, &layout));
    ck_assert(!tf_image_lay_out(&rows, 20, 19, 0, &layout));
    ck_assert(tf_image_lay_out(&rows, 20, 20, 0, &layout));
}
END_TEST

START_TEST(overflow_is_noticed)
{
    static const struct tf_image_shape shapes[] = {
        SHAPE(D1, 16, SIZE_MAX / 8, 1, 1, 1),
        SHAPE(D2, 1, SIZE_MAX / 2, 3, 1, 1),
        SHAPE(D3, 1, 1 << 20, 1 << 22, 1 << 23, 1),
        SHAPE(D2_ARRAY, 1, 1 << 20, 1 << 22, 1, 1 << 23),
    };
    struct tf_image_layout layout;

    for (size_t i = 0; i < sizeof(shapes) / sizeof(shapes[0]); i++)
        ck_assert(!tf_image_lay_out(&shapes[i], 0, 0, 0, &layout));
    ck_assert(!tf_image_lay_out(&table[0].shape, 0, 0, SIZE_MAX - 64, &layout));
    ck_assert(!tf_image_lay_out(&table[9].shape, 0, 0, SIZE_MAX - 127, &layout));
}
END_TEST

START_TEST(host_rows_have_no_gaps_unless_told)
{
    const struct tf_image_shape plane = SHAPE(D2, 4, 9, 9, 1, 1);
    const struct tf_image_shape volume = SHAPE(D3, 4, 9, 9, 9, 1);
    const struct tf_image_shape rows = SHAPE(D1_ARRAY, 4, 9, 1, 1, 9);
    const size_t region[3] = {5, 3, 2}, layers[3] = {5, 3, 1};
    struct tf_image_steps steps;

    ck_assert(tf_image_host_steps(&plane, layers, 0, 0, &steps));
    ck_assert_uint_eq(steps.row_bytes, 20);
    ck_assert(tf_image_host_steps(&volume, region, 0, 0, &steps));
    ck_assert_uint_eq(steps.slice_bytes, 60);
    ck_assert(tf_image_host_steps(&volume, region, 24, 0, &steps));
    ck_assert_uint_eq(steps.row_bytes, 24);
    ck_assert_uint_eq(steps.slice_bytes, 72);
    ck_assert(tf_image_host_steps(&volume, region, 24, 75, &steps));
    ck_assert_uint_eq(steps.slice_bytes, 75);
    ck_assert(!tf_image_host_steps(&volume, region, 24, 71, &steps));
    ck_assert(!tf_image_host_steps(&volume, region, 19, 0, &steps));
    // The layers of a 1D array follow each other at the slice pitch.
    ck_assert(tf_image_host_steps(&rows, layers, 0, 0, &steps));
    ck_assert_uint_eq(steps.row_bytes, 20);
    ck_assert(tf_image_host_steps(&rows, layers, 24, 0, &steps));
    ck_assert_uint_eq(steps.row_bytes, 24);
    ck_assert(tf_image_host_steps(&rows, layers, 24, 100, &steps));
    ck_assert_uint_eq(steps.row_bytes, 100);
    ck_assert(!tf_image_host_steps(&rows, layers, 24, 20, &steps));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("image_layout");
    TCase *t = tcase_create("unit");

    tcase_add_loop_test(t, images_lie_as_computed_by_hand, 0, ROWS);
    tcase_add_test(t, types_have_their_axes);
    tcase_add_test(t, mip_levels_halve_and_are_aligned);
    tcase_add_test(t, mip_levels_keep_their_layers);
    tcase_add_test(t, extents_end_at_one_pixel);
    tcase_add_test(t, short_pitches_are_refused);
    tcase_add_test(t, overflow_is_noticed);
    tcase_add_test(t, host_rows_have_no_gaps_unless_told);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
