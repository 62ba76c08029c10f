// SPDX-License-Identifier: MIT
// Records of the mappings of memory objects into the host's address space. A record is in
// the list of the object whose storage it is about from the map's enqueue to the unmap's,
// so that sub-buffers and images that lie in one buffer know of each other's.
#ifndef TF_CORE_MEMORY_MAP_H
#define TF_CORE_MEMORY_MAP_H

#include "core/memory/image.h"

struct tf_map_desc {
    cl_map_flags flags;
    size_t offset_bytes;
    size_t size_bytes;       // > 0, inside the object
    struct tf_image_box box; // of an image: what of these bytes is mapped
};

struct tf_map {
    struct tf_map *next; // private to core/memory/map.c
    cl_mem mem;          // what was mapped: borrowed, has no records left when it dies
    uint64_t serial;     // distinguishes mappings that have the same address
    void *host;
    size_t offset_bytes;
    size_t size_bytes;
    struct tf_image_box box; // of an image
    bool writes;
};

// The record of a new mapping, with its address, not yet in the list. NULL and err set
// when the device or memory says no.
struct tf_map *tf_map_new(struct tf_err *err, struct tf_device *dev, cl_mem mem,
                          const struct tf_map_desc *desc) TF_NODISCARD;

// Adds `map` and returns its serial number, or 0 if it writes and meets a region that is
// mapped for writing, through whatever object. From then on another thread may unmap it.
uint64_t tf_map_link(cl_mem mem, struct tf_map *map) TF_EXCLUDES(&mem->storage->lock);

// Takes a mapping of `mem` out of the list: the one with that serial, or if serial is 0
// the newest at `host`. NULL if there is none.
struct tf_map *tf_map_unlink(cl_mem mem, uint64_t serial, const void *host)
    TF_EXCLUDES(&mem->storage->lock);

// The device forgets its view; frees the record. NULL is allowed.
void tf_map_release(cl_mem mem, struct tf_map *map);

// True if `host` is what an earlier map of `mem` returned, and not unmapped since.
bool tf_map_exists(cl_mem mem, const void *host) TF_EXCLUDES(&mem->storage->lock);

// CL_MEM_MAP_COUNT
cl_uint tf_map_count(cl_mem mem) TF_EXCLUDES(&mem->storage->lock);

// Forgets every mapping of a dying object.
void tf_map_drop_all(cl_mem mem) TF_EXCLUDES(&mem->storage->lock);

#endif // TF_CORE_MEMORY_MAP_H
