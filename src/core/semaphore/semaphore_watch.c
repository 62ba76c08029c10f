// SPDX-License-Identifier: MIT
#include "core/semaphore/semaphore_watch.h"

#include <errno.h>
#include <poll.h>
#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"
#include "core/schedule/event.h"
#include "core/semaphore/semaphore.h"

// Commands that wait, oldest first: a signal goes to the one that waits longest. Only the
// thread takes something off the list; others put it at the end.
static struct {
    struct tf_mutex lock;
    struct tf_semaphore_watch *first TF_GUARDED_BY(&lock);
    struct tf_semaphore_watch *last TF_GUARDED_BY(&lock);
    bool started TF_GUARDED_BY(&lock);
    int wake_fd; // eventfd that tells the thread to look; set before it starts
} watcher = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF), .wake_fd = TF_NO_FD};

static bool is_readable(int fd)
{
    struct pollfd at = {.fd = fd, .events = POLLIN};

    return poll(&at, 1, 0) == 1 && at.revents != 0;
}

// Takes one of the eventfd's count. Errors other than that there is none count as taken:
// a descriptor that is broken will never be there.
static bool take(int fd)
{
    uint64_t count;
    ssize_t got;

    do
        got = read(fd, &count, sizeof(count));
    while (got < 0 && errno == EINTR);
    return got >= 0 || errno != EAGAIN;
}

bool tf_semaphore_watch_try(struct tf_semaphore_watch *watch)
{
    TF_UNCANCELLED;
    bool is_done = true;

    for (size_t i = 0; i < watch->count; i++) {
        struct tf_semaphore_watch_fd *at = &watch->fds[i];

        if (at->fd == TF_NO_FD)
            continue;
        if (at->is_count ? !take(at->fd) : !is_readable(at->fd)) {
            is_done = false;
            continue;
        }
        if (at->owned)
            close(at->fd);
        at->fd = TF_NO_FD;
    }
    return is_done;
}

// Takes off the list what need not wait any longer. Returns it.
static struct tf_semaphore_watch *take_done(size_t *fd_count)
{
    struct tf_semaphore_watch **link, *done = NULL, **done_end = &done;

    *fd_count = 0;
    tf_lock(&watcher.lock);
    link = &watcher.first;
    watcher.last = NULL;
    while (*link) {
        struct tf_semaphore_watch *watch = *link;

        if (tf_command_stopped(&watch->ev->cmd) || tf_semaphore_watch_try(watch)) {
            *link = watch->next;
            *done_end = watch;
            done_end = &watch->next;
        } else {
            *fd_count += watch->count;
            watcher.last = watch;
            link = &watch->next;
        }
    }
    tf_unlock(&watcher.lock);
    *done_end = NULL;
    return done;
}

static void finish_all(struct tf_semaphore_watch *done)
{
    while (done) {
        struct tf_semaphore_watch *next = done->next; // it dies with its command
        cl_event ev = done->ev;

        tf_event_finish(ev, CL_COMPLETE);
        tf_unref(ev);
        done = next;
    }
}

// Fills `polls` with what the list waits for; as many as there is room for, as what came
// meanwhile makes the wake descriptor readable.
static nfds_t fill(struct pollfd *polls, size_t room)
{
    size_t n = 1;

    polls[0] = (struct pollfd){.fd = watcher.wake_fd, .events = POLLIN};
    tf_lock(&watcher.lock);
    for (struct tf_semaphore_watch *w = watcher.first; w; w = w->next)
        for (size_t i = 0; i < w->count && n < room; i++)
            if (w->fds[i].fd != TF_NO_FD)
                polls[n++] = (struct pollfd){.fd = w->fds[i].fd, .events = POLLIN};
    tf_unlock(&watcher.lock);
    return n;
}

enum {
    LACK_MS = 10, // between two looks where there is no memory for a list of descriptors
};

static void wait_for_some(size_t fd_count)
{
    struct pollfd *polls = tf_zalloc((fd_count + 1) * sizeof(*polls));
    struct pollfd wake = {.fd = watcher.wake_fd, .events = POLLIN};
    uint64_t count;

    if (polls)
        poll(polls, fill(polls, fd_count + 1), -1);
    else
        poll(&wake, 1, LACK_MS);
    tf_free(polls);
    while (read(watcher.wake_fd, &count, sizeof(count)) < 0 && errno == EINTR)
        continue;
}

static void *watch_all(void *arg)
{
    size_t fd_count;

    (void)arg;
    for (;;) {
        struct tf_semaphore_watch *done = take_done(&fd_count);

        finish_all(done);
        if (!done)
            wait_for_some(fd_count);
    }
    return NULL;
}

// The thread and what wakes it.
static bool start(void) TF_REQUIRES(&watcher.lock)
{
    if (watcher.started)
        return true;
    if (watcher.wake_fd == TF_NO_FD)
        watcher.wake_fd = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
    watcher.started = watcher.wake_fd != TF_NO_FD &&
                      tf_thread_start("trefoil-sema", 0, watch_all, NULL);
    return watcher.started;
}

cl_int tf_semaphore_watch_add(struct tf_semaphore_watch *watch)
{
    TF_UNCANCELLED;
    bool is_watched;

    tf_lock(&watcher.lock);
    is_watched = start();
    if (is_watched) {
        tf_ref(watch->ev);
        watch->next = NULL;
        if (watcher.last)
            watcher.last->next = watch;
        else
            watcher.first = watch;
        watcher.last = watch;
    }
    tf_unlock(&watcher.lock);
    if (!is_watched)
        return CL_OUT_OF_RESOURCES;
    tf_semaphore_watch_wake();
    return CL_SUCCESS;
}

void tf_semaphore_watch_wake(void)
{
    TF_UNCANCELLED;
    const uint64_t one = 1;
    int fd;

    tf_lock(&watcher.lock);
    fd = watcher.wake_fd; // stays open once it is
    tf_unlock(&watcher.lock);
    while (fd != TF_NO_FD && write(fd, &one, sizeof(one)) < 0 && errno == EINTR)
        continue;
}

void tf_semaphore_watch_forked(void) TF_NO_TSA
{
    tf_mutex_init(&watcher.lock, TF_RANK_LEAF);
    watcher.first = watcher.last = NULL;
    watcher.started = false;
    if (watcher.wake_fd != TF_NO_FD)
        close(watcher.wake_fd); // it would wake the parent's thread
    watcher.wake_fd = TF_NO_FD;
}
