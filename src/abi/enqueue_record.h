// SPDX-License-Identifier: MIT
// What kernel code asks of the run-time about enqueuing on the device (OpenCL C 6.15.18):
// one record for each call of tf_services.enqueue. The built-ins library fills it
// (builtins/lib/enqueue.h), the device reads it; addresses are of memory of the
// work-item.
#ifndef TF_ABI_ENQUEUE_RECORD_H
#define TF_ABI_ENQUEUE_RECORD_H

#include "abi/cpu_abi.h"

// What is asked for, and the result.
enum tf_enqueue_op {
    TF_ENQUEUE_KERNEL,        // all but `event`; CLK_SUCCESS or an error
    TF_ENQUEUE_MARKER,        // queue, waits, wait_count, result; the same
    TF_ENQUEUE_DEFAULT_QUEUE, // the queue, 0 if there is none
    TF_ENQUEUE_USER_EVENT,    // an event, TF_NO_EVENT if there is no room
    TF_ENQUEUE_RETAIN,        // event
    TF_ENQUEUE_RELEASE,       // event
    TF_ENQUEUE_SET_STATUS,    // event, flags: the status
    TF_ENQUEUE_IS_VALID,      // event; 0 or 1
    TF_ENQUEUE_CAPTURE,       // event, flags: what, result: where two ulong are stored
    // Of a block: block, and range for the last two.
    TF_ENQUEUE_GROUP_SIZE,
    TF_ENQUEUE_GROUP_MULTIPLE,
    TF_ENQUEUE_SUB_GROUP_COUNT,
    TF_ENQUEUE_SUB_GROUP_SIZE,
};

// As ndrange_t lies in memory.
struct tf_device_range {
    tf_u32 work_dim;
    tf_u64 global_offset[3];
    tf_u64 global_size[3];
    tf_u64 local_size[3]; // [0] is 0: not given
};

// The value of CLK_NULL_EVENT.
#define TF_NO_EVENT (~(tf_u64)0)

// The head of a block literal in memory, as Clang lays it out: what the block has
// captured comes behind it.
struct tf_block_literal {
    tf_u32 bytes; // of the whole
    tf_u32 align_bytes;
    tf_u64 function; // nothing that means anything here
};

struct tf_enqueue_record {
    tf_u32 op;
    tf_u32 flags; // CLK_ENQUEUE_FLAGS_*
    tf_u32 block; // its number in the program
    tf_u32 local_count;
    tf_u32 wait_count;
    tf_u32 literal_bytes; // 0: the head of the literal says it
    tf_u64 queue;
    tf_u64 event;
    tf_u64 literal;     // struct tf_block_literal
    tf_u64 range;       // struct tf_device_range
    tf_u64 local_bytes; // a ulong for each local argument
    tf_u64 waits;       // events
    tf_u64 result;      // where an event is stored; 0: nobody wants it
};

#endif // TF_ABI_ENQUEUE_RECORD_H
