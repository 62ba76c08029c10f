// SPDX-License-Identifier: MIT
// The folder of a cache on disk, and who may be trusted with it. Nothing is kept open
// between two uses: an application may close or reuse any descriptor.
#ifndef TF_CACHE_CACHE_FOLDER_H
#define TF_CACHE_CACHE_FOLDER_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/attr.h"

enum {
    TF_CACHE_ROOMS = 16,            // folders in it, "0" to "f"
    TF_CACHE_TEMPORARY_AGE_S = 600, // older ones have no process that writes them
    TF_CACHE_DEFAULT_MIB = 1024
};
#define TF_CACHE_TEMPORARY "tmp." // how names of files begin that are not complete

struct tf_cache {
    char folder[PATH_MAX]; // absolute
    uint64_t cap_bytes;    // of all files together, about
};

// What TREFOIL_CACHE and TREFOIL_CACHE_SIZE say; false: there is no cache. `folder` of
// the cache need not exist.
bool tf_cache_of_environment(struct tf_cache *cache);

// Descriptors, -1 when there is none that can be trusted: it must belong to this user,
// and nobody else may write to it. The second makes folders that are missing, not in
// those of other users (root's excepted).
int tf_cache_open(const struct tf_cache *cache);
int tf_cache_make(const struct tf_cache *cache);
// One of the rooms of a folder that was opened, which must be a folder itself.
int tf_cache_open_room(int folder, char room);
// What errno says after one of them failed.
const char *tf_cache_refusal(int error);

// The cache of this process as its environment says, or NULL; asked once.
const struct tf_cache *tf_cache_own(void);

#endif // TF_CACHE_CACHE_FOLDER_H
