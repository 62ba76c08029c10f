// SPDX-License-Identifier: MIT
#include "helpers.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "acceptance.h"

// A variable that every helper is given and that changes nothing for it.
#define VARIABLE "TREFOIL_DRIVER_VERSION"
#define LIMIT_S 100

void helpers_mark(const char *mark)
{
    EXPECT(setenv(VARIABLE, mark, 1) == 0);
}

static bool is_marked(const char *process, const char *mark)
{
    static char text[65536];
    char path[300], wanted[300];
    size_t bytes;
    FILE *file;

    snprintf(path, sizeof(path), "/proc/%s/cmdline", process);
    file = fopen(path, "r");
    bytes = file ? fread(text, 1, sizeof(text), file) : 0;
    if (file)
        fclose(file);
    if (!memmem(text, bytes, "trefoil-helper", strlen("trefoil-helper")))
        return false;
    snprintf(path, sizeof(path), "/proc/%s/environ", process);
    file = fopen(path, "r");
    bytes = file ? fread(text, 1, sizeof(text), file) : 0;
    if (file)
        fclose(file);
    snprintf(wanted, sizeof(wanted), VARIABLE "=%s", mark);
    return memmem(text, bytes, wanted, strlen(wanted) + 1);
}

int helpers_of(const char *mark, pid_t *found, int max)
{
    DIR *const all = opendir("/proc");
    const struct dirent *entry;
    int count = 0;

    EXPECT(all != NULL);
    while ((entry = readdir(all))) {
        if (strspn(entry->d_name, "0123456789") != strlen(entry->d_name) ||
            !is_marked(entry->d_name, mark))
            continue;
        if (count < max)
            found[count] = (pid_t)strtol(entry->d_name, NULL, 10);
        count++;
    }
    closedir(all);
    return count;
}

static int wait_for(const char *mark, int least, int most)
{
    const double end_s = acceptance_now_s() + LIMIT_S;
    int now = helpers_of(mark, NULL, 0);

    while ((now < least || now > most) && acceptance_now_s() < end_s) {
        acceptance_sleep_s(0.05);
        now = helpers_of(mark, NULL, 0);
    }
    return now;
}

int helpers_wait_for(const char *mark, int count)
{
    return wait_for(mark, count, count);
}

int helpers_wait_for_at_most(const char *mark, int count)
{
    return wait_for(mark, 0, count);
}

int helpers_descriptors(pid_t process)
{
    const struct dirent *entry;
    char path[64];
    int count = 0;
    DIR *all;

    snprintf(path, sizeof(path), "/proc/%d/fd", (int)process);
    all = opendir(path);
    EXPECT(all != NULL);
    while ((entry = readdir(all)))
        count += entry->d_name[0] != '.';
    closedir(all);
    return count;
}
