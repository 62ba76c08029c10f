// SPDX-License-Identifier: MIT
#include "trace/trace_events.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>

#include "base/alloc.h"
#include "trace/trace_chunk.h"
#include "trace/trace_text.h"

enum {
    QUEUES_PROCESS = 10000000, // beyond the numbers that processes have
    LANES = 16,                // of a queue; commands of more run at the same time
    MOST_EVENT = 2048,         // bytes: two names and some hundred beside them
};

// ---- Text ----

static void write_out(struct tf_trace_out *out)
{
    size_t done = 0;

    while (done < out->used && !out->has_failed) {
        const ssize_t n = write(out->fd, out->text + done, out->used - done);

        if (n > 0)
            done += (size_t)n;
        else if (n == 0 || errno != EINTR)
            out->has_failed = true;
    }
    out->used = 0;
}

bool tf_trace_flush(struct tf_trace_out *out)
{
    write_out(out);
    return !out->has_failed;
}

// Where the next event goes.
static char *begin(struct tf_trace_out *out)
{
    if (out->used + MOST_EVENT > TF_TRACE_OUT)
        write_out(out);
    return out->text + out->used;
}

static void end(struct tf_trace_out *out, const char *at)
{
    out->used = (size_t)(at - out->text);
}

void tf_trace_put_text(struct tf_trace_out *out, const char *text)
{
    end(out, tf_trace_text(begin(out), text));
}

static inline char *put_field(char *at, const char *name, uint64_t n)
{
    return tf_trace_number_text(tf_trace_text(at, name), n);
}

// ---- Events ----

