// SPDX-License-Identifier: MIT
#include "base/env.h"

#include <errno.h>
#include <limits.h>
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/thread.h"

static const struct tf_env_entry entries[TF_ENV_COUNT] = {
    [TF_ENV_LOG] = {"TREFOIL_LOG",
                    "log lines on stderr: comma-separated list of error, api, "
                    "build, queue, device, or all (default: none)",
                    .words = "error,api,build,queue,device,all,none", .is_list = true},
    [TF_ENV_TRACE] = {"TREFOIL_TRACE",
                      "file that takes a trace of all that happens, for "
                      "ui.perfetto.dev; %p in it: the process's number (default: none)",
                      .words = NULL},
    [TF_ENV_PERF] = {"TREFOIL_PERF",
                     "1: perf report names kernels, by /tmp/perf-PID.map; "
                     "jitdump: perf annotate shows their code, by "
                     "/tmp/jit-PID.dump (default: 0)",
                     .words = "0,1,jitdump"},
    [TF_ENV_ISA] = {"TREFOIL_ISA",
                    "highest instruction set used: sse2, sse4.2, avx2, avx512 "
                    "(default: what the CPU has)",
                    .words = "sse2,sse4.2,avx2,avx512"},
    [TF_ENV_THREADS] = {"TREFOIL_THREADS",
                        "number of worker threads, 1 to 1024 (default: "
                        "the CPUs this process may use)",
                        .min = 1, .max = 1024},
    [TF_ENV_PIN] = {"TREFOIL_PIN",
                    "1: each worker thread stays on one CPU (default: 0, on those of its "
                    "device)",
                    .words = "0,1"},
    [TF_ENV_WG] = {"TREFOIL_WG",
                   "form of work-groups: auto, loops, fibers, simt, gang_fibers "
                   "(default: auto)",
                   .words = "auto,loops,fibers,simt,gang_fibers"},
    [TF_ENV_TIER] = {"TREFOIL_TIER",
                     "code of kernels: 0 quick to make, 1 optimized before its first "
                     "launch, auto the one and then the other, mix both by turns, for "
                     "tests (default: auto; 1 with TREFOIL_WG)",
                     .words = "0,1,auto,mix"},
    [TF_ENV_VARIANTS] = {"TREFOIL_VARIANTS",
                         "code of kernels for the formats and samplers, or the one size "
                         "of work-groups, that they get: 0 none, auto in the background, "
                         "all before the first "
                         "launch, for tests (default: auto)",
                         .words = "0,auto,all"},
    [TF_ENV_WIDTH] = {"TREFOIL_WIDTH",
                      "work-items that run as lanes of one vector: 2, 4, 8, 16, 32, 64 "
                      "(default: as fits the CPU and the kernel)",
                      .words = "2,4,8,16,32,64"},
    [TF_ENV_PACK] = {"TREFOIL_PACK",
                     "rows of such vectors that run as one: 1, 2, 4 "
                     "(default: as fits the CPU and the kernel)",
                     .words = "1,2,4"},
    [TF_ENV_STREAM] = {"TREFOIL_STREAM",
                       "MiB of memory that a launch goes through from which on what it "
                       "stores goes past the caches, 0: always, for tests (default: "
                       "twice what the last caches hold)",
                       .min = 0, .max = 1 << 30},
    [TF_ENV_CACHE] = {"TREFOIL_CACHE",
                      "folder of programs built before; off or 0: none (default: "
                      "$XDG_CACHE_HOME/trefoil, $HOME/.cache/trefoil)",
                      .words = NULL},
    [TF_ENV_CACHE_SIZE] = {"TREFOIL_CACHE_SIZE",
                           "MiB that they may have, 0: off (default: 1024)", .min = 0,
                           .max = 1024 * 1024},
    [TF_ENV_BINARY_ISA] = {"TREFOIL_BINARY_ISA",
                           "levels that program binaries get all code for beside that "
                           "of this process: comma-separated (sse2, sse4.2, avx2, "
                           "avx512), all, native: no other "
                           "(default: code that is there or soon made)",
                           .words = "sse2,sse4.2,avx2,avx512,all,native",
                           .is_list = true},
    [TF_ENV_COMPILER_LIBRARY] = {"TREFOIL_COMPILER_LIBRARY",
                                 "path of the compiler library (default: "
                                 "libtrefoil-compiler.so beside libtrefoil.so)",
                                 .words = NULL},
    [TF_ENV_COMPILER] = {"TREFOIL_COMPILER",
                         "where kernels are compiled: process (helper processes), thread "
                         "(threads of this process) (default: process)",
                         .words = "process,thread"},
    [TF_ENV_COMPILE_SECONDS] = {"TREFOIL_COMPILE_SECONDS",
                                "processor time that one step of a compilation may take "
                                "in a helper process, 1 to 86400 (default: 300)",
                                .min = 1, .max = 86400},
    [TF_ENV_COMPILE_MEMORY] =
        {"TREFOIL_COMPILE_MEMORY",
         "MiB of memory that one may take there, 64 to 1048576 "
         "(default: 1024 and as many as the program has KiB, up to half of the machine's "
         "and 8192)",
         .min = 64, .max = 1048576},
    [TF_ENV_DUMP] =
        {"TREFOIL_DUMP",
         "compiler stages whose code is written to stderr, "
         "comma-separated, or all (default: none)",
         .words = "frontend,link,cleanup,cfg,shape,plan,gang,split,wg,asm,all,none",
         .is_list = true},
    [TF_ENV_CHECK] = {"TREFOIL_CHECK",
                      "faults of kernels that are looked for while they run: memory, "
                      "races, uninitialized, divergence, comma-separated, or all "
                      "(default: none)",
                      .words = "memory,races,uninitialized,divergence,all,none",
                      .is_list = true},
    [TF_ENV_CHECK_ACTION] = {"TREFOIL_CHECK_ACTION",
                             "after one: log (go on), fail (the launch ends with an "
                             "error), abort (default: log)",
                             .words = "log,fail,abort"},
    [TF_ENV_CHECK_FILE] = {"TREFOIL_CHECK_FILE",
                           "file that takes the faults as lines of JSON, behind what it "
                           "has (default: none)",
                           .words = NULL},
    [TF_ENV_CALLS] = {"TREFOIL_CALLS",
                      "functions of programs: auto (inlined, but in very large kernels), "
                      "keep (functions wherever they may be, for tests) (default: auto)",
                      .words = "auto,keep"},
    [TF_ENV_CHECK_LANES] =
        {"TREFOIL_CHECK_LANES",
         "1: the compiler checks the lanes that it makes, and fails where "
         "they break a rule (default: 0; debug builds always do)",
         .words = "0,1"},
    [TF_ENV_PLATFORM_NAME] = {"TREFOIL_PLATFORM_NAME",
                              "CL_PLATFORM_NAME (default: Trefoil)", .words = NULL},
    [TF_ENV_VENDOR_ID] = {"TREFOIL_VENDOR_ID",
                          "CL_DEVICE_VENDOR_ID, decimal or 0x... (default: the device's)",
                          .min = 0, .max = UINT32_MAX},
    [TF_ENV_DRIVER_VERSION] = {"TREFOIL_DRIVER_VERSION",
                               "CL_DRIVER_VERSION (default: Trefoil's version and build)",
                               .words = NULL},
    [TF_ENV_HIDE_EXTENSIONS] = {"TREFOIL_HIDE_EXTENSIONS",
                                "extensions that the device does without, "
                                "comma-separated (default: none)",
                                .words = NULL},
    [TF_ENV_SUB_GROUP_SIZE] = {"TREFOIL_SUB_GROUP_SIZE",
                               "work-items of a sub-group in kernels that demand no "
                               "size: 4, 8, 16, 32, 64 (default: 16)",
                               .words = "4,8,16,32,64"},
    [TF_ENV_MAX_WORK_GROUP_SIZE] = {"TREFOIL_MAX_WORK_GROUP_SIZE",
                                    "CL_DEVICE_MAX_WORK_GROUP_SIZE, 1 to 4096 "
                                    "(default: 4096)",
                                    .min = 1, .max = 4096},
};

