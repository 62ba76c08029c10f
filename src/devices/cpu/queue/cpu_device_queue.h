// SPDX-License-Identifier: MIT
// Command queues on the device. What kernels enqueue is ready in any order, so a queue is
// no list: it is the room that what is enqueued takes, from then until it has completed.
#ifndef TF_DEVICES_CPU_QUEUE_CPU_DEVICE_QUEUE_H
#define TF_DEVICES_CPU_QUEUE_CPU_DEVICE_QUEUE_H

#include <stdatomic.h>

#include "core/platform/device_interface.h"

struct tf_devqueue {
    size_t size_bytes;
    size_t in_hand_bytes; // that a thread may have of them (struct tf_device_room)
    bool profiles;
    atomic_size_t used_bytes; // relaxed: a count that orders nothing
};

// Slots of struct tf_device_ops.
cl_int tf_cpu_device_queue_new(struct tf_err *err, struct tf_device *dev,
                               size_t size_bytes, bool profiles,
                               struct tf_devqueue **out);
void tf_cpu_device_queue_free(struct tf_device *dev, struct tf_devqueue *queue);

// Takes room; false: there is too little.
static inline TF_NODISCARD bool tf_device_queue_take(struct tf_devqueue *queue,
                                                     size_t bytes)
{
    const size_t used =
        atomic_fetch_add_explicit(&queue->used_bytes, bytes, memory_order_relaxed);

    if (used <= queue->size_bytes && bytes <= queue->size_bytes - used)
        return true;
    atomic_fetch_sub_explicit(&queue->used_bytes, bytes, memory_order_relaxed);
    return false;
}

static inline void tf_device_queue_give(struct tf_devqueue *queue, size_t bytes)
{
    atomic_fetch_sub_explicit(&queue->used_bytes, bytes, memory_order_relaxed);
}

// Room that a thread has in hand: what it gives back serves what it takes next, and
// others do not see each of both. A queue may seem full to others for as much, so what
// all threads of the device may have is a small part of it.
enum { TF_ROOM_MOST_BYTES = 16 << 10, TF_ROOM_PART = 16 };

struct tf_device_room {
    struct tf_devqueue *queue;
    size_t bytes;
};

static inline void tf_device_room_leave(struct tf_device_room *room)
{
    if (room->bytes > 0)
        tf_device_queue_give(room->queue, room->bytes);
    room->bytes = 0;
}

// As tf_device_queue_take().
static inline TF_NODISCARD bool tf_device_room_take(struct tf_device_room *room,
                                                    struct tf_devqueue *queue,
                                                    size_t bytes)
{
    const size_t more = queue->in_hand_bytes / 4;

    if (room->queue != queue || room->bytes < bytes) {
        tf_device_room_leave(room);
        if (!tf_device_queue_take(queue, bytes + more))
            return tf_device_queue_take(queue, bytes);
        *room = (struct tf_device_room){queue, bytes + more};
    }
    room->bytes -= bytes;
    return true;
}

static inline void tf_device_room_give(struct tf_device_room *room,
                                       struct tf_devqueue *queue, size_t bytes)
{
    if (room->queue != queue || room->bytes + bytes > queue->in_hand_bytes)
        tf_device_room_leave(room);
    room->queue = queue;
    room->bytes += bytes;
    if (room->bytes > queue->in_hand_bytes)
        tf_device_room_leave(room);
}

#endif // TF_DEVICES_CPU_QUEUE_CPU_DEVICE_QUEUE_H
