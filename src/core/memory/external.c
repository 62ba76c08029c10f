// SPDX-License-Identifier: MIT
#include "core/memory/external.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "core/object/error.h"

// From then on the file is as long as it is now, or longer.
static bool seal(int fd)
{
    const int seals = fcntl(fd, F_GET_SEALS);

    return seals >= 0 &&
           (seals & F_SEAL_SHRINK || fcntl(fd, F_ADD_SEALS, F_SEAL_SHRINK) == 0);
}

// Writes to a private mapping reach nobody, and end no process.
static void *map_file(int fd, size_t bytes, bool is_immutable)
{
    void *at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

    if (at == MAP_FAILED && is_immutable && (errno == EACCES || errno == EPERM))
        at = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    return at;
}

cl_int tf_external_open(struct tf_err *err, const struct tf_external *external,
                        size_t size_bytes, bool is_immutable, cl_int too_small,
                        struct tf_external_map *map)
{
    const int fd = external->fd;
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
    at = map_file(fd, size_bytes, is_immutable);
    if (at == MAP_FAILED)
        return tf_fail(err,
                       errno == EACCES || errno == EPERM ? CL_INVALID_PROPERTY
                                                         : CL_OUT_OF_RESOURCES,
                       "%d cannot be mapped: %m", fd);
    *map = (struct tf_external_map){at, size_bytes};
    return CL_SUCCESS;
}

void tf_external_take(const struct tf_external *external)
{
    if (external->type)
        close(external->fd);
}

void tf_external_close(const struct tf_external_map *map)
{
    if (map->at)
        munmap(map->at, map->bytes);
}
