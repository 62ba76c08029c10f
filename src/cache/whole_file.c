// SPDX-License-Identifier: MIT
#include "cache/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <unistd.h>

int tf_file_open(int folder, const char *path, int flags)
{
    int fd;

    do {
        fd = openat(folder, path, flags | O_CLOEXEC, 0600);
    } while (fd < 0 && errno == EINTR);
    return fd;
}

bool tf_file_read(int fd, void *data, size_t bytes)
{
    char *at = data;

    while (bytes > 0) {
        const ssize_t n = read(fd, at, bytes);

        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}

bool tf_file_write(int fd, const void *data, size_t bytes)
{
    const char *at = data;

    while (bytes > 0) {
        const ssize_t n = write(fd, at, bytes);

        if (n == 0 || (n < 0 && errno != EINTR))
            return false;
        at += n > 0 ? n : 0;
        bytes -= n > 0 ? (size_t)n : 0;
    }
    return true;
}
