// SPDX-License-Identifier: MIT
#include "trace/trace_file.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/log.h"
#include "base/thread.h"

// ---- Where it is ----

// `plain` with %p replaced, absolute. False when it is too long.
static bool set_path(struct tf_trace_file *file)
{
    char *const folder = tf_zalloc(PATH_MAX);
    const char *plain = file->plain_path;
    const char *mark = strstr(plain, "%p");
    const int before = mark ? (int)(mark - plain) : (int)strlen(plain);
    int n = 0;

    if (!folder || (plain[0] != '/' && !getcwd(folder, PATH_MAX)))
        n = -1;
    else if (mark)
        n = snprintf(file->path, sizeof(file->path), "%s%s%.*s%ld%s", folder,
                     *folder ? "/" : "", before, plain, (long)getpid(), mark + 2);
    else
        n = snprintf(file->path, sizeof(file->path), "%s%s%s", folder, *folder ? "/" : "",
                     plain);
    tf_free(folder);
    return n > 0 && (size_t)n < sizeof(file->path);
}

// A file of its own, behind the name of which stands the process's number.
static void begin_own(struct tf_trace_file *file)
{
    const size_t bytes = strlen(file->path);

    file->begun = file->has_events = false;
    snprintf(file->path + bytes, sizeof(file->path) - bytes, ".%ld", (long)getpid());
}

void tf_trace_file_forked(struct tf_trace_file *file)
{
    begin_own(file);
    if (file->names_process)
        set_path(file);
}

// ---- Writing ----

// A file that would grow past RLIMIT_FSIZE, or a pipe that nobody reads, is an error of
// write() here, not a signal for the application.
struct quiet {
    sigset_t wanted, before;
};

static void begin_quiet(struct quiet *quiet)
{
    sigemptyset(&quiet->wanted);
    sigaddset(&quiet->wanted, SIGXFSZ);
    sigaddset(&quiet->wanted, SIGPIPE);
    pthread_sigmask(SIG_BLOCK, &quiet->wanted, &quiet->before);
}

static void end_quiet(const struct quiet *quiet, bool has_failed)
{
    const struct timespec now = {0};
    sigset_t own = quiet->wanted;

    // One that was blocked before is not ours to take.
    if (sigismember(&quiet->before, SIGXFSZ))
        sigdelset(&own, SIGXFSZ);
    if (sigismember(&quiet->before, SIGPIPE))
        sigdelset(&own, SIGPIPE);
    while (has_failed && sigtimedwait(&own, NULL, &now) > 0)
        continue;
    pthread_sigmask(SIG_SETMASK, &quiet->before, NULL);
}

static bool give_up(const struct tf_trace_file *file)
{
    tf_log(TF_LOG_ERROR, "the trace ends: %s: %s", file->path, strerror(errno));
    return false;
}

// Not O_NONBLOCK alone: a FIFO without a reader must not stop the application.
static int open_file(const struct tf_trace_file *file)
{
    const int how = file->begun ? O_APPEND : O_CREAT;

    return open(file->path, O_WRONLY | O_CLOEXEC | O_NOCTTY | O_NONBLOCK | how, 0666);
}

// Others that trace into the same name hold the file while they look at it or write. One
// that is stopped meanwhile does not stop this process. Not all files can be held.
static bool hold(int fd)
{
    enum { TRIES = 1000 };
    const struct timespec pause = {.tv_nsec = 1000000};

    for (unsigned i = 0; i < TRIES; i++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return true;
        nanosleep(&pause, NULL);
    }
    return false;
}

// A child that was forked meanwhile has the descriptor, too, and would keep the file.
static int let_go(int fd)
{
    flock(fd, LOCK_UN);
    return close(fd);
}

// Whether a file that was begun is as it was left: another process that traces into the
// same name makes it anew, and what both write would be no JSON.
static bool is_as_left(const struct tf_trace_file *file, int fd)
{
    struct stat now;

    return !file->begun || fstat(fd, &now) != 0 || !S_ISREG(now.st_mode) ||
           (uint64_t)now.st_size == file->size_bytes;
}

// A file that is held is begun anew.
static bool empty(int fd)
{
    struct stat now;

    return fstat(fd, &now) != 0 || !S_ISREG(now.st_mode) || ftruncate(fd, 0) == 0;
}

// Opens and holds the file, as it was left or empty. -1: errno says why, EBUSY that it is
// another process's.
static int take_file(const struct tf_trace_file *file)
{
    const int fd = open_file(file);
    int fault = 0;

    if (fd < 0)
        return -1;
    if (!hold(fd) || !is_as_left(file, fd))
        fault = EBUSY;
    else if (!file->begun && !empty(fd))
        fault = errno;
    if (!fault)
        return fd;
    let_go(fd);
    errno = fault;
    return -1;
}

static void note_size(struct tf_trace_file *file, int fd)
{
    struct stat now;

    file->size_bytes = fstat(fd, &now) == 0 ? (uint64_t)now.st_size : 0;
}

static bool write_events(struct tf_trace_file *file, struct tf_trace_chunk *chunks,
                         bool ends)
{
    struct tf_trace_out out = {.process = (uint64_t)getpid(),
                               .zero_ns = file->zero_ns,
                               .has_events = file->has_events,
                               .flows = file->flows,
                               .text = file->text};
    bool ok;

    out.fd = take_file(file);
    if (out.fd < 0 && errno == EBUSY) {
        if (ends) // of what is no more
            return true;
        tf_log(TF_LOG_ERROR, "another process traces into %s: this one adds .%ld",
               file->path, (long)getpid());
        begin_own(file);
        out.has_events = false;
        out.fd = take_file(file);
    }
    if (out.fd < 0)
        return false;
    if (!file->begun)
        tf_trace_put_text(&out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
    tf_trace_put_events(&out, chunks);
    if (ends)
        tf_trace_put_text(&out, "\n]}\n");
    ok = tf_trace_flush(&out);
    note_size(file, out.fd);
    if (let_go(out.fd) != 0)
        ok = false;
    file->begun = true;
    file->has_events = out.has_events;
    file->flows = out.flows;
    return ok;
}

static bool write_quietly(struct tf_trace_file *file, struct tf_trace_chunk *chunks,
                          bool ends)
{
    struct quiet quiet;
    bool ok;
    TF_UNCANCELLED;

    begin_quiet(&quiet);
    ok = write_events(file, chunks, ends);
    if (!ok)
        give_up(file);
    end_quiet(&quiet, !ok);
    return ok;
}

bool tf_trace_file_add(struct tf_trace_file *file, struct tf_trace_chunk *chunks)
{
    return write_quietly(file, chunks, false);
}

void tf_trace_file_end(struct tf_trace_file *file)
{
    if (file->begun)
        write_quietly(file, NULL, true);
}

bool tf_trace_file_begin(struct tf_trace_file *file, const char *path, uint64_t now_ns)
{
    if (strlen(path) >= sizeof(file->plain_path)) {
        errno = ENAMETOOLONG;
        return false;
    }
    strcpy(file->plain_path, path);
    file->names_process = strstr(path, "%p");
    file->zero_ns = now_ns;
    // Now, so that a path that is wrong is told before the work, not after it.
    return set_path(file) && write_quietly(file, NULL, false);
}
