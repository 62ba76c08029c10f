// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_compiler.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "abi/cpu_abi.h"
#include "base/env.h"
#include "base/lib.h"
#include "base/log.h"
#include "base/thread.h"
#include "devices/cpu/helper/helper_compiler.h"
#include "devices/cpu/helper/helper_pool.h"

#define LIBRARY_NAME "libtrefoil-compiler.so"

enum { PATH_BYTES = 4096, REASON_BYTES = 300 };

// The compiler in this process.
struct library {
    bool tried;
    const struct tf_compiler *table;
    char reason[REASON_BYTES];
};

static struct {
    struct tf_mutex lock; // held while a compiler is looked for
    bool tried TF_GUARDED_BY(&lock);
    const struct tf_compiler *table TF_GUARDED_BY(&lock);
    char reason[REASON_BYTES] TF_GUARDED_BY(&lock);
    struct library library TF_GUARDED_BY(&lock);
    atomic_bool is_here; // the table may run the compiler in this process
    atomic_uint calls;   // in progress; read by the handler of a forked child only
    atomic_bool broken;
} compiler = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_DEVICE)};

// Where the library is looked for, perhaps in `beside`; NULL if that cannot be said.
static const char *library_path(char beside[PATH_BYTES])
{
    const char *path = tf_env_text(TF_ENV_COMPILER_LIBRARY);

    if (!path &&
        !tf_lib_beside((const void *)&compiler, LIBRARY_NAME, beside, PATH_BYTES))
        path = beside;
    return path;
}

bool tf_cpu_compiler_found(void)
{
    char beside[PATH_BYTES];
    const char *path = library_path(beside);

    return path && !access(path, R_OK);
}

static void open_library(struct library *library, const char *path)
{
    const struct tf_compiler *table;
    const tf_compiler_entry_fn entry = (tf_compiler_entry_fn)(uintptr_t)tf_lib_symbol(
        path, TF_COMPILER_ENTRY_NAME, library->reason, sizeof(library->reason));

    if (!entry)
        return;
    table = entry();
    if (!table || table->abi != TF_COMPILER_ABI || table->cpu_abi != TF_CPU_ABI_VERSION) {
        snprintf(library->reason, sizeof(library->reason),
                 "%.200s is of another version of Trefoil", path);
        return;
    }
    tf_log(TF_LOG_BUILD, "compiler %s, LLVM %s", path, table->llvm_version);
    library->table = table;
}

static const struct tf_compiler *in_this_process(void) TF_REQUIRES(&compiler.lock)
{
    struct library *const library = &compiler.library;
    char beside[PATH_BYTES];
    const char *path = library_path(beside);

    if (!library->tried) {
        library->tried = true;
        if (path)
            open_library(library, path);
        else
            snprintf(library->reason, sizeof(library->reason),
                     "no path to " LIBRARY_NAME);
    }
    atomic_store(&compiler.is_here, true);
    return library->table;
}

// For a job that finds no process any more.
static const struct tf_compiler *otherwise(void)
{
    const struct tf_compiler *table;

    tf_lock(&compiler.lock);
    table = in_this_process();
    tf_unlock(&compiler.lock);
    return table;
}

static const struct tf_compiler *in_processes(char *reason, size_t reason_bytes)
{
    char beside[PATH_BYTES], program[PATH_BYTES];
    const char *path = library_path(beside);
    const char *wanted = tf_env_text(TF_ENV_COMPILER);
    const struct tf_compiler *table;

    if ((wanted && !strcmp(wanted, "thread")) || !path ||
        tf_lib_beside((const void *)&compiler, TF_HELPER_PROGRAM, program,
                      sizeof(program)))
        return NULL;
    table = tf_helper_compiler(program, path, otherwise, reason, reason_bytes);
    if (table)
        tf_log(TF_LOG_BUILD, "compiler %s in processes, LLVM %s", path,
               table->llvm_version);
    else
        tf_log(TF_LOG_ERROR, "kernels are compiled in this process: %s", reason);
    return table;
}

static void find_compiler(void) TF_REQUIRES(&compiler.lock)
{
    compiler.table = in_processes(compiler.reason, sizeof(compiler.reason));
    if (compiler.table)
        return;
    compiler.table = in_this_process();
    memcpy(compiler.reason, compiler.library.reason, sizeof(compiler.reason));
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
    if (!compiler.tried) {
        compiler.tried = true;
        find_compiler();
    }
    table = compiler.table;
    if (!table)
        snprintf(text, text_bytes, "%s", compiler.reason);
    tf_unlock(&compiler.lock);
    tf_cpu_compiler_leave();
    return table;
}

bool tf_cpu_compiler_id(char id[TF_BUILD_ID_BYTES])
{
    char beside[PATH_BYTES];
    const char *path;
    bool tried;

    id[0] = '\0';
    tf_lock(&compiler.lock);
    tried = compiler.tried;
    if (compiler.table)
        snprintf(id, TF_BUILD_ID_BYTES, "%s", compiler.table->build_id);
    tf_unlock(&compiler.lock);
    if (tried)
        return id[0] != '\0';
    path = library_path(beside);
    return path && tf_elf_build_id(path, id);
}

void tf_cpu_compiler_override(const struct tf_compiler *table)
{
    tf_lock(&compiler.lock);
    compiler.tried = true;
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
    if (atomic_load(&compiler.calls) > 0 && !compiler.table)
        compiler.tried = false; // in the middle of the first search
    atomic_store(&compiler.calls, 0);
    tf_mutex_init(&compiler.lock, TF_RANK_DEVICE);
    tf_helper_pool_forked();
}
