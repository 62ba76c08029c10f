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

enum {
    QUEUES_PROCESS = 10000000, // beyond the numbers that processes have
    LANES = 16,                // of a queue; commands of more run at the same time
};

// ---- Text ----

enum { MOST_DIGITS = 20 };
#define POWERS(x) (x), (x)*10, (x)*100, (x)*1000, (x)*10000
static const uint64_t powers[MOST_DIGITS] = {
    POWERS(UINT64_C(1)), POWERS(UINT64_C(100000)), POWERS(UINT64_C(10000000000)),
    POWERS(UINT64_C(1000000000000000))};

#define PAIRS(tens)                                                              \
    tens "0" tens "1" tens "2" tens "3" tens "4" tens "5" tens "6" tens "7" tens \
         "8" tens "9"
static const char pairs[] = PAIRS("0") PAIRS("1") PAIRS("2") PAIRS("3") PAIRS("4")
    PAIRS("5") PAIRS("6") PAIRS("7") PAIRS("8") PAIRS("9");

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

// Room for `bytes`, which are few.
static char *room_for(struct tf_trace_out *out, size_t bytes)
{
    if (out->used + bytes > TF_TRACE_OUT)
        write_out(out);
    return out->text + out->used;
}

// Inlined, so that lengths are known: there are some twenty pieces to an event.
static inline void put(struct tf_trace_out *out, const char *text)
{
    const size_t bytes = strlen(text);

    memcpy(room_for(out, bytes), text, bytes);
    out->used += bytes;
}

void tf_trace_put_text(struct tf_trace_out *out, const char *text)
{
    put(out, text);
}

// At least `digits` of them, which are at least one.
static void put_number(struct tf_trace_out *out, uint64_t n, unsigned digits)
{
    char *const start = room_for(out, MOST_DIGITS);
    char *at;

    for (uint64_t limit = powers[digits]; n >= limit; limit = powers[digits])
        if (++digits == MOST_DIGITS)
            break;
    at = start + digits;
    for (; n >= 10; n /= 100) {
        at -= 2;
        memcpy(at, &pairs[2 * (n % 100)], 2);
    }
    while (at > start) {
        *--at = (char)('0' + n % 10);
        n = 0;
    }
    out->used += digits;
}

static void put_signed(struct tf_trace_out *out, int64_t n)
{
    if (n < 0)
        put(out, "-");
    put_number(out, n < 0 ? -(uint64_t)n : (uint64_t)n, 1);
}

// In us, as the format has it, with all digits of the clock.
static void put_time(struct tf_trace_out *out, uint64_t ns)
{
    put_number(out, ns / 1000, 1);
    put(out, ".");
    put_number(out, ns % 1000, 3);
}

// Names are the compiler's and the system's: what is not plain text becomes a question
// mark, what is long is cut.
static void put_quoted(struct tf_trace_out *out, const char *text)
{
    enum { MOST = 512 };
    char *const start = room_for(out, MOST + 2), *at = start;

    *at++ = '"';
    for (; *text && at <= start + MOST; text++)
        *at++ =
            *text >= ' ' && *text < 0x7f && *text != '"' && *text != '\\' ? *text : '?';
    *at++ = '"';
    out->used += (size_t)(at - start);
}

static inline void put_field(struct tf_trace_out *out, const char *name, uint64_t n)
{
    put(out, name);
    put_number(out, n, 1);
}

// ---- Events ----

static void begin_event(struct tf_trace_out *out, const char *how, const char *name)
{
    put(out, out->has_events ? ",\n{\"ph\":\"" : "\n{\"ph\":\"");
    out->has_events = true;
    put(out, how);
    put(out, "\",\"name\":");
    put_quoted(out, name);
}

static void put_track(struct tf_trace_out *out, uint64_t process, uint64_t thread)
{
    put_field(out, ",\"pid\":", process);
    put_field(out, ",\"tid\":", thread);
}

static uint64_t since(const struct tf_trace_out *out, uint64_t ns)
{
    return ns > out->zero_ns ? ns - out->zero_ns : 0;
}

static void put_span(struct tf_trace_out *out, const struct tf_trace_record *r)
{
    put(out, ",\"ts\":");
    put_time(out, since(out, r->start_ns));
    put(out, ",\"dur\":");
    put_time(out, r->end_ns > r->start_ns ? r->end_ns - r->start_ns : 0);
}

static uint64_t queue_thread(const struct tf_trace_record *command)
{
    return (uint64_t)command->number * LANES + command->lane;
}

