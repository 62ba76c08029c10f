// SPDX-License-Identifier: MIT
#include "devices/cpu/check/check_race.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/thread.h"
#include "devices/cpu/check/check_family.h"
#include "devices/cpu/check/check_group.h"
#include "devices/cpu/check/check_shadow.h"

// Of all memory but local: all launches of the process have it together.
static struct tf_mutex lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF);
static struct tf_check_shadow shadow TF_GUARDED_BY(&lock);

// The access that is looked at.
struct now {
    struct tf_check_question *q;
    const struct tf_check_state *state;
    struct tf_check_mark mark;
    uint64_t owner;
    uint32_t group_time; // of the barrier before which all of the group is done
    bool reads, writes;
    // A race that was found, with the first of them.
    bool found, with_write;
    struct tf_check_mark other;
};

// Whether `mark` comes before what the work-item does now.
static bool is_before(const struct now *n, const struct tf_check_mark *mark)
{
    if (!mark->time || mark->time < n->state->sync)
        return true;
    if (mark->launch != n->mark.launch)
        return !n->q->family || tf_check_comes_before(n->q->family, mark, n->mark.launch);
    if (mark->group != n->mark.group)
        return false;
    return mark->item == n->mark.item || mark->time < n->group_time;
}

static void look(struct now *n, const struct tf_check_mark *mark, bool is_write)
{
    if (n->found || is_before(n, mark) || (mark->is_atomic && n->mark.is_atomic))
        return;
    n->found = true;
    n->with_write = is_write;
    n->other = *mark;
}

// Of several work-items that read, two are kept: a write of anybody else is a race with
// one of them.
static void keep_read(const struct now *n, struct tf_check_cell *cell)
{
    for (int i = 0; i < 2; i++) {
        const struct tf_check_mark *r = &cell->reads[i];

        if (r->launch == n->mark.launch && r->group == n->mark.group &&
            r->item == n->mark.item) {
            cell->reads[i] = n->mark;
            return;
        }
    }
    for (int i = 0; i < 2; i++) {
        if (is_before(n, &cell->reads[i])) {
            cell->reads[i] = n->mark;
            return;
        }
    }
}

static void look_at_cell(struct now *n, struct tf_check_cell *cell)
{
    if (cell->owner != n->owner) {
        memset(cell, 0, sizeof(*cell));
        cell->owner = n->owner;
    }
    look(n, &cell->write, true);
    if (n->writes) {
        look(n, &cell->reads[0], false);
        look(n, &cell->reads[1], false);
        cell->write = n->mark;
        if (!n->mark.is_atomic)
            memset(cell->reads, 0, sizeof(cell->reads));
    }
    if (n->reads && !n->writes)
        keep_read(n, cell);
}

// What an atomic operation gives to those who come later, and takes of those before.
static void exchange(struct now *n, struct tf_check_cell *cell)
{
    struct tf_check_state *state = tf_check_state(n->q->item);
    const uint8_t flags = n->q->site->flags;

    if (n->reads && cell->released > state->may_sync)
        state->may_sync = cell->released;
    if (n->reads && flags & TF_CHECK_ACQUIRE && cell->released > state->sync)
        state->sync = cell->released;
    if (!n->writes)
        return;
    if (flags & TF_CHECK_RELEASE)
        state->released = tf_check_time(n->q, true);
    if (state->released > cell->released)
        cell->released = state->released;
}

static void look_at_all(struct now *n, struct tf_check_shadow *of)
{
    const uint64_t end = n->q->address + n->q->bytes;
    uint64_t at = n->q->address, next;

    while (at < end) {
        struct tf_check_cell *cell = tf_check_shadow_cell(of, at, end - at, &next);

        if (!cell)
            return;
        look_at_cell(n, cell);
        if (n->mark.is_atomic)
            exchange(n, cell);
        at = next;
    }
}

static const char *act_of(const struct tf_check_site *site)
{
    return site->op == TF_CHECK_READ    ? "read"
           : site->op == TF_CHECK_WRITE ? "write"
                                        : "atomic operation";
}

