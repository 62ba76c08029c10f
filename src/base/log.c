// SPDX-License-Identifier: MIT
#include "base/log.h"

#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"
#include "base/thread.h"

static const char *const names[TF_LOG_CATEGORIES] = {
    [TF_LOG_ERROR] = "error", [TF_LOG_API] = "api",       [TF_LOG_BUILD] = "build",
    [TF_LOG_QUEUE] = "queue", [TF_LOG_DEVICE] = "device",
};

enum { IS_READ = 1u << TF_LOG_CATEGORIES };
static atomic_uint on; // a bit for each category, and IS_READ

// Many threads may do this at a time: they all read the same.
static unsigned read_setting(void)
{
    unsigned bits = IS_READ;

    for (unsigned i = 0; i < TF_LOG_CATEGORIES; i++)
        bits |= (unsigned)tf_env_lists(TF_ENV_LOG, names[i]) << i;
    atomic_store_explicit(&on, bits, memory_order_relaxed);
    return bits;
}

bool tf_log_on(enum tf_log_category category)
{
    unsigned bits = atomic_load_explicit(&on, memory_order_relaxed);

    if (!bits)
        bits = read_setting();
    return bits >> category & 1;
}

static void write_line(const char *line, size_t bytes)
{
    TF_UNCANCELLED;

    if (write(STDERR_FILENO, line, bytes) < 0)
        return; // nowhere to complain
}

void tf_log(enum tf_log_category category, const char *fmt, ...)
{
    char line[1024];
    size_t used;
    va_list args;
    int n;

    if (!tf_log_on(category))
        return;
    used = (size_t)snprintf(line, sizeof(line), "trefoil: %s: ", names[category]);
    va_start(args, fmt);
    n = vsnprintf(line + used, sizeof(line) - used, fmt, args);
    va_end(args);
    used =
        n < 0 || used + (size_t)n >= sizeof(line) - 1 ? strlen(line) : used + (size_t)n;
    if (used == sizeof(line) - 1)
        used--; // cut: room for the line's end
    line[used++] = '\n';
    write_line(line, used);
}
