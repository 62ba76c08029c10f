// SPDX-License-Identifier: MIT
// Messages: on standard error, as lines of JSON, and to the context's callback. Each
// fault is told once, when it is first seen, and counted from then on.
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <fcntl.h>

#include "base/alloc.h"
#include "base/env.h"
#include "base/str.h"
#include "base/thread.h"
#include "devices/cpu/check/check_family.h"
#include "devices/cpu/check/check_state.h"

enum { MAX_FAULTS = 4096 }; // that are told apart: a power of two

static struct tf_mutex lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF);
static uint64_t seen[MAX_FAULTS] TF_GUARDED_BY(&lock); // digests; 0: free
static unsigned seen_count TF_GUARDED_BY(&lock);
static atomic_ullong fault_count, item_count;
static atomic_bool has_end;

static void write_all(int file, const char *text, size_t bytes)
{
    TF_UNCANCELLED;

    if (write(file, text, bytes) < 0)
        return; // nowhere to complain
}

// Also where there was nothing: it says that something was looked at.
static void tell_end(void)
{
    const unsigned long long faults = atomic_load(&fault_count);
    const unsigned long long items = atomic_load(&item_count);
    char line[200];
    unsigned places;
    int bytes;

    tf_lock(&lock);
    places = seen_count;
    tf_unlock(&lock);
    bytes = snprintf(line, sizeof(line),
                     "trefoil: check: %llu fault%s, %u different, in %llu work-items\n",
                     faults, faults == 1 ? "" : "s", places, items);
    write_all(STDERR_FILENO, line, (size_t)bytes);
}

void tf_check_count_item(void)
{
    atomic_fetch_add_explicit(&item_count, 1, memory_order_relaxed);
    if (!atomic_load_explicit(&has_end, memory_order_relaxed) &&
        !atomic_exchange(&has_end, true))
        atexit(tell_end);
}

static uint64_t mix(uint64_t hash, uint64_t value)
{
    return (hash ^ value) * 0x9e3779b97f4a7c15u + (hash >> 29);
}

// True if it was not there. Where there is no more room, nothing is new.
static bool insert(uint64_t digest)
{
    size_t at = digest & (MAX_FAULTS - 1);
    bool is_new = false;

    tf_lock(&lock);
    if (seen_count < MAX_FAULTS / 2) {
        while (seen[at] && seen[at] != digest)
            at = (at + 1) & (MAX_FAULTS - 1);
        is_new = !seen[at];
        seen[at] = digest;
        seen_count += is_new;
    }
    tf_unlock(&lock);
    return is_new;
}

// In the source: what is inlined at several calls has as many sites.
uint64_t tf_check_place(const struct tf_check_table *table, uint64_t site)
{
    const struct tf_check_site *at = &tf_check_sites(table)[site];
    uint64_t place = mix(table->digest, at->line ? at->file : site);

    place = mix(place, (uint64_t)at->line << 32 | at->column);
    place = mix(place, (uint64_t)at->op << 8 | at->base);
    return mix(place, (uint64_t)at->variable << 32 | at->arg) | 1;
}

bool tf_check_is_new(struct tf_check_question *q, const char *kind, uint64_t other)
{
    const uint64_t place = tf_check_place(
        q->item->table, (uint64_t)(q->site - tf_check_sites(q->item->table)));
    // A pair has no order.
    uint64_t digest = mix(place < other ? other : place, place < other ? place : other);

    while (*kind)
        digest = mix(digest, (unsigned char)*kind++);
    atomic_fetch_add_explicit(&fault_count, 1, memory_order_relaxed);
    q->fails = true;
    return insert(digest | 1);
}

// ---- Text ----

#define THREE "(%" PRIu64 ", %" PRIu64 ", %" PRIu64 ")"
#define GIVE(id) (id)[0], (id)[1], (id)[2]

