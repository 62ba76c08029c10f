// SPDX-License-Identifier: MIT
#include "cache/cache_trim.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "cache/cache_store.h"

enum {
    LOOK_EVERY = 32, // writes
    FEWEST = 8,      // contents that a room has place for
    KEPT_TENTHS = 8, // of the share, when it was exceeded
};

static uint64_t share_of(const struct tf_cache *cache)
{
    return cache->cap_bytes / TF_CACHE_ROOMS;
}

bool tf_cache_may_hold(const struct tf_cache *cache, size_t bytes)
{
    return bytes <= share_of(cache) / FEWEST;
}

bool tf_cache_wants_trim(const struct tf_cache *cache, const struct tf_digest *key,
                         size_t bytes)
{
    return key->bytes[1] % LOOK_EVERY == 0 || bytes > share_of(cache) / LOOK_EVERY;
}

// ---- Listing ----

static bool is_temporary(const char *name)
{
    return !strncmp(name, TF_CACHE_TEMPORARY, strlen(TF_CACHE_TEMPORARY));
}

static bool add_file(struct tf_cache_file **files, size_t *count, size_t *room,
                     const char *name, const struct stat *facts)
{
    if (*count == *room) {
        const size_t more = *room ? 2 * *room : 64;
        struct tf_cache_file *grown = tf_realloc(*files, more * sizeof(**files));

        if (!grown)
            return false;
        *files = grown;
        *room = more;
    }
    struct tf_cache_file *file = &(*files)[(*count)++];
    memcpy(file->name, name, strlen(name) + 1);
    file->bytes = (uint64_t)facts->st_size;
    file->used_s = facts->st_mtime;
    return true;
}

struct tf_cache_file *tf_cache_list(int folder, char room, size_t *count)
{
    const int fd = tf_cache_open_room(folder, room);
    DIR *dir = fd < 0 ? NULL : fdopendir(fd);
    struct tf_cache_file *files = NULL;
    const struct dirent *entry;
    size_t allocated = 0;
    struct stat facts;

    *count = 0;
    if (!dir) {
        if (fd >= 0)
            close(fd);
        return NULL;
    }
    while ((entry = readdir(dir)) != NULL) {
        if (strlen(entry->d_name) >= sizeof(files->name) ||
            fstatat(fd, entry->d_name, &facts, AT_SYMLINK_NOFOLLOW) ||
            !S_ISREG(facts.st_mode))
            continue;
        if (!add_file(&files, count, &allocated, entry->d_name, &facts))
            break;
    }
    closedir(dir);
    return files;
}

// ---- Removing ----

static int older_first(const void *a, const void *b)
{
    const struct tf_cache_file *x = a, *y = b;

    return (x->used_s > y->used_s) - (x->used_s < y->used_s);
}

static void drop(int folder, char room, const char *name)
{
    char path[sizeof(((struct tf_cache_file *)0)->name) + 2];

    snprintf(path, sizeof(path), "%c/%s", room, name);
    (void)unlinkat(folder, path, 0); // another process may have been faster
}

// Those of processes that are gone; returns the bytes of all others.
static uint64_t drop_temporaries(int folder, char room, const struct tf_cache_file *files,
                                 size_t count)
{
    const int64_t now = time(NULL);
    uint64_t bytes = 0;

    for (size_t i = 0; i < count; i++) {
        if (is_temporary(files[i].name) &&
            now - files[i].used_s > TF_CACHE_TEMPORARY_AGE_S)
            drop(folder, room, files[i].name);
        else
            bytes += files[i].bytes;
    }
    return bytes;
}

void tf_cache_trim(const struct tf_cache *cache, int folder, char room)
{
    const uint64_t share = share_of(cache);
    enum tf_cache_kind kind;
    struct tf_digest key;
    size_t count;
    struct tf_cache_file *files = tf_cache_list(folder, room, &count);
    uint64_t bytes;

    if (!files)
        return;
    bytes = drop_temporaries(folder, room, files, count);
    if (bytes > share) {
        qsort(files, count, sizeof(*files), older_first);
        // Some more than must be: one trim makes place for many contents.
        for (size_t i = 0; i < count && bytes > share / 10 * KEPT_TENTHS; i++) {
            if (!tf_cache_parse_name(files[i].name, &kind, &key))
                continue; // half written, or not ours
            drop(folder, room, files[i].name);
            bytes -= files[i].bytes;
        }
    }
    tf_free(files);
}
