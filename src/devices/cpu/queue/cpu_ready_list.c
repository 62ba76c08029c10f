// SPDX-License-Identifier: MIT
#include "devices/cpu/queue/cpu_ready_list.h"

void tf_ready_list_init(struct tf_ready_list *list) TF_NO_TSA
{
    tf_mutex_init(&list->lock, TF_RANK_LEAF);
    list->top = NULL;
    atomic_init(&list->count, 0);
}

void tf_ready_list_finish(struct tf_ready_list *list)
{
    tf_mutex_finish(&list->lock);
}

void tf_ready_list_push(struct tf_ready_list *list, struct tf_ready_node *first,
                        struct tf_ready_node *last, unsigned count)
{
    tf_lock(&list->lock);
    last->below = list->top;
    list->top = first;
    atomic_fetch_add(&list->count, count);
    tf_unlock(&list->lock);
}

struct tf_ready_node *tf_ready_list_pop(struct tf_ready_list *list)
{
    struct tf_ready_node *node;

    if (tf_ready_list_count(list) == 0)
        return NULL;
    tf_lock(&list->lock);
    node = list->top;
    if (node) {
        list->top = node->below;
        atomic_fetch_sub(&list->count, 1);
    }
    tf_unlock(&list->lock);
    return node;
}
