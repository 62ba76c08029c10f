// SPDX-License-Identifier: MIT
#include "devices/cpu/check/check_group.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/alloc.h"
#include "devices/cpu/check/check_value.h"

_Static_assert(sizeof(struct tf_check_state) <= sizeof(((struct tf_check_item *)0)->rest),
               "the rest of the record");

static bool has_room(struct tf_check_group *group, size_t size)
{
    if (size > group->room) {
        struct tf_check_item **items =
            tf_realloc(group->items, size * sizeof(struct tf_check_item *));

        if (!items)
            return false;
        group->items = items;
        group->room = size;
    }
    return true;
}

static void new_group(struct tf_check_question *q, uint32_t number)
{
    struct tf_check_group *group = &q->own->group;
    const uint64_t *local = q->item->group->local_size;
    const size_t size = (size_t)(local[0] * local[1] * local[2]);

    group->size = has_room(group, size) ? size : 0;
    if (group->size > 0)
        memset(group->items, 0, group->size * sizeof(struct tf_check_item *));
    group->since = q->since;
    group->stamp = tf_check_tick();
    group->number = number;
    group->launch = q->number;
    group->told = false;
    group->round = group->time = group->sync = 0;
    tf_check_local_begin(q);
}

void tf_check_group_begin(struct tf_check_question *q)
{
    struct tf_check_group *group = &q->own->group;
    const uint32_t number = (uint32_t)tf_check_group_number(q);
    const size_t place = tf_check_item_number(q->item);

    // The same work-item again: it is another replay of the launch.
    if (!group->stamp || group->since != q->since || group->number != number ||
        group->launch != q->number || (place < group->size && group->items[place]))
        new_group(q, number);
    if (place < group->size)
        group->items[place] = q->item;
}

// The record lies on the stack of the work-item, which others may look at later.
static struct tf_check_item *const has_ended = (struct tf_check_item *)-1;

void tf_check_group_end(struct tf_check_question *q)
{
    struct tf_check_group *group = &q->own->group;
    const size_t place = tf_check_item_number(q->item);

    if (place < group->size)
        group->items[place] = has_ended;
}

void tf_check_barrier(struct tf_check_question *q)
{
    struct tf_check_group *group = &q->own->group;
    struct tf_check_state *state = tf_check_state(q->item);

    state->barriers++;
    state->barrier_site = (uint32_t)(q->site - tf_check_sites(q->item->table));
    if (state->sync > group->sync)
        group->sync = state->sync;
}

static void tell_apart(struct tf_check_question *q, size_t other, const char *how)
{
    const uint64_t *size = q->item->group->local_size;
    char where[240];

    q->own->group.told = true;
    if (!tf_check_is_new(q, "divergence", 0))
        return;
    snprintf(where, sizeof(where),
             "work-item (%" PRIu64 ", %" PRIu64 ", %" PRIu64 ") of the group %s",
             other % size[0], other / size[0] % size[1], other / size[0] / size[1], how);
    tf_check_tell(q, "divergence",
                  "not all work-items of the group come to the same barrier", where);
}

// The first to go on: all others have to be at the barrier.
static void look_round(struct tf_check_question *q)
{
    const struct tf_check_group *group = &q->own->group;
    const struct tf_check_state *mine = tf_check_state(q->item);
    const struct tf_check_site *sites = tf_check_sites(q->item->table);

    for (size_t i = 0; i < group->size && !group->told; i++) {
        const struct tf_check_state *state;
        char how[120];

        if (!group->items[i])
            continue; // it was not begun: the launch is given up
        if (group->items[i] == has_ended) {
            tell_apart(q, i, "has ended");
            return;
        }
        state = tf_check_state(group->items[i]);
        if (state->barrier_site == mine->barrier_site &&
            state->barriers == mine->barriers)
            continue;
        if (state->barriers < mine->barriers)
            snprintf(how, sizeof(how), "has not come to it");
        else
            snprintf(how, sizeof(how), "is at the one in line %u",
                     sites[state->barrier_site].line);
        tell_apart(q, i, how);
    }
}

void tf_check_barrier_left(struct tf_check_question *q)
{
    enum { LOCAL = 1, GLOBAL = 2 };
    struct tf_check_group *group = &q->own->group;
    struct tf_check_state *state = tf_check_state(q->item);
    const uint32_t flags = state->flags ? state->flags : LOCAL | GLOBAL;

    state->flags = 0;
    if (state->barriers > group->round) {
        group->round = state->barriers;
        group->time = tf_check_time(q, true);
        if (q->item->table->modes & TF_CHECK_DIVERGENCE && !group->told)
            look_round(q);
    }
    if (flags & LOCAL)
        state->local_time = group->time;
    if (flags & GLOBAL)
        state->global_time = group->time;
    if (group->sync > state->sync)
        state->sync = group->sync;
}

void tf_check_group_finish(struct tf_check_group *group)
{
    tf_free(group->items);
}
