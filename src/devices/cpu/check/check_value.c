// SPDX-License-Identifier: MIT
#include "devices/cpu/check/check_value.h"

#include <string.h>

#include "base/alloc.h"
#include "devices/cpu/move/cpu_mem_list.h"

void tf_check_local_begin(struct tf_check_question *q)
{
    struct tf_check_thread *own = q->own;
    const size_t bytes = q->worker->local_bytes;

    own->local_bytes = 0;
    if (bytes == 0 || (q->kernel && q->kernel->zero_local) ||
        !(q->item->table->modes & TF_CHECK_UNINITIALIZED))
        return;
    if (bytes > own->local_room) {
        tf_free(own->local_written);
        own->local_written = tf_zalloc(bytes / 8 + 1);
        own->local_room = own->local_written ? bytes : 0;
    }
    if (!own->local_written)
        return;
    own->local_bytes = bytes;
    memset(own->local_written, 0, bytes / 8 + 1);
}

// ---- Bits ----

// Those of a range of memory that only this thread knows of.
struct bits {
    unsigned char *written;
    size_t at, end;
};

void tf_check_private_begin(struct tf_check_question *q)
{
    struct tf_check_state *state = tf_check_state(q->item);
    struct tf_check_private *variable = (struct tf_check_private *)(uintptr_t)q->address;

    *variable = (struct tf_check_private){state->variables, q->base, q->bytes};
    memset(variable->written, 0, (q->bytes + 63) / 64 * sizeof(uint64_t));
    memset((void *)(uintptr_t)q->base, 0, q->bytes); // the same from run to run
    state->variables = variable;
}

void tf_check_private_end(struct tf_check_question *q)
{
    struct tf_check_state *state = tf_check_state(q->item);

    for (uint64_t i = 0; i < q->bytes && state->variables; i++)
        state->variables = state->variables->next;
}

static struct tf_check_private *private_at(const struct tf_check_question *q,
                                           uint64_t address)
{
    struct tf_check_private *at = tf_check_state(q->item)->variables;

    while (at && address - at->start >= at->bytes)
        at = at->next;
    return at;
}

static bool find_bits(const struct tf_check_question *q, uint64_t address, uint64_t bytes,
                      struct bits *out)
{
    const uint64_t in_local = address - (uintptr_t)q->worker->local;
    struct tf_check_private *variable = private_at(q, address);
    uint64_t room;

    if (variable) {
        *out = (struct bits){(unsigned char *)variable->written,
                             (size_t)(address - variable->start), 0};
        room = variable->bytes - out->at;
    } else if (in_local < q->own->local_bytes) {
        *out = (struct bits){q->own->local_written, (size_t)in_local, 0};
        room = q->own->local_bytes - out->at;
    } else {
        return false;
    }
    out->end = out->at + (size_t)(bytes < room ? bytes : room);
    return true;
}

// The memory is written, or is no longer.
static void mark(const struct tf_check_question *q, uint64_t address, uint64_t bytes,
                 bool is_written)
{
    struct bits bits;

    if (!find_bits(q, address, bytes, &bits)) {
        if (is_written)
            tf_mem_list_written((const void *)(uintptr_t)address, (size_t)bytes);
        else
            tf_mem_list_forget((const void *)(uintptr_t)address, (size_t)bytes);
        return;
    }
    for (size_t i = bits.at; i < bits.end; i++) {
        const unsigned char bit = (unsigned char)(1u << i % 8);

        bits.written[i / 8] &= (unsigned char)~bit;
        bits.written[i / 8] |= is_written ? bit : 0;
    }
}

static bool is_written(const struct tf_check_question *q, uint64_t address,
                       uint64_t bytes)
{
    struct bits bits;

    if (!find_bits(q, address, bytes, &bits))
        return tf_mem_list_is_written(address, bytes);
    for (size_t i = bits.at; i < bits.end; i++) {
        if (!(bits.written[i / 8] >> i % 8 & 1))
            return false;
    }
    return true;
}

// ---- Questions ----

// It was told then, and nothing was done.
static bool was_refused(const struct tf_check_question *q, uint64_t address)
{
    return address == tf_check_state(q->item)->bad_address;
}

void tf_check_written(struct tf_check_question *q)
{
    mark(q, q->address, q->bytes, true);
}

static uint64_t part_bytes(const struct tf_check_question *q)
{
    const uint64_t part = q->site->object_bytes;

    return part > 0 && part < q->bytes ? part : q->bytes;
}

uint64_t tf_check_missing(const struct tf_check_question *q)
{
    const uint64_t part = part_bytes(q);
    uint64_t missing = 0;

    if (was_refused(q, q->address) || is_written(q, q->address, q->bytes))
        return 0;
    for (uint64_t i = 0; (i + 1) * part <= q->bytes && i < 64; i++)
        missing |= (uint64_t)!is_written(q, q->address + i * part, part) << i;
    return missing;
}

void tf_check_set(struct tf_check_question *q)
{
    const uint64_t part = part_bytes(q);

    if (!q->address) {
        for (struct tf_check_private *at = tf_check_state(q->item)->variables; at;
             at = at->next)
            mark(q, at->start, at->bytes, true);
        return;
    }
    // Global memory is written where a kernel says so, and its values are looked at.
    if (was_refused(q, q->address) || !find_bits(q, q->address, 1, &(struct bits){0}))
        return;
    if (!q->value) {
        mark(q, q->address, q->bytes, true);
        return;
    }
    for (uint64_t i = 0; (i + 1) * part <= q->bytes && i < 64; i++)
        mark(q, q->address + i * part, part, !(q->value >> i & 1));
}

void tf_check_copy(struct tf_check_question *q)
{
    const uint64_t from = q->base, to = q->address, bytes = q->bytes;
    const bool is_backward = to > from;

    if (was_refused(q, from) || was_refused(q, to))
        return;
    if (is_written(q, from, bytes)) {
        mark(q, to, bytes, true);
        return;
    }
    for (uint64_t i = 0; i < bytes; i++) {
        const uint64_t n = is_backward ? bytes - 1 - i : i;

        mark(q, to + n, 1, is_written(q, from + n, 1));
    }
}

// Whether only the work-item, or its group, sees what lies there.
static bool is_own(const struct tf_check_question *q, uint64_t address)
{
    const struct tf_worker *w = q->worker;
    const uint64_t low = (uintptr_t)w->stack_limit, end = (uintptr_t)w->stack_end;

    return private_at(q, address) || address - low < end - low ||
           address - (uintptr_t)w->scratch < w->scratch_bytes ||
           address - (uintptr_t)w->local < w->local_bytes;
}

static const char *words_of(enum tf_check_use use)
{
    switch (use) {
    case TF_CHECK_DECISION:
        return "a value that was never written decides which way to go";
    case TF_CHECK_ADDRESS:
        return "a value that was never written is part of an address";
    case TF_CHECK_STORED:
        return "a value that was never written is stored";
    }
    return "";
}

void tf_check_value(struct tf_check_question *q)
{
    const enum tf_check_use use = (enum tf_check_use)q->site->arg;

    if (q->base && is_own(q, q->base))
        return;
    if (q->address != 0 && tf_check_is_new(q, "uninitialized", 0))
        tf_check_tell(q, "uninitialized", words_of(use), "");
}
