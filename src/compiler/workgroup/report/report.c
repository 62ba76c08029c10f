// SPDX-License-Identifier: MIT
#include "compiler/workgroup/report/report.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/ir/elementwise.h"
#include "compiler/workgroup/gang/gang_emit.h"

enum { FIRST_CAPACITY = 32 };

// ---- the lines

void tf_wg_notes_finish(struct tf_wg_notes *notes)
{
    tf_free(notes->lines);
    *notes = (struct tf_wg_notes){0};
}

static bool is_of(const struct tf_wg_line *l, const char *file, unsigned bytes,
                  unsigned line)
{
    return l->line == line && l->file_bytes == bytes &&
           (bytes == 0 || !memcmp(l->file, file, bytes));
}

// NULL without memory: a report is worth no failure.
static struct tf_wg_line *find_line(struct tf_wg_notes *notes, const char *file,
                                    unsigned bytes, unsigned line)
{
    for (unsigned i = 0; i < notes->count; i++) {
        if (is_of(&notes->lines[i], file, bytes, line))
            return &notes->lines[i];
    }
    if (notes->count == notes->capacity) {
        const unsigned more = notes->capacity ? 2 * notes->capacity : FIRST_CAPACITY;
        struct tf_wg_line *lines = tf_realloc(notes->lines, more * sizeof(*notes->lines));

        if (!lines)
            return NULL;
        notes->lines = lines;
        notes->capacity = more;
    }
    notes->lines[notes->count] =
        (struct tf_wg_line){.file = file, .file_bytes = bytes, .line = line};
    return &notes->lines[notes->count++];
}

static int compare_lines(const void *left, const void *right)
{
    const struct tf_wg_line *a = left, *b = right;
    const unsigned common = a->file_bytes < b->file_bytes ? a->file_bytes : b->file_bytes;
    const int order = common ? memcmp(a->file, b->file, common) : 0;

    if (order)
        return order;
    if (a->file_bytes != b->file_bytes)
        return a->file_bytes < b->file_bytes ? -1 : 1;
    return (a->line > b->line) - (a->line < b->line);
}

static void write_line(const struct tf_wg_line *l, struct tf_str *out)
{
    static const char *const names[GANG_NOTES][2] = {
        [GANG_NOTE_GATHER] = {"gather", "gathers"},
        [GANG_NOTE_SCATTER] = {"scatter", "scatters"},
        [GANG_NOTE_STRIDED] = {"strided access", "strided accesses"},
        [GANG_NOTE_WRAP] = {"access side by side unless its index wraps",
                            "accesses side by side unless their index wraps"},
        [GANG_NOTE_LANE_LOOP] = {"lane loop", "lane loops"},
        [GANG_NOTE_ONE_ATOMIC] = {"atomic for all lanes", "atomics for all lanes"},
        [GANG_NOTE_BRANCH] = {"divergent branch", "divergent branches"},
        [GANG_NOTE_LEAVE] = {"divergent loop exit", "divergent loop exits"},
    };
    const char *between = "";

    if (l->line)
        tf_str_printf(out, "  %.*s:%u: ", (int)l->file_bytes, l->file, l->line);
    else
        tf_str_add(out, "  elsewhere: ");
    for (unsigned n = 0; n < GANG_NOTES; n++) {
        if (!l->counts[n])
            continue;
        tf_str_printf(out, "%s%u %s", between, l->counts[n], names[n][l->counts[n] > 1]);
        between = ", ";
    }
    tf_str_add(out, "\n");
}

void tf_wg_notes_write(struct tf_wg_notes *notes, struct tf_str *out)
{
    if (notes->count)
        qsort(notes->lines, notes->count, sizeof(*notes->lines), compare_lines);
    for (unsigned i = 0; i < notes->count; i++)
        write_line(&notes->lines[i], out);
}

// ---- what is noted

