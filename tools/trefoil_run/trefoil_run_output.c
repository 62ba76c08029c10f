// SPDX-License-Identifier: MIT
// Kernels that print: standard output is caught as a file below the C library, so that
// only what the implementation has flushed counts.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trefoil_run_exec.h"

bool run_capture_start(struct run_capture *capture)
{
    char path[] = "/tmp/trefoil-run-XXXXXX";

    fflush(stdout);
    capture->file = mkstemp(path);
    if (capture->file < 0)
        return false;
    unlink(path);
    capture->saved = dup(STDOUT_FILENO);
    if (capture->saved >= 0 && dup2(capture->file, STDOUT_FILENO) >= 0)
        return true;
    close(capture->file);
    if (capture->saved >= 0)
        close(capture->saved);
    return false;
}

char *run_capture_stop(struct run_capture *capture)
{
    const off_t bytes = lseek(capture->file, 0, SEEK_END);
    char *text = bytes < 0 ? NULL : calloc(1, (size_t)bytes + 1);

    for (off_t at = 0; text && at < bytes;) {
        const ssize_t got = pread(capture->file, text + at, (size_t)(bytes - at), at);

        if (got <= 0) {
            free(text);
            text = NULL;
        } else {
            at += got;
        }
    }
    fflush(stdout); // what comes too late is not to mix with our own output
    dup2(capture->saved, STDOUT_FILENO);
    close(capture->saved);
    close(capture->file);
    return text;
}

struct lines {
    const char **items;
    size_t count;
};

static void add_line(struct lines *lines, const char *line)
{
    lines->items = realloc(lines->items, (lines->count + 1) * sizeof(*lines->items));
    if (!lines->items)
        abort();
    lines->items[lines->count++] = line;
}

static int compare_lines(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

static void sort_lines(struct lines *lines)
{
    if (lines->count)
        qsort(lines->items, lines->count, sizeof(*lines->items), compare_lines);
}

// The first difference of two sorted lists.
static bool compare(const struct lines *got, const struct lines *expected, char *message)
{
    for (size_t n = 0; n < got->count || n < expected->count; n++) {
        const char *g = n < got->count ? got->items[n] : NULL;
        const char *e = n < expected->count ? expected->items[n] : NULL;
        const int order = !g ? 1 : !e ? -1 : strcmp(g, e);

        if (order == 0)
            continue;
        snprintf(message, RUN_ERROR_BYTES,
                 order < 0 ? "printed, but not expected: \"%.100s\""
                           : "expected, but not printed: \"%.100s\"",
                 order < 0 ? g : e);
        return false;
    }
    return true;
}

bool run_check_output(const struct run_launch *r, const char *text, char *message)
{
    struct lines got = {0}, expected = {0};
    char *copy = strdup(text), *save = copy;
    bool same;

    if (!copy)
        abort();
    for (char *line; save && *save;) {
        line = strsep(&save, "\n");
        add_line(&got, line);
    }
    for (size_t n = 0; n < r->n_outputs; n++)
        for (size_t k = 0; k < r->outputs[n].times; k++)
            add_line(&expected, r->outputs[n].text);
    sort_lines(&got);
    sort_lines(&expected);
    same = compare(&got, &expected, message);
    free(got.items);
    free(expected.items);
    free(copy);
    return same;
}
