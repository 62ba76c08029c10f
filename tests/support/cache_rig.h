// SPDX-License-Identifier: MIT
// A cache in a folder of its own, which is gone with all that is in it at the end.
#ifndef TF_TESTS_CACHE_RIG_H
#define TF_TESTS_CACHE_RIG_H

#include <check.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cache/cache_store.h"

static char rig_top[64]; // exists
static struct tf_cache rig_cache;

static void rig_up(void)
{
    snprintf(rig_top, sizeof(rig_top), "/tmp/tf-cache-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(rig_top));
    rig_cache = (struct tf_cache){.cap_bytes = 64 << 20};
    snprintf(rig_cache.folder, sizeof(rig_cache.folder), "%s/cache", rig_top);
}

static int rig_remove(const char *path, const struct stat *facts, int type,
                      struct FTW *walk)
{
    (void)facts;
    (void)type;
    (void)walk;
    return remove(path);
}

static void rig_down(void)
{
    chmod(rig_cache.folder, 0700);
    nftw(rig_top, rig_remove, 16, FTW_DEPTH | FTW_PHYS);
}

static inline struct tf_digest rig_key(unsigned number)
{
    return tf_digest_of(&number, sizeof(number));
}

static inline void rig_write(unsigned number, const void *data, size_t bytes)
{
    const struct tf_digest key = rig_key(number);
    const struct tf_cache_part part = {data, bytes};

    tf_cache_write(&rig_cache, TF_CACHE_OBJECT, &key, &part, 1);
}

// Whether it is there; what is there must be right.
static inline bool rig_holds(unsigned number, const void *data, size_t bytes)
{
    const struct tf_digest key = rig_key(number);
    struct tf_cache_content content;

    if (!tf_cache_read(&rig_cache, TF_CACHE_OBJECT, &key, &content))
        return false;
    ck_assert_uint_eq(content.bytes, bytes);
    ck_assert(bytes == 0 || !memcmp(content.data, data, bytes));
    tf_free(content.block);
    return true;
}

static inline void rig_path(unsigned number, char *path, size_t path_bytes)
{
    const struct tf_digest key = rig_key(number);
    char name[TF_CACHE_NAME_BYTES];

    tf_cache_name(TF_CACHE_OBJECT, &key, name);
    snprintf(path, path_bytes, "%.200s/%s", rig_cache.folder, name);
}

#endif // TF_TESTS_CACHE_RIG_H
