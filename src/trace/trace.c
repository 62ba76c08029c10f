// SPDX-License-Identifier: MIT
#include "trace/trace.h"

#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/hash.h"
#include "base/thread.h"
#include "base/time.h"
#include "trace/trace_chunk.h"
#include "trace/trace_file.h"
#include "trace/trace_table.h"

enum {
    MOST_CHUNKS = 2048, // in memory: 64 MiB
    NAME_SLOTS = 1024,
    NUMBER_BLOCK = 256,
    // A large page: touched 4 KiB at a time, memory took half of the time of a record.
    BLOCK_BYTES = 2 << 20,
    BLOCK_CHUNKS = BLOCK_BYTES / sizeof(struct tf_trace_chunk),
};

struct name {
    struct name *next;
    char text[];
};

atomic_int tf_trace_state;

static struct {
    struct tf_mutex lock;
    struct tf_trace_chunk *full
        TF_GUARDED_BY(&lock); // no thread appends any more; oldest first
    struct tf_trace_chunk **full_end TF_GUARDED_BY(&lock); // NULL: the list is empty
    unsigned full_count TF_GUARDED_BY(&lock);
    struct tf_trace_chunk *live TF_GUARDED_BY(&lock); // one a thread
    struct tf_trace_chunk *spare TF_GUARDED_BY(&lock);
    struct name *names[NAME_SLOTS] TF_GUARDED_BY(&lock);
    struct tf_trace_file file TF_GUARDED_BY(&lock);
    struct tf_trace_table table TF_GUARDED_BY(&lock);
} all = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF)};

static _Atomic uint64_t last_number;
// Taken in blocks: a locked instruction for each command cost as much as its record.
static _Thread_local uint64_t my_next_number, my_end_number;
// The calling thread's chunk, of this process: a forked child has none.
static _Thread_local struct tf_trace_chunk *mine;
static _Thread_local unsigned mine_epoch;
static atomic_uint epoch; // how often the process is a forked child

// ---- Writing ----

// Their records are written: they take others.
static void spare_list(struct tf_trace_chunk **list) TF_REQUIRES(&all.lock)
{
    struct tf_trace_chunk *next;

    for (struct tf_trace_chunk *c = *list; c; c = next) {
        next = c->next;
        c->next = all.spare;
        all.spare = c;
    }
    *list = NULL;
}

static struct tf_trace_chunk **end_of_full(void) TF_REQUIRES(&all.lock)
{
    return all.full_end ? all.full_end : &all.full;
}

static void spare_full(void) TF_REQUIRES(&all.lock)
{
    spare_list(&all.full);
    all.full_end = NULL;
    all.full_count = 0;
}

// False where the trace ends.
static bool write_list(struct tf_trace_chunk *list) TF_REQUIRES(&all.lock)
{
    bool ok;

    tf_trace_table_add(&all.table, list);
    ok = tf_trace_file_add(&all.file, list);
    if (!ok)
        atomic_store(&tf_trace_state, TF_TRACE_OFF);
    for (struct tf_trace_chunk *c = list; c; c = c->next)
        c->written = atomic_load_explicit(&c->count, memory_order_acquire);
    return ok;
}

// Other threads may still run, and put records that nobody looks at.
static void finish(void)
{
    const bool was_on = atomic_exchange(&tf_trace_state, TF_TRACE_OFF) == TF_TRACE_ON;

    tf_lock(&all.lock);
    if (was_on) {
        struct tf_trace_chunk **const end = end_of_full();

        *end = all.live; // as one list: commands wait for those of other threads
        if (write_list(all.full))
            tf_trace_file_end(&all.file);
        *end = NULL;
        tf_trace_table_print(&all.table);
    }
    spare_full();
    tf_trace_table_finish(&all.table);
    tf_unlock(&all.lock);
}

// ---- Beginning ----

// In the child of a fork: what happened before is the parent's to tell. Nothing of it is
// freed: its lists may be half changed.
static void forked(void) TF_NO_TSA
{
    atomic_fetch_add(&epoch, 1);
    tf_mutex_init(&all.lock, TF_RANK_LEAF);
    all.full = all.live = all.spare = NULL;
    all.full_end = NULL;
    all.full_count = 0;
    memset(all.names, 0, sizeof(all.names));
    memset(&all.table, 0, sizeof(all.table));
    tf_trace_file_forked(&all.file);
}

static void read_setting(void) TF_NO_TSA
{
    const char *path = tf_env_text(TF_ENV_TRACE);
    const bool is_on = path && tf_trace_file_begin(&all.file, path, tf_time_ns()) &&
                       pthread_atfork(NULL, NULL, forked) == 0 && atexit(finish) == 0;

    atomic_store(&tf_trace_state, is_on ? TF_TRACE_ON : TF_TRACE_OFF);
}

bool tf_trace_begin(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;

    pthread_once(&once, read_setting);
    return atomic_load(&tf_trace_state) == TF_TRACE_ON;
}

// ---- Records ----

