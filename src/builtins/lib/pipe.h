// SPDX-License-Identifier: MIT
// What the functions of pipes share: the queue in a pipe's memory, abi/pipe_layout.h.
#ifndef TF_BUILTINS_LIB_PIPE_H
#define TF_BUILTINS_LIB_PIPE_H

#include "abi/pipe_layout.h"

typedef global struct tf_pipe_header *tfl_pipe;
typedef global atomic_ulong *tfl_pipe_atomic;

#define TFL_PIPE_SCOPE memory_scope_all_svm_devices

// Writers and readers differ in the position that they take from, and in the turn that a
// slot must have: that of a filled slot is one more.
enum { TFL_PIPE_WRITE = 0, TFL_PIPE_READ = 1 };

TF_HELPER tfl_pipe_atomic tfl_pipe_position(tfl_pipe queue, uint side)
{
    return (tfl_pipe_atomic)(side == TFL_PIPE_READ ? &queue->read_position
                                                   : &queue->write_position);
}

TF_HELPER tfl_pipe_atomic tfl_pipe_turn(tfl_pipe queue, ulong position)
{
    return (tfl_pipe_atomic)(queue + 1) + position % queue->max_packets;
}

// Takes `count` positions if all their slots have their turn; false if the pipe is full
// or empty, or if its packets are not of `size` bytes: the host may give a kernel any
// pipe, and neighbours of a slot must not be touched. A slot that has its turn keeps it
// until the one who took the position is done.
TF_HELPER bool tfl_pipe_take(tfl_pipe queue, uint side, uint size, uint count,
                             ulong *first)
{
    tfl_pipe_atomic position = tfl_pipe_position(queue, side);
    ulong at = __opencl_atomic_load(position, memory_order_relaxed, TFL_PIPE_SCOPE);

    if (size != queue->packet_bytes || count == 0 || count > queue->max_packets)
        return false;
    for (;;) {
        long ahead = 0;

        for (uint i = 0; i < count && ahead == 0; i++)
            ahead = (long)(__opencl_atomic_load(tfl_pipe_turn(queue, at + i),
                                                memory_order_acquire, TFL_PIPE_SCOPE) -
                           (at + i + side));
        if (ahead < 0)
            return false;
        if (ahead > 0) { // others have taken these meanwhile
            at = __opencl_atomic_load(position, memory_order_relaxed, TFL_PIPE_SCOPE);
            continue;
        }
        if (__opencl_atomic_compare_exchange_strong(position, &at, at + count,
                                                    memory_order_relaxed,
                                                    memory_order_relaxed, TFL_PIPE_SCOPE))
            break;
    }
    *first = at;
    return true;
}

// Hands slots on: from writers to readers, or from readers to the writers of the next
// round.
TF_HELPER void tfl_pipe_pass(tfl_pipe queue, uint side, ulong first, uint count)
{
    ulong next = side == TFL_PIPE_READ ? queue->max_packets : 1;

    for (uint i = 0; i < count; i++)
        __opencl_atomic_store(tfl_pipe_turn(queue, first + i), first + i + next,
                              memory_order_release, TFL_PIPE_SCOPE);
}

// Packets that can be read now: written or committed, and not reserved by a reader.
TF_HELPER uint tfl_pipe_ready(tfl_pipe queue)
{
    ulong first = __opencl_atomic_load(tfl_pipe_position(queue, TFL_PIPE_READ),
                                       memory_order_relaxed, TFL_PIPE_SCOPE);
    uint count = 0;

    while (count < queue->max_packets &&
           __opencl_atomic_load(tfl_pipe_turn(queue, first + count), memory_order_acquire,
                                TFL_PIPE_SCOPE) == first + count + TFL_PIPE_READ)
        count++;
    return count;
}

TF_HELPER global char *tfl_pipe_slot(tfl_pipe queue, ulong position)
{
    return (global char *)queue + queue->data_offset_bytes +
           position % queue->max_packets * queue->packet_bytes;
}

// size and align are constants in every program, so that one of these loops is left.
#define TFL_PIPE_COPY(to, from, size, align)                                     \
    do {                                                                         \
        if ((align) % 8 == 0) {                                                  \
            for (uint i = 0; i < (size) / 8; i++)                                \
                ((TFL_TO ulong *)(to))[i] = ((const TFL_FROM ulong *)(from))[i]; \
        } else if ((align) % 4 == 0) {                                           \
            for (uint i = 0; i < (size) / 4; i++)                                \
                ((TFL_TO uint *)(to))[i] = ((const TFL_FROM uint *)(from))[i];   \
        } else {                                                                 \
            for (uint i = 0; i < (size); i++)                                    \
                ((TFL_TO char *)(to))[i] = ((const TFL_FROM char *)(from))[i];   \
        }                                                                        \
    } while (0)

