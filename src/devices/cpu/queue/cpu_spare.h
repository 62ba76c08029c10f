// SPDX-License-Identifier: MIT
// Memory of launches that kernels enqueue: blocks of one size. What one thread enqueues
// another often runs and frees, so that threads that have many hand them on, a batch at a
// time (magazines and a depot: Bonwick, Adams: Magazines and Vmem, 2001).
#ifndef TF_DEVICES_CPU_QUEUE_CPU_SPARE_H
#define TF_DEVICES_CPU_QUEUE_CPU_SPARE_H

#include "base/attr.h"

enum { TF_SPARE_BYTES = 384, TF_SPARE_BATCH = 32 };

// What a thread keeps, the latest last. Owned.
struct tf_spares {
    unsigned count;
    void *blocks[2 * TF_SPARE_BATCH];
};

// TF_SPARE_BYTES, at a multiple of 128; NULL when memory ran out.
void *tf_spare_take(struct tf_spares *own) TF_NODISCARD;
void tf_spare_give(struct tf_spares *own, void *block);
void tf_spares_finish(struct tf_spares *own);

// In a forked child.
void tf_spares_forked(void);

#endif // TF_DEVICES_CPU_QUEUE_CPU_SPARE_H
