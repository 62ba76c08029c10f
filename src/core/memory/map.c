// SPDX-License-Identifier: MIT
#include "core/memory/map.h"

#include "base/alloc.h"
#include "core/memory/rect_overlap.h"
#include "core/object/error.h"

// The bytes that are mapped, in the storage.
static struct tf_rect_box box_of(const struct tf_map *map)
{
    struct tf_rect_box box = {.base_bytes = map->mem->origin_bytes};

    if (tf_mem_is_image(map->mem)) {
        box.rect = tf_image_rect(map->mem, &map->box, box.region);
        return box;
    }
    box.rect = (struct tf_rect){.origin = {map->offset_bytes}};
    box.region[0] = map->size_bytes;
    box.region[1] = box.region[2] = 1;
    return box;
}

static bool overlaps(const struct tf_map *a, const struct tf_map *b)
{
    struct tf_rect_box box_a, box_b;

    if (a->mem == b->mem && tf_mem_is_image(a->mem))
        return tf_image_boxes_overlap(&a->box, &b->box);
    box_a = box_of(a);
    box_b = box_of(b);
    return tf_rect_boxes_overlap(&box_a, &box_b);
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
    map->mem = mem;
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
    cl_mem storage = mem->storage;
    struct tf_map *other;
    uint64_t serial = 0;

    tf_lock(&storage->lock);
    for (other = storage->maps; other; other = other->next)
        if (map->writes && other->writes && overlaps(map, other))
            break;
    if (!other) {
        serial = map->serial = ++storage->map_serial;
        map->next = storage->maps;
        storage->maps = map;
    }
    tf_unlock(&storage->lock);
    return serial;
}

struct tf_map *tf_map_unlink(cl_mem mem, uint64_t serial, const void *host)
{
    cl_mem storage = mem->storage;
    struct tf_map **at, *map;

    tf_lock(&storage->lock);
    for (at = &storage->maps; *at; at = &(*at)->next)
        if ((*at)->mem == mem && (serial ? (*at)->serial == serial : (*at)->host == host))
            break;
    map = *at;
    if (map)
        *at = map->next;
    tf_unlock(&storage->lock);
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
    cl_mem storage = mem->storage;
    const struct tf_map *map;

    tf_lock(&storage->lock);
    for (map = storage->maps; map; map = map->next)
        if (map->mem == mem && map->host == host)
            break;
    tf_unlock(&storage->lock);
    return map;
}

cl_uint tf_map_count(cl_mem mem)
{
    cl_mem storage = mem->storage;
    cl_uint count = 0;

    tf_lock(&storage->lock);
    for (const struct tf_map *map = storage->maps; map; map = map->next)
        count += map->mem == mem;
    tf_unlock(&storage->lock);
    return count;
}

void tf_map_drop_all(cl_mem mem)
{
    cl_mem storage = mem->storage;
    struct tf_map *gone = NULL, *next, **at;

    tf_lock(&storage->lock);
    for (at = &storage->maps; *at;) {
        struct tf_map *map = *at;

        if (map->mem != mem) {
            at = &map->next;
            continue;
        }
        *at = map->next;
        map->next = gone;
        gone = map;
    }
    tf_unlock(&storage->lock);
    for (; gone; gone = next) {
        next = gone->next;
        tf_map_release(mem, gone);
    }
}
