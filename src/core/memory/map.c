// SPDX-License-Identifier: MIT
#include "core/memory/map.h"

#include "base/alloc.h"
#include "core/object/error.h"

// One mapping; in mem->maps from the map's enqueue to the unmap's.
struct tf_map {
    struct tf_map *next;
    uint64_t serial; // distinguishes mappings that have the same address
    void *host;
    size_t offset_bytes;
    size_t size_bytes;
    bool writes;
};

static bool overlaps(const struct tf_map *a, const struct tf_map *b)
{
    return a->offset_bytes < b->offset_bytes + b->size_bytes &&
           b->offset_bytes < a->offset_bytes + a->size_bytes;
}

// Adds `map` and returns its serial number, or 0 if it writes and meets a region that is
// mapped for writing. From then on another thread may unmap it.
static uint64_t link_map(cl_mem mem, struct tf_map *map)
{
    struct tf_map *other;
    uint64_t serial = 0;

    tf_lock(&mem->lock);
    for (other = mem->maps; other; other = other->next)
        if (map->writes && other->writes && overlaps(map, other))
            break;
    if (!other) {
        serial = map->serial = ++mem->map_serial;
        map->next = mem->maps;
        mem->maps = map;
        mem->map_count++;
    }
    tf_unlock(&mem->lock);
    return serial;
}

// Takes a mapping out of the list: the one with that serial, or if serial is 0 the newest
// at `host`. NULL if there is none.
static struct tf_map *unlink_map(cl_mem mem, uint64_t serial, const void *host)
{
    struct tf_map **at, *map;

    tf_lock(&mem->lock);
    for (at = &mem->maps; *at; at = &(*at)->next)
        if (serial ? (*at)->serial == serial : (*at)->host == host)
            break;
    map = *at;
    if (map) {
        *at = map->next;
        mem->map_count--;
    }
    tf_unlock(&mem->lock);
    return map;
}

// The device forgets its view; frees the record. NULL is allowed.
static void release_map(cl_mem mem, struct tf_map *map)
{
    if (!map)
        return;
    mem->dev->ops->mem_unmap(mem->dev, tf_mem_range(mem, mem->dev, 0).mem, map->host);
    tf_free(map);
}

bool tf_map_exists(cl_mem mem, const void *host)
{
    const struct tf_map *map;

    tf_lock(&mem->lock);
    for (map = mem->maps; map && map->host != host; map = map->next)
        continue;
    tf_unlock(&mem->lock);
    return map;
}

void tf_map_drop_all(cl_mem mem)
{
    struct tf_map *map, *next;

    tf_lock(&mem->lock);
    map = mem->maps;
    mem->maps = NULL;
    mem->map_count = 0;
    tf_unlock(&mem->lock);
    for (; map; map = next) {
        next = map->next;
        release_map(mem, map);
    }
}

// The object of a map or unmap command; held until after the cleanup.
static cl_mem object_of(cl_event ev)
{
    return ev->held[0];
}

// The data is the mapping's serial number: the mapping itself may be gone by now.
static void map_cleanup(cl_event ev)
{
    const uint64_t serial = (uintptr_t)ev->cleanup_data;

    // The command never ran, so nothing is mapped.
    if (atomic_load(&ev->dep_status) < 0)
        release_map(object_of(ev), unlink_map(object_of(ev), serial, NULL));
}

// The data is the mapping, owned, already out of the list.
static void unmap_cleanup(cl_event ev)
{
    release_map(object_of(ev), ev->cleanup_data);
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

// The record of a new mapping, with its address, not yet in the list.
static struct tf_map *new_map(struct tf_err *err, struct tf_device *dev, cl_mem mem,
                              const struct tf_map_desc *desc)
{
    const struct tf_devrange at = tf_mem_range(mem, dev, desc->offset_bytes);
    struct tf_map *map = tf_zalloc(sizeof(*map));

    if (!map) {
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "mapping");
        return NULL;
    }
    map->offset_bytes = desc->offset_bytes;
    map->size_bytes = desc->size_bytes;
    map->writes = desc->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
    if (dev->ops->mem_map(err, dev, at.mem, at.offset_bytes, desc->size_bytes,
                          desc->flags, &map->host)) {
        tf_free(map);
        return NULL;
    }
    return map;
}

cl_int tf_enqueue_map(struct tf_err *err, const struct tf_enqueue *at, cl_mem mem,
                      const struct tf_map_desc *desc, void **host)
{
    struct tf_device *dev = tf_enqueue_device(at);
    struct tf_map *map = NULL;
    uint64_t serial;
    cl_event ev = new_map_command(err, at, mem, CL_COMMAND_MAP_BUFFER);

    if (!ev)
        return err->code;
    map = new_map(err, dev, mem, desc);
    if (!map)
        goto fail;
    ev->cmd.kind = kind_on(dev, TF_CMD_MAP);
    ev->cmd.size_bytes = desc->size_bytes;
    ev->cmd.src = tf_mem_range(mem, dev, desc->offset_bytes);
    ev->cmd.host = *host = map->host;
    serial = link_map(mem, map);
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
    release_map(mem, map);
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
    gone = unlink_map(mem, 0, host);
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
