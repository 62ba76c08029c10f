// SPDX-License-Identifier: MIT
#include "devices/cpu/queue/cpu_ready.h"

enum { MOST_STOLEN = 16 };

void tf_ready_init(struct tf_ready *ready) TF_NO_TSA
{
    tf_mutex_init(&ready->lock, TF_RANK_LEAF);
    ready->top = ready->bottom = NULL;
    atomic_init(&ready->count, 0);
}

void tf_ready_finish(struct tf_ready *ready)
{
    tf_mutex_finish(&ready->lock);
}

void tf_ready_push(struct tf_ready *ready, struct tf_ready_node *first,
                   struct tf_ready_node *last, unsigned count)
{
    first->above = NULL;
    for (struct tf_ready_node *n = first; n != last; n = n->below)
        n->below->above = n;
    tf_lock(&ready->lock);
    last->below = ready->top;
    if (ready->top)
        ready->top->above = last;
    else
        ready->bottom = last;
    ready->top = first;
    atomic_fetch_add(&ready->count, count);
    tf_unlock(&ready->lock);
}

// What is no longer there need not be seen at once.
static void lower(struct tf_ready *ready, unsigned count) TF_REQUIRES(&ready->lock)
{
    const unsigned before = atomic_load_explicit(&ready->count, memory_order_relaxed);

    atomic_store_explicit(&ready->count, before - count, memory_order_relaxed);
}

struct tf_ready_node *tf_ready_pop(struct tf_ready *ready)
{
    struct tf_ready_node *node;

    if (tf_ready_count(ready) == 0)
        return NULL;
    tf_lock(&ready->lock);
    node = ready->top;
    if (node) {
        ready->top = node->below;
        if (ready->top)
            ready->top->above = NULL;
        else
            ready->bottom = NULL;
        lower(ready, 1);
    }
    tf_unlock(&ready->lock);
    return node;
}

// Cuts the lowest off. Returns the top of what was cut off; *count: 0 where there is
// none.
static struct tf_ready_node *cut(struct tf_ready *ready, struct tf_ready_node **last,
                                 unsigned *count)
{
    struct tf_ready_node *first;

    tf_lock(&ready->lock);
    first = *last = ready->bottom;
    *count = (tf_ready_count(ready) + 1) / 2;
    if (*count > MOST_STOLEN)
        *count = MOST_STOLEN;
    for (unsigned i = 1; i < *count; i++)
        first = first->above;
    if (first) {
        ready->bottom = first->above;
        if (ready->bottom)
            ready->bottom->below = NULL;
        else
            ready->top = NULL;
        lower(ready, *count);
    }
    tf_unlock(&ready->lock);
    return first;
}

struct tf_ready_node *tf_ready_steal(struct tf_ready *from, struct tf_ready *to)
{
    struct tf_ready_node *first, *last;
    unsigned count;

    if (tf_ready_count(from) == 0)
        return NULL;
    first = cut(from, &last, &count);
    if (count > 1)
        tf_ready_push(to, first->below, last, count - 1);
    return first;
}
