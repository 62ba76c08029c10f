// SPDX-License-Identifier: MIT
#include "devices/cpu/queue/cpu_device_queue.h"

#include "base/alloc.h"
#include "core/object/error.h"

cl_int tf_cpu_device_queue_new(struct tf_err *err, struct tf_device *dev,
                               size_t size_bytes, bool profiles, struct tf_devqueue **out)
{
    const size_t part_bytes = size_bytes / TF_ROOM_PART / dev->info->compute_units;
    struct tf_devqueue *queue = tf_zalloc(sizeof(*queue));

    if (!queue)
        return tf_fail(err, CL_OUT_OF_HOST_MEMORY, "queue on the device");
    queue->size_bytes = size_bytes;
    queue->in_hand_bytes =
        part_bytes < TF_ROOM_MOST_BYTES ? part_bytes : TF_ROOM_MOST_BYTES;
    queue->profiles = profiles;
    *out = queue;
    return CL_SUCCESS;
}

void tf_cpu_device_queue_free(struct tf_device *dev, struct tf_devqueue *queue)
{
    (void)dev;
    tf_free(queue);
}
