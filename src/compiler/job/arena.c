// SPDX-License-Identifier: MIT
#include "compiler/job/arena.h"

#include <stdint.h>
#include <string.h>

#include "base/alloc.h"
#include "compiler/job/compile_job.h"

// Chunks grow: the facts of a small kernel fit into one page.
enum {
    FIRST_CHUNK_BYTES = 4000, // with what malloc adds
    CHUNK_BYTES = 64 * 1024,
    ALIGN_BYTES = 16,
    FIRST_CAPACITY = 64
};

struct tf_arena_chunk {
    _Alignas(16) struct tf_arena_chunk *next;
    size_t used_bytes, bytes; // of what follows
};

void *tf_arena_get(struct tf_arena *arena, size_t bytes)
{
    struct tf_arena_chunk *chunk = arena->chunks;
    char *result;

    bytes = (bytes + ALIGN_BYTES - 1) / ALIGN_BYTES * ALIGN_BYTES;
    if (!chunk || chunk->bytes - chunk->used_bytes < bytes) {
        size_t wanted = chunk ? 4 * chunk->bytes : FIRST_CHUNK_BYTES;

        if (wanted > CHUNK_BYTES)
            wanted = CHUNK_BYTES;
        if (wanted < bytes)
            wanted = bytes;
        chunk = tf_realloc(NULL, sizeof(*chunk) + wanted); // zeroed piece by piece
        if (!chunk)
            tf_compile_job_leave(TF_COMPILER_NO_MEMORY, "out of memory");
        chunk->used_bytes = 0;
        chunk->bytes = wanted;
        chunk->next = arena->chunks;
        arena->chunks = chunk;
    }
    result = (char *)(chunk + 1) + chunk->used_bytes;
    chunk->used_bytes += bytes;
    return memset(result, 0, bytes);
}

void tf_arena_finish(struct tf_arena *arena)
{
    while (arena->chunks) {
        struct tf_arena_chunk *chunk = arena->chunks;

        arena->chunks = chunk->next;
        tf_free(chunk);
    }
}

static size_t place_of(const struct tf_map *map, const void *key)
{
    size_t at = (size_t)(((uintptr_t)key >> 4) * 0x9e3779b97f4a7c15u >> 20);

    for (at &= map->capacity - 1; map->keys[at] && map->keys[at] != key;)
        at = (at + 1) & (map->capacity - 1);
    return at;
}

static void grow(struct tf_map *map, size_t capacity)
{
    const struct tf_map old = *map;

    map->capacity = capacity;
    map->keys = TF_ARENA_NEW(map->arena, const void *, map->capacity);
    map->values = TF_ARENA_NEW(map->arena, unsigned, map->capacity);
    for (size_t i = 0; i < old.capacity; i++) {
        if (old.keys[i]) {
            const size_t at = place_of(map, old.keys[i]);

            map->keys[at] = old.keys[i];
            map->values[at] = old.values[i];
        }
    }
}

void tf_map_reserve(struct tf_map *map, size_t count)
{
    size_t capacity = map->capacity ? map->capacity : FIRST_CAPACITY;

    while (capacity < 2 * count)
        capacity *= 2;
    if (capacity > map->capacity)
        grow(map, capacity);
}

void tf_map_put(struct tf_map *map, const void *key, unsigned value)
{
    size_t at;

    if (map->count * 2 >= map->capacity)
        grow(map, map->capacity ? map->capacity * 2 : FIRST_CAPACITY);
    at = place_of(map, key);
    map->count += !map->keys[at];
    map->keys[at] = key;
    map->values[at] = value;
}

unsigned tf_map_get(const struct tf_map *map, const void *key)
{
    size_t at;

    if (!map->capacity)
        return TF_MAP_NONE;
    at = place_of(map, key);
    return map->keys[at] ? map->values[at] : TF_MAP_NONE;
}
