// SPDX-License-Identifier: MIT
#include "devices/cpu/program/cpu_compiler.h"

#include <stdatomic.h>
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>

#include "abi/cpu_abi.h"
#include "base/env.h"
#include "base/lib.h"
#include "base/log.h"
#include "base/thread.h"

#define LIBRARY_NAME "libtrefoil-compiler.so"

static struct {
    struct tf_mutex lock; // held while the library is opened
    bool tried TF_GUARDED_BY(&lock);
    const struct tf_compiler *table TF_GUARDED_BY(&lock);
    char reason[300] TF_GUARDED_BY(&lock);
    atomic_uint calls; // in progress; read by the handler of a forked child only
    atomic_bool broken;
} compiler = {.lock = TF_MUTEX_INITIALIZER(TF_RANK_DEVICE)};

enum { PATH_BYTES = 4096 };

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

static void open_library(void) TF_REQUIRES(&compiler.lock)
{
    const struct tf_compiler *table;
    tf_compiler_entry_fn entry;
    char beside[PATH_BYTES];
    const char *path = library_path(beside);

    if (!path) {
        snprintf(compiler.reason, sizeof(compiler.reason), "no path to " LIBRARY_NAME);
        return;
    }
    entry = (tf_compiler_entry_fn)(uintptr_t)tf_lib_symbol(
        path, TF_COMPILER_ENTRY_NAME, compiler.reason, sizeof(compiler.reason));
    if (!entry)
        return;
    table = entry();
    if (!table || table->abi != TF_COMPILER_ABI || table->cpu_abi != TF_CPU_ABI_VERSION) {
        snprintf(compiler.reason, sizeof(compiler.reason),
                 "%.200s is of another version of Trefoil", path);
        return;
    }
    tf_log(TF_LOG_BUILD, "compiler %s, LLVM %s", path, table->llvm_version);
    compiler.table = table;
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
        open_library();
    }
    table = compiler.table;
    if (!table)
        snprintf(text, text_bytes, "%s", compiler.reason);
    tf_unlock(&compiler.lock);
    tf_cpu_compiler_leave();
    return table;
}

void tf_cpu_compiler_override(const struct tf_compiler *table)
{
    tf_lock(&compiler.lock);
    compiler.tried = true;
    compiler.table = table;
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

void tf_cpu_compiler_forked(void)
{
    if (atomic_load(&compiler.calls) > 0)
        atomic_store(&compiler.broken, true);
    atomic_store(&compiler.calls, 0);
    tf_mutex_init(&compiler.lock, TF_RANK_DEVICE);
}
