// SPDX-License-Identifier: MIT
#include "devices/cpu/run/cpu_print.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/str.h"
#include "devices/cpu/print/cpu_print_text.h"

enum { LONGEST_KEPT_LINE_BYTES = 64 << 10 };

// Writes the first `bytes` bytes of the line and keeps the rest.
static void write_start(struct tf_exec *exec, size_t bytes)
{
    struct tf_str *line = &exec->line;

    fwrite(line->text, 1, bytes, stdout);
    memmove(line->text, line->text + bytes, line->bytes - bytes);
    line->bytes -= bytes;
    exec->printed = true;
}

tf_i32 tf_print(const struct tf_launch *launch, struct tf_worker *worker,
                const void *record, tf_u64 bytes)
{
    struct tf_exec *exec = worker->host;
    struct tf_str *line = &exec->line;
    const bool ok = tf_print_text(line, record, bytes);
    const char *newline;

    (void)launch;
    if (line->failed) {
        tf_str_finish(line);
        return -1;
    }
    newline = line->bytes ? memrchr(line->text, '\n', line->bytes) : NULL;
    if (newline)
        write_start(exec, (size_t)(newline - line->text) + 1);
    if (line->bytes > LONGEST_KEPT_LINE_BYTES)
        write_start(exec, line->bytes);
    return ok ? 0 : -1;
}

void tf_print_flush(struct tf_exec *exec)
{
    if (exec->line.bytes > 0)
        write_start(exec, exec->line.bytes);
    if (!exec->printed)
        return;
    fflush(stdout);
    exec->printed = false;
    tf_str_finish(&exec->line);
}

static const char *text_at(tf_u64 address, const char *otherwise)
{
    return address ? (const char *)(uintptr_t)address : otherwise;
}

// The line that users of the function know.
void tf_print_assertion(const struct tf_assert_record *record)
{
    enum { LONGEST = 1024 };
    const tf_u64 *g = record->global_id, *l = record->local_id;
    char line[LONGEST + 1];
    int bytes = snprintf(line, LONGEST,
                         "%s:%lld: %s: global id: [%llu,%llu,%llu], local id: "
                         "[%llu,%llu,%llu] Assertion `%s` failed.",
                         text_at(record->file, "?"), (long long)record->line,
                         text_at(record->function, "?"), (unsigned long long)g[0],
                         (unsigned long long)g[1], (unsigned long long)g[2],
                         (unsigned long long)l[0], (unsigned long long)l[1],
                         (unsigned long long)l[2], text_at(record->expression, "?"));

    if (bytes < 0)
        return;
    if (bytes >= LONGEST)
        bytes = LONGEST - 1;
    line[bytes] = '\n';
    if (write(STDERR_FILENO, line, (size_t)bytes + 1) < 0)
        return; // there is nobody to tell it
}