// Copies: an application may change its environment at any time.
static char values[TF_ENV_COUNT][PATH_MAX];  // of a list, the words that it takes
static char unknown[TF_ENV_COUNT][PATH_MAX]; // what is not taken, or has such words
static pthread_once_t once = PTHREAD_ONCE_INIT;

static bool is_word(const char *text, size_t bytes, const char *word)
{
    return bytes == strlen(word) && !strncmp(text, word, bytes);
}

static bool has_word(const char *list, const char *word, size_t bytes)
{
    while (*list) {
        const size_t n = strcspn(list, ",");

        if (n == bytes && !strncmp(list, word, n))
            return true;
        list += n + (list[n] == ',');
    }
    return false;
}

static bool take_number(const char *text, const struct tf_env_entry *entry, long *n)
{
    char *end;

    errno = 0;
    *n = strtol(text, &end, 0);
    return !errno && end != text && !*end && *n >= entry->min && *n <= entry->max;
}

// Copies the words of the text that are of the list. Returns false if there are others.
static bool take_list(const char *text, const char *words, char *out)
{
    bool all_known = true;

    while (*text) {
        const size_t bytes = strcspn(text, ",");

        if (bytes > 0 && !has_word(words, text, bytes)) {
            all_known = false;
        } else if (bytes > 0 && !is_word(text, bytes, "none")) {
            if (*out)
                strcat(out, ",");
            strncat(out, text, bytes);
        }
        text += bytes + (text[bytes] == ',');
    }
    return all_known;
}

