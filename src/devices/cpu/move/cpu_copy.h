// SPDX-License-Identifier: MIT
// Commands that move bytes. A command becomes a plan: rows of bytes, cut into pieces that
// any number of threads may do in any order.
#ifndef TF_DEVICES_CPU_MOVE_CPU_COPY_H
#define TF_DEVICES_CPU_MOVE_CPU_COPY_H

#include "core/platform/device_interface.h"

// One side of a copy: the first byte, and the way to the next row and slice.
struct tf_copy_side {
    char *start;
    size_t row_bytes, slice_bytes;
};

struct tf_copy_plan {
    struct tf_copy_side dst, src; // src.start NULL: a fill
    size_t row_bytes;             // bytes that are moved of each row
    size_t rows;                  // per slice
    bool stream;                  // past the caches
    size_t piece_bytes;           // the last piece of a row may be smaller
    uint64_t pieces_per_row;
    uint64_t piece_count;           // 0: there is nothing to do
    uint8_t block[TF_LONG16_BYTES]; // of a fill: the pattern, repeated
};

// Plans one READ, WRITE, COPY, FILL, *_RECT or SVM_* command; MAP and UNMAP have
// nothing to do. Returns CL_COMPLETE, or CL_INVALID_VALUE for a range outside its memory
// (core has checked ranges: this is the second line of defence).
cl_int tf_cpu_copy_plan(struct tf_copy_plan *plan, const struct tf_command *cmd);

// Moves the pieces [first, first + count).
void tf_cpu_copy_pieces(const struct tf_copy_plan *plan, uint64_t first, uint64_t count);

// Plans and moves all of a command in the calling thread.
cl_int tf_cpu_copy_run(const struct tf_command *cmd);

#endif // TF_DEVICES_CPU_MOVE_CPU_COPY_H
