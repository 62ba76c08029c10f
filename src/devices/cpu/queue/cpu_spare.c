// SPDX-License-Identifier: MIT
#include "devices/cpu/queue/cpu_spare.h"

#include <stddef.h>

#include "abi/long16.h"
#include "base/alloc.h"
#include "base/thread.h"

enum {
    BATCH = 64,
    MOST_BATCHES = 256, // 8 MiB
};

static struct tf_mutex lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF);
static struct tf_spare *batches TF_GUARDED_BY(&lock);
static unsigned batch_count TF_GUARDED_BY(&lock);

static void take_batch(struct tf_spares *own)
{
    tf_lock(&lock);
    if (batches) {
        own->first = batches;
        own->count = BATCH;
        batches = batches->batch;
        batch_count--;
    }
    tf_unlock(&lock);
}

static void free_list(struct tf_spare *list)
{
    while (list) {
        struct tf_spare *next = list->next;

        tf_free(list);
        list = next;
    }
}

// The latest ones stay: they are in the caches.
static void give_batch(struct tf_spares *own)
{
    struct tf_spare *last = own->first, *rest;
    bool is_kept;

    for (unsigned i = 1; i < own->count - BATCH; i++)
        last = last->next;
    rest = last->next;
    last->next = NULL;
    own->count -= BATCH;
    tf_lock(&lock);
    is_kept = batch_count < MOST_BATCHES;
    if (is_kept) {
        rest->batch = batches;
        batches = rest;
        batch_count++;
    }
    tf_unlock(&lock);
    if (!is_kept)
        free_list(rest);
}

void *tf_spare_take(struct tf_spares *own)
{
    struct tf_spare *spare;

    if (!own->first)
        take_batch(own);
    spare = own->first;
    if (!spare)
        return tf_alloc_aligned(TF_LONG16_BYTES, TF_SPARE_BYTES);
    own->first = spare->next;
    own->count--;
    return spare;
}

void tf_spare_give(struct tf_spares *own, void *block)
{
    struct tf_spare *spare = block;

    spare->next = own->first;
    own->first = spare;
    if (++own->count == 2 * BATCH)
        give_batch(own);
}

void tf_spares_finish(struct tf_spares *own)
{
    free_list(own->first);
    *own = (struct tf_spares){0};
}

void tf_spares_forked(void) TF_NO_TSA
{
    // The parent's list may be half-changed, and is dropped.
    tf_mutex_init(&lock, TF_RANK_LEAF);
    batches = NULL;
    batch_count = 0;
}
