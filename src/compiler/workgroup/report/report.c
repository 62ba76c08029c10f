// SPDX-License-Identifier: MIT
#include "compiler/workgroup/report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

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
    static const char *const names[TF_NOTES][2] = {
        [TF_NOTE_WINDOW] = {"load out of a window of memory, or gather",
                            "loads out of windows of memory, or gathers"},
        [TF_NOTE_GATHER] = {"gather", "gathers"},
        [TF_NOTE_SCATTER] = {"scatter", "scatters"},
        [TF_NOTE_STRIDED] = {"strided access", "strided accesses"},
        [TF_NOTE_STRIP] = {"access with its neighbours",
                           "accesses with their neighbours"},
        [TF_NOTE_WRAP] = {"access side by side unless its index wraps",
                          "accesses side by side unless their index wraps"},
        [TF_NOTE_SPACING] = {"access side by side if an argument is 1",
                             "accesses side by side if an argument is 1"},
        [TF_NOTE_LANE_LOOP] = {"lane loop", "lane loops"},
        [TF_NOTE_ONE_ATOMIC] = {"atomic for all lanes", "atomics for all lanes"},
        [TF_NOTE_BRANCH] = {"divergent branch", "divergent branches"},
        [TF_NOTE_LEAVE] = {"divergent loop exit", "divergent loop exits"},
    };
    const char *between = "";

    if (l->line)
        tf_str_printf(out, "  %.*s:%u: ", (int)l->file_bytes, l->file, l->line);
    else
        tf_str_add(out, "  elsewhere: ");
    for (unsigned n = 0; n < TF_NOTES; n++) {
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

static void note(struct tf_wg_notes *notes, LLVMValueRef instruction, enum tf_note what)
{
    const unsigned line = LLVMGetDebugLocLine(instruction);
    unsigned bytes = 0;
    const char *file = line ? LLVMGetDebugLocFilename(instruction, &bytes) : NULL;
    struct tf_wg_line *l = find_line(notes, file, file ? bytes : 0, line);

    if (l)
        l->counts[what]++;
}

static bool leaves_loop(const struct tf_cfg *cfg, unsigned block)
{
    const struct tf_cfg_block *b = &cfg->blocks[block];

    for (unsigned k = 0; k < b->succ_count && b->loop != TF_CFG_NONE; k++) {
        if (!tf_cfg_in_loop(cfg, b->loop, b->succs[k]))
            return true;
    }
    return false;
}

static void note_branches(const struct tf_plan *p, struct tf_wg_notes *notes)
{
    for (unsigned b = 0; b < p->cfg->block_count; b++) {
        const LLVMValueRef condition = tf_cfg_condition(p->cfg, b);

        if (condition && !tf_is_uniform(p->shapes, condition) && !p->of.facts->seldom[b])
            note(notes, LLVMGetBasicBlockTerminator(p->cfg->blocks[b].block),
                 leaves_loop(p->cfg, b) ? TF_NOTE_LEAVE : TF_NOTE_BRANCH);
    }
}

// TF_NOTES: none.
static enum tf_note note_of(const struct tf_plan *p, const struct tf_value *v)
{
    switch ((int)tf_plan_form(p, v)) {
    case TF_FORM_LANE_LOOP:
        return TF_NOTE_LANE_LOOP;
    case TF_FORM_ONE_ATOMIC:
        return TF_NOTE_ONE_ATOMIC;
    case TF_FORM_BUNDLE:
        return TF_NOTE_STRIDED;
    case TF_FORM_STRIP:
        return TF_NOTE_STRIP;
    case TF_FORM_EITHER_WAY:
        return tf_plan_spacing_of(p, v) ? TF_NOTE_SPACING : TF_NOTE_WRAP;
    case TF_FORM_WINDOW:
        return TF_NOTE_WINDOW;
    case TF_FORM_GATHER:
    case TF_FORM_SCATTER:
    case TF_FORM_OWN_GATHER:
    case TF_FORM_OWN_WORDS:
    case TF_FORM_OWN_SINGLY:
        return v->opcode == LLVMStore ? TF_NOTE_SCATTER : TF_NOTE_GATHER;
    default:
        return TF_NOTES;
    }
}

void tf_report_lines(const struct tf_plan *plan, struct tf_wg_notes *notes)
{
    for (unsigned i = 0; i < plan->shapes->value_count; i++) {
        const struct tf_value *v = &plan->shapes->values[i];
        const enum tf_note what = note_of(plan, v);

        if (what != TF_NOTES && !plan->of.facts->seldom[v->block])
            note(notes, v->instruction, what);
    }
    note_branches(plan, notes);
}

void tf_report_plan(const struct tf_plan *plan, char *text, size_t bytes)
{
    const struct tf_plan_counts *n = &plan->counts;

    snprintf(text, bytes,
             "%u lanes; %u gathers, %u scatters, %u lane loops, %u divergent branches; "
             "cost %llu, item by item %llu",
             plan->width, n->gathers, n->scatters, n->lane_loops, n->divergent_branches,
             (unsigned long long)plan->lanes_cost / 10,
             (unsigned long long)plan->items_cost / 10);
}
