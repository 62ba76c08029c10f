// SPDX-License-Identifier: MIT
// The size of a cache. Keys spread evenly over the rooms of the folder, so each is kept
// to its share by itself, without a count that processes would have to share.
#ifndef TF_CACHE_CACHE_TRIM_H
#define TF_CACHE_CACHE_TRIM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "cache/cache_folder.h"
#include "cache/digest.h"

// A file of a cache.
struct tf_cache_file {
    char name[96];
    uint64_t bytes;
    int64_t used_s; // when it was last used, seconds since 1970
};

// The files of a room ("0".."f") in a block (tf_free), NULL: none, or memory ran out.
// `folder` is that of the cache.
struct tf_cache_file *tf_cache_list(int folder, char room, size_t *count);

// Whether so many bytes fit beside anything else.
bool tf_cache_may_hold(const struct tf_cache *cache, size_t bytes);
// Whether to look at the size of the room after this was written: for one of so many, and
// when it is large.
bool tf_cache_wants_trim(const struct tf_cache *cache, const struct tf_digest *key,
                         size_t bytes);
// Removes what was not used for longest until the room keeps to its share, and what
// processes that are gone left half written.
void tf_cache_trim(const struct tf_cache *cache, int folder, char room);

#endif // TF_CACHE_CACHE_TRIM_H
