// SPDX-License-Identifier: MIT
// Memory of one run of the passes that make lanes: taken piece by piece, given back at
// once; and a table from addresses to numbers that lives in it.
#ifndef TF_COMPILER_JOB_ARENA_H
#define TF_COMPILER_JOB_ARENA_H

#include <stddef.h>

struct tf_arena_chunk;
struct tf_arena {
    struct tf_arena_chunk *chunks; // newest first
};

// Zeroed, aligned for any type. Never NULL: without memory the compile job is left
// (compiler/job/compile_job.h).
void *tf_arena_get(struct tf_arena *arena, size_t bytes);
void tf_arena_finish(struct tf_arena *arena);

#define TF_ARENA_NEW(arena, type, count) \
    ((type *)tf_arena_get((arena), (size_t)(count) * sizeof(type)))

// Keys are addresses, never NULL. Zero-initialized but for the arena.
struct tf_map {
    struct tf_arena *arena;
    const void **keys;
    unsigned *values;
    size_t capacity, count;
};

#define TF_MAP_NONE (~0u)

// Makes room for so many keys at once.
void tf_map_reserve(struct tf_map *map, size_t count);
void tf_map_put(struct tf_map *map, const void *key, unsigned value);
unsigned tf_map_get(const struct tf_map *map, const void *key); // or TF_MAP_NONE

#endif // TF_COMPILER_JOB_ARENA_H