static void write_text(const struct tf_check_question *q, const char *kind,
                       const char *what, const char *where, struct tf_str *out)
{
    const struct tf_check_table *table = q->item->table;
    const char *file = tf_check_text(table, q->site->file);
    struct tf_check_point at;

    tf_check_ids(q, &at);
    tf_str_printf(out, "trefoil: check: %s: kernel %s", kind,
                  tf_check_text(table, table->kernel));
    if (q->site->line)
        tf_str_printf(out, ", %s:%u:%u", file, q->site->line, q->site->column);
    tf_str_printf(out, ": %s\n", what);
    if (where[0])
        tf_str_printf(out, "    %s\n", where);
    tf_str_printf(out,
                  "    by work-item " THREE ", which is " THREE " of group " THREE "\n",
                  GIVE(at.global_id), GIVE(at.local_id), GIVE(at.group_id));
    if (tf_check_parent(q, &table, &at)) {
        const struct tf_check_site *site = &tf_check_sites(table)[at.site];

        tf_str_printf(out,
                      "    enqueued by kernel %s, %s:%u:%u, work-item " THREE
                      ", which is " THREE " of group " THREE "\n",
                      tf_check_text(table, table->kernel),
                      tf_check_text(table, site->file), site->line, site->column,
                      GIVE(at.global_id), GIVE(at.local_id), GIVE(at.group_id));
    }
}

static void add_json(struct tf_str *out, const char *text)
{
    tf_str_add(out, "\"");
    for (; *text; text++) {
        if (*text == '"' || *text == '\\')
            tf_str_printf(out, "\\%c", *text);
        else if ((unsigned char)*text < ' ')
            tf_str_printf(out, "\\u%04x", (unsigned)(unsigned char)*text);
        else
            tf_str_add_bytes(out, text, 1);
    }
    tf_str_add(out, "\"");
}

static void write_json(const struct tf_check_question *q, const char *kind,
                       const char *what, const char *where, struct tf_str *out)
{
    const struct tf_check_table *table = q->item->table;
    struct tf_check_point at;

    tf_check_ids(q, &at);
    tf_str_add(out, "{\"kind\":");
    add_json(out, kind);
    tf_str_add(out, ",\"kernel\":");
    add_json(out, tf_check_text(table, table->kernel));
    tf_str_add(out, ",\"file\":");
    add_json(out, tf_check_text(table, q->site->file));
    tf_str_printf(out, ",\"line\":%u,\"column\":%u,\"what\":", q->site->line,
                  q->site->column);
    add_json(out, what);
    tf_str_add(out, ",\"where\":");
    add_json(out, where);
#define JSON "[%" PRIu64 ",%" PRIu64 ",%" PRIu64 "]"
    tf_str_printf(out, ",\"global_id\":" JSON ",\"local_id\":" JSON ",\"group_id\":" JSON,
                  GIVE(at.global_id), GIVE(at.local_id), GIVE(at.group_id));
    if (tf_check_parent(q, &table, &at)) {
        tf_str_add(out, ",\"parent\":");
        add_json(out, tf_check_text(table, table->kernel));
        tf_str_printf(out, ",\"parent_line\":%u", tf_check_sites(table)[at.site].line);
    }
    tf_str_add(out, "}\n");
}

// Appended, each line by one write: several processes may share the file.
static void tell_file(const struct tf_check_question *q, const char *kind,
                      const char *what, const char *where)
{
    const char *path = tf_env_text(TF_ENV_CHECK_FILE);
    struct tf_str line = {0};
    TF_UNCANCELLED;
    int file;

    if (!path)
        return;
    write_json(q, kind, what, where, &line);
    file = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
    if (file >= 0) {
        write_all(file, line.text ? line.text : "", line.bytes);
        close(file);
    }
    tf_str_finish(&line);
}

void tf_check_tell(struct tf_check_question *q, const char *kind, const char *what,
                   const char *where)
{
    const char *action = tf_env_text(TF_ENV_CHECK_ACTION);
    struct tf_str text = {0};

    write_text(q, kind, what, where, &text);
    if (text.text && !text.failed) {
        write_all(STDERR_FILENO, text.text, text.bytes);
        if (q->cmd)
            tf_command_said((struct tf_command *)q->cmd, text.text);
    }
    tf_str_finish(&text);
    tell_file(q, kind, what, where);
    if (action && !strcmp(action, "abort"))
        abort();
}

void tf_check_tell_forked(void) TF_NO_TSA
{
    tf_mutex_init(&lock, TF_RANK_LEAF);
}
