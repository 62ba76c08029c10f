// SPDX-License-Identifier: MIT
// Device objects: registration, and opening and closing with the contexts that use them.
// Nothing drops the last reference of the platform's devices; sub-devices end with
// theirs.
#include "core/platform/device.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/log.h"
#include "core/object/error.h"

static void device_destroy(struct tf_object *obj)
{
    cl_device_id device = (cl_device_id)obj;

    if (device->dev)
        device->dev->ops->sub_device_free(device->dev);
    tf_free(device->partition);
    TF_CLEAR(device->parent);
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

    if (ops && dev->info && dev->caps && ops->open && ops->close && ops->mem_alloc &&
        ops->mem_free && ops->mem_map && ops->mem_unmap && ops->program_build &&
        ops->program_load && ops->program_save && ops->program_free &&
        ops->program_info && ops->group_size && ops->submit && ops->now_ns &&
        !ops->device_queue_new == !ops->device_queue_free &&
        (!dev->caps->device_queues || ops->device_queue_new) &&
        !ops->affinity == !ops->sub_device_new && !ops->affinity == !ops->sub_device_free)
        return;
    fprintf(stderr, "trefoil: device without a mandatory operation\n");
    abort();
}

cl_device_id tf_device_new(cl_platform_id platform)
{
    cl_device_id device = tf_object_new(&tf_class_device, NULL, 0);

    if (!device)
        return NULL;
    tf_mutex_init(&device->lock, TF_RANK_DEVICE);
    tf_cond_init(&device->changed);
    device->platform = platform;
    device->root = device;
    return device;
}

void tf_device_set(cl_device_id device, struct tf_device *dev)
{
    check_ops(dev);
    device->dev = dev;
    device->info = dev->info;
    device->caps = dev->caps;
}

cl_device_id tf_device_register(struct tf_device *dev, cl_platform_id platform)
{
    cl_device_id device = NULL;
    const char *fault;

    check_ops(dev);
    fault = tf_device_caps_fault(dev->caps);
    if (fault)
        tf_log(TF_LOG_ERROR, "device %s is left out: not so: %s", dev->info->name, fault);
    else
        device = tf_device_new(platform);
    if (!device)
        return NULL;
    tf_device_set(device, dev);
    tf_object_keep(device);
    return tf_give_user(device);
}

bool tf_device_within(cl_device_id device, cl_device_id whole)
{
    while (device && device != whole)
        device = device->parent;
    return device != NULL;
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

static cl_int open_one(struct tf_err *err, cl_device_id device)
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

static void close_one(cl_device_id device)
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

// Sub-devices share their root's memory and programs: it is open as long as they are.
cl_int tf_device_open(struct tf_err *err, cl_device_id device)
{
    if (open_one(err, device->root) || device == device->root)
        return err->code;
    if (open_one(err, device))
        close_one(device->root);
    return err->code;
}

void tf_device_close(cl_device_id device)
{
    close_one(device);
    if (device != device->root)
        close_one(device->root);
}

void tf_device_forked(cl_device_id device) TF_NO_TSA
{
    struct tf_device *dev = device->dev;

    tf_mutex_init(&device->lock, TF_RANK_DEVICE);
    tf_cond_init(&device->changed);
    device->open_count = 0;
    device->busy = false;
    if (dev->ops->forked)
        dev->ops->forked(dev);
}
