// SPDX-License-Identifier: MIT
// A descriptor of ours in an application's process, and what it was opened on: the
// application may close descriptors that it does not know and open files of its own under
// their numbers. Each use asks anew; an instant is left between the question and the use.
#ifndef TF_BASE_KEPT_FD_H
#define TF_BASE_KEPT_FD_H

#include <fcntl.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <sys/stat.h>
#include <unistd.h>

// `fd`, or its copy with close-on-exec where it has the number of a standard stream that
// the application closed, and might write to. -1, and `fd` closed, when there is no room.
static inline int tf_fd_above_streams(int fd)
{
    int high;

    if (fd < 0 || fd > STDERR_FILENO)
        return fd;
    high = fcntl(fd, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);
    close(fd);
    return high;
}

// Zeroed, it holds none.
struct tf_kept_fd {
    // Atomic: a forked child closes it without a lock.
    atomic_int fd;
    dev_t device;
    ino_t number;
};

// `fd` came out of `kept`: the rest was written before it.
static inline bool tf_fd_is_kept(int fd, const struct tf_kept_fd *kept)
{
    struct stat facts;

    return fd > STDERR_FILENO && !fstat(fd, &facts) && facts.st_dev == kept->device &&
           facts.st_ino == kept->number;
}

// Takes `fd`, which is above the streams, or -1 for none. What the system does not let be
// asked cannot be known again: it is closed.
static inline void tf_kept_fd_set(struct tf_kept_fd *kept, int fd)
{
    struct stat facts;

    if (fd >= 0 && !fstat(fd, &facts)) {
        kept->device = facts.st_dev;
        kept->number = facts.st_ino;
    } else if (fd >= 0) {
        close(fd);
        fd = -1;
    }
    atomic_store(&kept->fd, fd);
}

// -1 when there is none, or when the number belongs to something else now.
static inline int tf_kept_fd(const struct tf_kept_fd *kept)
{
    const int fd = atomic_load(&kept->fd);

    return tf_fd_is_kept(fd, kept) ? fd : -1;
}

// Leaves alone what is not ours.
static inline void tf_kept_fd_close(struct tf_kept_fd *kept)
{
    const int fd = atomic_exchange(&kept->fd, -1);

    if (tf_fd_is_kept(fd, kept))
        close(fd);
}

#endif // TF_BASE_KEPT_FD_H
