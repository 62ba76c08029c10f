// SPDX-License-Identifier: MIT
#include "core/memory/rect_overlap.h"

// Bytes as rows of rows: axis 0 is a run of bytes, and one step of axis k spans all of
// the axes below.
struct runs {
    size_t first_bytes;
    size_t count[3]; // of axis 0: bytes
    size_t pitch[3]; // of axis 0: 1
    size_t
        span[3]; // from the first byte of what the axes up to this one have to the last
};

static struct runs runs_of(const struct tf_rect_box *box)
{
    const size_t pitch[3] = {1, box->rect.row_pitch_bytes, box->rect.slice_pitch_bytes};
    struct runs r = {.first_bytes = box->base_bytes, .span = {box->region[0]}};

    for (int axis = 0; axis < 3; axis++) {
        r.first_bytes += box->rect.origin[axis] * pitch[axis];
        r.count[axis] = box->region[axis];
        r.pitch[axis] = pitch[axis];
    }
    for (int axis = 1; axis < 3; axis++) {
        const size_t below = r.span[axis - 1];

        r.span[axis] =
            below + (r.count[axis] - 1) * (r.count[axis] > 1 ? pitch[axis] : 0);
        if (r.count[0] == below && r.span[axis] == below * r.count[axis]) {
            r.count[0] = r.span[0] = r.span[1] = r.span[axis]; // no gaps: one run
            r.count[axis] = 1;
        }
    }
    return r;
}

// Whether bytes `from` to `end` meet what the axes up to `axis` have behind `at`.
static bool meets(const struct runs *r, int axis, size_t at, size_t from, size_t end)
{
    for (; axis > 0; axis--) {
        const size_t below = r->span[axis - 1];
        size_t step = 0; // the first that does not end before the bytes begin

        if (r->count[axis] == 1)
            continue;
        if (from >= at + below)
            step = (from - at - below) / r->pitch[axis] + 1;
        if (step >= r->count[axis])
            return false;
        at += step * r->pitch[axis];
        // Bytes that end behind the beginning of the next step have its first byte.
        if (step + 1 < r->count[axis] && end > at + r->pitch[axis])
            return true;
    }
    return from < at + r->span[0] && at < end;
}

bool tf_rect_boxes_overlap(const struct tf_rect_box *a, const struct tf_rect_box *b)
{
    struct runs few = runs_of(a), many = runs_of(b);

    if (few.count[1] * few.count[2] > many.count[1] * many.count[2]) {
        const struct runs other = few;

        few = many;
        many = other;
    }
    for (size_t z = 0; z < few.count[2]; z++) {
        for (size_t y = 0; y < few.count[1]; y++) {
            const size_t from = few.first_bytes + z * few.pitch[2] + y * few.pitch[1];

            if (meets(&many, 2, many.first_bytes, from, from + few.count[0]))
                return true;
        }
    }
    return false;
}
