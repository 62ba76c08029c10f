// SPDX-License-Identifier: MIT
#include "trace/trace_table.h"

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/str.h"
#include "base/thread.h"
#include "trace/trace_chunk.h"

struct tf_trace_row {
    const char *name, *type; // of a kernel "kernel"
    const char *code;        // of the latest launch; NULL: not known
    uint64_t code_since_ns;  // when that began
    bool has_more_code;      // and other code
    uint64_t calls, ns, bytes, groups;
    uint32_t lanes;
    // Of launches: the time of the thread that worked longest, and the mean of those that
    // worked.
    double longest_ns, mean_ns;
};

// Most texts are kept once.
static bool is_same(const char *a, const char *b)
{
    return a == b || !strcmp(a, b);
}

static struct tf_trace_row *row_of(struct tf_trace_table *table, const char *name,
                                   const char *type)
{
    struct tf_trace_row *rows;

    for (size_t i = 0; i < table->count; i++)
        if (table->rows[i].name == name && table->rows[i].type == type)
            return &table->rows[i];
    for (size_t i = 0; i < table->count; i++)
        if (is_same(table->rows[i].name, name) && is_same(table->rows[i].type, type))
            return &table->rows[i];
    if (table->count == table->room) {
        const size_t room = table->room ? 2 * table->room : 32;

        rows = tf_zalloc(room * sizeof(*rows));
        if (!rows)
            return NULL;
        if (table->count > 0)
            memcpy(rows, table->rows, table->count * sizeof(*rows));
        tf_free(table->rows);
        table->rows = rows;
        table->room = room;
    }
    table->rows[table->count] = (struct tf_trace_row){.name = name, .type = type};
    return &table->rows[table->count++];
}

// ---- Work of one launch, of all threads together ----

struct works {
    struct tf_trace_table *table;
    struct tf_trace_record **by_id;
    size_t count, room;
};

static void take(struct tf_trace_record *r, const struct tf_trace_chunk *chunk, void *arg)
{
    struct works *works = arg;
    struct tf_trace_row *row;

    (void)chunk;
    if (r->kind == TF_TRACE_WORK && works->by_id && works->count < works->room)
        works->by_id[works->count++] = r;
    if ((r->kind != TF_TRACE_COMMAND && r->kind != TF_TRACE_MOVE) ||
        !(row = row_of(works->table, r->name, r->note)))
        return;
    row->calls++;
    row->ns += r->end_ns > r->start_ns ? r->end_ns - r->start_ns : 0;
    row->bytes += r->amount;
}

