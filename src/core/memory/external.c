// SPDX-License-Identifier: MIT
#include "core/memory/external.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "core/object/error.h"

// A file that can be written, as it is mapped for all objects that lie in it.
struct tf_external_file {
    struct tf_external_file *next;
    dev_t device;
    ino_t number;
    void *at;
    size_t bytes;
    unsigned users;
};

static struct {
    struct tf_mutex lock;
    struct tf_external_file *first TF_GUARDED_BY(&lock);
} files = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF)};

// From then on the file is as long as it is now, or longer.
static bool seal(int fd)
{
    const int seals = fcntl(fd, F_GET_SEALS);

    return seals >= 0 &&
           (seals & F_SEAL_SHRINK || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
}

// ---- mappings that objects share

static bool may_be_written(int fd)
{
    enum { KEPT = F_SEAL_WRITE | F_SEAL_FUTURE_WRITE };
    const int flags = fcntl(fd, F_GETFL), seals = fcntl(fd, F_GET_SEALS);

    return flags >= 0 && (flags & O_ACCMODE) == O_RDWR && seals >= 0 && !(seals & KEPT);
}

static void *map_shared(int fd, size_t bytes)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    return at == MAP_FAILED ? NULL : at;
}

// The file may have grown beyond its room. Objects lie in the mapping: it stays.
static bool reaches(struct tf_external_file *file, size_t bytes)
{
    if (bytes > file->bytes && mremap(file->at, file->bytes, bytes, 0) == file->at)
        file->bytes = bytes;
    return bytes <= file->bytes;
}

static struct tf_external_file *find(const struct stat *about, size_t bytes)
    TF_REQUIRES(&files.lock)
{
    struct tf_external_file *file = files.first;

    while (file && (file->device != about->st_dev || file->number != about->st_ino ||
                    !reaches(file, bytes)))
        file = file->next;
    return file;
}

// How much of a file to map: all, and addresses for what it may grow to, which cost
// nothing. Large pages would be set aside for them.
static size_t room_of(int fd, const struct stat *about)
{
    enum { TIMES = 8 };
    const size_t least = (size_t)1 << 30, most = (size_t)1 << 40;
    const size_t bytes = (size_t)about->st_size;
    const bool is_fixed =
        fcntl(fd, F_GET_SEALS) & F_SEAL_GROW || about->st_blksize > sysconf(_SC_PAGESIZE);

    if (is_fixed || bytes > most / TIMES)
        return bytes;
    return bytes > least / TIMES ? bytes * TIMES : least;
}

// Less than `room` where there are fewer addresses, but `bytes`.
static bool map_room(struct tf_external_file *file, int fd, size_t room, size_t bytes)
{
    for (size_t size = room; size > bytes && !file->at; size /= 2) {
        file->at = map_shared(fd, size);
        file->bytes = size;
    }
    if (!file->at) {
        file->at = map_shared(fd, bytes);
        file->bytes = bytes;
    }
    return file->at;
}

static struct tf_external_file *add(int fd, const struct stat *about, size_t bytes)
    TF_REQUIRES(&files.lock)
{
    struct tf_external_file *file = tf_zalloc(sizeof(*file));

    if (!file)
        return NULL;
    *file = (struct tf_external_file){
        .next = files.first, .device = about->st_dev, .number = about->st_ino};
    if (!map_room(file, fd, room_of(fd, about), bytes)) {
        tf_free(file);
        return NULL;
    }
    files.first = file;
    return file;
}

// NULL: the file has to be mapped by itself.
static struct tf_external_file *take_file(int fd, const struct stat *about, size_t bytes)
{
    struct tf_external_file *file;

    if (!may_be_written(fd))
        return NULL;
    tf_lock(&files.lock);
    file = find(about, bytes);
    if (!file)
        file = add(fd, about, bytes);
    if (file)
        file->users++;
    tf_unlock(&files.lock);
    return file;
}

static void give_file(struct tf_external_file *file)
{
    struct tf_external_file **at;
    bool is_last;

    tf_lock(&files.lock);
    is_last = --file->users == 0;
    for (at = &files.first; is_last && *at; at = &(*at)->next) {
        if (*at == file) {
            *at = file->next;
            break;
        }
    }
    tf_unlock(&files.lock);
    if (!is_last)
        return;
    munmap(file->at, file->bytes);
    tf_free(file);
}

void tf_external_forked(void) TF_NO_TSA
{
    tf_mutex_init(&files.lock, TF_RANK_LEAF);
    files.first = NULL;
}

// ---- mappings of one object

// Writes to a private mapping reach nobody, and end no process.
static void *map_file(int fd, size_t bytes, bool is_immutable)
{
    void *at = map_shared(fd, bytes);

    if (!at && is_immutable && (errno == EACCES || errno == EPERM)) {
        at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
        at = at == MAP_FAILED ? NULL : at;
    }
    return at;
}

cl_int tf_external_open(struct tf_err *err, const struct tf_external *external,
                        size_t size_bytes, bool is_immutable, cl_int too_small,
                        struct tf_external_map *map)
{
    const int fd = external->fd;
    struct tf_external_file *file;
    struct stat about;
    void *at;

    if (!seal(fd))
        return tf_fail(err, CL_INVALID_PROPERTY,
                       "%d is no file in memory that is sealed against shrinking, "
                       "or can be",
                       fd);
    if (fstat(fd, &about) || about.st_size < 0 || (size_t)about.st_size < size_bytes)
        return tf_fail(err, too_small, "%zu bytes of a file of %lld", size_bytes,
                       (long long)about.st_size);
    file = take_file(fd, &about, size_bytes);
    at = file ? file->at : map_file(fd, size_bytes, is_immutable);
    if (!at)
        return tf_fail(err,
                       errno == EACCES || errno == EPERM ? CL_INVALID_PROPERTY
                                                         : CL_OUT_OF_RESOURCES,
                       "%d cannot be mapped: %m", fd);
    *map = (struct tf_external_map){at, size_bytes, file};
    return CL_SUCCESS;
}

void tf_external_take(const struct tf_external *external)
{
    if (external->type)
        close(external->fd);
}

void tf_external_close(const struct tf_external_map *map)
{
    if (map->file)
        give_file(map->file);
    else if (map->at)
        munmap(map->at, map->bytes);
}