static void tell(const struct now *n, bool is_local)
{
    struct tf_check_question *q = n->q;
    const bool is_alone = n->other.launch == n->mark.launch;
    struct tf_check_member of = {.table = q->item->table};
    const struct tf_check_site *other;
    const uint64_t *size = q->item->group->local_size;
    char what[160], where[400], kernel[120] = "";
    uint64_t group[3];

    if (!is_alone)
        of = tf_check_member(q->family, n->other.launch);
    if (!of.table || !tf_check_is_new(q, "race", tf_check_place(of.table, n->other.site)))
        return;
    other = &tf_check_sites(of.table)[n->other.site];
    if (is_alone)
        memcpy(of.group_count, q->launch->group_count, sizeof(of.group_count));
    group[0] = n->other.group % of.group_count[0];
    group[1] = n->other.group / of.group_count[0] % of.group_count[1];
    group[2] = n->other.group / of.group_count[0] / of.group_count[1];
    snprintf(what, sizeof(what), "%s of %" PRIu64 " bytes of %s memory races with a %s",
             act_of(q->site), q->bytes, is_local ? "local" : "global", act_of(other));
    // Groups at the edge of the range are smaller, others as large as this one.
    if (is_alone && n->other.group != n->mark.group)
        size = q->launch->local_size;
    if (!is_alone) {
        size = of.local_size;
        snprintf(kernel, sizeof(kernel), " of %skernel %.80s",
                 of.table == q->item->table ? "another launch of " : "",
                 tf_check_text(of.table, of.table->kernel));
    }
    snprintf(where, sizeof(where),
             "at %s:%u:%u by work-item (%" PRIu64 ", %" PRIu64 ", %" PRIu64
             ") of group (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")%s",
             tf_check_text(of.table, other->file), other->line, other->column,
             n->other.item % size[0], n->other.item / size[0] % size[1],
             n->other.item / size[0] / size[1], group[0], group[1], group[2], kernel);
    tf_check_tell(q, "race", what, where);
}

static bool lies_in_local(const struct tf_check_question *q)
{
    return q->address - (uintptr_t)q->worker->local < q->worker->local_bytes;
}

static bool is_private(const struct tf_check_question *q)
{
    const struct tf_worker *w = q->worker;
    const uint64_t low = (uintptr_t)w->stack_limit, end = (uintptr_t)w->stack_end;

    return q->address - low < end - low ||
           q->address - (uintptr_t)w->scratch < w->scratch_bytes;
}

// Who writes what is there already changes nothing: work-items often say the same in one
// place.
static bool changes_nothing(const struct tf_check_question *q)
{
    return q->site->flags & TF_CHECK_HAS_VALUE && !(q->site->flags & TF_CHECK_ATOMIC) &&
           q->bytes <= sizeof(q->value) &&
           !memcmp((const void *)(uintptr_t)q->address, &q->value, (size_t)q->bytes);
}

void tf_check_race(struct tf_check_question *q)
{
    const struct tf_check_group *group = &q->own->group;
    const struct tf_check_state *state = tf_check_state(q->item);
    const bool is_local = lies_in_local(q);
    struct now n = {
        .q = q,
        .state = state,
        .mark = {.time = tf_check_time(q, false),
                 .group = group->number,
                 .site =
                     (uint32_t)(q->site - tf_check_sites(q->item->table)) & 0x7fffffffu,
                 .item = (uint16_t)tf_check_item_number(q->item),
                 .launch = (uint16_t)q->number,
                 .is_atomic =
                     q->site->flags & TF_CHECK_ATOMIC || q->site->op == TF_CHECK_UPDATE},
        .owner = is_local ? group->stamp : q->since,
        .group_time = is_local ? state->local_time : state->global_time,
        .reads = q->site->op != TF_CHECK_WRITE,
        .writes = q->site->op != TF_CHECK_READ,
    };

    if (!q->since || q->bytes == 0 || q->site->space == 0 || q->site->space == 2 ||
        (!is_local && is_private(q)) || changes_nothing(q))
        return;
    if (is_local) {
        look_at_all(&n, &q->own->local);
    } else {
        tf_lock(&lock);
        look_at_all(&n, &shadow);
        tf_unlock(&lock);
    }
    if (n.found)
        tell(&n, is_local);
}

void tf_check_fence(struct tf_check_question *q)
{
    struct tf_check_state *state = tf_check_state(q->item);

    if (q->site->flags & TF_CHECK_ACQUIRE && state->may_sync > state->sync)
        state->sync = state->may_sync;
    if (q->site->flags & TF_CHECK_RELEASE)
        state->released = tf_check_time(q, true);
}

void tf_check_race_forked(void) TF_NO_TSA
{
    // The parent's cells may be half-changed, and are dropped.
    tf_mutex_init(&lock, TF_RANK_LEAF);
    memset(&shadow, 0, sizeof(shadow));
}
