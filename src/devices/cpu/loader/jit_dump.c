// SPDX-License-Identifier: MIT
#include "devices/cpu/loader/jit_dump.h"

#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/env.h"
#include "base/log.h"
#include "base/str.h"
#include "base/thread.h"
#include "base/time.h"
#include "devices/cpu/arch/cpu_arch.h"
#include "devices/cpu/loader/perf_map.h"

// @src Linux, tools/perf/Documentation/jitdump-specification.txt.
enum { MAGIC = 0x4a695444, VERSION = 1, CODE_LOAD = 0, CODE_DEBUG_INFO = 2 };

struct file_head {
    uint32_t magic, version, bytes, machine, pad, process;
    uint64_t time_ns, flags;
};

struct record_head {
    uint32_t kind, bytes;
    uint64_t time_ns;
};

struct code_load {
    struct record_head head;
    uint32_t process, thread;
    uint64_t virtual_address, address, bytes, index; // name and code follow
};

struct debug_info {
    struct record_head head;
    uint64_t address, count; // as many entries follow
};

struct debug_entry {
    uint64_t address;
    uint32_t line, column; // the file's name follows
};

static struct {
    struct tf_mutex lock;
    long process TF_GUARDED_BY(&lock); // that the file is of
    int fd TF_GUARDED_BY(&lock);
    uint64_t count TF_GUARDED_BY(&lock);
    bool failed TF_GUARDED_BY(&lock);
} dump = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_LEAF), .fd = -1};

bool tf_jit_dump_on(void)
{
    const char *const text = tf_env_text(TF_ENV_PERF);

    return text && !strcmp(text, "jitdump");
}

static bool write_all(const struct tf_str *record) TF_REQUIRES(&dump.lock)
{
    return !record->failed &&
           write(dump.fd, record->text, record->bytes) == (ssize_t)record->bytes;
}

// perf knows of the file by this mapping, which it sees as it sees that of a library.
static bool show_to_perf(int fd)
{
    return mmap(NULL, (size_t)sysconf(_SC_PAGESIZE), PROT_READ | PROT_EXEC, MAP_PRIVATE,
                fd, 0) != MAP_FAILED;
}

// The file of this process: a forked one begins its own.
static bool is_open(void) TF_REQUIRES(&dump.lock)
{
    const long process = (long)getpid();
    const struct file_head head = {.magic = MAGIC,
                                   .version = VERSION,
                                   .bytes = sizeof(head),
                                   .machine = tf_arch_elf_machine,
                                   .process = (uint32_t)process,
                                   .time_ns = tf_time_ns()};
    char path[64];

    if (dump.process == process)
        return !dump.failed;
    if (dump.fd >= 0)
        close(dump.fd);
    snprintf(path, sizeof(path), "/tmp/jit-%ld.dump", process);
    dump.process = process;
    dump.count = 0;
    dump.fd = tf_perf_open_own(path, O_RDWR);
    dump.failed = dump.fd < 0 || ftruncate(dump.fd, 0) ||
                  write(dump.fd, &head, sizeof(head)) != (ssize_t)sizeof(head) ||
                  !show_to_perf(dump.fd);
    if (dump.failed)
        tf_log(TF_LOG_ERROR, "%s is not written: %s", path, strerror(errno));
    return !dump.failed;
}

// Before the code that they are of.
static void put_lines(struct tf_str *out, uint64_t code, size_t bytes,
                      const struct tf_code_lines *lines)
{
    struct debug_info info = {.head = {.kind = CODE_DEBUG_INFO, .bytes = sizeof(info)},
                              .address = code};

    for (size_t i = 0; i < lines->count; i++) {
        if (lines->lines[i].address - code >= bytes)
            continue;
        info.count++;
        info.head.bytes +=
            (uint32_t)(sizeof(struct debug_entry) + strlen(lines->lines[i].file) + 1);
    }
    if (info.count == 0)
        return;
    info.head.time_ns = tf_time_ns();
    tf_str_add_bytes(out, &info, sizeof(info));
    for (size_t i = 0; i < lines->count; i++) {
        const struct tf_code_line *const l = &lines->lines[i];
        const struct debug_entry entry = {.address = l->address, .line = l->line};

        if (l->address - code >= bytes)
            continue;
        tf_str_add_bytes(out, &entry, sizeof(entry));
        tf_str_add_bytes(out, l->file, strlen(l->file) + 1);
    }
}

static void put_code(struct tf_str *out, const void *code, size_t bytes, const char *name)
    TF_REQUIRES(&dump.lock)
{
    const uint64_t address = (uint64_t)(uintptr_t)code;
    struct code_load load = {.head = {.kind = CODE_LOAD, .time_ns = tf_time_ns()},
                             .process = (uint32_t)dump.process,
                             .thread = (uint32_t)syscall(SYS_gettid),
                             .virtual_address = address,
                             .address = address,
                             .bytes = bytes,
                             .index = dump.count++};

    load.head.bytes = (uint32_t)(sizeof(load) + strlen(name) + 1 + bytes);
    tf_str_add_bytes(out, &load, sizeof(load));
    tf_str_add_bytes(out, name, strlen(name) + 1);
    tf_str_add_bytes(out, code, bytes);
}

void tf_jit_dump_code(const void *code, size_t bytes, const char *name,
                      const struct tf_code_lines *lines)
{
    struct tf_str record = {0};
    TF_UNCANCELLED;

    tf_lock(&dump.lock);
    if (is_open()) {
        put_lines(&record, (uint64_t)(uintptr_t)code, bytes, lines);
        put_code(&record, code, bytes, name);
        dump.failed = !write_all(&record);
    }
    tf_unlock(&dump.lock);
    tf_str_finish(&record);
}

void tf_jit_dump_forked(void) TF_NO_TSA
{
    tf_mutex_init(&dump.lock, TF_RANK_LEAF);
}
