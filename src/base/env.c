// SPDX-License-Identifier: MIT
#include "base/env.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static const struct tf_env_entry entries[TF_ENV_COUNT] = {
    [TF_ENV_LOG] = {"TREFOIL_LOG",
                    "log lines on stderr: comma-separated list of error, api, "
                    "build, queue, device, or all (default: none)"},
    [TF_ENV_TRACE] = {"TREFOIL_TRACE",
                      "file that takes a trace of all that happens, for "
                      "ui.perfetto.dev; %p in it: the process's number (default: none)"},
    [TF_ENV_PERF] = {"TREFOIL_PERF",
                     "1: perf report names kernels, by /tmp/perf-PID.map; "
                     "jitdump: perf annotate shows their code, by "
                     "/tmp/jit-PID.dump (default: 0)"},
    [TF_ENV_ISA] = {"TREFOIL_ISA",
                    "highest instruction set used: sse2, sse4.2, avx2, avx512 "
                    "(default: what the CPU has)"},
    [TF_ENV_THREADS] = {"TREFOIL_THREADS",
                        "number of worker threads, 1 to 1024 (default: "
                        "the CPUs this process may use)"},
    [TF_ENV_PIN] = {"TREFOIL_PIN",
                    "1: each worker thread stays on one CPU (default: 0, on those of its "
                    "device)"},
    [TF_ENV_WG] = {"TREFOIL_WG",
                   "form of work-groups: auto, loops, fibers, simt, gang_fibers "
                   "(default: auto)"},
    [TF_ENV_TIER] = {"TREFOIL_TIER",
                     "code of kernels: 0 quick to make, 1 optimized before its first "
                     "launch, auto the one and then the other, mix both by turns, for "
                     "tests (default: auto; 1 with TREFOIL_WG)"},
    [TF_ENV_VARIANTS] = {"TREFOIL_VARIANTS",
                         "code of kernels with images for the formats and samplers they "
                         "get: 0 none, auto in the background, all before the first "
                         "launch, for tests (default: auto)"},
    [TF_ENV_WIDTH] = {"TREFOIL_WIDTH",
                      "work-items that run as lanes of one vector: 2, 4, 8, 16, 32, 64 "
                      "(default: as fits the CPU and the kernel)"},
    [TF_ENV_PACK] = {"TREFOIL_PACK", "rows of such vectors that run as one: 1, 2, 4 "
                                     "(default: as fits the CPU and the kernel)"},
    [TF_ENV_CACHE] = {"TREFOIL_CACHE",
                      "folder of programs built before; off or 0: none (default: "
                      "$XDG_CACHE_HOME/trefoil, $HOME/.cache/trefoil)"},
    [TF_ENV_CACHE_SIZE] = {"TREFOIL_CACHE_SIZE",
                           "MiB that they may have, 0: off (default: 1024)"},
    [TF_ENV_BINARY_ISA] = {"TREFOIL_BINARY_ISA",
                           "levels that program binaries get all code for beside that "
                           "of this process: comma-separated, all, native: no other "
                           "(default: code that is there or soon made)"},
    [TF_ENV_COMPILER_LIBRARY] = {"TREFOIL_COMPILER_LIBRARY",
                                 "path of the compiler library (default: "
                                 "libtrefoil-compiler.so beside libtrefoil.so)"},
    [TF_ENV_COMPILER] = {"TREFOIL_COMPILER",
                         "where kernels are compiled: process (helper processes), thread "
                         "(threads of this process) (default: process)"},
    [TF_ENV_COMPILE_SECONDS] = {"TREFOIL_COMPILE_SECONDS",
                                "processor time that one step of a compilation may take "
                                "in a helper process, 1 to 86400 (default: 300)"},
    [TF_ENV_COMPILE_MEMORY] =
        {"TREFOIL_COMPILE_MEMORY",
         "MiB of memory that one may take there, 64 to 1048576 "
         "(default: 1024 and as many as the program has KiB, up to half of the machine's "
         "and 8192)"},
    [TF_ENV_DUMP] = {"TREFOIL_DUMP", "compiler stages whose code is written to stderr, "
                                     "comma-separated, or all (default: none)"},
    [TF_ENV_CHECK] = {"TREFOIL_CHECK",
                      "faults of kernels that are looked for while they run: memory, "
                      "races, uninitialized, divergence, comma-separated, or all "
                      "(default: none)"},
    [TF_ENV_CHECK_ACTION] = {"TREFOIL_CHECK_ACTION",
                             "after one: log (go on), fail (the launch ends with an "
                             "error), abort (default: log)"},
    [TF_ENV_CHECK_FILE] = {"TREFOIL_CHECK_FILE",
                           "file that takes the faults as lines of JSON, behind what it "
                           "has (default: none)"},
    [TF_ENV_CHECK_LANES] =
        {"TREFOIL_CHECK_LANES",
         "1: the compiler checks the lanes that it makes, and fails where "
         "they break a rule (default: 0; debug builds always do)"},
    [TF_ENV_PLATFORM_NAME] = {"TREFOIL_PLATFORM_NAME",
                              "CL_PLATFORM_NAME (default: Trefoil)"},
    [TF_ENV_VENDOR_ID] =
        {"TREFOIL_VENDOR_ID",
         "CL_DEVICE_VENDOR_ID, decimal or 0x... (default: the device's)"},
    [TF_ENV_DRIVER_VERSION] = {"TREFOIL_DRIVER_VERSION",
                               "CL_DRIVER_VERSION (default: Trefoil's version)"},
    [TF_ENV_HIDE_EXTENSIONS] = {"TREFOIL_HIDE_EXTENSIONS",
                                "extensions that the device does without, "
                                "comma-separated (default: none)"},
};

// Copies: an application may change its environment at any time.
static char values[TF_ENV_COUNT][PATH_MAX];
static pthread_once_t once = PTHREAD_ONCE_INIT;

static void read_all(void)
{
    for (int i = 0; i < TF_ENV_COUNT; i++) {
        // Whoever starts a setuid program must not choose what it loads or where it
        // writes.
        const char *text = secure_getenv(entries[i].name);

        if (text && strlen(text) < sizeof(values[i]))
            strcpy(values[i], text);
    }
}

const char *tf_env_text(enum tf_env var)
{
    pthread_once(&once, read_all);
    return values[var][0] ? values[var] : NULL;
}

long tf_env_number(enum tf_env var, long min, long max, long otherwise)
{
    const char *text = tf_env_text(var);
    char *end;
    long n;

    if (!text)
        return otherwise;
    errno = 0;
    n = strtol(text, &end, 0);
    return errno || end == text || *end || n < min || n > max ? otherwise : n;
}

static bool is_word(const char *text, size_t bytes, const char *word)
{
    return bytes == strlen(word) && !strncmp(text, word, bytes);
}

bool tf_env_lists(enum tf_env var, const char *word)
{
    const char *at = tf_env_text(var);

    while (at && *at) {
        const size_t bytes = strcspn(at, ",");

        if (is_word(at, bytes, word) || is_word(at, bytes, "all"))
            return true;
        at += bytes + (at[bytes] == ',');
    }
    return false;
}

const struct tf_env_entry *tf_env_entry(enum tf_env var)
{
    return &entries[var];
}