static int by_id(const void *a, const void *b)
{
    const struct tf_trace_record *x = *(const struct tf_trace_record *const *)a;
    const struct tf_trace_record *y = *(const struct tf_trace_record *const *)b;

    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

static void add_work(struct tf_trace_row *row, const struct tf_trace_record *r)
{
    if (row->code && !is_same(row->code, r->note))
        row->has_more_code = true;
    row->groups += r->amount;
    if (row->code && r->start_ns < row->code_since_ns)
        return; // works of threads come in any order
    row->code = r->note;
    row->code_since_ns = r->start_ns;
    row->lanes = r->number;
}

// One launch: works->by_id[first .. end).
static void add_launch(struct works *works, size_t first, size_t end)
{
    struct tf_trace_row *row = row_of(works->table, works->by_id[first]->name, "kernel");
    uint64_t start_ns = UINT64_MAX, end_ns = 0;
    double longest_ns = 0, sum_ns = 0;

    for (size_t i = first; row && i < end; i++) {
        const struct tf_trace_record *r = works->by_id[i];
        const double ns = (double)(r->end_ns - r->start_ns);

        add_work(row, r);
        sum_ns += ns;
        if (ns > longest_ns)
            longest_ns = ns;
        if (r->start_ns < start_ns)
            start_ns = r->start_ns;
        if (r->end_ns > end_ns)
            end_ns = r->end_ns;
    }
    if (row && works->by_id[first]->launch) { // no command of its own is counted
        row->calls++;
        row->ns += end_ns - start_ns;
    }
    if (row) {
        row->longest_ns += longest_ns;
        row->mean_ns += sum_ns / (double)(end - first);
    }
}

void tf_trace_table_add(struct tf_trace_table *table, struct tf_trace_chunk *chunks)
{
    struct works works = {.table = table};

    works.room = tf_trace_most(chunks, TF_TRACE_WORK);
    if (works.room > 0)
        works.by_id = tf_zalloc(works.room * sizeof(*works.by_id));
    tf_trace_each(chunks, take, &works);
    if (works.count > 0)
        tf_trace_sort(works.by_id, works.count, by_id);
    for (size_t i = 0, first = 0; i < works.count; i++) {
        if (i + 1 < works.count && by_id(&works.by_id[i + 1], &works.by_id[first]) == 0)
            continue;
        add_launch(&works, first, i + 1);
        first = i + 1;
    }
    tf_free(works.by_id);
}

// ---- Printing ----

static int by_time(const void *a, const void *b)
{
    const struct tf_trace_row *x = a, *y = b;

    return x->ns > y->ns ? -1 : x->ns < y->ns;
}

static void put_kernel(struct tf_str *text, const struct tf_trace_row *row)
{
    tf_str_printf(text, "%-24s %9llu %11.3f %10.2f %11llu %5.2f  ", row->name,
                  (unsigned long long)row->calls, (double)row->ns / 1e6,
                  (double)row->ns / 1e3 / (double)(row->calls ? row->calls : 1),
                  (unsigned long long)row->groups,
                  row->mean_ns > 0 ? row->longest_ns / row->mean_ns : 1);
    tf_str_add(text, row->code ? row->code : "-");
    if (row->lanes)
        tf_str_printf(text, " %u", row->lanes);
    tf_str_add(text, row->has_more_code ? ", before other code\n" : "\n");
}

static void put_command(struct tf_str *text, const struct tf_trace_row *row)
{
    tf_str_printf(text, "%-24s %9llu %11.3f %10.2f", row->name,
                  (unsigned long long)row->calls, (double)row->ns / 1e6,
                  (double)row->ns / 1e3 / (double)(row->calls ? row->calls : 1));
    if (row->bytes)
        tf_str_printf(text, " %11llu", (unsigned long long)row->bytes);
    tf_str_add(text, "\n");
}

static bool is_kernel(const struct tf_trace_row *row)
{
    return !strcmp(row->type, "kernel");
}

static void write_text(const struct tf_str *text)
{
    if (text->bytes == 0 || text->failed)
        return;
    if (write(STDERR_FILENO, text->text, text->bytes) < 0)
        return; // nowhere to complain
}

void tf_trace_table_print(const struct tf_trace_table *table)
{
    struct tf_str text = {0};
    bool has_kernels = false, has_others = false;
    TF_UNCANCELLED;

    if (table->count > 1)
        qsort(table->rows, table->count, sizeof(*table->rows), by_time);
    for (size_t i = 0; i < table->count; i++) {
        if (!is_kernel(&table->rows[i]))
            continue;
        if (!has_kernels)
            tf_str_add(&text, "kernel                       calls          ms    us each"
                              "      groups  uneven code\n");
        has_kernels = true;
        put_kernel(&text, &table->rows[i]);
    }
    for (size_t i = 0; i < table->count; i++) {
        if (is_kernel(&table->rows[i]))
            continue;
        if (!has_others)
            tf_str_add(&text, "command                      calls          ms    us each"
                              "       bytes\n");
        has_others = true;
        put_command(&text, &table->rows[i]);
    }
    write_text(&text);
    tf_str_finish(&text);
}

void tf_trace_table_finish(struct tf_trace_table *table)
{
    tf_free(table->rows);
    *table = (struct tf_trace_table){0};
}
