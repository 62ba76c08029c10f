// SPDX-License-Identifier: MIT
#include "inputs.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "arguments.h"
#include "base/alloc.h"

#define SPIRV_MAGIC 0x07230203u
// /dev/zero and its like have no end.
#define MOST_MIB 64
#define COMPILER_NAME "kernel.cl"

static FILE *apart; // or NULL

FILE *messages(void)
{
    return apart ? apart : stderr;
}

bool messages_apart(void)
{
    const int fd = fcntl(STDERR_FILENO, F_DUPFD_CLOEXEC, STDERR_FILENO + 1);

    apart = fd >= 0 ? fdopen(fd, "w") : NULL;
    if (apart)
        setvbuf(apart, NULL, _IOLBF,
                0); // in order with what others write to the terminal
    return dup2(STDOUT_FILENO, STDERR_FILENO) >= 0;
}

static bool has_ending(const char *path, const char *ending)
{
    const size_t bytes = strlen(path), tail = strlen(ending);

    return bytes > tail && !strcmp(path + bytes - tail, ending);
}

// What it is called decides only about IR text, which looks like source.
static enum input_kind kind_of(const char *path, const struct tf_str *content)
{
    uint32_t magic = 0;

    if (content->bytes >= sizeof magic)
        memcpy(&magic, content->text, sizeof magic);
    if (magic == SPIRV_MAGIC || magic == __builtin_bswap32(SPIRV_MAGIC))
        return INPUT_SPIRV;
    if (content->bytes >= 4 && !memcmp(content->text, "BC\xc0\xde", 4))
        return INPUT_BITCODE;
    return has_ending(path, ".ll") ? INPUT_IR_TEXT : INPUT_SOURCE;
}

static bool read_all(FILE *file, struct tf_str *text)
{
    char block[4096];
    size_t bytes;

    while ((bytes = fread(block, 1, sizeof block, file)) > 0) {
        tf_str_add_bytes(text, block, bytes);
        if (text->bytes > (size_t)MOST_MIB << 20) {
            errno = EFBIG;
            return false;
        }
    }
    return !ferror(file) && !text->failed;
}

bool input_read(struct input *input, const char *path)
{
    const bool is_standard = !strcmp(path, "-");
    FILE *const file = is_standard ? stdin : fopen(path, "rb");
    bool ok = file && read_all(file, &input->content);

    if (!ok && errno == EFBIG)
        fprintf(messages(), "trefoilc: %s: longer than %d MiB\n", path, MOST_MIB);
    else if (!ok)
        fprintf(messages(), "trefoilc: %s: %s\n", path, strerror(errno ? errno : ENOMEM));
    if (file && !is_standard)
        fclose(file);
    input->path = is_standard ? "<stdin>" : path;
    input->kind = kind_of(path, &input->content);
    return ok;
}

bool input_set_options(struct input *input, const char *options)
{
    const char *const slash = strrchr(input->path, '/');

    tf_str_add(&input->options, options);
    if (input->kind == INPUT_SOURCE && slash) {
        struct tf_str folder = {0};
        char *path;

        tf_str_add_bytes(&folder, input->path,
                         slash == input->path ? 1 : (size_t)(slash - input->path));
        path = tf_str_take(&folder);
        add_option(&input->options, "-I");
        add_option(&input->options, path ? path : ".");
        tf_free(path);
    }
    if (input->options.failed)
        fprintf(messages(), "trefoilc: out of memory\n");
    input->compile.source = input->content.text ? input->content.text : "";
    input->compile.source_bytes = input->content.bytes;
    input->compile.is_il = input->kind == INPUT_SPIRV;
    input->compile.options = input->options.text ? input->options.text : "";
    return !input->options.failed;
}

void input_finish(struct input *input, const struct tf_compiler *compiler)
{
    if (compiler && input->kind != INPUT_BITCODE)
        compiler->release(input->bitcode.data);
    tf_str_finish(&input->content);
    tf_str_finish(&input->options);
}

void print_log(const char *log, const char *path)
{
    static const char from[] = "In file included from ";

    while (log && *log) {
        const size_t line = strcspn(log, "\n");
        const char *const end = log + line + (log[line] == '\n');

        if (!strncmp(log, from, strlen(from))) {
            fputs(from, messages());
            log += strlen(from);
        }
        if (!strncmp(log, COMPILER_NAME ":", strlen(COMPILER_NAME ":"))) {
            fputs(path, messages());
            log += strlen(COMPILER_NAME);
        }
        fwrite(log, 1, (size_t)(end - log), messages());
        log = end;
    }
}