static void add_note(struct gang *g, LLVMValueRef instruction, enum gang_note note)
{
    const unsigned line = LLVMGetDebugLocLine(instruction);
    unsigned bytes = 0;
    const char *file = line ? LLVMGetDebugLocFilename(instruction, &bytes) : NULL;
    struct tf_wg_line *l = find_line(g->wg->notes, file, file ? bytes : 0, line);

    if (l)
        l->counts[note]++;
}

void gang_note(struct gang *g, LLVMValueRef instruction, enum gang_note note)
{
    if (g->wg->notes && !g->masked && !g->twin)
        add_note(g, instruction, note);
}

void gang_note_access(struct gang *g, LLVMValueRef access, bool is_store)
{
    if (tf_shape_of(&g->shapes, LLVMGetOperand(access, is_store)).unless)
        gang_note(g, access, GANG_NOTE_WRAP);
    else
        gang_note(g, access, is_store ? GANG_NOTE_SCATTER : GANG_NOTE_GATHER);
}

static bool leaves_loop(const struct gang *g, unsigned block)
{
    const struct tf_cfg_block *b = &g->cfg.blocks[block];

    for (unsigned k = 0; k < b->succ_count && b->loop != TF_CFG_NONE; k++) {
        if (!tf_cfg_in_loop(&g->cfg, b->loop, b->succs[k]))
            return true;
    }
    return false;
}

void gang_note_branches(struct gang *g)
{
    for (unsigned b = 0; g->wg->notes && b < g->cfg.block_count; b++) {
        const LLVMValueRef condition = tf_cfg_condition(&g->cfg, b);

        if (condition && !tf_is_uniform(&g->shapes, condition))
            gang_note(g, LLVMGetBasicBlockTerminator(g->cfg.blocks[b].block),
                      leaves_loop(g, b) ? GANG_NOTE_LEAVE : GANG_NOTE_BRANCH);
    }
}

static void note_access(struct gang *g, const struct tf_value *v)
{
    const bool is_store = v->opcode == LLVMStore;
    const LLVMValueRef i = v->instruction;
    const LLVMTypeRef type = LLVMTypeOf(is_store ? LLVMGetOperand(i, 0) : i);
    const struct tf_shape at = tf_shape_of(&g->shapes, LLVMGetOperand(i, is_store));

    if (LLVMGetVolatile(i) || LLVMGetOrdering(i) != LLVMAtomicOrderingNotAtomic)
        gang_note(g, i, GANG_NOTE_LANE_LOOP);
    else if (g->values[v - g->shapes.values].group)
        gang_note(g, i, GANG_NOTE_STRIDED);
    else if (at.unless)
        gang_note(g, i, GANG_NOTE_WRAP);
    else if (at.kind == TF_SHAPE_VARYING ||
             (at.stride != 0 &&
              (uint64_t)at.stride != LLVMABISizeOfType(g->shapes.layout, type)))
        gang_note(g, i, is_store ? GANG_NOTE_SCATTER : GANG_NOTE_GATHER);
}

void gang_note_all(struct gang *g)
{
    if (!g->wg->notes)
        return;
    gang_note_branches(g);
    for (unsigned k = 0; k < g->shapes.value_count; k++) {
        const struct tf_value *v = &g->shapes.values[k];
        const LLVMValueRef i = v->instruction;

        if (v->opcode == LLVMLoad || v->opcode == LLVMStore)
            note_access(g, v);
        else if (gang_is_one_atomic(g, v))
            gang_note(g, i, GANG_NOTE_ONE_ATOMIC);
        else if (v->opcode == LLVMAtomicRMW || v->opcode == LLVMAtomicCmpXchg ||
                 (v->opcode == LLVMCall && v->shape.kind == TF_SHAPE_VARYING &&
                  !tf_is_marker(i) && tf_shape_root(i) < 0 && !tf_is_elementwise(i)))
            gang_note(g, i, GANG_NOTE_LANE_LOOP);
    }
}
