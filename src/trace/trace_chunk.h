// SPDX-License-Identifier: MIT
// Records as threads leave them, for the writers of the file and of the table.
#ifndef TF_TRACE_TRACE_CHUNK_H
#define TF_TRACE_TRACE_CHUNK_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>

#include "trace/trace_record.h"

enum { TF_TRACE_CHUNK = 512 }; // records: 32 KiB

// Its thread appends; whoever has read `count` may read as many records.
struct tf_trace_chunk {
    struct tf_trace_chunk *next;
    int thread;                        // as the system counts
    char thread_name[16];              // when it was begun
    bool is_named;                     // by the thread's chunk before
    atomic_uint count;                 // stored with release
    unsigned written;                  // records that are in the file, the writer's
    atomic_uint kinds[TF_TRACE_KINDS]; // how many of each, at least those of `count`
    struct tf_trace_record records[TF_TRACE_CHUNK];
};

// Calls fn for each record of the list that is not written yet.
static inline void tf_trace_each(struct tf_trace_chunk *chunks,
                                 void (*fn)(struct tf_trace_record *,
                                            const struct tf_trace_chunk *, void *),
                                 void *arg)
{
    for (struct tf_trace_chunk *c = chunks; c; c = c->next) {
        const unsigned count = atomic_load_explicit(&c->count, memory_order_acquire);

        for (unsigned i = c->written; i < count; i++)
            fn(&c->records[i], c, arg);
    }
}

// How many there may be of that kind in the list, written ones among them.
static inline size_t tf_trace_most(const struct tf_trace_chunk *chunks,
                                   enum tf_trace_kind kind)
{
    size_t most = 0;

    for (const struct tf_trace_chunk *c = chunks; c; c = c->next)
        most += atomic_load_explicit(&c->kinds[kind], memory_order_relaxed);
    return most;
}

typedef int tf_trace_order(const void *,
                           const void *); // as qsort's, of pointers to records

// Most threads leave records as `order` wants them: looking is cheaper than sorting.
static inline void tf_trace_sort(struct tf_trace_record **records, size_t count,
                                 tf_trace_order *order)
{
    for (size_t i = 1; i < count; i++)
        if (order(&records[i - 1], &records[i]) > 0) {
            qsort(records, count, sizeof(*records), order);
            return;
        }
}

#endif // TF_TRACE_TRACE_CHUNK_H
