// SPDX-License-Identifier: MIT
#include "cache/cache_folder.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/log.h"
#include "cache/whole_file.h"

// ---- Where ----

static bool is_set(const char *text)
{
    return text && *text;
}

// `path` may be relative: the process may change its folder later.
static bool set_folder(struct tf_cache *cache, const char *path, const char *below)
{
    size_t used = 0;
    int n;

    if (path[0] != '/') {
        if (!getcwd(cache->folder, sizeof(cache->folder) - 1))
            return false;
        used = strlen(cache->folder);
        cache->folder[used++] = '/';
    }
    n = snprintf(cache->folder + used, sizeof(cache->folder) - used, "%s%s", path, below);
    return n > 0 && (size_t)n < sizeof(cache->folder) - used;
}

// 0, as other switches are turned off: it was once taken for a folder of that name.
static bool is_off(const char *wanted)
{
    return !strcmp(wanted, "off") || !strcmp(wanted, "0");
}

bool tf_cache_of_environment(struct tf_cache *cache)
{
    const char *wanted = tf_env_text(TF_ENV_CACHE);
    const char *caches = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    const long mib = tf_env_number(TF_ENV_CACHE_SIZE, TF_CACHE_DEFAULT_MIB);

    *cache = (struct tf_cache){.cap_bytes = (uint64_t)mib << 20};
    // Whoever starts a privileged program chooses its environment.
    if (getauxval(AT_SECURE) || mib == 0)
        return false;
    if (wanted)
        return !is_off(wanted) && set_folder(cache, wanted, "");
    if (is_set(caches) && caches[0] == '/')
        return set_folder(cache, caches, "/trefoil");
    // A HOME that is not there is to stay so: /nonexistent, which services have.
    return is_set(home) && home[0] == '/' && !access(home, F_OK) &&
           set_folder(cache, home, "/.cache/trefoil");
}

static struct tf_cache own;
static bool has_own;
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void find_own(void)
{
    has_own = tf_cache_of_environment(&own);
}

const struct tf_cache *tf_cache_own(void)
{
    pthread_once(&once, find_own);
    return has_own ? &own : NULL;
}

// ---- Trust ----

static void distrust(const char *folder, const char *why)
{
    static atomic_bool told;

    if (!atomic_exchange(&told, true))
        tf_log(TF_LOG_ERROR, "the cache %.300s is not used: %s", folder, why);
}

const char *tf_cache_refusal(int error)
{
    return error == EPERM   ? "another user owns it or may write to it"
           : error == ELOOP ? "it is a symbolic link"
                            : strerror(error);
}

// The folder itself and not what a link leads to, which can be anybody's: ELOOP.
static int open_folder(int folder, const char *path)
{
    const int fd = tf_file_open(folder, path, O_RDONLY | O_DIRECTORY | O_NOFOLLOW);
    const int error = errno;
    struct stat facts;

    if (fd < 0)
        errno = error == ENOTDIR && !fstatat(folder, path, &facts, AT_SYMLINK_NOFOLLOW) &&
                        S_ISLNK(facts.st_mode)
                    ? ELOOP
                    : error;
    return fd;
}

int tf_cache_open(const struct tf_cache *cache)
{
    const int fd = open_folder(AT_FDCWD, cache->folder);
    const char *fault = NULL;
    struct stat facts;

    if (fd < 0 && errno != ENOENT)
        distrust(cache->folder, tf_cache_refusal(errno));
    if (fd < 0)
        return -1;
    if (fstat(fd, &facts))
        fault = "its owner is not known";
    else if (facts.st_uid != geteuid())
        fault = "it belongs to another user";
    else if (facts.st_mode & (S_IWGRP | S_IWOTH))
        fault = "others may write to it";
    if (!fault)
        return fd;
    distrust(cache->folder, fault);
    close(fd);
    errno = EPERM;
    return -1;
}

int tf_cache_open_room(int folder, char room)
{
    const char path[2] = {room, '\0'};

    return open_folder(folder, path);
}

// ---- Making ----

// `owner`: of the folder that `path` lies in, becomes that of `path`. Nothing is made in
// folders of others: what root made under the HOME of a user (sudo) the user could
// not write to any more.
static bool make_folder(const char *path, uid_t *owner)
{
    const uid_t user = geteuid();
    struct stat facts;

    if (!stat(path, &facts)) {
        *owner = facts.st_uid;
        return true;
    }
    if (errno != ENOENT)
        return false;
    if (*owner != user && *owner != 0) {
        distrust(path, "it would have to be made in a folder of another user");
        errno = EPERM;
        return false;
    }
    *owner = user;
    return !mkdir(path, 0700) || errno == EEXIST;
}

int tf_cache_make(const struct tf_cache *cache)
{
    int fd = tf_cache_open(cache);
    uid_t owner = 0;
    bool ok = true;
    char *path;

    if (fd >= 0 || errno != ENOENT)
        return fd;
    path = tf_strdup(cache->folder);
    if (!path)
        return -1;
    for (char *at = path + 1; ok && *at; at++) {
        if (*at != '/')
            continue;
        *at = '\0';
        ok = make_folder(path, &owner);
        *at = '/';
    }
    ok = ok && make_folder(path, &owner);
    tf_free(path);
    return ok ? tf_cache_open(cache) : -1;
}
