// SPDX-License-Identifier: MIT
#include "support/forks.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { STEP_US = 1000, MOST_MS = 60000 };

#if defined(__SANITIZE_THREAD__)
const char *__tsan_default_options(void);

// ThreadSanitizer otherwise ends a child of a process with threads as soon as it starts
// one.
__attribute__((visibility("default"))) const char *__tsan_default_options(void)
{
    return "die_after_fork=0";
}
#endif

// What was seen of the other threads, each at a moment of its own.
struct sight {
    bool all_sleep;
    unsigned long ids, switches; // sums
};

static void look_at(struct sight *s, const char *id)
{
    char path[300], line[200], state;
    unsigned long switches;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/self/task/%s/status", id);
    file = fopen(path, "r");
    if (!file)
        return; // it has ended
    s->ids += strtoul(id, NULL, 10);
    while (fgets(line, sizeof(line), file)) {
        if (sscanf(line, "State: %c", &state) == 1)
            s->all_sleep &= state == 'S';
        else if (sscanf(line, "voluntary_ctxt_switches: %lu", &switches) == 1 ||
                 sscanf(line, "nonvoluntary_ctxt_switches: %lu", &switches) == 1)
            s->switches += switches;
    }
    fclose(file);
}

static struct sight look(void)
{
    DIR *folder = opendir("/proc/self/task");
    struct sight s = {.all_sleep = folder != NULL};

    for (const struct dirent *entry; folder && (entry = readdir(folder));)
        if (entry->d_name[0] != '.' && strtol(entry->d_name, NULL, 10) != gettid())
            look_at(&s, entry->d_name);
    if (folder)
        closedir(folder);
    return s;
}

// Who sleeps at both looks and was not switched to in between slept at the moment between
// them.
bool tf_threads_rest(unsigned most_ms)
{
    struct sight last = look();

    for (unsigned ms = 0; ms < most_ms; ms++) {
        usleep(STEP_US);
        const struct sight now = look();

        if (last.all_sleep && now.all_sleep && last.ids == now.ids &&
            last.switches == now.switches)
            return true;
        last = now;
    }
    return false;
}

pid_t tf_fork(void)
{
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    if (!tf_threads_rest(MOST_MS))
        fprintf(stderr, "fork: other threads do not sleep\n");
#endif
    return fork();
}
