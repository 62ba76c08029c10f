// SPDX-License-Identifier: MIT
// What the lanes of a kernel are made of, line by line of the source: the report that
// -cl-trefoil-report and trefoilc --report give. The lines come from the debug locations
// of the program; without them everything is "elsewhere".
#ifndef TF_COMPILER_WORKGROUP_REPORT_REPORT_H
#define TF_COMPILER_WORKGROUP_REPORT_REPORT_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/str.h"
#include "compiler/workgroup/plan/plan.h"

enum tf_note {
    TF_NOTE_WINDOW,
    TF_NOTE_GATHER,
    TF_NOTE_SCATTER,
    TF_NOTE_STRIDED,    // wide accesses and shuffles in the place of a gather or scatter
    TF_NOTE_STRIP,      // with neighbours in memory, in the place of a gather
    TF_NOTE_WRAP,       // side by side, or a gather where an index wraps
    TF_NOTE_SPACING,    // side by side where an argument is 1, or a gather
    TF_NOTE_LANE_LOOP,  // lane by lane: atomics, volatile accesses, calls
    TF_NOTE_ONE_ATOMIC, // one for all lanes, at an address that they share
    TF_NOTE_BRANCH,     // lanes go different ways
    TF_NOTE_LEAVE,      // lanes leave a loop at different times
    TF_NOTES,
};

struct tf_wg_line {
    const char *file; // not terminated by 0; lives as long as the context
    unsigned file_bytes, line;
    unsigned counts[TF_NOTES];
};

// Zero-initialized: empty.
struct tf_wg_notes {
    struct tf_wg_line *lines;
    unsigned count, capacity;
};

void tf_wg_notes_finish(struct tf_wg_notes *notes);
// One text line for each line of the source that has a note, in their order.
void tf_wg_notes_write(struct tf_wg_notes *notes, struct tf_str *out);

// The numbers of a plan, in one line.
void tf_report_plan(const struct tf_plan *plan, char *text, size_t bytes);
// Adds what becomes of each line of the source.
void tf_report_lines(const struct tf_plan *plan, struct tf_wg_notes *notes);
// Writes the function with shapes and regions, if that stage is dumped (shape_dump.c).
void tf_report_shapes(const struct tf_facts *facts, const char *kernel_name);

// The same for control flow, and for the forms of a plan (plan_dump.c).
void tf_report_cfg(const struct tf_facts *facts, const char *kernel_name);
void tf_report_forms(const struct tf_plan *plan, const char *kernel_name);

#endif // TF_COMPILER_WORKGROUP_REPORT_REPORT_H