static void put_call(struct tf_trace_out *out, const struct tf_trace_record *r,
                     const struct tf_trace_chunk *chunk)
{
    begin_event(out, "X", r->name);
    put(out, r->kind == TF_TRACE_CALL ? ",\"cat\":\"api\"" : ",\"cat\":\"build\"");
    put_track(out, out->process, (uint64_t)chunk->thread);
    put_span(out, r);
    put(out, ",\"args\":{\"code\":");
    put_signed(out, r->status);
    put(out, "}}");
}

static void put_work(struct tf_trace_out *out, const struct tf_trace_record *r,
                     const struct tf_trace_chunk *chunk)
{
    begin_event(out, "X", r->name);
    put(out, ",\"cat\":\"work\"");
    put_track(out, out->process, (uint64_t)chunk->thread);
    put_span(out, r);
    put_field(out, ",\"args\":{\"command\":", r->id);
    if (r->kind == TF_TRACE_MOVE) {
        put_field(out, ",\"bytes\":", r->amount);
        put(out, "}}");
        return;
    }
    if (r->launch)
        put_field(out, ",\"launch\":", r->launch);
    put_field(out, ",\"groups\":", r->amount);
    put(out, ",\"code\":");
    put_quoted(out, r->note);
    put(out, "}}");
}

static void put_command(struct tf_trace_out *out, const struct tf_trace_record *r)
{
    begin_event(out, "X", r->name);
    put(out, ",\"cat\":\"command\"");
    put_track(out, QUEUES_PROCESS, queue_thread(r));
    put_span(out, r);
    put_field(out, ",\"args\":{\"command\":", r->id);
    put(out, ",\"type\":");
    put_quoted(out, r->note);
    if (r->amount)
        put_field(out, ",\"bytes\":", r->amount);
    put_field(out, ",\"waited_ns\":",
              r->start_ns > r->queued_ns ? r->start_ns - r->queued_ns : 0);
    put(out, ",\"status\":");
    put_signed(out, r->status);
    put(out, "}}");
}

static void put_named(struct tf_trace_out *out, const char *what, uint64_t process,
                      uint64_t thread, const char *name)
{
    begin_event(out, "M", what);
    put_track(out, process, thread);
    put(out, ",\"args\":{\"name\":");
    put_quoted(out, name);
    put(out, "}}");
}

// ---- Commands, among each other ----

struct commands {
    struct tf_trace_out *out;
    struct tf_trace_record **all;
    size_t count, room;
    bool sorted_by_id; // else by queue and start
};

static void count_command(struct tf_trace_record *r, const struct tf_trace_chunk *chunk,
                          void *arg)
{
    struct commands *commands = arg;

    (void)chunk;
    commands->room += r->kind == TF_TRACE_COMMAND;
}

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
    begin_event(out, how, "waits for");
    if (*how == 'f') // what begins there, not what comes next
        put(out, ",\"bp\":\"e\"");
    put_field(out, ",\"cat\":\"dependency\",\"id\":", out->flows);
    put_track(out, QUEUES_PROCESS, queue_thread(command));
    put(out, ",\"ts\":");
    put_time(out, since(out, command->start_ns));
    put(out, "}");
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
        put_call(commands->out, r, chunk);
        break;
    case TF_TRACE_WORK:
    case TF_TRACE_MOVE:
        put_work(commands->out, r, chunk);
        break;
    case TF_TRACE_COMMAND:
        put_command(commands->out, r);
        break;
    case TF_TRACE_DEPENDENCY:
        put_dependency(commands, r);
        break;
    }
}

void tf_trace_put_events(struct tf_trace_out *out, struct tf_trace_chunk *chunks)
{
    struct commands commands = {.out = out};

    if (!chunks)
        return;
    put_named(out, "process_name", QUEUES_PROCESS, 0, "OpenCL queues");
    for (const struct tf_trace_chunk *c = chunks; c; c = c->next)
        if (!c->is_named)
            put_named(out, "thread_name", out->process, (uint64_t)c->thread,
                      c->thread_name);
    tf_trace_each(chunks, count_command, &commands);
    if (commands.room > 0)
        commands.all = tf_zalloc(commands.room * sizeof(*commands.all));
    if (commands.all) {
        tf_trace_each(chunks, take_command, &commands);
        tf_trace_sort(commands.all, commands.count, by_start);
        choose_lanes(&commands);
    }
    tf_trace_each(chunks, put_record, &commands);
    tf_free(commands.all);
}
