// SPDX-License-Identifier: MIT
// Whether two boxes of bytes in one memory, each with pitches of its own, share a byte.
#ifndef TF_CORE_MEMORY_RECT_OVERLAP_H
#define TF_CORE_MEMORY_RECT_OVERLAP_H

#include "core/platform/device_interface.h"

// A box that lies inside of its memory. Rows and slices rise without meeting: a pitch
// that is stepped over is as long as what it spans, or longer.
struct tf_rect_box {
    size_t base_bytes; // where in the common memory the rectangle counts from
    struct tf_rect rect;
    size_t region[3]; // bytes, rows, slices; none is 0
};

// Exact: bytes between the rows are no part of a box. Takes time for each row of the box
// that has fewer of them.
bool tf_rect_boxes_overlap(const struct tf_rect_box *a, const struct tf_rect_box *b);

#endif // TF_CORE_MEMORY_RECT_OVERLAP_H