static char *put_start(struct tf_trace_out *out, char *at, const char *how,
                       const char *name)
{
    at = tf_trace_text(at, out->has_events ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    out->has_events = true;
    at = tf_trace_text(at, how);
    return tf_trace_quoted(tf_trace_text(at, "\",\"name\":"), name);
}

static char *put_track(char *at, uint64_t process, uint64_t thread)
{
    return put_field(put_field(at, ",\"pid\":", process), ",\"tid\":", thread);
}

static uint64_t since(const struct tf_trace_out *out, uint64_t ns)
{
    return ns > out->zero_ns ? ns - out->zero_ns : 0;
}

static char *put_span(const struct tf_trace_out *out, char *at,
                      const struct tf_trace_record *r)
{
    at = tf_trace_time_text(tf_trace_text(at, ",\"ts\":"), since(out, r->start_ns));
    at = tf_trace_text(at, ",\"dur\":");
    at = tf_trace_time_text(at, r->end_ns > r->start_ns ? r->end_ns - r->start_ns : 0);
    return tf_trace_text(at, "}");
}

static uint64_t queue_thread(const struct tf_trace_record *command)
{
    return (uint64_t)command->number * LANES + command->lane;
}

static void put_named(struct tf_trace_out *out, const char *what, uint64_t process,
                      uint64_t thread, const char *name)
{
    char *at = put_start(out, begin(out), "M", what);

    at = tf_trace_text(put_track(at, process, thread), ",\"args\":{\"name\":");
    end(out, tf_trace_text(tf_trace_quoted(at, name), "}}"));
}

// ---- Records ----

// What events of one kind, name and thread have in common, which is most of their text:
// an event begins with it. Texts are the same where their addresses are.
struct head {
    const char *name, *note;
    uint64_t thread;
    uint8_t kind;
    uint16_t bytes; // 0: none yet
    char text[228];
};

enum { HEADS = 64 };

struct heads {
    struct tf_trace_out *out;
    struct head *kept; // HEADS, owned; NULL when memory ran out
};

static char *make_head(struct tf_trace_out *out, char *at,
                       const struct tf_trace_record *r, uint64_t thread)
{
    static const char *const categories[] = {[TF_TRACE_CALL] = ",\"cat\":\"api\"",
                                             [TF_TRACE_STAGE] = ",\"cat\":\"build\"",
                                             [TF_TRACE_WORK] = ",\"cat\":\"work\"",
                                             [TF_TRACE_MOVE] = ",\"cat\":\"work\"",
                                             [TF_TRACE_COMMAND] = ",\"cat\":\"command\""};
    const bool is_command = r->kind == TF_TRACE_COMMAND;

    at = put_start(out, at, "X", r->name);
    at = tf_trace_text(at, categories[r->kind]);
    at = put_track(at, is_command ? QUEUES_PROCESS : out->process, thread);
    at = tf_trace_text(at, ",\"args\":{");
    if (is_command)
        return tf_trace_quoted(tf_trace_text(at, "\"type\":"), r->note);
    if (r->kind == TF_TRACE_WORK) {
        at = tf_trace_quoted(tf_trace_text(at, "\"code\":"), r->note);
        return tf_trace_text(at, ",\"command\":");
    }
    return tf_trace_text(at, r->kind == TF_TRACE_MOVE ? "\"command\":" : "\"code\":");
}

static char *put_head(struct heads *heads, char *at, const struct tf_trace_record *r,
                      uint64_t thread)
{
    const uint64_t mixed =
        (((uintptr_t)r->name + thread) * UINT64_C(0x9e3779b97f4a7c15)) >> 32;
    struct head *head = heads->kept ? &heads->kept[mixed % HEADS] : NULL;
    char *behind;

    if (head && head->bytes && head->name == r->name && head->note == r->note &&
        head->thread == thread && head->kind == r->kind) {
        memcpy(at, head->text, head->bytes);
        return at + head->bytes;
    }
    behind = make_head(heads->out, at, r, thread);
    if (head && (size_t)(behind - at) <= sizeof(head->text)) {
        *head = (struct head){.name = r->name,
                              .note = r->note,
                              .thread = thread,
                              .kind = r->kind,
                              .bytes = (uint16_t)(behind - at)};
        memcpy(head->text, at, head->bytes);
    }
    return behind;
}

static void put_call(struct heads *heads, const struct tf_trace_record *r,
                     const struct tf_trace_chunk *chunk)
{
    char *at = put_head(heads, begin(heads->out), r, (uint64_t)chunk->thread);

    at = tf_trace_text(tf_trace_signed_text(at, r->status), "}");
    end(heads->out, put_span(heads->out, at, r));
}

static void put_work(struct heads *heads, const struct tf_trace_record *r,
                     const struct tf_trace_chunk *chunk)
{
    char *at = put_head(heads, begin(heads->out), r, (uint64_t)chunk->thread);

    at = tf_trace_number_text(at, r->id);
    if (r->kind == TF_TRACE_WORK && r->launch)
        at = put_field(at, ",\"launch\":", r->launch);
    at = r->kind == TF_TRACE_MOVE ? put_field(at, ",\"bytes\":", r->amount)
                                  : put_field(at, ",\"groups\":", r->amount);
    end(heads->out, put_span(heads->out, tf_trace_text(at, "}"), r));
}

static void put_command(struct heads *heads, const struct tf_trace_record *r)
{
    char *at = put_head(heads, begin(heads->out), r, queue_thread(r));

    if (r->amount)
        at = put_field(at, ",\"bytes\":", r->amount);
    at = put_field(at, ",\"command\":", r->id);
    at = put_field(at, ",\"waited_ns\":",
                   r->start_ns > r->queued_ns ? r->start_ns - r->queued_ns : 0);
    at = tf_trace_signed_text(tf_trace_text(at, ",\"status\":"), r->status);
    end(heads->out, put_span(heads->out, tf_trace_text(at, "}"), r));
}

// ---- Commands, among each other ----

struct commands {
    struct tf_trace_out *out;
    struct heads heads;
    struct tf_trace_record **all;
    size_t count, room;
    bool sorted_by_id; // else by queue and start
};

static void take_command(struct tf_trace_record *r, const struct tf_trace_chunk *chunk,
                         void *arg)
{
    struct commands *commands = arg;

    (void)chunk;
    if (r->kind == TF_TRACE_COMMAND && commands->count < commands->room)
        commands->all[commands->count++] = r;
}

static int by_start(const void *a, const void *b)
{
    const struct tf_trace_record *x = *(struct tf_trace_record *const *)a;
    const struct tf_trace_record *y = *(struct tf_trace_record *const *)b;

    if (x->number != y->number)
        return x->number < y->number ? -1 : 1;
    return x->start_ns < y->start_ns ? -1 : x->start_ns > y->start_ns;
}

static int by_id(const void *a, const void *b)
{
    const struct tf_trace_record *x = *(struct tf_trace_record *const *)a;
    const struct tf_trace_record *y = *(struct tf_trace_record *const *)b;

    return x->id < y->id ? -1 : x->id > y->id;
}

// Each command gets the first lane of its queue where nothing is going on.
static void choose_lanes(struct commands *commands)
{
    uint64_t free_ns[LANES] = {0};

    for (size_t i = 0; i < commands->count; i++) {
        struct tf_trace_record *r = commands->all[i];
        uint8_t lane = 0;

        if (i > 0 && r->number != commands->all[i - 1]->number)
            memset(free_ns, 0, sizeof(free_ns));
        while (lane + 1 < LANES && free_ns[lane] > r->start_ns)
            lane++;
        r->lane = lane;
        if (free_ns[lane] == 0) {
            char name[48];

            snprintf(name, sizeof(name), lane ? "queue %u, lane %u" : "queue %u",
                     r->number, lane + 1u);
            put_named(commands->out, "thread_name", QUEUES_PROCESS, queue_thread(r),
                      name);
        }
        free_ns[lane] = r->end_ns;
    }
}

static const struct tf_trace_record *find(struct commands *commands, uint64_t id)
{
    const struct tf_trace_record wanted = {.id = id}, *key = &wanted;
    struct tf_trace_record **found;

    if (commands->count == 0)
        return NULL;
    if (!commands->sorted_by_id)
        tf_trace_sort(commands->all, commands->count, by_id);
    commands->sorted_by_id = true;
    found = bsearch(&key, commands->all, commands->count, sizeof(*commands->all), by_id);
    return found ? *found : NULL;
}

static void put_flow_end(struct tf_trace_out *out, const char *how,
                         const struct tf_trace_record *command)
{
    char *at = put_start(out, begin(out), how, "waits for");

    if (*how == 'f') // what begins there, not what comes next
        at = tf_trace_text(at, ",\"bp\":\"e\"");
    at = put_field(at, ",\"cat\":\"dependency\",\"id\":", out->flows);
    at = put_track(at, QUEUES_PROCESS, queue_thread(command));
    at = tf_trace_time_text(tf_trace_text(at, ",\"ts\":"), since(out, command->start_ns));
    end(out, tf_trace_text(at, "}"));
}

// An arrow from the command that is waited for. Nothing where one of them is none of a
// queue, or is in the part of the file that was written before.
static void put_dependency(struct commands *commands, const struct tf_trace_record *r)
{
    const struct tf_trace_record *waiter = find(commands, r->id);
    const struct tf_trace_record *awaited = find(commands, r->amount);

    if (!waiter || !awaited)
        return;
    commands->out->flows++;
    put_flow_end(commands->out, "s", awaited);
    put_flow_end(commands->out, "f", waiter);
}

static void put_record(struct tf_trace_record *r, const struct tf_trace_chunk *chunk,
                       void *arg)
{
    struct commands *commands = arg;

    switch ((enum tf_trace_kind)r->kind) {
    case TF_TRACE_CALL:
    case TF_TRACE_STAGE:
        put_call(&commands->heads, r, chunk);
        break;
    case TF_TRACE_WORK:
    case TF_TRACE_MOVE:
        put_work(&commands->heads, r, chunk);
        break;
    case TF_TRACE_COMMAND:
        put_command(&commands->heads, r);
        break;
    case TF_TRACE_DEPENDENCY:
        put_dependency(commands, r);
        break;
    case TF_TRACE_KINDS:
        break;
    }
}

void tf_trace_put_events(struct tf_trace_out *out, struct tf_trace_chunk *chunks)
{
    struct commands commands = {.out = out, .heads.out = out};

    if (!chunks)
        return;
    put_named(out, "process_name", QUEUES_PROCESS, 0, "OpenCL queues");
    for (const struct tf_trace_chunk *c = chunks; c; c = c->next)
        if (!c->is_named)
            put_named(out, "thread_name", out->process, (uint64_t)c->thread,
                      c->thread_name);
    commands.room = tf_trace_most(chunks, TF_TRACE_COMMAND);
    if (commands.room > 0)
        commands.all = tf_zalloc(commands.room * sizeof(*commands.all));
    if (commands.all) {
        tf_trace_each(chunks, take_command, &commands);
        tf_trace_sort(commands.all, commands.count, by_start);
        choose_lanes(&commands);
    }
    commands.heads.kept = tf_zalloc(HEADS * sizeof(*commands.heads.kept));
    tf_trace_each(chunks, put_record, &commands);
    tf_free(commands.heads.kept);
    tf_free(commands.all);
}
