// SPDX-License-Identifier: MIT
// Slabs: per class, buckets of slots that hold an object and up to 64 << bucket extra
// bytes. A freed slot joins the end of its bucket's list, so that a stale handle stays
// recognisable as long as possible; its memory is never given back.
#include "core/object/object.h"

#include <assert.h>
#include <stddef.h>
#include <string.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "core/object/error.h"

#if defined(__SANITIZE_ADDRESS__)
#include <sanitizer/asan_interface.h>
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#include <sanitizer/asan_interface.h>
#endif
#endif
#ifndef ASAN_POISON_MEMORY_REGION
#define ASAN_POISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) ((void)(address), (void)(size))
#endif

enum {
    BUCKETS = 32,
    SLOT_ALIGN = 64,     // no two objects share a cache line
    CHUNK_BYTES = 16384, // taken from the system at a time, at least one slot
};

struct chunk {
    struct chunk *next; // keeps the memory reachable for leak checkers
};

struct tf_slab {
    struct tf_mutex lock;
    struct tf_object *head[BUCKETS] TF_GUARDED_BY(&lock);
    struct tf_object *tail[BUCKETS] TF_GUARDED_BY(&lock);
    struct chunk *chunks TF_GUARDED_BY(&lock);
    atomic_long live; // TF_DEBUG only
};

#define SLAB(name) \
    struct tf_slab tf_slab_##name = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF)}
SLAB(device);
SLAB(context);
SLAB(queue);
SLAB(event);
SLAB(mem);
SLAB(program);
SLAB(kernel);
SLAB(sampler);
SLAB(command_buffer);
SLAB(mutable_command);
SLAB(semaphore);

static struct tf_slab *const slabs[] = {
    &tf_slab_device,          &tf_slab_context,   &tf_slab_queue,
    &tf_slab_event,           &tf_slab_mem,       &tf_slab_program,
    &tf_slab_kernel,          &tf_slab_sampler,   &tf_slab_command_buffer,
    &tf_slab_mutable_command, &tf_slab_semaphore,
};

static const struct tf_dispatch *dispatch_table;
static void *_Atomic loader_data;

// Every object has the epoch of the process that made it: forks survived so far. What is
// kept is of every epoch.
static atomic_uint fork_epoch;
#define EVERY_EPOCH UINT32_MAX

static void count_live(struct tf_slab *slab, long n)
{
#ifdef TF_DEBUG
    atomic_fetch_add_explicit(&slab->live, n, memory_order_relaxed);
#else
    (void)slab, (void)n;
#endif
}