// True if all of it is a value of the switch.
static bool take(const struct tf_env_entry *entry, const char *text, char *out)
{
    long n;

    if (strlen(text) >= PATH_MAX)
        return false;
    if (entry->is_list)
        return take_list(text, entry->words, out);
    if ((entry->words &&
         (strchr(text, ',') || !has_word(entry->words, text, strlen(text)))) ||
        (entry->max && !take_number(text, entry, &n)))
        return false;
    strcpy(out, text);
    return true;
}

static void read_all(void)
{
    for (int i = 0; i < TF_ENV_COUNT; i++) {
        // Whoever starts a setuid program must not choose what it loads or where it
        // writes.
        const char *text = secure_getenv(entries[i].name);

        if (text && *text && !take(&entries[i], text, values[i]))
            snprintf(unknown[i], sizeof(unknown[i]), "%s", text);
    }
}

const char *tf_env_text(enum tf_env var)
{
    pthread_once(&once, read_all);
    return values[var][0] ? values[var] : NULL;
}

const char *tf_env_unknown(enum tf_env var)
{
    pthread_once(&once, read_all);
    return unknown[var][0] ? unknown[var] : NULL;
}

long tf_env_number(enum tf_env var, long otherwise)
{
    const char *text = tf_env_text(var);

    return text ? strtol(text, NULL, 0) : otherwise;
}

bool tf_env_lists(enum tf_env var, const char *word)
{
    const char *text = tf_env_text(var);

    return text && (has_word(text, word, strlen(word)) || has_word(text, "all", 3));
}

// ---- Values that nobody takes ----

// "a, b, c"
static void put_words(char *out, size_t bytes, const char *words)
{
    size_t used = 0;

    for (; *words && used + 2 < bytes; words++) {
        out[used++] = *words;
        if (*words == ',')
            out[used++] = ' ';
    }
    out[used] = '\0';
}

static void tell(enum tf_env var)
{
    enum { MOST_VALUE = 100 };
    const struct tf_env_entry *entry = &entries[var];
    char value[MOST_VALUE + 1], takes[200], line[600];
    const size_t bytes = strlen(unknown[var]);
    int n;
    TF_UNCANCELLED;

    snprintf(value, sizeof(value), "%.*s", MOST_VALUE, unknown[var]);
    for (char *at = value; *at; at++)
        if ((unsigned char)*at < ' ' || *at == 0x7f) // one line, whatever it holds
            *at = '?';
    if (entry->words)
        put_words(takes, sizeof(takes), entry->words);
    else if (entry->max)
        snprintf(takes, sizeof(takes), "a number from %ld to %ld", entry->min,
                 entry->max);
    else
        snprintf(takes, sizeof(takes), "at most %d bytes", PATH_MAX - 1);
    n = snprintf(line, sizeof(line), "trefoil: %s=%s%s: %s, it takes %s%s\n", entry->name,
                 value, bytes > MOST_VALUE ? ".." : "",
                 values[var][0] ? "what it does not know is ignored" : "ignored",
                 entry->is_list ? "a list of " : "", takes);
    if (write(STDERR_FILENO, line, (size_t)n) < 0)
        return; // nowhere to complain
}

static void tell_all(void)
{
    for (int i = 0; i < TF_ENV_COUNT; i++)
        if (tf_env_unknown(i))
            tell(i);
}

void tf_env_tell(void)
{
    static pthread_once_t told = PTHREAD_ONCE_INIT;

    pthread_once(&told, tell_all);
}

const struct tf_env_entry *tf_env_entry(enum tf_env var)
{
    return &entries[var];
}
