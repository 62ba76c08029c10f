// SPDX-License-Identifier: MIT
// What kernels ask about enqueuing.
#ifndef TF_DEVICES_CPU_FAMILY_CPU_ENQUEUE_H
#define TF_DEVICES_CPU_FAMILY_CPU_ENQUEUE_H

#include "abi/cpu_abi.h"

// Service `enqueue`: a struct tf_enqueue_record. Runs on the stack of a
// kernel.
tf_u64 tf_enqueue_ask(const struct tf_launch *launch, struct tf_worker *worker,
                      const void *record, tf_u32 flags);

#endif // TF_DEVICES_CPU_FAMILY_CPU_ENQUEUE_H
