// SPDX-License-Identifier: MIT
// What happened when, for TREFOIL_TRACE: each thread puts records into buffers of its
// own, which become a file at the end of the process, or when there are very many.
// While it is off, asking costs a load and a branch. Nothing here fails: what cannot be
// kept is lost, and what cannot be written ends the trace.
#ifndef TF_TRACE_TRACE_H
#define TF_TRACE_TRACE_H

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "trace/trace_record.h"

enum tf_trace_state { TF_TRACE_NOT_READ, TF_TRACE_OFF, TF_TRACE_ON };
extern atomic_int tf_trace_state;

// Reads TREFOIL_TRACE.
bool tf_trace_begin(void);

static inline bool tf_trace_on(void)
{
    const int state = atomic_load_explicit(&tf_trace_state, memory_order_relaxed);

    return __builtin_expect(state != TF_TRACE_OFF, 0) &&
           (state == TF_TRACE_ON || tf_trace_begin());
}

// When what follows begins; 0 where no trace is kept.
uint64_t tf_trace_start(void);
// The end of a stage of a build that began then; `name` lasts. Nothing for 0.
void tf_trace_stage(const char *name, uint64_t start_ns, bool ok);

// The rest is for where it is on.

// A number that no other command, queue or launch of the process has; never 0.
uint64_t tf_trace_number(void);
// `count` of them, of which this is the first.
uint64_t tf_trace_numbers(uint64_t count);
// The same text, for good; "" when memory ran out.
const char *tf_trace_name(const char *text);
void tf_trace_put(const struct tf_trace_record *record);

#endif // TF_TRACE_TRACE_H
