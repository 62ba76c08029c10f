// SPDX-License-Identifier: MIT
#include "base/addr_tree.h"

#include "base/hash.h"

// Parts a tree into what lies below `start` and what lies above.
static void split(struct tf_addr_node *tree, uintptr_t start, struct tf_addr_node **low,
                  struct tf_addr_node **high)
{
    while (tree) {
        struct tf_addr_node *const top = tree;

        if (top->start < start) {
            tree = top->child[1];
            *low = top;
            low = &top->child[1];
        } else {
            tree = top->child[0];
            *high = top;
            high = &top->child[0];
        }
    }
    *low = *high = NULL;
}

// Stores at `link` the tree of both; every range of `low` lies below those of `high`.
static void join(struct tf_addr_node **link, struct tf_addr_node *low,
                 struct tf_addr_node *high)
{
    while (low && high) {
        if (low->rank > high->rank) {
            *link = low;
            link = &low->child[1];
            low = low->child[1];
        } else {
            *link = high;
            link = &high->child[0];
            high = high->child[0];
        }
    }
    *link = low ? low : high;
}

void tf_addr_insert(struct tf_addr_node **root, struct tf_addr_node *node)
{
    struct tf_addr_node **link = root;

    node->rank = tf_hash_bytes(&node->start, sizeof(node->start), 0).lo;
    while (*link && (*link)->rank > node->rank)
        link = &(*link)->child[(*link)->start < node->start];
    split(*link, node->start, &node->child[0], &node->child[1]);
    *link = node;
}

struct tf_addr_node *tf_addr_remove(struct tf_addr_node **root, uintptr_t start)
{
    struct tf_addr_node **link = root, *node;

    while (*link && (*link)->start != start)
        link = &(*link)->child[(*link)->start < start];
    node = *link;
    if (node)
        join(link, node->child[0], node->child[1]);
    return node;
}

struct tf_addr_node *tf_addr_find(struct tf_addr_node *root, uintptr_t address)
{
    struct tf_addr_node *below = NULL; // the last range that begins at or below `address`

    while (root) {
        if (root->start <= address)
            below = root;
        root = root->child[root->start <= address];
    }
    return below && address - below->start < below->bytes ? below : NULL;
}
