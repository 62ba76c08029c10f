// SPDX-License-Identifier: MIT
// Contents by their keys, on disk. A content is written once and never changed; whatever
// goes wrong, with the disk or with the bytes, is as if it had never been written. Any
// number of threads and processes may read and write at the same time.
#ifndef TF_CACHE_CACHE_STORE_H
#define TF_CACHE_CACHE_STORE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cache/cache_folder.h"
#include "cache/digest.h"

enum tf_cache_kind {
    TF_CACHE_PROGRAM = 'p', // what a build makes before code generation
    TF_CACHE_OBJECT = 'o',  // code of one kernel
};

struct tf_cache_part {
    const void *data;
    size_t bytes;
};

struct tf_cache_content {
    void *block; // owned (tf_free)
    const char *data;
    size_t bytes;
};

// False: there is none.
bool tf_cache_read(const struct tf_cache *cache, enum tf_cache_kind kind,
                   const struct tf_digest *key, struct tf_cache_content *content);
// The parts one behind the other, where that can be done.
void tf_cache_write(const struct tf_cache *cache, enum tf_cache_kind kind,
                    const struct tf_digest *key, const struct tf_cache_part *parts,
                    size_t part_count);

// "3/3f..a.o": where a content lies in the folder.
enum { TF_CACHE_NAME_BYTES = 2 * TF_DIGEST_BYTES + 5 };
void tf_cache_name(enum tf_cache_kind kind, const struct tf_digest *key,
                   char name[TF_CACHE_NAME_BYTES]);
// The same backwards, without the room; false: it is no such name.
bool tf_cache_parse_name(const char *name, enum tf_cache_kind *kind,
                         struct tf_digest *key);
// Reads the file `name` below the folder of a cache, which must be that kind and key.
bool tf_cache_read_file(int folder, const char *name, enum tf_cache_kind kind,
                        const struct tf_digest *key, struct tf_cache_content *content);

#endif // TF_CACHE_CACHE_STORE_H
