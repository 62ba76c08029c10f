// SPDX-License-Identifier: MIT
#include "devices/cpu/move/cpu_mem_list.h"

#include <stdatomic.h>
#include <string.h>

#include "abi/check_record.h"
#include "base/addr_tree.h"
#include "base/alloc.h"
#include "base/env.h"
#include "base/thread.h"

struct tf_mem_entry {
    struct tf_addr_node node; // first: the tree holds these
    bool is_own;
    unsigned char *written;           // a bit a byte; NULL: all of it counts as written
    struct tf_mem_entry *next, *prev; // of the application's, which may overlap
};

static struct tf_mutex lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF);
static struct tf_addr_node *own TF_GUARDED_BY(&lock);
static struct tf_mem_entry *others TF_GUARDED_BY(&lock);

unsigned tf_mem_list_checks(void)
{
    enum { IS_READ = 1u << 31 };
    static atomic_uint known; // many threads may do this: they all find the same
    unsigned modes = atomic_load_explicit(&known, memory_order_relaxed);

    if (!modes) {
        modes = tf_check_modes(tf_env_text(TF_ENV_CHECK), NULL) | IS_READ;
        atomic_store_explicit(&known, modes, memory_order_relaxed);
    }
    return modes & TF_CHECK_ALL;
}

struct tf_mem_entry *tf_mem_list_add(const void *data, size_t bytes, bool is_own)
{
    struct tf_mem_entry *entry =
        tf_mem_list_checks() && bytes > 0 ? tf_zalloc(sizeof(*entry)) : NULL;

    if (!entry)
        return NULL;
    entry->node.start = (uintptr_t)data;
    entry->node.bytes = bytes;
    entry->is_own = is_own;
    if (is_own && tf_mem_list_checks() & TF_CHECK_UNINITIALIZED)
        entry->written = tf_zalloc(bytes / 8 + 1);
    tf_lock(&lock);
    if (is_own) {
        tf_addr_insert(&own, &entry->node);
    } else {
        entry->next = others;
        if (others)
            others->prev = entry;
        others = entry;
    }
    tf_unlock(&lock);
    return entry;
}

void tf_mem_list_remove(struct tf_mem_entry *entry)
{
    if (!entry)
        return;
    tf_lock(&lock);
    if (entry->is_own) {
        tf_addr_remove(&own, entry->node.start);
    } else {
        if (entry->prev)
            entry->prev->next = entry->next;
        else
            others = entry->next;
        if (entry->next)
            entry->next->prev = entry->prev;
    }
    tf_unlock(&lock);
    tf_free(entry->written);
    tf_free(entry);
}

bool tf_mem_list_find(uintptr_t address, uintptr_t *start, size_t *bytes)
{
    const struct tf_addr_node *found;

    tf_lock(&lock);
    found = tf_addr_find(own, address);
    for (const struct tf_mem_entry *e = others; e && !found; e = e->next) {
        if (address - e->node.start < e->node.bytes)
            found = &e->node;
    }
    if (found) {
        *start = found->start;
        *bytes = found->bytes;
    }
    tf_unlock(&lock);
    return found;
}

// The part of the range that lies in one entry of own memory. False: none does.
static bool part_of(uint64_t address, uint64_t bytes, struct tf_mem_entry **entry,
                    size_t *first, size_t *end) TF_REQUIRES(&lock)
{
    struct tf_addr_node *node = tf_addr_find(own, address);

    *entry = (struct tf_mem_entry *)node; // the tree's nodes begin the records
    if (!node || !(*entry)->written)
        return false;
    *first = address - node->start;
    *end = bytes < node->bytes - *first ? *first + bytes : node->bytes;
    return true;
}

void tf_mem_list_written(const void *data, size_t bytes)
{
    struct tf_mem_entry *entry;
    size_t at, end;

    if (!(tf_mem_list_checks() & TF_CHECK_UNINITIALIZED))
        return;
    tf_lock(&lock);
    if (part_of((uintptr_t)data, bytes, &entry, &at, &end)) {
        for (; at < end && at % 8; at++)
            entry->written[at / 8] |= (unsigned char)(1u << at % 8);
        if (end - at >= 8)
            memset(entry->written + at / 8, 0xff, (end - at) / 8);
        for (at += (end - at) / 8 * 8; at < end; at++)
            entry->written[at / 8] |= (unsigned char)(1u << at % 8);
    }
    tf_unlock(&lock);
}

void tf_mem_list_forget(const void *data, size_t bytes)
{
    struct tf_mem_entry *entry;
    size_t at, end;

    tf_lock(&lock);
    if (part_of((uintptr_t)data, bytes, &entry, &at, &end)) {
        for (; at < end; at++)
            entry->written[at / 8] &= (unsigned char)~(1u << at % 8);
    }
    tf_unlock(&lock);
}

bool tf_mem_list_is_written(uint64_t address, uint64_t bytes)
{
    struct tf_mem_entry *entry;
    bool is_written = true;
    size_t at, end;

    tf_lock(&lock);
    if (part_of(address, bytes, &entry, &at, &end)) {
        for (; at < end && is_written; at++)
            is_written = entry->written[at / 8] >> at % 8 & 1;
    }
    tf_unlock(&lock);
    return is_written;
}

void tf_mem_list_forked(void) TF_NO_TSA
{
    tf_mutex_init(&lock, TF_RANK_LEAF);
    own = NULL;
    others = NULL;
}