static size_t slot_bytes(const struct tf_class *cls, uint32_t bucket)
{
    const size_t bytes = cls->size_bytes + ((size_t)SLOT_ALIGN << bucket);

    return (bytes + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
}

static void set_magic(struct tf_object *obj, uint32_t magic)
{
    atomic_store_explicit(&obj->magic, magic, memory_order_relaxed);
}

// Nobody else changes it: an addition in one piece would cost more.
static void count_life(struct tf_object *obj)
{
    const unsigned lives = atomic_load_explicit(&obj->generation, memory_order_relaxed);

    atomic_store_explicit(&obj->generation, lives + 1, memory_order_relaxed);
}

static void push_free(struct tf_slab *slab, struct tf_object *obj)
    TF_REQUIRES(&slab->lock)
{
    const uint32_t b = obj->slab_bucket;

    obj->dead_next = NULL;
    if (slab->tail[b])
        slab->tail[b]->dead_next = obj;
    else
        slab->head[b] = obj;
    slab->tail[b] = obj;
}

static void grow(struct tf_slab *slab, uint32_t bucket, size_t bytes)
    TF_REQUIRES(&slab->lock)
{
    const size_t count = bytes < CHUNK_BYTES ? CHUNK_BYTES / bytes : 1;
    struct chunk *chunk = tf_alloc_forever(SLOT_ALIGN * 2 + count * bytes);
    uintptr_t first;

    if (!chunk)
        return;
    chunk->next = slab->chunks;
    slab->chunks = chunk;
    first = ((uintptr_t)(chunk + 1) + SLOT_ALIGN - 1) / SLOT_ALIGN * SLOT_ALIGN;
    for (size_t i = 0; i < count; i++) {
        struct tf_object *obj = (void *)(first + i * bytes);

        set_magic(obj, TF_MAGIC_DEAD);
        obj->slab_bucket = bucket;
        ASAN_POISON_MEMORY_REGION(obj + 1, bytes - sizeof(*obj));
        push_free(slab, obj);
    }
}

static struct tf_object *take_slot(struct tf_slab *slab, uint32_t bucket, size_t bytes)
{
    struct tf_object *obj;

    tf_lock(&slab->lock);
    if (!slab->head[bucket])
        grow(slab, bucket, bytes);
    obj = slab->head[bucket];
    if (obj) {
        slab->head[bucket] = obj->dead_next;
        if (!slab->head[bucket])
            slab->tail[bucket] = NULL;
    }
    tf_unlock(&slab->lock);
    return obj;
}

static void init_header(struct tf_object *obj, const struct tf_class *cls)
{
    obj->dispatch = dispatch_table;
    obj->disp_data = atomic_load_explicit(&loader_data, memory_order_relaxed);
    obj->cls = cls;
    obj->fork_epoch = atomic_load_explicit(&fork_epoch, memory_order_relaxed);
    obj->ctx = NULL;
    obj->dead_next = NULL;
    atomic_store_explicit(&obj->refs_user, 0, memory_order_relaxed);
    // Release: who takes a reference by a stale handle finds the magic of a dead object.
    atomic_store_explicit(&obj->refs, 1, memory_order_release);
}

void tf_object_init_static(struct tf_object *obj, const struct tf_class *cls)
{
    init_header(obj, cls);
    obj->fork_epoch = EVERY_EPOCH;
    set_magic(obj, cls->magic);
}

void *tf_object_new(const struct tf_class *cls, struct _cl_context *ctx,
                    size_t extra_bytes)
{
    uint32_t bucket = 0;
    struct tf_object *obj;
    size_t bytes;

    while (bucket < BUCKETS && (size_t)SLOT_ALIGN << bucket < extra_bytes)
        bucket++;
    if (bucket == BUCKETS || !tf_alloc_allowed())
        return NULL;
    bytes = slot_bytes(cls, bucket);
    obj = take_slot(cls->slab, bucket, bytes);
    if (!obj)
        return NULL;
    ASAN_UNPOISON_MEMORY_REGION(obj + 1, bytes - sizeof(*obj));
    memset(obj + 1, 0, cls->size_bytes - sizeof(*obj) + extra_bytes);
    count_life(obj);
    init_header(obj, cls);
    obj->ctx = tf_ref(ctx);
    count_live(cls->slab, 1);
    return obj;
}

void *tf_give_user(void *p)
{
    struct tf_object *obj = p;

    assert(atomic_load(&obj->refs_user) == 0);
    atomic_store_explicit(&obj->refs_user, 1, memory_order_relaxed);
    // Release: who finds the magic finds the object complete.
    atomic_store_explicit(&obj->magic, obj->cls->magic, memory_order_release);
    return obj;
}

// Relaxed: who takes a reference has one already, or has the handle from somebody who
// has.
void *tf_ref(void *p)
{
    struct tf_object *obj = p;

    if (obj) {
        unsigned old = atomic_fetch_add_explicit(&obj->refs, 1, memory_order_relaxed);

        assert(old > 0);
        (void)old;
    }
    return obj;
}

static void free_dead(struct tf_object *obj)
{
    const struct tf_class *cls = obj->cls;
    struct _cl_context *ctx;

    cls->destroy(obj);
    ctx = obj->ctx; // destroy clears it where the reference is borrowed
    set_magic(obj, TF_MAGIC_DEAD);
    ASAN_POISON_MEMORY_REGION(obj + 1, slot_bytes(cls, obj->slab_bucket) - sizeof(*obj));
    count_live(cls->slab, -1);
    tf_lock(&cls->slab->lock);
    push_free(cls->slab, obj);
    tf_unlock(&cls->slab->lock);
    tf_unref(ctx);
}

// Objects of this thread whose last reference is gone. A destroy function that drops
// another last reference only adds to the list: the stack does not grow with the chain.
static TF_THREAD_LOCAL struct {
    struct tf_object *first;
    bool busy;
} dying;

static void drop_refs(struct tf_object *obj, unsigned count)
{
    // Release: our writes come before the destruction. Acquire: it sees those of others.
    if (atomic_fetch_sub_explicit(&obj->refs, count, memory_order_acq_rel) != count)
        return;
    tf_assert_no_locks();
    obj->dead_next = dying.first;
    dying.first = obj;
    if (dying.busy)
        return;
    dying.busy = true;
    while ((obj = dying.first)) {
        dying.first = obj->dead_next;
        free_dead(obj);
    }
    dying.busy = false;
}

void tf_unref(void *p)
{
    if (p)
        drop_refs(p, 1);
}

void tf_ref_times(void *p, unsigned times)
{
    struct tf_object *obj = p;

    atomic_fetch_add_explicit(&obj->refs, times, memory_order_relaxed);
}

void tf_unref_times(void *p, unsigned times)
{
    if (p)
        drop_refs(p, times);
}

bool tf_object_ok(const void *handle, const struct tf_class *cls)
{
    const struct tf_object *obj = handle;

    return obj && atomic_load_explicit(&obj->magic, memory_order_relaxed) == cls->magic &&
           atomic_load_explicit(&obj->refs, memory_order_relaxed) > 0;
}

// Between the look and the reference the object may have died, its memory may even be
// that of another one, half built: only with a reference the magic says what it is.
bool tf_object_take(void *handle, const struct tf_class *cls)
{
    struct tf_object *obj = handle;

    if (!tf_object_ok(obj, cls) || !tf_ref_if_alive(obj))
        return false;
    if (atomic_load_explicit(&obj->magic, memory_order_acquire) == cls->magic)
        return true;
    tf_unref(obj);
    return false;
}

bool tf_object_before_fork(const void *p)
{
    const struct tf_object *obj = p;

    return obj->fork_epoch != atomic_load_explicit(&fork_epoch, memory_order_relaxed) &&
           obj->fork_epoch != EVERY_EPOCH;
}

cl_uint tf_object_user_refs(const void *p)
{
    const struct tf_object *obj = p;

    return atomic_load_explicit(&obj->refs_user, memory_order_relaxed);
}

bool tf_ref_if_alive(void *p)
{
    struct tf_object *obj = p;
    unsigned refs = atomic_load(&obj->refs);

    while (refs > 0)
        if (atomic_compare_exchange_weak(&obj->refs, &refs, refs + 1))
            return true;
    return false;
}

cl_int tf_object_retain(struct tf_err *err, void *handle, const struct tf_class *cls)
{
    struct tf_object *obj = handle;
    cl_int code = CL_SUCCESS;

    if (!tf_object_take(obj, cls))
        return tf_fail(err, cls->invalid, "not a live %s", cls->name);
    // The user's first reference again (the application got the handle from a query after
    // its last release) makes the user an owner again: of the reference just taken.
    if (tf_object_before_fork(obj))
        code = tf_fail(err, CL_OUT_OF_RESOURCES, "%s of the parent process", cls->name);
    else if (atomic_fetch_add(&obj->refs_user, 1) == 0)
        return CL_SUCCESS;
    tf_unref(obj);
    return code;
}

// One handle less. False if the user has none.
static bool release(struct tf_object *obj, bool *is_last)
{
    unsigned users = atomic_load(&obj->refs_user);

    do {
        if (users == 0)
            return false;
    } while (!atomic_compare_exchange_weak(&obj->refs_user, &users, users - 1));
    *is_last = users == 1;
    return true;
}

cl_int tf_object_release(struct tf_err *err, void *handle, const struct tf_class *cls)
{
    cl_int code = CL_SUCCESS;
    bool is_last = false;

    if (!tf_object_take(handle, cls))
        return tf_fail(err, cls->invalid, "not a live %s", cls->name);
    if (!tf_object_before_fork(handle) && !release(handle, &is_last))
        code =
            tf_fail(err, cls->invalid, "%s released more often than retained", cls->name);
    drop_refs(handle, is_last ? 2 : 1); // the last handle is the user's as an owner
    return code;
}

void tf_object_set_dispatch(const struct tf_dispatch *dispatch)
{
    dispatch_table = dispatch;
}

void tf_object_set_disp_data(void *disp_data)
{
    atomic_store_explicit(&loader_data, disp_data, memory_order_relaxed);
}

void tf_object_keep(void *p)
{
    struct tf_object *obj = p;

    obj->fork_epoch = EVERY_EPOCH;
    count_live(obj->cls->slab, -1);
}

long tf_object_live(void)
{
    long n = 0;

    for (size_t i = 0; i < sizeof(slabs) / sizeof(slabs[0]); i++)
        n += atomic_load(&slabs[i]->live);
    return n;
}

// Free lists may have been half changed: forget them; the slots in them are lost.
void tf_object_forked(void) TF_NO_TSA
{
    atomic_fetch_add(&fork_epoch, 1);
    for (size_t i = 0; i < sizeof(slabs) / sizeof(slabs[0]); i++) {
        tf_mutex_init(&slabs[i]->lock, TF_RANK_LEAF);
        memset(slabs[i]->head, 0, sizeof(slabs[i]->head));
        memset(slabs[i]->tail, 0, sizeof(slabs[i]->tail));
    }
}
