// SPDX-License-Identifier: MIT
// What the lanes of a kernel are made of, line by line of the source: the report that
// -cl-trefoil-report and trefoilc --report give. The lines come from the debug locations
// of the program; without them everything is "elsewhere".
#ifndef TF_COMPILER_WORKGROUP_REPORT_REPORT_H
#define TF_COMPILER_WORKGROUP_REPORT_REPORT_H

#include <stdbool.h>

#include <llvm-c/Types.h>

#include "base/str.h"

struct gang;

enum gang_note {
    GANG_NOTE_GATHER,
    GANG_NOTE_SCATTER,
    GANG_NOTE_STRIDED,   // wide accesses and shuffles in the place of a gather or scatter
    GANG_NOTE_WRAP,      // side by side, or a gather where an index wraps
    GANG_NOTE_LANE_LOOP, // lane by lane: atomics, volatile accesses, calls
    GANG_NOTE_ONE_ATOMIC, // one for all lanes, at an address that they share
    GANG_NOTE_BRANCH,     // lanes go different ways
    GANG_NOTE_LEAVE,      // lanes leave a loop at different times
    GANG_NOTES,
};

struct tf_wg_line {
    const char *file; // not terminated by 0; lives as long as the context
    unsigned file_bytes, line;
    unsigned counts[GANG_NOTES];
};

// Zero-initialized: empty.
struct tf_wg_notes {
    struct tf_wg_line *lines;
    unsigned count, capacity;
};

void tf_wg_notes_finish(struct tf_wg_notes *notes);
// One text line for each line of the source that has a note, in their order.
void tf_wg_notes_write(struct tf_wg_notes *notes, struct tf_str *out);

// Remembers what became of an instruction of the old function; once for each kernel, in
// the function for all lanes, and only where somebody asked (wg->notes).
void gang_note(struct gang *g, LLVMValueRef instruction, enum gang_note note);
// The same for a load or store that became a gather or scatter.
void gang_note_access(struct gang *g, LLVMValueRef access, bool is_store);
// Notes the branches that lanes take differently.
void gang_note_branches(struct gang *g);
// Notes what would become of a kernel that is not made, because it would be slower.
void gang_note_all(struct gang *g);

#endif // TF_COMPILER_WORKGROUP_REPORT_REPORT_H
