// SPDX-License-Identifier: MIT
// A content is a file: a head with its key and a checksum, and the bytes. It is written
// under a temporary name and then renamed, so that nobody reads half of one; after a loss
// of power that can still be, and the checksum tells: nothing waits for the disk. Files
// are read and never mapped, because one that is cut meanwhile would kill the process.
#include "cache/cache_store.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/hash.h"
#include "base/range.h"
#include "cache/cache_trim.h"
#include "cache/whole_file.h"

enum { VERSION = 1, TOUCH_AGE_S = 3600, ROOM_BYTES = 2 /* "3/" before a name */ };
static const char magic[8] = {'T', 'F', 'C', 'A', 'C', 'H', 'E', '\n'};

struct head {
    char magic[8];
    uint32_t version;
    uint32_t kind;
    struct tf_digest key;
    uint64_t content_bytes;
    uint64_t hash_lo, hash_hi; // of the fields above and of the content
};

static struct tf_hash hash_of(const struct head *head, const char *content)
{
    const struct tf_hash seed = tf_hash_bytes(head, offsetof(struct head, hash_lo), 0);

    return tf_hash_bytes(content, head->content_bytes, seed.lo ^ seed.hi);
}

void tf_cache_name(enum tf_cache_kind kind, const struct tf_digest *key,
                   char name[TF_CACHE_NAME_BYTES])
{
    char text[2 * TF_DIGEST_BYTES + 1];

    tf_digest_text(key, text);
    snprintf(name, TF_CACHE_NAME_BYTES, "%c/%s.%c", text[0], text, (char)kind);
}

bool tf_cache_parse_name(const char *name, enum tf_cache_kind *kind,
                         struct tf_digest *key)
{
    const size_t digits = 2 * TF_DIGEST_BYTES;

    if (strlen(name) != digits + 2 || strspn(name, "0123456789abcdef") != digits ||
        name[digits] != '.' ||
        (name[digits + 1] != TF_CACHE_PROGRAM && name[digits + 1] != TF_CACHE_OBJECT))
        return false;
    for (size_t i = 0; i < TF_DIGEST_BYTES; i++) {
        const char pair[3] = {name[2 * i], name[2 * i + 1], '\0'};

        key->bytes[i] = (uint8_t)strtoul(pair, NULL, 16);
    }
    *kind = (enum tf_cache_kind)name[digits + 1];
    return true;
}

// ---- Reading ----

// The time of the last use is that of the last change, to the hour: file systems differ
// in what they note of reading.
static void note_use(int fd, const struct stat *facts)
{
    const time_t now = time(NULL);

    if (now - facts->st_mtime > TOUCH_AGE_S || facts->st_mtime - now > TOUCH_AGE_S)
        (void)futimens(fd, NULL);
}

static bool is_right(const struct head *head, uint64_t bytes, enum tf_cache_kind kind,
                     const struct tf_digest *key)
{
    struct tf_hash hash;

    if (memcmp(head->magic, magic, sizeof(magic)) != 0 || head->version != VERSION ||
        head->kind != (uint32_t)kind || !tf_digest_equal(&head->key, key) ||
        head->content_bytes != bytes - sizeof(*head))
        return false;
    hash = hash_of(head, (const char *)(head + 1));
    return hash.lo == head->hash_lo && hash.hi == head->hash_hi;
}

static bool read_open(int fd, enum tf_cache_kind kind, const struct tf_digest *key,
                      struct tf_cache_content *content)
{
    struct stat facts;
    struct head *block;
    size_t bytes;

    if (fstat(fd, &facts) || !S_ISREG(facts.st_mode) || facts.st_uid != geteuid() ||
        facts.st_size < (off_t)sizeof(struct head))
        return false;
    bytes = (size_t)facts.st_size;
    block = tf_alloc_aligned(sizeof(void *), bytes);
    if (!block)
        return false;
    if (!tf_file_read(fd, block, bytes) || !is_right(block, bytes, kind, key)) {
        tf_free(block);
        return false;
    }
    note_use(fd, &facts);
    *content = (struct tf_cache_content){block, (const char *)(block + 1),
                                         bytes - sizeof(*block)};
    return true;
}

