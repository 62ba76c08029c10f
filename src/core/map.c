// SPDX-License-Identifier: MIT
#include "core/map.h"

#include "base/alloc.h"
#include "core/error.h"

// One mapping; in mem->maps from the map's enqueue to the unmap's.
struct tf_map {
    struct tf_map *next;
    uint64_t serial; // distinguishes mappings that have the same address
    void *host;
    size_t offset_bytes;
    size_t size_bytes;
    bool writes;
};

// What the end of a map or unmap command needs. Holds its own reference to the object.
struct map_end {
    cl_mem mem;
    uint64_t serial;     // map command
    struct tf_map *gone; // unmap command: owned, already out of the list
};

static bool overlaps(const struct tf_map *a, const struct tf_map *b)
{
    return a->offset_bytes < b->offset_bytes + b->size_bytes &&
           b->offset_bytes < a->offset_bytes + a->size_bytes;
}

// Adds `map` unless it meets a region that is mapped for writing.
static bool link_map(cl_mem mem, struct tf_map *map)
{
    struct tf_map *other;

    tf_lock(&mem->lock);
    for (other = mem->maps; other; other = other->next)
        if (map->writes && other->writes && overlaps(map, other))
            break;
    if (!other) {
        map->serial = ++mem->map_serial;
        map->next = mem->maps;
        mem->maps = map;
        mem->map_count++;
    }
    tf_unlock(&mem->lock);
    return !other;
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

static void map_cleanup(cl_event ev)
{
    struct map_end *end = ev->cleanup_data;

    // The command never ran, so nothing is mapped.
    if (atomic_load(&ev->dep_status) < 0)
        release_map(end->mem, unlink_map(end->mem, end->serial, NULL));
    tf_unref(end->mem);
    tf_free(end);
}

static void unmap_cleanup(cl_event ev)
{
    struct map_end *end = ev->cleanup_data;

    release_map(end->mem, end->gone);
    tf_unref(end->mem);
    tf_free(end);
}

// A command on `mem` that ends with `cleanup`. NULL and err set when memory ran out.
static cl_event new_map_command(struct tf_err *err, const struct tf_enqueue *at,
                                cl_mem mem, cl_command_type type,
                                void (*cleanup)(cl_event))
{
    struct map_end *end = tf_zalloc(sizeof(*end));
    cl_event ev = end ? tf_enqueue_new(err, at, type, 0) : NULL;

    if (!ev) {
        tf_free(end);
        tf_fail(err, CL_OUT_OF_HOST_MEMORY, "map command");
        return NULL;
    }
    end->mem = tf_ref(mem);
    ev->cleanup = cleanup;
    ev->cleanup_data = end;
    return ev;
}

// Gives up a command that was never published.
static void drop_command(cl_event ev)
{
    struct map_end *end = ev->cleanup_data;

    ev->cleanup = NULL;
    tf_unref(end->mem);
    tf_free(end);
    tf_unref(ev);
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
    struct map_end *end;
    cl_event ev;

    ev = new_map_command(err, at, mem, CL_COMMAND_MAP_BUFFER, map_cleanup);
    if (!ev)
        return err->code;
    map = new_map(err, dev, mem, desc);
    if (!map)
        goto fail;
    ev->cmd.kind = TF_CMD_MAP;
    ev->cmd.size_bytes = desc->size_bytes;
    ev->cmd.src = tf_mem_range(mem, dev, desc->offset_bytes);
    ev->cmd.host = *host = map->host;
    if (!link_map(mem, map)) {
        tf_fail(err, CL_INVALID_OPERATION,
                "%zu bytes at %zu are mapped for writing already", desc->size_bytes,
                desc->offset_bytes);
        goto fail;
    }
    end = ev->cleanup_data;
    end->serial = map->serial;
    return tf_enqueue_publish(err, at, ev);
fail:
    release_map(mem, map);
    drop_command(ev);
    return err->code;
}

cl_int tf_enqueue_unmap(struct tf_err *err, const struct tf_enqueue *at, cl_mem mem,
                        void *host)
{
    cl_event ev =
        new_map_command(err, at, mem, CL_COMMAND_UNMAP_MEM_OBJECT, unmap_cleanup);
    struct map_end *end;

    if (!ev)
        return err->code;
    end = ev->cleanup_data;
    end->gone = unlink_map(mem, 0, host);
    if (!end->gone) {
        drop_command(ev);
        return tf_fail(err, CL_INVALID_VALUE, "%p is no mapping of the object", host);
    }
    ev->cmd.kind = TF_CMD_UNMAP;
    ev->cmd.size_bytes = end->gone->size_bytes;
    ev->cmd.src = tf_mem_range(mem, tf_enqueue_device(at), end->gone->offset_bytes);
    ev->cmd.host = host;
    return tf_enqueue_publish(err, at, ev);
}
