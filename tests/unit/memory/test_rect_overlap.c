// SPDX-License-Identifier: MIT
// Boxes in one memory, against a map of its bytes.
#include "core/memory/rect_overlap.h"

#include <stdint.h>
#include <string.h>

#include "support/suite.h"

enum { BYTES = 4096, BOXES = 40000 };

static void mark(const struct tf_rect_box *box, unsigned char *bytes)
{
    for (size_t z = 0; z < box->region[2]; z++)
        for (size_t y = 0; y < box->region[1]; y++)
            memset(bytes + box->base_bytes + box->rect.origin[0] +
                       (box->rect.origin[1] + y) * box->rect.row_pitch_bytes +
                       (box->rect.origin[2] + z) * box->rect.slice_pitch_bytes,
                   1, box->region[0]);
}

static bool share_a_byte(const struct tf_rect_box *a, const struct tf_rect_box *b)
{
    unsigned char of_a[BYTES] = {0}, of_b[BYTES] = {0};

    mark(a, of_a);
    mark(b, of_b);
    for (int i = 0; i < BYTES; i++)
        if (of_a[i] && of_b[i])
            return true;
    return false;
}

static uint32_t random_state;

static size_t below(size_t end)
{
    random_state = random_state * 1664525u + 1013904223u;
    return (random_state >> 12) % end;
}

// A part of an image of up to 24 bytes x 8 rows x 4 slices, with or without gaps.
static struct tf_rect_box some_box(void)
{
    struct tf_rect_box box = {.base_bytes = below(600)};
    size_t counts[3] = {1 + below(24), 1 + below(8), 1 + below(4)};

    for (int axis = 0; axis < 3; axis++) {
        const bool whole = below(3) == 0;

        box.region[axis] = whole ? counts[axis] : 1 + below(counts[axis]);
        box.rect.origin[axis] = below(counts[axis] - box.region[axis] + 1);
    }
    box.rect.row_pitch_bytes = counts[0] + below(2) * below(40);
    box.rect.slice_pitch_bytes =
        box.rect.row_pitch_bytes * counts[1] + below(2) * below(90);
    return box;
}

START_TEST(boxes_overlap_where_they_share_a_byte)
{
    unsigned shared = 0;

    random_state = 1;
    for (int i = 0; i < BOXES; i++) {
        const struct tf_rect_box a = some_box(), b = some_box();
        const bool expected = share_a_byte(&a, &b);

        ck_assert_msg(tf_rect_boxes_overlap(&a, &b) == expected, "pair %d: %d", i,
                      expected);
        ck_assert_int_eq(tf_rect_boxes_overlap(&b, &a), expected);
        shared += expected;
    }
    ck_assert_uint_gt(shared, BOXES / 20); // both answers are among them
    ck_assert_uint_lt(shared, BOXES - BOXES / 20);
}
END_TEST

START_TEST(pitches_that_are_never_stepped_over_say_nothing)
{
    const struct tf_rect_box a = {.rect = {.origin = {8}}, .region = {8, 1, 1}};
    const struct tf_rect_box b = {.base_bytes = 15, .region = {1, 1, 1}};
    const struct tf_rect_box c = {.base_bytes = 16, .region = {1, 1, 1}};

    ck_assert(tf_rect_boxes_overlap(&a, &b));
    ck_assert(!tf_rect_boxes_overlap(&a, &c));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rect_overlap");
    TCase *t = tcase_create("unit");

    tcase_add_test(t, boxes_overlap_where_they_share_a_byte);
    tcase_add_test(t, pitches_that_are_never_stepped_over_say_nothing);
    suite_add_tcase(s, t);
    return tf_run_suite(s);
}
