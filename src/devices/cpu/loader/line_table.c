// SPDX-License-Identifier: MIT
#include "devices/cpu/loader/line_table.h"

#include <stdbool.h>
#include <string.h>

#include "base/alloc.h"

enum {
    // Opcodes; those from the header's opcode_base on change line and address at once.
    EXTENDED = 0,
    COPY = 1,
    ADVANCE_PC = 2,
    ADVANCE_LINE = 3,
    SET_FILE = 4,
    CONST_ADD_PC = 8,
    FIXED_ADVANCE_PC = 9,
    // Behind EXTENDED and a length.
    END_SEQUENCE = 1,
    SET_ADDRESS = 2,

    MAX_FILES = 256,
    SPECIAL_OPCODES_END = 255,
    MAX_LINES = 1 << 20,
};

// Bytes that are read from the front; once some are missing all that is read is 0.
struct reader {
    const char *at, *end;
    bool failed;
};

struct table {
    uint8_t min_bytes; // of an instruction
    int8_t line_base;
    uint8_t line_range, opcode_base;
    uint8_t operands[SPECIAL_OPCODES_END + 1]; // of the standard opcodes
    const char *files[MAX_FILES];              // from 1 on
    unsigned file_count;
};

static uint64_t take(struct reader *r, size_t bytes)
{
    uint64_t value = 0;

    if ((size_t)(r->end - r->at) < bytes) {
        r->failed = true;
        r->at = r->end;
        return 0;
    }
    memcpy(&value, r->at, bytes); // little endian, as the families that there are
    r->at += bytes;
    return value;
}

static uint64_t take_leb(struct reader *r, bool is_signed)
{
    uint64_t value = 0;
    unsigned shift = 0;
    uint8_t byte;

    do {
        byte = (uint8_t)take(r, 1);
        if (shift < 64)
            value |= (uint64_t)(byte & 0x7f) << shift;
        shift += 7;
    } while (byte & 0x80);
    if (is_signed && shift < 64 && byte & 0x40)
        value |= ~UINT64_C(0) << shift;
    return value;
}

static const char *take_text(struct reader *r)
{
    const char *const text = r->at, *const end =
                                        memchr(text, '\0', (size_t)(r->end - text));

    if (!end) {
        r->failed = true;
        r->at = r->end;
        return "";
    }
    r->at = end + 1;
    return text;
}

// Folders are left out: kernels have none.
static void take_names(struct reader *r, struct table *t)
{
    while (!r->failed && *take_text(r) != '\0')
        ;
    while (!r->failed) {
        const char *const name = take_text(r);

        if (!*name)
            return;
        if (++t->file_count < MAX_FILES)
            t->files[t->file_count] = name;
        for (unsigned i = 0; i < 3; i++) // folder, time, bytes
            (void)take_leb(r, false);
    }
}

// Leaves `program` at the first opcode.
static bool take_header(struct reader *unit, struct table *t)
{
    const uint64_t version = take(unit, 2), header_bytes = take(unit, 4);
    struct reader head = {unit->at, unit->end, false};

    if (version < 2 || version > 4 || unit->failed ||
        header_bytes > (uint64_t)(unit->end - unit->at))
        return false;
    unit->at += header_bytes;
    head.end = unit->at;
    t->min_bytes = (uint8_t)take(&head, 1);
    if (version >= 4)
        (void)take(&head, 1); // operations of one instruction: 1
    (void)take(&head, 1);     // whether lines begin statements
    t->line_base = (int8_t)take(&head, 1);
    t->line_range = (uint8_t)take(&head, 1);
    t->opcode_base = (uint8_t)take(&head, 1);
    for (unsigned i = 1; i < t->opcode_base; i++)
        t->operands[i] = (uint8_t)take(&head, 1);
    take_names(&head, t);
    return !head.failed && t->line_range != 0 && t->opcode_base != 0;
}

struct machine {
    uint64_t address, line, file;
};

static void add(struct tf_code_lines *out, const struct table *t, const struct machine *m)
{
    const char *const name =
        m->file < MAX_FILES && t->files[m->file] ? t->files[m->file] : "";

    // Of several lines at once, or of none: counts as of what stands before it.
    if (m->line == 0 || out->count == MAX_LINES)
        return;
    if (out->count == out->capacity) {
        const size_t more = out->capacity ? 2 * out->capacity : 64;
        struct tf_code_line *const lines = tf_realloc(out->lines, more * sizeof(*lines));

        if (!lines)
            return;
        out->lines = lines;
        out->capacity = more;
    }
    out->lines[out->count++] = (struct tf_code_line){m->address, (uint32_t)m->line, name};
}

static void run_extended(struct reader *r, struct machine *m)
{
    const uint64_t bytes = take_leb(r, false);
    struct reader inside = {r->at, r->end, false};

    if (r->failed || bytes == 0 || bytes > (uint64_t)(r->end - r->at)) {
        r->failed = true;
        return;
    }
    r->at += bytes;
    inside.end = r->at;
    switch (take(&inside, 1)) {
    case END_SEQUENCE:
        *m = (struct machine){.line = 1, .file = 1};
        break;
    case SET_ADDRESS:
        m->address = take(&inside, sizeof(m->address));
        break;
    default:
        break;
    }
}

static void run_standard(struct reader *r, const struct table *t, unsigned opcode,
                         struct machine *m)
{
    switch (opcode) {
    case ADVANCE_PC:
        m->address += take_leb(r, false) * t->min_bytes;
        return;
    case ADVANCE_LINE:
        m->line += take_leb(r, true);
        return;
    case SET_FILE:
        m->file = take_leb(r, false);
        return;
    case CONST_ADD_PC:
        m->address += (uint64_t)((SPECIAL_OPCODES_END - t->opcode_base) / t->line_range) *
                      t->min_bytes;
        return;
    case FIXED_ADVANCE_PC:
        m->address += take(r, 2);
        return;
    default: // of no interest
        for (unsigned i = 0; i < t->operands[opcode]; i++)
            (void)take_leb(r, false);
    }
}

static void run(struct reader *r, const struct table *t, struct tf_code_lines *out)
{
    struct machine m = {.line = 1, .file = 1};

    while (r->at < r->end && !r->failed) {
        const unsigned opcode = (unsigned)take(r, 1);

        if (opcode >= t->opcode_base) {
            const unsigned step = opcode - t->opcode_base;

            m.address += (uint64_t)(step / t->line_range) * t->min_bytes;
            m.line += (uint64_t)(int64_t)(t->line_base + (int)(step % t->line_range));
            add(out, t, &m);
        } else if (opcode == EXTENDED) {
            run_extended(r, &m);
        } else if (opcode == COPY) {
            add(out, t, &m);
        } else {
            run_standard(r, t, opcode, &m);
        }
    }
}

void tf_line_table_read(struct tf_code_lines *out, const char *section, size_t bytes)
{
    struct reader all = {section, section + bytes, false};

    while (all.at < all.end) {
        const uint64_t unit_bytes = take(&all, 4);
        struct reader unit = {all.at, all.end, false};
        struct table table = {0};

        if (all.failed || unit_bytes > (uint64_t)(all.end - all.at))
            return; // or the form for more than 4 GiB
        all.at += unit_bytes;
        unit.end = all.at;
        if (take_header(&unit, &table))
            run(&unit, &table, out);
    }
}

void tf_code_lines_finish(struct tf_code_lines *lines)
{
    tf_free(lines->lines);
    *lines = (struct tf_code_lines){0};
}
