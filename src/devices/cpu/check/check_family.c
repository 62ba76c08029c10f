// SPDX-License-Identifier: MIT
#include "devices/cpu/check/check_family.h"

#include <stdatomic.h>
#include <string.h>

#include "abi/enqueue_record.h"
#include "base/alloc.h"
#include "base/thread.h"
#include "devices/cpu/program/cpu_program.h"

enum {
    CHUNK = 256,
    BUCKETS = 256,
    MOST_VISITS = 4096, // beyond them order is taken for granted
    NONE = TF_CHECK_LAUNCHES,
};

enum { NO_WAIT, WAIT_KERNEL, WAIT_WORK_GROUP }; // CLK_ENQUEUE_FLAGS_*

// A launch, a marker or a user event.
struct member {
    // The launch whose work-item made it, or ended the user event; NONE. Stored behind
    // the point: it may be asked for while an event is ended.
    _Atomic uint32_t by;
    uint32_t flags;
    struct tf_check_point point; // where that was
    uint32_t wait_count;
    uint32_t *waits; // numbers of what it waits for; owned
    uint64_t event;  // 0: none
    uint32_t next;   // with an event of the same bucket
    _Atomic(const struct tf_check_table *) table;
    uint64_t group_count[3], local_size[3];
    // Of tf_check_comes_before(): who has been seen, who has the access under it.
    uint64_t seen, above;
};

struct tf_check_family {
    uint64_t since;
    struct tf_mutex lock; // of what is added
    atomic_uint count;
    _Atomic(struct member *) chunks[TF_CHECK_LAUNCHES / CHUNK];
    uint32_t buckets[BUCKETS] TF_GUARDED_BY(&lock);
    uint64_t questions;
    uint32_t visits[MOST_VISITS]; // numbers of members, as they were found
};

static struct member *member_at(const struct tf_check_family *f, uint32_t number)
{
    struct member *chunk;

    if (number >= atomic_load_explicit(&f->count, memory_order_acquire))
        return NULL;
    chunk = atomic_load_explicit(&f->chunks[number / CHUNK], memory_order_acquire);
    return &chunk[number % CHUNK];
}

static uint32_t by_of(const struct member *m)
{
    return atomic_load_explicit(&m->by, memory_order_acquire);
}

static void set_by(struct member *m, uint32_t by)
{
    atomic_store_explicit(&m->by, by, memory_order_release);
}

// Before it is counted only its maker knows it. NONE: there is no room.
static uint32_t add(struct tf_check_family *f, struct member **out) TF_REQUIRES(&f->lock)
{
    const uint32_t number = atomic_load_explicit(&f->count, memory_order_relaxed);
    struct member *chunk;

    if (number == TF_CHECK_LAUNCHES)
        return NONE;
    chunk = atomic_load_explicit(&f->chunks[number / CHUNK], memory_order_relaxed);
    if (!chunk) {
        chunk = tf_zalloc(CHUNK * sizeof(*chunk));
        if (!chunk)
            return NONE;
        atomic_store_explicit(&f->chunks[number / CHUNK], chunk, memory_order_release);
    }
    *out = &chunk[number % CHUNK];
    return number;
}

static uint32_t *bucket_of(struct tf_check_family *f, uint64_t event)
    TF_REQUIRES(&f->lock)
{
    return &f->buckets[(event * 0x9e3779b97f4a7c15u) >> 56];
}

// The buckets count from 1 on.
static uint32_t find_event(struct tf_check_family *f, uint64_t event)
    TF_REQUIRES(&f->lock)
{
    uint32_t number = *bucket_of(f, event);

    while (number && member_at(f, number - 1)->event != event)
        number = member_at(f, number - 1)->next;
    return number ? number - 1 : NONE;
}

static void add_waits(struct tf_check_family *f, struct member *m,
                      const struct tf_enqueue_record *record) TF_REQUIRES(&f->lock)
{
    const uint64_t *events = (const uint64_t *)(uintptr_t)record->waits;

    m->waits =
        record->wait_count ? tf_zalloc(record->wait_count * sizeof(uint32_t)) : NULL;
    for (uint32_t i = 0; m->waits && i < record->wait_count; i++) {
        const uint32_t number = find_event(f, events[i]);

        if (number != NONE) // others are of other families
            m->waits[m->wait_count++] = number;
    }
}

struct tf_check_family *tf_check_family_new(const struct tf_command_kernel *k)
{
    const bool is_checked = k->program->infos[k->kernel_index].flags & TF_KERNEL_CHECKED;
    struct tf_check_family *f = is_checked ? tf_zalloc(sizeof(*f)) : NULL;

    if (!f)
        return NULL;
    tf_mutex_init(&f->lock, TF_RANK_LEAF);
    f->since = tf_check_tick();
    tf_check_enqueued(f, NULL, NONE, NULL, 0); // the first has number 0
    return f;
}

void tf_check_family_free(struct tf_check_family *f)
{
    const uint32_t count = f ? atomic_load(&f->count) : 0;

    if (!f)
        return;
    for (uint32_t i = 0; i < count; i++)
        tf_free(member_at(f, i)->waits);
    for (uint32_t i = 0; i < TF_CHECK_LAUNCHES / CHUNK; i++)
        tf_free(atomic_load(&f->chunks[i]));
    tf_mutex_finish(&f->lock);
    tf_free(f);
}

