// SPDX-License-Identifier: MIT
// Ranges of addresses that do not overlap, found by any address inside of one. A treap:
// a search tree by address and a heap by a number computed from the address, so that its
// depth is logarithmic whatever the order of the calls. Nodes lie in what they describe:
// nothing here allocates or fails. No lock of its own.
#ifndef TF_BASE_ADDR_TREE_H
#define TF_BASE_ADDR_TREE_H

#include <stddef.h>
#include <stdint.h>

struct tf_addr_node {
    struct tf_addr_node *child[2]; // below and above `start`
    uintptr_t start;
    size_t bytes;  // > 0
    uint64_t rank; // set by tf_addr_insert(): the larger one is nearer to the root
};

// `node` has start and bytes, which overlap no range of the tree.
void tf_addr_insert(struct tf_addr_node **root, struct tf_addr_node *node);

// Takes out the range that begins at `start`; NULL if there is none.
struct tf_addr_node *tf_addr_remove(struct tf_addr_node **root, uintptr_t start);

// The range that `address` lies in, or NULL.
struct tf_addr_node *tf_addr_find(struct tf_addr_node *root, uintptr_t address);

#endif // TF_BASE_ADDR_TREE_H
