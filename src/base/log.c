// SPDX-License-Identifier: MIT
#include "base/log.h"

#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/env.h"

static const char *const names[TF_LOG_CATEGORIES] = {
    [TF_LOG_ERROR] = "error", [TF_LOG_API] = "api",       [TF_LOG_BUILD] = "build",
    [TF_LOG_QUEUE] = "queue", [TF_LOG_DEVICE] = "device",
};
static bool on[TF_LOG_CATEGORIES];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_setting(void)
{
    for (int i = 0; i < TF_LOG_CATEGORIES; i++)
        on[i] = tf_env_lists(TF_ENV_LOG, names[i]);
}

bool tf_log_on(enum tf_log_category category)
{
    pthread_once(&once, read_setting);
    return on[category];
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
    if (write(STDERR_FILENO, line, used) < 0)
        return; // nowhere to complain
}
