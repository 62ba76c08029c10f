// SPDX-License-Identifier: MIT
#include "core/memory/map.h"

#include "base/alloc.h"
#include "core/object/error.h"

static bool overlaps(cl_mem mem, const struct tf_map *a, const struct tf_map *b)
{
    if (tf_mem_is_image(mem))
        return tf_image_boxes_overlap(&a->box, &b->box);
    return a->offset_bytes < b->offset_bytes + b->size_bytes &&
           b->offset_bytes < a->offset_bytes + a->size_bytes;
}

struct tf_map *tf_map_new(struct tf_err *err, struct tf_device *dev, cl_mem mem,
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
    map->box = desc->box;
    map->writes = desc->flags & (CL_MAP_WRITE | CL_MAP_WRITE_INVALIDATE_REGION);
    if (dev->ops->mem_map(err, dev, at.mem, at.offset_bytes, desc->size_bytes,
                          desc->flags, &map->host)) {
        tf_free(map);
        return NULL;
    }
    return map;
}

uint64_t tf_map_link(cl_mem mem, struct tf_map *map)
{
    struct tf_map *other;
    uint64_t serial = 0;

    tf_lock(&mem->lock);
    for (other = mem->maps; other; other = other->next)
        if (map->writes && other->writes && overlaps(mem, map, other))
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

struct tf_map *tf_map_unlink(cl_mem mem, uint64_t serial, const void *host)
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

void tf_map_release(cl_mem mem, struct tf_map *map)
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
        tf_map_release(mem, map);
    }
}
