// SPDX-License-Identifier: MIT
// trefoil-cache: what the cache on disk holds, and how to be rid of it. Everything may be
// done while other processes use the cache.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/env.h"
#include "cache/cache_folder.h"
#include "cache/cache_store.h"
#include "cache/cache_trim.h"
#include "trefoil-cache-help.h"

static const char rooms[] = "0123456789abcdef";

struct visit {
    int folder;
    char room;
    const struct tf_cache_file *file;
    enum tf_cache_kind kind;
    bool is_content; // false: something half written, or not ours
    struct tf_digest key;
};

// What a command counts.
struct totals {
    unsigned long files, programs, objects, faults, refused, removed;
    unsigned long long bytes, removed_bytes;
};

static void path_of(const struct visit *v, char *path, size_t bytes)
{
    snprintf(path, bytes, "%c/%s", v->room, v->file->name);
}

static bool drop(const struct visit *v)
{
    char path[sizeof(v->file->name) + 2];

    path_of(v, path, sizeof(path));
    return !unlinkat(v->folder, path, 0) || errno == ENOENT;
}

static void list_one(const struct visit *v, struct totals *totals)
{
    const time_t used = v->file->used_s;
    char when[32] = "?";
    struct tm parts;

    (void)totals;
    if (localtime_r(&used, &parts))
        strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &parts);
    printf("%-8s%10llu  %s  %s\n",
           !v->is_content                ? "other"
           : v->kind == TF_CACHE_PROGRAM ? "program"
                                         : "code",
           (unsigned long long)v->file->bytes, when, v->file->name);
}

static void verify_one(const struct visit *v, struct totals *totals)
{
    struct tf_cache_content content;
    char path[sizeof(v->file->name) + 2];

    if (!v->is_content)
        return;
    path_of(v, path, sizeof(path));
    if (tf_cache_read_file(v->folder, path, v->kind, &v->key, &content)) {
        tf_free(content.block);
        return;
    }
    if (faccessat(v->folder, path, F_OK, 0))
        return; // another process removed it meanwhile
    printf("damaged: %s%s\n", path, drop(v) ? "" : " (cannot be removed)");
    totals->faults++;
}

static void clear_one(const struct visit *v, struct totals *totals)
{
    const bool is_ours = v->is_content || !strncmp(v->file->name, TF_CACHE_TEMPORARY,
                                                   strlen(TF_CACHE_TEMPORARY));

    if (!is_ours) {
        printf("left: %c/%s is not of the cache\n", v->room, v->file->name);
    } else if (!drop(v)) {
        fprintf(stderr, "trefoil-cache: %s: %s\n", v->file->name, strerror(errno));
        totals->faults++;
    } else {
        totals->removed++;
        totals->removed_bytes += v->file->bytes;
    }
}

// A room that is missing holds nothing; one that is no folder is never used.
static bool is_refused(int folder, char room)
{
    const int fd = tf_cache_open_room(folder, room);

    if (fd >= 0)
        close(fd);
    else if (errno != ENOENT)
        fprintf(stderr, "trefoil-cache: room %c is not used: %s\n", room,
                tf_cache_refusal(errno));
    return fd < 0 && errno != ENOENT;
}

static void visit_all(int folder, void (*visit)(const struct visit *, struct totals *),
                      struct totals *totals)
{
    for (const char *room = rooms; *room; room++) {
        size_t count;
        struct tf_cache_file *files;

        totals->refused += is_refused(folder, *room);
        files = tf_cache_list(folder, *room, &count);
        for (size_t i = 0; i < count; i++) {
            struct visit v = {.folder = folder, .room = *room, .file = &files[i]};

            v.is_content = tf_cache_parse_name(files[i].name, &v.kind, &v.key);
            totals->files++;
            totals->bytes += files[i].bytes;
            totals->programs += v.is_content && v.kind == TF_CACHE_PROGRAM;
            totals->objects += v.is_content && v.kind == TF_CACHE_OBJECT;
            if (visit)
                visit(&v, totals);
        }
        tf_free(files);
    }
}

static int run(const char *command, const struct tf_cache *cache, int folder)
{
    struct totals totals = {0};

    if (!strcmp(command, "list")) {
        visit_all(folder, list_one, &totals);
    } else if (!strcmp(command, "verify")) {
        visit_all(folder, verify_one, &totals);
        printf("%lu files, %lu damaged\n", totals.files, totals.faults);
    } else if (!strcmp(command, "clear")) {
        visit_all(folder, clear_one, &totals);
        printf("%lu files, %llu bytes removed\n", totals.removed, totals.removed_bytes);
    } else {
        visit_all(folder, NULL, &totals);
        printf("%s: %lu programs, %lu objects, %lu other files, %.1f of %llu MiB\n",
               cache->folder, totals.programs, totals.objects,
               totals.files - totals.programs - totals.objects,
               (double)totals.bytes / (1 << 20),
               (unsigned long long)(cache->cap_bytes >> 20));
    }
    return totals.faults || totals.refused ? EXIT_FAILURE : EXIT_SUCCESS;
}

// What could not be written was not said: a full disk, a closed output.
static int after_output(int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    fputs("trefoil-cache: the output could not be written\n", stderr);
    return EXIT_FAILURE;
}

int main(int argc, char **argv)
{
    static const char *const commands[] = {"list", "size", "verify", "clear"};
    struct tf_cache cache;
    bool known = false;
    int folder, status;

    for (size_t i = 0; argc == 2 && i < sizeof(commands) / sizeof(*commands); i++)
        known |= !strcmp(argv[1], commands[i]);
    if (!known) {
        const bool asked =
            argc == 2 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h"));

        fputs(asked ? help_text : usage_text, asked ? stdout : stderr);
        return asked ? after_output(EXIT_SUCCESS) : 2;
    }
    tf_env_tell();
    if (!tf_cache_of_environment(&cache)) {
        puts("there is no cache: TREFOIL_CACHE is off, or there is no HOME");
        return after_output(EXIT_SUCCESS);
    }
    folder = tf_cache_open(&cache);
    if (folder < 0) {
        if (errno == ENOENT) {
            printf("%s: nothing is kept yet\n", cache.folder);
            return after_output(EXIT_SUCCESS);
        }
        fprintf(stderr, "trefoil-cache: %s is not used: %s\n", cache.folder,
                tf_cache_refusal(errno));
        return EXIT_FAILURE;
    }
    status = run(argv[1], &cache, folder);
    close(folder);
    return after_output(status);
}
