// SPDX-License-Identifier: MIT
#include "core/command/command_map.h"

#include "core/object/error.h"

// The object of a map or unmap command; held until after the cleanup.
static cl_mem object_of(cl_event ev)
{
    return tf_event_held(ev)[0];
}

// The data is the mapping's serial number: the mapping itself may be gone by now.
static void map_cleanup(cl_event ev, cl_int status)
{
    const uint64_t serial = (uintptr_t)ev->cleanup_data;

    // The command failed or never ran, so nothing is mapped.
    if (status < 0)
        tf_map_release(object_of(ev), tf_map_unlink(object_of(ev), serial, NULL));
}

// The data is the mapping, owned, already out of the list.
static void unmap_cleanup(cl_event ev, cl_int status)
{
    (void)status;
    tf_map_release(object_of(ev), ev->cleanup_data);
}

// A command on `mem`. NULL and err set when memory ran out.
static cl_event new_map_command(struct tf_err *err, const struct tf_enqueue *at,
                                cl_mem mem, cl_command_type type)
{
    cl_event ev = tf_enqueue_new(err, at, type, 1);

    if (ev)
        tf_event_hold(ev, mem);
    return ev;
}

// Where there is nothing to move, only the order of the queue is left.
static enum tf_command_kind kind_on(const struct tf_device *dev,
                                    enum tf_command_kind kind)
{
    return dev->info->zero_copy ? TF_CMD_NONE : kind;
}

cl_int tf_enqueue_map(struct tf_err *err, const struct tf_enqueue *at, cl_mem mem,
                      const struct tf_map_desc *desc, void **host)
{
    struct tf_device *dev = tf_enqueue_device(at);
    struct tf_map *map = NULL;
    uint64_t serial;
    cl_event ev = new_map_command(err, at, mem,
                                  tf_mem_is_image(mem) ? CL_COMMAND_MAP_IMAGE
                                                       : CL_COMMAND_MAP_BUFFER);

    if (!ev)
        return err->code;
    map = tf_map_new(err, dev, mem, desc);
    if (!map)
        goto fail;
    ev->cmd.kind = kind_on(dev, TF_CMD_MAP);
    ev->cmd.size_bytes = desc->size_bytes;
    ev->cmd.src = tf_mem_range(mem, dev, desc->offset_bytes);
    ev->cmd.host = *host = map->host;
    serial = tf_map_link(mem, map);
    if (!serial) {
        tf_fail(err, CL_INVALID_OPERATION,
                "%zu bytes at %zu are mapped for writing already", desc->size_bytes,
                desc->offset_bytes);
        goto fail;
    }
    ev->cleanup = map_cleanup;
    ev->cleanup_data = (void *)(uintptr_t)serial;
    return tf_enqueue_publish(err, at, ev);
fail:
    tf_map_release(mem, map);
    tf_unref(ev);
    return err->code;
}

cl_int tf_enqueue_unmap(struct tf_err *err, const struct tf_enqueue *at, cl_mem mem,
                        void *host)
{
    cl_event ev = new_map_command(err, at, mem, CL_COMMAND_UNMAP_MEM_OBJECT);
    struct tf_map *gone;

    if (!ev)
        return err->code;
    gone = tf_map_unlink(mem, 0, host);
    if (!gone) {
        tf_unref(ev);
        return tf_fail(err, CL_INVALID_VALUE, "%p is no mapping of the object", host);
    }
    ev->cmd.kind = kind_on(tf_enqueue_device(at), TF_CMD_UNMAP);
    ev->cmd.size_bytes = gone->size_bytes;
    ev->cmd.src = tf_mem_range(mem, tf_enqueue_device(at), gone->offset_bytes);
    ev->cmd.host = host;
    ev->cleanup = unmap_cleanup;
    ev->cleanup_data = gone;
    return tf_enqueue_publish(err, at, ev);
}
