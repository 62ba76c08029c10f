// SPDX-License-Identifier: MIT
#include "core/semaphore/semaphore_watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdint.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/kept_fd.h"
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
    // A pipe that tells the thread to look; made before it starts. Unlike an eventfd it
    // is known again by its inode.
    struct tf_kept_fd pipe[2];
} watcher = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF)};

enum { READ_END, WRITE_END };

static bool make_pipe(void)
{
    int ends[2];

    if (atomic_load(&watcher.pipe[READ_END].fd) > STDERR_FILENO)
        return true;
    if (pipe2(ends, O_CLOEXEC | O_NONBLOCK))
        return false;
    for (int end = READ_END; end <= WRITE_END; end++)
        tf_kept_fd_set(&watcher.pipe[end], tf_fd_above_streams(ends[end]));
    return true;
}

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

// Fills `polls` with what the list waits for, behind the first; as many as there is room
// for, as what came meanwhile makes the pipe readable.
static nfds_t fill(struct pollfd *polls, size_t room)
{
    size_t n = 1;

    tf_lock(&watcher.lock);
    for (struct tf_semaphore_watch *w = watcher.first; w; w = w->next)
        for (size_t i = 0; i < w->count && n < room; i++)
            if (w->fds[i].fd != TF_NO_FD)
                polls[n++] = (struct pollfd){.fd = w->fds[i].fd, .events = POLLIN};
    tf_unlock(&watcher.lock);
    return n;
}

enum {
    // Between two looks where there is no memory for a list of descriptors, or the pipe
    // has been closed by somebody else.
    LACK_MS = 10,
};

static void wait_for_some(size_t fd_count)
{
    struct pollfd *polls = tf_zalloc((fd_count + 1) * sizeof(*polls));
    struct pollfd wake = {.fd = tf_kept_fd(&watcher.pipe[READ_END]), .events = POLLIN};
    char calls[64];

    if (polls) {
        polls[0] = wake;
        poll(polls, fill(polls, fd_count + 1), wake.fd == TF_NO_FD ? LACK_MS : -1);
    } else {
        poll(&wake, 1, LACK_MS);
    }
    tf_free(polls);
    while (wake.fd != TF_NO_FD &&
           (read(tf_kept_fd(&watcher.pipe[READ_END]), calls, sizeof(calls)) > 0 ||
            errno == EINTR))
        continue;
}

// Nothing waits, and the main thread has left.
static bool may_end(void)
{
    bool ends;

    tf_lock(&watcher.lock);
    ends = !watcher.first && tf_main_thread_left();
    if (ends)
        watcher.started = false;
    tf_unlock(&watcher.lock);
    return ends;
}

static void *watch_all(void *arg)
{
    size_t fd_count;

    (void)arg;
    do {
        struct tf_semaphore_watch *done = take_done(&fd_count);

        finish_all(done);
        if (!done)
            wait_for_some(fd_count);
    } while (!may_end());
    return NULL;
}

static void wake_watcher(struct tf_idler *unused)
{
    (void)unused;
    tf_semaphore_watch_wake();
}

static struct tf_idler idler = {.wake = wake_watcher};

// The thread and what wakes it.
static bool start(void) TF_REQUIRES(&watcher.lock)
{
    if (watcher.started)
        return true;
    watcher.started = make_pipe() && tf_thread_start("trefoil-sema", 0, watch_all, NULL);
    return watcher.started;
}

cl_int tf_semaphore_watch_add(struct tf_semaphore_watch *watch)
{
    TF_UNCANCELLED;
    bool is_watched;

    tf_idler_add(&idler);
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

    // A full pipe wakes, too.
    while (write(tf_kept_fd(&watcher.pipe[WRITE_END]), "", 1) < 0 && errno == EINTR)
        continue;
}

void tf_semaphore_watch_forked(void) TF_NO_TSA
{
    tf_mutex_init(&watcher.lock, TF_RANK_LEAF);
    watcher.first = watcher.last = NULL;
    watcher.started = false;
    // It would wake the parent's thread.
    for (int end = READ_END; end <= WRITE_END; end++)
        tf_kept_fd_close(&watcher.pipe[end]);
}