uint64_t tf_trace_numbers(uint64_t count)
{
    return atomic_fetch_add_explicit(&last_number, count, memory_order_relaxed) + 1;
}

uint64_t tf_trace_number(void)
{
    if (my_next_number >= my_end_number) {
        my_next_number = tf_trace_numbers(NUMBER_BLOCK);
        my_end_number = my_next_number + NUMBER_BLOCK;
    }
    return my_next_number++;
}

const char *tf_trace_name(const char *text)
{
    // The thread's latest one: most launches are of the kernel of the launch before.
    static _Thread_local const char *latest;
    const size_t bytes = strlen(text) + 1;
    struct name *name;
    uint64_t hash;

    if (latest && !strcmp(latest, text))
        return latest;
    hash = tf_hash_bytes(text, bytes, 0).lo;
    tf_lock(&all.lock);
    for (name = all.names[hash % NAME_SLOTS]; name; name = name->next)
        if (!strcmp(name->text, text))
            break;
    if (!name && (name = tf_zalloc(sizeof(*name) + bytes))) {
        memcpy(name->text, text, bytes);
        name->next = all.names[hash % NAME_SLOTS];
        all.names[hash % NAME_SLOTS] = name;
    }
    tf_unlock(&all.lock);
    latest = name ? name->text : NULL;
    return name ? name->text : "";
}

uint64_t tf_trace_start(void)
{
    return tf_trace_on() ? tf_time_ns() : 0;
}

void tf_trace_stage(const char *name, uint64_t start_ns, bool ok)
{
    if (start_ns)
        tf_trace_put(&(struct tf_trace_record){.kind = TF_TRACE_STAGE,
                                               .name = name,
                                               .start_ns = start_ns,
                                               .end_ns = tf_time_ns(),
                                               .status = ok ? 0 : -1});
}

static void add_block(void) TF_REQUIRES(&all.lock)
{
    // The half that no large page covers is never touched.
    char *const memory = tf_alloc_forever(2 * (size_t)BLOCK_BYTES);
    struct tf_trace_chunk *block;

    if (!memory)
        return;
    block = (void *)(memory + (-(uintptr_t)memory & (BLOCK_BYTES - 1)));
    madvise(block, BLOCK_BYTES, MADV_HUGEPAGE);
    for (unsigned i = BLOCK_CHUNKS; i-- > 0;) {
        block[i].next = all.spare;
        all.spare = &block[i];
    }
}

// Room for more records of this thread; NULL when memory ran out.
static struct tf_trace_chunk *new_chunk(void) TF_REQUIRES(&all.lock)
{
    struct tf_trace_chunk *chunk;

    if (!all.spare)
        add_block();
    chunk = all.spare;
    if (!chunk)
        return NULL;
    all.spare = chunk->next;
    chunk->thread = (int)syscall(SYS_gettid);
    chunk->written = 0;
    atomic_init(&chunk->count, 0);
    for (int kind = 0; kind < TF_TRACE_KINDS; kind++)
        atomic_init(&chunk->kinds[kind], 0);
    if (prctl(PR_GET_NAME, chunk->thread_name) != 0)
        strcpy(chunk->thread_name, "thread");
    return chunk;
}

static void unlist(struct tf_trace_chunk *chunk) TF_REQUIRES(&all.lock)
{
    struct tf_trace_chunk **at = &all.live;

    while (*at && *at != chunk)
        at = &(*at)->next;
    if (*at)
        *at = chunk->next;
}

// The thread's chunk is full, or of another process.
static struct tf_trace_chunk *change_chunk(struct tf_trace_chunk *old)
{
    struct tf_trace_chunk *chunk;

    tf_lock(&all.lock);
    chunk = new_chunk();
    if (old) {
        unlist(old);
        old->next = NULL;
        *end_of_full() = old;
        all.full_end = &old->next;
        all.full_count++;
    }
    if (chunk) {
        chunk->is_named = old && !strcmp(old->thread_name, chunk->thread_name);
        chunk->next = all.live;
        all.live = chunk;
    }
    if (all.full_count >= MOST_CHUNKS) {
        write_list(all.full);
        spare_full();
    }
    tf_unlock(&all.lock);
    return chunk;
}

void tf_trace_put(const struct tf_trace_record *record)
{
    const unsigned now = atomic_load_explicit(&epoch, memory_order_relaxed);
    struct tf_trace_chunk *chunk = mine_epoch == now ? mine : NULL;
    unsigned count = chunk ? atomic_load_explicit(&chunk->count, memory_order_relaxed)
                           : TF_TRACE_CHUNK;
    atomic_uint *of_kind;

    if (count == TF_TRACE_CHUNK) {
        mine = chunk = change_chunk(chunk);
        mine_epoch = now;
        count = 0;
    }
    if (!chunk)
        return;
    chunk->records[count] = *record;
    of_kind = &chunk->kinds[record->kind];
    atomic_store_explicit(of_kind,
                          atomic_load_explicit(of_kind, memory_order_relaxed) + 1,
                          memory_order_relaxed);
    atomic_store_explicit(&chunk->count, count + 1, memory_order_release);
}
