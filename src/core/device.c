// SPDX-License-Identifier: MIT
// Device objects: registration, and opening and closing with the contexts that use them.
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"
#include "core/error.h"
#include "core/platform.h"

// Devices live as long as the process; nothing drops the last reference.
static void device_destroy(struct tf_object *obj)
{
    cl_device_id device = (cl_device_id)obj;

    tf_cond_finish(&device->changed);
    tf_mutex_finish(&device->lock);
}

const struct tf_class tf_class_device = {
    .name = "device",
    .magic = 0xd371ce25u,
    .invalid = CL_INVALID_DEVICE,
    .size_bytes = sizeof(struct _cl_device_id),
    .destroy = device_destroy,
    .slab = &tf_slab_device,
};

static void check_ops(const struct tf_device *dev)
{
    const struct tf_device_ops *ops = dev->ops;

    if (ops && dev->info && ops->open && ops->close && ops->mem_alloc && ops->mem_free &&
        ops->mem_map && ops->mem_unmap && ops->program_build && ops->program_load &&
        ops->program_save && ops->program_free && ops->program_kernels &&
        ops->program_type && ops->local_size && ops->max_group_size && ops->submit &&
        ops->now_ns)
        return;
    fprintf(stderr, "trefoil: device without a mandatory operation\n");
    abort();
}

cl_device_id tf_device_register(struct tf_device *dev, cl_platform_id platform)
{
    cl_device_id device = tf_object_new(&tf_class_device, NULL, 0);

    check_ops(dev);
    if (!device)
        return NULL;
    tf_mutex_init(&device->lock, TF_RANK_DEVICE);
    tf_cond_init(&device->changed);
    device->dev = dev;
    device->info = dev->info;
    device->platform = platform;
    tf_device_caps_init(&device->caps, dev->info);
    dev->caps = &device->caps;
    return tf_give_user(device);
}

// Waits until no other thread opens or closes the device.
static void wait_idle(cl_device_id device) TF_REQUIRES(&device->lock)
{
    while (device->busy)
        tf_cond_wait(&device->changed, &device->lock);
}

static void end_busy(cl_device_id device, unsigned open_count)
{
    tf_lock(&device->lock);
    device->open_count = open_count;
    device->busy = false;
    tf_cond_signal_all(&device->changed);
    tf_unlock(&device->lock);
}

cl_int tf_device_open(struct tf_err *err, cl_device_id device)
{
    bool first;

    tf_lock(&device->lock);
    wait_idle(device);
    first = device->open_count == 0;
    if (first)
        device->busy = true;
    else
        device->open_count++;
    tf_unlock(&device->lock);
    if (first) {
        tf_log(TF_LOG_DEVICE, "open %s", device->info->name);
        end_busy(device, device->dev->ops->open(err, device->dev) ? 0 : 1);
    }
    return err->code;
}

void tf_device_close(cl_device_id device)
{
    bool last;

    tf_lock(&device->lock);
    wait_idle(device);
    last = device->open_count == 1;
    if (last)
        device->busy = true;
    else
        device->open_count--;
    tf_unlock(&device->lock);
    if (last) {
        tf_log(TF_LOG_DEVICE, "close %s", device->info->name);
        device->dev->ops->close(device->dev);
        end_busy(device, 0);
    }
}
