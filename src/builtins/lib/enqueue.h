// SPDX-License-Identifier: MIT
// What the functions of enqueuing on the device share: questions to the run-time.
#ifndef TF_BUILTINS_LIB_ENQUEUE_H
#define TF_BUILTINS_LIB_ENQUEUE_H

#include "abi/enqueue_record.h"

// The second argument is known to the compiler, where it is a constant
// (TF_KERNEL_WAITS_GROUP).
TF_HELPER ulong tfl_ask(const private struct tf_enqueue_record *record, uint flags)
{
    return __tf_enqueue(record, flags);
}

TF_HELPER ulong tfl_ask_event(uint op, ulong event)
{
    struct tf_enqueue_record record = {0};

    record.op = op;
    record.event = event;
    return tfl_ask(&record, 0);
}

TF_HELPER uint tfl_ask_block(uint op, uint block, const private void *range)
{
    struct tf_enqueue_record record = {0};

    record.op = op;
    record.block = block;
    record.range = (ulong)range;
    return (uint)tfl_ask(&record, 0);
}

TF_HELPER void tfl_range_set(private void *range, uint dims, const private ulong *offset,
                             const private ulong *size, const private ulong *local_size)
{
  private
    struct tf_device_range *to = range;

    to->work_dim = dims;
    for (uint d = 0; d < 3; d++) {
        to->global_offset[d] = offset && d < dims ? offset[d] : 0;
        to->global_size[d] = d < dims ? size[d] : 1;
        to->local_size[d] = local_size && d < dims ? local_size[d] : local_size ? 1 : 0;
    }
}

#endif // TF_BUILTINS_LIB_ENQUEUE_H