TF_HELPER void tfl_pipe_get(tfl_pipe queue, ulong position, generic void *packet,
                            uint size, uint align)
{
#define TFL_TO generic
#define TFL_FROM global
    TFL_PIPE_COPY(packet, tfl_pipe_slot(queue, position), size, align);
#undef TFL_TO
#undef TFL_FROM
}

TF_HELPER void tfl_pipe_put(tfl_pipe queue, ulong position, generic const void *packet,
                            uint size, uint align)
{
#define TFL_TO global
#define TFL_FROM generic
    TFL_PIPE_COPY(tfl_pipe_slot(queue, position), packet, size, align);
#undef TFL_TO
#undef TFL_FROM
}

// ---- Reservations ----

TF_HELPER ulong tfl_pipe_reserve(tfl_pipe queue, uint side, uint size, uint count)
{
    ulong first;

    if (count > TF_PIPE_MAX_PACKETS || !tfl_pipe_take(queue, side, size, count, &first))
        return 0;
    return (ulong)count << TF_PIPE_POSITION_BITS |
           (first & (((ulong)1 << TF_PIPE_POSITION_BITS) - 1));
}

TF_HELPER uint tfl_pipe_count(ulong reservation)
{
    return (uint)(reservation >> TF_PIPE_POSITION_BITS);
}

TF_HELPER ulong tfl_pipe_first(tfl_pipe queue, uint side, ulong reservation)
{
    ulong now = __opencl_atomic_load(tfl_pipe_position(queue, side), memory_order_relaxed,
                                     TFL_PIPE_SCOPE);
    ulong mask = ((ulong)1 << TF_PIPE_POSITION_BITS) - 1;

    return now - ((now - reservation) & mask);
}

TF_HELPER void tfl_pipe_commit(tfl_pipe queue, uint side, ulong reservation)
{
    tfl_pipe_pass(queue, side, tfl_pipe_first(queue, side, reservation),
                  tfl_pipe_count(reservation));
}

// The first work-item of a group acts for all: it leaves its result where the others find
// it between the two barriers.
TF_HELPER bool tfl_pipe_leads(void)
{
    return (__tf_local_id(0) | __tf_local_id(1) | __tf_local_id(2)) == 0;
}

#define TFL_PIPE_GROUP_BARRIER()                                  \
    do {                                                          \
        tfl_fence(memory_order_acq_rel, memory_scope_work_group); \
        __tf_barrier();                                           \
        tfl_fence(memory_order_acq_rel, memory_scope_work_group); \
    } while (0)

#define TFL_PIPE_GROUP_RESERVE(queue, side, size, count)                             \
    ({                                                                               \
        volatile __private ulong *mailbox = &__tf_worker()->mailbox;                 \
        ulong reservation;                                                           \
                                                                                     \
        if (tfl_pipe_leads())                                                        \
            *mailbox = tfl_pipe_reserve((tfl_pipe)(queue), (side), (size), (count)); \
        TFL_PIPE_GROUP_BARRIER();                                                    \
        reservation = *mailbox;                                                      \
        TFL_PIPE_GROUP_BARRIER();                                                    \
        reservation;                                                                 \
    })

// Every work-item has to be done with its packets before the first one commits them.
#define TFL_PIPE_GROUP_COMMIT(queue, side, reservation)                \
    do {                                                               \
        TFL_PIPE_GROUP_BARRIER();                                      \
        if (tfl_pipe_leads())                                          \
            tfl_pipe_commit((tfl_pipe)(queue), (side), (reservation)); \
    } while (0)

// The same of a sub-group, whose work-items are in step (lib/sub_group.h).
#define TFL_PIPE_SUB_GROUP_RESERVE(queue, side, size, count)                            \
    ({                                                                                  \
        const uint first = tfl_first();                                                 \
        ulong reservation = 0;                                                          \
                                                                                        \
        if (__tf_sub_group_lane() == first)                                             \
            reservation = tfl_pipe_reserve((tfl_pipe)(queue), (side), (size), (count)); \
        TFL_SG_BROADCAST(ulong, reservation, first);                                    \
    })
#define TFL_PIPE_SUB_GROUP_COMMIT(queue, side, reservation)            \
    do {                                                               \
        tfl_fence(memory_order_acq_rel, memory_scope_sub_group);       \
        __tf_sub_group_barrier();                                      \
        if (__tf_sub_group_lane() == tfl_first())                      \
            tfl_pipe_commit((tfl_pipe)(queue), (side), (reservation)); \
    } while (0)

#endif // TF_BUILTINS_LIB_PIPE_H
