// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_compiler.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abi/cpu_abi.h"
#include "base/alloc.h"
#include "base/env.h"
#include "base/lib.h"
#include "base/log.h"
#include "base/thread.h"
#include "base/time.h"
#include "devices/cpu/helper/helper_compiler.h"
#include "devices/cpu/helper/helper_pool.h"

#define LIBRARY_NAME "libtrefoil-compiler.so"

enum {
    PATH_BYTES = 4096,
    REASON_BYTES = 300,
    MOST_PAUSE_S = 3600,
    PAUSE_TO_ATTEMPT = 30
};
#define NS_PER_S ((uint64_t)1000000000u)

static struct {
    struct tf_mutex lock;              // held while a compiler is looked for
    bool settled TF_GUARDED_BY(&lock); // what was found stays
    const struct tf_compiler *table TF_GUARDED_BY(&lock);
    const struct tf_compiler *library TF_GUARDED_BY(&lock); // in this process
    char reason[REASON_BYTES] TF_GUARDED_BY(&lock);
    // Processes are asked for again then, after ever longer pauses.
    uint64_t again_ns TF_GUARDED_BY(&lock);
    unsigned pause_s TF_GUARDED_BY(&lock);
    atomic_bool is_here; // the table may run the compiler in this process
    atomic_uint calls;   // in progress; read by the handler of a forked child only
    atomic_bool broken;
} compiler = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_DEVICE)};

// Paths are owned, and not on the stack: the application's thread may have 16 KiB.

// Of a file in the folder of this library; NULL if that cannot be said.
static char *path_beside(const char *name)
{
    char *const path = tf_zalloc(PATH_BYTES);

    if (path && !tf_lib_beside((const void *)&compiler, name, path, PATH_BYTES))
        return path;
    tf_free(path);
    return NULL;
}

// Where the library is looked for; NULL if that cannot be said.
static char *library_path(void)
{
    const char *const wanted = tf_env_text(TF_ENV_COMPILER_LIBRARY);

    return wanted ? tf_strdup(wanted) : path_beside(LIBRARY_NAME);
}

bool tf_cpu_compiler_found(void)
{
    char *const path = library_path();
    char reason[REASON_BYTES] = "no path to " LIBRARY_NAME;
    const bool found = path && tf_lib_is_sound(path, reason, sizeof(reason));

    if (!found)
        tf_log(TF_LOG_DEVICE, "no compiler: %s", reason);
    tf_free(path);
    return found;
}

static const struct tf_compiler *open_library(const char *path, char *reason,
                                              size_t reason_bytes)
{
    const struct tf_compiler *table;
    const tf_compiler_entry_fn entry = (tf_compiler_entry_fn)(uintptr_t)tf_lib_symbol(
        path, TF_COMPILER_ENTRY_NAME, reason, reason_bytes);

    if (!entry)
        return NULL;
    table = entry();
    if (!table || table->abi != TF_COMPILER_ABI || table->cpu_abi != TF_CPU_ABI_VERSION) {
        snprintf(reason, reason_bytes, "%.200s is of another version of Trefoil", path);
        return NULL;
    }
    tf_log(TF_LOG_BUILD, "compiler %s, LLVM %s", path, table->llvm_version);
    return table;
}

// What fails is tried again at the next need: descriptors or memory may be lacking now.
static const struct tf_compiler *in_this_process(char *reason, size_t reason_bytes)
    TF_REQUIRES(&compiler.lock)
{
    char *path;

    atomic_store(&compiler.is_here, true);
    if (compiler.library)
        return compiler.library;
    path = library_path();
    if (path)
        compiler.library = open_library(path, reason, reason_bytes);
    else
        snprintf(reason, reason_bytes, "no path to " LIBRARY_NAME);
    tf_free(path);
    return compiler.library;
}

// For a job that finds no process any more.
static const struct tf_compiler *otherwise(void)
{
    const struct tf_compiler *table;
    char reason[REASON_BYTES];

    if (tf_helper_library_is_damaged())
        return NULL;
    tf_lock(&compiler.lock);
    table = in_this_process(reason, sizeof(reason));
    tf_unlock(&compiler.lock);
    return table;
}

static bool wants_processes(void)
{
    const char *wanted = tf_env_text(TF_ENV_COMPILER);

    return !wanted || strcmp(wanted, "thread") != 0;
}

// The program with the compiler in it starts sooner. It has no other compiler than the
// one beside it.
static char *whole_helper_path(void)
{
    char *const path =
        tf_env_text(TF_ENV_COMPILER_LIBRARY) ? NULL : path_beside(TF_HELPER_WHOLE);

    if (path && !access(path, X_OK))
        return path;
    tf_free(path);
    return NULL;
}

