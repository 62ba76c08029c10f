// SPDX-License-Identifier: MIT
#include "devices/cpu/queue/cpu_spare.h"

#include <string.h>

#include "abi/long16.h"
#include "base/alloc.h"
#include "base/thread.h"

enum {
    MOST_BATCHES = 640, // 8 MiB
    LINE_BYTES = 64,
    COLD_BYTES = 128, // that most users of a block leave alone
};

// In the first of its blocks.
struct batch {
    struct batch *next;
    void *others[TF_SPARE_BATCH - 1];
};

static struct tf_mutex lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF);
static struct batch *batches TF_GUARDED_BY(&lock);
static unsigned batch_count TF_GUARDED_BY(&lock);

static void take_batch(struct tf_spares *own)
{
    struct batch *batch;

    tf_lock(&lock);
    batch = batches;
    if (batch) {
        batches = batch->next;
        batch_count--;
    }
    tf_unlock(&lock);
    if (!batch)
        return;
    own->blocks[0] = batch;
    memcpy(own->blocks + 1, batch->others, sizeof(batch->others));
    own->count = TF_SPARE_BATCH;
}

// The latest ones stay: they are in the caches.
static void give_batch(struct tf_spares *own)
{
    struct batch *batch = own->blocks[0];
    bool is_kept;

    memcpy(batch->others, own->blocks + 1, sizeof(batch->others));
    own->count -= TF_SPARE_BATCH;
    memmove(own->blocks, own->blocks + TF_SPARE_BATCH, own->count * sizeof(void *));
    tf_lock(&lock);
    is_kept = batch_count < MOST_BATCHES;
    if (is_kept) {
        batch->next = batches;
        batches = batch;
        batch_count++;
    }
    tf_unlock(&lock);
    if (is_kept)
        return;
    for (unsigned i = 0; i < TF_SPARE_BATCH - 1; i++)
        tf_free(batch->others[i]);
    tf_free(batch);
}

// The next one will be wanted soon.
static void fetch(const char *block)
{
    for (size_t at = COLD_BYTES; at < TF_SPARE_BYTES; at += LINE_BYTES)
        __builtin_prefetch(block + at, 1);
}

void *tf_spare_take(struct tf_spares *own)
{
    if (own->count == 0)
        take_batch(own);
    if (own->count == 0)
        return tf_alloc_aligned(TF_LONG16_BYTES, TF_SPARE_BYTES);
    if (--own->count > 0)
        fetch(own->blocks[own->count - 1]);
    return own->blocks[own->count];
}

void tf_spare_give(struct tf_spares *own, void *block)
{
    own->blocks[own->count++] = block;
    if (own->count == 2 * TF_SPARE_BATCH)
        give_batch(own);
}

void tf_spares_finish(struct tf_spares *own)
{
    while (own->count > 0)
        tf_free(own->blocks[--own->count]);
}

void tf_spares_forked(void) TF_NO_TSA
{
    // The parent's list may be half-changed, and is dropped.
    tf_mutex_init(&lock, TF_RANK_LEAF);
    batches = NULL;
    batch_count = 0;
}
