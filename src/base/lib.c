// SPDX-License-Identifier: MIT
#include "base/lib.h"

#include <dlfcn.h>
#include <elf.h>
#include <errno.h>
#include <fcntl.h>
#include <fenv.h>
#include <inttypes.h>
#include <limits.h>
#include <link.h>
#include <pthread.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/thread.h"

enum { LINE_BYTES = PATH_MAX + 200 }; // of /proc/self/maps

// ---- Forks

// Held while a library is loaded, and while the process is forked; but nobody waits for
// it for ever. A constructor that forks may have what our loading waits for (the loader's
// own lock), and another handler of fork() may wait for who loads.
static pthread_mutex_t loading = PTHREAD_MUTEX_INITIALIZER;
static _Thread_local struct {
    unsigned depth; // constructors may fork, and handlers of fork(), too
    bool has_lock;
} claim;

enum { PATIENCE_S = 2 };

static bool wait_for_loading(void)
{
    struct timespec until;

    clock_gettime(CLOCK_REALTIME, &until);
    until.tv_sec += PATIENCE_S;
    return !pthread_mutex_timedlock(&loading, &until);
}

static void claim_loading(void)
{
    if (claim.depth++ == 0)
        claim.has_lock = wait_for_loading();
}

static void end_claim(void)
{
    const bool is_last = claim.depth == 1;

    if (claim.depth > 0)
        claim.depth--;
    if (!is_last || !claim.has_lock)
        return;
    claim.has_lock = false;
    pthread_mutex_unlock(&loading);
}

void tf_lib_before_fork(void)
{
    claim_loading();
}

void tf_lib_after_fork(void)
{
    end_claim();
}

void tf_lib_forked(void)
{
    if (!claim.has_lock)
        pthread_mutex_init(&loading, NULL);
    end_claim();
}

static void *load(const char *path)
{
    void *lib;

    claim_loading();
    lib = dlopen(path, RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
    end_claim();
    return lib;
}

// dlerror()'s text, or another reason where there is none.
static void explain(char *text, size_t text_bytes, const char *path)
{
    const char *reason = dlerror();

    snprintf(text, text_bytes, "%s", reason ? reason : path);
}

// What is wrong with a regular file; NULL: nothing that can be seen from outside.
static const char *fault_of(int fd, uint64_t file_bytes)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) segment;
    const ssize_t bytes = pread(fd, &head, sizeof(head), 0);

    if (bytes < SELFMAG || memcmp(head.e_ident, ELFMAG, SELFMAG) != 0)
        return "not a library";
    if (bytes != sizeof(head))
        return "not a whole file";
    if (head.e_type != ET_DYN || head.e_phentsize != sizeof(segment))
        return "not a library";
    for (unsigned i = 0; i < head.e_phnum; i++) {
        const off_t at = (off_t)(head.e_phoff + (size_t)i * sizeof(segment));

        if (pread(fd, &segment, sizeof(segment), at) != sizeof(segment) ||
            (segment.p_type == PT_LOAD &&
             segment.p_offset + segment.p_filesz > file_bytes))
            return "not a whole file";
    }
    return NULL;
}

bool tf_lib_is_sound(const char *path, char *text, size_t text_bytes)
{
    TF_UNCANCELLED;
    // A pipe that nobody writes to must not be waited for.
    const int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const char *fault;
    struct stat facts;

    if (fd < 0 || fstat(fd, &facts))
        fault = strerror(errno);
    else if (S_ISDIR(facts.st_mode))
        fault = "a folder, not a library";
    else if (!S_ISREG(facts.st_mode))
        fault = "not a library";
    else
        fault = fault_of(fd, (uint64_t)facts.st_size);
    if (fd >= 0)
        close(fd);
    if (fault)
        snprintf(text, text_bytes, "%s: %s", path, fault);
    return !fault;
}

void *tf_lib_symbol(const char *path, const char *symbol, char *text, size_t text_bytes)
{
    TF_UNCANCELLED;
    void *lib, *address;
    fenv_t floats;

    // One that an installation has not written whole would be mapped, and the first use
    // of what is missing would end the process (SIGBUS). Names that are looked for, and
    // what cannot be opened, are dlopen()'s business.
    if (!access(path, F_OK) && !tf_lib_is_sound(path, text, text_bytes))
        return NULL;

    // Constructors of the library may compute: not with the application's rounding mode
    // and traps, and without a trace in its flags.
    fegetenv(&floats);
    fesetenv(FE_DFL_ENV);
    lib = load(path);
    fesetenv(&floats);
    address = lib ? dlsym(lib, symbol) : NULL;

    if (!address)
        explain(text, text_bytes, path);
    return address;
}

// "/a b/libx.so" of a line of /proc/self/maps, in place; NULL when there is no file. Only
// a line's end is written otherwise there than it is.
static char *path_of_line(char *line)
{
    static const char escape[] = "\\012";
    char *path = strchr(line, '/'), *at = path;

    for (char *next = path; next && *next && *next != '\n'; next++) {
        const bool is_escape = !strncmp(next, escape, strlen(escape));

        *at++ = is_escape ? '\n' : *next;
        next += is_escape ? strlen(escape) - 1 : 0;
    }
    if (path)
        *at = '\0';
    return path;
}

// The absolute path of the file that is mapped at `address`, as the system knows it;
// owned, NULL where there is none.
static char *mapped_path(const void *address)
{
    TF_UNCANCELLED;
    FILE *const file = fopen("/proc/self/maps", "re");
    const uintptr_t wanted = (uintptr_t)address;
    char *const line = tf_zalloc(LINE_BYTES);
    char *path = NULL;

    while (file && line && !path && fgets(line, LINE_BYTES, file)) {
        uintptr_t begin, end;
        const char *found;

        if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR, &begin, &end) != 2 || wanted < begin ||
            wanted >= end)
            continue;
        found = path_of_line(line);
        path = found ? tf_strdup(found) : NULL;
        if (!path)
            break;
    }
    if (file)
        fclose(file);
    tf_free(line);
    return path;
}

int tf_lib_beside(const void *address, const char *name, char *path, size_t path_bytes)
{
    const char *file, *slash;
    char *mapped = NULL;
    Dl_info info;
    int n;

    if (!dladdr(address, &info) || !info.dli_fname)
        return -1;
    file = info.dli_fname;
    // The name that was opened, which may be a link. One that is not absolute was meant
    // for the folder that was the current one then.
    if (file[0] != '/')
        mapped = mapped_path(address);
    if (mapped)
        file = mapped;
    slash = strrchr(file, '/');
    n = snprintf(path, path_bytes, "%.*s%s", slash ? (int)(slash + 1 - file) : 0, file,
                 name);
    tf_free(mapped);
    return n < 0 || (size_t)n >= path_bytes ? -1 : 0;
}
