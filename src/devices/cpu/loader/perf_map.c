// SPDX-License-Identifier: MIT
#include "devices/cpu/loader/perf_map.h"

#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/env.h"
#include "base/log.h"
#include "base/thread.h"

static atomic_bool has_failed;

bool tf_perf_map_on(void)
{
    return tf_env_number(TF_ENV_PERF, 0) && // jitdump has names of its own
           !atomic_load_explicit(&has_failed, memory_order_relaxed);
}

static const char *without_prefix(const char *symbol)
{
    // The function that runs groups (abi/compiler.h), that of one work-item.
    static const char *const prefixes[] = {"tf_wg_", "tf_item_"};

    for (size_t i = 0; i < sizeof(prefixes) / sizeof(prefixes[0]); i++) {
        const size_t prefix_bytes = strlen(prefixes[i]);

        if (strncmp(symbol, prefixes[i], prefix_bytes) == 0)
            return symbol + prefix_bytes;
    }
    return NULL;
}

void tf_perf_function_name(char *out, size_t bytes, const char *name, const char *entry)
{
    const char *const kernel = without_prefix(name), *const of = without_prefix(entry);

    if (kernel)
        snprintf(out, bytes, "%.200s (kernel)", kernel);
    else if (of)
        snprintf(out, bytes, "%.150s (kernel), %.80s", of, name);
    else
        snprintf(out, bytes, "%.200s", name);
}

void tf_perf_map_name(struct tf_str *lines, const void *code, size_t bytes,
                      const char *name)
{
    tf_str_printf(lines, "%lx %zx %s\n", (unsigned long)(uintptr_t)code, bytes, name);
}

// The folder is everybody's: who follows a link there, or writes into a file that another
// user made, writes what he did not mean to.
int tf_perf_open_own(const char *path, int how)
{
    struct stat info;
    const int fd = open(path, how | O_CREAT | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK, 0600);

    if (fd < 0)
        return -1;
    if (fstat(fd, &info) == 0 && S_ISREG(info.st_mode) && info.st_uid == geteuid() &&
        info.st_nlink == 1)
        return fd;
    close(fd);
    errno = EPERM;
    return -1;
}

void tf_perf_map_write(struct tf_str *lines)
{
    char path[64];
    bool ok = false;
    int fd;
    TF_UNCANCELLED;

    snprintf(path, sizeof(path), "/tmp/perf-%ld.map", (long)getpid());
    fd = lines->failed || lines->bytes == 0 ? -1
                                            : tf_perf_open_own(path, O_WRONLY | O_APPEND);
    if (fd >= 0) {
        // One write, so that lines of threads do not mix.
        ok = write(fd, lines->text, lines->bytes) == (ssize_t)lines->bytes;
        ok &= close(fd) == 0;
    }
    if (!ok && lines->bytes > 0) {
        tf_log(TF_LOG_ERROR, "%s is not written: %s", path, strerror(errno));
        atomic_store_explicit(&has_failed, true, memory_order_relaxed);
    }
    tf_str_finish(lines);
}
