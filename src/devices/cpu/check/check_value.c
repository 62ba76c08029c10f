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

// Where the address lies in local memory that is followed.
static bool lies_in_local(const struct tf_check_question *q, size_t *at, size_t *end)
{
    const uint64_t offset = q->address - (uintptr_t)q->worker->local;
    const size_t bytes = q->own->local_bytes;

    if (offset >= bytes)
        return false;
    *at = (size_t)offset;
    *end = q->bytes < bytes - *at ? *at + (size_t)q->bytes : bytes;
    return true;
}

void tf_check_written(struct tf_check_question *q)
{
    size_t at, end;

    if (!lies_in_local(q, &at, &end)) {
        tf_mem_list_written((const void *)(uintptr_t)q->address, (size_t)q->bytes);
        return;
    }
    for (; at < end; at++)
        q->own->local_written[at / 8] |= (unsigned char)(1u << at % 8);
}

bool tf_check_is_written(const struct tf_check_question *q)
{
    size_t at, end;

    if (q->address == tf_check_state(q->item)->bad_address)
        return true; // told already
    if (!lies_in_local(q, &at, &end))
        return tf_mem_list_is_written(q->address, q->bytes);
    for (; at < end; at++) {
        if (!(q->own->local_written[at / 8] >> at % 8 & 1))
            return false;
    }
    return true;
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

    if (q->address != 0 && tf_check_is_new(q, "uninitialized", 0))
        tf_check_tell(q, "uninitialized", words_of(use), "");
}
