// SPDX-License-Identifier: MIT
// What a trace comes to, a line for each kernel and each kind of copy, on standard error
// at the end of the process.
#ifndef TF_TRACE_TRACE_TABLE_H
#define TF_TRACE_TRACE_TABLE_H

#include <stddef.h>

struct tf_trace_chunk;
struct tf_trace_row;

struct tf_trace_table {
    struct tf_trace_row *rows; // owned
    size_t count, room;
};

void tf_trace_table_add(struct tf_trace_table *table, struct tf_trace_chunk *chunks);
void tf_trace_table_print(const struct tf_trace_table *table);
void tf_trace_table_finish(struct tf_trace_table *table);

#endif // TF_TRACE_TRACE_TABLE_H