bool tf_cache_read_file(int folder, const char *name, enum tf_cache_kind kind,
                        const struct tf_digest *key, struct tf_cache_content *content)
{
    const int room = tf_cache_open_room(folder, name[0]);
    const int fd = room < 0 ? -1
                            : tf_file_open(room, name + ROOM_BYTES,
                                           O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    const bool ok = fd >= 0 && read_open(fd, kind, key, content);

    if (fd >= 0)
        close(fd);
    if (room >= 0)
        close(room);
    return ok;
}

bool tf_cache_read(const struct tf_cache *cache, enum tf_cache_kind kind,
                   const struct tf_digest *key, struct tf_cache_content *content)
{
    const int folder = tf_cache_open(cache);
    char name[TF_CACHE_NAME_BYTES];
    bool ok;

    memset(content, 0, sizeof(*content));
    if (folder < 0)
        return false;
    tf_cache_name(kind, key, name);
    ok = tf_cache_read_file(folder, name, kind, key, content);
    close(folder);
    return ok;
}

// ---- Writing ----

// A write past the limit would end the process by a signal.
static bool is_allowed(size_t bytes)
{
    struct rlimit limit;

    return !getrlimit(RLIMIT_FSIZE, &limit) &&
           (limit.rlim_cur == RLIM_INFINITY || bytes <= limit.rlim_cur);
}

// Process, number and time tell writers of all machines apart; where they do not, O_EXCL
// does.
static void temporary_name(char name[TF_CACHE_NAME_BYTES])
{
    static atomic_uint counter;
    struct timespec now = {0};

    clock_gettime(CLOCK_REALTIME, &now);
    snprintf(name, TF_CACHE_NAME_BYTES, TF_CACHE_TEMPORARY "%lx.%x.%llx",
             (unsigned long)getpid(), atomic_fetch_add(&counter, 1),
             (unsigned long long)now.tv_sec << 30 | (unsigned long long)now.tv_nsec);
}

static bool write_in_room(int room, const char *name, const char *data, size_t bytes)
{
    char temporary[TF_CACHE_NAME_BYTES];
    bool ok;
    int fd;

    temporary_name(temporary);
    fd = tf_file_open(room, temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW);
    if (fd < 0)
        return false;
    ok = tf_file_write(fd, data, bytes);
    // Disks behind a network tell of a failed write here.
    ok = !close(fd) && ok;
    ok = ok && !renameat(room, temporary, room, name);
    if (!ok)
        (void)unlinkat(room, temporary, 0);
    return ok;
}

static bool write_file(int folder, const char *name, const char *data, size_t bytes)
{
    const char made[2] = {name[0], '\0'};
    int room = tf_cache_open_room(folder, name[0]);
    bool ok;

    if (room < 0 && errno == ENOENT && (!mkdirat(folder, made, 0700) || errno == EEXIST))
        room = tf_cache_open_room(folder, name[0]);
    ok = room >= 0 && write_in_room(room, name + ROOM_BYTES, data, bytes);
    if (room >= 0)
        close(room);
    return ok;
}

static struct head *make_block(enum tf_cache_kind kind, const struct tf_digest *key,
                               const struct tf_cache_part *parts, size_t part_count,
                               size_t *bytes)
{
    struct head *head;
    struct tf_hash hash;
    char *at;

    *bytes = sizeof(*head);
    for (size_t i = 0; i < part_count; i++)
        if (tf_add_overflow(*bytes, parts[i].bytes, bytes))
            return NULL;
    head = tf_zalloc(*bytes);
    if (!head)
        return NULL;
    memcpy(head->magic, magic, sizeof(magic));
    head->version = VERSION;
    head->kind = (uint32_t)kind;
    head->key = *key;
    head->content_bytes = *bytes - sizeof(*head);
    at = (char *)(head + 1);
    for (size_t i = 0; i < part_count; i++) {
        if (parts[i].bytes)
            memcpy(at, parts[i].data, parts[i].bytes);
        at += parts[i].bytes;
    }
    hash = hash_of(head, (const char *)(head + 1));
    head->hash_lo = hash.lo;
    head->hash_hi = hash.hi;
    return head;
}

void tf_cache_write(const struct tf_cache *cache, enum tf_cache_kind kind,
                    const struct tf_digest *key, const struct tf_cache_part *parts,
                    size_t part_count)
{
    char name[TF_CACHE_NAME_BYTES];
    size_t bytes;
    struct head *block = make_block(kind, key, parts, part_count, &bytes);
    int folder;

    if (!block)
        return;
    if (is_allowed(bytes) && tf_cache_may_hold(cache, bytes)) {
        folder = tf_cache_make(cache);
        if (folder >= 0) {
            tf_cache_name(kind, key, name);
            if (write_file(folder, name, (const char *)block, bytes) &&
                tf_cache_wants_trim(cache, key, bytes))
                tf_cache_trim(cache, folder, name[0]);
            close(folder);
        }
    }
    tf_free(block);
}