uint32_t tf_check_enqueued(struct tf_check_family *f, const struct tf_check_thread *own,
                           uint32_t by, const struct tf_enqueue_record *record,
                           uint64_t event)
{
    const bool is_user_event = record && record->op == TF_ENQUEUE_USER_EVENT;
    struct member *m = NULL;
    uint32_t number, *bucket;

    if (!f)
        return NONE;
    tf_lock(&f->lock);
    number = add(f, &m);
    if (m) {
        m->event = event;
        if (own)
            m->point = own->point;
        set_by(m, is_user_event ? NONE : by); // of those, until they are ended
        if (record && record->op == TF_ENQUEUE_KERNEL)
            m->flags = record->flags;
        if (record && !is_user_event)
            add_waits(f, m, record);
        if (event) {
            bucket = bucket_of(f, event);
            m->next = *bucket;
            *bucket = number + 1;
        }
        atomic_store_explicit(&f->count, number + 1, memory_order_release);
    }
    tf_unlock(&f->lock);
    return number;
}

void tf_check_event_set(struct tf_check_family *f, const struct tf_check_thread *own,
                        uint32_t by, uint64_t event)
{
    struct member *m;

    if (!f || !own)
        return;
    tf_lock(&f->lock);
    m = member_at(f, find_event(f, event));
    if (m && by_of(m) == NONE) { // the first call counts
        m->point = own->point;
        set_by(m, by);
    }
    tf_unlock(&f->lock);
}

uint64_t tf_check_family_join(struct tf_check_family *family, uint32_t number,
                              const struct tf_command_kernel *k)
{
    struct member *m = member_at(family, number);

    if (!m)
        return 0;
    for (int d = 0; d < 3; d++) {
        m->local_size[d] = k->local_size[d];
        m->group_count[d] = (k->global_size[d] + k->local_size[d] - 1) / k->local_size[d];
    }
    return family->since;
}

// ---- Messages ----

struct tf_check_member tf_check_member(const struct tf_check_family *family,
                                       uint32_t number)
{
    const struct member *m = member_at(family, number);
    struct tf_check_member out = {0};

    if (!m)
        return out;
    out.table = atomic_load(&m->table);
    memcpy(out.group_count, m->group_count, sizeof(out.group_count));
    memcpy(out.local_size, m->local_size, sizeof(out.local_size));
    return out;
}

void tf_check_family_begin(struct tf_check_question *q)
{
    if (q->family)
        atomic_store_explicit(&member_at(q->family, q->number)->table, q->item->table,
                              memory_order_release);
}

void tf_check_ids(const struct tf_check_question *q, struct tf_check_point *at)
{
    for (int d = 0; d < 3; d++) {
        at->local_id[d] = q->item->local_id[d];
        at->group_id[d] = q->item->group->group_id[d];
        at->global_id[d] = q->item->group->global_base[d] + at->local_id[d];
    }
}

bool tf_check_parent(const struct tf_check_question *q,
                     const struct tf_check_table **table, struct tf_check_point *at)
{
    const struct member *m = q->family ? member_at(q->family, q->number) : NULL;
    const struct member *by = m ? member_at(q->family, by_of(m)) : NULL;

    if (!by || !m->point.is_known)
        return false;
    *table = atomic_load_explicit(&by->table, memory_order_acquire);
    *at = m->point;
    return *table;
}

void tf_check_point(struct tf_check_question *q)
{
    const struct tf_check_state *state = tf_check_state(q->item);
    struct tf_check_point *at = &q->own->point;

    *at = (struct tf_check_point){
        .is_known = true,
        .group = (uint32_t)tf_check_group_number(q),
        .item = (uint32_t)tf_check_item_number(q->item),
        .site = (uint32_t)(q->site - tf_check_sites(q->item->table)),
        .time = tf_check_time(q, true),
        .group_time = state->global_time,
        .sync = state->sync,
    };
    tf_check_ids(q, at);
}

// ---- Order ----

// Whether the access comes before what was made at the member's point, or before what
// its flag waits for.
static bool is_before_point(const struct member *m, const struct tf_check_mark *mark)
{
    const struct tf_check_point *at = &m->point;
    const uint32_t by = by_of(m);

    if (by == NONE)
        return false;
    if (!at->is_known)
        return true;
    if (mark->time < at->sync)
        return true;
    if (mark->launch != by)
        return false;
    if (m->flags == WAIT_KERNEL || mark->group != at->group)
        return m->flags == WAIT_KERNEL;
    return m->flags == WAIT_WORK_GROUP || mark->time < at->group_time ||
           (mark->item == at->item && mark->time < at->time);
}

// Puts what comes before the member on the list. True: the access is in it.
static bool visit(struct tf_check_family *f, struct member *m, uint32_t *count)
{
    for (uint32_t i = 0; i <= m->wait_count; i++) {
        const uint32_t number = i < m->wait_count ? m->waits[i] : by_of(m);
        struct member *next = member_at(f, number);

        if (!next)
            continue;
        // An event ends when all has that its launch has enqueued.
        if (i < m->wait_count && next->above == f->questions)
            return true;
        if (next->seen == f->questions || *count == MOST_VISITS)
            continue;
        next->seen = f->questions;
        f->visits[(*count)++] = number;
    }
    return false;
}

bool tf_check_comes_before(const struct tf_check_family *family,
                           const struct tf_check_mark *mark, uint32_t number)
{
    struct tf_check_family *f = (struct tf_check_family *)family;
    uint32_t count = 1;
    struct member *m;

    f->questions++;
    f->visits[0] = number;
    for (m = member_at(f, mark->launch); m; m = member_at(f, by_of(m)))
        m->above = f->questions;
    for (uint32_t i = 0; i < count; i++) {
        m = member_at(f, f->visits[i]);
        if (m && (is_before_point(m, mark) || visit(f, m, &count)))
            return true;
    }
    return count == MOST_VISITS;
}