// `program` may be NULL: there is no such program.
static const struct tf_compiler *in_processes_of(const char *program, const char *library,
                                                 char *reason, size_t reason_bytes)
{
    const struct tf_compiler *const table =
        program ? tf_helper_compiler(program, library, otherwise, reason, reason_bytes)
                : NULL;

    if (table)
        tf_log(TF_LOG_BUILD, "compiler %s in processes of %s, LLVM %s", library, program,
               table->llvm_version);
    return table;
}

static const struct tf_compiler *in_processes(char *reason, size_t reason_bytes)
{
    char *const library = library_path(), *const whole = whole_helper_path(),
                *const plain = path_beside(TF_HELPER_PROGRAM);
    const struct tf_compiler *table = NULL;

    reason[0] = '\0';
    if (library)
        table = in_processes_of(whole, library, reason, reason_bytes);
    if (reason[0] && !table)
        tf_log(TF_LOG_ERROR, "%s", reason);
    if (library && !table)
        table = in_processes_of(plain, library, reason, reason_bytes);
    if (!table && !reason[0])
        snprintf(reason, reason_bytes, "no path to " TF_HELPER_PROGRAM);
    tf_free(library);
    tf_free(whole);
    tf_free(plain);
    return table;
}

// What is lacking now (descriptors, memory, processes) need not be lacking for ever: a
// compiler in this process does until the next attempt.
static void find_compiler(void) TF_REQUIRES(&compiler.lock)
{
    const bool in_thread = !wants_processes();
    const uint64_t now_ns = tf_time_ns();

    if (!in_thread && (!compiler.table || now_ns >= compiler.again_ns)) {
        compiler.table = in_processes(compiler.reason, sizeof(compiler.reason));
        compiler.settled = compiler.table != NULL;
        compiler.pause_s =
            compiler.pause_s < MOST_PAUSE_S ? 2 * compiler.pause_s + 1 : MOST_PAUSE_S;
        // One that was waited for in vain is not asked for soon.
        compiler.again_ns = tf_time_ns() + compiler.pause_s * NS_PER_S +
                            (tf_time_ns() - now_ns) * PAUSE_TO_ATTEMPT;
    }
    if (compiler.table)
        return;
    if (!in_thread) {
        const bool is_damaged = tf_helper_library_is_damaged();

        tf_log(TF_LOG_ERROR, "%s: %s",
               is_damaged ? "no compiler" : "kernels are compiled in this process",
               compiler.reason);
        if (is_damaged)
            return;
    }
    compiler.table = in_this_process(compiler.reason, sizeof(compiler.reason));
    compiler.settled = in_thread && compiler.table;
}

const struct tf_compiler *tf_cpu_compiler(char *text, size_t text_bytes)
{
    const struct tf_compiler *table = NULL;

    text[0] = '\0';
    if (!tf_cpu_compiler_enter()) {
        snprintf(text, text_bytes, "this process was forked from one that was compiling");
        return NULL;
    }
    tf_lock(&compiler.lock);
    if (!compiler.settled)
        find_compiler();
    table = compiler.table;
    if (!table)
        snprintf(text, text_bytes, "%s", compiler.reason);
    tf_unlock(&compiler.lock);
    tf_cpu_compiler_leave();
    return table;
}

bool tf_cpu_compiler_id(char id[TF_BUILD_ID_BYTES])
{
    char *path;
    bool settled, found;

    id[0] = '\0';
    tf_lock(&compiler.lock);
    settled = compiler.settled;
    if (compiler.table)
        snprintf(id, TF_BUILD_ID_BYTES, "%s", compiler.table->build_id);
    tf_unlock(&compiler.lock);
    if (id[0] || settled)
        return id[0] != '\0';
    path = library_path();
    found = path && tf_elf_build_id(path, id);
    tf_free(path);
    return found;
}

void tf_cpu_compiler_override(const struct tf_compiler *table)
{
    tf_lock(&compiler.lock);
    compiler.settled = true;
    compiler.table = table;
    atomic_store(&compiler.is_here, true);
    snprintf(compiler.reason, sizeof(compiler.reason), "no compiler");
    tf_unlock(&compiler.lock);
}

bool tf_cpu_compiler_enter(void)
{
    // Counted before the flag is read, so that a fork between the two sees the call.
    atomic_fetch_add(&compiler.calls, 1);
    if (!atomic_load(&compiler.broken))
        return true;
    atomic_fetch_sub(&compiler.calls, 1);
    return false;
}

void tf_cpu_compiler_leave(void)
{
    atomic_fetch_sub(&compiler.calls, 1);
}

void tf_cpu_compiler_forked(void) TF_NO_TSA
{
    // Locks of LLVM that nobody will release; helpers' are their own.
    if (atomic_load(&compiler.calls) > 0 && atomic_load(&compiler.is_here))
        atomic_store(&compiler.broken, true);
    atomic_store(&compiler.calls, 0);
    tf_mutex_init(&compiler.lock, TF_RANK_DEVICE);
    tf_helper_pool_forked();
}
